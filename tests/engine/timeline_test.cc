// Going through an execution in both directions comes to the states that going forward came to.

#include "engine/timeline.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/toy/programs.h"
#include "tests/toy/toy_system.h"

namespace ravel {
namespace {

std::string state_of(toy::ToySystem& system) {
  std::string text = std::to_string(static_cast<int>(system.outcome()));
  for (const Transition& transition : system.enabled())
    text +=
        " " + system.actor_name(transition.actor).to_string() + "." + std::to_string(transition.alternative);
  if (const auto print = system.fingerprint())
    text += " " + std::to_string(print->high) + "." + std::to_string(print->low);
  return text;
}

// An execution at random, of at most so many steps, with the state before each of them and at the end.
struct Taken {
  std::vector<Transition> schedule;
  std::vector<std::string> states;
};
Taken take_steps(toy::ToySystem& system, Random& random, std::size_t steps_max) {
  Taken taken;
  system.reset();
  taken.states.push_back(state_of(system));
  while (system.outcome() == Outcome::kRunning && taken.schedule.size() < steps_max) {
    const auto enabled = system.enabled();
    taken.schedule.push_back(enabled[random.below(enabled.size())]);
    const Transition chosen = taken.schedule.back();
    system.step(chosen);
    taken.states.push_back(state_of(system));
  }
  return taken;
}

class Timelines : public testing::TestWithParam<toy::Rewinding> {};

TEST_P(Timelines, ComeToTheSameStatesInWhateverOrder) {
  using toy::Op;
  const std::vector<toy::Operation> alphabet = {{Op::kWrite, 0},  {Op::kGive, 0}, {Op::kTake, 0},
                                                {Op::kChoose, 1}, {Op::kGive, 1}, {Op::kTake, 1},
                                                {Op::kWrite, 1}};
  Random random(11);
  for (int i = 0; i < 20; ++i) {
    const std::size_t operations = i % 2 == 0 ? 6 : 300;
    toy::ToySystem system(toy::random_program(random, alphabet, 3, operations),
                          {.rewinding = GetParam(), .blocking = toy::Blocking::kAvoided});
    const Taken taken = take_steps(system, random, 700);
    Timeline timeline(system, taken.schedule);
    EXPECT_EQ(timeline.length(), taken.schedule.size());
    for (int move = 0; move < 60; ++move) {
      const std::size_t position = random.below(taken.states.size());
      ASSERT_TRUE(timeline.go_to(position));
      ASSERT_EQ(timeline.position(), position);
      ASSERT_EQ(state_of(system), taken.states[position]);
    }
    for (std::size_t position = timeline.position(); position-- > 0;) {
      ASSERT_TRUE(timeline.go_to(position));
      ASSERT_EQ(state_of(system), taken.states[position]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rewinding, Timelines,
                         testing::Values(toy::Rewinding::kSnapshots, toy::Rewinding::kResetOnly),
                         [](const auto& test) {
                           return test.param == toy::Rewinding::kSnapshots ? "Snapshots" : "Resets";
                         });

TEST(Timelines, SayWhereTheProgramDoesSomethingElse) {
  using toy::Op;
  toy::ToySystem system({{{Op::kWrite, 0}, {Op::kWrite, 0}}});
  system.reset();
  const Transition first = system.enabled().front();
  Timeline timeline(system, {first, first, first});
  EXPECT_TRUE(timeline.go_to(2));
  EXPECT_FALSE(timeline.go_to(3));
  EXPECT_EQ(timeline.position(), 2u);
  EXPECT_TRUE(timeline.go_to(1));
}

}  // namespace
}  // namespace ravel
