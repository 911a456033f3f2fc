#include "tests/p_system/run.h"

#include "base/check.h"
#include "engine/strategy_wrapper.h"
#include "engine/system_wrapper.h"
#include "states/state_search.h"
#include "strategy/catalogue.h"

namespace ravel::p {
namespace {

std::string text_of(const World& world, const LiveMachine& live) {
  std::string text = live.phase == Phase::kHalted ? "halted" : std::string(world.texts().state_of(live));
  for (const Value field : live.fields) text += ", " + to_text(field, world.texts());
  std::multiset<std::string> left;
  for (const Message& message : live.queue)
    left.insert(to_text(message.event, world.texts()) + " " + to_text(message.payload, world.texts()));
  for (const std::string& message : left) text += "; " + message;
  return text + "\n";
}

// Notes where executions end.
class EndsNoted final : public SystemWrapper {
 public:
  enum class Rewinding : std::uint8_t { kSnapshots, kReplay };
  EndsNoted(PSystem& system, Searched& searched, Rewinding how = Rewinding::kSnapshots)
      : SystemWrapper(system), world_(system.world()), searched_(searched), how_(how) {}

  ravel::Event step(const Transition& transition) override {
    const ravel::Event event = SystemWrapper::step(transition);
    if (outcome() == Outcome::kFinished) searched_.ends.insert(text());
    return event;
  }
  SystemParts parts() const override {
    SystemParts parts = SystemWrapper::parts();
    parts.snapshots = how_ == Rewinding::kSnapshots;
    return parts;
  }
  std::optional<Snapshot> save() override {
    return how_ == Rewinding::kSnapshots ? SystemWrapper::save() : std::nullopt;
  }

 private:
  std::string text() const {
    std::string text;
    for (const std::uint32_t who : world_.names().in_order())
      if (who < world_.size() && world_.exists(who))
        text += world_.texts().text_of(who) + " " + text_of(world_, world_.live(who));
    for (const LiveMachine& monitor : world_.monitors()) text += text_of(world_, monitor);
    return text;
  }

  const World& world_;
  Searched& searched_;
  const Rewinding how_;
};

Limits limits() {
  Limits limits;
  limits.events_max = 1000;
  limits.long_executions = LongExecutions::kIgnored;
  limits.after_bug = AfterBug::kKeepGoing;
  return limits;
}

void explore(System& system, std::string_view strategy, Searched& searched) {
  const auto made = make_strategy(strategy, StrategyParameters{});
  CHECK(made.ok());
  SteadyClock clock;
  Explorer explorer(system, **made, limits(), clock);
  searched.exploration = explorer.run();
}

}  // namespace

Opened opened(std::string_view text, std::string_view test, const POptions& options) {
  std::vector<SourceText> texts;
  texts.push_back({.name = "t.p", .text = std::string(text)});
  Opened result{.sources = check(std::move(texts)), .system = nullptr};
  CHECK_MESSAGE(result.sources.ok(), result.sources.messages().c_str());
  for (const TestCase& one : result.sources.program->tests)
    if (test.empty() || one.name == test) {
      result.system = std::make_unique<PSystem>(*result.sources.program, one, options);
      return result;
    }
  CHECK(false);
}

Searched search(PSystem& system, std::string_view strategy) {
  Searched searched;
  EndsNoted noted(system, searched);
  explore(noted, strategy, searched);
  return searched;
}

Searched search_by_replay(PSystem& system, std::string_view strategy) {
  Searched searched;
  EndsNoted noted(system, searched, EndsNoted::Rewinding::kReplay);
  explore(noted, strategy, searched);
  return searched;
}

Searched search_states(PSystem& system) {
  Searched searched;
  EndsNoted noted(system, searched);
  SteadyClock clock;
  StateSearch states(noted, StateOrder::kDepthFirst, limits(), clock);
  states.repeat_steps(system);
  searched.exploration = states.run();
  searched.repeated = states.repeated_steps();
  return searched;
}

Searched search_states_reduced(PSystem& system) {
  Searched searched;
  EndsNoted noted(system, searched);
  SteadyClock clock;
  StateSearch states(noted, StateOrder::kDepthFirst, limits(), clock);
  states.reduce();
  searched.exploration = states.run();
  return searched;
}

Searched search_states_for_liveness(PSystem& system) {
  Searched searched;
  std::vector<TemporalQuestion> questions;
  for (const std::string& formula : system.liveness_formulas()) {
    const auto question = ask(formula, Fairness::kWeak, system.propositions());
    CHECK(question.ok());
    questions.push_back(*question);
  }
  SteadyClock clock;
  StateSearch states(system, StateOrder::kDepthFirst, limits(), clock);
  states.ask(std::move(questions));
  states.repeat_steps(system);
  searched.exploration = states.run();
  searched.repeated = states.repeated_steps();
  return searched;
}

std::string verdict(std::string_view text, std::string_view test) {
  const Opened program = opened(text, test);
  const Exploration exploration = search(*program.system, "dpor").exploration;
  if (exploration.refusal)
    return std::to_string(exploration.refusal->line) + ": refused: " + exploration.refusal->message;
  if (exploration.bugs.empty()) return exploration.counts.coverage.is_complete ? "passes" : "incomplete";
  const Bug& bug = exploration.bugs.front().bug;
  return std::to_string(bug.line) + ": " + bug.kind + ": " + bug.message;
}

std::string verdict_of(std::string_view statements, std::string_view fields) {
  return verdict("machine Main { " + std::string(fields) + " start state First { entry {\n" +
                 std::string(statements) + "\n} } }\n");
}

}  // namespace ravel::p
