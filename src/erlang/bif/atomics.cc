// atomics, and the counters with write_concurrency: arrays of 64-bit integers that processes share.
//
// All arrays are one map of the machine (SharedTerms::arrays): the array's reference => {Kind, Size, Values},
// where Values maps an index to what is not zero. So the map of a state says nothing of how it came about, an
// array costs what is in it, and changing an element costs a path in a map. An array lives as long as its
// execution.
//
// Each element is an object of its own in footprints. Making an array is local, since nobody else knows its
// reference yet. In the emulator a reader of counters with write_concurrency may see other writers' changes
// late; here, as with the rest of the machine, what is written is seen by all from then on.
#include <algorithm>
#include <array>
#include <optional>

#include "base/hash.h"
#include "erlang/bif/builtins.h"
#include "erlang/machine/machine.h"
#include "erlang/term/big_integer.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

enum class ArrayKind : std::uint8_t { kSigned, kUnsigned, kCounters };

struct Array {
  Term reference;
  ArrayKind kind;
  std::uint64_t size;
  Term values;  // a map
};

struct Element {
  Array array;
  std::uint64_t index;
};

// The array that a reference names, if it names one of this sort.
std::optional<Array> find_array(Call& call, Term reference, bool is_of_counters) {
  if (!reference.is_reference()) return std::nullopt;
  const Term entry = map_get(call.names, call.machine.shared_terms().arrays, reference);
  if (entry.is_none()) return std::nullopt;
  const auto kind = static_cast<ArrayKind>(element(entry, 1).small_value());
  if ((kind == ArrayKind::kCounters) != is_of_counters) return std::nullopt;
  return Array{reference, kind, *to_uint64(element(entry, 2)), element(entry, 3)};
}

std::optional<Element> find_element(Call& call, Term reference, Term index, bool is_of_counters) {
  const auto array = find_array(call, reference, is_of_counters);
  const auto at = to_uint64(index);
  if (!array || !at || *at == 0 || *at > array->size) return std::nullopt;
  return Element{*array, *at};
}
std::optional<Element> find_atomic(Call& call, const Term* arguments) {
  return find_element(call, arguments[0], arguments[1], false);
}
std::optional<Element> find_counter(Call& call, const Term* arguments) {
  return find_element(call, arguments[0], arguments[1], true);
}

std::uint64_t payload_of(const Element& element) {
  return combine(element.array.reference.reference_payload(), element.index);
}

void note(Call& call, const Element& element, std::uint8_t how) {
  call.machine.record.note_plain_access(ObjectClass::kAtomic, payload_of(element), how);
}

// Elements as the 64 bits that the emulator has in their place.
std::uint64_t bits_of(Call& call, const Element& element) {
  const Term value = map_get(call.names, element.array.values, call.heap.unsigned_integer(element.index));
  if (value.is_none()) return 0;
  if (element.array.kind == ArrayKind::kUnsigned) return *to_uint64(value);
  return static_cast<std::uint64_t>(*to_int64(value));
}

Term value_of(Call& call, const Array& array, std::uint64_t bits) {
  if (array.kind == ArrayKind::kUnsigned) return call.heap.unsigned_integer(bits);
  return call.heap.integer(static_cast<std::int64_t>(bits));
}

std::uint64_t read(Call& call, const Element& element) {
  note(call, element, access::kRead);
  return bits_of(call, element);
}

void put_array(Call& call, const Array& array) {
  const Term kind = Term::small(static_cast<std::int64_t>(array.kind));
  const Term entry = call.heap.tuple({kind, call.heap.unsigned_integer(array.size), array.values});
  const Term arrays =
      map_put(call.heap, call.names, call.machine.shared_terms().arrays, array.reference, entry);
  call.machine.change_shared_terms().arrays = arrays;
}

void write(Call& call, const Element& element, std::uint64_t bits, std::uint8_t how = access::kWrite) {
  note(call, element, how);
  const Term index = call.heap.unsigned_integer(element.index);
  Array changed = element.array;
  changed.values = bits == 0
                       ? map_remove(call.heap, call.names, changed.values, index)
                       : map_put(call.heap, call.names, changed.values, index, value_of(call, changed, bits));
  if (changed.values != element.array.values) put_array(call, changed);
}

