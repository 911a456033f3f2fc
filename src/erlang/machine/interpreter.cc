// The interpreter: runs one process until it rests before its next operation.
//
// Threaded code: each handler ends by jumping to the next one through the address that the loader wrote into
// the instruction, so that the processor predicts every jump by itself. The registers of the machine are
// local variables: pc, the stack top, the heap top; whatever leaves the loop writes them back first (SYNC)
// and reads them again afterwards (RELOAD).
//
// `granted` is the permission to execute one operation. An operation's handler that does not have it leaves
// the process resting right before itself; the one that has it uses it up.
//
// `cp` is the caller's place while the running function has no frame of its own, else null.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>

#include "base/check.h"
#include "erlang/beam/beam_file.h"
#include "erlang/machine/frame.h"
#include "erlang/machine/instruction.h"
#include "erlang/machine/machine.h"
#include "erlang/machine/native_records.h"
#include "erlang/machine/stack_trace.h"
#include "erlang/term/arithmetic.h"
#include "erlang/term/bit_syntax.h"
#include "erlang/term/compare.h"
#include "erlang/term/map.h"
#include "erlang/term/native_record.h"

namespace ravel::erlang {

namespace {

inline bool is_foreign(Term t, Term type) { return is_kind(t, Kind::kForeign) && t.object()[1] == type; }

bool is_choice(const Builtin& builtin, const Term* arguments) {
  return builtin.effect == Effect::kChoice && arguments[0].is_small() && arguments[0].small_value() >= 1 &&
         arguments[0].small_value() <= kChoicesMax;
}

constexpr std::size_t kStackReserve = 64;  // words that an instruction may push without asking again

}  // namespace

Interpreter::Interpreter(Machine& its_machine)
    : MachinePart(its_machine),
      call_(machine, heap, names, nullptr),
      x_(kProgramRegisters + kScratchRegisters, Term::nil()),
      float_registers_(kRegistersMax) {}

std::vector<std::int32_t> Interpreter::find_handlers() {
  std::vector<std::int32_t> handlers(kOpCount);
  execute(nullptr, nullptr, false, handlers.data());
  return handlers;
}

void Interpreter::run(Process& process, Grant grant) {
  running_ = &process;
  call_.set_self(&process);
  machine.freezer.wake(process);
  reductions_left_ = machine.is_starting_system()
                         ? std::numeric_limits<std::int64_t>::max()
                         : static_cast<std::int64_t>(options.reductions_per_step_max);
  machine.atomic_calls.begin_step(process, grant != Grant::kLocalOnly);
  const auto end_by_exhaustion = [&] {
    machine.faults.exhaust(MachineFault::Kind::kOutOfMemory, process.pid, process.pc);
  };
  try {
    heap.set_throwing(true);
    execute(this, &process, grant == Grant::kOperation, nullptr);
  } catch (const HeapExhausted&) {
    end_by_exhaustion();
  } catch (const std::bad_alloc&) {  // of its stack
    end_by_exhaustion();
  }
  heap.set_throwing(false);
  running_ = nullptr;
  live_ = 0;
}

void Interpreter::forget_last_run() {
  kept_slots_.clear();
  call_.exception = {};
  call_.replacement = {};
}

void Interpreter::for_each_term(Roots::Visit visit, void* collector) {
  visit(collector, x_.data(), live_);
  visit(collector, kept_slots_.data(), kept_slots_.size());
}

// One copy only: the distances between its labels are written into code.
#if defined(__clang__)
#define RAVEL_ONE_COPY [[gnu::noinline]]
#else
#define RAVEL_ONE_COPY [[gnu::noinline, gnu::noclone]]
#endif
RAVEL_ONE_COPY void Interpreter::execute(Interpreter* interpreter, Process* process, bool granted,
                                         std::int32_t* handlers) {
#define INSTRUCTION(name, sentence) &&name,
  static const void* const kLabels[] = {
#include "erlang/machine/instructions.def"
  };
#undef INSTRUCTION
  const char* const first = static_cast<const char*>(kLabels[0]);
  if (interpreter == nullptr) {
    for (std::size_t i = 0; i < kOpCount; ++i)
      handlers[i] = static_cast<std::int32_t>(static_cast<const char*>(kLabels[i]) - first);
    return;
  }

  Interpreter& own = *interpreter;
  Machine& m = own.machine;
  Process& p = *process;
  Heap& heap = m.heap;
  Call& call_context = own.call_;
  Term* const x = own.x_.data();
  double* const floats = own.float_registers_.data();
  const CodeWord* pc = p.pc;
  const CodeWord* cp = p.cp;
  Term* e = p.top;
  Term* h = heap.top();
  std::int64_t reductions = own.reductions_left_;
  Term failed_arguments = Term::none();  // of the function or built-in that raised
  const Builtin* failed_builtin = nullptr;
  Export* target_export = nullptr;
  const CodeWord* target = nullptr;

#define A (pc->op.a)
#define B (pc->op.b)
#define W(i) (pc[i].bits)
#define TERM(i) (Term(pc[i].bits))
#define JUMP_OF(i) (pc[i].pair.low)
#define X(i) (x[i])
#define Y(i) (e[1 + (i)])
#define DISPATCH() goto* const_cast<void*>(static_cast<const void*>(first + pc->op.handler))
#define NEXT(words) \
  do {              \
    pc += (words);  \
    DISPATCH();     \
  } while (0)
#define JUMP(i)       \
  do {                \
    pc += JUMP_OF(i); \
    DISPATCH();       \
  } while (0)
#define SYNC() (heap.set_top(h), p.top = e)
  // What a built-in looks at that asks where the process is.
#define SYNC_PLACE() (SYNC(), p.pc = pc, p.cp = cp)
#define RELOAD() (h = heap.top())
#define SOURCE(i) (source_value(W(i)))
#define DESTINATION(number) (*(((number)&kYBit) != 0 ? &Y((number) & ~kYBit) : &X(number)))
#define REGISTER(number) DESTINATION(number)

  const auto source_value = [&](std::uint64_t bits) -> Term {
    if ((bits & 3) != 0) return Term(bits);
    return (bits & 4) != 0 ? e[1 + (bits >> 3)] : x[bits >> 3];
  };

  // Moves what lives out of the way of `words` more; `live` x registers hold terms.
#define ENSURE_HEAP(words, live)                   \
  do {                                             \
    if (h + (words) > heap.limit()) [[unlikely]] { \
      SYNC();                                      \
      own.live_ = (live);                          \
      heap.collect(m, (words));                    \
      own.live_ = 0;                               \
      RELOAD();                                    \
      if (heap.is_exhausted()) reductions = 0;     \
    }                                              \
  } while (0)

#define ENSURE_STACK(words)                                                                       \
  do {                                                                                            \
    if (e - p.stack.data() < static_cast<std::ptrdiff_t>((words) + kStackReserve)) [[unlikely]] { \
      p.top = e;                                                                                  \
      p.grow_stack((words) + kStackReserve);                                                      \
      e = p.top;                                                                                  \
      if (p.stack.size() > heap.words_max() / 4) heap.note_exhausted(), reductions = 0;           \
    }                                                                                             \
  } while (0)

#define COUNT_CALL()                   \
  do {                                 \
    if (--reductions < 0) [[unlikely]] \
      goto stuck;                      \
  } while (0)

#define RAISE_ERROR(value)                                       \
  do {                                                           \
    call_context.exception = {.error_class = ErrorClass::kError, \
                              .reason = (value),                 \
                              .arguments = Term::none(),         \
                              .stack_trace = Term::none(),       \
                              .cause = Term::none(),             \
                              .has_error_info = false};          \
    failed_builtin = nullptr;                                    \
    failed_arguments = Term::none();                             \
    goto raise_exception;                                        \
  } while (0)

  // In a call of an atomic module, one grant is enough for all its operations.
#define MAY_OPERATE() \
  (granted || (m.atomic_calls.is_in_step() && (p.top = e, m.atomic_calls.continues_step(p, pc, cp))))

  // An atomic step that ends because there is no message would have gone on with one.
#define NOTE_WAIT()                                                                                    \
  do {                                                                                                 \
    if (m.atomic_calls.is_in_step() && (p.top = e, m.atomic_calls.is_in_call(p, pc, cp))) [[unlikely]] \
      m.record.note_access(ObjectClass::kMailbox, p.pid.pid_name(), access::kRead);                    \
  } while (0)

  // The process rests before the operation at `pc`, which needs `count` x registers.
#define REST_BEFORE_OPERATION(count)    \
  do {                                  \
    p.rest = Rest::kReady;              \
    p.arguments.assign(x, x + (count)); \
    goto park;                          \
  } while (0)

  // The process rests before an operation that is a built-in's.
#define REST_BEFORE_BUILTIN(builtin)                                    \
  do {                                                                  \
    p.rest = is_choice(*(builtin), x) ? Rest::kChoosing : Rest::kReady; \
    p.arguments.assign(x, x + (builtin)->arity);                        \
    goto park;                                                          \
  } while (0)

  // Put back what the process had when it went to rest. (In a receive, no register holds anything.)
  if (granted && p.rest == Rest::kTimeout) pc = p.after_pc;
  std::copy(p.arguments.begin(), p.arguments.end(), x);
  p.arguments.clear();
  own.kept_slots_.clear();
  if (p.receive_pc != nullptr) own.keep_slots(e, cp);
  DISPATCH();

  // ---- Moving
move_xx:
  X(B) = X(A);
  NEXT(1);
move_xy:
  Y(B) = X(A);
  NEXT(1);
move_yx:
  X(B) = Y(A);
  NEXT(1);
move_yy:
  Y(B) = Y(A);
  NEXT(1);
move_cx:
  X(B) = TERM(1);
  NEXT(2);
move_cy:
  Y(B) = TERM(1);
  NEXT(2);
move2_xx:
  X(B) = X(A);
  X(pc[1].quad.b) = X(pc[1].quad.a);
  NEXT(2);
move2_xy:
  Y(B) = X(A);
  Y(pc[1].quad.b) = X(pc[1].quad.a);
  NEXT(2);
move2_yx:
  X(B) = Y(A);
  X(pc[1].quad.b) = Y(pc[1].quad.a);
  NEXT(2);
swap:
  std::swap(DESTINATION(A), DESTINATION(B));
  NEXT(1);

  // ---- Stack and heap
allocate : {
  const std::size_t slots = A;
  ENSURE_STACK(slots + 1);
  e -= slots + 1;
  e[0] = frame_header(cp, slots);
  cp = nullptr;
  for (std::size_t i = 1; i <= slots; ++i) e[i] = Term::nil();
  NEXT(1);
}
allocate_heap : {
  ENSURE_HEAP(W(1), B);
  const std::size_t slots = A;
  ENSURE_STACK(slots + 1);
  e -= slots + 1;
  e[0] = frame_header(cp, slots);
  cp = nullptr;
  for (std::size_t i = 1; i <= slots; ++i) e[i] = Term::nil();
  NEXT(2);
}
test_heap:
  ENSURE_HEAP(W(1), B);
  NEXT(2);
deallocate:
  cp = frame_caller(e[0]);
  e += frame_slots(e[0]) + 1;
  NEXT(1);
deallocate_return:
  pc = frame_caller(e[0]);
  e += frame_slots(e[0]) + 1;
  cp = nullptr;
  DISPATCH();
trim : {
  const std::size_t dropped = A;
  const Term header = e[0];
  e += dropped;
  e[0] = frame_header(frame_caller(header), frame_slots(header) - dropped);
  NEXT(1);
}

  // ---- Control
jump:
  JUMP(1);
call:
  COUNT_CALL();
  cp = pc + 2;
  JUMP(1);
call_only:
  COUNT_CALL();
  JUMP(1);
call_last:
  COUNT_CALL();
  cp = frame_caller(e[0]);
  e += frame_slots(e[0]) + 1;
  JUMP(1);
call_ext:
  COUNT_CALL();
  cp = pc + 2;
  pc = static_cast<const Export*>(pc[1].pointer)->address;
  DISPATCH();
call_ext_only:
  COUNT_CALL();
  pc = static_cast<const Export*>(pc[1].pointer)->address;
  DISPATCH();
call_ext_last:
  COUNT_CALL();
  cp = frame_caller(e[0]);
  e += frame_slots(e[0]) + 1;
  pc = static_cast<const Export*>(pc[1].pointer)->address;
  DISPATCH();
call_fun : {
  COUNT_CALL();
  const std::size_t arity = A;
  const Term fun = X(arity);
  if (is_kind(fun, Kind::kFun)) [[likely]] {
    const Term* object = fun.object();
    if (static_cast<std::size_t>(object[2].small_value()) == arity) [[likely]] {
      const FunEntry& entry = m.names.fun(static_cast<std::uint32_t>(object[1].small_value()));
      if (entry.code != 0) [[likely]] {
        const std::size_t free_count = size_of(object[0]) - 2;
        for (std::size_t i = 0; i < free_count; ++i) X(arity + i) = object[3 + i];
        cp = pc + 1;
        pc = m.code.area().at(entry.code);
        DISPATCH();
      }
    }
  }
  SYNC();
  target = own.resolve_fun(fun, x, arity);
  RELOAD();
  // As in OTP's machine code, a failed call shows the caller twice: where it is, and where it would return
  // to.
  cp = pc + 1;
  if (target == nullptr) goto raise_plain;
  pc = target;
  DISPATCH();
}
call_fun_last : {
  COUNT_CALL();
  SYNC();
  target = own.resolve_fun(X(A), x, A);
  RELOAD();
  if (target == nullptr) goto raise_plain;
  cp = frame_caller(e[0]);
  e += frame_slots(e[0]) + 1;
  pc = target;
  DISPATCH();
}
#define CALL_TARGET()                            \
  do {                                           \
    switch (static_cast<CallKind>(B)) {          \
      case CallKind::kInner: cp = pc + 1; break; \
      case CallKind::kLast:                      \
        cp = frame_caller(e[0]);                 \
        e += frame_slots(e[0]) + 1;              \
        break;                                   \
      case CallKind::kOnly: break;               \
    }                                            \
    pc = target;                                 \
    DISPATCH();                                  \
  } while (0)
apply_call : {
  COUNT_CALL();
  SYNC();
  const bool unpacked = own.unpack_apply(x);
  target =
      unpacked ? own.resolve_apply(x[kUnpackedModule], x[kUnpackedFunction], own.unpacked_arity_) : nullptr;
  RELOAD();
  if (target == nullptr) {
    failed_builtin = m.code.own().apply_row;
    goto raise_from_builtin;
  }
  CALL_TARGET();
}
apply_fun_call : {
  COUNT_CALL();
  SYNC();
  if (!own.unpack_apply_fun(x)) {
    RELOAD();
    failed_builtin = m.code.own().apply_fun_row;
    goto raise_from_builtin;
  }
  target = own.resolve_fun(x[own.unpacked_arity_], x, own.unpacked_arity_);
  RELOAD();
  if (target == nullptr) goto raise_plain;
  CALL_TARGET();
}
apply : {
  COUNT_CALL();
  const std::size_t arity = A;
  SYNC();
  target = own.resolve_apply(X(arity), X(arity + 1), static_cast<std::uint32_t>(arity));
  RELOAD();
  if (target == nullptr) goto raise_apply;
  cp = pc + 1;
  pc = target;
  DISPATCH();
}
apply_last : {
  COUNT_CALL();
  const std::size_t arity = A;
  SYNC();
  target = own.resolve_apply(X(arity), X(arity + 1), static_cast<std::uint32_t>(arity));
  RELOAD();
  if (target == nullptr) goto raise_apply;
  cp = frame_caller(e[0]);
  e += frame_slots(e[0]) + 1;
  pc = target;
  DISPATCH();
}
enter_atomic:
  p.top = e;
  m.atomic_calls.enter(p, cp);
  pc = static_cast<const CodeWord*>(pc[1].pointer);
  DISPATCH();
return_:
  pc = cp;
  cp = nullptr;
  DISPATCH();
load_export : {
  target_export = static_cast<Export*>(const_cast<void*>(pc[1].pointer));
  SYNC();
  target = m.code.load_export(*target_export);
  RELOAD();
  if (target != nullptr) {
    pc = target;
    DISPATCH();
  }
  if (m.faults.has_one()) goto park_at_fault;
  if (m.run_time_code.is_path_watched() && m.code.loaded_module(target_export->module) == nullptr)
      [[unlikely]] {
    if (!MAY_OPERATE()) REST_BEFORE_OPERATION(target_export->arity);
    granted = false;
    m.run_time_code.enter_code(p, *target_export, x);
  }
  goto undefined_function;
}
enter_code : {
  target_export = static_cast<Export*>(const_cast<void*>(pc[1].pointer));
  if (A != 0) {
    if (!MAY_OPERATE()) REST_BEFORE_OPERATION(target_export->arity);
    granted = false;
    m.run_time_code.enter_code(p, *target_export, x);
  } else {
    m.run_time_code.note_user(target_export->module, p.pid);
  }
  if (target_export->target == nullptr) goto undefined_function;
  pc = target_export->target;
  DISPATCH();
}
enter_fun : {
  const auto index = static_cast<std::uint32_t>(W(1));
  const FunEntry& entry = m.names.fun(index);
  if (A != 0) {
    if (!MAY_OPERATE()) REST_BEFORE_OPERATION(entry.arity + entry.free_count);
    granted = false;
    m.run_time_code.enter_fun(p, entry, x);
  } else {
    m.run_time_code.note_user(entry.module, p.pid);
  }
  if (entry.target == 0) [[unlikely]] {
    // The fun's code is gone. If there is no code of its module at all, the module is looked for.
    SYNC();
    const Term fun = m.run_time_code.remake_fun(index, x);
    if (m.code.loaded_module(entry.module) != nullptr) {
      call_context.raise(ErrorClass::kError, heap.tuple({atoms::kBadfun, fun}));
      RELOAD();
      goto raise_plain;
    }
    const Term arguments = heap.list(std::span<const Term>(x, entry.arity));
    X(0) = entry.module;
    X(1) = fun;
    X(2) = arguments;
    RELOAD();
    ENSURE_HEAP(0, 3);
    pc = m.run_time_code.undefined_lambda().address;
    DISPATCH();
  }
  pc = m.code.area().at(entry.target);
  DISPATCH();
}
undefined_function : {
  if (m.run_time_code.calls_undefined_function(*target_export)) {
    SYNC();
    const Term arguments = heap.list(std::span<const Term>(x, target_export->arity));
    X(0) = target_export->module;
    X(1) = target_export->function;
    X(2) = arguments;
    RELOAD();
    ENSURE_HEAP(0, 3);
    pc = m.run_time_code.undefined_function().address;
    DISPATCH();
  }
  // undef: the trace shows the call that could not be made, with its arguments, then the caller.
  call_context.exception = {.error_class = ErrorClass::kError,
                            .reason = atoms::kUndef,
                            .arguments = Term::none(),
                            .stack_trace = Term::none(),
                            .cause = Term::none(),
                            .has_error_info = false};
  SYNC();
  failed_arguments = heap.list(std::span<const Term>(x, target_export->arity));
  call_context.exception.stack_trace =
      m.traces.make_undef_trace(p, cp, target_export->module, target_export->function, failed_arguments);
  failed_arguments = Term::none();
  RELOAD();
  goto unwind;
}
apply_fun_body : {
  // The caller is in cp.
  COUNT_CALL();
  SYNC();
  if (!own.unpack_apply_fun(x)) {
    RELOAD();
    failed_builtin = m.code.own().apply_fun_row;
    goto raise_from_body;
  }
  target = own.resolve_fun(x[own.unpacked_arity_], x, own.unpacked_arity_);
  RELOAD();
  if (target == nullptr) goto raise_plain;
  pc = target;
  DISPATCH();
}
apply_body : {
  COUNT_CALL();
  SYNC();
  const bool unpacked = own.unpack_apply(x);
  target =
      unpacked ? own.resolve_apply(x[kUnpackedModule], x[kUnpackedFunction], own.unpacked_arity_) : nullptr;
  RELOAD();
  if (target == nullptr) {
    failed_builtin = m.code.own().apply_row;
    goto raise_from_body;
  }
  pc = target;
  DISPATCH();
}
hibernate_body : {
  if (A == 0) {  // hibernate/0 keeps the stack, and returns when there is a message
    if (p.mailbox.empty()) {
      p.rest = Rest::kWaiting;
      p.arguments.clear();
      p.wakes_on_message = true;
      goto park;
    }
    X(0) = atoms::kOk;
    pc = cp;
    cp = nullptr;
    DISPATCH();
  }
  // Drops the stack and goes on when there is a message, like a receive that matches anything.
  // Whether the call can be made is found out now.
  const Term call[] = {X(0), X(1), X(2)};
  SYNC();
  const bool unpacked = own.unpack_apply(x);
  RELOAD();
  if (!unpacked) {
    failed_builtin = m.code.own().hibernate_row;
    goto raise_from_body;
  }
  std::copy(std::begin(call), std::end(call), x);
  e = p.stack_end();
  p.frozen_stack = Term::nil();
  cp = m.code.own().process_end;
  pc = m.code.own().wake_up;
  if (!p.mailbox.empty()) DISPATCH();
  p.rest = Rest::kWaiting;
  p.arguments.assign(x, x + 3);
  p.wakes_on_message = true;
  goto park;
}
wake_up:
  goto apply_body;
underflow : {
  const Term frozen = p.frozen_stack;
  if (frozen.is_nil()) goto process_end;
  SYNC();
  pc = m.freezer.thaw_frame(p);
  e = p.top;
  RELOAD();
  cp = nullptr;
  DISPATCH();
}
process_end:
  p.rest = Rest::kEnding;
  p.exit_reason = atoms::kNormal;
  p.exit_origin = Term::none();
  p.ends_by_exception = false;
  e = p.stack_end();
  p.frozen_stack = Term::nil();
  cp = nullptr;
  pc = m.code.own().process_end;
  goto park;

  // ---- Built-ins
call_builtin : {
  const auto* builtin = static_cast<const Builtin*>(pc[1].pointer);
  COUNT_CALL();
  SYNC_PLACE();
  const Term result = builtin->function(call_context, x);
  RELOAD();
  if (result.is_none()) [[unlikely]] {
    if (call_context.replacement.arity != 0) {
      cp = pc + 2;
      goto call_replacement;
    }
    if (m.faults.has_one()) goto park_at_fault;
    failed_builtin = builtin;
    goto raise_from_builtin;
  }
  X(0) = result;
  ENSURE_HEAP(0, 1);
  NEXT(2);
}
call_operation : {
  const auto* builtin = static_cast<const Builtin*>(pc[1].pointer);
  if (!(builtin->effect == Effect::kChoice ? granted : MAY_OPERATE())) REST_BEFORE_BUILTIN(builtin);
  granted = false;
  SYNC();
  const Term result = own.run_operation(p, *builtin, pc);
  RELOAD();
  if (m.faults.has_one()) goto park_at_fault;
  if (result.is_none()) [[unlikely]] {
    failed_builtin = builtin;
    goto raise_from_builtin;
  }
  X(0) = result;
  if (p.rest == Rest::kEnding) goto park_killed;
  ENSURE_HEAP(0, 1);
  NEXT(2);
}
builtin_body : {
  const auto* builtin = static_cast<const Builtin*>(pc[1].pointer);
  SYNC_PLACE();
  const Term result = builtin->function(call_context, x);
  RELOAD();
  if (result.is_none()) [[unlikely]] {
    if (call_context.replacement.arity != 0) goto call_replacement;
    if (m.faults.has_one()) goto park_at_fault;
    failed_builtin = builtin;
    goto raise_from_body;
  }
  X(0) = result;
  ENSURE_HEAP(0, 1);
  pc = cp;
  cp = nullptr;
  DISPATCH();
}
operation_body : {
  const auto* builtin = static_cast<const Builtin*>(pc[1].pointer);
  if (!(builtin->effect == Effect::kChoice ? granted : MAY_OPERATE())) REST_BEFORE_BUILTIN(builtin);
  granted = false;
  SYNC();
  const Term result = own.run_operation(p, *builtin, pc);
  RELOAD();
  if (m.faults.has_one()) goto park_at_fault;
  if (result.is_none()) [[unlikely]] {
    failed_builtin = builtin;
    goto raise_from_body;
  }
  X(0) = result;
  if (p.rest == Rest::kEnding) goto park_killed;
  ENSURE_HEAP(0, 1);
  pc = cp;
  cp = nullptr;
  DISPATCH();
}
bif0 : {
  const auto* builtin = static_cast<const Builtin*>(pc[1].pointer);
  SYNC_PLACE();
  const Term result = builtin->function(call_context, nullptr);
  RELOAD();
  DESTINATION(A) = result;
  NEXT(2);
}
bif1 : {
  const auto* builtin = static_cast<const Builtin*>(pc[1].pointer);
  const Term arguments[1] = {SOURCE(2)};
  SYNC_PLACE();
  const Term result = builtin->function(call_context, arguments);
  RELOAD();
  if (result.is_none()) [[unlikely]] {
    if (m.faults.has_one()) goto park_at_fault;
    if (JUMP_OF(3) != 0) JUMP(3);
    X(0) = arguments[0];
    failed_builtin = builtin;
    goto raise_from_builtin;
  }
  DESTINATION(A) = result;
  NEXT(4);
}
bif2 : {
  const auto* builtin = static_cast<const Builtin*>(pc[1].pointer);
  const Term arguments[2] = {SOURCE(2), SOURCE(3)};
  SYNC_PLACE();
  const Term result = builtin->function(call_context, arguments);
  RELOAD();
  if (result.is_none()) [[unlikely]] {
    if (m.faults.has_one()) goto park_at_fault;
    if (JUMP_OF(4) != 0) JUMP(4);
    X(0) = arguments[0];
    X(1) = arguments[1];
    failed_builtin = builtin;
    goto raise_from_builtin;
  }
  DESTINATION(A) = result;
  NEXT(5);
}
bif3 : {
  const auto* builtin = static_cast<const Builtin*>(pc[1].pointer);
  const Term arguments[3] = {SOURCE(2), SOURCE(3), SOURCE(4)};
  SYNC_PLACE();
  const Term result = builtin->function(call_context, arguments);
  RELOAD();
  if (result.is_none()) [[unlikely]] {
    if (m.faults.has_one()) goto park_at_fault;
    if (JUMP_OF(5) != 0) JUMP(5);
    for (int i = 0; i < 3; ++i) X(i) = arguments[i];
    failed_builtin = builtin;
    goto raise_from_builtin;
  }
  DESTINATION(A) = result;
  NEXT(6);
}
self:
  DESTINATION(A) = p.pid;
  NEXT(2 - 1);

call_replacement : {
  // The built-in hands its work to a function, which returns to `cp`.
  Replacement& replacement = call_context.replacement;
  std::copy_n(replacement.arguments.begin(), replacement.arity, x);
  target = m.code.export_named(replacement.module, replacement.function, replacement.arity).address;
  replacement.arity = 0;
  pc = target;
  DISPATCH();
}

// ---- Arithmetic. The fast path of each is inline in arithmetic.h; what fails goes through the built-in,
// which knows the reason.
#define ARITHMETIC_FAILS(left, right) \
  do {                                \
    if (JUMP_OF(4) != 0) JUMP(4);     \
    X(0) = (left);                    \
    X(1) = (right);                   \
    goto raise_from_arithmetic;       \
  } while (0)
#define ARITHMETIC(function)                         \
  {                                                  \
    const Term left = SOURCE(2), right = SOURCE(3);  \
    heap.set_top(h);                                 \
    const Term result = function(heap, left, right); \
    RELOAD();                                        \
    if (result.is_none()) [[unlikely]]               \
      ARITHMETIC_FAILS(left, right);                 \
    DESTINATION(A) = result;                         \
    NEXT(5);                                         \
  }
add : {
  const Term left = SOURCE(2), right = SOURCE(3);
  std::int64_t sum;
  if (are_both_small(left, right) &&
      !__builtin_add_overflow(static_cast<std::int64_t>(left.bits()),
                              static_cast<std::int64_t>(right.bits() - 0xF), &sum)) [[likely]] {
    DESTINATION(A) = Term(static_cast<Word>(sum));
    NEXT(5);
  }
  goto add_slowly;
}
subtract : {
  const Term left = SOURCE(2), right = SOURCE(3);
  std::int64_t difference;
  if (are_both_small(left, right) &&
      !__builtin_sub_overflow(static_cast<std::int64_t>(left.bits()),
                              static_cast<std::int64_t>(right.bits() - 0xF), &difference)) [[likely]] {
    DESTINATION(A) = Term(static_cast<Word>(difference));
    NEXT(5);
  }
  goto subtract_slowly;
}
add_slowly:
  ARITHMETIC(erlang::slow::add)
subtract_slowly:
  ARITHMETIC(erlang::slow::subtract)
multiply:
  ARITHMETIC(erlang::multiply)
integer_divide:
  ARITHMETIC(erlang::integer_divide)
remainder:
  ARITHMETIC(erlang::remainder)
bit_and:
  ARITHMETIC(erlang::bit_and)
bit_or:
  ARITHMETIC(erlang::bit_or)
bit_xor:
  ARITHMETIC(erlang::bit_xor)
shift_left:
  ARITHMETIC(erlang::shift_left)
shift_right:
  ARITHMETIC(erlang::shift_right)
add_xc : {
  const Term left = X(B), right = TERM(3);
  std::int64_t sum;
  if (left.is_small() && !__builtin_add_overflow(static_cast<std::int64_t>(left.bits()),
                                                 static_cast<std::int64_t>(right.bits() - 0xF), &sum))
      [[likely]] {
    X(A) = Term(static_cast<Word>(sum));
    NEXT(5);
  }
  goto add_slowly;
}
add_xx : {
  const Term left = X(B), right = SOURCE(3);
  std::int64_t sum;
  if (are_both_small(left, right) &&
      !__builtin_add_overflow(static_cast<std::int64_t>(left.bits()),
                              static_cast<std::int64_t>(right.bits() - 0xF), &sum)) [[likely]] {
    X(A) = Term(static_cast<Word>(sum));
    NEXT(5);
  }
  goto add_slowly;
}
subtract_xc : {
  const Term left = X(B), right = TERM(3);
  std::int64_t difference;
  if (left.is_small() && !__builtin_sub_overflow(static_cast<std::int64_t>(left.bits()),
                                                 static_cast<std::int64_t>(right.bits() - 0xF), &difference))
      [[likely]] {
    X(A) = Term(static_cast<Word>(difference));
    NEXT(5);
  }
  goto subtract_slowly;
}
subtract_xx : {
  const Term left = X(B), right = SOURCE(3);
  std::int64_t difference;
  if (are_both_small(left, right) &&
      !__builtin_sub_overflow(static_cast<std::int64_t>(left.bits()),
                              static_cast<std::int64_t>(right.bits() - 0xF), &difference)) [[likely]] {
    X(A) = Term(static_cast<Word>(difference));
    NEXT(5);
  }
  goto subtract_slowly;
}
element : {
  const Term index = SOURCE(2), tuple = SOURCE(3);
  if (index.is_small() && is_tuple(tuple)) [[likely]] {
    const auto at = static_cast<std::uint64_t>(index.small_value());
    if (at - 1 < tuple_size(tuple)) [[likely]] {
      DESTINATION(A) = erlang::element(tuple, at);
      NEXT(5);
    }
  }
  ARITHMETIC_FAILS(index, tuple);
}

// ---- Type tests
#define TEST_XY(name, condition) \
  name##_x : {                   \
    const Term t = X(A);         \
    if (condition) NEXT(2);      \
    JUMP(1);                     \
  }                              \
  name##_y : {                   \
    const Term t = Y(A);         \
    if (condition) NEXT(2);      \
    JUMP(1);                     \
  }
  TEST_XY(is_integer, t.is_small() || is_big(t))
  TEST_XY(is_float, erlang::is_float(t))
  TEST_XY(is_number, t.is_small() || erlang::is_number(t))
  TEST_XY(is_atom, t.is_atom())
  TEST_XY(is_pid, t.is_pid() || is_foreign(t, atoms::kPid))
  TEST_XY(is_reference, t.is_reference() || is_foreign(t, atoms::kReference))
  TEST_XY(is_port, t.is_port() || is_foreign(t, atoms::kPort))
  TEST_XY(is_nil, t.is_nil())
  TEST_XY(is_binary, erlang::is_binary(t))
  TEST_XY(is_bitstring, erlang::is_bitstring(t))
  TEST_XY(is_list, t.is_cons() || t.is_nil())
  TEST_XY(is_nonempty_list, t.is_cons())
  TEST_XY(is_tuple, erlang::is_tuple(t))
  TEST_XY(is_function, is_fun(t))
  TEST_XY(is_boolean, t == atoms::kTrue || t == atoms::kFalse)
  TEST_XY(is_map, erlang::is_map(t))
