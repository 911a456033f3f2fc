// Questions and answers: which steps are told as one, and which are not.

#include "story/story_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/random.h"
#include "story/lanes_view.h"
#include "story/mermaid.h"

namespace ravel {
namespace {

using testing::HasSubstr;
using testing::Not;

StoryStep step_of(std::size_t actor, std::string text, std::uint32_t line) {
  StoryStep step;
  step.actor = actor;
  step.text = std::move(text);
  step.source = 0;
  step.line = line;
  return step;
}

// P asks P.1 in line 2, watches it for that time, and ends.
Story asking_story() {
  Story story;
  for (const char* const name : {"P", "P.1", "P.2"}) story.actors.push_back({.name = name, .label = name});
  story.actors[1].label = "P.1 (server)";
  story.sources.push_back({.name = "bank.erl", .path = "src/bank.erl"});
  std::vector<StoryStep>& steps = story.failing.steps;
  steps = {step_of(0, "spawns P.1", 1),
           step_of(0, "monitors P.1", 2),
           step_of(0, "sends {ask,get} to P.1", 2),
           step_of(1, "receives {ask,get} from P", 9),
           step_of(1, "sends {answer,5} to P", 10),
           step_of(0, "receives {answer,5} from P.1", 2),
           step_of(0, "demonitors P.1", 2),
           step_of(0, "ends", 3)};
  steps[1].is_by_library = steps[6].is_by_library = true;
  steps[2].sends = {{.to = 1, .text = "{ask,get}", .received = 3}};
  steps[3].receives = 2;
  steps[4].sends = {{.to = 0, .text = "{answer,5}", .received = 5}};
  steps[5].receives = 4;
  return story;
}

// With a step more at this place.
Story with_step(std::size_t at, const StoryStep& added) {
  Story story = asking_story();
  std::vector<StoryStep>& steps = story.failing.steps;
  steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(at), added);
  for (StoryStep& step : steps) {
    for (StoryMessage& message : step.sends)
      if (*message.received >= at) ++*message.received;
    if (step.receives && *step.receives >= at) ++*step.receives;
  }
  return story;
}

std::string told(Story story, Folding folding = Folding::kIfLong) {
  note_calls(story.failing, story.actors, [](const std::string& question, const std::string& answer) {
    return std::pair(question.substr(5, 3), answer.substr(8, 1));
  });
  return tell_lines(story, story.failing, {.folding = folding});
}

TEST(StoryCalls, AreOneLineWithQuestionAndAnswer) {
  EXPECT_EQ(told(asking_story()),
            "  1  P  spawns P.1                         bank.erl:1\n"
            "  3  P  asks P.1 (server): get; answer: 5  bank.erl:2\n"
            "  8  P  ends                               bank.erl:3\n");
  EXPECT_EQ(std::ranges::count(told(asking_story(), Folding::kNever), '\n'), 8);
}

TEST(StoryCalls, WithoutAFrontEndSayWhatWasSent) {
  Story story = asking_story();
  note_calls(story.failing, story.actors, {});
  const std::vector<StoryCall>& calls = story.failing.calls;
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].request, "{ask,get}");
  EXPECT_EQ(calls[0].reply, "{answer,5}");
  EXPECT_EQ(calls[0].first, 1u);
  EXPECT_EQ(calls[0].last, 6u);
}

TEST(StoryCalls, TellWhatOthersDoInBetween) {
  EXPECT_EQ(told(with_step(4, step_of(1, "writes a table", 9))),
            "  1  P             spawns P.1                           bank.erl:1\n"
            "  3  P             asks P.1 (server): get               bank.erl:2\n"
            "  4  P.1 (server)  is asked by P: get                   bank.erl:9\n"
            "  5  P.1 (server)  writes a table                       bank.erl:9\n"
            "  6  P.1 (server)  answers P: 5                         bank.erl:10\n"
            "  7  P             gets the answer 5 from P.1 (server)  bank.erl:2\n"
            "  9  P             ends                                 bank.erl:3\n");
  EXPECT_THAT(told(with_step(4, step_of(1, "writes a table", 9)), Folding::kNever),
              HasSubstr("  3  P             sends {ask,get} to P.1        bank.erl:2\n"));
}

TEST(StoryCalls, HideNoPreemptionNoLoopAndNothingThatDecides) {
  Story preempted = with_step(4, step_of(2, "looks", 7));
  preempted.failing.steps[4].switched = Switch::kPreemption;
  EXPECT_THAT(told(preempted), HasSubstr("preemption: P.1 (server) could have gone on"));
  Story decided = asking_story();
  decided.failing.steps[3].races = {{.with = 7, .decides = true}};
  EXPECT_THAT(told(decided), HasSubstr("is asked by P: get"));
  EXPECT_THAT(told(decided), Not(HasSubstr("answer: 5")));
  Story looping = asking_story();
  looping.failing.loop = 3;
  EXPECT_THAT(told(looping), HasSubstr("again and again"));
  Story ending = asking_story();
  ending.failing.steps.pop_back();
  EXPECT_THAT(told(ending), HasSubstr("demonitors"));
}

