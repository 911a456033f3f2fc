#include "erlang/machine/table_ownership.h"

#include <algorithm>

#include "erlang/machine/machine.h"

namespace ravel::erlang {

void TableOwnership::delete_table(Table& table) {
  record.note_access(ObjectClass::kTable, table.id.reference_payload(), access::kWrite);
  record.note_access(ObjectClass::kAllTables, 0, access::kChange);
  record.note_access(ObjectClass::kLife, table.owner.pid_name(),
                     access::kRead);  // the owner's end would have done the same
  if (table.options.is_named)
    record.note_access(ObjectClass::kTableName, static_cast<std::uint64_t>(table.name.atom_id()),
                       access::kWrite);
  // The end of who has fixed it, which has nothing to do with it from now on.
  for (const Fixation& fixation : table.fixations)
    record.note_access(ObjectClass::kLife, fixation.pid.pid_name(), access::kRead);
  machine.tables.remove(table);
}

void TableOwnership::give_table(Table& table, Term new_owner, Term data) {
  record.note_access(ObjectClass::kTable, table.id.reference_payload(), access::kWrite);
  const Term old_owner = table.owner;
  machine.tables.give(table, new_owner);
  if (data.is_nil()) return;
  machine.channels.transmit(
      old_owner, new_owner,
      {.kind = Signal::Kind::kMessage,
       .content = heap.tuple({atoms::kETSTRANSFER, table.handle(), old_owner, data.head()})});
}

void TableOwnership::release_tables(Process& process) {
  if (!machine.tables.concern(process.pid)) return;
  for (Table* table : machine.tables.owned_by(process.pid)) {
    const Term heir = table->heir;
    if (heir.is_pid() && heir != process.pid) {
      record.note_access(ObjectClass::kLife, heir.pid_name(), access::kRead);
      if (machine.processes.is_alive(heir)) {
        give_table(*table, heir, table->heir_data);
        continue;
      }
    }
    delete_table(*table);
  }
  for (const auto& table : machine.tables.all()) {
    const auto place = std::ranges::find(table->fixations, process.pid, &Fixation::pid);
    if (place == table->fixations.end()) continue;
    record.note_access(ObjectClass::kTable, table->id.reference_payload(), access::kRead);
    record.note_access(ObjectClass::kTableFixing, table->id.reference_payload(), access::kWrite);
    machine.tables.touch(*table).fixations.erase(place);
    if (!table->is_fixed()) TableRows(heap, names, *table).forget_deleted_keys();
  }
}

}  // namespace ravel::erlang
