// ets:info: what a table is, as the emulator tells it.
//
// `memory` counts a row as the emulator does, in words; what it adds for a table that has grown or has rare
// options is left out. `stats` (not documented) describes a hash table whose slots are keys.
#include <array>
#include <string>
#include <string_view>

#include "erlang/bif/ets_family.h"
#include "erlang/bif/shown_names.h"
#include "erlang/bif/virtual_clock.h"
#include "erlang/machine/table_notes.h"
#include "erlang/term/header.h"
#include "erlang/term/term_size.h"

namespace ravel::erlang {

namespace {

// Words of an empty table, and of a row in addition to its tuple.
constexpr std::uint64_t kHashTableWords = 305, kTreeTableWords = 139, kHashRowWords = 4, kTreeRowWords = 5;

Term type_name(TableType type) {
  switch (type) {
    case TableType::kSet: return atoms::kSet;
    case TableType::kOrderedSet: return atoms::kOrderedSet;
    case TableType::kBag: return atoms::kBag;
    case TableType::kDuplicateBag: return atoms::kDuplicateBag;
  }
  return Term::none();
}

Term protection_name(TableProtection protection) {
  if (protection == TableProtection::kPublic) return atoms::kPublic;
  return protection == TableProtection::kPrivate ? atoms::kPrivate : atoms::kProtected;
}

Term memory(Call& call, Table& table) {
  std::uint64_t words = table.is_hash() ? kHashTableWords : kTreeTableWords;
  for (const RowGroup& group : rows_of(call, table).all())
    group.for_each(
        [&](Term row) { words += flat_size(row) + (table.is_hash() ? kHashRowWords : kTreeRowWords); });
  return call.heap.unsigned_integer(words);
}

// {Time, [{Pid, Count}]}, or false. The time is that of the start.
Term fixing(Call& call, const Table& table, Term time) {
  if (!table.is_fixed()) return atoms::kFalse;
  std::vector<Term> pairs, pids;
  for (const Fixation& fixation : table.fixations) pids.push_back(fixation.pid);
  if (pids.size() > 1 && !may_show(call, pids, NameUse::kOrder)) return atoms::kFalse;
  for (const Fixation& fixation : table.fixations)
    pairs.push_back(call.heap.tuple({fixation.pid, Term::small(fixation.count)}));
  return call.heap.tuple({time, call.heap.list(pairs)});
}

Term system_time(Heap& heap) {
  constexpr std::int64_t kMicroseconds = kVirtualSystemNs / kNsPerMicrosecond;
  return heap.tuple({Term::small(kMicroseconds / 1'000'000'000'000),
                     Term::small(kMicroseconds / 1'000'000 % 1'000'000),
                     Term::small(kMicroseconds % 1'000'000)});
}

// The value of an item, or none if there is no such item.
Term item(Call& call, Table& table, Term what) {
  Heap& heap = call.heap;
  if (what == atoms::kSize) {
    if (table.is_bag()) {
      notes_of(call, table).all();
    } else {
      notes_of(call, table).order(Term::none(), Term::none());
    }
    return heap.unsigned_integer(table.size);
  }
  if (what == atoms::kMemory) {
    notes_of(call, table).all();
    return memory(call, table);
  }
  if (what == atoms::kId) return table.id;
  if (what == atoms::kDecentralizedCounters) return atoms::boolean(table.options.has_decentralized_counters);
  if (what == atoms::kReadConcurrency) return atoms::boolean(table.options.is_read_concurrent);
  if (what == atoms::kWriteConcurrency) return table.options.write_concurrency;
  if (what == atoms::kCompressed) return atoms::boolean(table.options.is_compressed);
  if (what == atoms::kOwner) return table.owner;
  if (what == atoms::kHeir) return table.heir;
  if (what == atoms::kName) return table.name;
  if (what == atoms::kNode) return atoms::kNoname;
  if (what == atoms::kNamedTable) return atoms::boolean(table.options.is_named);
  if (what == atoms::kType) return type_name(table.options.type);
  if (what == atoms::kKeypos) return Term::small(static_cast<std::int64_t>(table.options.key_position));
  if (what == atoms::kProtection) return protection_name(table.options.protection);
  if (!what.is_atom()) return Term::none();
  const std::string_view name = call.names.atoms.text(what);
  if (name == "fixed" || name == "safe_fixed" || name == "safe_fixed_monotonic_time") {
    notes_of(call, table).fixing(access::kWrite);  // the answer depends on all processes that fix the table
    if (name == "fixed") return atoms::boolean(table.is_fixed());
    return fixing(call, table, name == "safe_fixed" ? system_time(heap) : heap.integer(kVirtualMonotonicNs));
  }
  if (name == "stats") {
    if (table.is_hash()) {
      notes_of(call, table).all();
      return heap.tuple({Term::small(256), heap.floating(static_cast<double>(table.size) / 256),
                         heap.floating(0), heap.floating(0), Term::small(0),
                         heap.unsigned_integer(table.size), Term::small(0), Term::small(1)});
    }
    return atoms::kFalse;
  }
  if (name == "binary" || name == "data")
    call.machine.faults.refuse(
        "ets:info/2 with " + std::string(name) +
        " tells how the emulator stores rows, which is not so here: leave it out of the test");
  return Term::none();
}

constexpr std::array kItems = {atoms::kId,
                               atoms::kDecentralizedCounters,
                               atoms::kReadConcurrency,
                               atoms::kWriteConcurrency,
                               atoms::kCompressed,
                               atoms::kMemory,
                               atoms::kOwner,
                               atoms::kHeir,
                               atoms::kName,
                               atoms::kSize,
                               atoms::kNode,
                               atoms::kNamedTable,
                               atoms::kType,
                               atoms::kKeypos,
                               atoms::kProtection};

// The table; if there is none, `undefined` is the answer unless the handle is of no use at all.
Table* find_or_undefined(Call& call, Term handle, Term& answer) {
  Table* table = find_table(call, handle, TableRight::kInfo);
  answer = table == nullptr && call.exception.cause == atoms::kId ? atoms::kUndefined : Term::none();
  return table;
}

}  // namespace

Term ets_info_1(Call& call, const Term* arguments) {
  Term answer;
  Table* table = find_or_undefined(call, arguments[0], answer);
  if (table == nullptr) return answer;
  Term list = Term::nil();
  for (std::size_t i = kItems.size(); i-- > 0;)
    list = call.heap.cons(call.heap.tuple({kItems[i], item(call, *table, kItems[i])}), list);
  return list;
}

Term ets_info_2(Call& call, const Term* arguments) {
  Term answer;
  Table* table = find_or_undefined(call, arguments[0], answer);
  if (table == nullptr) return answer;
  const Term value = item(call, *table, arguments[1]);
  return value.is_none() ? call.badarg() : value;
}

}  // namespace ravel::erlang
