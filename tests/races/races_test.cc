// Races and variants of random executions; the schedule with the fewest preemptions, and what makes the
// difference, against all executions.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "races/explain.h"
#include "races/fewest_preemptions.h"
#include "races/follow_trace.h"
#include "races/head_start.h"
#include "races/orphans.h"
#include "races/races.h"
#include "tests/toy/message_system.h"
#include "tests/toy/reference.h"

namespace ravel {
namespace {

using toy::Act;
using toy::MessageProgram;
using toy::MessageSystem;

constexpr std::uint64_t kEventsMax = 100;

const std::vector<Act> kMessages = {Act::kSend, Act::kSend, Act::kSendTwo, Act::kReceive, Act::kReceiveOr};
const std::vector<Act> kUrgent = {Act::kSend, Act::kSendFirst, Act::kSendMixed, Act::kReceive,
                                  Act::kReceiveOr};
const std::vector<Act> kMore = {Act::kSend, Act::kReceive, Act::kReceiveOr,
                                Act::kAdd,  Act::kRead,    Act::kKill};

MessageProgram program_of(std::uint64_t seed, const std::vector<Act>& acts) {
  Random random(seed);
  return toy::random_message_program(random, acts, 3, 3);
}

// Theorem 4.1: what follows a race variant is another trace.
void variants_are_other_traces(const std::vector<Act>& acts) {
  std::size_t variants = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const MessageProgram program = program_of(seed, acts);
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + to_string(program));
    MessageSystem system(program);
    Observation observation(system, kEventsMax);
    observation.run({});
    observation.finish();
    const std::string before = system.trace();
    for (const Race& race : find_races(observation)) {
      Observation variant(system, kEventsMax);
      variant.run(steps_of_variant(observation, race));
      EXPECT_NE(system.trace(), before);
      if (race.kind == RaceKind::kOrder) continue;
      ++variants;
      const std::string after = system.trace();
      const Trace trace = trace_of_variant(observation, race, kEventsMax);
      EXPECT_EQ(trace.length(), race.order.size());
      const FollowedTrace followed = follow_trace(system, trace, kEventsMax);
      ASSERT_FALSE(followed.divergence) << followed.divergence->what;
      const Occurrence& receive = variant.history()[static_cast<EventId>(
          std::ranges::find(race.order, race.event) - race.order.begin())];
      EXPECT_EQ(receive.taken.event == kNoEvent, race.kind == RaceKind::kExpiry);
    }
  }
  EXPECT_GT(variants, 100u);
}

TEST(Races, VariantsOfMessagesAreOtherTraces) { variants_are_other_traces(kMessages); }
TEST(Races, VariantsOfPriorityMessagesAreOtherTraces) { variants_are_other_traces(kUrgent); }
TEST(Races, VariantsOfEverythingAreOtherTraces) { variants_are_other_traces(kMore); }

// A message races with what a receive took if and only if some execution is the same up to that receive for
// its actor and what it depends on, and takes that message: here, all executions are asked, for receives that
// begin an actor.
void first_receives_take_what_they_can(Act other_send) {
  std::size_t receives = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    MessageProgram program = program_of(seed, {Act::kSend, other_send, Act::kReceive});
    program[1].insert(program[1].begin(), {.act = Act::kReceive, .object = 0, .value = 3});
    // Those that send do nothing else, so that nothing they send depends on the receive.
    for (const std::size_t actor : {0, 2})
      std::erase_if(program[actor], [](const toy::Action& action) { return action.act == Act::kReceive; });
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + to_string(program));
    MessageSystem system(program);
    std::set<std::string> possible, found;
    const auto taken_first = [&](const std::string& trace) {
      const std::size_t at = trace.find("\n1.0 receive ");
      return at == std::string::npos
                 ? std::string()
                 : trace.substr(trace.find('=', at), trace.find('\n', at + 1) - trace.find('=', at));
    };
    for (const toy::ReferenceExecution& execution : toy::all_executions(system)) {
      system.reset();
      for (const Transition& transition : execution.schedule) system.step(transition);
      if (const std::string taken = taken_first("\n" + system.trace()); !taken.empty())
        possible.insert(taken);
    }
    Observation observation(system, kEventsMax);
    observation.run({});
    observation.finish();
    if (const std::string taken = taken_first("\n" + system.trace()); !taken.empty()) found.insert(taken);
    for (const Race& race : find_races(observation)) {
      if (race.kind != RaceKind::kMessage ||
          !(observation.ref_of(race.event) == EventRef{.actor = ActorName().child(1)}))
        continue;
      Observation variant(system, kEventsMax);
      variant.run(steps_of_variant(observation, race));
      EXPECT_TRUE(found.insert(taken_first("\n" + system.trace())).second);
    }
    EXPECT_EQ(found, possible);
    receives += possible.size();
  }
  EXPECT_GT(receives, 300u);
}

