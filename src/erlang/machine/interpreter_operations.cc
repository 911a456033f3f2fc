// What the interpreter does besides single instructions: finding what a call leads to, operations, receives,
// and the way of an exception.
#include <algorithm>
#include <optional>

#include "erlang/beam/beam_file.h"
#include "erlang/machine/frame.h"
#include "erlang/machine/interpreter.h"
#include "erlang/machine/machine.h"

namespace ravel::erlang {

namespace {

// The number of elements of a proper list that fits a call, or nothing.
std::optional<std::uint32_t> argument_count(Term list) {
  std::uint32_t count = 0;
  for (; list.is_cons(); list = list.tail())
    if (++count > kArityMax) return std::nullopt;
  return list.is_nil() ? std::optional(count) : std::nullopt;
}

bool is_too_long(Term list) {
  std::uint32_t count = 0;
  for (; list.is_cons(); list = list.tail())
    if (++count > kArityMax) return true;
  return false;
}

}  // namespace

const CodeWord* Interpreter::resolve_apply(Term module, Term function, std::uint32_t arity) {
  if (!module.is_atom() || !function.is_atom()) {
    call_.badarg();
    return nullptr;
  }
  return machine.code.export_named(machine.code.stand_in(module), function, arity).address;
}

bool Interpreter::unpack_apply(Term* x) {
  const Term module = x[0], function = x[1], list = x[2];
  const std::optional<std::uint32_t> count = argument_count(list);
  if (!count || !module.is_atom() || !function.is_atom()) {
    call_.fail(is_too_long(list) ? atoms::kSystemLimit : atoms::kBadarg);
    return false;
  }
  unpacked_arity_ = *count;
  x[kUnpackedModule] = module;
  x[kUnpackedFunction] = function;
  std::size_t i = 0;
  for (Term rest = list; rest.is_cons(); rest = rest.tail()) x[i++] = rest.head();
  return true;
}

bool Interpreter::unpack_apply_fun(Term* x) {
  const Term fun = x[0], list = x[1];
  const std::optional<std::uint32_t> count = argument_count(list);
  if (!count) {
    call_.fail(is_too_long(list) ? atoms::kSystemLimit : atoms::kBadarg);
    return false;
  }
  unpacked_arity_ = *count;
  std::size_t i = 0;
  for (Term rest = list; rest.is_cons(); rest = rest.tail()) x[i++] = rest.head();
  x[i] = fun;
  return true;
}

const CodeWord* Interpreter::resolve_fun(Term fun, Term* x, std::size_t arity) {
  const auto fail = [&](Term tag, Term value) -> const CodeWord* {
    call_.raise(ErrorClass::kError, heap.tuple({tag, value}));
    return nullptr;
  };
  const auto bad_arity = [&] {
    return fail(atoms::kBadarity, heap.tuple({fun, heap.list(std::span<const Term>(x, arity))}));
  };
  if (is_kind(fun, Kind::kExternalFun)) {
    const Term* object = fun.object();
    if (static_cast<std::size_t>(object[3].small_value()) != arity) return bad_arity();
    return machine.code
        .export_named(machine.code.stand_in(object[1]), object[2], static_cast<std::uint32_t>(arity))
        .address;
  }
  if (!is_kind(fun, Kind::kFun)) return fail(atoms::kBadfun, fun);
  const Term* object = fun.object();
  if (static_cast<std::size_t>(object[2].small_value()) != arity) return bad_arity();
  const auto entry = static_cast<std::uint32_t>(object[1].small_value());
  if (names.fun(entry).code == 0) machine.code.find_module(names.fun(entry).module);
  if (names.fun(entry).code == 0) return fail(atoms::kBadfun, fun);
  std::copy_n(object + 3, size_of(object[0]) - 2, x + arity);
  return machine.code.area().at(names.fun(entry).code);
}

Term Interpreter::run_operation(Process& process, const Builtin& builtin, const CodeWord* pc) {
  record.event.kind = OperationKind::kBuiltin;
  record.event.builtin = &builtin;
  record.event.place = pc;
  std::copy_n(x_.begin(), std::min<std::size_t>(builtin.arity, kRecordedArguments), record.event.arguments);
  record.note_run(process);
  operand_count_ = builtin.arity;
  const Term result = builtin.function(call_, x_.data());
  operand_count_ = 0;
  record.event.result = result;
  if (result.is_none()) record.event.reason = call_.exception.reason;
  return result;
}

bool Interpreter::run_send(Process& process, Term target, Term content, const CodeWord* pc) {
  x_[0] = target;
  x_[1] = content;
  return !run_operation(process, *machine.code.own().send_row, pc).is_none();
}

// Whether a receive that takes a message could have gone on without it after a while.
bool Interpreter::could_expire(const Process& process) const {
  if (process.receive_pc == nullptr) return false;
  const CodeWord* otherwise = process.receive_pc + process.receive_pc[1].pair.low;
  if (machine.code.is_instruction(otherwise, Op::timeout)) return true;
  if (!machine.code.is_instruction(otherwise, Op::wait_timeout)) return false;
  const std::uint64_t source = otherwise[1].bits;
  const Term time = (source & 3) != 0   ? Term(source)
                    : (source & 4) != 0 ? process.top[1 + (source >> 3)]
                                        : x_[source >> 3];
  if (!time.is_small() || time.small_value() >= options.after_infinite_ms) return false;
  return options.time != TimePolicy::kIdle || time == Term::small(0) || process.is_due;
}

void Interpreter::take_message(Process& process, const CodeWord* pc) {
  const Message message = process.mailbox[process.receive_at];
  record.event.kind = OperationKind::kReceive;
  record.event.subject = message.sender;
  record.event.value = message.content;
  record.event.place = pc;
  record.note_run(process);
  record.note_message(process.pid, could_expire(process) ? access::kReceiveOrExpire : access::kReceive,
                      process.receive_at);
  process.mailbox.remove(process.receive_at);
  process.mailbox_image = Term::none();
  process.receive_pc = nullptr;
  process.receive_at = 0;
  process.timeout = Term::none();
  process.is_due = false;
  process.has_noticed_block = false;
}

void Interpreter::take_timeout(Process& process, const CodeWord* pc) {
  machine.time.advance(process.due_ms);
  record.event.kind = OperationKind::kAfter;
  record.event.value = process.timeout;
  record.event.place = pc;
  record.note_run(process);
  record.note_message(process.pid, access::kExpire, 0);
  process.receive_pc = nullptr;
  process.receive_at = 0;
  process.timeout = Term::none();
}

void Interpreter::keep_slots(const Term* frame, const CodeWord* cp) {
  kept_slots_.clear();
  if (cp == nullptr) kept_slots_.assign(frame + 1, frame + 1 + frame_slots(frame[0]));
}

void Interpreter::put_back_slots(Term* frame, const CodeWord* cp) const {
  if (cp == nullptr && running_->receive_pc != nullptr) std::ranges::copy(kept_slots_, frame + 1);
}

const CodeWord* Interpreter::find_handler(Process& process) {
  for (;;) {
    const Term* end = process.stack_end();
    while (process.top < end) {
      const std::uint64_t slots = frame_slots(process.top[0]);
      for (std::uint64_t i = 1; i <= slots; ++i)
        if (process.top[i].is_catch())
          return machine.code.area().at(static_cast<std::uint32_t>(process.top[i].catch_index()));
      process.top += slots + 1;
    }
    if (process.frozen_stack.is_nil()) return nullptr;
    machine.freezer.thaw_frame(process);
  }
}

void Interpreter::end_by_exception(Process& process) {
  const Exception& exception = call_.exception;
  process.rest = Rest::kEnding;
  process.exit_class = exception.error_class;
  process.exit_trace = machine.traces.build_trace(exception.stack_trace);
  process.exit_origin = Term::none();
  process.ends_by_exception = true;
  process.exit_reason = exception.reason;
  if (exception.error_class == ErrorClass::kThrow)
    process.exit_reason = heap.tuple({heap.tuple({atoms::kNocatch, exception.reason}), process.exit_trace});
  if (exception.error_class == ErrorClass::kError)
    process.exit_reason = heap.tuple({exception.reason, process.exit_trace});
  process.reset_stack();
  process.frozen_stack = Term::nil();
}

// Always the first in the order of the names that can go on; nothing is too early for an `after 0`.
void Interpreter::prepare_start(Process& process, Term module, Term function,
                                std::span<const Term> arguments) {
  process.pc = machine.code.own().apply;
  process.cp = machine.code.own().process_end;
  process.rest = Rest::kReady;
  process.arguments = {module, function, heap.list(arguments)};
}

void Interpreter::prepare_start_fun(Process& process, Term fun, std::span<const Term> arguments) {
  process.pc = machine.code.own().apply_fun;
  process.cp = machine.code.own().process_end;
  process.rest = Rest::kReady;
  process.arguments = {fun, heap.list(arguments)};
}

}  // namespace ravel::erlang
