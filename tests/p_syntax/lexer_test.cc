#include "p/syntax/lexer.h"

#include <gtest/gtest.h>

namespace ravel::p {
namespace {

// The tokens, with blanks between; then what is said.
std::string read(std::string text) {
  Sources sources;
  Diagnostics diagnostics;
  const std::uint32_t file = sources.add("t", std::move(text));
  std::string result;
  for (const Token& token : read_tokens(sources, file, diagnostics)) {
    if (token.kind > TokenKind::kText) {
      EXPECT_EQ("`" + std::string(token.text) + "`", describe(token.kind));
    }
    result += token.kind == TokenKind::kEnd ? "." : std::string(token.text) + " ";
  }
  return result + to_string(diagnostics, sources);
}

TEST(Lexer, SeparatesWordsNumbersAndSigns) {
  EXPECT_EQ(read("send this,e0 ,x1_;"), "send this , e0 , x1_ ; .");
  EXPECT_EQ(read("1.5 a.0.1 12ab"), "1 . 5 a . 0 . 1 12 ab .");
  EXPECT_EQ(read("sends sendx machine"), "sends sendx machine .");
  EXPECT_EQ(read(""), ".");
}

TEST(Lexer, TakesTheLongestSign) {
  EXPECT_EQ(read("a==>b<==>c<=d==e=f->g-=h+=i$$j$"), "a ==> b <==> c <= d == e = f -> g -= h += i $$ j $ .");
  EXPECT_EQ(read("!=!&&||{}[]()"), "!= ! && || { } [ ] ( ) .");
}

TEST(Lexer, DropsBlanksAndComments) {
  EXPECT_EQ(read("a // b\nc /* d /* e */ f /**/ g\t\r\n\fh//"), "a c f g h .");
  EXPECT_EQ(read("a /* b"), "a .t:1:3: this comment is not closed: `*/` is missing\n");
}

TEST(Lexer, KeepsStringsWhole) {
  EXPECT_EQ(read("\"a // \\\" b\" \"\""), "\"a // \\\" b\" \"\" .");
  EXPECT_EQ(read("\"a\nb"), "b .t:1:1: this string is not closed on its line: `\"` is missing\n");
  EXPECT_EQ(read("\"a\\"), ".t:1:1: this string is not closed on its line: `\"` is missing\n");
  EXPECT_EQ(read("\"a\\\nb"), "b .t:1:1: this string is not closed on its line: `\"` is missing\n");
}

TEST(Lexer, ReportsARowOfUnknownCharactersOnce) {
  EXPECT_EQ(
      read("a @#~ b ?"),
      "a b .t:1:3: no word or sign of P begins with `@#~`\nt:1:9: no word or sign of P begins with `?`\n");
  EXPECT_EQ(read(std::string("\x01\x7f", 2)), ".t:1:1: no word or sign of P begins with `\\x01\\x7f`\n");
  EXPECT_EQ(read("a & b"), "a b .t:1:3: no word or sign of P begins with `&`\n");
}

}  // namespace
}  // namespace ravel::p