TEST(Races, TheFirstReceiveOfAnActorCanTakeWhatSomeExecutionLetsItTake) {
  first_receives_take_what_they_can(Act::kSend);
}
TEST(Races, TheFirstReceiveOfAnActorCanTakePriorityMessagesThatComeInTime) {
  first_receives_take_what_they_can(Act::kSendFirst);
}

TEST(Races, OrphansAreTheMessagesThatAreLeft) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const MessageProgram program = program_of(seed, seed % 2 == 0 ? kMessages : kUrgent);
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + to_string(program));
    MessageSystem system(program);
    Observation observation(system, kEventsMax);
    observation.run({});
    const Recording& recording = observation.finish();
    std::size_t sent = 0, received = 0;
    for (EventId event = 0; event < observation.length(); ++event) {
      sent += observation.sent_by(event).size();
      received += observation.history()[event].taken.event != kNoEvent ? 1 : 0;
    }
    const auto orphans = describe_orphans(observation);
    EXPECT_EQ(orphans.size(), sent - received);
    std::vector<Transition> schedule;
    for (const RecordedEvent& event : recording.events) schedule.push_back(event.transition);
    const auto again = find_orphans(system, schedule, kEventsMax);
    ASSERT_EQ(again.size(), orphans.size());
    for (std::size_t i = 0; i < again.size(); ++i) {
      EXPECT_EQ(again[i].message, orphans[i].message);
      EXPECT_EQ(again[i].receiver, orphans[i].receiver);
    }
  }
}

// Of all schedules of a trace that ends in a deadlock.
TEST(Explain, TheScheduleHasTheFewestPreemptionsOfItsTrace) {
  std::size_t simplified = 0, worse = 0;
  for (std::uint64_t seed = 0; seed < 250; ++seed) {
    const MessageProgram program = program_of(seed, {Act::kSend, Act::kReceive, Act::kReceive, Act::kAdd});
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + to_string(program));
    MessageSystem system(program);
    const auto all = toy::all_executions(system);
    std::map<std::string, std::uint32_t> fewest;
    std::map<std::string, const toy::ReferenceExecution*> most;
    for (const toy::ReferenceExecution& execution : all) {
      if (execution.outcome != Outcome::kBug) continue;
      system.reset();
      for (const Transition& transition : execution.schedule) system.step(transition);
      const std::string trace = system.trace();
      const auto [place, is_new] = fewest.emplace(trace, execution.preemptions);
      if (!is_new) place->second = std::min(place->second, execution.preemptions);
      const toy::ReferenceExecution*& worst = most[trace];
      if (worst == nullptr || execution.preemptions > worst->preemptions) worst = &execution;
    }
    for (const auto& [trace, execution] : most) {
      std::vector<NamedStep> steps;
      for (const Transition& transition : execution->schedule)
        steps.push_back(
            {.actor = system.actor_name(transition.actor), .alternative = transition.alternative});
      Observation failing(system, kEventsMax);
      failing.run(steps);
      ASSERT_EQ(failing.finish().preemptions, execution->preemptions);
      std::uint32_t left = execution->preemptions;
      if (const auto simpler = with_fewer_preemptions(failing, kEventsMax, 10'000)) {
        Observation again(system, kEventsMax);
        again.run(*simpler);
        left = again.finish().preemptions;
        EXPECT_EQ(system.trace(), trace);
        EXPECT_LT(left, execution->preemptions);
      }
      EXPECT_GE(left, fewest[trace]);
      worse += left > fewest[trace] ? 1 : 0;
      simplified += left < execution->preemptions ? 1 : 0;
    }
  }
  EXPECT_GT(simplified, 100u);
  EXPECT_EQ(worse, 0u);
}

