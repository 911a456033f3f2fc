// The product of a System's states and the automaton of a negated formula, as a graph in which a fair cycle
// is an execution that violates the formula.
//
// The automaton reads the letter of a step when the step is taken. A node is a state and a state of the
// automaton, its reader; from the first node, which is no such pair, the automaton reads the letter of the
// initial state. Where nothing can move the automaton goes on reading what holds there: an edge on which
// nobody moves. A question about progress is not about these.
//
// The idea: a cycle counts only if its readers are in an accepting component of the automaton. Before a run
// comes to one of these ("eventually", and nothing has happened yet) it waits, and most pairs of many
// searches are such. So these are no nodes: they are visited here, depth first, and are one bit each. Where
// the automaton leaves waiting the search goes on (Graph::next_root()).
//
// Cost: a bit for each state and reader that waits; 16 bytes for each of these pairs on the way to the
// present one. Of the others nothing where one or two readers do not wait, besides what fair_cycles keeps;
// else up to 21 bytes for each.
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
  // Expands a state in the graph; an end gets one edge, to itself, on which StateGraph::kNobody moves. If it
  // does not, the search is over. All must outlive this.
  using Expand = std::function<void(StateNumber)>;
  Product(const StateGraph& states, Expand expand, const TemporalQuestion& question, StateNumber initial,
          std::uint64_t initial_letter);

  fair_cycles::Node initial() override { return fair_cycles::Node{0}; }
  std::optional<fair_cycles::Node> next_root() override;
  void expand(fair_cycles::Node node, fair_cycles::Expansion& expansion) override;

  // Which transition of the System a step is, by its place among those that are enabled. Nothing: none.
  std::optional<std::uint32_t> transition_of(const fair_cycles::Step& step) const;
  // Such places of a shortest way through pairs that wait, from the initial state to a root; none to the
  // first node.
  std::vector<std::uint32_t> way_to(fair_cycles::Node root) const;

 private:
  struct Pair {
    std::uint32_t state;
    std::uint32_t reader;

    friend bool operator==(const Pair&, const Pair&) = default;
  };
  // On the way to the present one of those that wait: which edge comes next, and which of its reader's.
  struct Waiting {
    Pair pair;
    std::uint32_t edge = 0, reading = 0;
  };
  // More readers than that have their pairs numbered as they are met. With two, numbers fit any state's.
  static constexpr std::size_t kReadersInPlaceMax = 2;

  Pair pair_of(fair_cycles::Node node) const;
  fair_cycles::Node node_of(const Pair& pair);
  bool waits(const Pair& pair) const { return waits_[pair.reader]; }
  void visit(const Pair& pair);
  // Calls take(edge, reading) for each edge of the state with each edge of the automaton that reads it.
  template <class Take>
  void for_each_edge(const Pair& pair, Take take) const;
  bool is_left_out(const StateGraph::Label& label) const {
    return label.actor == StateGraph::kNobody && !goes_on_after_ends_;
  }

  const StateGraph& states_;
  const Expand expand_;
  const ltl::Automaton& automaton_;
  const bool goes_on_after_ends_;
  const StateNumber initial_;
  const std::uint64_t initial_letter_;

  std::vector<bool> waits_;                 // by reader
  std::vector<std::vector<bool>> visited_;  // by reader that waits, and state
  std::vector<Waiting> path_;
  // Of the readers that do not wait: their places, and which one has each.
  std::vector<std::uint32_t> place_of_reader_, reader_at_;
  PairTable pairs_;  // by node, after the first one, if they are too many to be in place
};

}  // namespace ravel
