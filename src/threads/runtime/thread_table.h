// The threads of an execution: by number, by name, by actor, and by the slot of memory that their stacks lie
// in.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "threads/runtime/actor_names.h"
#include "threads/runtime/layout.h"
#include "threads/runtime/thread.h"

namespace ravel::threads {

class ThreadTable {
 public:
  // `names` must outlive this object.
  explicit ThreadTable(const ActorNames& names) : names_(names) {}

  // REQUIRES: called once, in the main thread.
  void make_main();
  // Forgets those of the last execution, and puts back what the C library keeps of them.
  void begin_execution();
  // A thread that has not run yet. REQUIRES: the slot is free.
  Thread& add(std::uint32_t slot, ActorId actor);
  // The slot of a thread's child: the same in every execution that makes the same threads before. Nothing:
  // all are taken.
  std::optional<std::uint32_t> slot_of_child(const Thread& parent, std::uint32_t ordinal) const;
  // How many threads there may be in addition to the first ones that the main thread makes.
  static constexpr std::uint32_t kChildrenMax = kSlotsMax - kDirectSlots;

  // Null: not in this execution.
  Thread* of(ActorId actor) const {
    const auto index = static_cast<std::size_t>(actor);
    return index < by_actor_.size() ? by_actor_[index] : nullptr;
  }
  const std::vector<Thread*>& by_name() const { return by_name_; }
  std::size_t count() const { return numbered_.size(); }
  Thread& numbered(std::size_t number) const { return *numbered_[number]; }
  // The thread with this base of the segment fs. Null: none.
  Thread* find(std::uint64_t fs) const;
  // The thread on whose stack an address lies, be that in use or not. Null: no thread has ever had it.
  // REQUIRES: it lies where stacks are (layout.h).
  const Thread* at_stack(std::uint64_t address) const {
    return slots_[(address - kStackBase) / kStackSlotSize];
  }

  // The thread that has taken the last step; null if time passed in it, or at the beginning.
  const Thread* moved_last() const { return moved_last_; }
  void note_move(const Thread* thread) { moved_last_ = thread; }

 private:
  const ActorNames& names_;
  std::array<Thread*, kSlotsMax> slots_{};  // at kThreadsBase; null: never used
  std::vector<Thread*> by_name_;
  std::vector<Thread*> numbered_;
  std::vector<Thread*> by_actor_;
  const Thread* moved_last_ = nullptr;
};

}  // namespace ravel::threads
