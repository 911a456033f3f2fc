// A formula of temporal logic, made ready to be asked of a System that gives letters.
//
// The word of an execution: its first letter is that of the initial state, and each step adds one, of what
// holds after it and what it did. An execution that ends stays as it is for ever. The formula is negated and
// translated (ltl/translate.h); the automaton accepts the words that violate it, and reads the System's
// letters as they are.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/bug.h"
#include "fair_cycles/search.h"
#include "ltl/automaton.h"

namespace ravel {

using fair_cycles::Fairness;

// Changes kind, message and place of the bug that this formula is violated.
using TellViolation = std::function<void(const std::string& formula, Bug& bug)>;

struct TemporalQuestion {
  // What a violation is called: of a formula, or that an execution goes round for ever without progress, or
  // without a change. An execution that ends needs neither.
  enum class About : std::uint8_t { kFormula, kProgress, kChanges };

  About about = About::kFormula;
  std::string formula;
  Fairness fairness = Fairness::kWeak;
  // Tells a violation in the words of the program, in place of those that speak of the formula. The System is
  // in the last state of the loop. Empty: these will do.
  TellViolation tell = {};
  ltl::Automaton negation;  // bit i of its letters is proposition number i of the System

  // The propositions that matter.
  std::uint64_t asked() const;
};

// The distinct propositions of formulas, in the order of their first place. The error says what is wrong with
// which formula.
Result<std::vector<std::string>> propositions_of(std::span<const std::string> formulas);

// `propositions`: those of the System. Errors: the formula cannot be read, is too large, or has a proposition
// that the System does not know.
Result<TemporalQuestion> ask(const std::string& formula, Fairness fairness,
                             std::span<const std::string> propositions);

// The formula of executions that make progress for ever: that a step passes the label `progress` again and
// again.
inline constexpr const char kProgressFormula[] = "always eventually progress";
// REQUIRES: its proposition is one of these.
TemporalQuestion ask_about_progress(Fairness fairness, std::span<const std::string> propositions);

// The formula of executions in which somebody does more than look, again and again (polling_loops.h).
inline constexpr const char kChangesFormula[] = "always eventually changes";
TemporalQuestion ask_about_changes(Fairness fairness);

// "none", "weak", "strong".
std::string_view text_of(Fairness fairness);
std::optional<Fairness> fairness_of(std::string_view text);

}  // namespace ravel
