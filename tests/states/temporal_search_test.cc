// Formulas that are asked of endless programs: what is told as a violation is looked at by the definitions of
// the formula's operators and of fairness, and where none is told, random executions are looked at.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/random.h"
#include "engine/replay.h"
#include "engine/system_wrapper.h"
#include "ltl/parse.h"
#include "ltl/print.h"
#include "states/lasso_check.h"
#include "states/state_search.h"
#include "tests/ltl/lasso.h"
#include "tests/toy/programs.h"
#include "tests/toy/reference.h"
#include "tests/toy/toy_system.h"

namespace ravel {
namespace {

using toy::Op;
using toy::Program;
using toy::ToySystem;

const std::vector<toy::Operation> kAlphabet = {{Op::kWrite, 0},  {Op::kGive, 0},  {Op::kTake, 0},
                                               {Op::kAgain, 0},  {Op::kTake, 1},  {Op::kGive, 1},
                                               {Op::kChoose, 0}, {Op::kAgain, 0}, {Op::kWrite, 1}};

// A toy system whose propositions are those of the formulas' tests: which hold follows from a seed, and from
// the state and who has moved.
class Lettered final : public SystemWrapper {
 public:
  Lettered(ToySystem& system, std::uint64_t seed) : SystemWrapper(system), system_(system), seed_(seed) {}

  void reset() override {
    SystemWrapper::reset();
    note(std::nullopt);
  }
  Event step(const Transition& transition) override {
    const ActorId actor = transition.actor;
    const Event event = SystemWrapper::step(transition);
    note(actor);
    return event;
  }
  std::vector<std::string> propositions() const override { return ltl::kNames; }
  Letter letter() override { return letter_; }

  std::string state_text() const { return system_.state_text(); }

 private:
  // A proposition holds in a quarter of the states, and after a quarter of the steps.
  std::uint64_t some(std::uint64_t hash) const { return hash >> 8 & hash >> 16 & (ltl::kLetters - 1); }
  void note(std::optional<ActorId> moved) {
    const std::uint64_t state = combine(seed_, hash_string(system_.state_text()));
    letter_ = {.state = some(state), .step = 0};
    if (moved) letter_.step = some(combine(state, static_cast<std::uint64_t>(*moved) + 1));
  }

  ToySystem& system_;
  const std::uint64_t seed_;
  Letter letter_;
};

// An execution as it was taken, with its word and who could move.
struct Execution {
  ltl::Lasso word;  // its loop is set by whoever knows it
  std::vector<std::string> states;
  std::vector<std::set<ActorId>> enabled;
  std::vector<ActorId> movers;  // of the steps, one fewer than states

  explicit Execution(Lettered& system) : system_(system) {
    system.reset();
    note();
  }
  void take(const Transition& transition) {
    movers.push_back(transition.actor);
    system_.step(transition);
    note();
  }
  // The word if the last `loop` steps come again for ever; with 0, if nothing happens any more.
  ltl::Lasso lasso(std::size_t loop) {
    ltl::Lasso endless = word;
    endless.loop = word.letters.size() - loop;
    if (loop == 0) endless.letters.push_back(system_.letter().state);
    return endless;
  }
  // By the definition of weak fairness.
  bool is_fair(std::size_t loop) const {
    const std::size_t first = states.size() - 1 - loop;
    for (const ActorId actor : enabled[first]) {
      bool is_served = false;
      for (std::size_t i = first; i < states.size() - 1; ++i)
        is_served |= movers[i] == actor || !enabled[i].contains(actor);
      if (!is_served) return false;
    }
    return true;
  }

 private:
  void note() {
    states.push_back(system_.state_text());
    word.letters.push_back(system_.letter().state | system_.letter().step);
    std::set<ActorId>& now = enabled.emplace_back();
    for (const Transition& transition : system_.enabled()) now.insert(transition.actor);
  }

