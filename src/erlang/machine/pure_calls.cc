#include "erlang/machine/pure_calls.h"

#include <utility>

#include "base/check.h"
#include "erlang/machine/instruction.h"
#include "erlang/machine/machine.h"
#include "erlang/term/map.h"
#include "erlang/term/print.h"

namespace ravel::erlang {

void PureCalls::prepare() {
  if (process_ == nullptr) process_ = std::make_unique<Process>(names.child_pid(Names::system_pid(), 0));
  Process& process = *process_;
  process.started = true;
  process.receive_pc = nullptr;
  process.receive_at = 0;
  process.timeout = process.exit_reason = process.exit_origin = Term::none();
  process.exit_trace = process.frozen_stack = Term::nil();
  process.ends_by_exception = process.is_top_frozen = process.has_frozen_frame = false;
  process.reset_stack();
  process.attributes = {};
  process.attributes.group_leader = Names::device_pid();
  process.attributes.parent = Names::system_pid();
  process.attributes.initial_call = Term::nil();
  process.attributes.dictionary = empty_map(heap);
}

PureCalls::Answer PureCalls::call(Term module, Term function, std::span<const Term> arguments) {
  CHECK(!machine.faults.has_one() && !is_running_);
  prepare();
  machine.interpreter.prepare_start(*process_, module, function, arguments);
  value_ = Term::none();
  // Nothing of this is part of the step.
  const std::size_t touches = record.footprint.size();
  const bool had_changed = record.has_deadline_changed;
  is_running_ = true;
  machine.interpreter.run(*process_, Interpreter::Grant::kLocalOnly);
  is_running_ = false;
  record.footprint.erase(record.footprint.begin() + static_cast<std::ptrdiff_t>(touches),
                         record.footprint.end());
  record.has_deadline_changed = had_changed;
  return answer();
}

PureCalls::Answer PureCalls::answer() {
  Answer answer;
  if (machine.faults.has_one()) {
    answer.problem = problem_of_fault();
    machine.faults.clear();
  } else if (process_->rest != Rest::kEnding) {
    answer.problem = problem_of_rest();
  } else if (value_.is_none()) {
    answer.problem = "it ends with " + print_term(names, process_->exit_reason);
  }
  if (answer.problem.empty()) {
    answer.value = value_;
  } else {
    answer.places = machine.traces.places_of(*process_);
  }
  // The next collection must not find what is left of it.
  value_ = Term::none();
  process_->arguments.clear();
  process_->reset_stack();
  process_->timeout = process_->exit_reason = Term::none();
  process_->exit_trace = process_->attributes.dictionary = Term::nil();
  return answer;
}

std::string PureCalls::problem_of_fault() const {
  switch (machine.faults.current().kind) {
    case MachineFault::Kind::kNoProgress: return "it does not come to an end";
    case MachineFault::Kind::kOutOfMemory: return "it takes more memory than a program may have";
    default: return machine.faults.current().message;
  }
}

// It rests before an operation, or in a receive.
std::string PureCalls::problem_of_rest() const {
  constexpr const char* kOnlyComputes = ", but may only compute: it is to be a function of what it is given";
  if (process_->rest == Rest::kWaiting || process_->rest == Rest::kTimeout)
    return std::string("it waits for a message") + kOnlyComputes;
  if (machine.code.is_instruction(process_->pc, Op::send))
    return std::string("it sends a message") + kOnlyComputes;
  std::string called = "an operation";
  if (machine.code.is_instruction(process_->pc, Op::call_operation) ||
      machine.code.is_instruction(process_->pc, Op::operation_body)) {
    const auto& builtin = *static_cast<const Builtin*>(process_->pc[1].pointer);
    called =
        std::string(builtin.module) + ":" + std::string(builtin.name) + "/" + std::to_string(builtin.arity);
  }
  return "it calls " + called + kOnlyComputes;
}

void PureCalls::for_each_term(Roots::Visit visit, void* collector) {
  if (process_ == nullptr) return;
  ProcessTable::visit_terms(*process_, visit, collector);
  if (!value_.is_none()) visit(collector, &value_, 1);
}

}  // namespace ravel::erlang
