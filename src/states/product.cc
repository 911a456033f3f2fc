#include "states/product.h"

#include <utility>

namespace ravel {

using fair_cycles::Expansion;
using fair_cycles::Node;

Product::Product(const StateGraph& states, Expand expand, const TemporalQuestion& question,
                 StateNumber initial, std::uint64_t initial_letter)
    : states_(states),
      expand_(std::move(expand)),
      automaton_(question.negation),
      goes_on_after_ends_(question.about == TemporalQuestion::About::kFormula),
      initial_(initial),
      initial_letter_(initial_letter) {}

Product::Pair Product::pair_of(Node node) const {
  const std::uint32_t number = static_cast<std::uint32_t>(node) - 1;
  return {.state = StateNumber{pairs_.left(number)}, .reader = pairs_.right(number)};
}

Node Product::node_of(std::uint32_t state, std::uint32_t reader) {
  return Node{pairs_.insert(state, reader).number + 1};
}

void Product::expand(Node node, Expansion& expansion) {
  if (node == initial()) {
    for (const ltl::AutomatonEdge& edge : automaton_.states[0])
      if (edge.allows(initial_letter_))
        expansion.edges.push_back({.target = node_of(static_cast<std::uint32_t>(initial_), edge.target)});
    return;
  }
  const Pair pair = pair_of(node);
  if (!states_.is_expanded(pair.state)) expand_(pair.state);
  if (!states_.is_expanded(pair.state)) return;  // the search is over
  const auto enabled = states_.enabled(pair.state);
  expansion.enabled.assign(enabled.begin(), enabled.end());
  for (const StateGraph::Edge& taken : states_.edges(pair.state)) {
    if (taken.target == StateGraph::kNowhere) continue;
    const StateGraph::Label& label = states_.label(taken);
    if (label.actor == StateGraph::kNobody && !goes_on_after_ends_) continue;
    for (const ltl::AutomatonEdge& edge : automaton_.states[pair.reader])
      if (edge.allows(label.letter))
        expansion.edges.push_back(
            {.target = node_of(taken.target, edge.target),
             .actor = label.actor == StateGraph::kNobody ? fair_cycles::kNoActor : label.actor,
             .acceptance = edge.acceptance});
  }
}

std::optional<std::uint32_t> Product::transition_of(const fair_cycles::Step& step) const {
  if (step.from == Node{0} || step.edge == fair_cycles::kStutter) return std::nullopt;
  const Pair pair = pair_of(step.from);
  const auto edges = states_.edges(pair.state);
  std::uint32_t place = 0;
  for (std::uint32_t i = 0; i < edges.size(); ++i) {
    if (edges[i].target == StateGraph::kNowhere) continue;
    const StateGraph::Label& label = states_.label(edges[i]);
    for (const ltl::AutomatonEdge& edge : automaton_.states[pair.reader]) {
      if (!edge.allows(label.letter)) continue;
      if (place++ != step.edge) continue;
      return label.actor == StateGraph::kNobody ? std::nullopt : std::optional(i);
    }
  }
  return std::nullopt;
}

}  // namespace ravel
