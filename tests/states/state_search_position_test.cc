// Searches by states that go on from where another one was.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "explorers/built_in.h"
#include "states/state_search.h"
#include "tests/states/toy_searches.h"
#include "tests/toy/programs.h"
#include "tests/toy/toy_system.h"

namespace ravel {
namespace {

using toy::Op;
using toy::Program;
using toy::ToySystem;

// An order, and of that by delays the explorer.
struct Order {
  StateOrder order;
  std::string_view explorer = {};

  void apply(StateSearch& search) const {
    if (order == StateOrder::kByDelays) search.delay(built_in_explorer(explorer, 5), {});
  }
};

constexpr Order kResumedOrders[] = {{StateOrder::kDepthFirst},
                                    {StateOrder::kBreadthFirst},
                                    {StateOrder::kByDelays, "rr"},
                                    {StateOrder::kByDelays, "rtc"},
                                    {StateOrder::kByDelays, "prr"}};

// What a search of the program has found that goes on from there, and from where its budget of two looks at
// the clock is used up, again and again.
Exploration go_on(const Program& program, const Order& order, Exploration so_far, std::size_t& parts) {
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  limits.seconds = 6;
  for (;; ++parts) {
    ToySystem system(program);
    TickingClock clock;
    StateSearch search(system, order.order, limits, clock);
    order.apply(search);
    const bool goes_on = !so_far.position || search.go_on_from(std::move(so_far));
    EXPECT_TRUE(goes_on);
    so_far = search.run();
    if (so_far.stop != Stop::kTimeBudget) return so_far;
    EXPECT_TRUE(so_far.position);
    EXPECT_FALSE(so_far.counts.coverage.is_complete);
    if (testing::Test::HasFailure()) return so_far;
  }
}

void expect_same(const Exploration& found, const Exploration& whole) {
  EXPECT_EQ(found.stop, Stop::kComplete);
  EXPECT_TRUE(found.counts.coverage.is_complete);
  EXPECT_FALSE(found.position);
  EXPECT_EQ(found.counts.states->states, whole.counts.states->states);
  EXPECT_EQ(found.counts.states->transitions, whole.counts.states->transitions);
  EXPECT_EQ(found.counts.states->depth, whole.counts.states->depth);
  EXPECT_EQ(found.counts.executions, whole.counts.executions);
  EXPECT_EQ(found.counts.coverage, whole.counts.coverage);
  EXPECT_EQ(keys_of(found.bugs), keys_of(whole.bugs));
  ASSERT_EQ(found.bugs.size(), whole.bugs.size());
  for (std::size_t i = 0; i < found.bugs.size(); ++i)
    EXPECT_EQ(found.bugs[i].schedule, whole.bugs[i].schedule);
}

TEST(StateSearch, GoesOnFromWhereItWas) {
  std::size_t parts = 0, kept_in_all = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Program program = toy::random_program(random, kRichAlphabet, 4, 5);
    for (const Order& order : kResumedOrders) {
      if (order.order == StateOrder::kByDelays && seed % 20 > 0) continue;  // these take more parts
      ToySystem system(program);
      std::vector<Exploration> kept;
      TickingClock clock;
      Limits limits;
      limits.after_bug = AfterBug::kKeepGoing;
      StateSearch search(system, order.order, limits, clock,
                         {.keep = [&](const Exploration& now) { kept.push_back(now); }});
      order.apply(search);
      const Exploration whole = search.run();
      for (const Exploration& one : kept) expect_same(go_on(program, order, one, parts), whole);
      expect_same(go_on(program, order, {}, parts), whole);
      kept_in_all += kept.size();
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(kept_in_all, 20u);
  EXPECT_GT(parts, 100u);
}

// Whether a search of this program goes on from there.
bool goes_on(const Program& program, const Order& order, const Exploration& so_far) {
  ToySystem system(program);
  TickingClock clock;
  StateSearch search(system, order.order, {}, clock);
  order.apply(search);
  return search.go_on_from(so_far);
}

TEST(StateSearch, DoesNotGoOnInAnotherProgram) {
  for (const Order& order : kResumedOrders) {
    ToySystem system(kLarge);
    TickingClock clock;
    Limits limits;
    limits.seconds = 8;
    StateSearch search(system, order.order, limits, clock);
    order.apply(search);
    const Exploration before = search.run();
    ASSERT_TRUE(before.position);
    EXPECT_TRUE(goes_on(kLarge, order, before));
    EXPECT_FALSE(goes_on({{{Op::kWrite, 0}, {Op::kGive, 0}}, {{Op::kTake, 0}}}, order, before));
    Exploration damaged = before;
    damaged.position->resize(damaged.position->size() / 2);
    EXPECT_FALSE(goes_on(kLarge, order, damaged));
  }
}

// Also where what is damaged can still be read.
TEST(StateSearch, DoesNotCrashOnADamagedPositionOfStrata) {
  const Order order = {StateOrder::kByDelays, "rtc"};
  ToySystem system(kLarge);
  TickingClock clock;
  Limits limits;
  limits.seconds = 8;
  StateSearch search(system, order.order, limits, clock);
  order.apply(search);
  const Exploration before = search.run();
  ASSERT_TRUE(before.position);
  std::size_t refused = 0;
  for (std::size_t from_end = 1; from_end < 200; from_end += 5) {
    for (const char byte : {'\0', '\x7f', '\x09'}) {
      Exploration damaged = before;
      (*damaged.position)[damaged.position->size() - from_end] = byte;
      ToySystem same(kLarge);
      SteadyClock steady;
      StateSearch other(same, order.order, {}, steady);
      order.apply(other);
      if (other.go_on_from(damaged))
        other.run();
      else
        ++refused;
    }
  }
  EXPECT_GT(refused, 20u);
}

}  // namespace
}  // namespace ravel
