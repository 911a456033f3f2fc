#include "threads/remote/remote_system.h"

#include <fmt/format.h>
#include <string.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/check.h"
#include "threads/frameworks/test_framework.h"
#include "threads/remote/launch.h"

namespace ravel::threads {

namespace {

// Between two looks at whether the user wants a search to end.
constexpr int kMillisecondsPerLook = 100;

// A search tells memory apart by words. Where an execution is looked at closely, accesses to different bytes
// of a word must not look like a race: there the objects of memory are its bytes.
void refine_touches(const OperationRecord& record, std::vector<Touch>& touches) {
  std::uint64_t low = record.address, size = record.size;
  switch (record.kind) {
    case OperationKind::kRead:
    case OperationKind::kWrite:
    case OperationKind::kAtomicLoad:
    case OperationKind::kAtomicStore:
    case OperationKind::kAtomicUpdate: break;
    case OperationKind::kFutexWait:
    case OperationKind::kFutexWoken:
    case OperationKind::kFutexWake:
      low &= ~std::uint64_t{7};
      size = 8;
      break;
    default: return;
  }
  std::vector<Touch> refined;
  for (const Touch& touch : touches) {
    const bool is_there = touch.object + 8 > low && touch.object < low + size;
    if (!is_there) refined.push_back(touch);
    for (std::uint64_t byte = std::max(low, touch.object);
         is_there && byte < std::min(low + size, touch.object + 8); ++byte) {
      refined.push_back(touch);
      refined.back().object = byte;
    }
  }
  touches = std::move(refined);
}

}  // namespace

Result<std::unique_ptr<RemoteSystem>> RemoteSystem::start(const ProgramCall& call,
                                                          const Configuration& configuration,
                                                          const std::vector<std::string>& debugger) {
  if (Status fitting = check_has_runtime(call.path); !fitting) return fitting.error();
  auto system = std::unique_ptr<RemoteSystem>(new RemoteSystem(call, configuration, debugger));
  if (Status launched = system->launch(); !launched) return launched.error();
  return system;
}

RemoteSystem::RemoteSystem(const ProgramCall& call, const Configuration& configuration,
                           const std::vector<std::string>& debugger)
    : call_(call), configuration_(configuration), process_(call_, debugger), texts_(actors_, *this, call_) {}

RemoteSystem::~RemoteSystem() { leave_child(); }

Status RemoteSystem::launch() {
  auto started = process_.start();
  if (!started) return started.error();
  Greeting greeting = std::move(*started);
  if (!texts_.is_open()) texts_.open(call_.share->symbols.of(greeting.modules));
  modules_ = std::move(greeting.modules);
  actors_.forget_theirs();
  has_child_ = false;
  gathered_.begin_process();
  marked_tests_ = std::move(greeting.tests);
  if (call_.test.kind == TestKind::kMarked &&
      !std::ranges::count(marked_tests_, call_.test.name, &TestPlace::name))
    return Error{call_.path + ": there is no test '" + call_.test.name +
                 "' in this program. 'ravel tests' lists those that there are."};
  configure();
  tell_loops();
  return Success{};
}

void RemoteSystem::configure() {
  // What follows from the call, whoever has made the configuration.
  const TestKind kind = call_.test.kind;
  configuration_.test = kind == TestKind::kMarked ? call_.test.name : "";
  configuration_.kind = kind;
  // Google Test is seldom recompiled, so what it does is seen little of; the others are, and count by
  // atomics.
  if (find_framework(kind) != nullptr && kind != TestKind::kGoogleTest) configuration_.alone_is_quiet = true;
  configuration_.is_beside_others = call_.is_beside_others;
  Writer out;
  out << Command::kConfigure << configuration_;
  send(out.bytes());
}

void RemoteSystem::set_configuration(const Configuration& configuration) {
  leave_child();
  touched_.clear();
  configuration_ = configuration;
  loops_ = {};
  are_loops_told_ = true;
  state_.needs_fairness = false;
  configure();
}

void RemoteSystem::know_loops(const LoopUses& loops) {
  leave_child();
  loops_ = loops;
  tell_loops();
}

void RemoteSystem::tell_loops() {
  are_loops_told_ = true;
  if (loops_ == LoopUses()) return;
  Writer out;
  out << Command::kKnowLoops << loops_;
  send(out.bytes());
}

void RemoteSystem::send(const std::string& bytes) {
  if (!process_.send(bytes)) note_death();
}

std::optional<Reader> RemoteSystem::ask(const Writer& command, MessageKind answer) {
  send(command.bytes());
  if (process_.is_gone()) return std::nullopt;
  while (auto frame = process_.receive()) {
    Reader in(*frame);
    const auto got = in.get<MessageKind>();
    if (got == answer) return in;
    if (got == MessageKind::kDied) {
      has_child_ = false;
      note_crash(in.get<int>());
      return std::nullopt;
    }
  }
  note_death();
  return std::nullopt;
}

// The process itself ended: nothing in it could catch that, or it ended itself by a system call.
void RemoteSystem::note_death() {
  has_child_ = false;
  note_crash(process_.end());
}

void RemoteSystem::note_crash(int status) {
  state_.bug = {};
  // What the last step did is not known.
  state_.record = {};
  state_.touches.clear();
  state_.enabled.clear();
  state_.outcome = Outcome::kBug;
  state_.stops_others = true;
  bug_ = {.kind = "crash",
          .message = WIFSIGNALED(status)
                         ? fmt::format("the process was killed by signal {} ({})", WTERMSIG(status),
                                       strsignal(WTERMSIG(status)))
                         : fmt::format("the process ended itself with status {}", WEXITSTATUS(status)),
          .file = {},
          .line = 0,
          .actor = {},
          .details = {}};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != kNeedsMachine) return;
  needs_machine_ = true;
  state_.outcome = Outcome::kUnsupported;
  state_.refusal = "it uses names that all processes of the machine share, while others run it";
}

