// What was written down of an execution, told in lines.

#include "story/plain_story.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/recording.h"
#include "story/lines_view.h"
#include "tests/toy/toy_system.h"

namespace ravel {
namespace {

using testing::HasSubstr;
using testing::Not;
using toy::Op;
using toy::ToySystem;

// P is preempted between its write and its check, and P.1 has given nothing.
struct Example {
  Example() : system(toy::Program{{{Op::kWrite, 0}, {Op::kRequire, 0}}, {{Op::kWrite, 1}, {Op::kGive, 0}}}) {
    const auto step = [&](const char* name) {
      return Transition{.actor = *system.find_actor(*ActorName::parse(name)),
                        .alternative = 0,
                        .kind = TransitionKind::kOperation};
    };
    const std::vector<Transition> schedule = {step("P"), step("P.1"), step("P")};
    recording = record(system, schedule, 100);
  }
  ToySystem system;
  Recording recording;
};

std::string told(const Recording& recording, const StoryViewOptions& options = {}) {
  const Story story = plain_story(recording);
  return tell_lines(story, story.failing, options);
}

TEST(PlainStory, HasALineForEachEvent) {
  Example example;
  EXPECT_EQ(told(example.recording), R"(  1  P (actor 0)    write 0    toy.txt:1  source of write 0
     -- preemption: P (actor 0) could have gone on --
  2  P.1 (actor 1)  write 1    toy.txt:2  source of write 1
     -- preemption: P.1 (actor 1) could have gone on --
  3  P (actor 0)    require 0  toy.txt:1  source of require 0
)");
}

TEST(PlainStory, ShowsExtraLinesAndLeavesNoSpacesAtTheEndOfLines) {
  Example example;
  example.recording.events[1].description.extra = {"returns ok"};
  example.recording.events[1].description.source = "";
  example.recording.events[1].description.file = "";
  const std::string story = told(example.recording);
  EXPECT_THAT(story, HasSubstr("write 1\n                      returns ok\n"));
  EXPECT_THAT(story, Not(HasSubstr(" \n")));
}

TEST(PlainStory, HidesTheMiddleOfALongOne) {
  Example example;
  const RecordedEvent event = example.recording.events[0];
  example.recording.events.assign(1000, event);
  const std::string story = told(example.recording, {.rows_max = 10});
  EXPECT_EQ(std::ranges::count(story, '\n'), 11);
  EXPECT_THAT(story, HasSubstr("  ... 990 events not shown ...\n"));
  EXPECT_THAT(story, HasSubstr("     5  P"));
  EXPECT_THAT(story, HasSubstr("   996  P"));
  EXPECT_THAT(story, Not(HasSubstr("   995  P")));
}

TEST(PlainStory, TellsLooksOfLibrariesInARowAsOne) {
  Example example;
  RecordedEvent event = example.recording.events[0];
  event.description.is_aside = true;
  const auto story_of = [&](std::size_t asides) {
    example.recording.events.assign(asides + 2, event);
    example.recording.events.front().description.is_aside = false;
    example.recording.events.back().description.is_aside = false;
    return told(example.recording);
  };
  EXPECT_EQ(std::ranges::count(story_of(2), '\n'), 4);
  const std::string story = story_of(30);
  EXPECT_EQ(std::ranges::count(story, '\n'), 3);
  EXPECT_THAT(story,
              HasSubstr("\n      ... 30 events of P (actor 0) inside libraries ...\n  32  P (actor 0)"));
  EXPECT_EQ(std::ranges::count(told(example.recording, {.folding = Folding::kNever}), '\n'), 32);
}

TEST(PlainStory, CutsSourceTextAtTheEdgeOfTheTerminalAndLeavesOutWhatWouldBeTooShort) {
  Example example;
  const std::string line = "  1  P (actor 0)    write 0    toy.txt:1  source of write 0";
  EXPECT_THAT(told(example.recording, {.columns = line.size()}), HasSubstr(line + "\n"));
  EXPECT_THAT(told(example.recording, {.columns = line.size() - 1}),
              HasSubstr("toy.txt:1  source of wri...\n"));
  EXPECT_THAT(told(example.recording, {.columns = line.size() - 6}), HasSubstr("write 0    toy.txt:1\n"));
}

TEST(PlainStory, NamesFoldersOnlyWhereTheyTellFilesApart) {
  Example example;
  for (RecordedEvent& event : example.recording.events) event.description.file = "one/a.erl";
  EXPECT_THAT(told(example.recording), Not(HasSubstr("one/")));
  example.recording.events.back().description.file = "two/a.erl";
  EXPECT_THAT(told(example.recording), HasSubstr("one/a.erl"));
}

TEST(PlainStory, IsColouredOnlyOnRequest) {
  Example example;
  EXPECT_THAT(told(example.recording), Not(HasSubstr("\033")));
  EXPECT_THAT(told(example.recording, {.colour = Colour::kOn, .rows_max = 10}), HasSubstr("\033[33m"));
}

}  // namespace
}  // namespace ravel