test_arity_x:
  if (X(A).header() == TERM(2)) NEXT(3);
  JUMP(1);
test_arity_y:
  if (Y(A).header() == TERM(2)) NEXT(3);
  JUMP(1);
is_tuple_of_arity_x : {
  const Term t = X(A);
  if (t.is_boxed() && t.header() == make_header(Kind::kTuple, B)) NEXT(2);
  JUMP(1);
}
is_tuple_of_arity_y : {
  const Term t = Y(A);
  if (t.is_boxed() && t.header() == make_header(Kind::kTuple, B)) NEXT(2);
  JUMP(1);
}
is_tagged_tuple_x : {
  const Term t = X(A);
  if (t.is_boxed() && t.header() == TERM(2) && t.object()[1] == TERM(3)) NEXT(4);
  JUMP(1);
}
is_tagged_tuple_y : {
  const Term t = Y(A);
  if (t.is_boxed() && t.header() == TERM(2) && t.object()[1] == TERM(3)) NEXT(4);
  JUMP(1);
}
is_function2 : {
  const Term fun = SOURCE(2), arity = SOURCE(3);
  // The arity stands in the same place in both kinds: last of an external fun, second of a local one.
  if (is_kind(fun, Kind::kFun) && fun.object()[2] == arity) NEXT(4);
  if (is_kind(fun, Kind::kExternalFun) && fun.object()[3] == arity) NEXT(4);
  JUMP(1);
}

  // ---- Comparisons
