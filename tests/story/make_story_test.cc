// The story of random executions, against what the execution's history and the System itself say.

#include "story/make_story.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "story/causality.h"
#include "story/story_races.h"
#include "tests/story/random_story.h"

namespace ravel {
namespace {

using testing::IsEmpty;

constexpr std::uint64_t kSeeds = 300;

// By step: all steps before it, as the story's own order and `after` say, found by walking.
std::vector<std::set<std::size_t>> pasts_of(const StoryExecution& execution) {
  std::vector<std::set<std::size_t>> pasts(execution.steps.size());
  for (std::size_t i = 0; i < execution.steps.size(); ++i) {
    const auto add = [&](std::size_t cause) {
      pasts[i].insert(cause);
      pasts[i].insert(pasts[cause].begin(), pasts[cause].end());
    };
    for (std::size_t earlier = i; earlier-- > 0;)
      if (execution.steps[earlier].actor == execution.steps[i].actor) {
        add(earlier);
        break;
      }
    for (const std::size_t cause : execution.steps[i].after) add(cause);
  }
  return pasts;
}

TEST(MakeStory, TheOrderIsThatOfTheHistoryAndNoEdgeIsTooMany) {
  std::size_t edges = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomStory random(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + to_string(random.program));
    const StoryExecution& execution = random.story.failing;
    const History& history = random.observation->history();
    const auto pasts = pasts_of(execution);
    for (EventId event = 0; event < execution.steps.size(); ++event) {
      const bool is_end = event + 1 == execution.steps.size() && random.system->stops_others();
      for (EventId earlier = 0; earlier < event && !is_end; ++earlier)
        EXPECT_EQ(pasts[event].contains(earlier), history.precedes(earlier, event))
            << earlier << " " << event;
      for (const std::size_t cause : execution.steps[event].after) {
        ++edges;
        ASSERT_LT(cause, event);
        EXPECT_NE(execution.steps[cause].actor, execution.steps[event].actor);
        for (const std::size_t other : execution.steps[event].after)
          EXPECT_FALSE(pasts[other].contains(cause)) << cause << " follows from " << other;
      }
    }
  }
  EXPECT_GT(edges, 300u);
}

// What stops everybody comes after all others only because it stops them: that is no cause.
TEST(MakeStory, AnEndThatStopsOthersHasOnlyItsOwnCauses) {
  std::size_t ends = 0, others = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomStory random(seed);
    const StoryExecution& execution = random.story.failing;
    if (execution.steps.empty() || !random.system->stops_others()) continue;
    const auto last = static_cast<EventId>(execution.steps.size() - 1);
    const auto past = pasts_of(execution)[last];
    ++ends;
    const History& history = random.observation->history();
    for (EventId event = 0; event < last; ++event) {
      others += past.contains(event) ? 0 : 1;
      const bool is_direct = history.touches_conflict(event, last) ||
                             history[event].name.actor == history[last].name.actor ||
                             history[last].taken.event == event;
      if (is_direct) {
        EXPECT_TRUE(past.contains(event)) << "seed " << seed << " event " << event;
      }
    }
  }
  EXPECT_GT(ends, 20u);
  EXPECT_GT(others, 20u);
}

TEST(MakeStory, MessagesAreToldAtBothEnds) {
  std::size_t received = 0, lost = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomStory random(seed);
    const StoryExecution& execution = random.story.failing;
    const std::vector<Sent> orphans = random.observation->orphans();
    std::size_t unreceived = 0;
    for (std::size_t i = 0; i < execution.steps.size(); ++i) {
      for (const StoryMessage& message : execution.steps[i].sends) {
        if (!message.received) {
          ++unreceived;
          continue;
        }
        ++received;
        ASSERT_LT(*message.received, execution.steps.size());
        EXPECT_GT(*message.received, i);
        EXPECT_EQ(execution.steps[*message.received].receives, i);
        EXPECT_EQ(execution.steps[*message.received].actor, message.to);
      }
    }
    EXPECT_GE(unreceived, orphans.size());
    lost += orphans.size();
  }
  EXPECT_GT(received, 100u);
  EXPECT_GT(lost, 10u);
}

TEST(MakeStory, TheChoicesAreWhatTheSystemListed) {
  std::size_t choices = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomStory random(seed);
    const StoryExecution& execution = random.story.failing;
    toy::MessageSystem system(random.program);
    system.reset();
    for (std::size_t i = 0; i < execution.steps.size(); ++i) {
      const Transition taken = random.observation->events()[i].transition;
      const StoryStep& step = execution.steps[i];
      ASSERT_EQ(step.choices.size() + 1, system.enabled().size());
      std::size_t next = 0;
      for (const Transition& other : system.enabled()) {
        if (other == taken) continue;
        const StoryChoice& choice = step.choices[next++];
        EXPECT_EQ(random.story.actors[choice.actor].name, system.actor_name(other.actor).to_string());
        EXPECT_EQ(choice.alternative, other.alternative);
        if (!choice.next) continue;
        ++choices;
        EXPECT_GE(*choice.next, i);
        EXPECT_EQ(execution.steps[*choice.next].actor, choice.actor);
      }
      system.step(taken);
    }
  }
  EXPECT_GT(choices, 200u);
}

TEST(MakeStory, RacesAreOfDifferentActorsAndToldOnce) {
  std::size_t races = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomStory random(seed);
    const StoryExecution& execution = random.story.failing;
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < execution.steps.size(); ++i)
      for (const StoryRace& race : execution.steps[i].races) {
        ASSERT_TRUE(race.with);
        ++races;
        EXPECT_LT(i, *race.with);
        ASSERT_LT(*race.with, execution.steps.size());
        EXPECT_NE(execution.steps[i].actor, execution.steps[*race.with].actor);
        EXPECT_TRUE(pairs.insert({i, *race.with}).second);
      }
  }
  EXPECT_GT(races, 100u);
}

