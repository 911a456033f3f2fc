#include "threads/runtime/scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "threads/runtime/arguments.h"
#include "threads/runtime/check_failed.h"
#include "threads/runtime/clean_entries.h"
#include "threads/runtime/constructors.h"
#include "threads/runtime/deadlock.h"
#include "threads/runtime/descriptors.h"
#include "threads/runtime/exit_functions.h"
#include "threads/runtime/failing_point.h"
#include "threads/runtime/harmless_races.h"
#include "threads/runtime/heap.h"
#include "threads/runtime/machine_names.h"
#include "threads/runtime/mappings.h"
#include "threads/runtime/open_files.h"
#include "threads/runtime/overlay.h"
#include "threads/runtime/process_state.h"
#include "threads/runtime/real.h"
#include "threads/runtime/test_hooks.h"
#include "threads/runtime/uncontrolled_libraries.h"
#include "threads/runtime/weak_orders.h"

namespace ravel::threads {

// In once_hooks.cc.
void note_keys_of_start();
void restore_keys(Thread& main);
void run_key_destructors();
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

void Scheduler::take_over(const MainFunction& main) {
  main_ = main;
  races_.shadow().map();
  threads_.make_main();
  at_exit_of_start_ = without_library_objects(at_exit);
  note_keys_of_start();
  note_signals_of_start();
  note_descriptors_of_start();
  note_process_state();
  heap().note_start();
  switch_.take_over();
  // The unwinder prepares itself at its first use, by operations that must not belong to an execution.
  full_stack_of(0);
  has_taken_over_ = true;
  const auto [low, high] = move_arguments(main_);
  image_.add_watched(low, high);
  for (const auto& [mapped_low, mapped_high] : mappings_of_start())
    image_.add_watched(mapped_low, mapped_high);
  for (const auto& [start_low, start_high] : heap().start()) image_.add_watched(start_low, start_high);
  image_.take();
  uncontrolled_ = find_uncontrolled_library();
}

void Scheduler::configure(const Configuration& configuration) {
  configuration_ = configuration;
  std::ranges::sort(configuration_.tracked);
  overlay().turn(!configuration.host_files);
  if (configuration.is_beside_others) machine_names().forbid();
  test_ = configuration.test.empty() ? nullptr : find_marked_test(configuration.test);
  CHECK_MESSAGE(configuration.test.empty() || test_ != nullptr, "there is no such test");
  ending_.configure(configuration_);
  loops_.configure(configuration_);
  deadlines_.configure();
  fairness_.configure();
  races_.configure(configuration_);
  objects_.set_lasting(configuration_.by_states);
  heap().set_wiping(configuration_.by_states);
  set_clean_entries(configuration_.by_states);
  step_.make_room();
  memory_.configure();
  configure_watched_memory();
}

void Scheduler::configure_watched_memory() {
  ravel_watched_memory = {};
  if (configuration_.accesses != AccessOperations::kNamed) return;
  const std::vector<std::uint64_t>& words = configuration_.tracked;
  ravel_watched_memory = {.low = 1, .size = 0, .is_only_tracked = true};
  if (words.empty()) return;
  const std::uint64_t low = words.front() - (kAccessMax - 1);
  ravel_watched_memory = {.low = low, .size = words.back() + 7 - low, .is_only_tracked = true};
}

void Scheduler::begin_execution() {
  step_.begin();
  told_.clear();
  unjoined_ = quiet_ = 0;
  ending_.begin_execution();
  image_.restore();
  heap().restore();
  restore_mappings();
  restore_descriptors();
  overlay().begin_execution(configuration_.isolates);
  harmless_races.begin_execution();
  restore_process_state();
  threads_.begin_execution();
  fresh_.clear();
  objects_.begin_execution();
  races_.begin_execution();
  at_exit = at_exit_of_start_;
  restore_signals();
  random_state = 0;
  deadlines_.begin_execution();
  fairness_.begin_execution();
  forget_atomic_uses();
  memory_.begin_execution();
  step_.forget_touches();
  Thread& main = add_thread(0, ActorNames::kMain);
  restore_keys(main);
  main.stack = main.place.fresh_stack(main_thread_main);
  switch_.run(main);
  run_fresh_threads();
  step_.forget_touches();
}

Thread& Scheduler::add_thread(std::uint32_t slot, ActorId actor) {
  Thread& thread = threads_.add(slot, actor);
  begin_epoch(thread);
  return thread;
}

Thread& Scheduler::create(void* (*start)(void*), int (*start_c11)(void*), void* argument, bool is_detached,
                          std::uint64_t pc) {
  Thread& parent = *current;
  const std::uint32_t ordinal = ++parent.children;
  const std::optional<std::uint32_t> slot = threads_.slot_of_child(parent, ordinal);
  if (!slot)
    refuse(fmt::format("the program makes more than {} threads in one execution", ThreadTable::kChildrenMax),
           0);
  Thread& thread = add_thread(*slot, actors_.child_of(parent.actor, ordinal));
  thread.start = start;
  thread.start_c11 = start_c11;
  thread.argument = argument;
  thread.created_at = pc;
  if (recording_.is_on()) thread.created_stack = full_stack_of(pc);
  thread.is_detached = is_detached;
  thread.clock.join(parent.clock);
  begin_epoch(thread);
  begin_epoch(parent);
  thread.stack = thread.place.fresh_stack(thread_main);
  fresh_.push_back(&thread);
  ++unjoined_;
  touch(object_of(thread), Access::kCreate);
  if (recording_.is_on()) recording_.record().subject = static_cast<std::uint32_t>(thread.actor);
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
    scheduler().ending_.finish();
    scheduler().switch_.leave();
  }
  if (const char* const why = scheduler().uncontrolled_) scheduler().refuse(why, 0);
  if (const MarkedTest* const test = scheduler().test_) {
    test->function();
    scheduler().end_process(0, 0);
  }
  // What the framework tells is looked at where the program was stopped, too.
  if (scheduler().ending_.reads_reports()) setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  scheduler().end_process(main.function(main.argc, main.argv, main.environment), 0);
}

