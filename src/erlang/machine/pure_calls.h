// Calls of Erlang functions that only compute, as those of the monitors of properties do: in a process that
// no process of the program can see, and that may make no operation.
//
// The process has a name that no other has, child 0 of Erlang/OTP's system, and begins each call as if it
// were the first. What the call allocates lies in the nursery with everything else.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "erlang/machine/code.h"
#include "erlang/machine/machine_part.h"
#include "erlang/machine/process.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

class PureCalls final : public MachinePart {
 public:
  explicit PureCalls(Machine& its_machine) : MachinePart(its_machine) {}

  struct Answer {
    Term value = Term::none();  // young, as long as nothing runs or is saved; none: there is no answer
    std::string problem;        // why not, as "it calls spawn/1, ..."
    std::vector<const CodeWord*> places;  // where that is, then its callers
  };
  // Calls a function that ends by giving its answer (give()). REQUIRES: nothing runs, and no fault.
  Answer call(Term module, Term function, std::span<const Term> arguments);
  bool is_running() const { return is_running_; }
  // By the call that is running.
  void give(Term value) { value_ = value; }
  // For another test.
  void forget_process() { process_ = nullptr; }

  void for_each_term(Roots::Visit visit, void* collector);

 private:
  void prepare();
  Answer answer();
  std::string problem_of_fault() const;
  std::string problem_of_rest() const;

  std::unique_ptr<Process> process_;
  Term value_ = Term::none();
  bool is_running_ = false;
};

}  // namespace ravel::erlang
