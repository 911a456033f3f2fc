// Results for machines, the progress line, and the small text functions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "report/json_results.h"
#include "report/progress_line.h"
#include "report/text.h"

namespace ravel {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(JsonResults, HoldsTheFactsOfTheSearch) {
  SearchResult exploration;
  exploration.strategy = "depth-first";
  exploration.counts.executions = 12;
  exploration.counts.events = 99;
  exploration.counts.seconds = 1.5;
  nlohmann::json json = nlohmann::json::parse(json_results(exploration, {}));
  EXPECT_EQ(json["verdict"], "pass");
  EXPECT_EQ(json["strategy"], "depth-first");
  EXPECT_EQ(json["executions"], 12);
  EXPECT_EQ(json["events"], 99);
  EXPECT_EQ(json["seconds"], 1.5);
  EXPECT_EQ(json["redundant"], 0);
  EXPECT_TRUE(json["bound_completed"].is_null());
  EXPECT_TRUE(json["bugs"].empty());

  exploration.counts.coverage =
      all_of(CoverageUnit::kSchedules, {{.on = BoundOn::kPreemptions, .completed = 2}});
  exploration.bugs.push_back({.bug = {.kind = "deadlock",
                                      .message = "all wait \xff",
                                      .file = "a.erl",
                                      .line = 7,
                                      .actor = "P.1",
                                      .details = {}},
                              .schedule = std::vector<NamedStep>(3),
                              .preemptions = 1,
                              .executions = 4,
                              .first_execution = 2});
  json = nlohmann::json::parse(json_results(exploration, std::vector<std::string>{"t.json"}));
  EXPECT_EQ(json["verdict"], "bug");
  EXPECT_EQ(json["bound_completed"], 2);
  const auto& bug = json["bugs"][0];
  EXPECT_EQ(bug["kind"], "deadlock");
  EXPECT_EQ(bug["file"], "a.erl");
  EXPECT_EQ(bug["line"], 7);
  EXPECT_EQ(bug["actor"], "P.1");
  EXPECT_EQ(bug["preemptions"], 1);
  EXPECT_EQ(bug["events"], 3);
  EXPECT_EQ(bug["ticket"], "t.json");
}

TEST(JsonResults, OfOneTestIsAnObjectAndOfSeveralAList) {
  SearchResult exploration;
  exploration.bugs.push_back(
      {.bug = {}, .schedule = {}, .preemptions = 0, .executions = 4, .first_execution = 1});
  exploration.counts.erroneous = 4;
  exploration.counts.executions_estimate = 1234.4;
  std::vector<TestReport> tested = {{.test = "m:a", .result = exploration, .tickets = {"a.json"}}};
  nlohmann::json json = nlohmann::json::parse(json_results(CheckReport{.tests = tested}));
  EXPECT_EQ(json["test"], "m:a");
  EXPECT_EQ(json["verdict"], "bug");
  EXPECT_EQ(json["erroneous_executions"], 4);
  EXPECT_EQ(json["executions_estimate"], 1234);
  tested.push_back({.test = "m:b", .result = {}, .tickets = {}});
  json = nlohmann::json::parse(json_results(CheckReport{.tests = tested}));
  EXPECT_EQ(json["verdict"], "bug");
  ASSERT_EQ(json["tests"].size(), 2);
  EXPECT_EQ(json["tests"][1]["test"], "m:b");
  EXPECT_EQ(json["tests"][1]["verdict"], "pass");
}

TEST(TextTest, ShortensToAWidth) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abc...");
  EXPECT_EQ(shortened("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\xc3\xa4", 4), "\xc3\xa4...");
  EXPECT_EQ(shortened("abcdef", 2), "");
}

TEST(JsonResults, HoldsARefusalAndAnError) {
  SearchResult exploration;
  exploration.stop = Stop::kUnsupported;
  exploration.refusal = {.message = "no sockets", .file = "a.erl", .line = 3};
  const nlohmann::json json = nlohmann::json::parse(json_results(exploration, {}));
  EXPECT_EQ(json["verdict"], "unsupported");
  EXPECT_EQ(json["refusal"]["line"], 3);
  EXPECT_EQ(nlohmann::json::parse(json_error("no such file"))["verdict"], "error");
  EXPECT_EQ(nlohmann::json::parse(json_error("no such file"))["message"], "no such file");
}

// A stream that keeps what is written.
class Memory {
 public:
  Memory() : stream_(open_memstream(&text_, &size_)) {}
  ~Memory() {
    std::fclose(stream_);
    std::free(text_);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  std::FILE* stream() { return stream_; }
  std::string text() {
    std::fflush(stream_);
    return {text_, size_};
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* stream_;
};

Counts counts_at(double seconds) {
  Counts counts;
  counts.executions = 12345;
  counts.events = 1000000;
  counts.seconds = seconds;
  counts.bugs = 1;
  counts.coverage.bounds = {{.on = BoundOn::kPreemptions, .current = 2}};
  return counts;
}

TEST(ProgressLine, IsDrawnAtMostFiveTimesASecondAndErasedAtTheEnd) {
  Memory memory;
  {
    ProgressLine line(memory.stream(), ProgressLine::Mode::kDrawn);
    line.on_progress(counts_at(0.1));
    EXPECT_EQ(memory.text(), "");
    for (int i = 0; i < 1000; ++i) line.on_progress(counts_at(1 + i * 0.001));
  }
  const std::string text = memory.text();
  const std::string drawn = "\r12,345 executions, bound 2, 1,000,000 events/s, 1 bug, 1.0 s\033[K";
  EXPECT_EQ(text.substr(0, drawn.size()), drawn);
  EXPECT_EQ(std::ranges::count(text, '\r'), 5 + 1);
  EXPECT_EQ(text.substr(text.size() - 4), "\r\033[K");
}

TEST(ProgressLine, IsNotDrawnOnWhatIsNoTerminal) {
  Memory memory;
  ProgressLine silent(memory.stream(), ProgressLine::Mode::kSilent);
  silent.on_progress(counts_at(5));
  silent.erase();
  EXPECT_EQ(memory.text(), "");
  std::FILE* file = std::tmpfile();
  {
    ProgressLine line(file);
    line.on_progress(counts_at(5));
  }
  EXPECT_EQ(std::ftell(file), 0);
  EXPECT_FALSE(is_terminal(file));
  EXPECT_EQ(colour_for(ColourWish::kAuto, file), Colour::kOff);
  EXPECT_EQ(colour_for(ColourWish::kAlways, file), Colour::kOn);
  std::fclose(file);
}

TEST(Text, GroupsDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(counted(1, "event"), "1 event");
  EXPECT_EQ(counted(1200, "event"), "1,200 events");
}

TEST(Text, PrintsDurationsForPeople) {
  EXPECT_EQ(duration(0.021), "0.02 s");
  EXPECT_EQ(duration(12.34), "12.3 s");
  EXPECT_EQ(duration(250), "4 min 10 s");
}

TEST(Text, PadsByCodePointsNotBytes) {
  EXPECT_EQ(padded("\xc3\xa9", 3), "\xc3\xa9  ");
  EXPECT_EQ(padded("long", 2), "long");
}

TEST(Text, NamesPlaces) {
  EXPECT_EQ(place("a.erl", 3), "a.erl:3");
  EXPECT_EQ(place("a.erl", 0), "a.erl");
  EXPECT_EQ(place("", 0), "");
}

}  // namespace
}  // namespace ravel
