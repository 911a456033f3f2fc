// Whether a process that waits in a receive comes back to it: whether some way through the code from there,
// and through the callers to which it returns, leads to that receive again. What runs in a loop of its own
// does, and so does a behaviour's server; who waits for the answer to one question does not.
//
// The idea: calls that the code of a module makes of its own functions are a graph. From a place in a
// function, what stands after it in the code may be called; a function that may be called may call all that
// it names. Calls of funs, and of functions by names that are known only when the program runs, are not
// followed: so a server's loop is told from what its callbacks do.
//
// Invariant: the answer follows from the code of modules that the process has on its stack, and from nothing
// else that has happened. Cost: one look at all words of a module, once for each.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "erlang/machine/machine.h"

namespace ravel::erlang {

class ReceiveLoops {
 public:
  explicit ReceiveLoops(const Machine& machine) : machine_(machine) {}

  // What may be executed after a message has been taken there: `places` are a waiting process's, the receive
  // first (StackTraces::places_of).
  struct Way {
    bool comes_back = false;             // to the receive
    std::vector<std::uint32_t> reached;  // functions, by where they begin, in ascending order
  };
  const Way& way_from(std::span<const CodeWord* const> places);

  // Whether a place, as of an operation, is in one of the functions that are reached.
  bool reaches(const Way& way, const CodeWord* place) const;

 private:
  struct Graph {
    std::vector<LocalCall> calls;  // by place
  };
  const Graph& graph_of(const Module& module);

  const Machine& machine_;
  std::unordered_map<const Module*, Graph> graphs_;
  std::unordered_map<std::uint64_t, Way> ways_;  // by the places
};

}  // namespace ravel::erlang
