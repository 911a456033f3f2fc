// The views of stories: what they show, what they fold, that they fit, and that texts cannot break them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "story/lanes_view.h"
#include "story/mermaid.h"
#include "story/shiviz.h"
#include "story/story_json.h"
#include "story/story_page.h"
#include "story/story_text.h"
#include "story/told_story.h"
#include "tests/story/random_story.h"

namespace ravel {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

StoryStep step_of(std::size_t actor, std::string text) {
  StoryStep step;
  step.actor = actor;
  step.text = std::move(text);
  return step;
}

// Two clients ask a server; P.2's question has nothing to do with the bug of P.1.
Story small_story() {
  Story story;
  story.front_end = "erlang";
  story.test = "bank:transfer";
  for (const char* const name : {"P", "P.1", "P.2"}) story.actors.push_back({.name = name, .label = name});
  story.actors[1].born = 0;
  story.actors[2].born = 1;
  story.sources.push_back({.name = "bank.erl", .path = "src/bank.erl", .text = "one\n  two()\nthree"});
  std::vector<StoryStep>& steps = story.failing.steps;
  steps = {step_of(0, "spawns P.1"),
           step_of(0, "spawns P.2"),
           step_of(1, "sends {ask} to P"),
           step_of(2, "sends {see} to P"),
           step_of(0, "receives {ask} from P.1"),
           step_of(1, "exits")};
  steps[0].spawns = 1;
  steps[1].spawns = 2;
  steps[2].source = 0;
  steps[2].line = 2;
  steps[2].code = "two()";
  steps[2].after = {0};
  steps[2].sends = {{.to = 0, .text = "{ask}", .received = 4}};
  steps[2].races = {{.with = 5, .decides = true}};
  steps[3].after = {1};
  steps[3].switched = Switch::kPreemption;
  steps[3].is_relevant = false;
  steps[4].receives = 2;
  steps[4].after = {2};
  story.bug = StoryBug{.kind = "abnormal_exit", .title = "abnormal exit: it fails", .message = "it fails"};
  story.bug->actor = 1;
  story.difference = {"P.1 comes first; in the other order, the test passes."};
  return story;
}

// As the small one, but with so many more steps of P.2 that have nothing to do with the bug.
Story long_story(std::size_t more) {
  Story story = small_story();
  StoryStep other = step_of(2, "looks");
  other.is_relevant = false;
  story.failing.steps.insert(story.failing.steps.begin() + 4, more, other);
  for (StoryStep& step : story.failing.steps) {
    for (StoryMessage& message : step.sends) message.received = 4 + more;
    for (StoryRace& race : step.races) race.with = 5 + more;
  }
  story.failing.steps[4 + more].receives = 2;
  return story;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(CutCharacters, CountsCharactersAndLeavesNoHalfOnes) {
  EXPECT_EQ(cut_characters("abcdef", 6), "abcdef");
  EXPECT_EQ(cut_characters("abcdefg", 6), "abcde…");
  EXPECT_EQ(cut_characters("äöüäöü", 6), "äöüäöü");
  EXPECT_EQ(cut_characters("äöüäöüä", 6), "äöüäö…");
  bool is_cut = false;
  EXPECT_EQ(cut_characters("abc", is_cut, 3), "abc");
  EXPECT_FALSE(is_cut);
  EXPECT_EQ(cut_characters("abcd", is_cut, 3), "ab…");
  EXPECT_TRUE(is_cut);
}

TEST(StoryRows, ShowEachStepOnceAndHideNoPreemption) {
  const Story story = long_story(50);
  for (const Folding folding : {Folding::kNever, Folding::kIfLong}) {
    std::size_t next = 0;
    for (const StoryRow& row : rows_of(story.failing, folding)) {
      EXPECT_EQ(row.first, next);
      next = row.last + 1;
      for (std::size_t i = row.first + 1; i <= row.last; ++i)
        EXPECT_NE(story.failing.steps[i].switched, Switch::kPreemption);
    }
    EXPECT_EQ(next, story.failing.steps.size());
  }
  EXPECT_EQ(rows_of(story.failing, Folding::kNever).size(), 56u);
  EXPECT_EQ(rows_of(story.failing, Folding::kIfLong).size(), 6u);
  EXPECT_EQ(rows_of(small_story().failing, Folding::kIfLong).size(), 6u);  // it is short
}

TEST(StoryRows, OfTooManyThoseAreToldThatAreNearToSomething) {
  Story story = long_story(300);
  std::vector<StoryStep>& steps = story.failing.steps;
  for (StoryStep& step : steps) {
    step.switched = Switch::kNone;
    step.races.clear();
    step.is_relevant = true;
  }
  steps[150].switched = Switch::kPreemption;
  steps[100].races.push_back({.with = 101, .decides = true});
  for (const std::size_t rows_max : {2u, 10u, 40u, 100u}) {
    std::size_t next = 0, told = 0;
    std::set<std::size_t> shown;
    for (const StoryRow& row : rows_of(story.failing, Folding::kIfLong, rows_max)) {
      EXPECT_EQ(row.first, next);
      next = row.last + 1;
      if (row.is_left_out) {
        EXPECT_TRUE(row.is_fold());
        continue;
      }
      ++told;
      shown.insert(row.first);
    }
    EXPECT_EQ(next, steps.size());
    EXPECT_EQ(told, rows_max);
    EXPECT_EQ(shown.count(steps.size() - 1), 1u);
    if (rows_max < 40) continue;
    for (const std::size_t step : {std::size_t{0}, std::size_t{100}, std::size_t{101}, std::size_t{150}})
      EXPECT_EQ(shown.count(step), 1u);
  }
  EXPECT_EQ(rows_of(story.failing, Folding::kIfLong, steps.size()).size(), steps.size());
  EXPECT_EQ(rows_of(story.failing, Folding::kNever, 10).size(), steps.size());
}

TEST(StoryLines, AreNumberedStepsWithPlacesAndFolds) {
  const Story small = small_story();
  EXPECT_EQ(tell_lines(small, small.failing, {}),
            "  1  P    spawns P.1\n"
            "  2  P    spawns P.2\n"
            "  3  P.1  sends {ask} to P         bank.erl:2  two()\n"
            "     -- preemption: P.1 could have gone on --\n"
            "  4  P.2  sends {see} to P\n"
            "  5  P    receives {ask} from P.1\n"
            "  6  P.1  exits\n");
  const Story story = long_story(50);
  EXPECT_THAT(tell_lines(story, story.failing, {}),
              HasSubstr("\n      ... 51 events of P.2 that have nothing to do with the bug ...\n"));
  EXPECT_THAT(tell_lines(story, story.failing, {.folding = Folding::kNever}), Not(HasSubstr("...")));
  EXPECT_THAT(tell_lines(story, story.failing, {.rows_max = 3}), HasSubstr(" events not shown ..."));
  EXPECT_THAT(tell_lines(story, story.failing, {.folding = Folding::kNever, .rows_max = 3}),
              Not(HasSubstr("not shown")));
}

TEST(StoryLines, TellOfALoop) {
  Story story = small_story();
  story.failing.loop = 3;
  EXPECT_THAT(tell_lines(story, story.failing, {}), HasSubstr("     -- from here on, again and again --\n"));
}

TEST(StoryLanes, HaveAColumnForEachActor) {
  const Story story = small_story();
  EXPECT_EQ(tell_lanes(story, story.failing, {.columns = 80}),
            "      P                    P.1                  P.2\n"
            "  1   spawns P.1\n"
            "  2   spawns P.2           │\n"
            "  3*  │                    sends {ask} to P →5  │                    bank.erl:2\n"
            "      -- preemption: P.1 could have gone on --\n"
            "  4   │                    │                    sends {see} to P\n"
            "  5   receives {ask} from  │                    │\n"
            "      P.1 ←3               │                    │\n"
            "  6*  │                    exits                │\n"
            "\n"
            "      * the race that makes the difference\n");
}

TEST(StoryLanes, FitEveryTerminalAndSayWhoIsLeftOut) {
  Story story = long_story(50);
  for (int i = 0; i < 20; ++i) {
    story.actors.push_back(
        {.name = "P." + std::to_string(i + 3), .label = "P." + std::to_string(i + 3) + " (wörker)"});
    story.failing.steps.insert(
        story.failing.steps.end() - 1,
        step_of(story.actors.size() - 1, "wäscht {a,very,long,term,[with,many,words]}"));
  }
  for (StoryStep& step : story.failing.steps)
    for (StoryRace& race : step.races) race.with = story.failing.steps.size() - 1;
  for (std::size_t columns = 20; columns < 250; columns += 7) {
    const std::string text =
        tell_lanes(story, story.failing, {.columns = columns, .folding = Folding::kNever});
    const std::size_t legend = text.find("\n\n");
    ASSERT_NE(legend, std::string::npos);
    for (const std::string& line : lines_of(text.substr(0, legend)))
      if (line.find("--") == std::string::npos) {
        EXPECT_LE(width(line), columns) << line;
      }
    EXPECT_THAT(text.substr(legend), testing::ContainsRegex("(others|all) are .*P.1?[0-9] "));
    for (std::size_t i = 0; i < story.failing.steps.size(); ++i)
      EXPECT_THAT("\n" + text, testing::ContainsRegex("\n +" + std::to_string(i + 1) + "[* ] "));
  }
}

TEST(ToldStory, HasTheBugAndWhatMakesTheDifference) {
  const std::string text = tell_story(small_story(), StoryForm::kLines, {});
  EXPECT_THAT(
      text,
      HasSubstr("bank:transfer\n\nBug: abnormal exit (0 preemptions, 6 events)\n  it fails\n  in P.1\n"));
  EXPECT_THAT(
      text,
      HasSubstr("  What makes the difference:\n    P.1 comes first; in the other order, the test passes.\n"));
}

TEST(StoryJson, HasTheModelAndLeavesOutWhatSaysNothing) {
  const json story = json::parse(print_story(small_story()));
  EXPECT_EQ(story["format"], "ravel-story");
  EXPECT_EQ(story["version"], 1);
  EXPECT_EQ(story["failing"]["steps"][2]["sends"],
            json::parse(R"([{"to": 0, "text": "{ask}", "received": 4}])"));
  EXPECT_EQ(story["failing"]["steps"][3]["switch"], "preemption");
  EXPECT_FALSE(story["failing"]["steps"][3].contains("relevant"));
  EXPECT_EQ(story["failing"]["steps"][4]["receives"], 2);
  EXPECT_FALSE(story["failing"]["steps"][0].contains("source"));
  EXPECT_FALSE(story.contains("passing"));
  EXPECT_FALSE(story.contains("shortened"));
}

TEST(StoryJson, TakesAnyBytes) {
  Story story = small_story();
  story.failing.steps[0].text = "\xff\xfe \x01 \"</script>\n";
  story.sources[0].text = std::string("a\0b\xc3", 4);
  const json parsed = json::parse(print_story(story));
  EXPECT_THAT(parsed["failing"]["steps"][0]["text"].get<std::string>(), HasSubstr("\"</script>\n"));
}

TEST(StoryJson, IsShortenedWhereItWouldBeTooLong) {
  Story story = long_story(200);
  for (StoryStep& step : story.failing.steps) {
    step.text = std::string(1'500, 'x');
    step.touches = {{.object = "object 1"}};
    step.choices = {{.actor = 1}};
    step.state = {{.actor = 0, .part = "fields", .lines = {std::string(500, 'y')}}};
  }
  const std::size_t whole = print_story(story).size();
  const std::string a_little = print_story(story, whole - 10'000);
  EXPECT_LE(a_little.size(), whole - 10'000);
  EXPECT_EQ(json::parse(a_little)["shortened"],
            json::parse(R"(["the texts of the sources", "the state at each step"])"));
  const std::string much = print_story(story, 100'000);
  EXPECT_LE(much.size(), 100'000u);
  const json parsed = json::parse(much);
  EXPECT_EQ(parsed["shortened"].size(), 5u);
  EXPECT_EQ(parsed["failing"]["steps"].size(), story.failing.steps.size());
  EXPECT_EQ(parsed["failing"]["steps"][0]["choices_cut"], 1);
  EXPECT_EQ(parsed["failing"]["steps"][0]["cut"], true);
}

TEST(StoryPage, NoTextOfAStoryEndsTheElement) {
  Story story = small_story();
  story.failing.steps[0].text = "</script><script>alert(1)</script>";
  constexpr std::string_view kTemplate =
      R"(<body><script type="application/json" id="story">{}</script><p></p></body>)";
  const std::string page = story_page(kTemplate, story);
  const std::size_t begin = page.find("id=\"story\">") + 11;
  const std::size_t end = page.find("</script>", begin);
  EXPECT_EQ(page.substr(end), "</script><p></p></body>");
  const json parsed = json::parse(page.substr(begin, end - begin));
  EXPECT_EQ(parsed["failing"]["steps"][0]["text"], story.failing.steps[0].text);
}

TEST(Mermaid, IsASequenceDiagramWhateverTheTexts) {
  Story story = small_story();
  story.actors[1].label = "P.1 (end; #1 \"x\")";
  story.failing.steps[5].text = "sends \n ; # %% <b> end } --> x";
  EXPECT_EQ(print_mermaid(story),
            "sequenceDiagram\n"
            "  participant a0 as P\n"
            "  participant a1 as P.1 (end#59; #35;1 #34;x#34;)\n"
            "  participant a2 as P.2\n"
            "  Note over a0: 1. spawns P.1\n"
            "  Note over a0: 2. spawns P.2\n"
            "  a1-)a0: 3. #123;ask#125;\n"
            "  Note over a0,a2: preemption: P.1 (end#59; #35;1 #34;x#34;) could have gone on\n"
            "  Note over a2: 4. sends #123;see#125; to P\n"
            "  Note over a0: 5. receives #123;ask#125; from P.1\n"
            "  Note over a1: 6. sends   #59; #35; #37;#37; #60;b#62; end #125; --#62; x\n"
            "  Note over a0,a2: abnormal exit: it fails\n");
}

// Of each pair of steps, the clocks say which one comes before the other, or neither, as the history does.
TEST(ShiViz, TheClocksAreTheOrder) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const RandomStory random(seed);
    const std::vector<std::string> lines = lines_of(print_shiviz(random.story));
    ASSERT_EQ(lines[0], R"((?<event>.*)\n(?<host>\S*) (?<clock>\{.*\}) (?<place>.*))");
    ASSERT_EQ(lines[1], "");
    std::vector<std::pair<std::string, json>> clocks;
    for (std::size_t i = 3; i < lines.size(); i += 2) {
      const std::size_t clock = lines[i].find(" {"), place = lines[i].rfind("} ");
      ASSERT_TRUE(clock != std::string::npos && place != std::string::npos && clock < place) << lines[i];
      clocks.emplace_back(lines[i].substr(0, clock), json::parse(lines[i].substr(clock + 1, place - clock)));
    }
    ASSERT_EQ(clocks.size(), random.observation->length());
    const bool stops = random.system->stops_others();
    for (EventId later = 0; later < clocks.size(); ++later) {
      if (stops && later + 1 == clocks.size()) continue;
      for (EventId earlier = 0; earlier < later; ++earlier) {
        const auto& [host, clock] = clocks[earlier];
        const bool is_before = clocks[later].second.value(host, 0) >= clock.at(host).get<int>();
        EXPECT_EQ(is_before, random.observation->history().precedes(earlier, later)) << "seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace ravel
