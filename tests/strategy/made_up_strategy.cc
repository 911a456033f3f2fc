#include "tests/strategy/made_up_strategy.h"

#include <deque>
#include <memory>
#include <set>

namespace ravel {

namespace {

// Each execution takes one step from a state that was kept, and is given up where the state after it is
// known.
class BreadthFirst final : public Strategy {
 public:
  explicit BreadthFirst(std::uint64_t levels) : levels_(levels) {}

  std::string name() const override { return "breadth first over " + std::to_string(levels_) + " levels"; }
  void begin_search(SearchServices& services) override { services_ = &services; }

  std::optional<Plan> next_execution() override {
    if (!has_begun_) return Plan{};
    while (!queue_.empty() && queue_.front().next == queue_.front().steps.size()) {
      services_->forget_state(queue_.front().state);
      queue_.pop_front();
    }
    if (queue_.empty()) return std::nullopt;
    Open& open = queue_.front();
    step_ = open.steps[open.next++];
    level_ = open.level + 1;
    return Plan{.from = open.state, .then = {&step_, 1}};
  }
  Decision choose(const Point& point) override {
    has_begun_ = true;
    if (seen_.insert(*point.fingerprint()).second && level_ < levels_)
      queue_.push_back({.state = services_->keep_state(),
                        .level = level_,
                        .steps = {point.enabled.begin(), point.enabled.end()}});
    return Decision::abandon();
  }
  Coverage coverage() const override { return all_of(CoverageUnit::kStates); }

 private:
  struct Open {
    KeptState state;
    std::uint64_t level = 0;
    std::vector<Transition> steps;
    std::size_t next = 0;
  };

  const std::uint64_t levels_;
  SearchServices* services_ = nullptr;
  bool has_begun_ = false;
  std::deque<Open> queue_;
  std::set<Fingerprint> seen_;
  Transition step_;
  std::uint64_t level_ = 0;
};

constexpr StrategyOption kLevels = {
    .name = "--levels", .help = "of breadth: how many steps from the start (default 100)", .least = 1};

std::unique_ptr<Strategy> make_breadth_first(const StrategyParameters& parameters, const StrategyContext&) {
  return std::make_unique<BreadthFirst>(parameters.own_value(kLevels.name).value_or(100));
}

constexpr StrategyEntry kRow = {"breadth",
                                "all states, breadth first, to --levels",
                                {.needs_fingerprints = true},
                                {&kLevels},
                                make_breadth_first};

}  // namespace

const StrategyEntry& made_up_strategy() { return kRow; }

}  // namespace ravel