TEST(Explain, APassingExecutionIsFoundIfRacesLeadToOne) {
  std::size_t explained = 0, without = 0;
  for (std::uint64_t seed = 0; seed < 700; ++seed) {
    const MessageProgram program = program_of(seed, {Act::kSend, Act::kReceive, Act::kReceiveOr, Act::kAdd});
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + to_string(program));
    MessageSystem system(program);
    bool can_pass = false;
    const toy::ReferenceExecution* failing = nullptr;
    const auto all = toy::all_executions(system);
    for (const toy::ReferenceExecution& execution : all) {
      can_pass |= execution.outcome == Outcome::kFinished;
      if (execution.outcome == Outcome::kBug) failing = &execution;
    }
    if (failing == nullptr) continue;
    std::vector<NamedStep> steps;
    for (const Transition& transition : failing->schedule)
      steps.push_back({.actor = system.actor_name(transition.actor), .alternative = transition.alternative});
    const Explanation explanation = explain_bug(system, steps, kEventsMax, 1'000);
    EXPECT_EQ(!explanation.changes.empty(), can_pass);
    (can_pass ? explained : without) += 1;
  }
  EXPECT_GT(explained, 10u);
  EXPECT_GT(without, 20u);
}

// Whether the execution passes if, before an event, an actor takes so many steps and then all goes on as it
// did. Nothing: the actor cannot take as many.
std::optional<bool> passes_with_head_start(const Observation& failing, std::size_t event, ActorId actor,
                                           std::size_t steps) {
  Observation other(failing.system(), kEventsMax);
  for (std::size_t i = 0; i < event; ++i) other.take(failing.events()[i].transition);
  for (std::size_t i = 0; i < steps; ++i) {
    const auto& enabled = failing.system().enabled();
    const auto next = std::ranges::find(enabled, actor, &Transition::actor);
    if (!other.running() || next == enabled.end()) return std::nullopt;
    other.take(Transition(*next));
  }
  for (std::size_t i = event; i < failing.length() && other.running(); ++i) {
    const Transition& transition = failing.events()[i].transition;
    if (std::ranges::count(failing.system().enabled(), transition) == 0) break;
    other.take(transition);
  }
  while (other.running()) other.take_first();
  return other.finish().outcome == Outcome::kFinished;
}

TEST(Explain, AHeadStartIsTheLatestThatLetsTheExecutionPass) {
  std::size_t found_ones = 0, without = 0;
  for (std::uint64_t seed = 0; seed < 700; ++seed) {
    const MessageProgram program = program_of(seed, {Act::kSend, Act::kReceive, Act::kReceiveOr, Act::kAdd});
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + to_string(program));
    MessageSystem system(program);
    const auto all = toy::all_executions(system);
    const auto failing_one = std::ranges::find(all, Outcome::kBug, &toy::ReferenceExecution::outcome);
    if (failing_one == all.end()) continue;
    Observation failing(system, kEventsMax);
    for (const Transition& transition : failing_one->schedule) failing.take(transition);
    failing.finish();
    std::size_t tried = 0;
    const auto found = find_head_start(failing, kEventsMax, 1'000, tried);

    std::optional<std::size_t> latest;
    for (std::size_t event = failing.bug_event().value_or(failing.length()); event-- > 0 && !latest;)
      for (std::uint32_t actor = 0; actor < 3; ++actor)
        for (std::size_t steps = 1; steps <= 3; ++steps)
          if (ActorId(actor) != failing.events()[event].transition.actor &&
              passes_with_head_start(failing, event, ActorId(actor), steps) == true)
            latest = event;
    ASSERT_EQ(found.has_value(), latest.has_value());
    (found ? found_ones : without) += 1;
    if (!found) continue;
    EXPECT_EQ(found->change.event, failing.ref_of(static_cast<EventId>(*latest)));
    Observation passing(system, kEventsMax);
    passing.run(found->passing);
    EXPECT_EQ(passing.finish().outcome, Outcome::kFinished);
    for (std::size_t i = 0; i < *latest; ++i)
      EXPECT_EQ(passing.events()[i].transition, failing.events()[i].transition);
  }
  EXPECT_GT(found_ones, 20u);
  EXPECT_GT(without, 20u);
}

}  // namespace
}  // namespace ravel
