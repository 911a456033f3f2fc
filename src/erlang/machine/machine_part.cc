#include "erlang/machine/machine_part.h"

#include "erlang/machine/machine.h"

namespace ravel::erlang {

MachinePart::MachinePart(Machine& its_machine)
    : machine(its_machine),
      heap(its_machine.heap),
      names(its_machine.names),
      store(its_machine.store),
      record(its_machine.record),
      options(its_machine.options) {}

void MachinePart::note_shared_change() { machine.freezer.note_shared_change(); }

}  // namespace ravel::erlang
