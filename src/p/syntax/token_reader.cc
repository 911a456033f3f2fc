#include "p/syntax/token_reader.h"

namespace ravel::p {

const Token& TokenReader::peek(std::size_t ahead) const {
  return has_failed_ || next_ + ahead >= tokens_.size() ? end_ : tokens_[next_ + ahead];
}

Token TokenReader::take() {
  const Token token = peek();
  if (token.kind == TokenKind::kEnd) return token;
  if (token.kind == TokenKind::kOpenBrace) ++braces_;
  if (token.kind == TokenKind::kCloseBrace && braces_ > 0) --braces_;
  ++next_;
  return token;
}

bool TokenReader::accept(TokenKind kind) {
  if (!at(kind) || has_failed_) return false;
  take();
  return true;
}

Token TokenReader::expect(TokenKind kind) {
  if (at(kind)) return take();
  fail_expected(describe(kind));
  return end_;
}

Name TokenReader::expect_name(std::string_view what) {
  if (at(TokenKind::kName)) {
    const Token token = take();
    return {token.text, token.place};
  }
  fail_expected(what);
  return {};
}

void TokenReader::fail(Place place, std::string sentence) {
  if (has_failed_) return;
  has_failed_ = true;
  diagnostics_.error(place, std::move(sentence));
}

void TokenReader::fail_expected(std::string_view what) {
  if (has_failed_) return;
  const Token& found = peek();
  // One error for each word that a program takes for a name, however often it does.
  if (is_misused(found.kind) || (next_ > 0 && is_misused(tokens_[next_ - 1].kind))) {
    has_failed_ = true;
    return;
  }
  std::string sentence = "expected " + std::string(what) + "; found ";
  if (found.kind == TokenKind::kEnd) {
    sentence += "the end of the file";
  } else {
    constexpr std::size_t kShownMax = 40;
    const bool is_long = found.text.size() > kShownMax;
    sentence += "`" + std::string(found.text.substr(0, kShownMax)) + (is_long ? "..." : "") + "`";
    if (is_word(found.kind) && what.starts_with("a name")) {
      sentence += ", which is a word of P";
      misused_.push_back(found.kind);
    }
    if (found.kind == TokenKind::kName && (found.text == "swap" || found.text == "move"))
      sentence += "; arguments that are moved or swapped are no longer part of P";
  }
  fail(found.place, std::move(sentence));
}

void TokenReader::fail_nesting() {
  fail(peek().place, "this is nested more than " + std::to_string(kNestingMax) + " deep");
}

void TokenReader::skip_statement(std::size_t braces) {
  has_failed_ = false;
  while (!at(TokenKind::kEnd)) {
    if (braces_ <= braces && at(TokenKind::kCloseBrace)) return;
    const TokenKind taken = take().kind;
    if (braces_ <= braces && (taken == TokenKind::kSemicolon || taken == TokenKind::kCloseBrace)) return;
  }
}

void TokenReader::skip_verifier_clause() {
  int brackets = 0;
  while (!at(TokenKind::kEnd)) {
    if (brackets == 0 &&
        (at(TokenKind::kSemicolon) || at(TokenKind::kOpenBrace) || at(TokenKind::kCloseBrace)))
      break;
    if (at(TokenKind::kOpenParenthesis) || at(TokenKind::kOpenBracket)) ++brackets;
    if (at(TokenKind::kCloseParenthesis) || at(TokenKind::kCloseBracket)) --brackets;
    take();
  }
  expect(TokenKind::kSemicolon);
}

void TokenReader::skip_braces() {
  const std::size_t outside = braces_;
  expect(TokenKind::kOpenBrace);
  while (braces_ > outside && !at(TokenKind::kEnd)) take();
  if (braces_ > outside) fail_expected("`}`");
}

}  // namespace ravel::p
