// Tables of ets as a whole: making, finding, naming, giving away, deleting; and the table of the whole
// family.
#include <algorithm>
#include <array>
#include <optional>

#include "erlang/bif/builtins.h"
#include "erlang/bif/ets_family.h"
#include "erlang/bif/shown_names.h"
#include "erlang/term/header.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

constexpr std::int64_t kLocksMax = 32768;  // of {debug_hash_fixed_number_of_locks, N}

void note_name(Call& call, Term name, std::uint8_t access) {
  call.machine.record.note_access(ObjectClass::kTableName, static_cast<std::uint64_t>(name.atom_id()),
                                  access);
}

void note_table(Call& call, const Table& table, std::uint8_t access) {
  call.machine.record.note_access(ObjectClass::kTable, table.id.reference_payload(), access);
}

// What ets:new/2 is asked for, as it is read.
struct NewTable {
  TableOptions options;
  Term heir = atoms::kNone;
  Term heir_data = Term::nil();
  bool is_write_concurrent = false;
  std::optional<bool> decentralized;         // as asked for
  bool is_decentralized_by_default = false;  // depends on the order of the options
};

bool read_write_concurrency(NewTable& table, Term value) {
  if (value == atoms::kAuto) {
    table.is_decentralized_by_default = true;
  } else if (value == atoms::kTrue) {
    if (table.options.type != TableType::kOrderedSet) table.is_decentralized_by_default = false;
  } else if (is_tuple_of(value, 2)) {
    const Term locks = element(value, 2);
    if (element(value, 1) != atoms::kDebugHashFixedNumberOfLocks || !locks.is_small()) return false;
    if (locks.small_value() < 1 || locks.small_value() > kLocksMax) return false;
    table.is_decentralized_by_default = true;
  } else if (value != atoms::kFalse) {
    return false;
  }
  table.options.write_concurrency = value;
  table.is_write_concurrent = value != atoms::kFalse;
  return true;
}

bool read_pair(NewTable& table, Term name, Term value) {
  const bool is_boolean = value == atoms::kTrue || value == atoms::kFalse;
  if (name == atoms::kKeypos && value.is_small() && value.small_value() > 0) {
    table.options.key_position = static_cast<Word>(value.small_value());
  } else if (name == atoms::kWriteConcurrency) {
    return read_write_concurrency(table, value);
  } else if (name == atoms::kReadConcurrency && is_boolean) {
    table.options.is_read_concurrent = value == atoms::kTrue;
  } else if (name == atoms::kDecentralizedCounters && is_boolean) {
    table.decentralized = value == atoms::kTrue;
  } else if (name == atoms::kHeir && value == atoms::kNone) {
    table.heir = atoms::kNone;
    table.heir_data = Term::nil();
  } else if (name == atoms::kHeir && value.is_pid() && installed_release().has_silent_heirs) {
    table.heir = value;
    table.heir_data = Term::nil();
  } else {
    return false;
  }
  return true;
}

bool read_option(Heap& heap, NewTable& table, Term option) {
  TableOptions& options = table.options;
  if (is_tuple_of(option, 2)) return read_pair(table, element(option, 1), element(option, 2));
  if (is_tuple_of(option, 3)) {
    if (element(option, 1) != atoms::kHeir || !element(option, 2).is_pid()) return false;
    table.heir = element(option, 2);
    table.heir_data = heap.cons(element(option, 3), Term::nil());
  } else if (option == atoms::kBag) {
    options.type = TableType::kBag;
  } else if (option == atoms::kDuplicateBag) {
    options.type = TableType::kDuplicateBag;
  } else if (option == atoms::kOrderedSet) {
    options.type = TableType::kOrderedSet;
    table.is_decentralized_by_default = true;
  } else if (option == atoms::kPublic) {
    options.protection = TableProtection::kPublic;
  } else if (option == atoms::kPrivate) {
    options.protection = TableProtection::kPrivate;
  } else if (option == atoms::kNamedTable) {
    options.is_named = true;
  } else if (option == atoms::kCompressed) {
    options.is_compressed = true;
  } else {
    return option == atoms::kSet || option == atoms::kProtected;  // of no effect after others
  }
  return true;
}

