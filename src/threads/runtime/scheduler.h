// Runs the threads of one execution, one at a time, and stops each before its next operation.
//
// Code of the program calls visible() before an operation: the thread waits there, and the caller of run()
// decides who goes on. When visible() returns, the operation is granted: it is enabled, and its effect
// follows at once.
//
// Invariants:
// 1. Between run() calls every thread is before an operation (kWaiting) or has ended.
// 2. `in_program` is true exactly while code of the program runs, of which the C library is a part.
//
// What it knows and decides is divided among its parts: who there is (actor_names.h, thread_table.h), who can
// go on (readiness.h, deadlines.h, loop_waits.h, fairness.h), what a step touches and is told as
// (current_step.h, step_recording.h), what memory accesses are (memory_accesses.h, race_detector.h), what
// comes of it (ending.h, discoveries.h).

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/system.h"
#include "engine/transition.h"
#include "threads/protocol/messages.h"
#include "threads/runtime/actor_names.h"
#include "threads/runtime/current_step.h"
#include "threads/runtime/deadlines.h"
#include "threads/runtime/discoveries.h"
#include "threads/runtime/ending.h"
#include "threads/runtime/fairness.h"
#include "threads/runtime/loop_waits.h"
#include "threads/runtime/memory_accesses.h"
#include "threads/runtime/memory_image.h"
#include "threads/runtime/race_detector.h"
#include "threads/runtime/readiness.h"
#include "threads/runtime/step_recording.h"
#include "threads/runtime/sync_object.h"
#include "threads/runtime/thread.h"
#include "threads/runtime/thread_switch.h"
#include "threads/runtime/thread_table.h"
#include "threads/runtime/virtual_time.h"
#include "threads/runtime/watched_memory.h"

namespace ravel::threads {

struct MainFunction {
  int (*function)(int, char**, char**) = nullptr;
  int argc = 0;
  char** argv = nullptr;
  char** environment = nullptr;
};

struct MarkedTest;

class Scheduler {
 public:
  // REQUIRES: called once, before main(), in the main thread.
  void take_over(const MainFunction& main);
  bool has_taken_over() const { return has_taken_over_; }

  // ---- its parts

  const Configuration& configuration() const { return configuration_; }
  ActorNames& actors() { return actors_; }
  const ActorNames& actors() const { return actors_; }
  const ThreadTable& threads() const { return threads_; }
  const CurrentStep& step() const { return step_; }
  StepRecording& recording() { return recording_; }
  Ending& ending() { return ending_; }
  Discoveries& discoveries() { return discoveries_; }
  LoopWaits& loops() { return loops_; }
  Deadlines& deadlines() { return deadlines_; }
  Fairness& fairness() { return fairness_; }
  RaceDetector& races() { return races_; }
  MemoryAccesses& memory() { return memory_; }
  MemoryImage& image() { return image_; }
  const SyncObjects& objects() const { return objects_; }

  // ---- driving, from outside of the program

  // REQUIRES: there is a test of that name.
  void configure(const Configuration& configuration);
  // For executions that run constructors (constructors.h) and nothing else.
  void set_ends_before_main(bool ends) { ends_before_main_ = ends; }
  void begin_execution();
  // Runs `thread` through its pending operation, up to its next one. REQUIRES: it can go on with this
  // alternative.
  [[gnu::always_inline]] void run(Thread& thread, std::uint32_t alternative) {
    step_.begin();
    recording_.begin_step();
    thread.alternative = alternative;
    if (thread.loop.waits) [[unlikely]]
      loops_.end_waiting(thread);
    if (!std::exchange(thread.has_moved, true))
      touch_only(object_of(thread), Access::kRead);  // after its creation
    threads_.note_move(&thread);
    Fairness::begin_step(thread);
    if (configuration_.by_states) [[unlikely]]
      begin_step_by_states(thread);
    switch_.run(thread);
    if (!fresh_.empty()) [[unlikely]]
      run_fresh_threads();
    fairness_.end_step(thread);
  }
  // Time passes, when nobody can go on or to one of Deadlines::dates_to_come(). REQUIRES: there is a
  // deadline.
  void pass_time();
  void pass_time_early(std::uint32_t number);
  // Takes the thread to ravel_failing_point() and back to where it waits. REQUIRES: it waits.
  void show(Thread& thread);
  // No thread can go on: that is the end, or a deadlock.
  void note_nothing_enabled();
  // Without fairness: a thread has waited for others in a loop all the same, which nothing but fairness ends.
  bool needs_fairness() const {
    return !configuration_.by_states && (fairness_.is_needed() || loops_.need_fairness());
  }
  // The number of the child; 0 in the child. Whatever the C library's fork() writes, it writes while all
  // signals are blocked, a lock of its own among it since glibc 2.41, so that a fault there would end the
  // process.
  int make_child();
  // What a signal handler continues with to give up the running thread.
  void* outside() const { return switch_.outside(); }

  // ---- for the program's calls, in the running thread

