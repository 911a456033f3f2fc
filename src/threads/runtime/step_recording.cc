#include "threads/runtime/step_recording.h"

#include <unwind.h>

#include <utility>

#include "threads/runtime/sync_object.h"
#include "threads/runtime/thread_switch.h"

namespace ravel::threads {

namespace {

constexpr std::size_t kStackShown = 64;
// On the stack, with frames that have a description of their own.
constexpr std::uint64_t kUnwinderNeeds = 1 << 14;

struct Backtrace {
  std::uint64_t wanted;  // the innermost frame that is not the runtime's own
  std::vector<std::uint64_t> stack = {};
  std::vector<CallFrame> calls = {};
};

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* argument) {
  auto& trace = *static_cast<Backtrace*>(argument);
  int is_before = 0;
  const std::uint64_t ip = _Unwind_GetIPInfo(context, &is_before);
  const std::uint64_t pc = ip - (is_before != 0 ? 0 : 1);
  if (!trace.stack.empty() || pc == trace.wanted) {
    trace.stack.push_back(pc);
    trace.calls.push_back({.pc = pc, .low = _Unwind_GetCFA(context)});
  }
  return trace.stack.size() < kStackShown && ip != 0 ? _URC_NO_REASON : _URC_END_OF_STACK;
}

}  // namespace

std::vector<std::uint64_t> full_stack_of(std::uint64_t pc) {
  // Where a stack that grows without end is almost full, its overflow is the program's, and not that of who
  // looks at it.
  if (current != nullptr &&
      reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)) - current->stack_low < kUnwinderNeeds)
    return {pc};
  // The unwinder locks and allocates, too, which must not become operations of the thread.
  const bool was_in_program = std::exchange(in_program, false);
  Thread* const self = std::exchange(current, nullptr);
  Backtrace trace{.wanted = pc};
  _Unwind_Backtrace(add_frame, &trace);
  if (self != nullptr && !trace.calls.empty()) self->calls = std::move(trace.calls);
  current = self;
  in_program = was_in_program;
  if (trace.stack.empty()) trace.stack.push_back(pc);
  return std::move(trace.stack);
}

void StepRecording::note_granted() {
  const Thread& self = *current;
  const Operation& operation = self.pending;
  if (operation.object != nullptr) operation.object->locked_stack = self.pending_stack;
  record_.kind = operation.kind;
  record_.address = operation.address;
  record_.other = operation.other;
  record_.size = operation.size;
  record_.stack = self.pending_stack;
  record_calls_ = self.calls;
}

StackPlace StepRecording::stack_place_of(std::uint64_t address, As as) const {
  for (const Thread* const thread : threads_.by_name()) {
    if (address - thread->stack_low >= thread->stack_size) continue;
    const std::vector<CallFrame>& calls =
        as == As::kRecorded && thread == threads_.moved_last() ? record_calls_ : thread->calls;
    for (std::size_t i = 0; i + 1 < calls.size(); ++i) {
      if (calls[i].low <= address && address < calls[i + 1].low)
        return {.pc = calls[i].pc,
                .low = calls[i].low,
                .high = calls[i + 1].low,
                .actor = static_cast<std::uint32_t>(thread->actor)};
    }
  }
  return {};
}

}  // namespace ravel::threads
