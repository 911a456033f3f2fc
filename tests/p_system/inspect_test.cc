// What machines have at hand, and that to ask for it changes nothing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "tests/p_system/random_programs.h"
#include "tests/p_system/run.h"

namespace ravel::p {
namespace {

using testing::HasSubstr;

// The texts of a part, with a comma between; "" if it is not there.
std::string part_of(const std::vector<ActorState>& states, std::optional<ActorId> actor, StateKind kind,
                    const std::string& name = "") {
  std::string text;
  for (const ActorState& state : states)
    for (const StatePart& part : state.parts)
      if (state.actor == actor && part.kind == kind && part.name == name)
        for (const StateLine& line : part.lines) text += (text.empty() ? "" : ", ") + line.text;
  return text;
}

// Takes steps of the last actor by name, as long as there is one.
void run_to_end(PSystem& system) {
  while (system.outcome() == Outcome::kRunning) {
    const Transition last = system.enabled().back();
    system.step(last);
  }
}

TEST(Inspect, TellsStatesFieldsQueuesAndWhatIsWaitedFor) {
  const Opened program = opened(
      "event a: int; event b; event never;\n"
      "machine Other {\n"
      "  var seen: seq[int];\n"
      "  start state S { defer b; on a do (x: int) { var y: int; y = x + 1; seen += (0, y); wait(y); } }\n"
      "  fun wait(z: int) { receive { case never: { } } }\n"
      "}\n"
      "spec Watch observes a { var n: int; start state Quiet { on a goto Busy; } hot state Busy { ignore a; "
      "} }\n"
      "machine Main { start state Only { entry { var o: machine; o = new Other(); send o, b; send o, a, 4;"
      " send o, a, 5; } } }\n"
      "test t [main = Main]: assert Watch in { Main, Other };",
      "t");
  PSystem& system = *program.system;
  run_to_end(system);
  const auto states = system.inspect();
  const ActorId other = *system.find_actor(*ActorName::parse("P.1"));
  EXPECT_EQ(part_of(states, other, StateKind::kState), "S");
  EXPECT_EQ(part_of(states, other, StateKind::kFields, "seen"), "(5)");
  EXPECT_EQ(part_of(states, other, StateKind::kMailbox), "b, a with 5");
  EXPECT_EQ(part_of(states, other, StateKind::kWaits), "waits for never");
  EXPECT_EQ(part_of(states, other, StateKind::kStack), "wait, a handler");
  EXPECT_EQ(part_of(states, other, StateKind::kVariables, "z"), "5");
  EXPECT_EQ(part_of(states, std::nullopt, StateKind::kState, "Watch"), "Busy (hot)");
  EXPECT_EQ(part_of(states, std::nullopt, StateKind::kFields, "Watch.n"), "0");
  const ActorId main = *system.find_actor(*ActorName::parse("P"));
  EXPECT_EQ(part_of(states, main, StateKind::kWaits), "waits for an event, in state Only");
  EXPECT_EQ(part_of(states, main, StateKind::kMailbox), "");
}

TEST(Inspect, LeavesOutMachinesThatHaveHalted) {
  const Opened program = opened("machine Main { start state Only { entry { raise halt; } } }");
  EXPECT_EQ(program.system->inspect().size(), 1u);
  run_to_end(*program.system);
  EXPECT_TRUE(program.system->inspect().empty());
}

// Each round doubles what the value shows, and adds one tuple to what it is made of.
TEST(Inspect, CutsValuesThatWouldBeTooLong) {
  const Opened program = opened(
      "machine Main { var v: any; var m: map[int, string]; var i: int; start state Only { entry {"
      " while (i < 200) { v = (v, v); m[i] = \"a text of some length\"; i = i + 1; } } } }");
  run_to_end(*program.system);
  const auto states = program.system->inspect();
  for (const char* const field : {"v", "m"}) {
    const std::string text = part_of(states, ActorId{0}, StateKind::kFields, field);
    EXPECT_GT(text.size(), 100u) << field;
    EXPECT_LT(text.size(), 2 * kInspectedTextMax) << field;
    EXPECT_THAT(text, HasSubstr("…")) << field;
  }
}

// One execution at random, with inspections or without: what can be seen of it.
std::string seen_of(PSystem& system, std::uint64_t seed, bool inspects) {
  Random random(seed);
  std::string seen;
  system.reset();
  if (inspects) system.inspect();
  for (int i = 0; i < 200 && system.outcome() == Outcome::kRunning; ++i) {
    const auto enabled = system.enabled();
    const Transition taken = enabled[random.below(enabled.size())];
    seen += std::to_string(enabled.size()) + " ";
    const ravel::Event event = system.step(taken);
    for (const Touch& touch : event.footprint) seen += std::to_string(touch.object) + ",";
    if (inspects) system.inspect();
    const Fingerprint print = *system.fingerprint();
    seen += std::to_string(print.high) + "." + std::to_string(print.low) + "\n";
  }
  if (system.outcome() == Outcome::kBug) seen += system.bug().message;
  return seen + system.output_so_far();
}

TEST(Inspect, ChangesNothing) {
  Random random(23);
  for (int i = 0; i < 200; ++i) {
    const bool has_timers = i % 2 == 0;
    const std::string text = has_timers ? random_program_with_timers(random) : random_program(random);
    POptions options{.timers = has_timers ? TimersFire::kWhenAllWait : TimersFire::kAsModelled};
    if (i % 4 < 2) options.words_between_collections = 0;
    const Opened plain = opened(text, "", options), inspected = opened(text, "", options);
    for (std::uint64_t seed = 0; seed < 3; ++seed)
      ASSERT_EQ(seen_of(*plain.system, seed, false), seen_of(*inspected.system, seed, true)) << text;
  }
}

}  // namespace
}  // namespace ravel::p
