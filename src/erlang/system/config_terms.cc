#include "erlang/system/config_terms.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <optional>

#include "erlang/term/utf8.h"

namespace ravel::erlang {

namespace {

constexpr std::size_t kDepthMax = 200;

bool is_name_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || c == '@' || byte >= 0x80;
}

// Recursive descent; every function leaves `at_` after what it has read, or returns nothing.
class Reader {
 public:
  Reader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  Result<std::vector<ConfigTerm>> read_all() {
    std::vector<ConfigTerm> terms;
    for (skip_space(); at_ < text_.size(); skip_space()) {
      auto term = read(0);
      skip_space();
      const bool has_end = term && at_ < text_.size() && text_[at_] == '.';
      if (!has_end) return problem();
      ++at_;
      terms.push_back(std::move(*term));
    }
    return terms;
  }

 private:
  using Kind = ConfigTerm::Kind;

  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void skip_space() {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '%') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
        if (at_ == text_.size()) return;
      } else if (std::isspace(static_cast<unsigned char>(text_[at_])) == 0) {
        return;
      }
    }
  }

  Error problem() const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    return Error{std::string(name_) + ":" + std::to_string(line) +
                 ": this is not an Erlang term that ends with a dot. Correct the file, or name the program's "
                 "files instead."};
  }

  std::optional<ConfigTerm> read(std::size_t depth) {
    if (depth > kDepthMax) return std::nullopt;
    const std::size_t from = at_;
    auto term = read_bare(depth);
    if (term) term->source = text_.substr(from, at_ - from);
    return term;
  }

  std::optional<ConfigTerm> read_bare(std::size_t depth) {
    const char c = peek();
    if (c == '{') return read_parts(Kind::kTuple, '}', depth);
    if (c == '[') return read_parts(Kind::kList, ']', depth);
    if (c == '#' && peek(1) == '{') {
      ++at_;
      return read_parts(Kind::kMap, '}', depth);
    }
    if (c == '<' && peek(1) == '<') return read_binary();
    if (c == '\'') return read_quoted(Kind::kAtom, '\'');
    if (c == '"') return read_strings();
    if (c == '$' || c == '-' || c == '+' || std::isdigit(static_cast<unsigned char>(c)) != 0)
      return read_number();
    if (std::islower(static_cast<unsigned char>(c)) != 0) {
      ConfigTerm atom;
      for (; is_name_character(peek()); ++at_) atom.text += text_[at_];
      return atom;
    }
    return std::nullopt;
  }

  std::optional<ConfigTerm> read_parts(Kind kind, char close, std::size_t depth) {
    ConfigTerm term{.kind = kind, .text = {}, .parts = {}, .source = {}};
    ++at_;
    for (skip_space(); peek() != close;) {
      if (!term.parts.empty() && !take_separator(term)) return std::nullopt;
      skip_space();
      auto part = read(depth + 1);
      if (!part) return std::nullopt;
      term.parts.push_back(std::move(*part));
      skip_space();
    }
    ++at_;
    const bool lacks_value = kind == Kind::kMap && term.parts.size() % 2 == 1;
    return lacks_value ? std::nullopt : std::optional(std::move(term));
  }

  bool take_separator(const ConfigTerm& term) {
    if (term.kind == Kind::kMap && term.parts.size() % 2 == 1) {
      if ((peek() != '=' && peek() != ':') || (peek(1) != '>' && peek(1) != '=')) return false;
      at_ += 2;
      return true;
    }
    if (peek() != ',') return false;
    ++at_;
    return true;
  }

  std::optional<ConfigTerm> read_binary() {
    ConfigTerm term{.kind = Kind::kBinary, .text = {}, .parts = {}, .source = {}};
    at_ += 2;
    for (skip_space(); !(peek() == '>' && peek(1) == '>'); skip_space()) {
      if (at_ >= text_.size()) return std::nullopt;
      if (peek() == '"') {
        const auto part = read_quoted(Kind::kString, '"');
        if (!part) return std::nullopt;
        term.text += part->text;
      } else {
        ++at_;  // /utf8, numbers
      }
    }
    at_ += 2;
    return term;
  }

  // "a" "b" is one string.
  std::optional<ConfigTerm> read_strings() {
    auto whole = read_quoted(Kind::kString, '"');
    for (std::size_t end = at_; whole; end = at_) {
      skip_space();
      if (peek() != '"') {
        at_ = end;
        break;
      }
      const auto next = read_quoted(Kind::kString, '"');
      if (!next) return std::nullopt;
      whole->text += next->text;
    }
    return whole;
  }

  std::optional<ConfigTerm> read_quoted(Kind kind, char quote) {
    ConfigTerm term{.kind = kind, .text = {}, .parts = {}, .source = {}};
    for (++at_; peek() != quote;) {
      if (at_ >= text_.size()) return std::nullopt;
      if (peek() != '\\') {
        term.text += text_[at_++];
        continue;
      }
      ++at_;
      const auto code = read_escape();
      if (!code) return std::nullopt;
      append_utf8(term.text, *code);
    }
    ++at_;
    return term;
  }

  std::optional<std::uint32_t> read_escape() {
    const char c = peek();
    if (at_ >= text_.size()) return std::nullopt;
    ++at_;
    constexpr std::string_view kNames = "nrtbfvesd0";
    constexpr char kCodes[] = {'\n', '\r', '\t', '\b', '\f', '\v', 27, ' ', 127, 0};
    if (c == 'x') {
      const bool braces = peek() == '{';
      if (braces) ++at_;
      std::uint32_t code = 0;
      for (std::size_t digits = 0;
           std::isxdigit(static_cast<unsigned char>(peek())) != 0 && (braces ? digits < 6 : digits < 2);
           ++digits, ++at_)
        code = code * 16 + static_cast<std::uint32_t>(std::isdigit(static_cast<unsigned char>(peek())) != 0
                                                          ? peek() - '0'
                                                          : (peek() | 0x20) - 'a' + 10);
      if (braces && peek() != '}') return std::nullopt;
      if (braces) ++at_;
      return code;
    }
    if (const std::size_t known = kNames.find(c); known != kNames.npos) return kCodes[known];
    return static_cast<unsigned char>(c);
  }

  std::optional<ConfigTerm> read_number() {
    ConfigTerm term{.kind = Kind::kNumber, .text = {}, .parts = {}, .source = {}};
    if (peek() == '$') {
      at_ += peek(1) == '\\' ? 3 : 2;
      return at_ <= text_.size() ? std::optional(term) : std::nullopt;
    }
    if (peek() == '-' || peek() == '+') ++at_;
    if (std::isdigit(static_cast<unsigned char>(peek())) == 0) return std::nullopt;
    // A dot is part of it only before a digit; after an e there may be a sign.
    for (; at_ < text_.size(); ++at_) {
      const char c = peek();
      const bool is_fraction = c == '.' && std::isdigit(static_cast<unsigned char>(peek(1))) != 0;
      const bool is_sign = (c == '-' || c == '+') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E');
      if (!is_name_character(c) && c != '#' && !is_fraction && !is_sign) break;
    }
    return term;
  }

  std::string_view text_, name_;
  std::size_t at_ = 0;
};

}  // namespace

Result<std::vector<ConfigTerm>> read_config_terms(std::string_view text, std::string_view name) {
  return Reader(text, name).read_all();
}

Result<std::vector<ConfigTerm>> read_config_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return read_config_terms(std::string(std::istreambuf_iterator<char>(stream), {}), path);
}

const ConfigTerm* config_value(const std::vector<ConfigTerm>& pairs, std::string_view name) {
  const auto found =
      std::ranges::find_if(pairs, [&](const ConfigTerm& term) { return term.is_tagged(name, 2); });
  return found == pairs.end() ? nullptr : &found->parts[1];
}

}  // namespace ravel::erlang