// The options as ets:info/2 tells them; false if they contradict each other.
bool settle_options(NewTable& table) {
  TableOptions& options = table.options;
  const bool is_private = options.protection == TableProtection::kPrivate;
  const bool counts_locks = is_tuple(options.write_concurrency);
  if (counts_locks && options.type == TableType::kOrderedSet) return false;
  const bool is_fine_locked = table.is_write_concurrent && !is_private;
  if (!is_fine_locked) options.write_concurrency = atoms::kFalse;
  options.has_decentralized_counters =
      is_fine_locked && table.decentralized.value_or(table.is_decentralized_by_default);
  if (is_private) options.is_read_concurrent = false;
  return true;
}

// A dead heir is none.
void set_heir(Call& call, Table& table, Term heir, Term data) {
  if (heir.is_pid()) {
    call.machine.record.note_access(ObjectClass::kLife, heir.pid_name(), access::kRead);
    if (!call.machine.processes.is_alive(heir)) heir = atoms::kNone;
  }
  table.heir = heir;
  table.heir_data = data;
}

}  // namespace

Table* find_table(Call& call, Term handle, TableRight right) {
  Table* table = nullptr;
  Term cause = atoms::kId;
  if (handle.is_atom()) {
    note_name(call, handle, access::kRead);
    table = call.machine.tables.named(handle);
  } else if (Names::is_table_id(handle)) {
    call.machine.record.note_access(ObjectClass::kTable, handle.reference_payload(), access::kRead);
    table = call.machine.tables.find(handle);
  } else {
    cause = atoms::kType;
  }
  if (table != nullptr) {
    if (handle.is_atom()) note_table(call, *table, access::kRead);
    const TableProtection protection = table->options.protection;
    const bool is_open = right == TableRight::kInfo || protection == TableProtection::kPublic ||
                         (right == TableRight::kRead && protection == TableProtection::kProtected);
    if (is_open || table->owner == call.self().pid) return table;
    cause = atoms::kAccess;
  }
  call.fail(atoms::kBadarg, cause);
  return nullptr;
}

Term ets_new_2(Call& call, const Term* arguments) {
  const Term name = arguments[0];
  if (!name.is_atom()) return call.badarg();
  NewTable wanted;
  Term list = arguments[1];
  for (; list.is_cons(); list = list.tail())
    if (!read_option(call.heap, wanted, list.head())) return call.badarg();
  if (!list.is_nil() || !settle_options(wanted)) return call.badarg();

  Process& self = call.self();
  const TableOptions& options = wanted.options;
  if (options.is_named) {
    const bool exists = call.machine.tables.named(name) != nullptr;
    note_name(call, name, exists ? access::kRead : access::kWrite);
    if (exists) return call.fail(atoms::kBadarg, atoms::kAlreadyExists);
  }
  Table table;
  table.id = call.machine.free_names.table_of(self);
  table.name = name;
  table.owner = self.pid;
  table.options = options;
  table.rows = TableRows::empty(call.heap, options.type);
  set_heir(call, table, wanted.heir, wanted.heir_data);
  note_table(call, table, access::kWrite);
  call.machine.record.note_access(ObjectClass::kAllTables, 0, access::kChange);
  return call.machine.tables.add(std::move(table)).handle();
}

Term ets_delete_1(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kWrite);
  if (table == nullptr) return Term::none();
  call.machine.table_ownership.delete_table(*table);
  return atoms::kTrue;
}

Term ets_rename_2(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kWrite);
  if (table == nullptr) return Term::none();
  const Term name = arguments[1];
  if (!name.is_atom()) return call.badarg();
  if (table->options.is_named) {
    const bool exists = call.machine.tables.named(name) != nullptr;
    note_name(call, name, exists ? access::kRead : access::kWrite);
    if (exists) return call.badarg();
    note_name(call, table->name, access::kWrite);
    call.machine.record.note_access(ObjectClass::kAllTables, 0, access::kChange);
  }
  note_table(call, *table, access::kWrite);
  call.machine.tables.touch(*table).name = name;
  return table->options.is_named ? name : arguments[0];
}

