#include "tests/p_value/reference.h"

#include <algorithm>

#include "base/check.h"
#include "p/value/ordered_tree.h"
#include "p/value/sequence.h"

namespace ravel::p {

std::strong_ordering operator<=>(const Plain& a, const Plain& b) {
  if (a.kind != b.kind) return a.kind <=> b.kind;
  switch (a.kind) {
    case Plain::Kind::kNull: return std::strong_ordering::equal;
    case Plain::Kind::kFloat: return std::strong_order(a.real + 0.0, b.real + 0.0);
    case Plain::Kind::kString: return a.text <=> b.text;
    default: break;
  }
  if (a.parts.size() != b.parts.size()) return a.parts.size() <=> b.parts.size();
  if (a.number != b.number) return a.number <=> b.number;
  for (std::size_t i = 0; i < a.parts.size(); ++i)
    if (const auto found = a.parts[i] <=> b.parts[i]; found != 0) return found;
  return std::strong_ordering::equal;
}

Plain plain_set(std::vector<Plain> elements) {
  std::ranges::sort(elements);
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return {.kind = Plain::Kind::kSet, .text = {}, .parts = std::move(elements)};
}

Plain plain_map(const std::vector<std::pair<Plain, Plain>>& entries) {
  std::map<Plain, Plain> map;
  for (const auto& [key, value] : entries) map[key] = value;
  Plain result{.kind = Plain::Kind::kMap, .text = {}, .parts = {}};
  for (const auto& [key, value] : map) {
    result.parts.push_back(key);
    result.parts.push_back(value);
  }
  return result;
}

Plain random_plain(Random& random, unsigned depth) {
  Plain result{.text = {}, .parts = {}};
  result.kind = static_cast<Plain::Kind>(random.below(depth == 0 ? 7 : 13));
  const auto parts = [&](std::uint64_t count_max) {
    std::vector<Plain> made;
    for (std::uint64_t i = random.below(count_max + 1); i > 0; --i)
      made.push_back(random_plain(random, depth - 1));
    return made;
  };
  switch (result.kind) {
    case Plain::Kind::kNull: break;
    case Plain::Kind::kBoolean: result.number = static_cast<std::int64_t>(random.below(2)); break;
    case Plain::Kind::kInteger: {
      constexpr std::int64_t kEdges[] = {kSmallMin - 1, kSmallMin,     -1,        0,        1,
                                         kSmallMax,     kSmallMax + 1, INT64_MIN, INT64_MAX};
      result.number =
          random.chance(1, 3) ? kEdges[random.below(9)] : static_cast<std::int64_t>(random.below(40)) - 20;
      break;
    }
    case Plain::Kind::kFloat: result.real = static_cast<double>(random.below(9)) / 2 - 2; break;
    case Plain::Kind::kString:
      result.text = std::string(random.below(20), static_cast<char>('a' + random.below(2)));
      break;
    case Plain::Kind::kEvent:
    case Plain::Kind::kMachine: result.number = static_cast<std::int64_t>(random.below(4)); break;
    case Plain::Kind::kNamedTuple:
      result.number = static_cast<std::int64_t>(random.below(3));
      [[fallthrough]];
    case Plain::Kind::kTuple:
    case Plain::Kind::kSeq: result.parts = parts(4); break;
    case Plain::Kind::kSet: return plain_set(parts(12));
    case Plain::Kind::kMap: {
      std::vector<std::pair<Plain, Plain>> entries;
      for (Plain& key : parts(12)) entries.emplace_back(std::move(key), random_plain(random, 0));
      return plain_map(entries);
    }
    case Plain::Kind::kForeign:
      result.number = static_cast<std::int64_t>(random.below(2));
      result.parts.push_back(random_plain(random, depth - 1));
      break;
  }
  return result;
}

Value stored(ValueStore& store, const Plain& plain, Random& random) {
  std::vector<Value> parts;
  for (const Plain& part : plain.parts) parts.push_back(stored(store, part, random));
  const auto shuffled = [&random](std::size_t count) {
    std::vector<std::size_t> places(count);
    for (std::size_t i = 0; i < count; ++i) places[i] = i;
    for (std::size_t i = count; i > 1; --i) std::swap(places[i - 1], places[random.below(i)]);
    return places;
  };
  switch (plain.kind) {
    case Plain::Kind::kNull: return Value::null();
    case Plain::Kind::kBoolean: return Value::boolean(plain.number != 0);
    case Plain::Kind::kInteger: return store.integer(plain.number);
    case Plain::Kind::kFloat: return store.real(plain.real);
    case Plain::Kind::kString: return store.string(plain.text);
    case Plain::Kind::kEvent: return Value::event(static_cast<std::uint32_t>(plain.number));
    case Plain::Kind::kMachine: return Value::machine(static_cast<std::uint32_t>(plain.number));
    case Plain::Kind::kTuple: return store.tuple(parts);
    case Plain::Kind::kNamedTuple: return store.named_tuple(static_cast<std::uint32_t>(plain.number), parts);
    case Plain::Kind::kSeq: {
      if (random.chance(1, 2)) return seq::of(store, parts);
      Value result = store.empty_seq();
      for (const Value part : parts) result = seq::appended(store, result, part);
      return result;
    }
    case Plain::Kind::kSet: {
      Value result = store.empty_set();
      for (const std::size_t at : shuffled(parts.size())) result = set::with(store, result, parts[at]);
      return result;
    }
    case Plain::Kind::kMap: {
      Value result = store.empty_map();
      for (const std::size_t at : shuffled(parts.size() / 2))
        result = map::with(store, result, parts[2 * at], parts[2 * at + 1]);
      return result;
    }
    case Plain::Kind::kForeign: return store.foreign(static_cast<std::uint32_t>(plain.number), parts[0]);
  }
  return Value::none();
}

Plain read_back(Value value) {
  Plain result{.text = {}, .parts = {}};
  const auto is = [&result](Plain::Kind kind) { result.kind = kind; };
  if (value.is_null()) {
    is(Plain::Kind::kNull);
  } else if (value.is_boolean()) {
    is(Plain::Kind::kBoolean);
    result.number = value.truth();
  } else if (is_integer(value)) {
    is(Plain::Kind::kInteger);
    result.number = integer_value(value);
  } else if (value.is_event()) {
    is(Plain::Kind::kEvent);
    result.number = value.event_number();
  } else if (value.is_machine()) {
    is(Plain::Kind::kMachine);
    result.number = value.machine_number();
  } else if (is_float(value)) {
    is(Plain::Kind::kFloat);
    result.real = float_value(value);
  } else if (is_string(value)) {
    is(Plain::Kind::kString);
    result.text = string_value(value);
  } else if (is_tuple(value) || is_named_tuple(value)) {
    is(is_tuple(value) ? Plain::Kind::kTuple : Plain::Kind::kNamedTuple);
    if (is_named_tuple(value)) result.number = tuple_shape(value);
    for (std::size_t i = 0; i < tuple_size(value); ++i)
      result.parts.push_back(read_back(tuple_part(value, i)));
  } else if (is_seq(value)) {
    is(Plain::Kind::kSeq);
    for (std::size_t i = 0; i < seq::size(value); ++i) result.parts.push_back(read_back(seq::at(value, i)));
  } else if (is_foreign(value)) {
    is(Plain::Kind::kForeign);
    result.number = foreign_type(value);
    result.parts.push_back(read_back(foreign_content(value)));
  } else {
    CHECK(is_set(value) || is_map(value));
    is(is_set(value) ? Plain::Kind::kSet : Plain::Kind::kMap);
    for (std::size_t i = 0; i < ordered::size(value); ++i) {
      result.parts.push_back(read_back(ordered::key_at(value, i)));
      if (is_map(value)) result.parts.push_back(read_back(ordered::value_at(value, i)));
    }
  }
  return result;
}

}  // namespace ravel::p
