// What all parts of the machine see: the machine, and the memory in which terms live.
//
// The machine is cut along what it does (machine.h lists its parts). Each part keeps its own data and offers
// what others need of it; it reaches another part through the machine, as `machine.registry`.
#pragma once

#include "erlang/term/heap.h"
#include "erlang/term/names.h"
#include "erlang/term/store.h"

namespace ravel::erlang {

class Machine;
struct MachineOptions;
struct StepRecord;

class MachinePart {
 public:
  MachinePart(const MachinePart&) = delete;
  MachinePart& operator=(const MachinePart&) = delete;

 protected:
  explicit MachinePart(Machine& its_machine);
  ~MachinePart() = default;

  // Something of the state that no process owns has changed.
  void note_shared_change();

  Machine& machine;
  Heap& heap;
  Names& names;
  Store& store;
  StepRecord& record;
  const MachineOptions& options;
};

}  // namespace ravel::erlang
