// Which threads wait in a loop, as waiting_loop.h says: finds the loops while threads run, and says what
// these wait for.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "threads/protocol/messages.h"
#include "threads/protocol/search_parts.h"
#include "threads/runtime/current_step.h"
#include "threads/runtime/discoveries.h"
#include "threads/runtime/sync_object.h"
#include "threads/runtime/thread.h"
#include "threads/runtime/vector_clock.h"
#include "threads/runtime/waiting_loop.h"

namespace ravel::threads {

class LoopWaits {
 public:
  // `step` and `discoveries` must outlive this object.
  LoopWaits(CurrentStep& step, const Discoveries& discoveries) : step_(step), discoveries_(discoveries) {}

  void configure(const Configuration& configuration);
  // Whether loops are looked for at all. REQUIRES for all that follows, unless it says otherwise.
  bool is_on() const { return is_on_; }
  // The places of the program's code. A new one: the execution has to be run again.
  LoopHeads& heads() { return heads_; }
  // Without fairness: a thread may have waited for others in a way that is left out here.
  bool need_fairness() const { return need_fairness_; }
  // What was noted since configure(), which need_fairness() goes by; adds what another copy of the process
  // has noted, or has it in the place of what was noted here. Also if loops are not looked for.
  LoopUses uses() const;
  std::size_t use_count() const;  // which only grows
  void add_uses(const LoopUses& uses);
  void set_uses(const LoopUses& uses);

  // The thread waits before its pending operation.
  void come_to_operation(Thread& self);
  // Whether the thread waits in a loop, and nothing has changed of what it has looked at. Also if
  // loops are not looked for.
  bool holds_up(const Thread& thread) const;
  // The thread goes on, since something has changed.
  void end_waiting(Thread& self);

  // ---- what the granted operation of the running thread does

  // The operation has found this value there, and has no other effect.
  void note_value(std::uint64_t address, std::uint32_t size);
  // The operation has tried to have this object, in vain.
  void note_failure(const SyncObject& object);
  // The operation has locked this mutex, which waits for nothing else; or is about to unlock it, by which
  // others learn what `clock` does not say. Also if loops are not looked for.
  void note_lock(SyncObject& mutex);
  void note_unlock(SyncObject& mutex, const VectorClock& clock);

  // ---- what a loop may leave out as long as others have nothing to do with it

  // A loop may leave out that it locks something, as long as nobody tries that. Also if loops are not looked
  // for.
  void note_try(const SyncObject& object);
  // A loop may leave out that it overwrites something on its stack, as long as no other thread accesses that.
  void note_stack_write(Thread& self, std::uint64_t address, std::uint32_t size);
  void note_access_to_stacks(std::uint64_t address, std::uint32_t size);
  // A loop may leave out that it sleeps, as long as nobody asks for the time. Also if loops are not looked
  // for.
  enum class ClockUse : std::uint8_t { kRead, kSleepInLoop };
  void note_use_of_clock(ClockUse use);

 private:
  std::optional<std::uint64_t> own_state();
  bool look_for_loop(Thread& self, bool has_only_looked);
  void note_on(TwoSides& sides, TwoSides::Side side, std::uint64_t word);
  void add_version(Thread& self, SyncObject& mutex);

  CurrentStep& step_;
  const Discoveries& discoveries_;
  bool is_on_ = false;
  bool need_fairness_ = false;  // as found since configure()
  LoopHeads heads_;
  TwoSides locks_, stacks_;
  bool is_clock_read_ = false, is_slept_in_loop_ = false;
};

}  // namespace ravel::threads