// Relevant are the last step of the actor that fails, the steps that race with it, and their pasts.
TEST(MakeStory, WhatIsRelevantHasItsCausesWithItAndNothingElse) {
  std::size_t irrelevant = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomStory random(seed);
    StoryExecution execution = random.story.failing;
    if (execution.steps.empty()) continue;
    StoryBug bug;
    bug.kind = "made_up";
    bug.actor = execution.steps[seed % execution.steps.size()].actor;
    const Causality causality(*random.observation, random.system->stops_others() ? LastEvent::kStopsOthers
                                                                                 : LastEvent::kIsOrdinary);
    mark_relevant(*random.observation, causality, &bug, execution);
    std::size_t last = execution.steps.size() - 1;
    while (execution.steps[last].actor != *bug.actor) --last;
    std::set<std::size_t> expected = {last};
    for (std::size_t i = 0; i < execution.steps.size(); ++i)
      for (const StoryRace& race : execution.steps[i].races)
        if (i == last || race.with == last) expected.insert({i, race.with.value_or(i)});
    const auto pasts = pasts_of(execution);
    for (const std::size_t step : std::set<std::size_t>(expected))
      expected.insert(pasts[step].begin(), pasts[step].end());
    for (std::size_t i = 0; i < execution.steps.size(); ++i) {
      irrelevant += expected.contains(i) ? 0 : 1;
      EXPECT_EQ(execution.steps[i].is_relevant, expected.contains(i)) << "seed " << seed << " step " << i;
    }
  }
  EXPECT_GT(irrelevant, 100u);
}

// The passing execution departs where it says, and the failing one could have done the same there.
TEST(MakeStory, ThePassingExecutionDepartsWhereItSays) {
  std::size_t passing = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomStory random(seed, true);
    if (!random.story.passing) continue;
    ++passing;
    const StoryExecution& one = random.story.failing;
    const StoryExecution& other = *random.story.passing;
    EXPECT_EQ(other.outcome, "finished");
    ASSERT_LE(other.common, std::min(one.steps.size(), other.steps.size()));
    for (std::size_t i = 0; i < other.common; ++i) EXPECT_EQ(one.steps[i].actor, other.steps[i].actor);
    if (other.common == one.steps.size() || other.common == other.steps.size()) continue;
    const StoryStep& departs = other.steps[other.common];
    const auto is_it = [&](const StoryChoice& choice) {
      return choice.leads_to == LeadsTo::kPasses && choice.actor == departs.actor &&
             choice.alternative == departs.alternative;
    };
    EXPECT_TRUE(std::ranges::any_of(one.steps[other.common].choices, is_it));
  }
  EXPECT_GT(passing, 5u);
}

TEST(MakeStory, SaysWhatAStepHasChangedAndWhoWaitsForWhom) {
  RandomStory random(1);
  StoryRequest request;
  request.read_source = [](const std::string& file) -> Result<std::string> { return Error{file}; };
  std::size_t asked = 0;
  request.state_changes = [&] {
    ++asked;
    return std::vector<ChangedPart>{{.actor = ActorId{0}, .part = "fields", .name = "x", .lines = {"1"}}};
  };
  const Story story = make_story(*random.observation, request);
  EXPECT_EQ(asked, story.failing.steps.size());
  for (const StoryStep& step : story.failing.steps) {
    ASSERT_EQ(step.state.size(), 1u);
    EXPECT_EQ(story.actors[step.state[0].actor.value()].name, "P");
  }
}

TEST(MakeStory, ActorsAreWhatTheFrontEndSays) {
  for (const StoryActorKind kind :
       {StoryActorKind::kProcess, StoryActorKind::kThread, StoryActorKind::kMachine}) {
    RandomStory random(1);
    StoryRequest request;
    request.actors = kind;
    request.read_source = [](const std::string& file) -> Result<std::string> { return Error{file}; };
    const Story story = make_story(*random.observation, request);
    ASSERT_FALSE(story.actors.empty());
    for (const StoryActor& actor : story.actors) EXPECT_EQ(actor.kind, kind) << actor.name;
  }
}

TEST(StorySources, FilesOfTheSameNameKeepTheirFoldersAndMissingOnesSayWhy) {
  StorySources sources;
  EXPECT_EQ(sources.index_of(""), std::nullopt);
  EXPECT_EQ(sources.index_of("one/a.erl"), 0u);
  EXPECT_EQ(sources.index_of("two/a.erl"), 1u);
  EXPECT_EQ(sources.index_of("two/b.erl"), 2u);
  EXPECT_EQ(sources.index_of("one/a.erl"), 0u);
  const auto read = [](const std::string& file) -> Result<std::string> {
    if (file == "two/b.erl") return Error{"two/b.erl: there is no such file."};
    return file == "two/a.erl" ? std::string(100, 'x') : std::string("text");
  };
  const std::vector<StorySource> taken = sources.take(read, 50);
  ASSERT_EQ(taken.size(), 3u);
  EXPECT_EQ(taken[0].name, "one/a.erl");
  EXPECT_EQ(taken[0].text, "text");
  EXPECT_EQ(taken[1].name, "two/a.erl");
  EXPECT_EQ(taken[1].text, std::nullopt);
  EXPECT_EQ(taken[1].gone, "the file has 100 bytes, and only files of up to 50 are shown");
  EXPECT_EQ(taken[2].name, "b.erl");
  EXPECT_EQ(taken[2].gone, "two/b.erl: there is no such file.");
}

}  // namespace
}  // namespace ravel
