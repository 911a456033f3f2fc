// The index of a check as a page.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/html_index.h"

namespace ravel {
namespace {

using testing::HasSubstr;
using testing::Not;

TestReport with_bug(const std::string& test, const std::string& message) {
  TestReport tested;
  tested.test = test;
  tested.tickets = {"tickets/a b.ticket.json"};
  tested.result.stop = Stop::kFirstBug;
  NamedBug& found = tested.result.bugs.emplace_back();
  found.bug.kind = "deadlock";
  found.bug.message = message;
  found.bug.file = "a.erl";
  found.bug.line = 7;
  return tested;
}

TEST(HtmlIndex, LinksABugToItsPageAndSaysHowToReplayIt) {
  const std::vector<TestReport> tests = {with_bug("a:one_test", "it waits")};
  const std::vector<BugPages> pages = {{"a.html"}};
  const std::string page = html_index({.tests = tests, .chosen = 1}, pages);
  EXPECT_THAT(page, HasSubstr("<h1>Ravel: <span class=\"bug\">bug</span></h1>"));
  EXPECT_THAT(page,
              HasSubstr("<a href=\"a.html\">deadlock: it waits</a> <span class=\"soft\">at a.erl:7</span>"));
  EXPECT_THAT(page, HasSubstr("<code>ravel replay tickets/a b.ticket.json</code>"));
}

TEST(HtmlIndex, HasEachTestWithItsVerdict) {
  std::vector<TestReport> tests(3);
  tests[0].test = "a:passes_test";
  tests[1].test = "a:skipped_test";
  tests[1].skipped = "needs a network";
  tests[2].test = "a:long_test";
  tests[2].result.stop = Stop::kTimeBudget;
  const std::vector<BugPages> pages(3);
  const std::string page = html_index({.tests = tests, .chosen = 5}, pages);
  EXPECT_THAT(page, HasSubstr("a:passes_test</td><td class=\"verdict pass\">pass</td>"));
  EXPECT_THAT(page, HasSubstr("class=\"verdict skipped\">skipped</td><td><div>needs a network</div>"));
  EXPECT_THAT(page, HasSubstr("class=\"verdict incomplete\">"));
  EXPECT_THAT(page, HasSubstr("<p>3 of 5 tests were run.</p>"));
}

TEST(HtmlIndex, ShowsTextsThatLookLikeHtmlAsTexts) {
  const std::vector<TestReport> tests = {
      with_bug("<script>alert(1)</script>", "\"><img src=x onerror=alert(2)>")};
  const std::vector<BugPages> pages = {{"\"><script>.html"}};
  const std::string page = html_index({.tests = tests, .chosen = 1}, pages);
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
}

}  // namespace
}  // namespace ravel
