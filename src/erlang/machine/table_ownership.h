// Which process owns which tables of ets.
#pragma once

#include "erlang/machine/machine_part.h"
#include "erlang/machine/process.h"
#include "erlang/machine/table.h"

namespace ravel::erlang {

class TableOwnership final : public MachinePart {
 public:
  explicit TableOwnership(Machine& its_machine) : MachinePart(its_machine) {}

  void delete_table(Table& table);
  // Makes another process the owner, which a message tells it if `data` is [Data], and nothing if it is [].
  // REQUIRES: it is alive.
  void give_table(Table& table, Term new_owner, Term data);
  // The process ends: its tables go to their heirs or are deleted.
  void release_tables(Process& process);
};

}  // namespace ravel::erlang
