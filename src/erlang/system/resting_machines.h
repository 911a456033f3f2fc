// Machines on which Erlang/OTP's system has been started for one program, between two tests of a command.
//
// Starting it takes some forty milliseconds, more than most tests. So a test leaves its machine here, and the
// next one takes it back to where the system rested (Machine::return_to_start). It makes no difference to any
// result.
#pragma once

#include <memory>
#include <vector>

#include "erlang/machine/machine.h"

namespace ravel::erlang {

class RestingMachines {
 public:
  // A machine at its start, for these options; null: there is none.
  std::unique_ptr<Machine> take(const MachineOptions& options);
  // REQUIRES: the machine's system was started.
  void put(std::unique_ptr<Machine> machine);

 private:
  std::vector<std::unique_ptr<Machine>> machines_;
};

}  // namespace ravel::erlang
