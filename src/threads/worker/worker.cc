#include "threads/worker/worker.h"

#include <link.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <optional>
#include <string>
#include <unordered_set>

#include "base/check.h"
#include "threads/protocol/actor_path.h"
#include "threads/protocol/messages.h"
#include "threads/protocol/system_call.h"
#include "threads/runtime/heap.h"
#include "threads/runtime/real.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/test_hooks.h"
#include "threads/runtime/threads_system.h"
#include "threads/runtime/watchdog.h"
#include "threads/runtime/weak_orders.h"
#include "threads/worker/inspection.h"
#include "threads/worker/numbered_threads.h"
#include "threads/worker/output.h"
#include "threads/worker/profile.h"
#include "threads/worker/search.h"

namespace ravel::threads {

namespace {

// The exit status of a child that was asked to leave.
constexpr int kLeft = 90;

int add_module(dl_phdr_info* info, std::size_t, void* modules) {
  auto& list = *static_cast<std::vector<Module>*>(modules);
  std::string path = info->dlpi_name;
  if (path.empty() && list.empty()) {
    char own[PATH_MAX];
    const long size = readlink("/proc/self/exe", own, sizeof own);
    if (size > 0) path.assign(own, static_cast<std::size_t>(size));
  }
  list.push_back({.path = path, .base = info->dlpi_addr});
  return 0;
}

class Server {
 public:
  explicit Server(int socket) : socket_(socket), system_(scheduler()) {}

  int run() {
    Greeting greeting;
    greeting.process = static_cast<std::uint64_t>(getpid());
    dl_iterate_phdr(add_module, &greeting.modules);
    for (const MarkedTest& test : marked_tests())
      greeting.tests.push_back({.name = test.name, .file = test.file, .line = test.line});
    Writer hello;
    hello << MessageKind::kGreeting << greeting;
    if (!send_frame(socket_, hello.bytes())) return 1;
    while (auto frame = receive_frame(socket_)) {
      Reader in(*frame);
      const auto command = in.get<Command>();
      Writer answer;
      obey(command, in, answer);
      if (!in.ok()) return 2;
      if (!answer.bytes().empty() && !send_frame(socket_, answer.bytes())) return 1;
    }
    return 0;
  }

