#include "threads/search/run_one_part.h"

#include <atomic>
#include <utility>

#include "base/check.h"
#include "strategy/catalogue.h"

namespace ravel::threads {

namespace {

class PartListener final : public Listener {
 public:
  PartListener(SearchedProgram& program, const Watch& watch, std::atomic<bool>& stop)
      : program_(program), watch_(watch), stop_(stop) {}

  void on_progress(const Counts& counts) override {
    known_ = counts;
    program_.copies()->tidy();
    if (!watch_.on_progress(counts)) stop_ = true;
  }
  void on_long_work(std::uint64_t /*steps*/) override {
    if (!watch_.on_progress(known_)) stop_ = true;
  }
  bool ends_search() override {
    const bool adapts = program_.configuration().accesses == AccessOperations::kRacy;
    return (adapts && program_.has_new_racy_words()) || program_.needs_fairness();
  }

 private:
  SearchedProgram& program_;
  const Watch& watch_;
  std::atomic<bool>& stop_;
  Counts known_;
};

}  // namespace

PartRun run_one_part(SearchedProgram& program, const SearchOrder& order, const Part& part,
                     const Watch& watch) {
  const SearchRequest& request = order.request;
  const StrategyContext context = {.waits_unseen = program.configuration().is_fair};
  std::atomic<bool> stop = false;
  PartListener listener(program, watch, stop);
  program.copies()->begin_alone();
  const PartRunning running = {
      .system = program.system(),
      .limits = request.limits,
      .listener = &listener,
      .make_strategy =
          [&] {
            auto strategy = make_strategy(request.strategy, request.parameters, context);
            CHECK(strategy.ok());
            return std::move(*strategy);
          },
      .save =
          [&](const Exploration& now) {
            PartFindings findings{.result = name_result(now, program.system())};
            if (std::string news = program.copies()->news(); !news.empty())
              findings.news.push_back(std::move(news));
            return findings;
          },
      .held_memory = program.held_memory(),
      .make_explorer =
          [&](Strategy& strategy, const Limits& limits, Clock& clock, const Surroundings& surroundings) {
            return program.make_explorer(strategy, limits, clock, surroundings);
          }};
  return run_part(running, part, {.seconds = request.limits.seconds, .executions = request.limits.executions},
                  stop);
}

}  // namespace ravel::threads
