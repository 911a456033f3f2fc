// Threads that stand back for others: those that yield, and those that only look, again and again.
//
// To lock something and to unlock it again is to look as well, if the thread has changed nothing meanwhile
// that others can see. Locking alone is neither; what it was good for shows when the lock is given back. To
// signal nobody, to post a semaphore that is not at zero, or to choose is neither as well. What the thread
// overwrites, on its own stack or elsewhere, counts as a change if it is something else than when it unlocked
// the same the last time: that round has changed nothing that the one before has not.

#pragma once

#include <cstdint>

#include "threads/protocol/messages.h"
#include "threads/runtime/current_step.h"
#include "threads/runtime/deadlines.h"
#include "threads/runtime/sync_object.h"
#include "threads/runtime/thread.h"
#include "threads/runtime/thread_switch.h"
#include "threads/runtime/thread_table.h"

namespace ravel::threads {

class Fairness {
 public:
  // All references must outlive this object.
  Fairness(const Configuration& configuration, const ThreadTable& threads, CurrentStep& step,
           Deadlines& deadlines)
      : configuration_(configuration), threads_(threads), step_(step), deadlines_(deadlines) {}

  void configure() { is_needed_ = false; }
  void begin_execution() { someone_stands_back_ = false; }
  // Without fairness: a thread has waited for others in a loop all the same, which nothing but fairness ends.
  bool is_needed() const { return is_needed_; }

  // ---- around each step

  [[gnu::always_inline]] static void begin_step(Thread& thread) {
    // The thread may have been let go because all stand back; if it changes something, the others have what
    // they wait for.
    thread.stands_back = false;
    thread.spins_before = thread.spins;
    thread.spins = 0;
    thread.looks_before = thread.looks_in_a_row;
    thread.looks_in_a_row = 0;
  }
  [[gnu::always_inline]] void end_step(const Thread& thread) {
    // Threads that stood back for others to move may go on, unless what has moved only looks itself.
    if (someone_stands_back_ && thread.spins == 0 && !thread.stands_back) [[unlikely]]
      end_standing_back();
  }
  // Time has passed: nobody stands back any longer.
  void note_passed_time();
  // Of the threads that can move, only the one that moved last still stands back. A thread that waits for a
  // mutex, too, must not be let go for later: it would get there before those that do not stand back.
  void let_others_go();
  // Threads that have not stood back for long go on before time passes. Whether there were any.
  bool let_go_on_before_time_passes();

  // ---- what the granted operation of the running thread does

  // The operation has changed nothing: it has only looked, or failed, or written what was there.
  void note_look(std::uint64_t address, std::uint64_t pc) { note_look_after(address, pc, 0); }
  // The operation is about to write: a look as well, if it overwrites what the thread overwrote there the
  // last time.
  void note_writing(std::uint64_t address, std::uint32_t size, std::uint64_t pc);
  // The operation has had no effect, and has not looked either.
  void note_nothing();
  // The operation has taken this object, or is about to give it back; with what was changed meanwhile others
  // may have what they wait for.
  void note_taking(const SyncObject& object);
  void note_giving_back(const SyncObject& object);
  // The operation has woken another thread. A thread that goes round and round and wakes another each time
  // may always stand back at the same place of its round, where the other one only finds that it has to wait
  // again; so it does so at another place each time.
  void note_waking() { current->has_woken = true; }
  // The thread gives way to others.
  void stand_back();

 private:
  void note_look_after(std::uint64_t address, std::uint64_t pc, std::uint64_t overwritten);
  void give_way();
  void end_standing_back();

  const Configuration& configuration_;
  const ThreadTable& threads_;
  CurrentStep& step_;
  Deadlines& deadlines_;
  bool someone_stands_back_ = false;
  bool is_needed_ = false;  // as found since configure()
};

}  // namespace ravel::threads