TEST(StoryCalls, TakeInOnlyWhatIsForTheirSake) {
  Story story = asking_story();
  story.failing.steps[1].line = 1;
  EXPECT_THAT(told(story), HasSubstr("monitors P.1"));
  story = asking_story();
  story.failing.steps[1].is_by_library = false;
  EXPECT_THAT(told(story), HasSubstr("monitors P.1"));
  story = asking_story();
  story.failing.steps[1].spawns = 2;
  EXPECT_THAT(told(story), HasSubstr("monitors P.1"));
}

TEST(StoryCalls, NeedAnAnswerOfWhomWasAsked) {
  Story story = asking_story();
  story.failing.steps[4].actor = 2;  // another one answers
  EXPECT_THAT(told(story), Not(HasSubstr("asks")));
  story = asking_story();
  story.failing.steps.insert(story.failing.steps.begin() + 3, step_of(0, "goes on", 2));  // does not wait
  story.failing.steps[2].sends[0].received = 4;
  story.failing.steps[4].receives = 2;
  story.failing.steps[5].sends[0].received = 6;
  story.failing.steps[6].receives = 5;
  EXPECT_THAT(told(story), Not(HasSubstr("asks")));
}

TEST(StoryCalls, AreInBothLanesAndTwoArrowsOfADiagram) {
  Story story = asking_story();
  note_calls(story.failing, story.actors, {});
  const std::string lanes = tell_lanes(story, story.failing, {.columns = 100});
  EXPECT_THAT(lanes, HasSubstr("  3   asks P.1: {ask,get}"));
  EXPECT_THAT(lanes, HasSubstr("answers: {answer,5}"));
  EXPECT_THAT(lanes, Not(HasSubstr("receives")));
  EXPECT_THAT(print_mermaid(story, Folding::kIfLong),
              HasSubstr("  a0->>a1: 3. #123;ask,get#125;\n  a1-->>a0: #123;answer,5#125;\n"));
}

// Three clients that ask one server, again and again, in an order that is drawn.
Story random_calls(std::uint64_t seed) {
  constexpr std::size_t kServer = 3;
  Random random(seed);
  Story story;
  for (const char* const name : {"P", "P.1", "P.2", "P.3"})
    story.actors.push_back({.name = name, .label = name});
  std::vector<StoryStep>& steps = story.failing.steps;
  struct Client {
    std::size_t phase = 0;
    std::optional<std::size_t> answer = {};
  };
  std::array<Client, kServer> clients;
  std::vector<std::size_t> questions;      // that wait
  std::optional<std::size_t> asking = {};  // whom the server is about to answer
  const auto beside = [&](std::size_t client) {
    steps.push_back(step_of(client, "looks", 2));
    steps.back().is_by_library = true;
  };
  const auto send = [&](std::size_t from, std::size_t to) {
    steps.push_back(step_of(from, "sends", from == kServer ? 9 : 2));
    steps.back().sends = {{.to = to, .text = "a value"}};
  };
  const auto take = [&](std::size_t who, std::size_t sent) {
    steps[sent].sends.front().received = steps.size();
    steps.push_back(step_of(who, "receives", who == kServer ? 9 : 2));
    steps.back().receives = sent;
  };
  while (steps.size() < 60) {
    const std::size_t who = random.below(kServer + 1);
    if (who == kServer) {
      if (asking) {
        clients[*asking].answer = steps.size();
        send(kServer, *std::exchange(asking, std::nullopt));
      } else if (!questions.empty()) {
        const std::size_t question = questions.front();
        questions.erase(questions.begin());
        asking = steps[question].actor;
        take(kServer, question);
      }
      continue;
    }
    Client& client = clients[who];
    if (client.phase == 2 && !client.answer) continue;
    if (client.phase == 0 || client.phase == 3) beside(who);
    if (client.phase == 1) {
      questions.push_back(steps.size());
      send(who, kServer);
    }
    if (client.phase == 2) take(who, *std::exchange(client.answer, std::nullopt));
    client.phase = (client.phase + 1) % 4;
  }
  steps.push_back(step_of(0, "ends", 3));
  return story;
}

// A call is a question that is answered, and nobody else's step is in it.
TEST(StoryCalls, OfRandomProgramsAreWhatTheySay) {
  std::size_t wholes = 0, parts = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Story story = random_calls(seed);
    StoryExecution& execution = story.failing;
    note_calls(execution, story.actors, {});
    std::size_t next = 0;
    for (const StoryCall& call : execution.calls) {
      ++(call.callee ? wholes : parts);
      EXPECT_LE(next, call.first);
      next = call.last + 1;
      ASSERT_LT(call.last + 1, execution.steps.size());
      ASSERT_LE(call.first, call.main);
      ASSERT_LE(call.main, call.last);
      const std::size_t caller = execution.steps[call.main].actor;
      for (std::size_t i = call.first; i <= call.last; ++i) {
        const std::size_t actor = execution.steps[i].actor;
        EXPECT_TRUE(actor == caller || actor == call.callee) << "seed " << seed;
      }
      if (!call.callee) continue;
      EXPECT_EQ(execution.steps[call.main].sends.front().to, *call.callee);
      EXPECT_EQ(execution.steps[call.last].actor, caller);
    }
  }
  EXPECT_GT(wholes, 10u);
  EXPECT_GT(parts, 1000u);
}

}  // namespace
}  // namespace ravel
