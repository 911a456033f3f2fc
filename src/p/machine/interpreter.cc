// Executes code up to the next operation, the end of a function that nobody called, or a bug.

#include <utility>

#include "base/check.h"
#include "p/machine/interpreter.h"
#include "p/value/object.h"
#include "p/value/ordered_tree.h"
#include "p/value/sequence.h"

namespace ravel::p {

namespace {

// So many instructions, a power of two less one, are executed without a look at what they have made.
constexpr std::uint64_t kBetweenLooks = 1023;

}  // namespace

Interpreter::Interpreter(const Parts& parts)
    : code_(parts.code),
      program_(*parts.code.program),
      store_(parts.store),
      moves_(parts.moves),
      machines_(parts.machines),
      texts_(parts.texts),
      opaque_(parts.opaque),
      effects_(parts.effects) {}

void Interpreter::reset() {
  forget_failure();
  output_.clear();
}

void Interpreter::forget_failure() {
  failure_.reset();
  refusal_.reset();
  told_.clear();
}

bool Interpreter::is_within_bounds(LiveMachine& live) {
  if (instructions_left_ == 0)
    return fail(live, "no_progress", "runs on and on without an operation that others could notice"), false;
  if (store_.words_used() - words_before_ <= kWordsOfStepMax) return true;
  refuse(live,
         "more than 2 GiB of values are made here without an operation that others could notice, "
         "which takes too much memory");
  return false;
}

Interpreter::Pause Interpreter::execute(LiveMachine& live) {
  std::vector<Value>& stack = live.stack;
  const auto pop = [&] {
    const Value value = stack.back();
    stack.pop_back();
    return value;
  };
  // Whether it is a value, which then is on the stack.
  const auto push_or_fail = [&](const ValueOrFault& made) {
    if (const Fault* const fault = std::get_if<Fault>(&made)) {
      fail(live, fault->kind, fault->sentence);
      return false;
    }
    stack.push_back(std::get<Value>(made));
    return true;
  };
  const bool watches = opaque_.are_watched();
  while (true) {
    if ((--instructions_left_ & kBetweenLooks) == 0 && !is_within_bounds(live)) return Pause::kFailed;
    const Instruction& now = code_.instructions[live.pc];
    switch (now.op) {
      case Opcode::kPush: stack.push_back(code_.constants[now.a]); break;
      case Opcode::kPop: stack.pop_back(); break;
      case Opcode::kSwap: std::swap(stack.back(), *(stack.end() - 2)); break;
      case Opcode::kLocal: stack.push_back(stack[live.base + now.a]); break;
      case Opcode::kField: stack.push_back(live.fields[now.a]); break;
      case Opcode::kThis: stack.push_back(Value::machine(live.number)); break;
      case Opcode::kSetLocal: stack[live.base + now.a] = stack.back(), stack.pop_back(); break;
      case Opcode::kSetField: live.fields[now.a] = pop(); break;
      case Opcode::kStore: {
        const Path& path = code_.paths[now.a];
        const std::size_t operands = path.indices + (path.change == Path::Change::kInsert ? 2 : 1);
        Value& variable = path.is_field ? live.fields[path.variable] : stack[live.base + path.variable];
        const ValueOrFault made = changed(path, variable, std::span(stack).last(operands), store_);
        if (const Fault* const fault = std::get_if<Fault>(&made)) {
          fail(live, fault->kind, fault->sentence);
          return Pause::kFailed;
        }
        variable = std::get<Value>(made);
        stack.resize(stack.size() - operands);
        break;
      }
      case Opcode::kTuple: {
        const std::span<const Value> parts = std::span(stack).last(now.a);
        const Value made = now.b == 0 ? store_.tuple(parts) : store_.named_tuple(now.b - 1, parts);
        stack.resize(stack.size() - now.a);
        stack.push_back(made);
        break;
      }
      case Opcode::kElement: stack.back() = tuple_part(stack.back(), now.a); break;
      case Opcode::kAt: {
        const Value at = pop(), whole = pop();
        if (watches && is_set(whole) && is_refused(live, opaque_.refuse_to_list(whole)))
          return Pause::kFailed;
        if (!push_or_fail(element_at(whole, at))) return Pause::kFailed;
        break;
      }
      case Opcode::kKeys:
        if (watches && is_refused(live, opaque_.refuse_to_list(stack.back()))) return Pause::kFailed;
        stack.back() = seq::of(store_, ordered::keys(stack.back()));
        break;
      case Opcode::kValues:
        if (watches && is_refused(live, opaque_.refuse_to_list(stack.back()))) return Pause::kFailed;
        stack.back() = seq::of(store_, ordered::values(stack.back()));
        break;
      case Opcode::kSizeof:
        stack.back() = Value::small(static_cast<std::int64_t>(size_of(stack.back())));
        break;
      case Opcode::kNext: {
        const auto at = static_cast<std::size_t>(stack.back().small_value());
        const Value collection = *(stack.end() - 2);
        if (watches && is_refused(live, opaque_.refuse_to_list(collection))) return Pause::kFailed;
        if (at >= size_of(collection)) {
          live.pc = now.a;
          continue;
        }
        stack.back() = Value::small(static_cast<std::int64_t>(at + 1));
        stack.push_back(nth(collection, at));
        break;
      }
      case Opcode::kNegate: stack.back() = negated(stack.back(), store_); break;
      case Opcode::kNot: stack.back() = Value::boolean(!stack.back().truth()); break;
      case Opcode::kBinary: {
        const Value right = pop(), left = pop();
        if (!push_or_fail(binary(static_cast<BinaryOperator>(now.a), left, right, store_)))
          return Pause::kFailed;
        break;
      }
      case Opcode::kCast: {
        const Type* const type = program_.types.at(now.a);
        if (fits(stack.back(), type)) break;
        fail(live, "cast", "the value is not of type `" + to_string(type) + "`");
        return Pause::kFailed;
      }
      case Opcode::kIntToFloat:
        stack.back() = store_.real(static_cast<double>(integer_value(stack.back())));
        break;
      case Opcode::kFloatToInt: stack.back() = float_to_int(stack.back(), store_); break;
      case Opcode::kToInterface: {
        const Type* const type = program_.types.at(now.a);
        if (stack.back().is_null() || type->permissions == nullptr ||
            (*type->permissions - machines_.received_by(stack.back())).is_empty())
          break;
        fail(live, "permission", "the machine must not be sent all that `" + to_string(type) + "` receives");
        return Pause::kFailed;
      }
      case Opcode::kFormat: {
        const Expression& format = *code_.formats[now.a];
        const std::span<const Value> arguments = std::span(stack).last(format.parts.size());
        if (watches && is_refused(live, opaque_.refuse_to_format(live, arguments))) return Pause::kFailed;
        const std::string text = formatted(format, arguments);
        stack.resize(stack.size() - format.parts.size());
        if (!push_or_fail(string_of(text, store_))) return Pause::kFailed;
        break;
      }
      case Opcode::kJump: live.pc = now.a; continue;
      case Opcode::kJumpIfFalse:
      case Opcode::kJumpIfTrue:
        if (pop().truth() != (now.op == Opcode::kJumpIfTrue)) break;
        live.pc = now.a;
        continue;
      case Opcode::kCall: {
        if (live.frames.size() == kCallsMax) {
          fail(live, "recursion", "more than " + std::to_string(kCallsMax) + " functions call each other");
          return Pause::kFailed;
        }
        const FunctionCode& function = code_.functions[now.a];
        live.frames.push_back({.pc = live.pc + 1, .base = live.base});
        live.base = static_cast<std::uint32_t>(stack.size()) - function.parameters;
        for (const std::uint32_t slot : function.defaults) stack.push_back(code_.constants[slot]);
        live.pc = function.code;
        continue;
      }
      case Opcode::kForeign: {
        const std::optional<bool> has_result = call_foreign(live, FunctionId{now.a});
        if (!has_result) return Pause::kFailed;
        if (!*has_result) break;
        live.pc = now.b;
        continue;
      }
      case Opcode::kAnswer: {
        const Value answer = pop();
        stack.back() = seq::appended(store_, stack.back(), answer);
        live.pc = now.a;
        continue;
      }
      case Opcode::kReturn: {
        if (live.frames.empty()) return Pause::kReturned;
        const Value result = pop();
        stack.resize(live.base);
        stack.push_back(result);
        live.pc = live.frames.back().pc;
        live.base = live.frames.back().base;
        live.frames.pop_back();
        continue;
      }
      case Opcode::kFail: {
        const std::string message(string_value(stack.back()));
        fail(live, "assertion", message.empty() ? "the assertion does not hold" : message);
        return Pause::kFailed;
      }
      case Opcode::kRefuse: refuse(live, code_.refusals[now.a]); return Pause::kFailed;
      case Opcode::kPrint: output_.append(string_value(pop())).push_back('\n'); break;
      case Opcode::kAnnounce: {
        const Value event = stack[stack.size() - 1 - now.a];
        if (event.is_null()) {
          fail(live, "null_event", "`announce` of null");
          return Pause::kFailed;
        }
        const Value payload = payload_or_default(event, now.a != 0, stack);
        stack.pop_back();
        run_monitors(live, event, payload);
        if (failure_) return Pause::kFailed;
        break;
      }
      case Opcode::kRaise: {
        const Value event = stack[stack.size() - 1 - now.a];
        if (event.is_null()) {
          fail(live, "null_event", "`raise` of null");
          return Pause::kFailed;
        }
        leaving_ = {.event = event, .payload = payload_or_default(event, now.a != 0, stack)};
        if (listener_ != nullptr)
          listener_->note_raised(live, {.event = leaving_.event, .payload = leaving_.payload});
        return Pause::kLeft;
      }
      case Opcode::kGoto:
        leaving_ = {.is_goto = true, .target = StateId{now.a}, .payload = now.b != 0 ? pop() : Value::null()};
        return Pause::kLeft;
      case Opcode::kNew:
        if (now.b == 0) stack.push_back(Value::null());
        return Pause::kOperation;
      case Opcode::kSend: return prepare_send(live, now.a != 0) ? Pause::kOperation : Pause::kFailed;
      case Opcode::kChooseBool: return Pause::kOperation;
      case Opcode::kChooseInt:
      case Opcode::kChooseFrom: {
        const std::optional<std::uint32_t> count = choices(live);
        if (!count) return Pause::kFailed;
        if (*count > 1) return Pause::kOperation;
        stack.back() = now.op == Opcode::kChooseInt ? Value::small(0) : nth(stack.back(), 0);
        break;
      }
      case Opcode::kReceive: return Pause::kOperation;
    }
    ++live.pc;
  }
}

// On the stack: event, and payload if there is one, which is popped.
Value Interpreter::payload_or_default(Value event, bool has_payload, std::vector<Value>& stack) const {
  if (!has_payload) return code_.constants[code_.payloads[event.event_number()]];
  const Value payload = stack.back();
  stack.pop_back();
  return payload;
}

// Leaves target, event and payload on the stack. Monitors see the event now, before others may go on.
bool Interpreter::prepare_send(LiveMachine& live, bool has_payload) {
  std::vector<Value>& stack = live.stack;
  const std::size_t below = stack.size() - (has_payload ? 3 : 2);
  const Value target = stack[below], event = stack[below + 1];
  if (target.is_null()) return fail(live, "null_target", "`send` to null"), false;
  if (event.is_null()) return fail(live, "null_event", "`send` of null"), false;
  const EventId id{event.event_number()};
  const auto name = [&] { return "`" + texts_.event(index(id)) + "`"; };
  if (!program_.machine(live.machine).sends.contains(id))
    return fail(live, "permission", "event " + name() + " is not among those that the machine sends"), false;
  if (!machines_.received_by(target).contains(id))
    return fail(live, "permission", "event " + name() + " is not among those that the target receives"),
           false;
  const Value payload = payload_or_default(event, has_payload, stack);
  stack.push_back(payload);
  run_monitors(live, event, payload);
  return !failure_;
}

void Interpreter::run_monitors(LiveMachine& live, Value event, Value payload) {
  const EventId id{event.event_number()};
  if (listener_ != nullptr) listener_->note_told(live, id);
  if (noted_events_ && noted_events_->contains(id))
    told_.push_back(
        {.who = machines_.names().index_of(live.number), .message = {.event = event, .payload = payload}});
  for (const std::uint32_t number : code_.machines[live.bound].monitors) {
    if (!program_.machine(machines_.monitors()[number].machine).observes.contains(id)) continue;
    LiveMachine& monitor = machines_.change_monitor(number);
    effects_.push_back({.kind = Effect::Kind::kMonitorRan, .who = number});
    if (listener_ != nullptr) listener_->note_observed(monitor, live, {.event = event, .payload = payload});
    if (handle(monitor, id, payload)) go_on(monitor);
    if (failure_) return;
  }
}

std::optional<std::uint32_t> Interpreter::choices(LiveMachine& live) {
  const Value of = live.stack.back();
  const std::int64_t count = is_integer(of) ? integer_value(of) : static_cast<std::int64_t>(size_of(of));
  if (count == 0 && is_integer(of)) return 1;  // P chooses 0
  if (count <= 0) return fail(live, "empty_choice", "`choose` from nothing"), std::nullopt;
  if (count > kChoicesMax) {
    fail(live, "many_choices",
         "`choose` among " + std::to_string(count) + " values; at most " + std::to_string(kChoicesMax) +
             " are allowed");
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(count);
}

std::string Interpreter::formatted(const Expression& format, std::span<const Value> arguments) const {
  std::string text;
  for (const FormatPiece& piece : format.pieces) {
    text += piece.text;
    if (piece.argument != FormatPiece::kNone) text += to_text(arguments[piece.argument], texts_);
  }
  return text;
}

void Interpreter::fail(LiveMachine& live, std::string kind, std::string sentence) {
  failure_ = {.kind = std::move(kind), .sentence = std::move(sentence), .place = texts_.place_of(live)};
  if (live.pc != 0 || !live.stack.empty()) failure_->place = code_.places[live.pc];
  if (is_monitor(live)) {
    failure_->where = "monitor " + std::string(program_.machine(live.machine).name);
  } else {
    failure_->machine = machines_.names().index_of(live.number);
    failure_->where = texts_.text_of(*failure_->machine);
  }
  failure_->where += " in state " + std::string(texts_.state_of(live));
}

void Interpreter::refuse(LiveMachine& live, std::string sentence) {
  fail(live, "unsupported", std::move(sentence));
  refusal_ = failure_;
}

bool Interpreter::is_refused(LiveMachine& live, std::optional<std::string> why) {
  if (why) refuse(live, std::move(*why));
  return why.has_value();
}

}  // namespace ravel::p
