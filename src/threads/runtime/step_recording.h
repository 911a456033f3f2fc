// What is written down of each step while an execution is recorded, and the calls that threads are in then:
// for the places in a story, and for the names of variables on stacks.
//
// Each thread's calls are looked at before each of its operations, and where something fails. A variable that
// others can reach is one of a call that lasts, so what was seen then holds until the thread is looked at
// again.

#pragma once

#include <cstdint>
#include <vector>

#include "threads/protocol/messages.h"
#include "threads/protocol/operation.h"
#include "threads/runtime/thread.h"
#include "threads/runtime/thread_table.h"

namespace ravel::threads {

// The calls that are active in the running thread, innermost first. Slow.
std::vector<std::uint64_t> full_stack_of(std::uint64_t pc);

class StepRecording {
 public:
  // `threads` must outlive this object.
  explicit StepRecording(const ThreadTable& threads) : threads_(threads) {}

  bool is_on() const { return is_on_; }
  void turn(bool on) { is_on_ = on; }

  [[gnu::always_inline]] void begin_step() {
    if (is_on_) [[unlikely]]
      record_ = {};
  }
  // The running thread does what it has waited for.
  void note_granted();
  // The record of the last step. REQUIRES: it was recorded.
  OperationRecord& record() { return record_; }

  // full_stack_of(pc); while nothing is recorded only `pc`.
  std::vector<std::uint64_t> stack_of(std::uint64_t pc) const {
    return is_on_ ? full_stack_of(pc) : std::vector<std::uint64_t>{pc};
  }
  // The call that has memory of a stack for its own, when each thread's stack was last looked at. The thread
  // that has moved last is taken as it was before its last operation, if that is asked for.
  enum class As : std::uint8_t { kNow, kRecorded };
  StackPlace stack_place_of(std::uint64_t address, As as) const;

 private:
  const ThreadTable& threads_;
  bool is_on_ = false;
  OperationRecord record_;
  std::vector<CallFrame> record_calls_;  // of the thread that the record is of
};

}  // namespace ravel::threads