is_eq_exact_xc:
  if (X(A) == TERM(2)) NEXT(3);
  JUMP(1);
is_eq_exact_yc:
  if (Y(A) == TERM(2)) NEXT(3);
  JUMP(1);
is_eq_exact_xx:
  if (equal_exactly(X(A), X(B))) NEXT(2);
  JUMP(1);
is_eq_exact:
  if (equal_exactly(SOURCE(2), SOURCE(3))) NEXT(4);
  JUMP(1);
is_ne_exact_xc:
  if (X(A) != TERM(2)) NEXT(3);
  JUMP(1);
is_ne_exact:
  if (!equal_exactly(SOURCE(2), SOURCE(3))) NEXT(4);
  JUMP(1);
is_eq:
  if (equal(SOURCE(2), SOURCE(3))) NEXT(4);
  JUMP(1);
is_ne:
  if (!equal(SOURCE(2), SOURCE(3))) NEXT(4);
  JUMP(1);
  // Small integers carry the same tag, so their words are in their order.
#define ORDER(left, right, operation)                                                        \
  (are_both_small((left), (right)) ? static_cast<std::int64_t>((left).bits())                \
                                         operation static_cast<std::int64_t>((right).bits()) \
                                   : compare(m.names, (left), (right)) operation 0)
#define TEST_ORDER(left_operand, right_operand, operation, words) \
  {                                                               \
    const Term left = (left_operand), right = (right_operand);    \
    if (are_both_small(left, right)) [[likely]] {                 \
      if (ORDER(left, right, operation)) NEXT(words);             \
      JUMP(1);                                                    \
    }                                                             \
    const bool holds = compare(m.names, left, right) operation 0; \
    if (m.names.uses.has_noted()) [[unlikely]] {                  \
      SYNC_PLACE();                                               \
      if (!m.opaque_names.may_go_on()) goto park_at_fault;        \
    }                                                             \
    if (holds) NEXT(words);                                       \
    JUMP(1);                                                      \
  }
