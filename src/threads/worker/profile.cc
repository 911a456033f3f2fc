#include "threads/worker/profile.h"

#include "base/check.h"
#include "base/clock.h"
#include "engine/explorer.h"
#include "engine/strategy_wrapper.h"
#include "strategy/catalogue.h"
#include "threads/worker/output.h"

namespace ravel::threads {

namespace {

// Counts what operations touch. Plain accesses, which are none, are counted where they happen.
class CountingStrategy final : public StrategyWrapper {
 public:
  using StrategyWrapper::StrategyWrapper;

  Decision choose(const Point& point) override {
    const Decision decision = StrategyWrapper::choose(point);
    if (decision.abandons()) return decision;
    const Thread* const thread = scheduler().threads().of(point.enabled[decision.index()].actor);
    pc_ = thread == nullptr ? 0 : thread->pending.pc;
    return decision;
  }
  void observe(const Event& event) override {
    for (const Touch& touch : event.footprint)
      if ((touch.object & kThreadObjects) == 0 && touch.object >= kFirstAddress)
        scheduler().memory().count_access(touch.object, touch.access != Access::kRead, event.actor, pc_);
    StrategyWrapper::observe(event);
  }

 private:
  std::uint64_t pc_ = 0;
};

}  // namespace

Profile profile(ThreadsSystem& system, const ProfileOrder& order) {
  Profile result;
  SteadyClock clock;
  const auto run = [&](const char* name, std::uint64_t executions) {
    const auto strategy = make_strategy(name, {.seed = order.seed, .executions = executions});
    CHECK(strategy.ok());
    CountingStrategy counting(**strategy);
    const Limits limits{.seconds = {},
                        .executions = executions,
                        .memory = {},
                        .events_max = order.events_max,
                        .after_bug = AfterBug::kKeepGoing};
    const Exploration exploration = Explorer(system, counting, limits, clock).run();
    drop_long_output();
    result.executions += exploration.counts.executions;
    result.erroneous += exploration.counts.erroneous;
    if (!exploration.refusal) return true;
    result.refusal = exploration.refusal->message;
    result.refused_at = scheduler().ending().bug().stack;
    return false;
  };
  if (run("dfs", 1) && order.executions > 1) run("random", order.executions - 1);
  const AccessCounts& counts = scheduler().memory().counts();
  result.variables = counts.variables();
  result.blocks = scheduler().memory().blocks().blocks();
  result.left_out = counts.left_out();
  return result;
}

}  // namespace ravel::threads
