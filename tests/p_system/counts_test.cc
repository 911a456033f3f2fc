// How many executions and states there are: what a reduction is worth, and what counts as a difference.

#include <gtest/gtest.h>

#include "tests/p_system/run.h"

namespace ravel::p {
namespace {

// Three machines send one event each to a board, which does that with them.
std::string three_senders(const std::string& reaction) {
  return "event add: int; event other: int;\n"
         "machine Board { var n: int; start state S { " +
         reaction +
         " } }\n"
         "machine Sender { start state S { entry (p: (Board, int)) { send p.0, add, p.1; } } }\n"
         "machine Main { start state S { entry { var b: Board; var i: int; b = new Board();\n"
         "while (i < 3) { i = i + 1; new Sender((b, i)); } } } }\n";
}

struct Counted {
  std::uint64_t executions;
  std::size_t ends;
  std::uint64_t states;
  friend bool operator==(const Counted&, const Counted&) = default;
};

Counted counted(const std::string& text, const POptions& options = {}) {
  const Opened one = opened(text, "", options), other = opened(text, "", options);
  const Searched reduced = search(*one.system, "dpor");
  EXPECT_TRUE(reduced.exploration.counts.coverage.is_complete);
  EXPECT_EQ(reduced.exploration.counts.abandoned, 0);
  const Searched by_states = search_states(*other.system);
  return {.executions = reduced.exploration.counts.executions,
          .ends = reduced.ends.size(),
          .states = by_states.exploration.counts.states.value().states};
}

std::ostream& operator<<(std::ostream& out, const Counted& counts) {
  return out << counts.executions << " executions, " << counts.ends << " ends, " << counts.states
             << " states";
}

TEST(Counts, EveryOrderOfEventsThatAreTaken) {
  const std::string text = three_senders("on add do (i: int) { n = n * 10 + i; }");
  EXPECT_EQ(counted(text), (Counted{.executions = 6, .ends = 6, .states = 169}));
  EXPECT_EQ(counted(text, {.steps = Steps::kHandlers}), (Counted{.executions = 6, .ends = 6, .states = 66}));
}

TEST(Counts, EventsThatAreDroppedAreTakenInEveryOrder) {
  EXPECT_EQ(counted(three_senders("ignore add;")), (Counted{.executions = 6, .ends = 1, .states = 154}));
}

TEST(Counts, WhatIsDeferredForEverHasNoOrder) {
  EXPECT_EQ(counted(three_senders("defer add;")), (Counted{.executions = 1, .ends = 1, .states = 106}));
}

TEST(Counts, OneExecutionForEachChoice) {
  EXPECT_EQ(counted("machine Main { var n: int; start state S { entry { n = choose(4); if ($) n = 0; } } }"),
            (Counted{.executions = 8, .ends = 4, .states = 10}));
}

}  // namespace
}  // namespace ravel::p
