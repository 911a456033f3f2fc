// Loops of steps that only look, from what several processes have noted, against those of one.
#include "states/looking_steps.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "states/polling_loops.h"
#include "tests/toy/toy_system.h"

namespace ravel {
namespace {

using fair_cycles::Fairness;
using toy::Op;
using toy::ToySystem;

constexpr std::uint32_t kActors = 3;

Transition of_actor(std::uint32_t actor) {
  return {.actor = ActorId{actor}, .alternative = 0, .kind = TransitionKind::kOperation};
}

Hash128 hash_of(std::uint64_t number) {
  WideHash hash(1);
  hash.add({.high = number, .low = 0});
  return hash.finish();
}

TEST(LookingSteps, HaveTheLoopsOfOneProcess) {
  const ToySystem system(toy::Program(kActors, {{Op::kWrite, 0}}));
  std::size_t loops = 0;
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    Random random(seed);
    const std::uint64_t states = 1 + random.below(5), steps = random.below(10);
    std::vector<std::vector<Transition>> enabled(states);
    for (auto& of_state : enabled) {
      for (std::uint32_t actor = 0; actor < kActors; ++actor)
        if (random.below(2) == 0) of_state.push_back(of_actor(actor));
      if (of_state.empty()) of_state.push_back(of_actor(0));
      if (random.below(3) == 0) {  // who need never move
        of_state.push_back(of_actor(2));
        of_state.back().kind = TransitionKind::kFault;
      }
    }
    PollingLoops one;
    LookingSteps processes[2], all;
    for (std::uint64_t i = 0; i < steps; ++i) {
      const std::uint64_t from = random.below(states), to = random.below(states);
      const auto index = static_cast<std::uint32_t>(random.below(enabled[from].size()));
      if (enabled[from][index].kind == TransitionKind::kFault) continue;
      one.note(StateNumber{static_cast<std::uint32_t>(from)}, index, enabled[from],
               StateNumber{static_cast<std::uint32_t>(to)});
      LookingSteps& process = processes[random.below(2)];
      process.note(hash_of(from), index, enabled[from], hash_of(to), system);
      if (random.below(3) == 0) {
        EXPECT_TRUE(all.add(process.take_notes()));
      }
    }
    for (LookingSteps& process : processes) EXPECT_TRUE(all.add(process.take_notes()));
    for (const Fairness fairness : {Fairness::kWeak, Fairness::kStrong}) {
      const bool has_loop = one.find(fairness).has_value();
      EXPECT_EQ(all.has_loop(fairness), has_loop) << "seed " << seed;
      loops += has_loop ? 1 : 0;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(loops, 500u);
}

TEST(LookingSteps, RefuseDamagedNotes) {
  const ToySystem system(toy::Program(kActors, {{Op::kWrite, 0}}));
  LookingSteps steps;
  const std::vector<Transition> enabled = {of_actor(0), of_actor(1)};
  steps.note(hash_of(1), 1, enabled, hash_of(2), system);
  const std::string notes = steps.take_notes();
  for (std::size_t size = 0; size < notes.size(); ++size)
    EXPECT_FALSE(LookingSteps().add(std::string_view(notes).substr(0, size)));
  EXPECT_TRUE(LookingSteps().add(notes));
}

}  // namespace
}  // namespace ravel
