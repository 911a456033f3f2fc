#include "p/machine/operators.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "p/value/object.h"
#include "p/value/ordered_tree.h"
#include "p/value/sequence.h"

namespace ravel::p {
namespace {

std::uint64_t bits(std::int64_t number) { return static_cast<std::uint64_t>(number); }

Fault index_fault(std::int64_t at, std::size_t size) {
  return {.kind = "index",
          .sentence = "index " + std::to_string(at) + " is out of a collection of " + std::to_string(size)};
}

ValueOrFault of_ints(BinaryOperator op, std::int64_t a, std::int64_t b, ValueStore& store) {
  switch (op) {
    case BinaryOperator::kPlus: return store.integer(static_cast<std::int64_t>(bits(a) + bits(b)));
    case BinaryOperator::kMinus: return store.integer(static_cast<std::int64_t>(bits(a) - bits(b)));
    case BinaryOperator::kTimes: return store.integer(static_cast<std::int64_t>(bits(a) * bits(b)));
    case BinaryOperator::kDivide:
    case BinaryOperator::kModulo:
      if (b == 0) return Fault{.kind = "division", .sentence = "a division by zero"};
      if (b == -1 && a == std::numeric_limits<std::int64_t>::min())
        return Fault{.kind = "division", .sentence = "the quotient does not fit 64 bits"};
      return store.integer(op == BinaryOperator::kDivide ? a / b : a % b);
    case BinaryOperator::kLess: return Value::boolean(a < b);
    case BinaryOperator::kGreater: return Value::boolean(a > b);
    case BinaryOperator::kLessEqual: return Value::boolean(a <= b);
    case BinaryOperator::kGreaterEqual: return Value::boolean(a >= b);
    default: CHECK(false);
  }
}

Value of_floats(BinaryOperator op, double a, double b, ValueStore& store) {
  switch (op) {
    case BinaryOperator::kPlus: return store.real(a + b);
    case BinaryOperator::kMinus: return store.real(a - b);
    case BinaryOperator::kTimes: return store.real(a * b);
    case BinaryOperator::kDivide: return store.real(a / b);
    case BinaryOperator::kModulo: return store.real(std::fmod(a, b));
    case BinaryOperator::kLess: return Value::boolean(a < b);
    case BinaryOperator::kGreater: return Value::boolean(a > b);
    case BinaryOperator::kLessEqual: return Value::boolean(a <= b);
    case BinaryOperator::kGreaterEqual: return Value::boolean(a >= b);
    default: CHECK(false);
  }
}

ValueOrFault of_strings(BinaryOperator op, std::string_view a, std::string_view b, ValueStore& store) {
  switch (op) {
    case BinaryOperator::kPlus: return string_of(std::string(a).append(b), store);
    case BinaryOperator::kLess: return Value::boolean(a < b);
    case BinaryOperator::kGreater: return Value::boolean(a > b);
    case BinaryOperator::kLessEqual: return Value::boolean(a <= b);
    case BinaryOperator::kGreaterEqual: return Value::boolean(a >= b);
    default: CHECK(false);
  }
}

bool contains(Value collection, Value element) {
  return is_seq(collection) ? seq::contains(collection, element) : ordered::contains(collection, element);
}

// A position of a seq. `end`: how many there are.
std::optional<std::size_t> place(Value at, std::size_t end) {
  const std::int64_t number = integer_value(at);
  if (number < 0 || bits(number) >= end) return std::nullopt;
  return static_cast<std::size_t>(number);
}

ValueOrFault inserted(Value whole, Value at, Value value, ValueStore& store) {
  if (is_map(whole)) {
    if (ordered::contains(whole, at))
      return Fault{.kind = "existing_key", .sentence = "`+=` of a key that the map has already"};
    return map::with(store, whole, at, value);
  }
  const auto position = place(at, seq::size(whole) + 1);
  if (!position) return index_fault(integer_value(at), seq::size(whole));
  return seq::inserted(store, whole, *position, value);
}

ValueOrFault removed(Value whole, Value what, ValueStore& store) {
  if (is_map(whole)) return map::without(store, whole, what);
  if (is_set(whole)) return set::without(store, whole, what);
  const auto position = place(what, seq::size(whole));
  if (!position) return index_fault(integer_value(what), seq::size(whole));
  return seq::removed(store, whole, *position);
}

// What is at a step of a path, and the whole with something else there.
class Walk {
 public:
  Walk(const Path& path, std::span<const Value> operands, ValueStore& store)
      : path_(path), operands_(operands), store_(store) {}

  ValueOrFault changed(Value whole, std::size_t step, std::size_t index) {
    if (step == path_.steps.size()) return at_end(whole);
    const Path::Step& how = path_.steps[step];
    if (how.is_element) {
      ValueOrFault inner = changed(tuple_part(whole, how.element), step + 1, index);
      if (std::holds_alternative<Fault>(inner)) return inner;
      return store_.with_part(whole, how.element, std::get<Value>(inner));
    }
    const Value at = operands_[index];
    const bool is_last = step + 1 == path_.steps.size() && path_.change == Path::Change::kAssign;
    Value part = Value::none();
    if (!is_last || !is_map(whole)) {
      ValueOrFault found = element_at(whole, at);
      if (std::holds_alternative<Fault>(found)) return found;
      part = std::get<Value>(found);
    }
    ValueOrFault inner = changed(part, step + 1, index + 1);
    if (std::holds_alternative<Fault>(inner)) return inner;
    const Value value = std::get<Value>(inner);
    if (is_map(whole)) return map::with(store_, whole, at, value);
    return seq::replaced(store_, whole, static_cast<std::size_t>(integer_value(at)), value);
  }

