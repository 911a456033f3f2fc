// Traces: of random executions, printed, read and run again; partial ones; damaged ones.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "races/follow_trace.h"
#include "races/observation.h"
#include "tests/toy/message_system.h"

namespace ravel {
namespace {

using testing::HasSubstr;
using toy::Act;
using toy::MessageProgram;
using toy::MessageSystem;

constexpr std::uint64_t kEventsMax = 200;

const std::vector<Act> kMessages = {Act::kSend, Act::kSend, Act::kSendTwo, Act::kReceive, Act::kReceiveOr};
const std::vector<Act> kUrgent = {Act::kSend, Act::kSendFirst, Act::kSendMixed, Act::kReceive,
                                  Act::kReceiveOr};
const std::vector<Act> kEverything = {Act::kRead, Act::kWrite,   Act::kAdd,     Act::kBranch,
                                      Act::kSend, Act::kSendTwo, Act::kReceive, Act::kReceiveOr,
                                      Act::kKill, Act::kSpawn,   Act::kChoose};

// An execution with random choices.
std::unique_ptr<Observation> observe(MessageSystem& system, Random& random) {
  auto observation = std::make_unique<Observation>(system, kEventsMax);
  while (observation->running()) {
    const auto enabled = system.enabled();
    observation->take(enabled[random.below(enabled.size())]);
  }
  observation->finish();
  return observation;
}

Trace complete(Trace trace) {
  trace.ravel_version = "any";
  trace.front_end = "toy";
  return trace;
}

// Leaves out last events of some actors, as long as no other event needs them.
void shorten(Trace& trace, Random& random) {
  if (trace.actors.empty()) return;
  for (std::size_t tries = 0; tries < 10; ++tries) {
    Trace shorter = trace;
    ActorTrace& actor = shorter.actors[random.below(shorter.actors.size())];
    if (actor.events.empty()) continue;
    actor.events.pop_back();
    // Reading it again says whether something needs what was left out.
    const auto read = parse_trace(print_trace(shorter), "shorter");
    bool is_spawned = false;
    for (const ActorTrace& one : trace.actors)
      for (const TraceAction& action : one.actor == actor.actor && !one.events.empty()
                                           ? one.events.back().actions
                                           : std::vector<TraceAction>())
        is_spawned |= action.kind == TraceAction::Kind::kSpawn;
    if (read && !is_spawned) trace = shorter;
  }
}

void run_again(const std::vector<Act>& acts, std::uint64_t programs) {
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    Random random(seed);
    const MessageProgram program = toy::random_message_program(random, acts, 3 + seed % 2, 4);
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + to_string(program));
    MessageSystem system(program);
    const auto observation = observe(system, random);
    const std::string expected = system.trace();
    const Trace trace = complete(trace_of(*observation, kEventsMax));
    EXPECT_EQ(trace.length(), observation->length());

    const auto read = parse_trace(print_trace(trace), "trace");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(print_trace(*read), print_trace(trace));

    const FollowedTrace followed = follow_trace(system, *read, kEventsMax);
    ASSERT_FALSE(followed.divergence) << followed.divergence->what;
    EXPECT_EQ(followed.events, trace.length());
    EXPECT_EQ(system.trace(), expected);

    Trace part = trace;
    shorten(part, random);
    const FollowedTrace begun = follow_trace(system, part, kEventsMax);
    ASSERT_FALSE(begun.divergence) << begun.divergence->what;
    EXPECT_EQ(begun.observation->length(), part.length());
    begun.observation->run({});
    EXPECT_NE(system.outcome(), Outcome::kRunning);
  }
}

TEST(Trace, OfMessagesRunsAgainToTheSameTrace) { run_again(kMessages, 1500); }

TEST(Trace, OfPriorityMessagesRunsAgainToTheSameTrace) { run_again(kUrgent, 1500); }

TEST(Trace, OfEverythingRunsAgainToTheSameTrace) { run_again(kEverything, 1500); }

// P.1 takes any message; P and P.2 send one each.
const MessageProgram kRace = {{{Act::kSend, 1, 2}}, {{Act::kReceive, 0, 2}}, {{Act::kSend, 1, 2}}};

TEST(Trace, SaysWhoDidWhatWithWhichMessage) {
  MessageSystem system(kRace);
  Observation observation(system, kEventsMax);
  const std::vector<NamedStep> steps = {{.actor = ActorName().child(2)}, {.actor = ActorName()}};
  observation.run(steps);
  observation.finish();
  const Trace trace = trace_of(observation, kEventsMax);
  ASSERT_EQ(trace.actors.size(), 3u);
  const TraceAction& sent = trace.actors[0].events[0].actions[0];
  EXPECT_EQ(sent.kind, TraceAction::Kind::kSend);
  EXPECT_EQ(sent.actor.to_string(), "P.1");
  EXPECT_EQ(sent.message.to_string(), "P#1");
  EXPECT_EQ(trace.actors[1].events[0].receive()->message.to_string(), "P.2#1");
  ASSERT_EQ(observation.orphans().size(), 1u);
  EXPECT_EQ(observation.name_of(observation.orphans()[0]).to_string(), "P#1");
}

TEST(Trace, OfAnotherProgramIsLeftWithTheReason) {
  MessageSystem system(kRace);
  Observation observation(system, kEventsMax);
  observation.run({});
  const Trace trace = trace_of(observation, kEventsMax);
  MessageProgram changed = kRace;
  changed[1].insert(changed[1].begin(), {.act = Act::kReceive, .object = 0, .value = 4});
  MessageSystem other(changed);
  const FollowedTrace followed = follow_trace(other, trace, kEventsMax);
  ASSERT_TRUE(followed.divergence);
  EXPECT_THAT(followed.divergence->what, HasSubstr("the execution has already ended"));
  EXPECT_EQ(followed.events, 2u);
}

TEST(Trace, DamagedOnesAreRefused) {
  MessageSystem system(kRace);
  Observation observation(system, kEventsMax);
  observation.run({});
  const std::string text = print_trace(complete(trace_of(observation, kEventsMax)));
  const auto refused = [&](std::string damaged, const char* because) {
    const auto read = parse_trace(damaged, "t.json");
    ASSERT_FALSE(read) << because;
    EXPECT_THAT(read.error().message, HasSubstr(because));
    EXPECT_THAT(read.error().message, HasSubstr("t.json: "));
  };
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return changed.replace(at, from.size(), to);
  };
  refused("{}", "not a trace");
  refused("[1", "not a trace");
  refused(text.substr(0, text.size() / 2), "damaged or truncated");
  refused(replaced("\"ravel_trace\": 2", "\"ravel_trace\": 999"), "newer than version 2");
  refused(replaced("\"receive\": \"P#1\"", "\"receive\": \"P#7\""), "which is not sent");
  refused(replaced("\"receive\": \"P#1\"", "\"receive\": \"P\""), "is not an actor's name");
  refused(replaced("\"send\": \"P.2#1\"", "\"send\": \"P#1\""), "is sent twice");
  refused(replaced("\"actor\": \"P.2\"", "\"actor\": \"P.1\""), "two sequences");
  refused(replaced("\"events_max\": 200", "\"events_max\": 0"), "positive");
  refused(replaced("\"events\": [", "\"eventz\": ["), "field is missing");
  for (std::size_t i = 0; i + 1 < text.size(); i += 7) {
    std::string damaged = text;
    damaged[i] ^= 1;
    static_cast<void>(parse_trace(damaged, "t.json").ok());  // must not crash
  }
}

}  // namespace
}  // namespace ravel
