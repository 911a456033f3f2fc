// Runs the threads of one execution, one at a time, and stops each before its next operation.
//
// Code of the program calls visible() before an operation: the thread waits there, and the caller of run() decides who
// goes on. When visible() returns, the operation is granted: it is enabled, and its effect follows at once.
//
// Invariants:
// 1. Between run() calls every thread is before an operation (kWaiting) or has ended.
// 2. `in_program` is true exactly while code of the program runs, of which the C library is a part.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/system.h"
#include "engine/transition.h"
#include "threads/protocol/messages.h"
#include "threads/runtime/access_counts.h"
#include "threads/runtime/block_names.h"
#include "threads/runtime/heap.h"
#include "threads/runtime/layout.h"
#include "threads/runtime/library_use.h"
#include "threads/runtime/memory_image.h"
#include "threads/runtime/shadow.h"
#include "threads/runtime/sync_object.h"
#include "threads/runtime/thread.h"
#include "threads/runtime/virtual_time.h"

namespace ravel::threads {

// Hot state, read by every instrumented access: apart from the class, so that it costs one load each.
extern bool in_program;
extern Thread* current;  // null before main() and between steps

// An access that does not begin in it is of no interest, nor one that does if the word is not tracked and only those are: all of
// memory, or from where the widest access begins that reaches the first word that was named, to the end of the last one.
// Code that was compiled with the plugin (compiler/insert_checks.cc) reads the first two members when a function begins: they
// change only between executions.
struct WatchedMemory {
  std::uint64_t low = 0, size = ~std::uint64_t{0};
  bool is_only_tracked = false;
};
extern "C" [[gnu::visibility("protected")]] WatchedMemory ravel_watched_memory;

// Bytes of what the compiler takes for one access; others are ranges.
inline constexpr std::uint64_t kAccessMax = 16;

struct MainFunction {
  int (*function)(int, char**, char**) = nullptr;
  int argc = 0;
  char** argv = nullptr;
  char** environment = nullptr;
};

struct MarkedTest;
class ReportReader;

class Scheduler {
 public:
  Scheduler();

  // REQUIRES: called once, before main(), in the main thread.
  void take_over(const MainFunction& main);
  bool has_taken_over() const { return has_taken_over_; }

  // --- driving, from outside of the program ---

  // REQUIRES: there is a test of that name.
  void configure(const Configuration& configuration);
  const Configuration& configuration() const { return configuration_; }
  void begin_execution();
  // Runs `thread` through its pending operation, up to its next one. REQUIRES: can_run(thread).
  [[gnu::always_inline]] void run(Thread& thread, std::uint32_t alternative) {
    ++steps_;
    touches_.clear();
    if (records_) [[unlikely]]
      record_ = {};
    thread.alternative = alternative;
    if (thread.loop.waits) [[unlikely]]
      end_waiting(thread);
    if (!std::exchange(thread.has_moved, true)) touch_only(object_of(thread), Access::kRead);  // behind its creation
    moved_last_ = &thread;
    // It may have been let go because all stand back; if it changes something, the others have what they wait for.
    thread.stands_back = false;
    thread.spins_before = thread.spins;
    thread.spins = 0;
    thread.looks_before = thread.looks_in_a_row;
    thread.looks_in_a_row = 0;
    run_until_waiting(thread);
    if (!fresh_.empty()) [[unlikely]]
      run_fresh_threads();
    // Whoever stood back for others to move may go on, unless what has moved only looks itself.
    if (someone_stands_back_ && thread.spins == 0 && !thread.stands_back) [[unlikely]]
      end_standing_back();
  }
  Thread* thread_of(ActorId actor) const {
    const auto index = static_cast<std::size_t>(actor);
    return index < by_actor_.size() ? by_actor_[index] : nullptr;
  }
  const std::vector<Thread*>& threads() const { return order_; }  // by logical name
  // How many ways to go on there are: 0, or alternatives from first_alternative().
  std::uint32_t alternatives(const Thread& thread) const {
    const std::uint32_t count = ways_to_go_on(thread);
    if (!minds_deadlines_) [[likely]]
      return count;
    return count > 0 && goes_on_by_time(thread) && !is_due(thread) ? 0 : count;
  }
  std::uint32_t first_alternative(const Thread& thread) const;

