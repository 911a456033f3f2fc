#include "threads/runtime/scheduler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "threads/runtime/arguments.h"
#include "threads/runtime/check_failed.h"
#include "threads/runtime/constructors.h"
#include "threads/runtime/descriptors.h"
#include "threads/runtime/exit_functions.h"
#include "threads/runtime/failing_point.h"
#include "threads/runtime/harmless_races.h"
#include "threads/runtime/mappings.h"
#include "threads/runtime/open_files.h"
#include "threads/runtime/overlay.h"
#include "threads/runtime/process_state.h"
#include "threads/runtime/real.h"
#include "threads/runtime/report_reader.h"
#include "threads/runtime/uncontrolled_libraries.h"
#include "threads/runtime/weak_orders.h"
#include "threads/runtime/test_hooks.h"

namespace ravel::threads {

// In once_hooks.cc.
void note_keys_of_start();
void restore_keys(Thread& main);
// In signal_hooks.cc.
void note_signals_of_start();
void restore_signals();

bool in_program = true;
Thread* current = nullptr;
WatchedMemory ravel_watched_memory;

Scheduler* the_scheduler = nullptr;

Scheduler& make_scheduler() {
  // Never destroyed: the program's last code runs after all destructors.
  the_scheduler = new Scheduler;
  return *the_scheduler;
}

Scheduler::Scheduler() {
  actors_.push_back({});
  names_.emplace_back();
  children_.emplace_back();
  by_actor_.push_back(nullptr);
}

void Scheduler::take_over(const MainFunction& main) {
  main_ = main;
  shadow_.map();
  slots_[0] = std::make_unique<Thread>();
  slots_[0]->place.make_main();
  at_exit_of_start_ = without_library_objects(at_exit);
  note_keys_of_start();
  note_signals_of_start();
  note_descriptors_of_start();
  note_process_state();
  heap().note_start();
  fs_ = fs_base();
  // The unwinder prepares itself at its first use, by operations that must not belong to an execution.
  full_stack_of(0);
  has_taken_over_ = true;
  const auto [low, high] = move_arguments(main_);
  image_.add_watched(low, high);
  for (const auto& [mapped_low, mapped_high] : mappings_of_start()) image_.add_watched(mapped_low, mapped_high);
  for (const auto& [start_low, start_high] : heap().start()) image_.add_watched(start_low, start_high);
  image_.take();
  uncontrolled_ = find_uncontrolled_library();
}

void Scheduler::configure(const Configuration& configuration) {
  configuration_ = configuration;
  reads_reports_ = report_reader_ != nullptr && configuration.kind > TestKind::kGoogleTest;
  has_missed_no_test_ = false;
  overlay().turn(!configuration.host_files);
  needs_fairness_ = false;
  minds_deadlines_ = configuration.follows_deadlines || configuration.passes_when_idle;
  is_clock_read_ = is_slept_in_loop_ = false;
  locks_of_loops_ = stacks_of_loops_ = {};
  names_blocks_ = configuration.names_blocks || configuration.counts_accesses;
  // Where races are not looked for, others may change what a loop reads without an operation.
  finds_waiting_ = !configuration.is_fair &&
                   (configuration.accesses == AccessOperations::kRacy || configuration.accesses == AccessOperations::kAll);
  test_ = configuration.test.empty() ? nullptr : find_marked_test(configuration.test);
  CHECK_MESSAGE(configuration.test.empty() || test_ != nullptr, "there is no such test");
  repeats_matter_ = configuration.accesses == AccessOperations::kAll || configuration.accesses == AccessOperations::kNamed ||
                    configuration.counts_accesses;
  std::ranges::sort(configuration_.tracked);
  for (const std::uint64_t word : configuration_.tracked) shadow_.track(word);
  ravel_watched_memory = {};
  if (configuration_.accesses != AccessOperations::kNamed) return;
  const std::vector<std::uint64_t>& words = configuration_.tracked;
  ravel_watched_memory = {.low = 1, .size = 0, .is_only_tracked = true};
  if (words.empty()) return;
  const std::uint64_t low = words.front() - (kAccessMax - 1);
  ravel_watched_memory = {.low = low, .size = words.back() + 7 - low, .is_only_tracked = true};
}

void Scheduler::begin_execution() {
  ++steps_;
  unjoined_ = quiet_ = 0;
  failed_.reset();
  if (reads_reports_) report_reader_->begin_execution();
  image_.restore();
  heap().restore();
  restore_mappings();
  restore_descriptors();
  overlay().begin_execution(configuration_.isolates);
  harmless_races.begin_execution();
  restore_process_state();
  for (Thread* const thread : numbered_) {
    thread->place.restore();
    by_actor_[static_cast<std::size_t>(thread->actor)] = nullptr;
    thread->state = ThreadState::kEnded;
    thread->number = ~0u;
  }
  order_.clear();
  numbered_.clear();
  fresh_.clear();
  objects_.begin_execution();
  // Above every clock of the last execution.
  ++clock_;
  shadow_.begin_execution(clock_);
  at_exit = at_exit_of_start_;
  restore_signals();
  ticks = 0;
  random_state = 0;
  outcome_ = Outcome::kRunning;
  exit_status_.reset();
  someone_stands_back_ = false;
  moved_last_ = nullptr;
  touches_.clear();
  watched_accesses_.clear();
  forget_atomic_uses();
  if (configuration_.counts_accesses) access_counts_.begin_execution();
  if (names_blocks_) block_names_.begin_execution();
  Thread& main = add_thread(0, ActorId{0});
  restore_keys(main);
  main.stack = main.place.fresh_stack(main_thread_main);
  run_until_waiting(main);
  run_fresh_threads();
  touches_.clear();
}

Thread& Scheduler::add_thread(std::uint32_t slot, ActorId actor) {
  if (slots_[slot] == nullptr) slots_[slot] = std::make_unique<Thread>();
  Thread& thread = *slots_[slot];
  if (!thread.place.exists()) {
    // The C library allocates for the new thread, which is none of the program's business.
    const bool was_in_program = std::exchange(in_program, false);
    thread.place.make_parked(slot);
    in_program = was_in_program;
  }
  thread.slot = slot;
  thread.number = static_cast<std::uint32_t>(numbered_.size());
  thread.actor = actor;
  thread.state = ThreadState::kNew;
  thread.gate = &kClosed;
  thread.transition = {.actor = actor, .alternative = 0, .kind = TransitionKind::kOperation};
  thread.until_end = &thread;
  thread.stack_low = thread.place.stack_low();
  thread.stack_size = thread.place.stack_high() - thread.place.stack_low();
  thread.pending = {};
  thread.alternative = 0;
  thread.deadline = thread.polls_until = kNever;
  thread.calls.clear();
  thread.poll_ticks = thread.clock_step = 0;
  thread.clock_looks = 0;
  thread.has_waited_for_time = false;
  thread.clock.clear();
  thread.start = nullptr;
  thread.start_c11 = nullptr;
  thread.argument = thread.result = nullptr;
  thread.is_detached = thread.is_joined = false;
  thread.has_moved = false;
  thread.ignored_races = 0;
  thread.children = 0;
  thread.spins = thread.spins_before = 0;
  thread.looks_in_a_row = thread.looks_before = 0;
  thread.look_number = thread.looks_next = 0;
  thread.overwritten = 0;
  thread.stands_back = false;
  thread.has_woken = false;
  thread.phase = 0;
  thread.volatile_reads = 0;
  thread.has_only_looked = thread.has_read_clock = false;
  thread.has_changed = false;
  thread.writes_noted = 0;
  thread.semaphore = nullptr;
  thread.loop.clear();
  if (current != nullptr) {
    thread.signal_mask = current->signal_mask;
  } else {
    sigemptyset(&thread.signal_mask);
  }
  sigemptyset(&thread.pending_signals);
  thread.signal_stack = {.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  thread.is_woken = false;
  thread.wake_result = 0;
  thread.at_end.clear();
  thread.specific.clear();
  numbered_.push_back(&thread);
  by_actor_[static_cast<std::size_t>(actor)] = &thread;
  const ActorName& name = names_[static_cast<std::size_t>(actor)];
  const auto place = std::ranges::find_if(order_, [&](const Thread* other) {
    return name < names_[static_cast<std::size_t>(other->actor)];
  });
  order_.insert(place, &thread);
  begin_epoch(thread);
  return thread;
}

void Scheduler::begin_epoch(Thread& thread) {
  thread.own_clock = ++clock_;
  thread.clock.set(thread.number, thread.own_clock);
  thread.epoch = epoch::make(thread.own_clock, thread.number);
  thread.fast_epoch = repeats_matter_ ? epoch::kNone : thread.epoch;
}

ActorId Scheduler::actor_of_child(ActorId parent, std::uint32_t ordinal) {
  const auto index = static_cast<std::size_t>(parent);
  CHECK(ordinal <= children_[index].size() + 1);
  if (ordinal > children_[index].size()) {
    const auto actor = static_cast<ActorId>(actors_.size());
    actors_.push_back({.parent = static_cast<std::uint32_t>(parent), .ordinal = ordinal});
    names_.push_back(names_[index].child(ordinal));
    children_.emplace_back();
    by_actor_.push_back(nullptr);
    children_[index].push_back(actor);
  }
  return children_[index][ordinal - 1];
}

std::uint32_t Scheduler::slot_of_child(const Thread& parent, std::uint32_t ordinal) {
  if (parent.slot == 0 && ordinal < kDirectSlots) return ordinal;
  constexpr std::uint32_t kOthers = kSlotsMax - kDirectSlots;
  std::uint32_t place = static_cast<std::uint32_t>(combine(parent.slot, ordinal) % kOthers);
  for (std::uint32_t tries = 0; tries < kOthers; ++tries, place = (place + 1) % kOthers) {
    const std::uint32_t slot = kDirectSlots + place;
    if (slots_[slot] == nullptr || slots_[slot]->number == ~0u) return slot;
  }
  refuse(fmt::format("the program makes more than {} threads in one execution", kOthers), 0);
}

Thread& Scheduler::create(void* (*start)(void*), int (*start_c11)(void*), void* argument, bool is_detached,
                          std::uint64_t pc) {
  Thread& parent = *current;
  const std::uint32_t ordinal = ++parent.children;
  const std::uint32_t slot = slot_of_child(parent, ordinal);
  Thread& thread = add_thread(slot, actor_of_child(parent.actor, ordinal));
  thread.start = start;
  thread.start_c11 = start_c11;
  thread.argument = argument;
  thread.created_at = pc;
  if (records_) thread.created_stack = full_stack_of(pc);
  thread.is_detached = is_detached;
  thread.clock.join(parent.clock);
  begin_epoch(thread);
  begin_epoch(parent);
  thread.stack = thread.place.fresh_stack(thread_main);
  fresh_.push_back(&thread);
  ++unjoined_;
  touch_thread(thread, Access::kCreate);
  if (records_) record_.subject = static_cast<std::uint32_t>(thread.actor);
  return thread;
}

void Scheduler::thread_main() {
  Thread& self = *current;
  void* result = nullptr;
  if (self.start_c11 != nullptr) {
    result = reinterpret_cast<void*>(static_cast<std::intptr_t>(self.start_c11(self.argument)));
  } else {
    result = self.start(self.argument);
  }
  scheduler().end_thread(result);
}

void Scheduler::main_thread_main() {
  const MainFunction& main = scheduler().main_;
  if (executions_run_constructors()) run_constructors(main.argc, main.argv, main.environment);
  if (scheduler().ends_before_main_) {
    scheduler().outcome_ = Outcome::kFinished;
    scheduler().leave();
  }
  if (const char* const why = scheduler().uncontrolled_) scheduler().refuse(why, 0);
  if (const MarkedTest* const test = scheduler().test_) {
    test->function();
    scheduler().end_process(0, 0);
  }
  // What the framework tells is looked at where the program was stopped, too.
  if (scheduler().reads_reports_) setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  scheduler().end_process(main.function(main.argc, main.argv, main.environment), 0);
}

void Scheduler::run_fresh_threads() {
  while (outcome_ == Outcome::kRunning && !fresh_.empty()) {
    Thread& fresh = *fresh_.front();
    fresh_.erase(fresh_.begin());
    run_until_waiting(fresh);
  }
}

void Scheduler::show(Thread& thread) {
  const bool recorded = std::exchange(records_, true);  // only then does a thread look whether it is shown
  shows_ = true;
  run_until_waiting(thread);
  thread.state = ThreadState::kWaiting;
  shows_ = false;
  records_ = recorded;
}

void Scheduler::record_granted() {
  Thread& self = *current;
  const Operation& operation = self.pending;
  while (shows_) {
    ravel_failing_point();
    leave();
  }
  if (operation.object != nullptr) operation.object->locked_stack = self.pending_stack;
  record_.kind = operation.kind;
  record_.address = operation.address;
  record_.other = operation.other;
  record_.size = operation.size;
  record_.stack = self.pending_stack;
  record_calls_ = self.calls;
}

void Scheduler::end_thread(void* result) {
  Thread& self = *current;
  while (!self.at_end.empty()) {
    const AtThreadEnd last = self.at_end.back();
    self.at_end.pop_back();
    last.function(last.argument);
  }
  run_key_destructors();
  visible({.kind = OperationKind::kEnd, .pc = self.created_at});
  touch_only(object_of(self), Access::kRelease);
  self.result = result;
  self.state = ThreadState::kEnded;
  self.gate = &kClosed;
  self.until_end = nullptr;
  self.pending = {};
  leave();
  __builtin_unreachable();
}

void Scheduler::end_process(int status, std::uint64_t pc) {
  Thread& self = *current;
  visible({.kind = OperationKind::kExit, .pc = pc});
  if (records_) record_.result = status;
  for (const Thread* const thread : order_) touch_only(object_of(*thread), Access::kWrite);
  for (std::vector<AtThreadEnd>* const list : {&self.at_end, &at_exit}) {
    while (!list->empty()) {
      const AtThreadEnd last = list->back();
      list->pop_back();
      last.function(last.argument);
    }
  }
  end_process_now(status, pc);
}

void Scheduler::end_process_now(int status, std::uint64_t pc) {
  if (records_) real().fflush(nullptr);
  if (status != 0) {
    exit_status_ = status;
    fail({.kind = "exit_status",
          .message = fmt::format("the program ends with exit status {}", status & 0xFF),
          .stack = stack_of(pc)});
  }
  if (reads_reports_ && !has_missed_no_test_) {
    if (const std::string missing = report_reader_->missing_test(); !missing.empty()) refuse(missing, pc);
    has_missed_no_test_ = true;
  }
  note_left_behind();
  outcome_ = Outcome::kFinished;
  leave();
  __builtin_unreachable();
}

std::optional<RawBug> Scheduler::told_failure(const RawBug& end) {
  if (!reads_reports_) return std::nullopt;
  std::optional<RawBug> failure = report_reader_->failure();
  if (!failure) return failure;
  if (failed_) {
    failure->actor = failed_->actor;
    failure->stack = failed_->stack;
  }
  if (end.kind != "exit_status") failure->details.push_back("then the test went on, and ended so: " + end.kind + ", " + end.message);
  return failure;
}

void Scheduler::look_for_failure(std::uint64_t pc) {
  if (report_reader_->failure()) failed_ = {.actor = static_cast<std::uint32_t>(current->actor), .stack = full_stack_of(pc)};
}

// A loop of this many would be one without end.
bool Scheduler::has_quiet_left() {
  constexpr std::uint32_t kQuietMax = 10'000;
  if (++quiet_ <= kQuietMax) return true;
  quiet_ = 0;
  return false;
}

void Scheduler::note_left_behind() {
  for (const Thread* const thread : order_) {
    if (thread == current || thread->state == ThreadState::kEnded) continue;
    const auto actor = static_cast<std::uint32_t>(thread->actor);
    if (std::ranges::count(left_behind_, actor, &LeftThread::actor) > 0) continue;
    left_behind_.push_back({.actor = actor, .created = records_ ? thread->created_stack : std::vector<std::uint64_t>()});
    ++findings_;
  }
}

void Scheduler::fail(RawBug bug) {
  if (current == nullptr) refuse_to_start(("before main(): " + bug.message).c_str());
  if (records_) real().fflush(nullptr);
  if (std::optional<RawBug> told = told_failure(bug)) bug = *std::exchange(told, std::nullopt);
  if (bug.actor == ~0u) bug.actor = static_cast<std::uint32_t>(current->actor);
  ravel_failing_point();
  // This stack is never left, so nothing may stay behind in its variables: moving would leave them the old strings.
  { const RawBug old = std::exchange(bug_, RawBug{}); }
  bug_ = std::move(bug);
  outcome_ = Outcome::kBug;
  leave();
  __builtin_unreachable();
}

void Scheduler::refuse(std::string what, std::uint64_t pc) {
  if (current == nullptr) refuse_to_start(("before main(): " + what).c_str());
  note_refusal(std::move(what), pc);
  leave();
  __builtin_unreachable();
}

void Scheduler::note_refusal(std::string what, std::uint64_t pc) {
  ravel_failing_point();
  { const std::string old = std::exchange(refusal_, std::string()); }
  refusal_ = std::move(what);
  bug_.stack = full_stack_of(pc);
  outcome_ = Outcome::kUnsupported;
}

void Scheduler::note_signal(RawBug bug) {
  if (std::optional<RawBug> told = told_failure(bug)) bug = std::move(*told);
  if (bug.actor == ~0u) bug.actor = static_cast<std::uint32_t>(current->actor);
  ravel_failing_point();
  bug_ = std::move(bug);
  outcome_ = Outcome::kBug;
}

std::optional<ActorId> Scheduler::find_actor(const ActorName& name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) return std::nullopt;
  return static_cast<ActorId>(found - names_.begin());
}

Thread* Scheduler::find_thread(std::uint64_t fs) {
  for (Thread* const thread : numbered_) {
    if (thread->place.fs() == fs) return thread;
  }
  return nullptr;
}

std::uint32_t Scheduler::ways_to_go_on(const Thread& thread) const {
  if (thread.state != ThreadState::kWaiting || waits_in_loop(thread)) return 0;
  const Operation& operation = thread.pending;
  const SyncObject* const object = operation.object;
  switch (operation.kind) {
    case OperationKind::kLock:
    case OperationKind::kSpinLock:
    case OperationKind::kReadLock:
    case OperationKind::kOnce:
      return object == nullptr || object->owner == nullptr;
    case OperationKind::kTimedLock:
    case OperationKind::kTimedReadLock:
    case OperationKind::kTimedWriteLock:
    case OperationKind::kSemaphoreTimedWait:
      return 1;
    case OperationKind::kWriteLock:
      return object == nullptr || (object->owner == nullptr && object->readers.empty());
    case OperationKind::kWake:
      return (thread.is_woken || operation.expires) && (operation.second == nullptr || operation.second->owner == nullptr);
    case OperationKind::kFutexWoken:
      return thread.is_woken || operation.expires;
    case OperationKind::kJoin:
      return operation.thread == nullptr || operation.thread->state == ThreadState::kEnded || operation.expires;
    case OperationKind::kBarrierLeave:
      return object->generation != operation.size;
    case OperationKind::kLibraryWait:
      return is_ready(static_cast<int>(operation.other), static_cast<short>(operation.size));
    case OperationKind::kPoll:
      return operation.expires || is_ready(*reinterpret_cast<const Polled*>(operation.other));
    case OperationKind::kSemaphoreWait:
      return object->count > 0;
    case OperationKind::kSignal:
      return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(object->waiters.size()));
    case OperationKind::kAtomicUpdate:
      return operation.expires ? 2 : 1;
    case OperationKind::kFutexWake:
      return operation.size == 1 ? std::max<std::uint32_t>(1, static_cast<std::uint32_t>(object->waiters.size())) : 1;
    default:
      return 1;
  }
}