Result<Searched> RemoteSystem::search(const SearchOrder& order, const SearchListener& listener,
                                      double seconds_alone) {
  const SearchJobs jobs = {.jobs = static_cast<std::uint32_t>(listener.processes.now()),
                           .most = static_cast<std::uint32_t>(listener.processes.most),
                           .seconds_alone = seconds_alone};
  Writer out;
  out << Command::kSearch << order << jobs;
  send(out.bytes());
  is_searching_ = true;
  Result<Searched> searched = follow_search(listener, jobs.jobs);
  is_searching_ = false;
  return searched;
}

Searched RemoteSystem::read_searched(Reader& in) {
  Searched searched;
  in >> searched;
  actors_.forget_all();
  actors_.add(searched.actors);
  return searched;
}

Result<Searched> RemoteSystem::follow_search(const SearchListener& listener, std::size_t granted) {
  bool told = false;
  while (!process_.is_gone()) {
    const bool has_message = process_.has_message(kMillisecondsPerLook);
    if (!told && listener.is_interrupted()) {
      // Any byte ends the search; this one is a command that the program obeys afterwards, without an answer.
      told = true;
      configure();
    }
    if (!told && listener.processes.now() > granted) {
      granted = listener.processes.now();
      Writer out;
      out << Command::kGrant << static_cast<std::uint32_t>(granted);
      send(out.bytes());
    }
    if (!has_message) continue;
    auto frame = process_.receive();
    if (!frame) break;
    Reader in(*frame);
    const auto kind = in.get<MessageKind>();
    if (kind == MessageKind::kProgress) {
      Counts counts;
      in >> counts;
      listener.on_progress(counts);
    } else if (kind == MessageKind::kKept) {
      listener.on_kept(read_searched(in));
    } else if (kind == MessageKind::kSearched) {
      Searched searched = read_searched(in);
      PartsEnd end;
      in >> end;
      is_to_be_alone_ = end.needs_machine;
      if (!end.lost_copies.empty()) return Error{end.lost_copies};
      if (!end.why_undivided.empty() && listener.on_undivided) listener.on_undivided(end.why_undivided);
      if (listener.on_problem) std::ranges::for_each(end.problems, listener.on_problem);
      return searched;
    }
  }
  return tell_end();
}

// How the process has ended, in the place of which there is a new one then.
Error RemoteSystem::tell_end() {
  note_death();
  Error how{bug_.message};
  if (Status launched = launch(); !launched) return launched.error();
  return how;
}

Result<PartRan> RemoteSystem::run_part(const SearchOrder& order, const std::string& part,
                                       const std::function<bool()>& is_interrupted) {
  Writer out;
  out << Command::kRunPart << order << part;
  send(out.bytes());
  bool told = false;
  while (!process_.is_gone()) {
    const bool has_message = process_.has_message(kMillisecondsPerLook);
    if (!told && is_interrupted()) {
      told = true;
      configure();  // ends it, as in follow_search()
    }
    if (!has_message) continue;
    auto frame = process_.receive();
    if (!frame) break;
    Reader in(*frame);
    if (in.get<MessageKind>() != MessageKind::kPartRan) continue;
    PartRan ran;
    in >> ran;
    return ran;
  }
  return tell_end();
}

Result<std::string> RemoteSystem::learn(const std::vector<std::string>& news) {
  Writer out;
  out << Command::kLearn << news;
  auto in = ask(out, MessageKind::kText);
  if (!in) return Error{bug_.message};
  std::string all;
  *in >> all;
  reset();  // what is known is told with the program's state
  return all;
}