  // Since the process began: with beginnings of executions.
  std::uint64_t steps() const { return steps_; }

  Outcome outcome() const { return outcome_; }
  const RawBug& bug() const { return bug_; }
  // If the bug is that the program ends with it.
  std::optional<int> exit_status() const { return exit_status_; }
  const std::string& refusal() const { return refusal_; }
  const std::vector<Touch>& touches() const { return touches_; }
  void set_recording(bool records) { records_ = records; }
  // Asked if the configuration's kind of test is one of a framework whose output tells failures.
  void set_report_reader(ReportReader* reader) { report_reader_ = reader; }
  // For executions that run constructors (runtime/constructors.h) and nothing else.
  void set_ends_before_main(bool ends) { ends_before_main_ = ends; }
  // Of the last step. REQUIRES: it was recorded.
  OperationRecord& record() { return record_; }
  // Takes the thread to ravel_failing_point() and back to where it waits. REQUIRES: it waits.
  void show(Thread& thread);
  // No thread can go on: that is the end, or a deadlock.
  void note_nothing_enabled();
  ActorName actor_name(ActorId actor) const { return names_[static_cast<std::size_t>(actor)]; }
  std::optional<ActorId> find_actor(const ActorName& name) const;

  // Words for which a race was seen since this was last asked; they are not tracked yet.
  std::vector<std::uint64_t> take_new_racy_words();
  bool has_new_racy_words() const { return !racy_.empty(); }
  // With how they came about added by who knows the schedule.
  std::vector<RaceReport>& races() { return races_; }
  std::vector<LeftThread>& left_behind() { return left_behind_; }
  // How many of both there are, which is asked after every step.
  std::uint32_t findings() const { return findings_; }
  const std::vector<NewActor>& actors() const { return actors_; }

  // A signal that the program did not handle ends the execution; the handler goes on outside.
  void note_signal(RawBug bug);
  void note_refusal(std::string what, std::uint64_t pc);
  bool handle_fault(std::uint64_t address) { return image_.handle_fault(address); }
  // Its number; 0 in the child. Whatever the C library's fork() writes, it writes while all signals are blocked, a lock of its own among it
  // since glibc 2.41, so that a fault there would end the process.
  int make_child();
  // What a signal handler continues with to give up the running thread.
  void* outside() const { return outside_; }

  // --- for the program's calls, in the running thread ---

  // Waits until the operation is granted; which alternative was chosen.
  [[gnu::always_inline]] std::uint32_t visible(const Operation& operation) {
    Thread& self = *current;
    self.pending.set(operation);
    self.volatile_reads = 0;
    self.gate = gate_of(operation);
    self.state = ThreadState::kWaiting;
    if (finds_waiting_) [[unlikely]]
      come_to_operation(self);
    if (records_) [[unlikely]]
      self.pending_stack = full_stack_of(self.pending.pc);
    leave();
    if (records_) [[unlikely]]
      record_granted();
    return current->alternative;
  }
  // The same if it may give up waiting, or ends after some time.
  [[gnu::always_inline]] std::uint32_t visible_until(const Operation& operation, const TimeLimit& limit) {
    if (minds_deadlines_) [[unlikely]]
      return visible_by_deadline(operation, limit);
    return visible(operation);
  }
  void touch(std::uint64_t object, Access access) { touches_.push_back({.object = object, .access = access}); }
  // The same for an operation that does nothing else, and never waits but to acquire, whatever it finds.
  void touch_only(std::uint64_t object, Access access) {
    touches_.push_back({.object = object, .access = access, .decides = false});
  }
  void touch_thread(const Thread& thread, Access access) { touch(object_of(thread), access); }
  static std::uint64_t object_of(const Thread& thread) { return kThreadObjects + static_cast<std::uint64_t>(thread.actor); }

