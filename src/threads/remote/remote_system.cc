#include "threads/remote/remote_system.h"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>
#include <sys/poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <utility>

#include "base/check.h"
#include "threads/frameworks/test_framework.h"
#include "threads/protocol/actor_path.h"
#include "threads/protocol/library_state.h"
#include "threads/remote/launch.h"
#include "threads/remote/operation_text.h"

namespace ravel::threads {

namespace {

constexpr int kMillisecondsPerLook = 100;
// What is only slow comes to its end in this time.
constexpr int kLooksWhenInterrupted = 10;

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
    : call_(call), debugger_(debugger), configuration_(configuration) {
  configuration_.test = call.test.kind == TestKind::kMarked ? call.test.name : "";
  configuration_.kind = call.test.kind;
  // Google Test is seldom recompiled, so what it does is seen little of; the others are, and count by
  // atomics.
  if (find_framework(call.test.kind) != nullptr && call.test.kind != TestKind::kGoogleTest)
    configuration_.alone_is_quiet = true;
}

RemoteSystem::~RemoteSystem() {
  leave_child();
  if (socket_ >= 0) close(socket_);
  if (process_ > 0) {
    if (debugger_.empty()) kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  delete_files();
}

// False: it takes long, and the user does not want to wait.
bool RemoteSystem::awaits_message() const {
  pollfd input{.fd = socket_, .events = POLLIN, .revents = 0};
  const std::atomic<bool>* const interrupt = call_.share->interrupt;
  int interrupted = 0;
  while (true) {
    const int ready = poll(&input, 1, kMillisecondsPerLook);
    if (ready > 0) return true;
    if (ready == 0 && interrupt != nullptr && *interrupt && ++interrupted > kLooksWhenInterrupted)
      return false;
  }
}

void RemoteSystem::delete_files() {
  std::error_code ignored;
  if (!files_.empty()) std::filesystem::remove_all(files_, ignored);
  files_.clear();
}

Status RemoteSystem::launch() {
  // A name without a folder means the file here, not one that the shell would find.
  const std::string path = call_.path.find('/') == std::string::npos ? "./" + call_.path : call_.path;
  std::vector<std::string> arguments = call_.arguments, environment;
  if (const TestFramework* const framework = find_framework(call_.test.kind)) {
    const std::vector<std::string> chosen = framework->run_arguments(call_.test.name);
    arguments.insert(arguments.end(), chosen.begin(), chosen.end());
    environment.assign(framework->environment.begin(), framework->environment.end());
  }
  auto launched = threads::launch(path, arguments, call_.share->input, environment, debugger_);
  if (!launched) return launched.error();
  process_ = launched->process;
  socket_ = launched->socket;
  files_ = launched->files;
  if (!awaits_message()) return Error{call_.path + ": the program was interrupted before its main() began."};
  auto frame = receive_frame(socket_);
  Greeting greeting;
  if (frame) {
    Reader in(*frame);
    if (in.get<MessageKind>() == MessageKind::kGreeting) in >> greeting;
  }
  if (!frame || greeting.modules.empty())
    return Error{call_.path +
                 ": the program ended before its main() could be taken over. Does it run by itself?"};
  if (greeting.version != kProtocolVersion)
    return Error{call_.path +
                 ": this program was linked with the runtime of another version of ravel. Build it again."};
  if (symbols_ == nullptr) symbols_ = call_.share->symbols.of(greeting.modules);
  ours_.clear();
  has_child_ = false;
  known_findings_ = 0;
  marked_tests_ = std::move(greeting.tests);
  if (call_.test.kind == TestKind::kMarked &&
      !std::ranges::count(marked_tests_, call_.test.name, &TestPlace::name))
    return Error{call_.path + ": there is no test '" + call_.test.name +
                 "' in this program. 'ravel tests' lists those that there are."};
  configure();
  return Success{};
}

void RemoteSystem::configure() {
  Writer out;
  out << Command::kConfigure << configuration_;
  send(out.bytes());
}

void RemoteSystem::set_configuration(const Configuration& configuration) {
  leave_child();
  touched_.clear();
  configuration_ = configuration;
  configure();
}

void RemoteSystem::send(const std::string& bytes) {
  if (socket_ >= 0 && !send_frame(socket_, bytes)) note_death();
}

std::optional<Reader> RemoteSystem::receive(MessageKind kind) {
  if (socket_ < 0) return std::nullopt;
  while (auto frame = receive_frame(socket_)) {
    Reader in(*frame);
    const auto got = in.get<MessageKind>();
    if (got == kind) return in;
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
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  int status = 0;
  if (process_ > 0) waitpid(process_, &status, 0);
  process_ = -1;
  has_child_ = false;
  delete_files();
  note_crash(status);
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
}

Result<Searched> RemoteSystem::search(const SearchOrder& order, const SearchListener& listener,
                                      const SearchJobs& jobs) {
  Writer out;
  out << Command::kSearch << order << jobs;
  send(out.bytes());
  is_searching_ = true;
  Result<Searched> searched = follow_search(listener);
  is_searching_ = false;
  return searched;
}

Searched RemoteSystem::read_searched(Reader& in) {
  Searched searched;
  in >> searched;
  names_.clear();
  ours_.clear();
  add_names(searched.actors);
  return searched;
}

Result<Searched> RemoteSystem::follow_search(const SearchListener& listener) {
  bool told = false;
  while (socket_ >= 0) {
    pollfd input{.fd = socket_, .events = POLLIN, .revents = 0};
    const int ready = poll(&input, 1, 100);
    if (!told && listener.is_interrupted()) {
      // Any byte ends the search; this one is a command that the program obeys afterwards, without an answer.
      told = true;
      configure();
    }
    if (ready <= 0) continue;
    auto frame = receive_frame(socket_);
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
      if (!end.lost_copies.empty()) return Error{end.lost_copies};
      if (!end.why_undivided.empty() && listener.on_undivided) listener.on_undivided(end.why_undivided);
      return searched;
    }
  }
  note_death();
  const std::string how = bug_.message;
  if (Status launched = launch(); !launched) return launched.error();
  return Error{how};
}

Result<Profile> RemoteSystem::profile(const ProfileOrder& order) {
  Writer out;
  out << Command::kProfile << order;
  send(out.bytes());
  auto in = receive(MessageKind::kProfile);
  if (!in) return Error{call_.path + ": " + bug_.message};
  Profile profile;
  *in >> profile;
  return profile;
}

void RemoteSystem::show(const ActorName& actor) {
  const auto known = find_actor(actor);
  if (!known) return;
  Writer out;
  out << Command::kShow << static_cast<ActorId>(theirs_[static_cast<std::size_t>(*known)]);
  send(out.bytes());
  receive(MessageKind::kText);
}

void RemoteSystem::reset() {
  if (socket_ < 0) {
    if (Status launched = launch(); !launched) {
      bug_.message = launched.error().message;
      return;
    }
    set_descriptions(describes_ ? Descriptions::kOn : Descriptions::kOff);
  }
  if (configuration_.isolates) {
    leave_child();
    Writer fork;
    fork << Command::kFork;
    send(fork.bytes());
    has_child_ = true;
    known_findings_ = 0;
    ours_.clear();
    set_descriptions(describes_ ? Descriptions::kOn : Descriptions::kOff);
  }
  named_.clear();
  told_.clear();
  Writer out;
  out << Command::kReset;
  send(out.bytes());
  take_state();
}

Event RemoteSystem::step(const Transition& chosen) {
  // `chosen` may be one of the transitions that the answer replaces.
  const Transition transition = chosen;
  last_ = transition.actor;
  const std::optional<Touch> expected = pending(transition);
  Writer out;
  out << Command::kStep << static_cast<ActorId>(theirs_[static_cast<std::size_t>(transition.actor)])
      << transition.alternative << transition.kind;
  send(out.bytes());
  if (!take_state() && expected) {
    // The process is gone with what it knew; this much was known before.
    const bool is_memory = (expected->object & kThreadObjects) == 0;
    for (std::uint64_t byte = 0; byte < (describes_ && is_memory ? 8 : 1); ++byte) {
      state_.touches.push_back(*expected);
      state_.touches.back().object += byte;
    }
  } else if (describes_) {
    refine_touches();
    note_memory();
  }
  return {.actor = transition.actor, .alternative = transition.alternative, .footprint = state_.touches};
}

std::size_t RemoteSystem::follow(std::span<const Transition> transitions) {
  FollowOrder order;
  for (const Transition& transition : transitions) {
    order.steps.push_back({.actor = names_[static_cast<std::size_t>(transition.actor)],
                           .alternative = transition.alternative,
                           .kind = transition.kind});
  }
  Writer out;
  out << Command::kFollow << order;
  send(out.bytes());
  auto in = take_state();
  return in ? in->get<std::uint64_t>() : 0;
}

void RemoteSystem::run_on(std::optional<ActorId> last, GoOn how, std::uint64_t steps_max) {
  Writer out;
  const auto theirs = last ? theirs_[static_cast<std::size_t>(*last)] : 0;
  out << Command::kRunOn << last.has_value() << static_cast<ActorId>(theirs) << how << steps_max;
  send(out.bytes());
  take_state();
}

// A search tells memory apart by words. Where an execution is looked at closely, accesses to different bytes
// of a word must not look like a race: there the objects of memory are its bytes.
void RemoteSystem::refine_touches() {
  const OperationRecord& record = state_.record;
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
  for (const Touch& touch : state_.touches) {
    const bool is_there = touch.object + 8 > low && touch.object < low + size;
    if (!is_there) refined.push_back(touch);
    for (std::uint64_t byte = std::max(low, touch.object);
         is_there && byte < std::min(low + size, touch.object + 8); ++byte) {
      refined.push_back(touch);
      refined.back().object = byte;
    }
  }
  state_.touches = std::move(refined);
}

void RemoteSystem::add_names(const std::vector<NewActor>& actors) {
  for (const NewActor& actor : actors) {
    const ActorName name = ours_.empty()        ? ActorName()
                           : actor.ordinal == 0 ? time_actor_name()
                                                : remote_name(actor.parent).child(actor.ordinal);
    auto known = find_actor(name);
    if (!known) {
      known = static_cast<ActorId>(names_.size());
      names_.push_back(name);
      theirs_.resize(names_.size());
    }
    theirs_[static_cast<std::size_t>(*known)] = static_cast<std::uint32_t>(ours_.size());
    ours_.push_back(*known);
  }
}

const ActorName& RemoteSystem::remote_name(std::uint32_t actor) const {
  CHECK(actor < ours_.size());
  return names_[static_cast<std::size_t>(ours_[actor])];
}

std::optional<Reader> RemoteSystem::take_state() {
  auto in = receive(MessageKind::kState);
  if (!in) return in;
  *in >> state_;
  add_names(state_.actors);
  for (Transition& transition : state_.enabled)
    transition.actor = ours_[static_cast<std::size_t>(transition.actor)];
  for (ActorId& actor : state_.blocked) actor = ours_[static_cast<std::size_t>(actor)];
  for (Touch& touch : state_.touches) to_our_object(touch);
  for (std::optional<Touch>& touch : state_.pending)
    if (touch) to_our_object(*touch);
  for (NamedObject& named : state_.named) named_[named.object] = std::move(named.place);
  if (state_.outcome == Outcome::kBug) bug_ = translate(state_.bug);
  for (ToldExplorer& told : state_.told) {
    ExplorerMessage& message = told_.emplace_back();
    message.from = ours_[told.actor];
    message.text = std::move(told.text);
  }
  if ((configuration_.isolates || follows_findings_) && state_.findings != known_findings_) note_findings();
  return in;
}

void RemoteSystem::to_our_object(Touch& touch) const {
  if ((touch.object & kThreadObjects) != 0)
    touch.object = kThreadObjects + static_cast<std::uint64_t>(ours_[touch.object & ~kThreadObjects]);
}

// What a child has seen ends with it.
void RemoteSystem::note_findings() {
  Findings seen = ask_findings();
  known_findings_ = state_.findings - (seen.racy_words.empty() ? 0 : 1);
  const auto is_known = [&](const RaceReport& race) {
    return std::ranges::any_of(findings_.races, [&](const RaceReport& known) {
      return (known.pc[0] == race.pc[0] && known.pc[1] == race.pc[1]) ||
             (known.pc[0] == race.pc[1] && known.pc[1] == race.pc[0]);
    });
  };
  for (RaceReport& race : seen.races)
    if (!is_known(race)) findings_.races.push_back(std::move(race));
  for (LeftThread& thread : seen.left_behind)
    if (std::ranges::count(findings_.left_behind, thread.actor, &LeftThread::actor) == 0)
      findings_.left_behind.push_back(std::move(thread));
  for (const WeakOrder& place : seen.weak_orders)
    if (std::ranges::count(findings_.weak_orders, place.pc, &WeakOrder::pc) == 0)
      findings_.weak_orders.push_back(place);
  for (const TimedWait& wait : seen.timed_waits)
    if (std::ranges::count(findings_.timed_waits, wait.stack, &TimedWait::stack) == 0)
      findings_.timed_waits.push_back(wait);
  for (const std::uint64_t word : seen.racy_words)
    if (std::ranges::count(findings_.racy_words, word) == 0) findings_.racy_words.push_back(word);
}

std::vector<std::uint64_t> RemoteSystem::take_new_racy_words() {
  std::vector<std::uint64_t> words = std::exchange(findings_.racy_words, {});
  std::ranges::sort(words);
  return words;
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
  const HeapPlace place = ask_heap_place(address);
  return place.allocated_at == 0 ? std::nullopt : std::optional(address - place.offset);
}

NamedVariable RemoteSystem::variable_at(std::uint64_t address) {
  const HeapPlace place = symbols_->global_at(address) ? HeapPlace{} : ask_heap_place(address);
  if (place.block.stack.empty()) return {.name = address_name(address), .file = {}};
  return block_variable(*symbols_, place.block, place.offset);
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

Refusal RemoteSystem::refusal() const { return translate_refusal(state_.refusal, state_.bug.stack); }

Refusal RemoteSystem::translate_refusal(const std::string& message,
                                        const std::vector<std::uint64_t>& stack) const {
  const SourcePlace place = symbols_->user_place(stack);
  const bool is_death_test = call_.test.kind == TestKind::kGoogleTest &&
                             (message.starts_with("fork:") || message.starts_with("clone:"));
  return {.message = message + (is_death_test ? ", as death tests need it; run these without Ravel" : ""),
          .file = place.file,
          .line = place.line};
}

void RemoteSystem::restore(Snapshot) { CHECK_MESSAGE(false, "threads have no snapshots"); }

ActorName RemoteSystem::actor_name(ActorId actor) const {
  const auto index = static_cast<std::size_t>(actor);
  CHECK(index < names_.size());
  return names_[index];
}

std::optional<ActorId> RemoteSystem::find_actor(const ActorName& name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) return std::nullopt;
  return static_cast<ActorId>(found - names_.begin());
}

void RemoteSystem::set_descriptions(Descriptions descriptions) {
  describes_ = descriptions != Descriptions::kOff;
  Writer out;
  out << Command::kDescribe << describes_;
  send(out.bytes());
}

EventDescription RemoteSystem::describe_last() {
  const OperationRecord& record = state_.record;
  const SourcePlace place = symbols_->user_place(record.stack);
  EventDescription description;
  description.text = operation_text(record);
  description.actor = actor_name(last_).to_string();
  description.file = place.file;
  description.line = place.line;
  description.source = symbols_->source_line(place.file, place.line);
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
  send(out.bytes());
  std::string text;
  std::optional<Reader> in = receive(MessageKind::kText);
  if (in) *in >> text;
  return text;
}

// --- names ---

std::string RemoteSystem::operation_text(const OperationRecord& record) {
  return threads::operation_text(
      record, {.address = [this](std::uint64_t address) { return address_name(address, Of::kLastOperation); },
               .function =
                   [this](std::uint64_t pc) {
                     // The C++ library's own start routine is not worth telling.
                     const SourcePlace place = symbols_->place_of(pc);
                     return place.file.starts_with("/usr/") || place.file.empty() ? std::string()
                                                                                  : place.function;
                   },
               .thread = [this](std::uint32_t actor) { return remote_name(actor).to_string(); }});
}

std::string RemoteSystem::address_name(std::uint64_t address, Of of) {
  if (auto global = symbols_->global_at(address)) return *global;
  if (auto state = library_state_name(address)) return *state;
  const HeapPlace place = ask_heap_place(address, of);
  if (place.allocated_at == 0) return stack_name(address, place.on_stack);
  const std::string offset = place.offset == 0 ? "" : fmt::format("+{}", place.offset);
  return fmt::format("{:#x}{}", address - place.offset, offset);
}

// A variable of main() is called main::total, one of another thread's function worker::total of P.1.
std::string RemoteSystem::stack_name(std::uint64_t address, const StackPlace& place) const {
  const std::optional<std::string> local = symbols_->local_at(place, address);
  if (!local) return fmt::format("{:#x}", address);
  const ActorName owner = place.actor < ours_.size() ? remote_name(place.actor) : ActorName{};
  return owner == ActorName{} ? *local : fmt::format("{} of {}", *local, owner.to_string());
}

HeapPlace RemoteSystem::ask_heap_place(std::uint64_t address, Of of) {
  if (is_searching_) return {};
  Writer out;
  out << Command::kHeapPlace << address << (of == Of::kLastOperation);
  send(out.bytes());
  HeapPlace place;
  if (auto in = receive(MessageKind::kHeapPlace)) *in >> place;
  return place;
}

// Replaces the marks of RawBug by names.
std::string RemoteSystem::resolve(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text[i] == '$' ? text.find(';', i) : std::string::npos;
    if (end == std::string::npos || i + 2 >= text.size()) {
      result += text[i];
      continue;
    }
    const char kind = text[i + 1];
    if (std::string_view("PFSAT").find(kind) == std::string_view::npos) {
      result += text[i];
      continue;
    }
    std::vector<std::uint64_t> values;
    for (const char* at = text.data() + i + 2; at < text.data() + end;) {
      const auto [after, problem] =
          std::from_chars(at, text.data() + end, values.emplace_back(), kind == 'T' ? 10 : 16);
      at = after + 1;
      if (problem != std::errc()) break;
    }
    const std::uint64_t value = values.empty() ? 0 : values.front();
    if (kind == 'S') {
      result += stack_text(values);
    } else if (kind == 'T') {
      result += remote_name(static_cast<std::uint32_t>(value)).to_string();
    } else if (kind == 'A') {
      result += address_name(value);
    } else {
      const SourcePlace place = kind == 'P' ? symbols_->user_place(values) : symbols_->place_of(value);
      const std::string function = place.function.empty() ? "unknown code" : place.function;
      const std::string file = place.file.substr(place.file.rfind('/') + 1);
      result += kind == 'F' ? function : file.empty() ? function : fmt::format("{}:{}", file, place.line);
    }
    i = end;
  }
  return result;
}

Bug RemoteSystem::translate(const RawBug& raw) {
  const SourcePlace place = symbols_->user_place(raw.stack);
  Bug bug{.kind = raw.kind,
          .message = resolve(raw.message),
          .file = raw.file.empty() ? place.file : raw.file,
          .line = raw.file.empty() ? place.line : raw.line,
          .actor = {},
          .details = {}};
  if (raw.actor < ours_.size()) bug.actor = remote_name(raw.actor).to_string();
  for (const std::string& detail : raw.details) bug.details.push_back(resolve(detail));
  return bug;
}

// "at a.cc:7 in pay, from a.cc:12 in main"
std::string RemoteSystem::stack_text(std::span<const std::uint64_t> stack) const {
  constexpr std::size_t kFramesMax = 8;
  std::vector<SourcePlace> places = symbols_->user_places(stack);
  if (places.empty()) places = {symbols_->user_place(stack)};
  std::string text;
  for (std::size_t i = 0; i < std::min(places.size(), kFramesMax); ++i) {
    const SourcePlace& place = places[i];
    text += i == 0 ? "at " : ", from ";
    if (!place.file.empty())
      text += fmt::format("{}:{} in ", place.file.substr(place.file.rfind('/') + 1), place.line);
    text += place.function.empty() ? "unknown code" : place.function;
  }
  return text;
}

std::string RemoteSystem::describe_race(const RaceReport& race) {
  const auto access = [&](int side) {
    return fmt::format("{} {} {}", names_[race.actor[side]].to_string(),
                       race.write[side] ? "writes" : "reads", stack_text(race.stack[side]));
  };
  const std::string on =
      race.on_stack.pc == 0 ? address_name(race.address) : stack_name(race.address, race.on_stack);
  return fmt::format("data race on {}: {}; and {}", on, access(0), access(1));
}

std::string RemoteSystem::describe_left(const LeftThread& thread) const {
  return fmt::format("{}, which is made {}, had not ended when the program did",
                     names_[thread.actor].to_string(), stack_text(thread.created));
}

std::vector<AssumedPlace> RemoteSystem::places_of(const Findings& findings) const {
  std::vector<AssumedPlace> places;
  for (const TimedWait& wait : findings.timed_waits) {
    const SourcePlace place = symbols_->user_place(wait.stack);
    add_places(places, {{.assumption = Assumption::kTimeoutsWait, .file = place.file, .line = place.line}});
  }
  for (const WeakOrder& weak : findings.weak_orders) {
    // The C++ library's own operations, as those of shared_ptr, are written for weaker memory than ours;
    // those of std::atomic are the program's.
    const std::string own = symbols_->place_of(weak.pc).file;
    const std::string_view name = std::string_view(own).substr(own.rfind('/') + 1);
    const bool is_atomic = name == "atomic" || name == "atomic_base.h" || name == "stdatomic.h" ||
                           own.find("/__atomic/") != own.npos;
    if (is_system_file(own) && !is_atomic) continue;
    const SourcePlace place = symbols_->user_place(std::array{weak.pc});
    add_places(places,
               {{.assumption = Assumption::kSequentialConsistency, .file = place.file, .line = place.line}});
  }
  return places;
}

Findings RemoteSystem::findings() {
  return configuration_.isolates || follows_findings_ ? findings_ : ask_findings();
}

Findings RemoteSystem::ask_findings() {
  Writer out;
  out << Command::kFindings;
  send(out.bytes());
  Findings findings;
  if (auto in = receive(MessageKind::kFindings)) *in >> findings;
  const auto to_ours = [&](Occurrence& seen) {
    for (Transition& transition : seen.schedule)
      transition.actor = ours_[static_cast<std::size_t>(transition.actor)];
  };
  for (RaceReport& race : findings.races) {
    for (std::uint32_t& actor : race.actor) actor = static_cast<std::uint32_t>(ours_[actor]);
    to_ours(race.seen);
  }
  for (LeftThread& thread : findings.left_behind) {
    thread.actor = static_cast<std::uint32_t>(ours_[thread.actor]);
    to_ours(thread.seen);
  }
  return findings;
}

}  // namespace ravel::threads