// What is left of earlier calls below the stack would come to be in the gaps of later ones, and tell states
// apart that are the same.
void Scheduler::begin_step_by_states(Thread& thread) {
  constexpr std::uint64_t kCleared = 8192;
  thread.segment.clear();
  const auto top = reinterpret_cast<std::uint64_t>(thread.stack);
  if (top - thread.stack_low >= thread.stack_size) return;  // on a stack that the program has made
  const std::uint64_t low = top - std::min(kCleared, top - thread.stack_low);
  std::memset(reinterpret_cast<void*>(low), 0, top - low);
}

void Scheduler::run_fresh_threads() {
  while (ending_.outcome() == Outcome::kRunning && !fresh_.empty()) {
    Thread& fresh = *fresh_.front();
    fresh_.erase(fresh_.begin());
    switch_.run(fresh);
  }
}

std::uint32_t Scheduler::visible_by_deadline(const Operation& operation, const TimeLimit& limit) {
  const Deadlines::Wait wait = deadlines_.begin_wait(operation, limit);
  const std::uint32_t alternative = visible(operation);
  deadlines_.end_wait(wait, operation, alternative);
  return alternative;
}

void Scheduler::pass_time() {
  deadlines_.pass();
  threads_.note_move(nullptr);
  fairness_.note_passed_time();
}

void Scheduler::pass_time_early(std::uint32_t number) {
  deadlines_.pass_early(number);
  threads_.note_move(nullptr);
  fairness_.note_passed_time();
}

void Scheduler::show(Thread& thread) {
  const bool recorded = recording_.is_on();
  recording_.turn(true);  // only then does a thread look whether it is shown
  shows_ = true;
  switch_.run(thread);
  thread.state = ThreadState::kWaiting;
  shows_ = false;
  recording_.turn(recorded);
}

void Scheduler::record_granted() {
  while (shows_) {
    ravel_failing_point();
    switch_.leave();
  }
  recording_.note_granted();
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
  leave_for_ever();
}

void Scheduler::end_process(int status, std::uint64_t pc) {
  Thread& self = *current;
  visible({.kind = OperationKind::kExit, .pc = pc});
  if (recording_.is_on()) recording_.record().result = status;
  for (const Thread* const thread : threads_.by_name()) touch_only(object_of(*thread), Access::kWrite);
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
  if (recording_.is_on()) real().fflush(nullptr);
  if (status != 0) {
    ending_.set_exit_status(status);
    fail({.kind = "exit_status",
          .message = fmt::format("the program ends with exit status {}", status & 0xFF),
          .stack = recording_.stack_of(pc)});
  }
  if (const std::string missing = ending_.missing_test(); !missing.empty()) refuse(missing, pc);
  note_left_behind();
  ending_.finish();
  leave_for_ever();
}

// A loop of this many would be one without end.
bool Scheduler::has_quiet_left() {
  constexpr std::uint32_t kQuietMax = 10'000;
  if (++quiet_ <= kQuietMax) return true;
  quiet_ = 0;
  return false;
}

void Scheduler::note_left_behind() {
  for (const Thread* const thread : threads_.by_name()) {
    if (thread == current || thread->state == ThreadState::kEnded) continue;
    discoveries_.add_left_behind(
        {.actor = static_cast<std::uint32_t>(thread->actor),
         .created = recording_.is_on() ? thread->created_stack : std::vector<std::uint64_t>()});
  }
}

void Scheduler::fail(RawBug bug) {
  if (current == nullptr) refuse_to_start(("before main(): " + bug.message).c_str());
  if (recording_.is_on()) real().fflush(nullptr);
  ravel_failing_point();
  ending_.end_with(bug, static_cast<std::uint32_t>(current->actor));
  leave_for_ever();
}

void Scheduler::refuse(std::string what, std::uint64_t pc) {
  if (current == nullptr) refuse_to_start(("before main(): " + what).c_str());
  ending_.refuse(what, pc);
  leave_for_ever();
}

// The running thread does nothing more in this execution.
void Scheduler::leave_for_ever() {
  switch_.leave();
  __builtin_unreachable();
}

void Scheduler::note_nothing_enabled() {
  const std::vector<Thread*>& threads = threads_.by_name();
  // The main thread has ended by pthread_exit() and all others have, too.
  if (std::ranges::all_of(threads, [](const Thread* thread) { return thread->state == ThreadState::kEnded; }))
    return ending_.finish();
  RawBug bug = deadlock_of(threads, recording_.is_on());
  ending_.end_with(bug);
}

int Scheduler::make_child() {
  image_.let_library_write();
  return real().fork();
}

}  // namespace ravel::threads