  Thread& create(void* (*start)(void*), int (*start_c11)(void*), void* argument, bool is_detached, std::uint64_t pc);
  [[noreturn]] void end_thread(void* result);
  // The process would end here.
  [[noreturn]] void end_process(int status, std::uint64_t pc);
  // The same without the functions that are registered for the exit.
  [[noreturn]] void end_process_now(int status, std::uint64_t pc);
  [[noreturn]] void fail(RawBug bug);
  [[noreturn]] void refuse(std::string what, std::uint64_t pc);
  Thread* find_thread(std::uint64_t fs);

  SyncObject& object(const void* address, SyncKind kind) {
    return objects_.at(reinterpret_cast<std::uint64_t>(address), kind);
  }
  // What the object knows, the thread knows from now on.
  void acquire(const VectorClock& clock) { current->clock.join(clock); }
  // What the thread knows, the object tells from now on. begin_epoch() follows, once for all that is released together.
  void release(VectorClock& clock) { clock.join(current->clock); }
  void begin_epoch(Thread& thread);

  // A plain or atomic access that is not covered by the fast path. `is_operation`: also without being tracked.
  void note_access(std::uint64_t address, std::uint32_t size, AccessKind kind, std::uint64_t pc);
  // Behind an atomic access that was noted (runtime/weak_orders.h): it may have met others there that nothing has ordered with it.
  [[gnu::always_inline]] void note_meetings(std::uint64_t word) {
    if (shadow_.has_meetings()) [[unlikely]]
      look_at_meetings(word);
  }
  // The operations whose weaker order could make a difference.
  const std::vector<WeakOrder>& weak_orders() const { return weak_orders_; }
  const std::vector<TimedWait>& timed_waits() const { return timed_waits_; }
  // Fails if the memory was freed. REQUIRES: in the running thread.
  [[gnu::always_inline]] void check_access(std::uint64_t address, std::uint32_t size, AccessKind kind, std::uint64_t pc) {
    if (is_left_stack(address)) [[unlikely]]
      check_memory(address, writes(kind) ? "writes to" : "reads", "memory", pc);
    for (std::uint64_t word = address & ~std::uint64_t{7}; word < address + size; word += 8) check_freed(shadow_of(word), word, kind, pc);
  }
  void slow_access(std::uint64_t address, std::uint32_t size, AccessKind kind, std::uint64_t pc);
  // Whether the memory was freed, or is on the stack of another thread that has ended, or below what it has of it now: of functions
  // that have returned (runtime/object_life.h).
  [[gnu::always_inline]] bool may_be_gone(std::uint64_t address) const {
    return shadow_.is_freed(shadow_of(address)) || is_left_stack(address);
  }
  // Fails if so. `verb` and `what`: "locks", "mutex".
  void check_memory(std::uint64_t address, const char* verb, const char* what, std::uint64_t pc);
  // The call that follows does this to what threads share inside the C library (runtime/library_use.h), all of it at once.
  void use_library(std::span<const LibraryUse> uses, std::uint64_t pc);
  // Those who have used it without being ordered with that race with it.
  void note_free(std::uint64_t address, std::uint64_t size, std::uint64_t pc);

