#include "p/foreign/foreign_call.h"

#include <algorithm>
#include <utility>

#include "p/value/order.h"
#include "p/value/ordered_tree.h"
#include "p/value/sequence.h"

namespace ravel::p {

namespace {

std::string_view view(const char* bytes, std::size_t length) {
  return bytes == nullptr ? std::string_view() : std::string_view(bytes, length);
}

}  // namespace

ForeignCall::ForeignCall(const Program& program, ValueStore& store, const ValueNames& names,
                         std::span<const Value> answers)
    : host_(*this), program_(program), store_(store), names_(names), answers_(answers) {
  set_questions();
  set_makers();
  set_others();
}

ForeignOutcome ForeignCall::run(const ravel_p_function& function, std::span<const Value> arguments) {
  std::vector<ravel_p_value> handles;
  for (const Value argument : arguments) handles.push_back(out(argument));
  return finish(function.run(&host_, handles.data(), handles.size()));
}

ForeignOutcome ForeignCall::show(const ravel_p_type& type, Value content) {
  return finish(type.show(&host_, out(content)));
}

ForeignOutcome ForeignCall::finish(ravel_p_value result) {
  ForeignOutcome outcome;
  if (ended_)
    outcome = std::move(*ended_);
  else
    outcome.value = in(result);
  if (misuse_) {
    outcome = {};
    outcome.kind = ForeignOutcome::Kind::kMisuse;
    outcome.text = std::move(*misuse_);
  }
  outcome.log = std::move(log_);
  return outcome;
}

void ForeignCall::misuse(std::string text) {
  if (!misuse_) misuse_ = std::move(text);
}

bool ForeignCall::require(bool holds, std::string_view what, Value value) {
  if (!holds)
    misuse("asks for " + std::string(what) + " of the value " +
           (value.is_null() ? "null" : to_text(value, names_)));
  return holds;
}

// What comes after the first end does not count: a function that was to return at once may not have done so.
void ForeignCall::end(ForeignOutcome::Kind kind, std::string text) {
  if (ended_) return;
  ended_.emplace();
  ended_->kind = kind;
  ended_->text = std::move(text);
}

bool ForeignCall::choose_one(std::int64_t count, std::int64_t* chosen) {
  if (ended_) return false;
  if (answered_ < answers_.size()) {
    *chosen = integer_value(answers_[answered_++]);
    return true;
  }
  end(ForeignOutcome::Kind::kChooses, {});
  ended_->value = store_.integer(count);
  return false;
}

const char* ForeignCall::said(std::string text) {
  said_ = std::move(text);
  return said_.c_str();
}

Value ForeignCall::in(ravel_p_value handle) {
  if (handle == RAVEL_P_NULL_VALUE) return Value::null();
  const Value value(handle);
  const bool is_known =
      value.is_object() ? store_.contains(value)
                        : value.is_small() || value.is_boolean() || value.is_event() || value.is_machine();
  if (is_known) return value;
  misuse("hands over a number that is no value of this call");
  return Value::null();
}

std::vector<Value> ForeignCall::in(const ravel_p_value* handles, std::size_t count) {
  std::vector<Value> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(in(handles[i]));
  return values;
}

ravel_p_kind ForeignCall::kind_of(Value value) {
  if (value.is_null()) return RAVEL_P_NULL;
  if (value.is_boolean()) return RAVEL_P_BOOL;
  if (is_integer(value)) return RAVEL_P_INT;
  if (value.is_event()) return RAVEL_P_EVENT;
  if (value.is_machine()) return RAVEL_P_MACHINE;
  if (is_float(value)) return RAVEL_P_FLOAT;
  if (is_string(value)) return RAVEL_P_STRING;
  if (is_tuple(value)) return RAVEL_P_TUPLE;
  if (is_named_tuple(value)) return RAVEL_P_NAMED_TUPLE;
  if (is_seq(value)) return RAVEL_P_SEQ;
  if (is_set(value)) return RAVEL_P_SET;
  return is_map(value) ? RAVEL_P_MAP : RAVEL_P_FOREIGN;
}

std::optional<std::size_t> ForeignCall::size_of(Value value) {
  switch (kind_of(value)) {
    case RAVEL_P_TUPLE:
    case RAVEL_P_NAMED_TUPLE: return tuple_size(value);
    case RAVEL_P_SEQ: return seq::size(value);
    case RAVEL_P_SET:
    case RAVEL_P_MAP: return ordered::size(value);
    default: return std::nullopt;
  }
}

Value ForeignCall::part_at(Value value, std::size_t place) {
  if (!require(place < size_of(value).value_or(0), "part " + std::to_string(place), value))
    return Value::null();
  if (is_tuple(value) || is_named_tuple(value)) return tuple_part(value, place);
  return is_seq(value) ? seq::at(value, place) : ordered::key_at(value, place);
}

Value ForeignCall::mapped_at(Value map, std::size_t place) {
  const bool is_there = is_map(map) && place < ordered::size(map);
  return require(is_there, "what is mapped at " + std::to_string(place), map) ? ordered::value_at(map, place)
                                                                              : Value::null();
}

std::string_view ForeignCall::field_at(Value value, std::size_t place) {
  const bool is_there = is_named_tuple(value) && place < tuple_size(value);
  if (!require(is_there, "the name of part " + std::to_string(place), value)) return {};
  return names_.fields(tuple_shape(value))[place];
}

Value ForeignCall::event_named(std::string_view name) {
  const auto at = std::ranges::find(program_.events, name, &Event::name);
  const auto number = static_cast<std::uint32_t>(at - program_.events.begin());
  if (at == program_.events.end() || number == index(kNullEvent)) return Value::null();
  return Value::event(number);
}

Value ForeignCall::named_tuple_of(const char* const* fields, std::span<const Value> parts) {
  const auto has_fields = [&](std::span<const std::string_view> shape) {
    return std::equal(shape.begin(), shape.end(), fields, fields + parts.size());
  };
  for (std::uint32_t shape = 0; shape < program_.types.shapes(); ++shape)
    if (has_fields(program_.types.fields_of_shape(shape))) return store_.named_tuple(shape, parts);
  std::string names;
  for (std::size_t i = 0; i < parts.size(); ++i) names += (i > 0 ? ", " : "") + std::string(fields[i]);
  misuse("makes a tuple with the fields " + names + ", and no type of the program has these");
  return Value::null();
}

Value ForeignCall::foreign_of(std::string_view name, Value content) {
  for (std::size_t number = 0; number < program_.types.size(); ++number) {
    const Type* const type = program_.types.at(number);
    if (type->is(TypeKind::kForeign) && type->name == name) return store_.foreign(type->number, content);
  }
  misuse("makes a value of the foreign type " + std::string(name) + ", which the program does not declare");
  return Value::null();
}

void ForeignCall::set_questions() {
  host_.kind = [](ravel_p_call* call, ravel_p_value value) { return kind_of(of(call).in(value)); };
  host_.to_bool = [](ravel_p_call* call, ravel_p_value handle) {
    const Value value = of(call).in(handle);
    return of(call).require(value.is_boolean(), "the bool", value) && value.truth() ? 1 : 0;
  };
  host_.to_int = [](ravel_p_call* call, ravel_p_value handle) {
    const Value value = of(call).in(handle);
    return of(call).require(is_integer(value), "the int", value) ? integer_value(value) : std::int64_t{0};
  };
  host_.to_float = [](ravel_p_call* call, ravel_p_value handle) {
    const Value value = of(call).in(handle);
    return of(call).require(is_float(value), "the float", value) ? float_value(value) : 0.0;
  };
  host_.to_string = [](ravel_p_call* call, ravel_p_value handle, std::size_t* length) {
    const Value value = of(call).in(handle);
    const std::string_view text =
        of(call).require(is_string(value), "the string", value) ? string_value(value) : std::string_view("");
    *length = text.size();
    return text.data();
  };
  host_.size = [](ravel_p_call* call, ravel_p_value handle) {
    const Value value = of(call).in(handle);
    const std::optional<std::size_t> count = size_of(value);
    of(call).require(count.has_value(), "the size", value);
    return count.value_or(0);
  };
  host_.part = [](ravel_p_call* call, ravel_p_value value, std::size_t place) {
    return out(of(call).part_at(of(call).in(value), place));
  };
  host_.mapped = [](ravel_p_call* call, ravel_p_value map, std::size_t place) {
    return out(of(call).mapped_at(of(call).in(map), place));
  };
  host_.field = [](ravel_p_call* call, ravel_p_value value, std::size_t place) {
    return of(call).said(std::string(of(call).field_at(of(call).in(value), place)));
  };
  host_.foreign_type = [](ravel_p_call* call, ravel_p_value handle) {
    const Value value = of(call).in(handle);
    if (!of(call).require(is_foreign(value), "the foreign type", value)) return of(call).said("");
    return of(call).said(std::string(of(call).names_.type_name(foreign_type(value))));
  };
  host_.content = [](ravel_p_call* call, ravel_p_value handle) {
    const Value value = of(call).in(handle);
    return out(of(call).require(is_foreign(value), "the content", value) ? foreign_content(value)
                                                                         : Value::null());
  };
  host_.text = [](ravel_p_call* call, ravel_p_value value, std::size_t* length) {
    const char* const bytes = of(call).said(to_text(of(call).in(value), of(call).names_));
    *length = of(call).said_.size();
    return bytes;
  };
  host_.compare = [](ravel_p_call* call, ravel_p_value a, ravel_p_value b) {
    const std::strong_ordering found = order(of(call).in(a), of(call).in(b));
    return found < 0 ? -1 : found > 0 ? 1 : 0;
  };
}

void ForeignCall::set_makers() {
  host_.make_bool = [](ravel_p_call*, int truth) { return out(Value::boolean(truth != 0)); };
  host_.make_int = [](ravel_p_call* call, std::int64_t number) {
    return out(of(call).store_.integer(number));
  };
  host_.make_float = [](ravel_p_call* call, double number) { return out(of(call).store_.real(number)); };
  host_.make_string = [](ravel_p_call* call, const char* bytes, std::size_t length) {
    return out(of(call).store_.string(view(bytes, length)));
  };
  host_.make_event = [](ravel_p_call* call, const char* name) { return out(of(call).event_named(name)); };
  host_.make_tuple = [](ravel_p_call* call, const ravel_p_value* parts, std::size_t count) {
    return out(of(call).store_.tuple(of(call).in(parts, count)));
  };
  host_.make_named_tuple = [](ravel_p_call* call, const char* const* fields, const ravel_p_value* parts,
                              std::size_t count) {
    return out(of(call).named_tuple_of(fields, of(call).in(parts, count)));
  };
  host_.make_seq = [](ravel_p_call* call, const ravel_p_value* elements, std::size_t count) {
    return out(seq::of(of(call).store_, of(call).in(elements, count)));
  };
  host_.make_set = [](ravel_p_call* call, const ravel_p_value* elements, std::size_t count) {
    return out(set::of(of(call).store_, of(call).in(elements, count)));
  };
  host_.make_map = [](ravel_p_call* call, const ravel_p_value* keys, const ravel_p_value* values,
                      std::size_t count) {
    Value made = of(call).store_.empty_map();
    for (std::size_t i = 0; i < count; ++i)
      made = map::with(of(call).store_, made, of(call).in(keys[i]), of(call).in(values[i]));
    return out(made);
  };
  host_.make_foreign = [](ravel_p_call* call, const char* type, ravel_p_value content) {
    return out(of(call).foreign_of(type, of(call).in(content)));
  };
}

void ForeignCall::set_others() {
  host_.log = [](ravel_p_call* call, const char* bytes, std::size_t length) {
    of(call).log_.append(view(bytes, length)).push_back('\n');
  };
  host_.fail = [](ravel_p_call* call, const char* bytes, std::size_t length) {
    of(call).end(ForeignOutcome::Kind::kFails, std::string(view(bytes, length)));
  };
  host_.thrown = [](ravel_p_call* call, const char* bytes, std::size_t length) {
    of(call).end(ForeignOutcome::Kind::kThrows, std::string(view(bytes, length)));
  };
  host_.choose = [](ravel_p_call* call, std::int64_t count, std::int64_t* chosen) {
    return of(call).choose_one(count, chosen) ? 1 : 0;
  };
}

}  // namespace ravel::p
