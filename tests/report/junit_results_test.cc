// The results of a check as JUnit XML.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/junit_results.h"

namespace ravel {
namespace {

using testing::HasSubstr;
using testing::Not;

TestReport with_bug(const std::string& test, const std::string& message) {
  TestReport tested{.test = test, .title = {}, .result = {}, .tickets = {"tickets/a.json"}};
  tested.result.stop = Stop::kFirstBug;
  tested.result.bugs.push_back({.bug = {.kind = "assertion",
                                        .message = message,
                                        .file = "a.erl",
                                        .line = 7,
                                        .actor = "P.1",
                                        .details = {"in a:f/0"}},
                                .schedule = {}});
  return tested;
}

TEST(JunitResults, HaveASuiteForEachModuleAndACaseForEachTest) {
  std::vector<TestReport> tested(2);
  tested[0] = {.test = "a:one_test", .title = {}, .result = {}, .tickets = {}};
  tested[0].result.counts.seconds = 0.5;
  tested[1] = {.test = "b:two_test_/1/2", .title = "group: it <works>", .result = {}, .tickets = {}};
  tested.push_back(with_bug("a:three_test", "expected 1, got 2"));
  const std::string xml = junit_results({.tests = tested});
  EXPECT_THAT(xml, HasSubstr("<testsuites name=\"ravel\" tests=\"3\" failures=\"1\" errors=\"0\" "
                             "skipped=\"0\" time=\"0.500\">"));
  EXPECT_THAT(
      xml,
      HasSubstr(
          "<testsuite name=\"a\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"0.500\">"));
  EXPECT_THAT(
      xml,
      HasSubstr(
          "<testsuite name=\"b\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"0.000\">"));
  EXPECT_THAT(
      xml,
      HasSubstr("<testcase classname=\"b\" name=\"two_test_/1/2 group: it &lt;works&gt;\" time=\"0.000\">"));
  EXPECT_THAT(xml, HasSubstr("<failure type=\"assertion\" message=\"expected 1, got 2\">"));
  EXPECT_THAT(xml, HasSubstr("at a.erl:7, in P.1"));
  EXPECT_THAT(xml, HasSubstr("Replay it with: ravel replay tickets/a.json"));
}

TEST(JunitResults, NameTestsOfOtherFrameworksByTheirOwnSuites) {
  std::vector<TestReport> tested(2);
  tested[0].test = "QueueTest.Empties";
  tested[1].test = "alone";
  const std::string xml = junit_results({.tests = tested});
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"QueueTest\" name=\"Empties\""));
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"alone\" name=\"alone\""));
}

TEST(JunitResults, TellWhatIsNoPassFromWhatIs) {
  std::vector<TestReport> tested(2);
  tested[0].test = "a:refused_test";
  tested[0].result.stop = Stop::kUnsupported;
  tested[0].result.refusal = Refusal{.message = "no ports", .file = "a.erl", .line = 3};
  tested[1].test = "a:long_test";
  tested[1].result.stop = Stop::kTimeBudget;
  const std::string xml = junit_results({.tests = tested});
  EXPECT_THAT(xml, HasSubstr("tests=\"2\" failures=\"0\" errors=\"1\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<error type=\"unsupported\" message=\"no ports\">at a.erl:3</error>"));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"the search is not complete\"/>"));
  EXPECT_THAT(junit_error("no such file"),
              HasSubstr("<error type=\"input\" message=\"no such file\"></error>"));
}

TEST(JunitResults, EscapeWhatXmlDoesNotAllow) {
  EXPECT_EQ(xml_text("a<b & \"c\" 'd' >"), "a&lt;b &amp; &quot;c&quot; &apos;d&apos; &gt;");
  EXPECT_EQ(xml_text("\xce\xbb\n\t"), "\xce\xbb&#10;&#9;");
  const std::string none = "\xef\xbf\xbd";
  EXPECT_EQ(xml_text(std::string("\0\x1b", 2)), none + none);  // characters that XML forbids
  EXPECT_EQ(xml_text("\xff"), none);                           // no UTF-8
  EXPECT_EQ(xml_text("\xce"), none);                           // cut short
  EXPECT_EQ(xml_text("\xc0\xaf"), none + none);                // too long for what it says
  EXPECT_EQ(xml_text("\xed\xa0\x80"), none + none + none);     // half of a surrogate pair
  EXPECT_EQ(xml_text("\xef\xbf\xbf"), none + none + none);     // no character
  EXPECT_EQ(xml_text("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80");
  EXPECT_THAT(junit_results({.tests = {with_bug("a:b_test", "got \"]]>\x01\"")}}), Not(HasSubstr("]]>")));
}

}  // namespace
}  // namespace ravel