  // The granted operation has changed nothing: it has only looked, or failed, or written what was there.
  void note_look(std::uint64_t address, std::uint64_t pc);
  // It has found this there, and has no other effect (runtime/waiting_loop.h).
  void note_look_at_value(std::uint64_t address, std::uint32_t size, std::uint64_t pc) {
    note_look(address, pc);
    if (finds_waiting_) note_value(address, size);
  }
  // It is about to write: a look as well, if it overwrites what it overwrote there the last time.
  void note_writing(std::uint64_t address, std::uint32_t size, std::uint64_t pc);
  // It has had no effect, and has not looked either.
  void note_nothing();
  // It has taken this, or is about to give it back; with what was changed meanwhile others may have what they wait for.
  void note_taking(const SyncObject& object);
  void note_giving_back(const SyncObject& object);
  // It has tried to have this, in vain.
  void note_failure(const SyncObject& object);
  // It has locked this, which waits for nothing else; or is about to unlock it, by which others learn what `clock` does not say.
  void note_lock(SyncObject& mutex);
  void note_unlock(SyncObject& mutex, const VectorClock& clock);
  // Without fairness a thread that waits in a loop may leave out that it locks something, as long as nobody tries that,
  void note_try(const SyncObject& object);
  // and that it overwrites something on its stack, as long as no other thread accesses that.
  void note_stack_write(Thread& self, std::uint64_t address, std::uint32_t size);
  // It has woken another thread. One that goes round and round and wakes another each time may always stand back at the same place of its round, where
  // the other one only finds that it has to wait again; so it does so at another place each time.
  void note_waking() { current->has_woken = true; }
  // The granted operation gives way to others.
  void stand_back();
  // Where time follows deadlines: whether the thread's next operation makes it later. REQUIRES: it can go on.
  bool moves_time_on(const Thread& thread) const;
  // Who has not stood back for long goes on before time passes. Whether there was anybody.
  bool let_go_on_before_time_passes();
  // Where time passes only when nobody can go on: who waits longest for less, and the step of that.
  std::optional<std::uint64_t> next_deadline() const;
  // Where time may pass while threads can go on: what of their waits ends only by time, each date once, the earliest first.
  std::vector<std::uint64_t> deadlines_to_come() const;
  void pass_time_early(std::uint32_t alternative);  // from 1
  void pass_time();  // REQUIRES: there is one
  ActorId time_actor();  // who has no thread
  // A thread that has looked at the clock again and again waits for it.
  bool has_polled_clock();
  std::uint64_t next_poll();  // how long it is to wait
  // Without fairness a thread that waits in a loop may leave out sleeps, as long as nobody asks for the time.
  enum class ClockUse : std::uint8_t { kRead, kSleepInLoop };
  void note_use_of_clock(ClockUse use);
  // Without fairness: a thread has waited for others in a loop all the same, which nothing but fairness ends.
  bool needs_fairness() const { return needs_fairness_; }
  // Those of the program's code. A new one: the execution has to be run again.
  LoopHeads& loop_heads() { return loop_heads_; }
  // A read that is an operation because the thread does nothing else: it gives way to others.
  void look_while_waiting(std::uint64_t address, std::uint32_t size, std::uint64_t pc);
  // Of those who can move nobody but the thread that moved last stands back any longer. One that waits for a mutex, too, must
  // not be let go for later: it would get there before those that do not stand back.
  void let_others_go();

  // Whether no other thread can be before, between or after what this one does now, so that it need not be an operation: there is none
  // that was made and not joined. A thread that goes round and round like that does operations from time to time.
  [[gnu::always_inline]] bool is_alone_and_quiet() { return configuration_.alone_is_quiet && unjoined_ == 0 && has_quiet_left(); }
  void note_joined() { --unjoined_; }

  // The running thread is about to write to a stream: a failure that it has told before is its own.
  void note_printing(std::uint64_t pc) {
    if (reads_reports_ && records_ && !failed_) look_for_failure(pc);
  }

  // The calls that are active in the running thread, innermost first; while nothing is recorded only `pc`.
  std::vector<std::uint64_t> stack_of(std::uint64_t pc) const { return records_ ? full_stack_of(pc) : std::vector<std::uint64_t>{pc}; }
  // The same also while nothing is recorded: slow.
  std::vector<std::uint64_t> full_stack_of(std::uint64_t pc) const;
  // The call that has memory of a stack for its own, when each thread's stack was last looked at. The thread that has moved last is taken
  // as it was before its last operation, if that is asked for.
  enum class As { kNow, kRecorded };
  StackPlace stack_place_of(std::uint64_t address, As as) const;
  bool is_recording() const { return records_; }

  AccessCounts& access_counts() { return access_counts_; }
  void count_access(std::uint64_t word, bool writes, ActorId actor, std::uint64_t pc) {
    access_counts_.note(word, block_names_.find(word), writes, static_cast<std::uint32_t>(actor), pc);
  }
  const BlockNames& block_names() const { return block_names_; }
  void note_block(void* block, std::uint64_t size, std::uint64_t pc) {
    if (names_blocks_ && current != nullptr) [[unlikely]]
      block_names_.note(reinterpret_cast<std::uint64_t>(block), size, full_stack_of(pc));
  }