std::uint32_t Scheduler::first_alternative(const Thread& thread) const {
  const Operation& operation = thread.pending;
  const SyncObject* const object = operation.object;
  switch (operation.kind) {
    case OperationKind::kTimedLock:
    case OperationKind::kTimedReadLock:
      return object != nullptr && object->owner != nullptr;
    case OperationKind::kTimedWriteLock:
      return object != nullptr && (object->owner != nullptr || !object->readers.empty());
    case OperationKind::kSemaphoreTimedWait:
      return object->count == 0;
    case OperationKind::kWake:
    case OperationKind::kFutexWoken:
      return !thread.is_woken;
    case OperationKind::kJoin:
      return operation.thread != nullptr && operation.thread->state != ThreadState::kEnded;
    case OperationKind::kPoll:
      return !is_ready(*reinterpret_cast<const Polled*>(operation.other));
    default:
      return 0;
  }
}

// --- deadlock ---

namespace {

// The place of a program counter, found by its callers if they are known: it may itself be in a header of the system.
std::string place_mark(std::uint64_t pc, const std::vector<std::uint64_t>& stack) {
  return stack.empty() ? fmt::format("$P{:x};", pc) : fmt::format("$P{:x};", fmt::join(stack, ","));
}

}  // namespace

void Scheduler::note_nothing_enabled() {
  // The main thread has ended by pthread_exit() and all others have, too.
  if (std::ranges::all_of(order_, [](const Thread* thread) { return thread->state == ThreadState::kEnded; })) {
    outcome_ = Outcome::kFinished;
    return;
  }
  RawBug bug{.kind = "deadlock", .message = "deadlock: no thread can go on"};
  for (const Thread* const thread : order_) {
    if (thread->state == ThreadState::kEnded) continue;
    const Operation& operation = thread->pending;
    const auto who = fmt::format("$T{};", static_cast<std::uint32_t>(thread->actor));
    const auto where = " at " + place_mark(operation.pc, records_ ? thread->pending_stack : std::vector<std::uint64_t>());
    if (thread->loop.waits) {
      std::vector<std::string> what;
      for (std::size_t i = thread->loop.first_read; i < thread->loop.reads.size(); ++i) {
        what.push_back(fmt::format("$A{:x};", thread->loop.reads[i].address));
        if (std::ranges::count(what, what.back()) > 1) what.pop_back();
      }
      bug.details.push_back(fmt::format("{} waits in a loop for a change of {}", who, fmt::join(what, ", ")) + where);
      continue;
    }
    std::string line;
    const auto held_by = [](const SyncObject* object) {
      if (object == nullptr || object->owner == nullptr) return std::string();
      return fmt::format(", held by $T{}; since {},", static_cast<std::uint32_t>(object->owner->actor),
                         place_mark(object->locked_at, object->locked_stack));
    };
    switch (operation.kind) {
      case OperationKind::kJoin:
        line = fmt::format("{} waits for the end of $T{};", who, static_cast<std::uint32_t>(operation.thread->actor));
        break;
      case OperationKind::kWake:
        line = thread->is_woken
                   ? fmt::format("{} waits to lock $A{:x}; again{}", who, operation.other, held_by(operation.second))
                   : fmt::format("{} waits for a signal of condition variable $A{:x};", who, operation.address);
        break;
      case OperationKind::kSemaphoreWait:
      case OperationKind::kSemaphoreTimedWait:
        line = fmt::format("{} waits for semaphore $A{:x};", who, operation.address);
        break;
      case OperationKind::kBarrierLeave:
        line = fmt::format("{} waits at barrier $A{:x};", who, operation.address);
        break;
      case OperationKind::kLibraryWait:
        line = fmt::format("{} waits to {} $A{:x};", who, operation.size == POLLIN ? "read from" : "write to", operation.address);
        break;
      case OperationKind::kPoll:
        line = fmt::format("{} waits until one of its open files is ready", who);
        break;
      case OperationKind::kFutexWoken:
        line = fmt::format("{} waits for a change of $A{:x};", who, operation.address);
        break;
      default:
        line = fmt::format("{} waits to lock $A{:x};{}", who, operation.address, held_by(operation.object));
    }
    bug.details.push_back(line + where);
  }
  if (std::optional<RawBug> told = told_failure(bug)) bug = std::move(*told);
  bug_ = std::move(bug);
  outcome_ = Outcome::kBug;
}

int Scheduler::make_child() {
  image_.let_library_write();
  return real().fork();
}

}  // namespace ravel::threads
