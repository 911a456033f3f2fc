// Whose tables are whose: the end of a table, other owners, and what becomes of the tables of a process that
// ends.
#include <algorithm>

#include "erlang/machine/machine.h"

namespace ravel::erlang {

void Machine::delete_table(Table& table) {
  note_access(ObjectClass::kTable, table.id.reference_payload(), access::kWrite);
  note_access(ObjectClass::kAllTables, 0, access::kChange);
  note_access(ObjectClass::kLife, table.owner.pid_name(), access::kRead);  // its end would have done the same
  if (table.options.is_named)
    note_access(ObjectClass::kTableName, static_cast<std::uint64_t>(table.name.atom_id()), access::kWrite);
  // The end of who has fixed it, which has nothing to do with it from now on.
  for (const Fixation& fixation : table.fixations)
    note_access(ObjectClass::kLife, fixation.pid.pid_name(), access::kRead);
  tables.remove(table);
}

void Machine::give_table(Table& table, Term new_owner, Term data) {
  note_access(ObjectClass::kTable, table.id.reference_payload(), access::kWrite);
  const Term old_owner = table.owner;
  tables.give(table, new_owner);
  if (data.is_nil()) return;
  transmit(old_owner, new_owner,
           {.kind = Signal::Kind::kMessage,
            .content = heap.tuple({atoms::kETSTRANSFER, table.handle(), old_owner, data.head()})});
}

void Machine::release_tables(Process& process) {
  if (!tables.concern(process.pid)) return;
  for (Table* table : tables.owned_by(process.pid)) {
    const Term heir = table->heir;
    if (heir.is_pid() && heir != process.pid) {
      note_access(ObjectClass::kLife, heir.pid_name(), access::kRead);
      if (is_alive(heir)) {
        give_table(*table, heir, table->heir_data);
        continue;
      }
    }
    delete_table(*table);
  }
  for (const auto& table : tables.all()) {
    const auto place = std::ranges::find(table->fixations, process.pid, &Fixation::pid);
    if (place == table->fixations.end()) continue;
    note_access(ObjectClass::kTable, table->id.reference_payload(), access::kRead);
    note_access(ObjectClass::kTableFixing, table->id.reference_payload(), access::kWrite);
    tables.touch(*table).fixations.erase(place);
    if (!table->is_fixed()) TableRows(heap, names, *table).forget_deleted_keys();
  }
}

}  // namespace ravel::erlang