  std::vector<AtThreadEnd> at_exit;        // of this execution
  std::uint64_t ticks = 0;                 // of the virtual clock
  std::uint64_t random_state = 0;

 private:
  static void thread_main();
  static void main_thread_main();
  [[gnu::always_inline]] void leave() { switch_stacks(&current->stack, outside_); }
  [[gnu::always_inline]] void run_until_waiting(Thread& thread) {
    current = &thread;
    thread.state = ThreadState::kRunning;
    if (fs_ != thread.place.fs()) {
      fs_ = thread.place.fs();
      set_fs_base(fs_);
    }
    in_program = true;
    switch_stacks(&outside_, thread.stack);
    in_program = false;
    current = nullptr;
  }
  [[gnu::always_inline]] static Thread* const* gate_of(const Operation& operation) {
    static constinit Thread* const nobody = nullptr;
    switch (operation.kind) {
      case OperationKind::kLock:
      case OperationKind::kSpinLock:
      case OperationKind::kReadLock:
      case OperationKind::kOnce:
        return operation.object == nullptr ? &nobody : &operation.object->owner;
      case OperationKind::kJoin:
        return operation.expires ? nullptr : operation.thread == nullptr ? &nobody : &operation.thread->until_end;
      case OperationKind::kLibraryWait:
      case OperationKind::kPoll:
        return nullptr;
      default:
        return operation.object == nullptr && operation.thread == nullptr && !operation.expires ? &nobody : nullptr;
    }
  }
  std::uint32_t visible_by_deadline(const Operation& operation, const TimeLimit& limit);
  // A deadline is something that others have to do with.
  bool shares_deadlines() const { return configuration_.follows_deadlines || configuration_.fires_early; }
  void move_time_to(std::uint64_t date);
  void note_timed_wait(std::uint64_t pc);
  void touch_deadlines();
  void pass_deadline(const Thread& self);
  void touch_awaited(const Operation& operation);
  // Whenever that may be.
  std::uint32_t ways_to_go_on(const Thread& thread) const;
  // Whether it gives up waiting, or wakes, by a deadline. REQUIRES: there is a way to go on.
  bool goes_on_by_time(const Thread& thread) const;
  bool is_due(const Thread& thread) const;
  void run_fresh_threads();
  void note_look_after(std::uint64_t address, std::uint64_t pc, std::uint64_t overwritten);
  void give_way();
  void end_standing_back();
  void record_granted();
  void run_key_destructors();
  Thread& add_thread(std::uint32_t slot, ActorId actor);
  ActorId actor_of_child(ActorId parent, std::uint32_t ordinal);
  std::uint32_t slot_of_child(const Thread& parent, std::uint32_t ordinal);
  void note_left_behind();
  void note_watched(AccessKind kind, std::uint64_t pc);
  std::optional<std::uint64_t> own_state();
  void come_to_operation(Thread& self);
  bool look_for_loop(Thread& self, bool has_only_looked);
  void note_access_to_stacks(std::uint64_t address, std::uint32_t size);
  void note_on(TwoSides& sides, TwoSides::Side side, std::uint64_t word);
  void add_version(Thread& self, SyncObject& mutex);
  void end_waiting(Thread& self);
  void note_value(std::uint64_t address, std::uint32_t size);
  bool waits_in_loop(const Thread& thread) const;
  void add_racy_word(std::uint64_t word);
  void look_at_meetings(std::uint64_t word);
  void add_weak_order(std::uint64_t pc);
  void report_race(const Shadow::Race& race, std::uint64_t address, AccessKind kind, std::uint64_t pc);
  [[gnu::always_inline]] void check_freed(const ShadowCell& cell, std::uint64_t address, AccessKind kind, std::uint64_t pc) {
    if (shadow_.is_freed(cell)) [[unlikely]]
      fail_by_use_after_free(address, kind, pc);
  }
  [[gnu::always_inline]] bool is_left_stack(std::uint64_t address) const {
    return address - kStackBase < kSlotsMax * kStackSlotSize && is_left_frame(address);
  }
  bool is_left_frame(std::uint64_t address) const;
  [[noreturn]] void fail_by_use_after_free(std::uint64_t address, AccessKind kind, std::uint64_t pc);

