// The product of a System's states and the automaton of a negated formula, as a graph in which a fair cycle
// is an execution that violates the formula.
//
// The automaton reads the letter of a step when the step is taken. A node is a state and a state of the
// automaton; from the first node, which is no such pair, the automaton reads the letter of the initial state.
// Where nothing can move the automaton goes on reading what holds there: an edge on which nobody moves. A
// question about progress is not about these.
//
// Cost: 25 bytes for each node, besides what fair_cycles keeps.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "fair_cycles/graph.h"
#include "fair_cycles/search.h"
#include "states/pair_table.h"
#include "states/state_graph.h"
#include "states/temporal_question.h"

namespace ravel {

class Product final : public fair_cycles::Graph {
 public:
  // Expands a state in the graph; an end gets one edge, to itself, on which StateGraph::kNobody moves. All
  // must outlive this.
  using Expand = std::function<void(StateNumber)>;
  Product(const StateGraph& states, Expand expand, const TemporalQuestion& question, StateNumber initial,
          std::uint64_t initial_letter);

  fair_cycles::Node initial() override { return fair_cycles::Node{0}; }
  void expand(fair_cycles::Node node, fair_cycles::Expansion& expansion) override;

  // Which transition of the System a step is, by its place among those that are enabled. Nothing: none.
  std::optional<std::uint32_t> transition_of(const fair_cycles::Step& step) const;
  std::size_t size() const { return pairs_.size(); }

 private:
  struct Pair {
    StateNumber state;
    std::uint32_t reader;
  };
  Pair pair_of(fair_cycles::Node node) const;
  fair_cycles::Node node_of(std::uint32_t state, std::uint32_t reader);

  const StateGraph& states_;
  const Expand expand_;
  const ltl::Automaton& automaton_;
  const bool goes_on_after_ends_;
  const StateNumber initial_;
  const std::uint64_t initial_letter_;
  PairTable pairs_;  // by node, after the first one
};

}  // namespace ravel
