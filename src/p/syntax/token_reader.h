// The tokens of a file that are left, for a parser: what stands next, and what has to.
//
// When something else stands there, that is reported, and has_failed() holds: from then on every token seems
// to be the end of the file, so that rules end without a further message. What skips to a place from where
// the file can be read again ends that state.

#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "p/source/diagnostics.h"
#include "p/source/nesting.h"
#include "p/syntax/name.h"
#include "p/syntax/token.h"

namespace ravel::p {

class TokenReader {
 public:
  TokenReader(std::vector<Token> tokens, Diagnostics& diagnostics)
      : tokens_(std::move(tokens)),
        end_{TokenKind::kEnd, tokens_.back().place, {}},
        diagnostics_(diagnostics) {}

  // Counts how deep rules are inside each other, and fails where that is too deep.
  class Level {
   public:
    explicit Level(TokenReader& reader) : reader_(reader) {
      if (++reader_.depth_ > kNestingMax) reader_.fail_nesting();
    }
    ~Level() { --reader_.depth_; }
    Level(const Level&) = delete;

   private:
    TokenReader& reader_;
  };

  bool has_failed() const { return has_failed_; }
  std::size_t open_braces() const { return braces_; }

  const Token& peek(std::size_t ahead = 0) const;
  bool at(TokenKind kind, std::size_t ahead = 0) const { return peek(ahead).kind == kind; }
  // Whether a name stands here that means something at this place.
  bool at_word(std::string_view word, std::size_t ahead = 0) const {
    return at(TokenKind::kName, ahead) && peek(ahead).text == word;
  }
  Token take();
  bool accept(TokenKind kind);
  Token expect(TokenKind kind);
  Name expect_name(std::string_view what);
  void fail(Place place, std::string sentence);
  void fail_expected(std::string_view what);
  // After a failure: skips to a token of the given braces for which `is_start` holds, or to the brace that
  // closes them.
  template <typename Predicate>
  void skip_to(std::size_t braces, Predicate is_start);
  void skip_statement(std::size_t braces);
  // Up to and with the semicolon, which no bracket is around.
  void skip_verifier_clause();
  // What is in braces, with them.
  void skip_braces();

 private:
  void fail_nesting();
  bool is_misused(TokenKind word) const {
    return std::find(misused_.begin(), misused_.end(), word) != misused_.end();
  }

  std::vector<Token> tokens_;
  Token end_;
  Diagnostics& diagnostics_;
  std::size_t next_ = 0;
  std::size_t braces_ = 0;
  unsigned depth_ = 0;
  bool has_failed_ = false;
  std::vector<TokenKind> misused_;  // words that stand where names are expected
};

template <typename Predicate>
void TokenReader::skip_to(std::size_t braces, Predicate is_start) {
  has_failed_ = false;
  while (!at(TokenKind::kEnd)) {
    if (braces_ <= braces && (at(TokenKind::kCloseBrace) || is_start())) return;
    take();
  }
}

}  // namespace ravel::p