is_lt_xx:
  TEST_ORDER(X(A), X(B), <, 2)
is_lt_xc:
  TEST_ORDER(X(A), TERM(2), <, 3)
is_lt_cx:
  TEST_ORDER(TERM(2), X(A), <, 3)
is_lt:
  TEST_ORDER(SOURCE(2), SOURCE(3), <, 4)
is_ge_xx:
  TEST_ORDER(X(A), X(B), >=, 2)
is_ge_xc:
  TEST_ORDER(X(A), TERM(2), >=, 3)
is_ge_cx:
  TEST_ORDER(TERM(2), X(A), >=, 3)
is_ge:
  TEST_ORDER(SOURCE(2), SOURCE(3), >=, 4)
select_linear : {
  const Word value = X(A).bits();
  const std::size_t count = B;
  for (std::size_t i = 0; i < count; ++i)
    if (pc[2 + i].bits == value) {
      pc += pc[2 + count + i].pair.low;
      DISPATCH();
    }
  JUMP(1);
}
select_binary : {
  const Word value = X(A).bits();
  std::size_t low = 0, high = B;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    const Word there = pc[2 + middle].bits;
    if (there == value) {
      pc += pc[2 + B + middle].pair.low;
      DISPATCH();
    }
    if (there < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  JUMP(1);
}
select_table : {
  const Term value = X(A);
  if (value.is_small()) {
    const std::uint64_t at = static_cast<std::uint64_t>(value.small_value()) - W(2);
    if (at < B) {
      const CodeWord& both = pc[3 + at / 2];
      pc += at % 2 == 0 ? both.pair.low : both.pair.high;
      DISPATCH();
    }
  }
  JUMP(1);
}
select_arity : {
  const Term tuple = X(A);
  if (erlang::is_tuple(tuple)) {
    const Word value = tuple.header().bits();
    const std::size_t count = B;
    for (std::size_t i = 0; i < count; ++i)
      if (pc[2 + i].bits == value) {
        pc += pc[2 + count + i].pair.low;
        DISPATCH();
      }
  }
  JUMP(1);
}

  // ---- Data
get_list_xxx : {
  const Term* cell = X(A).cell();
  const Term head = cell[0], tail = cell[1];
  X(pc[1].quad.a) = head;
  X(pc[1].quad.b) = tail;
  NEXT(2);
}
get_list : {
  const Term* cell = REGISTER(A).cell();
  const Term head = cell[0], tail = cell[1];
  DESTINATION(pc[1].quad.a) = head;
  DESTINATION(pc[1].quad.b) = tail;
  NEXT(2);
}
is_nonempty_list_get_list : {
  const Term list = X(A);
  if (!list.is_cons()) JUMP(1);
  const Term* cell = list.cell();
  const Term head = cell[0], tail = cell[1];
  DESTINATION(pc[1].quad.c) = head;
  DESTINATION(pc[1].quad.d) = tail;
  NEXT(2);
}
get_hd:
  DESTINATION(B) = REGISTER(A).head();
  NEXT(1);
get_tl:
  DESTINATION(B) = REGISTER(A).tail();
  NEXT(1);
get_tuple_element_xx:
  X(B) = X(A).object()[W(1)];
  NEXT(2);
get_tuple_element_xy:
  Y(B) = X(A).object()[W(1)];
  NEXT(2);
get_tuple_element_yx:
  X(B) = Y(A).object()[W(1)];
  NEXT(2);
get_tuple_element_yy:
  Y(B) = Y(A).object()[W(1)];
  NEXT(2);
get_two_tuple_elements_x : {
  const Term* object = X(A).object();
  const Term one = object[pc[1].quad.a], two = object[pc[1].quad.b];
  DESTINATION(pc[1].quad.c) = one;
  DESTINATION(pc[1].quad.d) = two;
  NEXT(2);
}
set_tuple_element:
  REGISTER(A).object()[B] = SOURCE(1);
  NEXT(2);
put_list:
  h[0] = SOURCE(1);
  h[1] = SOURCE(2);
  DESTINATION(A) = Term::cons(h);
  h += 2;
  NEXT(3);
put_list_xxx:
  h[0] = X(B);
  h[1] = X(pc[1].quad.a);
  X(A) = Term::cons(h);
  h += 2;
  NEXT(2);
put_list_yxx:
  h[0] = Y(B);
  h[1] = X(pc[1].quad.a);
  X(A) = Term::cons(h);
  h += 2;
  NEXT(2);
put_list_xcx:
  h[0] = X(B);
  h[1] = TERM(1);
  X(A) = Term::cons(h);
  h += 2;
  NEXT(2);
put_tuple : {
  const std::size_t size = B;
  Term* object = h;
  h += size + 1;
  object[0] = make_header(Kind::kTuple, size);
  for (std::size_t i = 1; i <= size; ++i) object[i] = SOURCE(i);
  DESTINATION(A) = Term::boxed(object);
  NEXT(size + 1);
}
is_native_record:
  if (!erlang::is_native_record(SOURCE(2))) JUMP(1);
  NEXT(3);
is_native_record_of : {
  const Term value = SOURCE(2);
  if (!erlang::is_native_record(value) || defining_module(record_definition(value)) != TERM(3) ||
      defined_name(record_definition(value)) != TERM(4))
    JUMP(1);
  NEXT(5);
}
is_record_accessible : {
  const Term value = SOURCE(2);
  if (!erlang::is_native_record(value)) JUMP(1);
  const Term definition = record_definition(value);
  if (!is_exported_definition(definition) && defining_module(definition) != TERM(3)) JUMP(1);
  NEXT(4);
}
get_record_elements : {
  const Term value = SOURCE(2);
  if (!erlang::is_native_record(value)) JUMP(1);
  const std::size_t count = B;
  for (std::size_t i = 0; i < count; ++i) {
    const auto field = find_field(record_definition(value), TERM(3 + 2 * i));
    if (!field) JUMP(1);
    DESTINATION(W(4 + 2 * i)) = record_values(value)[*field];
  }
  NEXT(3 + 2 * count);
}
get_record_field : {
  SYNC();
  const Term result = erlang::get_record_field(call_context, SOURCE(2), TERM(3), TERM(4));
  RELOAD();
  if (result.is_none()) {
    if (JUMP_OF(1) != 0) JUMP(1);
    RAISE_ERROR(call_context.exception.reason);
  }
  DESTINATION(A) = result;
  NEXT(5);
}
put_record : {
  const Term from = SOURCE(2);
  const std::size_t words = B;
  own.pairs_.clear();
  for (std::size_t i = 0; i < words; i += 2)
    own.pairs_.insert(own.pairs_.end(), {TERM(4 + i), SOURCE(5 + i)});
  SYNC();
  const Term result = erlang::is_native_record(from)
                          ? erlang::update_record(call_context, from, own.pairs_)
                          : create_record(call_context, TERM(1),
                                          W(3) == 0 ? RecordScope::kOwn : RecordScope::kExported, own.pairs_);
  RELOAD();
  if (result.is_none()) RAISE_ERROR(call_context.exception.reason);
  DESTINATION(A) = result;
  NEXT(4 + words);
}
update_record : {
  const Term* from = SOURCE(1).object();
  const std::size_t size = size_of(from[0]);
  Term* object = h;
  h += size + 1;
  std::memcpy(static_cast<void*>(object), from, (size + 1) * sizeof(Term));
  const std::size_t words = B;
  for (std::size_t i = 0; i < words; i += 2) object[W(2 + i)] = SOURCE(3 + i);
  DESTINATION(A) = Term::boxed(object);
  NEXT(words + 2);
}
#define PUT_MAP(put)                                                             \
  {                                                                              \
    const Term map = SOURCE(1);                                                  \
    const std::size_t words = B;                                                 \
    own.pairs_.clear();                                                          \
    for (std::size_t i = 0; i < words; ++i) own.pairs_.push_back(SOURCE(3 + i)); \
    SYNC();                                                                      \
    Term missing = Term::none();                                                 \
    Term result = Term::none();                                                  \
    if (erlang::is_map(map)) {                                                   \
      result = (put);                                                            \
      if (result.is_none()) call_context.badkey(missing);                        \
    } else {                                                                     \
      call_context.badmap(map);                                                  \
    }                                                                            \
    RELOAD();                                                                    \
    if (result.is_none()) {                                                      \
      if (JUMP_OF(2) != 0) JUMP(2);                                              \
      RAISE_ERROR(call_context.exception.reason);                                \
    }                                                                            \
    DESTINATION(A) = result;                                                     \
    NEXT(3 + words);                                                             \
  }
put_map_assoc:
  PUT_MAP(map_put_pairs(heap, m.names, map, own.pairs_))
put_map_exact:
  PUT_MAP(map_update_pairs(heap, m.names, map, own.pairs_, &missing))
has_map_fields : {
  const Term map = SOURCE(2);
  const std::size_t count = B;
  for (std::size_t i = 0; i < count; ++i)
    if (map_get(m.names, map, SOURCE(3 + i)).is_none()) JUMP(1);
  NEXT(3 + count);
}
get_map_elements : {
  const Term map = SOURCE(2);
  const std::size_t count = B;
  for (std::size_t i = 0; i < count; ++i) {
    const Term value = map_get(m.names, map, SOURCE(3 + 2 * i));
    if (value.is_none()) JUMP(1);
    DESTINATION(W(4 + 2 * i)) = value;
  }
  NEXT(3 + 2 * count);
}
make_fun : {
  const std::size_t free_count = B;
  const auto entry = static_cast<std::uint32_t>(W(1));
  Term* object = h;
  h += free_count + 3;
  object[0] = make_header(Kind::kFun, free_count + 2);
  object[1] = Term::small(entry);
  object[2] = Term::small(m.names.fun(entry).arity);
  for (std::size_t i = 0; i < free_count; ++i) object[3 + i] = SOURCE(2 + i);
  DESTINATION(A) = Term::boxed(object);
  NEXT(2 + free_count);
}

  // ---- Floats
float_load:
  floats[B] = float_value(SOURCE(1));
  NEXT(2);
float_store:
  h[0] = make_header(Kind::kFloat, 1);
  h[1] = Term(__builtin_bit_cast(Word, floats[B]));
  DESTINATION(A) = Term::boxed(h);
  h += 2;
  NEXT(1);
float_convert : {
  const std::optional<double> value = to_double(SOURCE(1));
  if (!value) RAISE_ERROR(atoms::kBadarith);
  floats[B] = *value;
  NEXT(2);
}
#define FLOAT_OPERATION(expression)            \
  {                                            \
    const double left = floats[pc[1].quad.a];  \
    const double right = floats[pc[1].quad.b]; \
    const double value = (expression);         \
    if (!std::isfinite(value)) [[unlikely]]    \
      RAISE_ERROR(atoms::kBadarith);           \
    floats[B] = value;                         \
    NEXT(2);                                   \
  }
float_add:
  FLOAT_OPERATION(left + right)
float_subtract:
  FLOAT_OPERATION(left - right)
float_multiply:
  FLOAT_OPERATION(left * right)
float_divide:
  FLOAT_OPERATION(left / right)
float_negate:
  floats[B] = 0.0 - floats[A];  // as OTP's machine code, which never makes -0.0
  NEXT(1);

  // ---- Exceptions
function_clause:
  SYNC();
  failed_arguments = heap.list(std::span<const Term>(x, A));
  call_context.raise(ErrorClass::kError, atoms::kFunctionClause);
  call_context.exception.stack_trace =
      m.traces.make_function_clause_trace(p, pc, cp, failed_arguments, call_context.exception);
  RELOAD();
  goto unwind;
catch_:
  Y(A) = Term::catch_tag(W(1));
  NEXT(2);
catch_end:
  Y(A) = Term::nil();
  if (X(0).is_none()) {
    // An exception came here: x1 class, x2 reason, x3 raw trace.
    SYNC();
    X(0) = m.traces.catch_value(X(1), X(2), X(3));
    RELOAD();
    ENSURE_HEAP(0, 1);
  }
  NEXT(1);
try_end:
  Y(A) = Term::nil();
  NEXT(1);
try_case:
  Y(A) = Term::nil();
  // No exception came here: see frame_check.cc
  if (!X(0).is_none()) [[unlikely]]
    RAISE_ERROR(atoms::kBadarg);
  X(0) = X(1);
  X(1) = X(2);
  X(2) = X(3);
  NEXT(1);
try_case_end:
  SYNC();
  failed_arguments = heap.tuple({atoms::kTryClause, SOURCE(1)});
  RELOAD();
  RAISE_ERROR(failed_arguments);
badmatch:
  SYNC();
  failed_arguments = heap.tuple({atoms::kBadmatch, SOURCE(1)});
  RELOAD();
  RAISE_ERROR(failed_arguments);
case_end:
  SYNC();
  failed_arguments = heap.tuple({atoms::kCaseClause, SOURCE(1)});
  RELOAD();
  RAISE_ERROR(failed_arguments);
badrecord:
  SYNC();
  failed_arguments = heap.tuple({atoms::kBadrecord, SOURCE(1)});
  RELOAD();
  RAISE_ERROR(failed_arguments);
if_end:
  RAISE_ERROR(atoms::kIfClause);
raise : {
  const Term trace = SOURCE(1), reason = SOURCE(2);
  call_context.exception = {.error_class = class_of_raw_trace(trace),
                            .reason = reason,
                            .arguments = Term::none(),
                            .stack_trace = trace,
                            .cause = Term::none(),
                            .has_error_info = false};
  goto unwind;
}
raw_raise : {
  const Term error_class = X(0);
  if (error_class != atoms::kError && error_class != atoms::kExit && error_class != atoms::kThrow) {
    X(0) = atoms::kBadarg;
    NEXT(1);
  }
  SYNC();
  call_context.exception = {.error_class = error_class == atoms::kError  ? ErrorClass::kError
                                           : error_class == atoms::kExit ? ErrorClass::kExit
                                                                         : ErrorClass::kThrow,
                            .reason = X(1),
                            .arguments = Term::none(),
                            .stack_trace = X(2),
                            .cause = Term::none(),
                            .has_error_info = false};
  call_context.exception.stack_trace = raised_again(heap, X(2), call_context.exception.error_class);
  RELOAD();
  goto unwind;
}
build_stacktrace:
  SYNC();
  X(0) = m.traces.build_trace(X(0));
  RELOAD();
  ENSURE_HEAP(0, 1);
  NEXT(1);

  // ---- Messages
send:
  if (!MAY_OPERATE()) REST_BEFORE_OPERATION(2);
  granted = false;
  {
    SYNC();
    const bool sent = own.run_send(p, x[0], x[1], pc);
    RELOAD();
    if (m.faults.has_one()) goto park_at_fault;
    if (!sent) {
      failed_builtin = m.code.own().send_row;
      goto raise_from_builtin;
    }
    X(0) = X(1);
    if (p.rest == Rest::kEnding) goto park_killed;
    NEXT(1);
  }
loop_rec:
  if (p.receive_pc != pc) {
    p.receive_pc = pc;
    p.receive_at = 0;
    p.timeout = Term::none();
    own.keep_slots(e, cp);
  }
  if (p.receive_at >= p.mailbox.size()) JUMP(1);
  DESTINATION(A) = p.mailbox[p.receive_at].content;
  NEXT(2);
loop_rec_end:
  ++p.receive_at;
  JUMP(1);
remove_message:
  if (!MAY_OPERATE()) {
    p.rest = Rest::kMatched;
    p.is_due = m.time.is_due(p);
    p.timeout = Term::none();  // whether it has waited for the message makes no difference any more
    p.due_ms = 0;
    goto park_in_receive;
  }
  granted = false;
  p.top = e;
  own.take_message(p, pc);
  NEXT(1);
wait:
  NOTE_WAIT();
  p.rest = Rest::kWaiting;
  goto park_in_receive;
wait_timeout:
  NOTE_WAIT();
  if (p.timeout.is_none()) {
    const Term time = SOURCE(1);
    if (time != atoms::kInfinity &&
        !(time.is_small() && time.small_value() >= 0 && time.small_value() <= 0xFFFFFFFF)) {
      p.receive_pc = nullptr;
      p.receive_at = 0;
      RAISE_ERROR(atoms::kTimeoutValue);
    }
    p.timeout = time;
    p.due_ms = time.is_small() ? m.time.deadline_in(time.small_value()) : 0;
  }
  if (p.timeout == atoms::kInfinity || p.timeout.small_value() >= m.options.after_infinite_ms) {
    p.rest = Rest::kWaiting;
  } else {
    p.rest = Rest::kTimeout;
    p.after_pc = pc + 2;
  }
  goto park_in_receive;
timeout:
  if (!granted && p.timeout.is_none()) {
    p.timeout = Term::small(0);
    p.due_ms = m.time.deadline_in(0);
  }
  if (!MAY_OPERATE()) {
    p.rest = Rest::kTimeout;
    p.after_pc = pc;
    goto park_in_receive;
  }
  granted = false;
  own.take_timeout(p, pc);
  NEXT(1);
  // ---- Bit syntax: matching
bs_start_match : {
  const Term from = SOURCE(2);
  SYNC();
  const Term context = start_match(heap, from);
  RELOAD();
  if (context.is_none()) {
    if (JUMP_OF(1) != 0) JUMP(1);
    RAISE_ERROR(atoms::kBadarg);
  }
  DESTINATION(A) = context;
  NEXT(3);
}
bs_get_position:
  DESTINATION(B) = get_position(REGISTER(A));
  NEXT(1);
bs_set_position:
  set_position(REGISTER(A), REGISTER(B));
  NEXT(1);
bs_get_tail : {
  SYNC();
  const Term tail = context_tail(heap, REGISTER(A));
  RELOAD();
  DESTINATION(B) = tail;
  NEXT(1);
}
// Commands of bs_match that cannot fail have no label; only a damaged file makes them fail.
#define BS_NO_MATCH()                                 \
  do {                                                \
    if (JUMP_OF(1) == 0) RAISE_ERROR(atoms::kBadarg); \
    JUMP(1);                                          \
  } while (0)
bs_get_integer : {
  const std::optional<std::uint64_t> bits = field_bits(SOURCE(2), static_cast<unsigned>(pc[3].pair.low));
  if (!bits) BS_NO_MATCH();
  SYNC();
  const Term value = match_integer(heap, REGISTER(A), *bits, static_cast<unsigned>(pc[3].pair.high));
  RELOAD();
  if (value.is_none()) BS_NO_MATCH();
  DESTINATION(B) = value;
  NEXT(4);
}
bs_get_float : {
  const std::optional<std::uint64_t> bits = field_bits(SOURCE(2), static_cast<unsigned>(pc[3].pair.low));
  if (!bits) BS_NO_MATCH();
  SYNC();
  const Term value = match_float(heap, REGISTER(A), *bits, static_cast<unsigned>(pc[3].pair.high));
  RELOAD();
  if (value.is_none()) BS_NO_MATCH();
  DESTINATION(B) = value;
  NEXT(4);
}
bs_get_binary : {
  const Term size = SOURCE(2);
  const auto unit = static_cast<unsigned>(pc[3].pair.low);
  Term value;
  SYNC();
  if (size == atoms::kAll) {
    value = match_rest(heap, REGISTER(A), unit);
  } else {
    const std::optional<std::uint64_t> bits = field_bits(size, unit);
    value = bits ? match_binary(heap, REGISTER(A), *bits) : Term::none();
  }
  RELOAD();
  if (value.is_none()) BS_NO_MATCH();
  DESTINATION(B) = value;
  NEXT(4);
}
bs_skip_bits : {
  const Term size = SOURCE(2);
  const auto unit = static_cast<unsigned>(pc[3].pair.low);
  bool skipped;
  if (size == atoms::kAll) {
    skipped = skip_rest(REGISTER(A), unit);
  } else {
    const std::optional<std::uint64_t> bits = field_bits(size, unit);
    skipped = bits && skip_bits(REGISTER(A), *bits);
  }
  if (!skipped) BS_NO_MATCH();
  NEXT(4);
}
bs_ensure:
  if (context_left(REGISTER(A)) < W(2) || (context_left(REGISTER(A)) - W(2)) % B != 0) BS_NO_MATCH();
  NEXT(3);
bs_test_tail:
  if (!test_tail(REGISTER(A), W(2))) BS_NO_MATCH();
  NEXT(3);
bs_test_unit:
  if (!test_unit(REGISTER(A), B)) BS_NO_MATCH();
  NEXT(2);
bs_match_string:
  if (!match_string(REGISTER(A), static_cast<const std::uint8_t*>(pc[3].pointer), W(2))) BS_NO_MATCH();
  NEXT(4);
#define BS_GET_CHARACTER(expression)        \
  {                                         \
    const Term character = (expression);    \
    if (character.is_none()) BS_NO_MATCH(); \
    DESTINATION(B) = character;             \
    NEXT(3);                                \
  }
bs_get_utf8:
  BS_GET_CHARACTER(match_utf8(REGISTER(A)))
bs_get_utf16:
  BS_GET_CHARACTER(match_utf16(REGISTER(A), static_cast<unsigned>(W(2))))
bs_get_utf32:
  BS_GET_CHARACTER(match_utf32(REGISTER(A), static_cast<unsigned>(W(2))))
bs_skip_utf8:
  if (match_utf8(REGISTER(A)).is_none()) BS_NO_MATCH();
  NEXT(3);
bs_skip_utf16:
  if (match_utf16(REGISTER(A), static_cast<unsigned>(W(2))).is_none()) BS_NO_MATCH();
  NEXT(3);
bs_skip_utf32:
  if (match_utf32(REGISTER(A), static_cast<unsigned>(W(2))).is_none()) BS_NO_MATCH();
  NEXT(3);

  // ---- Bit syntax: construction
bs_init_writable : {
  const Term size = X(0);
  SYNC();
  X(0) = make_writable(
      heap, size.is_small() && size.small_value() > 0 ? static_cast<std::uint64_t>(size.small_value()) : 0);
  RELOAD();
  NEXT(1);
}
bs_create_bin : {
  SYNC();
  own.segment_values_.clear();
  const std::size_t words = B * kSegmentWords;
  for (std::size_t i = 0; i < words; i += kSegmentWords) {
    const bool is_string = pc[3 + i].quad.a == static_cast<std::uint16_t>(Segment::kString);
    own.segment_values_.push_back(is_string ? Term::nil() : SOURCE(4 + i));
    own.segment_values_.push_back(SOURCE(5 + i));
  }
  const Term result = own.create_binary(pc + 3, B, W(2));
  RELOAD();
  if (result.is_none()) {
    if (JUMP_OF(1) != 0) JUMP(1);
    failed_builtin = nullptr;
    failed_arguments = Term::none();
    goto raise_exception;
  }
  DESTINATION(A) = result;
  NEXT(3 + words);
}
#define BS_FAILS()                         \
  do {                                     \
    if (JUMP_OF(1) != 0) JUMP(1);          \
    RAISE_ERROR(own.bits_.error().reason); \
  } while (0)
#define BS_INIT(unit)                                       \
  {                                                         \
    own.bits_.start();                                      \
    if (!own.bits_.add_size(SOURCE(2), (unit))) BS_FAILS(); \
    SYNC();                                                 \
    const Term result = own.bits_.begin(heap);              \
    RELOAD();                                               \
    if (result.is_none()) BS_FAILS();                       \
    DESTINATION(A) = result;                                \
    NEXT(3);                                                \
  }
bs_init_bytes:
  BS_INIT(8)
bs_init_bits:
  BS_INIT(1)
bs_append : {
  own.bits_.start();
  if (!own.bits_.add_size(SOURCE(2), 1)) BS_FAILS();
  const Term continued = SOURCE(3);
  SYNC();
  const Term result =
      own.bits_.append(heap, continued, own.bits_.total_bits(), static_cast<unsigned>(pc[4].pair.high));
  RELOAD();
  if (result.is_none()) BS_FAILS();
  DESTINATION(A) = result;
  NEXT(5);
}
#define BS_PUT(put)                                                                                         \
  {                                                                                                         \
    const std::optional<std::uint64_t> bits = field_bits(SOURCE(2), static_cast<unsigned>(pc[4].pair.low)); \
    if (!bits) {                                                                                            \
      if (JUMP_OF(1) != 0) JUMP(1);                                                                         \
      RAISE_ERROR(atoms::kBadarg);                                                                          \
    }                                                                                                       \
    if (!(put)) BS_FAILS();                                                                                 \
    NEXT(5);                                                                                                \
  }
bs_put_integer:
  BS_PUT(own.bits_.put_integer(SOURCE(3), *bits, static_cast<unsigned>(pc[4].pair.high)))
bs_put_float:
  BS_PUT(own.bits_.put_float(SOURCE(3), *bits, static_cast<unsigned>(pc[4].pair.high)))
bs_put_binary:
  if (SOURCE(2) == atoms::kAll) {
    if (!own.bits_.put_binary_all(SOURCE(3), static_cast<unsigned>(pc[4].pair.low))) BS_FAILS();
    NEXT(5);
  }
  BS_PUT(own.bits_.put_binary(SOURCE(3), *bits))
bs_put_string:
  own.bits_.put_string(static_cast<const std::uint8_t*>(pc[1].pointer), W(2));
  NEXT(3);
bs_put_utf8:
  if (!own.bits_.put_utf8(SOURCE(2))) BS_FAILS();
  NEXT(4);
bs_put_utf16:
  if (!own.bits_.put_utf16(SOURCE(2), static_cast<unsigned>(pc[3].pair.high))) BS_FAILS();
  NEXT(4);
bs_put_utf32:
  if (!own.bits_.put_utf32(SOURCE(2), static_cast<unsigned>(pc[3].pair.high))) BS_FAILS();
  NEXT(4);
bs_utf8_size:
  DESTINATION(A) = Term::small(utf8_size(SOURCE(2)));
  NEXT(3);
bs_utf16_size:
  DESTINATION(A) = Term::small(utf16_size(SOURCE(2)));
  NEXT(3);
bs_add : {
  const Term left = SOURCE(2), right = SOURCE(3);
  const auto unit = static_cast<std::int64_t>(W(4));
  std::int64_t sum = 0;
  if (!left.is_small() || !right.is_small() || left.small_value() < 0 || right.small_value() < 0 ||
      __builtin_mul_overflow(right.small_value(), unit, &sum) ||
      __builtin_add_overflow(sum, left.small_value(), &sum) || !fits_small(sum)) {
    if (JUMP_OF(1) != 0) JUMP(1);
    RAISE_ERROR(is_big(left) || is_big(right) ? atoms::kSystemLimit : atoms::kBadarg);
  }
  DESTINATION(A) = Term::small(sum);
  NEXT(5);
}
code_end:
  CHECK_MESSAGE(false, "code ran past the end of its module");
first_run:
  m.code.run_first_time(pc);
  DISPATCH();

  // ---- Raising. The exception is in call_context.exception.
raise_apply : {
  // resolve_apply has noted badarg: the arguments are shown as those of erlang:apply/3.
  failed_builtin = m.code.own().apply_row;
  SYNC();
  const std::size_t arity = A;
  const Term module = X(arity), function = X(arity + 1);
  const Term list = heap.list(std::span<const Term>(x, arity));
  X(0) = module;
  X(1) = function;
  X(2) = list;
  RELOAD();
  goto raise_from_builtin;
}
raise_from_arithmetic:
  if (pc[1].pointer == nullptr) RAISE_ERROR(atoms::kBadarith);
  failed_builtin = static_cast<const Builtin*>(pc[1].pointer);
  SYNC();
  if (!failed_builtin->function(call_context, x).is_none())
    CHECK_MESSAGE(false, "the built-in must fail, too");
  RELOAD();
raise_from_builtin:
  SYNC();
  if (!call_context.exception.stack_trace.is_none()) {
    call_context.exception.stack_trace =
        trace_with_class(heap, call_context.exception.stack_trace, call_context.exception.error_class);
  } else if (has_plain_trace(*failed_builtin)) {
    call_context.exception.stack_trace =
        m.traces.make_trace(p, pc, cp, call_context.exception.arguments, call_context.exception);
  } else {
    failed_arguments = heap.list(std::span<const Term>(x, failed_builtin->arity));
    call_context.exception.stack_trace =
        m.traces.make_builtin_trace(p, *failed_builtin, failed_arguments, pc, cp, call_context.exception);
  }
  RELOAD();
  goto unwind;
raise_from_body:
  // The body of a built-in was called like a function: its caller is in cp.
  SYNC();
  failed_arguments = heap.list(std::span<const Term>(x, failed_builtin->arity));
  if (!call_context.exception.stack_trace.is_none()) {
    call_context.exception.stack_trace =
        trace_with_class(heap, call_context.exception.stack_trace, call_context.exception.error_class);
  } else if (has_plain_trace(*failed_builtin)) {
    call_context.exception.stack_trace =
        m.traces.make_trace(p, nullptr, cp, call_context.exception.arguments, call_context.exception);
  } else {
    call_context.exception.stack_trace = m.traces.make_builtin_trace(p, *failed_builtin, failed_arguments,
                                                                     nullptr, cp, call_context.exception);
  }
  RELOAD();
  goto unwind;
raise_plain:
  failed_builtin = nullptr;
  failed_arguments = Term::none();
raise_exception:
  SYNC();
  call_context.exception.stack_trace =
      m.traces.make_trace(p, pc, cp, call_context.exception.arguments, call_context.exception);
  RELOAD();
unwind : {
  SYNC();
  p.receive_pc = nullptr;
  p.receive_at = 0;
  const CodeWord* handler = own.find_handler(p);
  e = p.top;
  if (handler != nullptr) {
    const Exception& exception = call_context.exception;
    X(0) = Term::none();
    X(1) = exception.error_class == ErrorClass::kError  ? atoms::kError
           : exception.error_class == ErrorClass::kExit ? atoms::kExit
                                                        : atoms::kThrow;
    X(2) = exception.reason;
    X(3) = exception.stack_trace;
    RELOAD();
    cp = nullptr;
    pc = handler;
    COUNT_CALL();  // a handler that raises to itself, as only damaged code does, is no progress either
    DISPATCH();
  }
  own.end_by_exception(p);
  RELOAD();
  e = p.top;
  cp = nullptr;
  pc = m.code.own().process_end;
  goto park;
}

  // ---- Resting
stuck:
  m.faults.exhaust(heap.is_exhausted() ? MachineFault::Kind::kOutOfMemory : MachineFault::Kind::kNoProgress,
                   p.pid, pc);
  goto park;
park_at_fault:
  m.faults.set_place(p.pid, pc);
  goto park;
park_in_receive:
  own.put_back_slots(e, cp);
  if (p.receive_pc != nullptr) pc = p.receive_pc;
  goto park;
park_killed:
  // A signal that this very operation sent has come back to its sender.
  e = p.stack_end();
  p.frozen_stack = Term::nil();
  p.arguments.clear();
  cp = nullptr;
  pc = m.code.own().process_end;
park:
  p.pc = pc;
  p.cp = cp;
  p.top = e;
  heap.set_top(h);
  own.reductions_left_ = reductions;
}

}  // namespace ravel::erlang
