// What frameworks say of their tests, as their versions print it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "threads/frameworks/test_framework.h"

namespace ravel::threads {
namespace {

using testing::ElementsAre;

std::vector<FrameworkTest> parse(TestKind kind, const std::vector<std::string>& outputs) {
  return find_framework(kind)->parse_listing(outputs).value();
}

std::vector<std::string> names_of(const std::vector<FrameworkTest>& tests) {
  std::vector<std::string> names;
  for (const FrameworkTest& test : tests)
    names.push_back(test.name + (test.is_disabled ? " (disabled)" : ""));
  return names;
}

TEST(Listing, GoogleTestHasSuitesTheirTestsAndRemarks) {
  const auto tests = parse(
      TestKind::kGoogleTest,
      {"Running main() from gtest_main.cc\nAccount.\n  Pays\n  DISABLED_Fails\nTyped/0.  # TypeParam = int\n"
       "  IsSmall/1  # GetParam() = 4\n"});
  EXPECT_THAT(names_of(tests),
              ElementsAre("Account.Pays", "Account.DISABLED_Fails (disabled)", "Typed/0.IsSmall/1"));
  EXPECT_EQ(tests[2].group, "Typed/0");
  EXPECT_EQ(tests[2].title, "GetParam() = 4");
}

TEST(Listing, Catch2Version3IsAskedForXml) {
  const std::string xml = R"(<?xml version="1.0" encoding="UTF-8"?>
<MatchingTests>
  <TestCase>
    <Name>a, [b] &amp; "c" &lt;int&gt;</Name>
    <ClassName/>
    <Tags>[fast][slow]</Tags>
    <SourceInfo>
      <File>t.cc</File>
      <Line>7</Line>
    </SourceInfo>
  </TestCase>
  <TestCase>
    <Name>hidden</Name>
    <ClassName/>
    <Tags>[.][slow]</Tags>
  </TestCase>
  <TestCase>
    <Name>no tags</Name>
    <Tags/>
  </TestCase>
</MatchingTests>
)";
  EXPECT_THAT(names_of(parse(TestKind::kCatch2, {xml})),
              ElementsAre("a, [b] & \"c\" <int>", "hidden (disabled)", "no tags"));
}

TEST(Listing, Catch2Version2HasNamesAndThoseThatAreHidden) {
  const auto tests =
      parse(TestKind::kCatch2, {"one\ntwo  words\n\"#three\"\nfour\n\n", "two  words\n\"#three\"\n\n"});
  EXPECT_THAT(names_of(tests), ElementsAre("one", "two  words (disabled)", "#three (disabled)", "four"));
}

TEST(Listing, WhatAVersionOfCatch2SaysToTheOthersQuestionIsNoAnswer) {
  const auto is_answer = [](const std::vector<std::string>& outputs) {
    return find_framework(TestKind::kCatch2)->parse_listing(outputs).has_value();
  };
  EXPECT_FALSE(is_answer({"Matching test cases:\n  one\n      [tag]\n1 matching test case\n\n"}));
  EXPECT_FALSE(is_answer(
      {"Error(s) in input:\n  Unrecognised token: --list-test-names-only\n", "Error(s) in input:\n"}));
  EXPECT_TRUE(is_answer({"<?xml version=\"1.0\"?>\n<MatchingTests>\n</MatchingTests>\n"}));
}

TEST(Listing, DoctestNamesATestOnceThoughSeveralHaveItsName) {
  const auto tests = parse(TestKind::kDoctest, {R"(<?xml version="1.0" encoding="UTF-8"?>
<doctest binary="./d" version="2.4.9">
  <TestCase name="one" filename="d.cc" line="5" skipped="false"/>
  <TestCase name="two, [x]" testsuite="a &amp; b" filename="d.cc" line="12" skipped="true"/>
  <TestCase name="templ&lt;int>" filename="d.cc" line="20" skipped="false"/>
  <TestCase name="one" filename="e.cc" line="5" skipped="false"/>
  <OverallResultsTestCases unskipped="4"/>
</doctest>
)"});
  EXPECT_THAT(names_of(tests), ElementsAre("one", "two, [x] (disabled)", "templ<int>"));
  EXPECT_EQ(tests[1].group, "a & b");
}

TEST(Listing, BoostTestsGraphHasPaths) {
  const auto tests = parse(TestKind::kBoostTest, {R"dot(digraph G {rankdir=LR;
tu1[shape=ellipse,peripheries=2,fontname=Helvetica,color=green,label="mine"];
{
tu2[shape=Mrecord,fontname=Helvetica,color=green,label="outer|b.cc(7)"];
tu1 -> tu2;
{
tu3[shape=Mrecord,fontname=Helvetica,color=green,label="inner|b.cc(8)"];
tu2 -> tu3;
{
tu65536[shape=Mrecord,fontname=Helvetica,color=green,label="deep|b.cc(8)|expected failures=1"];
tu3 -> tu65536;
}
}
tu99999[shape=Mrecord,fontname=Helvetica,color=yellow,label="off|b.cc(17)"];
tu1 -> tu99999;
tu100000[shape=Mrecord,fontname=Helvetica,color=green,label="templ<std__pair<int_ char>>|b.cc(24)"];
tu1 -> tu100000;
}
})dot"});
  EXPECT_THAT(names_of(tests),
              ElementsAre("outer/inner/deep", "off (disabled)", "templ<std__pair<int_ char>>"));
  EXPECT_EQ(tests[0].group, "outer/inner");
}

TEST(Listing, NamesBecomeFiltersThatTheyPass) {
  const auto chosen = [](TestKind kind, const std::string& name) {
    return find_framework(kind)->run_arguments(name).front();
  };
  EXPECT_EQ(chosen(TestKind::kCatch2, "a, [b] \\ \"c\""), "a\\, \\[b] \\\\ \\\"c\\\"");
  EXPECT_EQ(chosen(TestKind::kCatch2, "- begins as an option"), "* begins as an option");
  EXPECT_EQ(chosen(TestKind::kCatch2, "~not"), "*not");
  EXPECT_EQ(chosen(TestKind::kDoctest, "a, b * c"), "--dt-test-case=a? b ? c");
  EXPECT_EQ(chosen(TestKind::kBoostTest, "outer/inner/deep"), "--run_test=outer/inner/deep");
}

}  // namespace
}  // namespace ravel::threads
