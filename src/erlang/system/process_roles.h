// Which part the processes of an execution have: one runs the test, most belong to it, and some are
// Erlang/OTP's own system.
#pragma once

#include <vector>

#include "erlang/machine/machine.h"

namespace ravel::erlang {

// Whose test it is; none of them: a function that is called.
struct Framework {
  bool is_eunit = false;
  bool is_exunit = false;
  bool is_common_test = false;
};

class ProcessRoles {
 public:
  // The machine must outlive this object.
  ProcessRoles(const Machine& machine, const Framework& framework)
      : machine_(machine), framework_(framework) {}

  // Those who are there now are Erlang/OTP's system. REQUIRES: the test has not started.
  void note_system();

  const Framework& framework() const { return framework_; }
  // A framework that has a runner of its own, and counts what happens to the processes of the test only.
  bool has_runner() const { return framework_.is_exunit || framework_.is_common_test; }

  // Whether it executes the functions of the test: a framework may make a process of its own for that.
  bool runs_test(const Process& process) const;
  // The first process of the test, or one that runs it.
  bool is_test_process(const Process& process) const {
    return process.pid == Names::root_pid() || runs_test(process);
  }
  // Whether it is in the code that runs a framework's tests, which belongs to the machine.
  bool is_in_runner(const Process& process) const;
  // Part of Erlang/OTP's system: started with it, or by it for itself. What an application of the test starts
  // is not.
  bool is_of_system(const Process& process) const;

  // Whether the first process of the test has ended.
  bool has_test_ended() const { return machine_.processes.find(Names::root_pid()) == nullptr; }

 private:
  const Machine& machine_;
  const Framework framework_;
  std::vector<Term> system_;  // who was there when the test started
};

}  // namespace ravel::erlang
