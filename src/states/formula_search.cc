#include "states/formula_search.h"

#include <optional>

#include "states/fair_actors.h"

namespace ravel {

// The states that no question is about are visited at the end.
void FormulaSearch::run(const StateSteps::Arrival& initial) {
  initial_letter_ = initial.letter.state | initial.letter.step;
  if (!initial.can_go_on) note_end(initial);
  for (const TemporalQuestion& question : questions_)
    if (!steps_.is_over()) look_for_violation(question, *initial.state);
  for (std::uint32_t state = 0; state < steps_.states() && !steps_.is_over(); ++state)
    if (!graph_.is_expanded(StateNumber{state})) expand(StateNumber{state});
}

// Nothing moves there any more: what holds now holds for ever.
void FormulaSearch::note_end(const StateSteps::Arrival& end) {
  const StateGraph::Edge stays = {
      .target = static_cast<std::uint32_t>(*end.state),
      .label = graph_.intern({.letter = end.letter.state, .actor = StateGraph::kNobody})};
  graph_.expand(*end.state, {&stays, 1}, {});
}

void FormulaSearch::expand(StateNumber state) {
  edges_.clear();
  actors_.clear();
  if (steps_.is_over()) return;
  const std::span<const Transition> enabled = steps_.enabled_in(state);
  transitions_.assign(enabled.begin(), enabled.end());
  for (std::uint32_t index = 0; index < transitions_.size(); ++index) {
    if (steps_.should_stop()) return;
    const fair_cycles::Actor actor = fair_actor(transitions_[index].actor);
    if (is_sure_to_move(transitions_[index])) actors_.push_back(actor);
    const StateSteps::Arrival arrival = steps_.take(state, index);
    if (steps_.is_over()) return;
    StateGraph::Edge& edge = edges_.emplace_back();
    if (!arrival.state) continue;
    const Letter letter = arrival.letter;
    edge = {.target = static_cast<std::uint32_t>(*arrival.state),
            .label = graph_.intern({.letter = letter.state | letter.step, .actor = actor})};
    if (arrival.is_new && !arrival.can_go_on) note_end(arrival);
  }
  graph_.expand(state, edges_, actors_);
}

void FormulaSearch::look_for_violation(const TemporalQuestion& question, StateNumber initial) {
  Product product(
      graph_, [this](StateNumber state) { expand(state); }, question, initial, initial_letter_);
  const fair_cycles::Found found =
      find_fair_cycle(product, {.acceptance = question.negation.all_acceptance_sets(),
                                .fairness = question.fairness,
                                .gives_up = [this] { return steps_.is_over(); }});
  if (found.outcome == fair_cycles::Outcome::kFound)
    record_violation(question, product, found.counterexample);
  if (found.outcome == fair_cycles::Outcome::kTooLarge && !steps_.is_over()) steps_.end_for_memory();
}

// The steps of the counterexample that are transitions, told and looked at once more.
void FormulaSearch::record_violation(const TemporalQuestion& question, const Product& product,
                                     const fair_cycles::Counterexample& counterexample) {
  const fair_cycles::Step& first =
      counterexample.stem.empty() ? counterexample.cycle.front() : counterexample.stem.front();
  std::vector<std::uint32_t> indices = product.way_to(first.from);
  const auto add = [&](const std::vector<fair_cycles::Step>& steps) {
    std::uint64_t count = 0;
    for (const fair_cycles::Step& step : steps)
      if (const auto index = product.transition_of(step)) {
        indices.push_back(*index);
        ++count;
      }
    return count;
  };
  add(counterexample.stem);
  const std::uint64_t loop = add(counterexample.cycle);
  steps_.record_endless(question, indices, loop);
}

std::vector<std::string> FormulaSearch::never_held() const {
  std::vector<std::string> texts;
  const std::vector<std::string>& propositions = questions_.front().negation.propositions;
  std::uint64_t asked = 0;
  for (const TemporalQuestion& question : questions_)
    if (question.about == TemporalQuestion::About::kFormula) asked |= question.asked();
  for (std::size_t i = 0; i < propositions.size(); ++i)
    if ((asked >> i & 1) != 0 && (held_ >> i & 1) == 0) texts.push_back(propositions[i]);
  return texts;
}

}  // namespace ravel
