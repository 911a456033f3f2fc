// The order of a search by states that has questions of temporal logic: states are visited as the search for
// fair cycles needs them, and their transitions are kept (state_graph.h, product.h). Those that no question
// is about come last.
//
// Cost: 12 bytes for each state and some bytes for each transition, besides what the product keeps for each
// question in its turn.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fair_cycles/search.h"
#include "states/product.h"
#include "states/state_graph.h"
#include "states/state_steps.h"
#include "states/temporal_question.h"

namespace ravel {

class FormulaSearch {
 public:
  // REQUIRES: there is a question. `steps` must outlive this, and go to any state that was met.
  FormulaSearch(StateSteps& steps, std::vector<TemporalQuestion> questions)
      : steps_(steps), questions_(std::move(questions)) {}

  // From the initial state on, until every state was visited or the search is over.
  void run(const StateSteps::Arrival& initial);

  // What holds in a state that was met, and after the step that led there.
  void note(const Letter& letter) { held_ |= letter.state | letter.step; }
  // The propositions of the questions that held in no state and after no step.
  std::vector<std::string> never_held() const;

 private:
  void note_end(const StateSteps::Arrival& end);
  void expand(StateNumber state);
  void look_for_violation(const TemporalQuestion& question, StateNumber initial);
  void record_violation(const TemporalQuestion& question, const Product& product,
                        const fair_cycles::Counterexample& counterexample);

  StateSteps& steps_;
  const std::vector<TemporalQuestion> questions_;
  StateGraph graph_;
  std::uint64_t initial_letter_ = 0;
  std::uint64_t held_ = 0;  // propositions that held somewhere
  // Of the state that is expanded.
  std::vector<Transition> transitions_;
  std::vector<StateGraph::Edge> edges_;
  std::vector<fair_cycles::Actor> actors_;
};

}  // namespace ravel
