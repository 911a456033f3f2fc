#include "p/syntax/lexer.h"

#include <array>
#include <string>
#include <unordered_map>

namespace ravel::p {
namespace {

struct Spelling {
  TokenKind kind;
  std::string_view text;
};

constexpr auto kSpellings = std::to_array<Spelling>({
#define RAVEL_P_TOKEN(name, text) {TokenKind::name, text},
#include "p/syntax/tokens.def"
#undef RAVEL_P_TOKEN
});

const std::unordered_map<std::string_view, TokenKind>& words() {
  static const auto* const table = [] {
    auto* made = new std::unordered_map<std::string_view, TokenKind>;
    for (const Spelling& spelling : kSpellings)
      if (is_word(spelling.kind)) made->emplace(spelling.text, spelling.kind);
    return made;
  }();
  return *table;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f'; }

class Lexer {
 public:
  Lexer(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics)
      : text_(sources.text(file)), file_(file), diagnostics_(diagnostics) {}

  std::vector<Token> tokens() {
    std::vector<Token> result;
    while (skip_blanks_and_comments(), at_ < text_.size())
      if (const Token token = next(); token.kind != TokenKind::kEnd) result.push_back(token);
    result.push_back({TokenKind::kEnd, place(text_.size()), {}});
    return result;
  }

 private:
  void skip_blanks_and_comments() {
    while (at_ < text_.size()) {
      if (is_blank(text_[at_])) {
        ++at_;
      } else if (text_.substr(at_).starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_).starts_with("/*")) {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == text_.npos) diagnostics_.error(place(at_), "this comment is not closed: `*/` is missing");
        at_ = end == text_.npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  // kEnd if there is none here, which is reported.
  Token next() {
    const char c = text_[at_];
    if (is_letter(c)) return name_or_word();
    if (is_digit(c)) return token(TokenKind::kInteger, run_of(is_digit));
    if (c == '"') return string();
    if (const Spelling* sign = sign_here()) return token(sign->kind, sign->text.size());
    return unknown();
  }

  Token name_or_word() {
    const std::size_t length = run_of([](char c) { return is_letter(c) || is_digit(c); });
    const auto word = words().find(text_.substr(at_, length));
    return token(word == words().end() ? TokenKind::kName : word->second, length);
  }

  Token string() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"' && text_[end] != '\n')
      end += text_[end] == '\\' && end + 1 < text_.size() && text_[end + 1] != '\n' ? 2 : 1;
    if (end < text_.size() && text_[end] == '"') return token(TokenKind::kText, end + 1 - at_);
    diagnostics_.error(place(at_), "this string is not closed on its line: `\"` is missing");
    at_ = end;
    return {};
  }

  const Spelling* sign_here() const {
    const Spelling* longest = nullptr;
    for (const Spelling& spelling : kSpellings)
      if (!is_word(spelling.kind) && text_.substr(at_).starts_with(spelling.text) &&
          (longest == nullptr || spelling.text.size() > longest->text.size()))
        longest = &spelling;
    return longest;
  }

  Token unknown() {
    const std::size_t begin = at_;
    do {
      ++at_;
    } while (at_ < text_.size() && !is_letter(text_[at_]) && !is_digit(text_[at_]) && !is_blank(text_[at_]) &&
             text_[at_] != '"' && sign_here() == nullptr);
    diagnostics_.error(
        place(begin), "no word or sign of P begins with `" + visible(text_.substr(begin, at_ - begin)) + "`");
    return {};
  }

  // Control characters as numbers, and not too many.
  static std::string visible(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string result;
    for (const char c : text.substr(0, 20)) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte >= 0x20 && byte != 0x7f)
        result += c;
      else
        result += std::string("\\x") + kDigits[byte / 16] + kDigits[byte % 16];
    }
    return result;
  }

  template <typename Predicate>
  std::size_t run_of(Predicate holds) const {
    std::size_t end = at_;
    while (end < text_.size() && holds(text_[end])) ++end;
    return end - at_;
  }

  Token token(TokenKind kind, std::size_t length) {
    const Token result{kind, place(at_), text_.substr(at_, length)};
    at_ += length;
    return result;
  }

  Place place(std::size_t offset) const { return {file_, static_cast<std::uint32_t>(offset)}; }

  std::string_view text_;
  std::uint32_t file_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> read_tokens(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics) {
  return Lexer(sources, file, diagnostics).tokens();
}

}  // namespace ravel::p
