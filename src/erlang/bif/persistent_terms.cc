// persistent_term: values that all processes share, by key.
//
// They are one map of the machine (SharedTerms::persistent). A key is an object of its own in footprints;
// whoever looks at all keys surveys what every change reads. A put of the value that is there changes
// nothing, as in the emulator, so it only reads.
#include <algorithm>
#include <array>

#include "base/hash.h"
#include "erlang/bif/builtins.h"
#include "erlang/bif/shown_names.h"
#include "erlang/machine/machine.h"
#include "erlang/term/compare.h"
#include "erlang/term/hash_functions.h"
#include "erlang/term/map.h"
#include "erlang/term/term_size.h"

namespace ravel::erlang {

namespace {

// All keys together, in footprints. A key that hashes to it makes more conflicts, never fewer.
constexpr std::uint64_t kAllKeys = 0;

std::uint64_t payload_of(Call& call, Term key) {
  return combine(key_hash(call.names, key, 8), key_hash(call.names, key, 0));
}

void note_change(Call& call, Term key) {
  call.machine.record.note_plain_access(ObjectClass::kPersistentTerm, payload_of(call, key), access::kWrite);
  call.machine.record.note_plain_access(ObjectClass::kPersistentTerm, kAllKeys, access::kChange);
}

void note_survey(Call& call) {
  call.machine.record.note_plain_access(ObjectClass::kPersistentTerm, kAllKeys, access::kRead);
}

Term table(Call& call) { return call.machine.shared_terms().persistent; }

// Looks up a key for a call that writes or not because of what it finds.
Term look_up_to_change(Call& call, Term key) {
  call.machine.record.note_access(ObjectClass::kPersistentTerm, payload_of(call, key), access::kRead);
  return map_get(call.names, table(call), key);
}

// The value, or none.
Term look_up(Call& call, Term key) {
  call.machine.record.note_plain_access(ObjectClass::kPersistentTerm, payload_of(call, key), access::kRead);
  return map_get(call.names, table(call), key);
}

Term get_0(Call& call, const Term*) {
  note_survey(call);
  if (!may_list(call, table(call))) return Term::none();
  return map_to_list(call.heap, table(call));
}

Term get_1(Call& call, const Term* arguments) {
  const Term value = look_up(call, arguments[0]);
  return value.is_none() ? call.badarg() : value;
}

Term get_2(Call& call, const Term* arguments) {
  const Term value = look_up(call, arguments[0]);
  return value.is_none() ? arguments[1] : value;
}

enum class IfPresent : std::uint8_t { kReplace, kFail };

Term put(Call& call, const Term* arguments, IfPresent if_present) {
  const Term present = look_up_to_change(call, arguments[0]);
  if (!present.is_none() && equal_exactly(present, arguments[1])) return atoms::kOk;
  if (!present.is_none() && if_present == IfPresent::kFail) return call.badarg();
  note_change(call, arguments[0]);
  // The new key takes the place of the old one, which may be the other zero.
  const Term others = map_remove(call.heap, call.names, table(call), arguments[0]);
  const Term changed = map_put(call.heap, call.names, others, arguments[0], arguments[1]);
  call.machine.change_shared_terms().persistent = changed;
  return atoms::kOk;
}

Term put_2(Call& call, const Term* arguments) { return put(call, arguments, IfPresent::kReplace); }
Term put_new_2(Call& call, const Term* arguments) { return put(call, arguments, IfPresent::kFail); }

Term erase_1(Call& call, const Term* arguments) {
  if (look_up_to_change(call, arguments[0]).is_none()) return atoms::kFalse;
  note_change(call, arguments[0]);
  const Term changed = map_remove(call.heap, call.names, table(call), arguments[0]);
  call.machine.change_shared_terms().persistent = changed;
  return atoms::kTrue;
}

Term erase_persistent_terms_0(Call& call, const Term*) {
  call.machine.record.note_access(ObjectClass::kPersistentTerm, kAllKeys, access::kWrite);
  for (MapIterator pairs(table(call)); pairs.next();)
    call.machine.record.note_plain_access(ObjectClass::kPersistentTerm, payload_of(call, pairs.key()),
                                          access::kWrite);
  call.machine.change_shared_terms().persistent = empty_map(call.heap);
  return atoms::kTrue;
}

// The memory is that of the terms alone: how the emulator lays out its table is not to be seen otherwise.
Term info_0(Call& call, const Term*) {
  note_survey(call);
  std::uint64_t words = 0;
  for (MapIterator pairs(table(call)); pairs.next();)
    words += flat_size(pairs.key()) + flat_size(pairs.value());
  const Term count = Term::small(static_cast<std::int64_t>(map_size(table(call))));
  const Term pairs[] = {atoms::kCount, count, atoms::kMemory,
                        call.heap.unsigned_integer(words * sizeof(Word))};
  return map_from_pairs(call.heap, call.names, pairs);
}

constexpr auto kPersistentTermBuiltins = std::to_array<Builtin>({
    {"erts_internal", "erase_persistent_terms", 0, Effect::kOperation, erase_persistent_terms_0},
    {"persistent_term", "erase", 1, Effect::kOperation, erase_1},
    {"persistent_term", "get", 0, Effect::kOperation, get_0},
    {"persistent_term", "get", 1, Effect::kOperation, get_1},
    {"persistent_term", "get", 2, Effect::kOperation, get_2},
    {"persistent_term", "info", 0, Effect::kOperation, info_0},
    {"persistent_term", "put", 2, Effect::kOperation, put_2},
    {"persistent_term", "put_new", 2, Effect::kOperation, put_new_2},
    {"ravel_logger", "get_term", 2, Effect::kLocal, get_2},  // of the logger's own, see ravel_logger.erl
});
static_assert(std::ranges::is_sorted(kPersistentTermBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> persistent_term_builtins() { return kPersistentTermBuiltins; }

}  // namespace ravel::erlang