 private:
  ValueOrFault at_end(Value whole) {
    const std::span<const Value> rest = operands_.subspan(path_.indices);
    switch (path_.change) {
      case Path::Change::kAssign: return rest[0];
      case Path::Change::kInsert: return inserted(whole, rest[0], rest[1], store_);
      case Path::Change::kAdd: return set::with(store_, whole, rest[0]);
      case Path::Change::kRemove: return removed(whole, rest[0], store_);
    }
    CHECK(false);
  }

  const Path& path_;
  const std::span<const Value> operands_;
  ValueStore& store_;
};

}  // namespace

ValueOrFault string_of(const std::string& text, ValueStore& store) {
  if (text.size() > kTextMax)
    return Fault{.kind = "too_long", .sentence = "a string of more than 256 MiB is made"};
  return store.string(text);
}

ValueOrFault binary(BinaryOperator op, Value left, Value right, ValueStore& store) {
  switch (op) {
    case BinaryOperator::kEqual:
    case BinaryOperator::kIff: return Value::boolean(left == right);
    case BinaryOperator::kNotEqual: return Value::boolean(left != right);
    case BinaryOperator::kIn: return Value::boolean(contains(right, left));
    default: break;
  }
  if (is_integer(left)) return of_ints(op, integer_value(left), integer_value(right), store);
  if (is_float(left)) return of_floats(op, float_value(left), float_value(right), store);
  return of_strings(op, string_value(left), string_value(right), store);
}

Value negated(Value number, ValueStore& store) {
  if (is_float(number)) return store.real(-float_value(number));
  return store.integer(static_cast<std::int64_t>(0 - bits(integer_value(number))));
}

Value float_to_int(Value number, ValueStore& store) {
  const double real = float_value(number);
  constexpr double kEnd = 9223372036854775808.0;  // 2^63
  // What does not fit is the smallest number, as the processors of .NET have it.
  const bool fits = real >= -kEnd && real < kEnd;
  return store.integer(fits ? static_cast<std::int64_t>(real) : std::numeric_limits<std::int64_t>::min());
}

std::size_t size_of(Value collection) {
  return is_seq(collection) ? seq::size(collection) : ordered::size(collection);
}

Value nth(Value collection, std::size_t at) {
  return is_seq(collection) ? seq::at(collection, at) : ordered::key_at(collection, at);
}

ValueOrFault element_at(Value collection, Value at) {
  if (is_map(collection)) {
    const Value found = map::find(collection, at);
    if (found.is_none()) return Fault{.kind = "missing_key", .sentence = "the map does not have this key"};
    return found;
  }
  const auto position = place(at, size_of(collection));
  if (!position) return index_fault(integer_value(at), size_of(collection));
  return nth(collection, *position);
}

ValueOrFault changed(const Path& path, Value variable, std::span<const Value> operands, ValueStore& store) {
  return Walk(path, operands, store).changed(variable, 0, 0);
}

bool fits(Value value, const Type* type) {
  const auto all_fit = [&](const std::vector<Value>& values, const Type* part) {
    return std::ranges::all_of(values, [&](Value one) { return fits(one, part); });
  };
  switch (type->kind) {
    case TypeKind::kNull: return value.is_null();
    case TypeKind::kBool: return value.is_boolean();
    case TypeKind::kInt:
    case TypeKind::kEnum: return is_integer(value);
    case TypeKind::kFloat: return is_float(value);
    case TypeKind::kString: return is_string(value);
    case TypeKind::kEvent: return value.is_event() || value.is_null();
    case TypeKind::kMachine:
    case TypeKind::kPermission: return value.is_machine() || value.is_null();
    case TypeKind::kSeq: return is_seq(value) && all_fit(seq::elements(value), type->element());
    case TypeKind::kSet: return is_set(value) && all_fit(ordered::keys(value), type->element());
    case TypeKind::kMap:
      return is_map(value) && all_fit(ordered::keys(value), type->key()) &&
             all_fit(ordered::values(value), type->value());
    case TypeKind::kTuple:
    case TypeKind::kNamedTuple: {
      const bool has_names = type->is(TypeKind::kNamedTuple);
      if (has_names ? !is_named_tuple(value) || tuple_shape(value) != type->shape : !is_tuple(value))
        return false;
      if (tuple_size(value) != type->parts.size()) return false;
      for (std::size_t i = 0; i < type->parts.size(); ++i)
        if (!fits(tuple_part(value, i), type->parts[i])) return false;
      return true;
    }
    case TypeKind::kForeign:
      return value.is_null() || (is_foreign(value) && foreign_type(value) == type->number);
    case TypeKind::kData:
    case TypeKind::kAny:
    case TypeKind::kError: return true;
  }
  CHECK(false);
}

}  // namespace ravel::p