Result<Profile> RemoteSystem::profile(const ProfileOrder& order) {
  Writer out;
  out << Command::kProfile << order;
  auto in = ask(out, MessageKind::kProfile);
  if (!in) return Error{call_.path + ": " + bug_.message};
  Profile profile;
  *in >> profile;
  return profile;
}

void RemoteSystem::show(const ActorName& actor) {
  const auto known = find_actor(actor);
  if (!known) return;
  Writer out;
  out << Command::kShow << static_cast<ActorId>(actors_.theirs(*known));
  ask(out, MessageKind::kText);
}

void RemoteSystem::reset() {
  if (process_.is_gone()) {
    if (Status launched = launch(); !launched) {
      bug_.message = launched.error().message;
      return;
    }
    set_descriptions(describes_ ? Descriptions::kOn : Descriptions::kOff);
  }
  if (configuration_.isolates) {
    leave_child();
    if (!are_loops_told_) tell_loops();
    Writer fork;
    fork << Command::kFork;
    send(fork.bytes());
    has_child_ = true;
    gathered_.begin_process();
    actors_.forget_theirs();
    set_descriptions(describes_ ? Descriptions::kOn : Descriptions::kOff);
  }
  named_.clear();
  told_.clear();
  Writer out;
  out << Command::kReset;
  ask_state(out);
}

Event RemoteSystem::step(const Transition& chosen) {
  // `chosen` may be one of the transitions that the answer replaces.
  const Transition transition = chosen;
  last_ = transition.actor;
  const std::optional<Touch> expected = pending(transition);
  Writer out;
  out << Command::kStep << static_cast<ActorId>(actors_.theirs(transition.actor)) << transition.alternative
      << transition.kind;
  if (!ask_state(out) && expected) {
    // The process is gone with what it knew; this much was known before.
    const bool is_memory = (expected->object & kThreadObjects) == 0;
    for (std::uint64_t byte = 0; byte < (describes_ && is_memory ? 8 : 1); ++byte) {
      state_.touches.push_back(*expected);
      state_.touches.back().object += byte;
    }
  } else if (describes_) {
    refine_touches(state_.record, state_.touches);
    touched_.note(state_.record);
  }
  return {.actor = transition.actor, .alternative = transition.alternative, .footprint = state_.touches};
}

std::size_t RemoteSystem::follow(std::span<const Transition> transitions) {
  FollowOrder order;
  for (const Transition& transition : transitions) {
    order.steps.push_back({.actor = actors_.name(transition.actor),
                           .alternative = transition.alternative,
                           .kind = transition.kind});
  }
  Writer out;
  out << Command::kFollow << order;
  auto in = ask_state(out);
  return in ? in->get<std::uint64_t>() : 0;
}

void RemoteSystem::run_on(std::optional<ActorId> last, GoOn how, std::uint64_t steps_max) {
  Writer out;
  const auto theirs = last ? actors_.theirs(*last) : 0;
  out << Command::kRunOn << last.has_value() << static_cast<ActorId>(theirs) << how << steps_max;
  ask_state(out);
}

std::optional<Reader> RemoteSystem::ask_state(const Writer& command) {
  auto in = ask(command, MessageKind::kState);
  if (!in) return in;
  *in >> state_;
  actors_.add(state_.actors);
  if (state_.loops) {
    loops_ = std::move(*state_.loops);
    are_loops_told_ = !has_child_;
  }
  for (Transition& transition : state_.enabled) transition.actor = actors_.ours(transition.actor);
  for (ActorId& actor : state_.blocked) actor = actors_.ours(actor);
  for (Touch& touch : state_.touches) actors_.to_ours(touch);
  for (std::optional<Touch>& touch : state_.pending)
    if (touch) actors_.to_ours(*touch);
  for (NamedObject& named : state_.named) named_[named.object] = std::move(named.place);
  if (state_.outcome == Outcome::kBug) bug_ = texts_.translate(state_.bug);
  for (ToldExplorer& told : state_.told) {
    ExplorerMessage& message = told_.emplace_back();
    message.from = actors_.ours(told.actor);
    message.text = std::move(told.text);
  }
  if ((configuration_.isolates || follows_findings_) && gathered_.lacks(state_.findings))
    gathered_.add(ask_findings(), state_.findings);
  return in;
}

std::optional<Extent> RemoteSystem::pending_access(ActorId actor) const {
  const auto place = std::ranges::find(state_.enabled, actor, &Transition::actor);
  if (place == state_.enabled.end()) return std::nullopt;
  const Extent& access = state_.accesses[static_cast<std::size_t>(place - state_.enabled.begin())];
  return access.size == 0 ? std::nullopt : std::optional(access);
}