Term ets_whereis_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_atom()) return call.badarg();
  note_name(call, arguments[0], access::kRead);
  const Table* table = call.machine.tables.named(arguments[0]);
  return table == nullptr ? atoms::kUndefined : table->id;
}

Term ets_give_away_3(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kWrite);
  if (table == nullptr) return Term::none();
  const Term receiver = arguments[1];
  if (!receiver.is_pid()) return call.badarg();
  call.machine.record.note_access(ObjectClass::kLife, receiver.pid_name(), access::kRead);
  if (!call.machine.processes.is_alive(receiver)) return call.badarg();
  if (table->owner != call.self().pid) return call.fail(atoms::kBadarg, atoms::kNotOwner);
  if (table->owner == receiver) return call.fail(atoms::kBadarg, atoms::kOwner);
  call.machine.table_ownership.give_table(*table, receiver, call.heap.cons(arguments[2], Term::nil()));
  return atoms::kTrue;
}

Term ets_setopts_2(Call& call, const Term* arguments) {
  Table* table = find_table(call, arguments[0], TableRight::kWrite);
  if (table == nullptr) return Term::none();
  std::optional<TableProtection> protection;
  Term heir = Term::none();
  Term heir_data = Term::nil();
  Term list = is_tuple(arguments[1]) ? call.heap.cons(arguments[1], Term::nil()) : arguments[1];
  for (; list.is_cons(); list = list.tail()) {
    const Term option = list.head();
    const Word size = is_tuple(option) ? tuple_size(option) : 0;
    if (size < 2 || size > 3) return call.badarg();
    const Term value = element(option, 2);
    if (element(option, 1) == atoms::kHeir && heir.is_none()) {
      const bool is_silent = size == 2 && value.is_pid() && installed_release().has_silent_heirs;
      if (!is_silent && (size == 2 ? value != atoms::kNone : !value.is_pid())) return call.badarg();
      heir = value;
      if (size == 3) heir_data = call.heap.cons(element(option, 3), Term::nil());
    } else if (element(option, 1) == atoms::kProtection && size == 2 && !protection) {
      if (value == atoms::kPublic) {
        protection = TableProtection::kPublic;
      } else if (value == atoms::kProtected) {
        protection = TableProtection::kProtected;
      } else if (value == atoms::kPrivate) {
        protection = TableProtection::kPrivate;
      } else {
        return call.badarg();
      }
    } else {
      return call.badarg();
    }
  }
  if (!list.is_nil() || table->owner != call.self().pid) return call.badarg();
  note_table(call, *table, access::kWrite);
  call.machine.tables.touch(*table);
  if (!heir.is_none()) set_heir(call, *table, heir, heir_data);
  if (protection) table->options.protection = *protection;
  return atoms::kTrue;
}

// ets:all/0 sends this request to each scheduler; there is one. The answer is in the order of identifiers.
Term ets_internal_request_all_0(Call& call, const Term*) {
  call.machine.record.note_access(ObjectClass::kAllTables, 0, access::kRead);
  std::vector<Term> handles;
  for (const auto& table : call.machine.tables.all()) handles.push_back(table->handle());
  if (!may_show(call, handles, NameUse::kOrder)) return Term::none();
  const Term reference = call.machine.signals.make_reference(call.self());
  call.machine.signals.deliver(call.self().pid, call.heap.tuple({reference, call.heap.list(handles)}),
                               atoms::kSystem);
  return reference;
}

