#include "check/replay_subject.h"

#include <optional>
#include <utility>
#include <vector>

#include "engine/round_finder.h"
#include "states/lasso_check.h"

namespace ravel {

namespace {

// The question that a ticket of an execution without an end answers.
Result<TemporalQuestion> ask_again(const std::string& formula, Fairness fairness, bool is_livelock,
                                   const std::vector<std::string>& propositions) {
  if (is_livelock && formula == kChangesFormula) return ask_about_changes(fairness);
  auto question = ask(formula, fairness, propositions);
  return question && is_livelock ? ask_about_progress(fairness, propositions) : std::move(question);
}

}  // namespace

Result<Replay> replay_subject(const Subject& subject, const std::string& saved) {
  std::optional<LassoCheck> lasso;
  if (const auto& noted = subject.ticket->lasso) {
    const auto fairness = fairness_of(noted->fairness);
    if (!fairness)
      return Error{saved + ": this ticket is damaged: '" + noted->fairness + "' is no fairness."};
    auto question = ask_again(noted->formula, *fairness, subject.ticket->bug.kind == kLivelock,
                              subject.system().propositions());
    if (!question) return Error{saved + ": " + question.error().message + "."};
    question->tell = subject.test->tell_violation();
    lasso.emplace(std::move(*question));
  }
  return replay(subject.system(), *subject.ticket, lasso ? &*lasso : nullptr, subject.test->going_on());
}

}  // namespace ravel