std::optional<Touch> RemoteSystem::pending(const Transition& transition) {
  const auto place = std::ranges::find(state_.enabled, transition);
  CHECK(place != state_.enabled.end());
  return state_.pending[static_cast<std::size_t>(place - state_.enabled.begin())];
}

const BlockPlace* RemoteSystem::block_place(std::uint64_t object) const {
  const auto found = named_.find(object);
  return found == named_.end() ? nullptr : &found->second;
}

std::optional<std::uint64_t> RemoteSystem::block_at(std::uint64_t address) {
  const HeapPlace place = place_of(address, When::kNow);
  return place.allocated_at == 0 ? std::nullopt : std::optional(address - place.offset);
}

NamedVariable RemoteSystem::variable_at(std::uint64_t address) {
  const HeapPlace place = texts_.symbols().global_at(address) ? HeapPlace{} : place_of(address, When::kNow);
  if (place.block.stack.empty()) return {.name = texts_.address(address), .file = {}};
  return block_variable(texts_.symbols(), place.block, place.offset);
}

RawBug RemoteSystem::raw_bug() const {
  return {.kind = bug_.kind,
          .message = bug_.message,
          .file = bug_.file,
          .line = bug_.line,
          .details = bug_.details,
          .watched = state_.bug.watched};
}

void RemoteSystem::leave_child() {
  if (!has_child_) return;
  Writer out;
  out << Command::kLeave;
  send(out.bytes());
  has_child_ = false;
}

std::optional<ActorId> RemoteSystem::owner_of(std::uint64_t object) {
  if ((object & kThreadObjects) == 0) return std::nullopt;
  return static_cast<ActorId>(object & ~kThreadObjects);
}

Refusal RemoteSystem::refusal() const { return texts_.translate_refusal(state_.refusal, state_.bug.stack); }

void RemoteSystem::restore(Snapshot) { CHECK_MESSAGE(false, "threads have no snapshots"); }

void RemoteSystem::set_descriptions(Descriptions descriptions) {
  describes_ = descriptions != Descriptions::kOff;
  Writer out;
  out << Command::kDescribe << describes_;
  send(out.bytes());
}

EventDescription RemoteSystem::describe_last() {
  const OperationRecord& record = state_.record;
  const SourcePlace place = texts_.symbols().user_place(record.stack);
  EventDescription description;
  description.text = texts_.operation(record);
  description.actor = actor_name(last_).to_string();
  description.file = place.file;
  description.line = place.line;
  description.source = texts_.symbols().source_line(place.file, place.line);
  const bool is_wait = record.kind == OperationKind::kWake || record.kind == OperationKind::kAtomicUpdate;
  if (is_wait && record.result == EINTR) description.rare = RareEvent::kSpuriousWakeUp;
  if (record.is_early) {
    description.rare = RareEvent::kEarlyTimeout;
    description.text += ", early";
  }
  description.is_plain_access = record.kind == OperationKind::kRead || record.kind == OperationKind::kWrite;
  return description;
}

std::string RemoteSystem::output_so_far() {
  Writer out;
  out << Command::kOutput;
  std::string text;
  if (auto in = ask(out, MessageKind::kText)) *in >> text;
  return text;
}

HeapPlace RemoteSystem::place_of(std::uint64_t address, When when) {
  if (is_searching_) return {};
  Writer out;
  out << Command::kHeapPlace << address << (when == When::kLastOperation);
  HeapPlace place;
  if (auto in = ask(out, MessageKind::kHeapPlace)) *in >> place;
  return place;
}

Findings RemoteSystem::findings() {
  if (!configuration_.isolates && !follows_findings_) return ask_findings();
  // Not all that there is to know counts as one of State::findings.
  if (!configuration_.isolates && !process_.is_gone()) gathered_.add(ask_findings(), state_.findings);
  return gathered_.all();
}

Findings RemoteSystem::ask_findings() {
  Writer out;
  out << Command::kFindings;
  Findings findings;
  if (auto in = ask(out, MessageKind::kFindings)) *in >> findings;
  const auto to_ours = [&](Occurrence& seen) {
    for (Transition& transition : seen.schedule) transition.actor = actors_.ours(transition.actor);
  };
  for (RaceReport& race : findings.races) {
    for (std::uint32_t& actor : race.actor) actor = static_cast<std::uint32_t>(actors_.ours(actor));
    to_ours(race.seen);
  }
  for (LeftThread& thread : findings.left_behind) {
    thread.actor = static_cast<std::uint32_t>(actors_.ours(thread.actor));
    to_ours(thread.seen);
  }
  return findings;
}

}  // namespace ravel::threads