  // Waits until the operation is granted; which alternative was chosen.
  [[gnu::always_inline]] std::uint32_t visible(const Operation& operation) {
    Thread& self = *current;
    self.pending.set(operation);
    self.volatile_reads = 0;
    self.gate = gate_of(operation);
    self.state = ThreadState::kWaiting;
    if (loops_.is_on()) [[unlikely]]
      loops_.come_to_operation(self);
    if (recording_.is_on()) [[unlikely]]
      self.pending_stack = full_stack_of(self.pending.pc);
    switch_.leave();
    if (recording_.is_on()) [[unlikely]]
      record_granted();
    return current->alternative;
  }
  // As visible(), if the operation may give up waiting, or ends after some time.
  [[gnu::always_inline]] std::uint32_t visible_until(const Operation& operation, const TimeLimit& limit) {
    if (deadlines_.count()) [[unlikely]]
      return visible_by_deadline(operation, limit);
    return visible(operation);
  }
  void touch(std::uint64_t object, Access access) { step_.touch(object, access); }
  void touch_only(std::uint64_t object, Access access) { step_.touch_only(object, access); }

  Thread& create(void* (*start)(void*), int (*start_c11)(void*), void* argument, bool is_detached,
                 std::uint64_t pc);
  void note_joined() { --unjoined_; }
  // Whether no other thread can be before, between or after what this one does now, so that it need not be an
  // operation: there is none that was made and not joined. A thread that goes round and round like that does
  // operations from time to time.
  [[gnu::always_inline]] bool is_alone_and_quiet() {
    return configuration_.alone_is_quiet && unjoined_ == 0 && has_quiet_left();
  }
  [[noreturn]] void end_thread(void* result);
  // The process would end here.
  [[noreturn]] void end_process(int status, std::uint64_t pc);
  // The process would end here, without the functions that are registered for the exit.
  [[noreturn]] void end_process_now(int status, std::uint64_t pc);
  [[noreturn]] void fail(RawBug bug);
  [[noreturn]] void refuse(std::string what, std::uint64_t pc);

  SyncObject& object(const void* address, SyncKind kind) {
    return objects_.at(reinterpret_cast<std::uint64_t>(address), kind);
  }
  // What the object knows, the thread knows from now on.
  void acquire(const VectorClock& clock) { current->clock.join(clock); }
  // What the thread knows, the object tells from now on. begin_epoch() follows, once for all that is released
  // together.
  void release(VectorClock& clock) { clock.join(current->clock); }
  void begin_epoch(Thread& thread) { races_.begin_epoch(thread); }

  // The granted operation has found this there, and has no other effect (waiting_loop.h).
  void note_look_at_value(std::uint64_t address, std::uint32_t size, std::uint64_t pc) {
    fairness_.note_look(address, pc);
    if (loops_.is_on()) loops_.note_value(address, size);
  }
  // The operation has tried to have this object, in vain.
  void note_failure(const SyncObject& object) {
    fairness_.note_look(object.address, current->pending.pc);
    if (loops_.is_on()) loops_.note_failure(object);
  }

  // The running thread tells the explorer this, if one listens.
  void tell_explorer(const char* text) {
    if (configuration_.tells_explorer)
      told_.push_back({.actor = static_cast<std::uint32_t>(current->actor), .text = text});
  }
  // What was told since this was last called, in this execution.
  std::vector<ToldExplorer> take_told() { return std::exchange(told_, {}); }

  // What has happened without being an operation, where that decides what becomes one.
  std::uint32_t quiet() const { return configuration_.alone_is_quiet ? quiet_ : 0; }

  std::vector<AtThreadEnd> at_exit;  // of this execution
  std::uint64_t random_state = 0;

 private:
  static void thread_main();
  static void main_thread_main();
  std::uint32_t visible_by_deadline(const Operation& operation, const TimeLimit& limit);
  void configure_watched_memory();
  Thread& add_thread(std::uint32_t slot, ActorId actor);
  void run_fresh_threads();
  static void begin_step_by_states(Thread& thread);
  void record_granted();
  void note_left_behind();
  bool has_quiet_left();
  [[noreturn]] void leave_for_ever();

  bool has_taken_over_ = false;
  MainFunction main_;
  Configuration configuration_;
  const MarkedTest* test_ = nullptr;  // instead of main()
  bool ends_before_main_ = false;
  const char* uncontrolled_ = nullptr;  // why no execution can begin
  std::vector<AtThreadEnd> at_exit_of_start_;

  MemoryImage image_;
  SyncObjects objects_;
  ThreadSwitch switch_;
  ActorNames actors_;
  ThreadTable threads_{actors_};
  std::vector<ToldExplorer> told_;
  std::vector<Thread*> fresh_;  // made, and not yet run to their first operation
  std::uint32_t unjoined_ = 0;  // threads that were made, and whose end nobody has waited for
  std::uint32_t quiet_ = 0;     // what was done without being an operation, in a row
  bool shows_ = false;          // the thread that is run does not go on

  CurrentStep step_;
  StepRecording recording_{threads_};
  Ending ending_;
  Discoveries discoveries_;
  LoopWaits loops_{step_, discoveries_};
  Deadlines deadlines_{configuration_, threads_, loops_, step_, recording_, discoveries_};
  Fairness fairness_{configuration_, threads_, step_, deadlines_};
  RaceDetector races_{*this};
  MemoryAccesses memory_{*this, races_};
};

extern Scheduler* the_scheduler;
Scheduler& make_scheduler();
// Made at its first use, which may be before any constructor has run.
inline Scheduler& scheduler() { return the_scheduler != nullptr ? *the_scheduler : make_scheduler(); }

}  // namespace ravel::threads