// A value that an element can hold.
std::optional<std::uint64_t> read_value(const Array& array, Term value) {
  if (array.kind == ArrayKind::kUnsigned) return to_uint64(value);
  const auto bits = to_int64(value);
  return bits ? std::optional(static_cast<std::uint64_t>(*bits)) : std::nullopt;
}

// What may be added: any integer of 64 bits, signed or not.
std::optional<std::uint64_t> read_increment(Term value) {
  if (const auto bits = to_int64(value)) return static_cast<std::uint64_t>(*bits);
  return to_uint64(value);
}

// Arrays.

Term new_array(Call& call, ArrayKind kind, std::uint64_t size) {
  const Term reference = call.machine.signals.make_reference(call.self());
  put_array(call, {reference, kind, size, empty_map(call.heap)});
  return reference;
}

// Why an argument is no unsigned 64-bit number.
Term bad_word(Call& call, Term argument) {
  return is_kind(argument, Kind::kPositiveBig) ? call.system_limit() : call.badarg();
}

constexpr std::uint64_t kWordMax = std::numeric_limits<std::uint64_t>::max();

Term atomics_new_2(Call& call, const Term* arguments) {
  const auto size = to_uint64(arguments[0]);
  if (!size) return bad_word(call, arguments[0]);
  if (*size == 0) return call.badarg();
  const auto options = to_uint64(arguments[1]);
  if (!options) return bad_word(call, arguments[1]);
  if (*size > kWordMax / sizeof(std::uint64_t)) return call.system_limit();
  return new_array(call, (*options & 1) != 0 ? ArrayKind::kSigned : ArrayKind::kUnsigned, *size);
}

// The emulator has one element for each scheduler and one more; there is one scheduler.
constexpr std::uint64_t kWordsPerCounter = 2, kCacheLineBytes = 64;

Term counters_new_1(Call& call, const Term* arguments) {
  const auto size = to_uint64(arguments[0]);
  if (!size) return bad_word(call, arguments[0]);
  if (*size == 0) return call.badarg();
  if (*size > kWordMax / (sizeof(std::uint64_t) * 2 * kWordsPerCounter)) return call.system_limit();
  return new_array(call, ArrayKind::kCounters, *size);
}

Term atomics_info_1(Call& call, const Term* arguments) {
  const auto array = find_array(call, arguments[0], false);
  if (!array) return call.badarg();
  constexpr std::uint64_t kFixedBytes = 40;
  const bool is_signed = array->kind == ArrayKind::kSigned;
  const auto max = is_signed ? std::uint64_t{std::numeric_limits<std::int64_t>::max()} : kWordMax;
  const std::int64_t min = is_signed ? std::numeric_limits<std::int64_t>::min() : 0;
  const Term pairs[] = {
      atoms::kMax,    call.heap.unsigned_integer(max),
      atoms::kMemory, call.heap.unsigned_integer(kFixedBytes + array->size * sizeof(std::uint64_t)),
      atoms::kMin,    call.heap.integer(min),
      atoms::kSize,   call.heap.unsigned_integer(array->size)};
  return map_from_pairs(call.heap, call.names, pairs);
}

Term counters_info_1(Call& call, const Term* arguments) {
  const auto array = find_array(call, arguments[0], true);
  if (!array) return call.badarg();
  constexpr std::uint64_t kFixedBytes = 32, kElementsPerLine = kCacheLineBytes / sizeof(std::uint64_t);
  const std::uint64_t lines = kWordsPerCounter * ((array->size + kElementsPerLine - 1) / kElementsPerLine);
  const Term pairs[] = {atoms::kMemory, call.heap.unsigned_integer(kFixedBytes + lines * kCacheLineBytes),
                        atoms::kSize, call.heap.unsigned_integer(array->size)};
  return map_from_pairs(call.heap, call.names, pairs);
}

// Elements.

Term atomics_get_2(Call& call, const Term* arguments) {
  const auto element = find_atomic(call, arguments);
  return element ? value_of(call, element->array, read(call, *element)) : call.badarg();
}

