// Whether anybody can tell in which order the emulator's reports reach the logger.
//
// Two processes that crash both send a report to logger_proxy, which hands it to the handlers. As long as
// these only print, the order of the reports shows in nothing but the order of what is printed, which is not
// varied for its own sake. So logger_proxy then takes its messages as they happen to be sent. Handlers,
// filters and formatters that the test (or what was started before it) has set may do anything: from then on,
// in such an execution, the order is varied. A program that sets them between two reports is met
// nevertheless, from executions in which it does so before both.
#pragma once

#include "erlang/machine/machine.h"
#include "erlang/machine/process.h"

namespace ravel::erlang {

class PlainLogging {
 public:
  // Looks at the configuration when a test starts. REQUIRES: the machine was saved since it changed.
  void look(Machine& machine);

  // Whether this is logger_proxy, and the configuration is still that one, and prints only.
  bool is_served_by(const Machine& machine, const Process& process) const;

 private:
  Term rows_ = Term::none();  // of the table `logger`; none: not only printing
  Term proxy_ = Term::none();
};

}  // namespace ravel::erlang