 private:
  void obey(Command command, Reader& in, Writer& answer) {
    switch (command) {
      case Command::kConfigure: {
        Configuration configuration;
        in >> configuration;
        scheduler().configure(configuration);
        uses_told_ = 0;
        break;
      }
      case Command::kReset:
        rewind_files();
        named_.clear();
        stepped().reset();
        answer_state(answer);
        break;
      case Command::kStep: {
        Transition transition;
        in >> transition.actor >> transition.alternative >> transition.kind;
        const Event event = stepped().step(transition);
        if (describes_) complete_record();
        answer_state(answer, event.footprint);
        break;
      }
      case Command::kFollow: {
        FollowOrder order;
        in >> order;
        const std::uint64_t taken = follow(order);
        answer_state(answer);
        answer << taken;
        break;
      }
      case Command::kRunOn: {
        const bool has_last = in.get<bool>();
        const auto last = in.get<ActorId>();
        const auto how = in.get<GoOn>();
        system_.run_on(has_last ? std::optional(last) : std::nullopt, how, in.get<std::uint64_t>());
        answer_state(answer);
        break;
      }
      case Command::kDescribe:
        describes_ = in.get<bool>();
        scheduler().recording().turn(describes_);
        break;
      case Command::kOutput:
        // An execution may have been run again in its middle.
        answer << MessageKind::kText
               << (scheduler().configuration().by_states ? output_of_execution() : read_output());
        break;
      case Command::kHeapPlace: {
        const auto address = in.get<std::uint64_t>();
        answer << MessageKind::kHeapPlace << heap_place(address, in.get<bool>());
        break;
      }
      case Command::kFindings:
        answer << MessageKind::kFindings
               << Findings{.races = scheduler().discoveries().races(),
                           .left_behind = scheduler().discoveries().left_behind(),
                           .weak_orders = scheduler().discoveries().weak_orders(),
                           .timed_waits = scheduler().discoveries().timed_waits(),
                           .racy_words = scheduler().discoveries().take_new_racy_words(),
                           .has_progress = scheduler().discoveries().has_progress(),
                           .has_weak_orders = has_weak_orders};
        break;
      case Command::kShow:
        if (Thread* const thread = scheduler().threads().of(in.get<ActorId>());
            thread != nullptr && thread->state == ThreadState::kWaiting)
          scheduler().show(*thread);
        answer << MessageKind::kText << std::string();
        break;
      case Command::kInspect: {
        InspectionOrder order;
        in >> order;
        answer << MessageKind::kInspection << inspection(order);
        break;
      }
      case Command::kNumberStates: {
        NumberingOrder order;
        in >> order;
        states_.reset();
        const StateStorage storage{.hash_bits = order.hash_bits, .filter_bytes = order.filter_bytes};
        states_.emplace(system_, storage, order.known);
        answer << MessageKind::kStates << told_of_states();
        break;
      }
      case Command::kStates: {
        CHECK(states_);
        const bool numbers = in.get<bool>();
        answer << MessageKind::kStates << told_of_states(numbers ? states_->number_state() : std::nullopt);
        break;
      }
      case Command::kGoTo: {
        CHECK(states_);
        states_->go_to(in.get<StateNumber>());
        answer_state(answer);
        break;
      }
      case Command::kForgetStates:
        states_.reset();
        answer << MessageKind::kText << std::string();
        break;
      case Command::kGrant: break;  // its search has ended meanwhile
      case Command::kFork: fork_child(answer); break;
      case Command::kLeave:
        while (true) system_call(SYS_exit_group, kLeft);
      case Command::kProfile: {
        ProfileOrder order;
        in >> order;
        rewind_files();
        answer << MessageKind::kProfile << profile(system_, order);
        break;
      }
      case Command::kRunPart: {
        SearchOrder order;
        std::string part;
        in >> order >> part;
        rewind_files();
        answer << MessageKind::kPartRan << run_part(system_, order, part, socket_);
        break;
      }
      case Command::kLearn: {
        std::vector<std::string> news;
        in >> news;
        answer << MessageKind::kText << learn(news);
        break;
      }
      case Command::kKnowLoops: {
        LoopUses uses;
        in >> uses;
        scheduler().loops().add_uses(uses);
        uses_told_ = scheduler().loops().use_count();
        break;
      }
      case Command::kSearch: {
        SearchOrder order;
        SearchJobs jobs;
        in >> order >> jobs;
        rewind_files();
        SearchEnd end = search(system_, order, jobs, socket_);
        end.searched.actors = scheduler().actors().all();
        told_ = end.searched.actors.size();
        answer << MessageKind::kSearched << end.searched << end.parts;
        break;
      }
    }
  }

  // The program, as the other side steps through it.
  System& stepped() { return states_ ? static_cast<System&>(*states_) : system_; }

  StatesTold told_of_states(std::optional<MetState> met = {}) const {
    return {.met = met,
            .bytes = states_->bytes_of_states(),
            .replayed = states_->replayed(),
            .hashed = states_->hashed_states().value_or(HashedStates{}),
            .traits = states_->traits(),
            .has_to_begin_anew = states_->has_to_begin_anew()};
  }

  std::uint64_t follow(const FollowOrder& order) {
    std::uint64_t taken = 0;
    const NamedStep* before = nullptr;
    std::optional<ActorId> actor;
    for (const NamedStep& step : order.steps) {
      if (before == nullptr || before->actor != step.actor) {
        actor = system_.find_actor(step.actor);
      }
      before = &step;
      if (!actor) break;
      const Transition transition{.actor = *actor, .alternative = step.alternative, .kind = step.kind};
      if (system_.follow({&transition, 1}) == 0) break;
      ++taken;
    }
    return taken;
  }