Term counters_get_2(Call& call, const Term* arguments) {
  const auto element = find_counter(call, arguments);
  return element ? value_of(call, element->array, read(call, *element)) : call.badarg();
}

Term put_value(Call& call, const std::optional<Element>& element, Term value) {
  const auto bits = element ? read_value(element->array, value) : std::nullopt;
  if (!bits) return call.badarg();
  write(call, *element, *bits);
  return atoms::kOk;
}

Term atomics_put_3(Call& call, const Term* arguments) {
  return put_value(call, find_atomic(call, arguments), arguments[2]);
}
Term counters_put_3(Call& call, const Term* arguments) {
  return put_value(call, find_counter(call, arguments), arguments[2]);
}

// The sum, or nothing and badarg noted. Sums wrap around, so additions commute unless one tells its sum.
std::optional<std::uint64_t> add_to(Call& call, const std::optional<Element>& element, Term value,
                                    std::uint8_t how) {
  const auto increment = element ? read_increment(value) : std::nullopt;
  if (!increment) {
    call.badarg();
    return std::nullopt;
  }
  const std::uint64_t sum = bits_of(call, *element) + *increment;
  write(call, *element, sum, how);
  return sum;
}

Term atomics_add_3(Call& call, const Term* arguments) {
  return add_to(call, find_atomic(call, arguments), arguments[2], access::kChange) ? atoms::kOk
                                                                                   : Term::none();
}
Term counters_add_3(Call& call, const Term* arguments) {
  return add_to(call, find_counter(call, arguments), arguments[2], access::kChange) ? atoms::kOk
                                                                                    : Term::none();
}

Term atomics_add_get_3(Call& call, const Term* arguments) {
  const auto element = find_atomic(call, arguments);
  const auto sum = add_to(call, element, arguments[2], access::kWrite);
  return sum ? value_of(call, element->array, *sum) : Term::none();
}

Term atomics_exchange_3(Call& call, const Term* arguments) {
  const auto element = find_atomic(call, arguments);
  const auto desired = element ? read_value(element->array, arguments[2]) : std::nullopt;
  if (!desired) return call.badarg();
  const std::uint64_t before = bits_of(call, *element);
  write(call, *element, *desired);
  return value_of(call, element->array, before);
}

Term atomics_compare_exchange_4(Call& call, const Term* arguments) {
  const auto element = find_atomic(call, arguments);
  const auto expected = element ? read_value(element->array, arguments[2]) : std::nullopt;
  const auto desired = expected ? read_value(element->array, arguments[3]) : std::nullopt;
  if (!desired) return call.badarg();
  call.machine.record.note_access(ObjectClass::kAtomic, payload_of(*element), access::kRead);
  const std::uint64_t before = bits_of(call, *element);
  if (before != *expected) return value_of(call, element->array, before);
  write(call, *element, *desired);
  return atoms::kOk;
}

constexpr auto kAtomicsBuiltins = std::to_array<Builtin>({
    {"atomics", "add", 3, Effect::kOperation, atomics_add_3},
    {"atomics", "add_get", 3, Effect::kOperation, atomics_add_get_3},
    {"atomics", "compare_exchange", 4, Effect::kOperation, atomics_compare_exchange_4},
    {"atomics", "exchange", 3, Effect::kOperation, atomics_exchange_3},
    {"atomics", "get", 2, Effect::kOperation, atomics_get_2},
    {"atomics", "info", 1, Effect::kLocal, atomics_info_1},
    {"atomics", "put", 3, Effect::kOperation, atomics_put_3},
    {"erts_internal", "atomics_new", 2, Effect::kLocal, atomics_new_2},
    {"erts_internal", "counters_add", 3, Effect::kOperation, counters_add_3},
    {"erts_internal", "counters_get", 2, Effect::kOperation, counters_get_2},
    {"erts_internal", "counters_info", 1, Effect::kLocal, counters_info_1},
    {"erts_internal", "counters_new", 1, Effect::kLocal, counters_new_1},
    {"erts_internal", "counters_put", 3, Effect::kOperation, counters_put_3},
});
static_assert(std::ranges::is_sorted(kAtomicsBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> atomics_builtins() { return kAtomicsBuiltins; }

}  // namespace ravel::erlang
