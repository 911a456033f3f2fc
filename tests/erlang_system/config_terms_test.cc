// Files of settings as file:consult/1 reads them.

#include "erlang/system/config_terms.h"

#include <gtest/gtest.h>

namespace ravel::erlang {
namespace {

using Kind = ConfigTerm::Kind;

std::vector<ConfigTerm> read(std::string_view text) {
  auto terms = read_config_terms(text, "rebar.config");
  EXPECT_TRUE(terms.ok()) << text;
  return terms ? *terms : std::vector<ConfigTerm>();
}

TEST(ConfigTerms, AreTheTermsBeforeEachDot) {
  const auto terms =
      read("%% settings\n{erl_opts, [debug_info, {d, 'MY VALUE', \"x\" \"y\"}]}.\n\n{deps, []}. % none\n");
  ASSERT_EQ(terms.size(), 2U);
  const ConfigTerm* options = config_value(terms, "erl_opts");
  ASSERT_NE(options, nullptr);
  ASSERT_EQ(options->parts.size(), 2U);
  EXPECT_TRUE(options->parts[0].is_atom("debug_info"));
  const ConfigTerm& define = options->parts[1];
  ASSERT_TRUE(define.is_tagged("d", 3));
  EXPECT_EQ(define.parts[1].text, "MY VALUE");
  EXPECT_EQ(define.parts[2].text, "xy");
  EXPECT_EQ(define.source, "{d, 'MY VALUE', \"x\" \"y\"}");
  EXPECT_EQ(config_value(terms, "deps")->kind, Kind::kList);
  EXPECT_EQ(config_value(terms, "profiles"), nullptr);
  EXPECT_TRUE(read(" % only a comment").empty());
}

TEST(ConfigTerms, KeepNumbersAndBinariesAsText) {
  const auto terms =
      read("{1, -2.5e-3, 16#fF, $., $\\n, <<\"bin\"/utf8>>, <<1, 2>>, #{a => 1, \"b\" => [x]}}.");
  ASSERT_EQ(terms.size(), 1U);
  const std::vector<ConfigTerm>& parts = terms[0].parts;
  ASSERT_EQ(parts.size(), 8U);
  EXPECT_EQ(parts[1].source, "-2.5e-3");
  EXPECT_EQ(parts[2].source, "16#fF");
  EXPECT_EQ(parts[3].source, "$.");
  EXPECT_EQ(parts[4].source, "$\\n");
  EXPECT_EQ(parts[5].text, "bin");
  EXPECT_EQ(parts[5].kind, Kind::kBinary);
  EXPECT_EQ(parts[7].kind, Kind::kMap);
  EXPECT_EQ(parts[7].parts.size(), 4U);
}

TEST(ConfigTerms, EscapesAreTheCharactersTheyStandFor) {
  const auto terms = read("\"a\\n\\\"\\x41\\x{3bb}\\\\\". 'it\\'s'.");
  ASSERT_EQ(terms.size(), 2U);
  EXPECT_EQ(terms[0].text, "a\n\"A\xce\xbb\\");
  EXPECT_EQ(terms[1].text, "it's");
}

TEST(ConfigTerms, WhatIsNoTermIsRefusedWithItsLine) {
  for (const std::string_view text :
       {"{a, b}", "\n\n{a, b", "[a,].", "a b.", "\"open", "<<1", "X.", "#{a}.", "{a b}.", "'x", "$"}) {
    const auto terms = read_config_terms(text, "rebar.config");
    EXPECT_FALSE(terms.ok()) << text;
  }
  const auto terms = read_config_terms("{a, 1}.\n{b,, 2}.\n", "some/rebar.config");
  ASSERT_FALSE(terms.ok());
  EXPECT_EQ(terms.error().message.find("some/rebar.config:2: "), 0U) << terms.error().message;
  const std::string deep(5000, '[');
  EXPECT_FALSE(read_config_terms(deep, "rebar.config").ok());
}

}  // namespace
}  // namespace ravel::erlang