  bool has_quiet_left();
  std::optional<RawBug> told_failure(const RawBug& end);
  void look_for_failure(std::uint64_t pc);

  bool has_taken_over_ = false;
  MainFunction main_;
  Configuration configuration_;
  const MarkedTest* test_ = nullptr;  // instead of main()
  MemoryImage image_;
  Shadow shadow_;
  SyncObjects objects_;
  std::vector<AtThreadEnd> at_exit_of_start_;

  void* outside_ = nullptr;  // the stack of who drives
  std::array<std::unique_ptr<Thread>, kSlotsMax> slots_;
  std::vector<Thread*> order_;      // the threads of this execution by logical name
  std::vector<Thread*> numbered_;   // by number
  std::vector<Thread*> by_actor_;   // null: not in this execution
  std::vector<Thread*> fresh_;      // made, and not yet run to their first operation
  std::vector<NewActor> actors_;    // by ActorId; the first one is the main thread
  std::vector<std::vector<ActorId>> children_;  // by ActorId, then ordinal - 1
  std::vector<ActorName> names_;

  Outcome outcome_ = Outcome::kRunning;
  RawBug bug_;
  std::string refusal_;
  std::optional<int> exit_status_;
  ReportReader* report_reader_ = nullptr;
  bool reads_reports_ = false;     // the output tells failures
  struct Failed {
    std::uint32_t actor = ~0u;
    std::vector<std::uint64_t> stack;
  };
  std::optional<Failed> failed_;   // who has told the first failure of this execution, if that is recorded
  bool has_missed_no_test_ = false;  // an execution since configure() has said that it ran its test
  std::uint32_t unjoined_ = 0;     // threads that were made, and whose end nobody has waited for
  std::uint32_t quiet_ = 0;        // what was done without being an operation, in a row
  const char* uncontrolled_ = nullptr;  // why no execution can begin
  std::uint64_t steps_ = 0;
  std::uint64_t passes_ = 0;  // of them those in which time has passed
  bool someone_stands_back_ = false;
  bool needs_fairness_ = false;  // as found since configure()
  bool finds_waiting_ = false;   // who waits in a loop
  bool minds_deadlines_ = false;  // waits give up by them
  std::optional<ActorId> time_actor_;
  LoopHeads loop_heads_;
  bool is_clock_read_ = false, is_slept_in_loop_ = false;
  TwoSides locks_of_loops_, stacks_of_loops_;
  const Thread* moved_last_ = nullptr;
  std::vector<Touch> touches_;
  bool records_ = false;
  bool ends_before_main_ = false;
  bool shows_ = false;  // the thread that is run does not go on
  OperationRecord record_;
  std::vector<CallFrame> record_calls_;  // of the thread that the record is of
  LogicalTime clock_ = 1;
  std::uint64_t fs_ = 0;
  std::vector<std::uint64_t> racy_;
  std::vector<RaceReport> races_;
  std::vector<WeakOrder> weak_orders_;
  std::vector<TimedWait> timed_waits_;
  std::vector<LeftThread> left_behind_;  // threads that had not ended when the program did
  std::uint32_t findings_ = 0;

  struct WatchedAccess {
    std::uint32_t actor = 0;
    bool write = false;
    std::vector<std::uint64_t> stack;
  };
  std::vector<WatchedAccess> watched_accesses_;  // of this execution
  bool repeats_matter_ = false;  // accesses that say nothing new
  bool names_blocks_ = false;
  BlockNames block_names_;
  AccessCounts access_counts_;
};

extern Scheduler* the_scheduler;
Scheduler& make_scheduler();
// Made at its first use, which may be before any constructor has run.
inline Scheduler& scheduler() { return the_scheduler != nullptr ? *the_scheduler : make_scheduler(); }

}  // namespace ravel::threads