  Lettered& system_;
};

struct Asked {
  std::string formula;
  Fairness fairness;
};

Exploration search(Lettered& system, const Asked& asked, AfterBug after_bug) {
  SteadyClock clock;
  Limits limits;
  limits.after_bug = after_bug;
  StateSearch search(system, StateOrder::kDepthFirst, limits, clock);
  auto question = ask(asked.formula, asked.fairness, system.propositions());
  EXPECT_TRUE(question);
  search.ask({std::move(*question)});
  return search.run();
}

const FoundBug* violation_of(const Exploration& found) {
  const auto place =
      std::ranges::find_if(found.bugs, [](const FoundBug& one) { return one.lasso.has_value(); });
  return place == found.bugs.end() ? nullptr : &*place;
}

// What was told is an execution, keeps fairness, and violates the formula.
void check_violation(Lettered& system, const FoundBug& found, const Asked& asked) {
  ltl::FormulaPool pool;
  const auto formula = ltl::parse(asked.formula, pool);
  ASSERT_TRUE(formula);
  EXPECT_EQ(found.lasso->formula, asked.formula);
  Execution execution(system);
  for (const Transition& transition : found.schedule) {
    ASSERT_NE(std::ranges::count(system.enabled(), transition), 0);
    execution.take(transition);
  }
  const std::uint64_t loop = found.lasso->loop;
  ASSERT_LE(loop, found.schedule.size());
  if (loop == 0) {
    EXPECT_NE(system.outcome(), Outcome::kRunning);
  } else {
    EXPECT_EQ(execution.states.back(), execution.states[execution.states.size() - 1 - loop]);
    EXPECT_TRUE(asked.fairness == Fairness::kNone || execution.is_fair(loop));
  }
  const ltl::Lasso word = execution.lasso(loop);
  EXPECT_FALSE(ltl::holds(pool, *formula, word)) << asked.formula << " on" << word.to_string();
}

// No random execution that keeps fairness violates the formula.
std::size_t look_at_random_executions(Lettered& system, const Asked& asked, Random& random) {
  ltl::FormulaPool pool;
  const auto formula = ltl::parse(asked.formula, pool);
  std::size_t looked_at = 0;
  for (int i = 0; i < 30; ++i) {
    Execution execution(system);
    std::optional<std::size_t> loop;
    for (int step = 0; step < 40 && !loop; ++step) {
      if (system.outcome() != Outcome::kRunning) {
        loop = 0;
        break;
      }
      const auto enabled = system.enabled();
      execution.take(enabled[random.below(enabled.size())]);
      for (std::size_t before = 0; before + 1 < execution.states.size() && !loop; ++before)
        if (execution.states[before] == execution.states.back() &&
            (asked.fairness == Fairness::kNone || execution.is_fair(execution.states.size() - 1 - before)))
          loop = execution.states.size() - 1 - before;
    }
    if (!loop) continue;
    ++looked_at;
    const ltl::Lasso word = execution.lasso(*loop);
    EXPECT_TRUE(ltl::holds(pool, *formula, word)) << asked.formula << " on" << word.to_string();
  }
  return looked_at;
}

TEST(TemporalSearch, AgreesWithTheDefinitionsOnRandomProgramsAndFormulas) {
  std::size_t violated = 0, by_ends = 0, held = 0, executions = 0;
  for (std::uint64_t seed = 0; seed < 4'000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Program program = toy::random_program(random, kAlphabet, 3, 4);
    ToySystem reference(program);
    const auto all = toy::all_states(
        reference, [&] { return reference.state_text(); }, 300);
    if (!all) continue;
    SCOPED_TRACE(to_string(program));
    ltl::FormulaPool pool;
    const Asked asked = {
        .formula = ltl::to_string(
            pool, ltl::random_formula(random, pool, static_cast<unsigned>(2 + random.below(6)))),
        .fairness = random.chance(1, 3) ? Fairness::kNone : Fairness::kWeak};
    ToySystem system(program);
    Lettered lettered(system, seed);
    const Exploration found = search(lettered, asked, AfterBug::kKeepGoing);
    EXPECT_EQ(found.stop, Stop::kComplete);
    EXPECT_EQ(found.counts.states->states, all->states);
    EXPECT_EQ(found.counts.states->transitions, all->transitions);
    EXPECT_EQ(found.counts.executions, all->ends);
    const FoundBug* const violation = violation_of(found);
    EXPECT_EQ(found.bugs.size(), all->bugs.size() + (violation == nullptr ? 0 : 1));
    for (const auto& [key, events] : all->bugs)
      EXPECT_TRUE(std::ranges::any_of(found.bugs, [&](const FoundBug& one) { return one.bug.key() == key; }));
    if (violation != nullptr) {
      ++violated;
      by_ends += violation->lasso->loop == 0 ? 1 : 0;
      check_violation(lettered, *violation, asked);
    } else {
      ++held;
      executions += look_at_random_executions(lettered, asked, random);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(violated, 700u);
  EXPECT_GT(by_ends, 100u);
  EXPECT_LT(by_ends * 2, violated * 2 - 100);
  EXPECT_GT(held, 500u);
  EXPECT_GT(executions, 5'000u);
}

// One actor goes round in two steps, for ever; the two others have a step each.
TEST(TemporalSearch, FairnessDecidesWhoIsToBlame) {
  const Program program = {{{Op::kWrite, 0}, {Op::kAgain, 0}}, {{Op::kGive, 0}}, {{Op::kTake, 0}}};
  const auto events_to_violate = [&](Fairness fairness) {
    ToySystem system(program);
    Lettered lettered(system, 1);
    const Exploration found = search(lettered, {"eventually false", fairness}, AfterBug::kStop);
    const FoundBug* const violation = violation_of(found);
    EXPECT_NE(violation, nullptr);
    return violation == nullptr ? std::size_t{0} : violation->schedule.size();
  };
  // Nobody lets the others go on; or they do so first.
  EXPECT_EQ(events_to_violate(Fairness::kNone), 2u);
  EXPECT_EQ(events_to_violate(Fairness::kWeak), 4u);
  EXPECT_EQ(events_to_violate(Fairness::kStrong), 4u);
}

TEST(TemporalSearch, JudgesOnlyLoopsThatComeAgain) {
  const Program program(2, {{Op::kWrite, 0}, {Op::kAgain, 0}});
  ToySystem system(program);
  Lettered lettered(system, 3);
  const auto judge = [&](std::size_t steps_of_first, std::size_t steps_of_second, std::uint64_t loop) {
    auto question = ask("eventually false", Fairness::kWeak, lettered.propositions());
    LassoCheck check(*question);
    lettered.reset();
    check.note(lettered, std::nullopt);
    for (std::size_t i = 0; i < steps_of_first + steps_of_second; ++i) {
      const std::vector<Transition> enabled(lettered.enabled().begin(), lettered.enabled().end());
      const Transition taken = i < steps_of_first ? enabled.front() : enabled.back();
      lettered.step(taken);
      check.note(lettered, taken.actor);
    }
    return check.judge(lettered, loop).has_value();
  };
  EXPECT_TRUE(judge(2, 2, 4));
  EXPECT_FALSE(judge(2, 2, 2));  // unfair to the first one
  EXPECT_FALSE(judge(0, 0, 0));  // somebody can move
  EXPECT_FALSE(judge(1, 1, 3));  // longer than the execution
}

TEST(TemporalSearch, RefusesWhatNobodyKnows) {
  const auto unknown = ask("always p7", Fairness::kWeak, ltl::kNames);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "the formula 'always p7': nobody says when 'p7' holds");
  const auto open = propositions_of(std::vector<std::string>{"p1 until", "p0"});
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().message.substr(0, 32), "the formula 'p1 until': column 9");
  const auto both = propositions_of(std::vector<std::string>{"p1 until p2", "p0 or p1"});
  ASSERT_TRUE(both);
  EXPECT_EQ(*both, (std::vector<std::string>{"p1", "p2", "p0"}));
}

}  // namespace
}  // namespace ravel
