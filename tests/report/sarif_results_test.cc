// The results of a check as SARIF.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/sarif_results.h"

namespace ravel {
namespace {

using Json = nlohmann::json;

TestReport with_bug(const std::string& file) {
  TestReport tested{.test = "a:one_test", .tickets = {"tickets/a.json"}};
  tested.result.stop = Stop::kFirstBug;
  tested.result.bugs.push_back({.bug = {.kind = "abnormal_exit",
                                        .message = "it fails",
                                        .file = file,
                                        .line = 7,
                                        .actor = "P.1",
                                        .details = {"in a:f/0"}},
                                .schedule = {}});
  return tested;
}

NotedStep step(const char* actor, const char* operation, std::uint32_t line) {
  NotedStep noted;
  noted.step.actor = *ActorName::parse(actor);
  noted.operation = operation;
  noted.file = line > 0 ? "src/a.erl" : "";
  noted.line = line;
  return noted;
}

Json run_of(const std::string& text) {
  const Json json = Json::parse(text);
  EXPECT_EQ(json.at("version"), "2.1.0");
  return json.at("runs").at(0);
}

TEST(SarifResults, HaveABugAtItsPlaceWithItsTicketAndARuleForItsKind) {
  const std::vector<TestReport> tests = {with_bug("/home/me/a project/src/a.erl")};
  const std::vector<BugSchedules> schedules(1);
  const Json run = run_of(sarif_results({.tests = tests}, schedules, "/home/me/a project"));
  const Json& result = run.at("results").at(0);
  EXPECT_EQ(result.at("ruleId"), "abnormal_exit");
  EXPECT_EQ(result.at("properties").at("replay"), "ravel replay tickets/a.json");
  const Json& place = result.at("locations").at(0).at("physicalLocation");
  EXPECT_EQ(place.at("artifactLocation").at("uri"), "src/a.erl");
  EXPECT_EQ(place.at("region").at("startLine"), 7);
  EXPECT_EQ(run.at("originalUriBaseIds").at("%SRCROOT%").at("uri"), "file:///home/me/a%20project/");
  EXPECT_EQ(run.at("tool").at("driver").at("rules").at(0).at("id"), "abnormal_exit");
  EXPECT_EQ(run.at("invocations").at(0).at("executionSuccessful"), true);
}

TEST(SarifResults, NameAFileOutsideOfTheFolderByItsWholePath) {
  const std::vector<TestReport> tests = {with_bug("/usr/lib/b.erl")};
  const Json run = run_of(sarif_results({.tests = tests}, std::vector<BugSchedules>(1), "/home"));
  const Json& place = run.at("results").at(0).at("locations").at(0).at("physicalLocation");
  EXPECT_EQ(place.at("artifactLocation"), Json({{"uri", "file:///usr/lib/b.erl"}}));
}

TEST(SarifResults, KeepTheOrderOfStepsAcrossTheFlowsOfActors) {
  const std::vector<TestReport> tests = {with_bug("src/a.erl")};
  const std::vector<BugSchedules> schedules = {
      {{step("P", "sends a", 3), step("P.1", "receives a", 9), step("P", "ends", 0)}}};
  const Json run = run_of(sarif_results({.tests = tests}, schedules, "/"));
  const Json& flows = run.at("results").at(0).at("codeFlows").at(0).at("threadFlows");
  ASSERT_EQ(flows.size(), 2U);
  EXPECT_EQ(flows[0].at("id"), "P");
  EXPECT_EQ(flows[0].at("locations").at(0).at("executionOrder"), 1);
  EXPECT_EQ(flows[0].at("locations").at(1).at("executionOrder"), 3);
  EXPECT_FALSE(flows[0].at("locations").at(1).at("location").contains("physicalLocation"));
  EXPECT_EQ(flows[1].at("locations").at(0).at("location").at("message").at("text"), "receives a");
}

TEST(SarifResults, GiveABugTheSameFingerprintInEveryRun) {
  const auto fingerprint = [](const TestReport& tested) {
    return run_of(sarif_results({.tests = {tested}}, std::vector<BugSchedules>(1), "/"))
        .at("results")
        .at(0)
        .at("partialFingerprints");
  };
  TestReport other_schedule = with_bug("a.erl");
  other_schedule.result.bugs[0].bug.details = {"in a:g/0"};
  EXPECT_EQ(fingerprint(with_bug("a.erl")), fingerprint(other_schedule));
  EXPECT_NE(fingerprint(with_bug("a.erl")), fingerprint(with_bug("b.erl")));
}

TEST(SarifResults, TellWhatWasNotSearchedToTheEnd) {
  std::vector<TestReport> tests(2);
  tests[0].test = "a:refused_test";
  tests[0].result.stop = Stop::kUnsupported;
  tests[0].result.refusal = Refusal{.message = "sockets are refused", .file = "a.erl", .line = 4};
  tests[1].test = "a:long_test";
  tests[1].result.stop = Stop::kTimeBudget;
  const Json run = run_of(sarif_results({.tests = tests}, std::vector<BugSchedules>(2), "/"));
  EXPECT_TRUE(run.at("results").empty());
  const Json& told = run.at("invocations").at(0).at("toolExecutionNotifications");
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].at("message").at("text"), "a:refused_test: sockets are refused");
  EXPECT_EQ(told[0].at("level"), "error");
  EXPECT_EQ(told[1].at("level"), "warning");
}

TEST(SarifResults, TellBadInput) {
  const Json run = run_of(sarif_error("no such file"));
  EXPECT_EQ(run.at("invocations").at(0).at("executionSuccessful"), false);
}

}  // namespace
}  // namespace ravel