  // The child goes on with the conversation; here it is taken up again when the child is gone. Parked threads
  // are not in the child, but their memory is, which is all that is used of them.
  void fork_child(Writer& answer) {
    const int child = scheduler().make_child();
    CHECK_MESSAGE(child >= 0, "a process could not be made");
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      start_watchdog();
      return;
    }
    int status = 0;
    while (system_call(SYS_wait4, child, reinterpret_cast<long>(&status)) != child) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != kLeft) answer << MessageKind::kDied << status;
  }

  HeapPlace heap_place(std::uint64_t address, bool is_of_record) const {
    HeapPlace place = heap().place_of(address).value_or(HeapPlace{});
    const BlockNames& names = scheduler().memory().blocks();
    if (const auto named = names.find(address)) place.block = names.blocks()[named->block - 1];
    if (describes_)
      place.on_stack = scheduler().recording().stack_place_of(
          address, is_of_record ? StepRecording::As::kRecorded : StepRecording::As::kNow);
    return place;
  }

  void add_name(std::uint64_t object, State& state) {
    if (!scheduler().configuration().names_blocks || !named_.insert(object).second) return;
    const BlockNames& names = scheduler().memory().blocks();
    if (const auto place = names.find(object))
      state.named.push_back(
          {.object = object, .place = {.block = names.blocks()[place->block - 1], .offset = place->offset}});
  }

  // The memory of a plain access holds now what was read or written.
  void complete_record() {
    OperationRecord& record = scheduler().recording().record();
    if (record.kind != OperationKind::kRead && record.kind != OperationKind::kWrite) return;
    if (record.size <= 8)
      __builtin_memcpy(&record.after, reinterpret_cast<void*>(record.address), record.size);
  }

  void answer_state(Writer& answer, Footprint touches = {}) {
    Scheduler& s = scheduler();
    State state;
    state.outcome = system_.outcome();
    state.stops_others = system_.stops_others();
    state.needs_fairness = s.needs_fairness();
    if (system_.enabled().empty()) state.blocked = system_.blocked();
    state.enabled.assign(system_.enabled().begin(), system_.enabled().end());
    state.touches.assign(touches.begin(), touches.end());
    for (const Transition& transition : state.enabled) {
      state.accesses.push_back(pending_access(transition.actor).value_or(Extent{}));
      state.pending.push_back(system_.pending(transition));
      if (state.pending.back()) add_name(state.pending.back()->object, state);
    }
    for (const Touch& touch : touches) add_name(touch.object, state);
    state.findings = s.discoveries().count() + (s.discoveries().has_new_racy_words() ? 1 : 0);
    for (; told_ < s.actors().all().size(); ++told_) state.actors.push_back(s.actors().all()[told_]);
    if (describes_) state.record = s.recording().record();
    state.told = s.take_told();
    if (const std::size_t count = s.loops().use_count(); count > uses_told_) {
      state.loops = s.loops().uses();
      uses_told_ = count;
    }
    if (states_) state.fingerprint = states_->fingerprint();
    if (state.outcome == Outcome::kBug || state.outcome == Outcome::kUnsupported)
      state.bug = s.ending().bug();
    if (state.outcome == Outcome::kUnsupported) state.refusal = s.ending().refusal();
    answer << MessageKind::kState << state;
  }

  const int socket_;
  ThreadsSystem system_;
  std::optional<NumberedThreads> states_;  // between kNumberStates and kForgetStates
  bool describes_ = false;
  std::unordered_set<std::uint64_t> named_;  // objects of this execution
  std::size_t told_ = 0;                     // how many actors the other side knows,
  std::size_t uses_told_ = 0;                // and how much of LoopUses
};

}  // namespace

int serve(int socket) { return Server(socket).run(); }

}  // namespace ravel::threads
