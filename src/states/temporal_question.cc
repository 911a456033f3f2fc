#include "states/temporal_question.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "ltl/parse.h"
#include "ltl/translate.h"
#include "states/polling_loops.h"

namespace ravel {

namespace {

// One bit of a letter says whether the step only looked.
constexpr std::size_t kAskedMax = ltl::kPropositionsMax - 1;

constexpr std::array<std::string_view, 3> kFairnessTexts = {"none", "weak", "strong"};

Error about(const std::string& formula, const std::string& problem) {
  return Error{"the formula '" + formula + "': " + problem};
}

Result<ltl::Formula> read(const std::string& text, ltl::FormulaPool& pool) {
  const auto formula = ltl::parse(text, pool);
  if (!formula) return about(text, formula.error().message);
  return formula;
}

}  // namespace

Result<std::vector<std::string>> propositions_of(std::span<const std::string> formulas) {
  std::vector<std::string> propositions;
  for (const std::string& text : formulas) {
    ltl::FormulaPool pool;
    const auto formula = read(text, pool);
    if (!formula) return formula.error();
    for (const ltl::Formula atom : pool.atoms(*formula)) {
      const std::string proposition(pool.text(atom));
      if (std::ranges::count(propositions, proposition) == 0) propositions.push_back(proposition);
    }
  }
  if (propositions.size() > kAskedMax)
    return Error{"the formulas have " + std::to_string(propositions.size()) + " propositions, and at most " +
                 std::to_string(kAskedMax) + " can be looked at. Ask in two searches."};
  return propositions;
}

Result<TemporalQuestion> ask(const std::string& text, Fairness fairness,
                             std::span<const std::string> propositions) {
  ltl::FormulaPool pool;
  const auto formula = read(text, pool);
  if (!formula) return formula.error();
  auto negation = ltl::translate_negation(pool, *formula);
  if (!negation) return about(text, negation.error().message);
  std::vector<unsigned> bits;
  for (const std::string& proposition : negation->propositions) {
    const auto known = std::ranges::find(propositions, proposition);
    if (known == propositions.end()) return about(text, "nobody says when '" + proposition + "' holds");
    bits.push_back(static_cast<unsigned>(known - propositions.begin()));
  }
  const auto moved = [&](std::uint64_t mask) {
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < bits.size(); ++i) result |= (mask >> i & 1) << bits[i];
    return result;
  };
  for (auto& edges : negation->states)
    for (ltl::AutomatonEdge& edge : edges) {
      edge.required = moved(edge.required);
      edge.forbidden = moved(edge.forbidden);
    }
  negation->propositions.assign(propositions.begin(), propositions.end());
  return TemporalQuestion{.about = TemporalQuestion::About::kFormula,
                          .formula = text,
                          .fairness = fairness,
                          .tell = {},
                          .negation = std::move(*negation)};
}

std::uint64_t TemporalQuestion::asked() const {
  std::uint64_t asked = 0;
  for (const auto& edges : negation.states)
    for (const ltl::AutomatonEdge& edge : edges) asked |= edge.required | edge.forbidden;
  return asked;
}

TemporalQuestion ask_about_progress(Fairness fairness, std::span<const std::string> propositions) {
  auto question = ask(kProgressFormula, fairness, propositions);
  CHECK(question);
  question->about = TemporalQuestion::About::kProgress;
  return std::move(*question);
}

TemporalQuestion ask_about_changes(Fairness fairness) {
  auto question = ask(kChangesFormula, fairness, std::vector<std::string>{"changes"});
  CHECK(question);
  question->about = TemporalQuestion::About::kChanges;
  for (auto& edges : question->negation.states)
    for (ltl::AutomatonEdge& edge : edges) {
      const bool reads_change = edge.required != 0, reads_look = edge.forbidden != 0;
      edge.required = reads_look ? kOnlyLooked : 0;
      edge.forbidden = reads_change ? kOnlyLooked : 0;
    }
  return std::move(*question);
}

std::string_view text_of(Fairness fairness) { return kFairnessTexts[static_cast<std::size_t>(fairness)]; }

std::optional<Fairness> fairness_of(std::string_view text) {
  const auto known = std::ranges::find(kFairnessTexts, text);
  if (known == kFairnessTexts.end()) return std::nullopt;
  return static_cast<Fairness>(known - kFairnessTexts.begin());
}

}  // namespace ravel
