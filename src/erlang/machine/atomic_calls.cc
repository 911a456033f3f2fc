// A step that begins in a call of an atomic module, that is while a function of it runs or is on the stack,
// goes on with the next operation as long as the call does and the process need not wait. Its footprint and
// its story are those of all its operations. The call has ended when a new one begins: two calls in a row are
// two steps, although the stack looks the same in both. So exported functions and funs of an atomic module
// begin with an instruction that notices calls from outside; calls inside the module jump after it. A tail
// call from one atomic module to another, or of a module to itself by its full name, counts as a new call:
// the step ends earlier than it might, which hides nothing.
#include "erlang/machine/atomic_calls.h"

#include <algorithm>

#include "erlang/machine/machine.h"

namespace ravel::erlang {

AtomicCalls::AtomicCalls(Machine& its_machine) : MachinePart(its_machine) {
  for (const std::string& name : options.atomic_modules) modules_.push_back(names.atoms.intern(name));
}

bool AtomicCalls::is_atomic(Term module) const {
  return std::ranges::find(modules_, module) != modules_.end();
}

bool AtomicCalls::is_in_call(const Process& process, const CodeWord* pc, const CodeWord* cp) const {
  const auto is_atomic_code = [this](std::uint32_t index) {
    return std::ranges::any_of(
        code_, [&](const auto& range) { return index >= range.first && index < range.second; });
  };
  const CodeArea& area = machine.code.area();
  if (pc != nullptr && area.contains(pc) && is_atomic_code(area.index_of(pc))) return true;
  return std::ranges::any_of(machine.traces.return_addresses(process, cp, ~std::size_t{0}, 0),
                             is_atomic_code);
}

// REQUIRES: the process is awake, and about to execute the operation that it was granted.
void AtomicCalls::begin_step(const Process& process, bool executes) {
  is_in_step_ = executes && (options.steps == Steps::kReceives ||
                             (!code_.empty() && is_in_call(process, process.pc, process.cp)));
}

bool AtomicCalls::continues_step(const Process& process, const CodeWord* pc, const CodeWord* cp) {
  if (!is_in_step_) return false;
  if (options.steps == Steps::kReceives) {
    if (machine.code.is_instruction(pc, Op::remove_message) || machine.code.is_instruction(pc, Op::timeout))
      return false;
  } else if (!is_in_call(process, pc, cp)) {
    return false;
  }
  record.earlier_events.push_back(record.event);
  record.event = {};
  record.event.actor = process.pid;
  record.event.place = pc;
  return true;
}

void AtomicCalls::enter(const Process& process, const CodeWord* cp) {
  if (options.steps != Steps::kReceives && is_in_step_ && !is_in_call(process, nullptr, cp))
    is_in_step_ = false;
}

}  // namespace ravel::erlang
