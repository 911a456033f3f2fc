// What grows from state to state, so that no state comes again: mailboxes, stacks, tables, atoms, clocks,
// and numbers that a process counts up.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "erlang/machine/machine.h"

namespace ravel::erlang {

class Growth {
 public:
  explicit Growth(Machine& machine) : machine_(machine) {}

  // Looks at the present state of the machine; those that follow on a way are told in this order.
  void look();
  // A sentence for each thing that has grown from every state to the next one: "the mailbox of P.1 grows: 3,
  // 5, 8 messages". At most a few, the surest first.
  std::vector<std::string> describe() const;

 private:
  struct Measure {
    std::string what;                  // "the mailbox of P.1"
    std::string unit;                  // "messages"
    std::vector<std::uint64_t> sizes;  // by state; shorter if it was not there in some
  };
  void note(const std::string& what, const std::string& unit, std::uint64_t size);
  void look_at(const Process& process);

  Machine& machine_;
  std::size_t looks_ = 0;
  std::vector<Measure> measures_;
  // Of each process that was there the first time, what it was about to do, in each state
  struct Stacks {
    Term pid;
    std::vector<Term> stacks;
  };
  std::vector<Stacks> stacks_;
};

}  // namespace ravel::erlang
