#include "states/product.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "ltl/components.h"

namespace ravel {

using fair_cycles::Expansion;
using fair_cycles::Node;

namespace {

// Whether the state was not marked before.
bool mark(std::vector<bool>& marked, std::uint32_t state) {
  if (state >= marked.size()) marked.resize(state + std::size_t{1} + state / 2);
  if (marked[state]) return false;
  marked[state] = true;
  return true;
}

}  // namespace

Product::Product(const StateGraph& states, Expand expand, const TemporalQuestion& question,
                 StateNumber initial, std::uint64_t initial_letter)
    : states_(states),
      expand_(std::move(expand)),
      automaton_(question.negation),
      goes_on_after_ends_(question.about == TemporalQuestion::About::kFormula),
      initial_(initial),
      initial_letter_(initial_letter),
      waits_(ltl::states_before_accepting(automaton_)),
      visited_(automaton_.states.size()),
      place_of_reader_(automaton_.states.size()) {
  for (std::uint32_t reader = 0; reader < waits_.size(); ++reader) {
    if (waits_[reader]) continue;
    place_of_reader_[reader] = static_cast<std::uint32_t>(reader_at_.size());
    reader_at_.push_back(reader);
  }
}

Product::Pair Product::pair_of(Node node) const {
  const std::uint32_t number = static_cast<std::uint32_t>(node) - 1;
  if (reader_at_.size() > kReadersInPlaceMax)
    return {.state = pairs_.left(number), .reader = pairs_.right(number)};
  const auto readers = static_cast<std::uint32_t>(reader_at_.size());
  return {.state = number / readers, .reader = reader_at_[number % readers]};
}

Node Product::node_of(const Pair& pair) {
  if (reader_at_.size() > kReadersInPlaceMax) return Node{pairs_.insert(pair.state, pair.reader).number + 1};
  const auto readers = static_cast<std::uint32_t>(reader_at_.size());
  return Node{pair.state * readers + place_of_reader_[pair.reader] + 1};
}

template <class Take>
void Product::for_each_edge(const Pair& pair, Take take) const {
  const std::span<const StateGraph::Edge> edges = states_.edges(StateNumber{pair.state});
  for (std::uint32_t i = 0; i < edges.size(); ++i) {
    if (edges[i].target == StateGraph::kNowhere) continue;
    const StateGraph::Label& label = states_.label(edges[i]);
    if (is_left_out(label)) continue;
    for (const ltl::AutomatonEdge& reading : automaton_.states[pair.reader])
      if (reading.allows(label.letter)) take(i, label, Pair{edges[i].target, reading.target}, reading);
  }
}

void Product::expand(Node node, Expansion& expansion) {
  if (node == initial()) {
    for (const ltl::AutomatonEdge& reading : automaton_.states[0]) {
      if (!reading.allows(initial_letter_)) continue;
      const Pair first{.state = static_cast<std::uint32_t>(initial_), .reader = reading.target};
      if (waits(first)) {
        visit(first);
      } else {
        expansion.edges.push_back({.target = node_of(first)});
      }
    }
    return;
  }
  const Pair pair = pair_of(node);
  const StateNumber state{pair.state};
  if (!states_.is_expanded(state)) expand_(state);
  if (!states_.is_expanded(state)) return;
  const auto enabled = states_.enabled(state);
  expansion.enabled.assign(enabled.begin(), enabled.end());
  for_each_edge(pair, [&](std::uint32_t, const StateGraph::Label& label, const Pair& target,
                          const ltl::AutomatonEdge& reading) {
    expansion.edges.push_back(
        {.target = node_of(target),
         .actor = label.actor == StateGraph::kNobody ? fair_cycles::kNoActor : label.actor,
         .acceptance = reading.acceptance});
  });
}

void Product::visit(const Pair& pair) {
  if (mark(visited_[pair.reader], pair.state)) path_.push_back({.pair = pair});
}

std::optional<Node> Product::next_root() {
  while (!path_.empty()) {
    Waiting& end = path_.back();
    const StateNumber state{end.pair.state};
    if (!states_.is_expanded(state)) expand_(state);
    if (!states_.is_expanded(state)) return std::nullopt;
    const std::span<const StateGraph::Edge> edges = states_.edges(state);
    if (end.edge == edges.size()) {
      path_.pop_back();
      continue;
    }
    const StateGraph::Edge taken = edges[end.edge];
    const std::vector<ltl::AutomatonEdge>& readings = automaton_.states[end.pair.reader];
    if (taken.target == StateGraph::kNowhere || is_left_out(states_.label(taken)) ||
        end.reading == readings.size()) {
      ++end.edge;
      end.reading = 0;
      continue;
    }
    const ltl::AutomatonEdge& reading = readings[end.reading++];
    if (!reading.allows(states_.label(taken).letter)) continue;
    const Pair target{.state = taken.target, .reader = reading.target};
    if (!waits(target)) return node_of(target);
    visit(target);
  }
  return std::nullopt;
}

std::optional<std::uint32_t> Product::transition_of(const fair_cycles::Step& step) const {
  if (step.from == Node{0} || step.edge == fair_cycles::kStutter) return std::nullopt;
  std::optional<std::uint32_t> transition;
  std::uint32_t place = 0;
  for_each_edge(pair_of(step.from),
                [&](std::uint32_t i, const StateGraph::Label& label, const Pair&, const ltl::AutomatonEdge&) {
                  if (place++ == step.edge && label.actor != StateGraph::kNobody) transition = i;
                });
  return transition;
}

// Breadth first.
std::vector<std::uint32_t> Product::way_to(Node root) const {
  if (root == Node{0}) return {};
  struct Met {
    Pair pair;
    std::size_t from = 0;  // the place of the one before; its own: none
    std::uint32_t edge = 0;
  };
  const Pair goal = pair_of(root);
  std::vector<Met> met;
  std::vector<std::vector<bool>> is_met(waits_.size());
  const auto meet = [&](const Met& one) {
    if (mark(is_met[one.pair.reader], one.pair.state)) met.push_back(one);
  };
  for (const ltl::AutomatonEdge& reading : automaton_.states[0])
    if (const Pair first{static_cast<std::uint32_t>(initial_), reading.target};
        reading.allows(initial_letter_) && waits(first))
      meet({.pair = first, .from = met.size()});
  std::optional<Met> last;
  for (std::size_t at = 0; !last; ++at) {
    CHECK(at < met.size());
    const Pair pair = met[at].pair;
    if (!states_.is_expanded(StateNumber{pair.state})) continue;
    for_each_edge(
        pair, [&](std::uint32_t i, const StateGraph::Label&, const Pair& target, const ltl::AutomatonEdge&) {
          const Met one{.pair = target, .from = at, .edge = i};
          if (target == goal && !last) last = one;
          if (waits(target)) meet(one);
        });
  }
  std::vector<std::uint32_t> way;
  std::uint32_t edge = last->edge;
  for (std::size_t at = last->from;; at = met[at].from) {
    const StateGraph::Edge& taken = states_.edges(StateNumber{met[at].pair.state})[edge];
    if (states_.label(taken).actor != StateGraph::kNobody) way.push_back(edge);
    if (met[at].from == at) break;
    edge = met[at].edge;
  }
  std::ranges::reverse(way);
  return way;
}

}  // namespace ravel