namespace {

constexpr auto kTableBuiltins = std::to_array<Builtin>({
    {"ets", "delete", 1, Effect::kOperation, ets_delete_1},
    {"ets", "delete", 2, Effect::kOperation, ets_delete_2},
    {"ets", "delete_object", 2, Effect::kOperation, ets_delete_object_2},
    {"ets", "first", 1, Effect::kOperation, ets_first_1},
    {"ets", "first_lookup", 1, Effect::kOperation, ets_first_lookup_1},
    {"ets", "give_away", 3, Effect::kOperation, ets_give_away_3},
    {"ets", "info", 1, Effect::kOperation, ets_info_1},
    {"ets", "info", 2, Effect::kOperation, ets_info_2},
    {"ets", "insert", 2, Effect::kOperation, ets_insert_2},
    {"ets", "insert_new", 2, Effect::kOperation, ets_insert_new_2},
    {"ets", "internal_delete_all", 2, Effect::kOperation, ets_internal_delete_all_2},
    {"ets", "internal_request_all", 0, Effect::kOperation, ets_internal_request_all_0},
    {"ets", "internal_select_delete", 2, Effect::kOperation, ets_internal_select_delete_2},
    {"ets", "last", 1, Effect::kOperation, ets_last_1},
    {"ets", "last_lookup", 1, Effect::kOperation, ets_last_lookup_1},
    {"ets", "lookup", 2, Effect::kOperation, ets_lookup_2},
    {"ets", "lookup_element", 3, Effect::kOperation, ets_lookup_element_3},
    {"ets", "lookup_element", 4, Effect::kOperation, ets_lookup_element_4},
    {"ets", "match", 1, Effect::kOperation, ets_select_1},
    {"ets", "match", 2, Effect::kOperation, ets_match_2},
    {"ets", "match", 3, Effect::kOperation, ets_match_3},
    {"ets", "match_object", 1, Effect::kOperation, ets_select_1},
    {"ets", "match_object", 2, Effect::kOperation, ets_match_object_2},
    {"ets", "match_object", 3, Effect::kOperation, ets_match_object_3},
    {"ets", "member", 2, Effect::kOperation, ets_member_2},
    {"ets", "new", 2, Effect::kOperation, ets_new_2},
    {"ets", "next", 2, Effect::kOperation, ets_next_2},
    {"ets", "next_lookup", 2, Effect::kOperation, ets_next_lookup_2},
    {"ets", "prev", 2, Effect::kOperation, ets_prev_2},
    {"ets", "prev_lookup", 2, Effect::kOperation, ets_prev_lookup_2},
    {"ets", "rename", 2, Effect::kOperation, ets_rename_2},
    {"ets", "safe_fixtable", 2, Effect::kOperation, ets_safe_fixtable_2},
    {"ets", "select", 1, Effect::kOperation, ets_select_1},
    {"ets", "select", 2, Effect::kOperation, ets_select_2},
    {"ets", "select", 3, Effect::kOperation, ets_select_3},
    {"ets", "select_count", 2, Effect::kOperation, ets_select_count_2},
    {"ets", "select_replace", 2, Effect::kOperation, ets_select_replace_2},
    {"ets", "select_reverse", 1, Effect::kOperation, ets_select_1},
    {"ets", "select_reverse", 2, Effect::kOperation, ets_select_reverse_2},
    {"ets", "select_reverse", 3, Effect::kOperation, ets_select_reverse_3},
    {"ets", "setopts", 2, Effect::kOperation, ets_setopts_2},
    {"ets", "slot", 2, Effect::kOperation, ets_slot_2},
    {"ets", "take", 2, Effect::kOperation, ets_take_2},
    {"ets", "update_counter", 3, Effect::kOperation, ets_update_counter_3},
    {"ets", "update_counter", 4, Effect::kOperation, ets_update_counter_4},
    {"ets", "update_element", 3, Effect::kOperation, ets_update_element_3},
    {"ets", "update_element", 4, Effect::kOperation, ets_update_element_4},
    {"ets", "whereis", 1, Effect::kOperation, ets_whereis_1},
    {"ravel_logger", "lookup", 2, Effect::kLocal, ets_lookup_2},  // of the logger's own, see ravel_logger.erl
});
static_assert(std::ranges::is_sorted(kTableBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> table_builtins() { return kTableBuiltins; }

}  // namespace ravel::erlang
