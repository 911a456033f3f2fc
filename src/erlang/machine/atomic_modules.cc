// Atomic modules: all operations during a call of such a module are one step.
//
// A step that begins in a call of an atomic module, that is while a function of it runs or is on the stack,
// goes on with the next operation as long as the call does and the process need not wait. Its footprint and
// its story are those of all its operations. The call has ended when a new one begins: two calls in a row are
// two steps, although the stack looks the same in both. So exported functions and funs of an atomic module
// begin with an instruction that notices calls from outside; calls inside the module jump after it. A tail
// call from one atomic module to another, or of a module to itself by its full name, counts as a new call:
// the step ends earlier than it might, which hides nothing.
#include <algorithm>

#include "erlang/machine/machine.h"

namespace ravel::erlang {

bool Machine::is_atomic(Term module) const {
  return std::ranges::find(atomic_modules_, module) != atomic_modules_.end();
}

bool Machine::is_stub(Term module) const {
  return std::ranges::any_of(stubs_, [&](const auto& entry) { return entry.second == module; });
}

bool Machine::is_in_atomic_call(const Process& process, const CodeWord* pc, const CodeWord* cp) const {
  const auto is_atomic_code = [this](std::uint32_t index) {
    return std::ranges::any_of(
        atomic_code_, [&](const auto& range) { return index >= range.first && index < range.second; });
  };
  if (pc != nullptr && code_.contains(pc) && is_atomic_code(code_.index_of(pc))) return true;
  return std::ranges::any_of(return_addresses(process, cp, ~std::size_t{0}, 0), is_atomic_code);
}

// REQUIRES: the process is awake, and about to execute the operation that it was granted.
void Machine::begin_atomic_step(const Process& process) {
  is_in_atomic_step_ = is_in_atomic_call(process, process.pc, process.cp);
}

// Whether the operation at `pc` belongs to the step; if so, it is noted as a further one.
bool Machine::continues_atomic_step(const Process& process, const CodeWord* pc, const CodeWord* cp) {
  if (!is_in_atomic_step_ || !is_in_atomic_call(process, pc, cp)) return false;
  earlier_events_.push_back(event_);
  event_ = {};
  event_.actor = process.pid;
  event_.place = pc;
  return true;
}

// A function of an atomic module is called from outside, or by its full name.
void Machine::enter_atomic_call(const Process& process, const CodeWord* cp) {
  if (is_in_atomic_step_ && !is_in_atomic_call(process, nullptr, cp)) is_in_atomic_step_ = false;
}

}  // namespace ravel::erlang
