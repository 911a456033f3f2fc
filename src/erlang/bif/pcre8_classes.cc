// Character classes: [...].
#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "erlang/bif/pcre8_characters.h"
#include "erlang/bif/pcre8_reader.h"
#include "erlang/term/utf8.h"

namespace ravel::erlang {

namespace {

constexpr auto kPosixNames =
    std::to_array<std::string_view>({"alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower",
                                     "print", "punct", "space", "upper", "word", "xdigit"});

constexpr bool opens_posix(char c) { return c == ':' || c == '.' || c == '='; }

}  // namespace

// `place` is at what follows `[`.
std::size_t Pcre8Reader::posix_end(std::size_t place) const {
  const char terminator = at(place);
  for (++place; place < source_.size(); ++place) {
    if (at(place) == '\\' && (at(place + 1) == ']' || at(place + 1) == '\\')) {
      ++place;
    } else if ((at(place) == '[' && at(place + 1) == terminator) || at(place) == ']') {
      return 0;
    } else if (at(place) == terminator && at(place + 1) == ']') {
      return place;
    }
  }
  return 0;
}

bool Pcre8Reader::read_class(const Settings& settings) {
  std::string_view rest = source_.substr(at_);
  constexpr std::string_view kWordStart = "[[:<:]]", kWordEnd = "[[:>:]]";
  if (rest.starts_with(kWordStart) || rest.starts_with(kWordEnd)) {
    note_item(true);
    copy(at_, at_ + kWordStart.size());
    at_ += kWordStart.size();
    return true;
  }
  if (opens_posix(here(1)) && posix_end(at_ + 1) != 0)
    return fail(here(1) == ':' ? "POSIX named classes are supported only within a class"
                               : "POSIX collating elements are not supported");
  note_item(false);
  out_ += '[';
  ++at_;
  for (bool is_negated = false;;) {
    if (rest = source_.substr(at_); rest.starts_with("\\E")) {
      at_ += 2;
    } else if (rest.starts_with("\\Q\\E")) {
      at_ += 4;
    } else if (!is_negated && here() == '^') {
      is_negated = true;
      out_ += '^';
      ++at_;
    } else {
      break;
    }
  }
  is_quoting_ = false;
  class_is_first_ = true;
  while (at_ < source_.size() && (here() != ']' || is_quoting_ || class_is_first_))
    if (!read_class_item(settings)) return false;
  if (at_ == source_.size()) return fail("missing terminating ] for character class");
  out_ += ']';
  ++at_;
  return true;
}

bool Pcre8Reader::read_class_item(const Settings& settings) {
  const bool is_first = class_is_first_;
  class_is_first_ = false;
  if (is_quoting_ && here() == '\\' && here(1) == 'E') {
    is_quoting_ = false;
    at_ += 2;
    return true;
  }
  // What is here: a character, or something else that was written already.
  enum class What : std::uint8_t { kCharacter, kOther, kWrong };
  const auto read_character = [&](std::uint32_t& value, bool may_be_other) {
    if (!is_quoting_ && here() == '[' && opens_posix(here(1))) {
      if (const std::size_t end = posix_end(at_ + 1); end != 0) {
        if (!may_be_other) return fail("invalid range in character class"), What::kWrong;
        if (here(1) != ':') return fail("POSIX collating elements are not supported"), What::kWrong;
        return read_posix_class(settings, end) ? What::kOther : What::kWrong;
      }
    }
    if (!is_quoting_ && here() == '\\') {
      const std::size_t begin = at_;
      Escape escape{};
      if (!read_escape(true, escape)) return What::kWrong;
      value = escape.value;
      if (escape.kind == Escape::Kind::kCharacter) return What::kCharacter;
      const char letter = static_cast<char>(escape.value);
      if (letter == 'b') {
        value = '\b';
        return What::kCharacter;
      }
      if (!may_be_other) return fail("invalid range in character class", at_ - 1), What::kWrong;
      if (letter == 'N') return fail("\\N is not supported in a class", at_ - 1), What::kWrong;
      if (letter == 'Q' || letter == 'E') {
        is_quoting_ = letter == 'Q';
        return What::kOther;
      }
      if (letter == 'p' || letter == 'P') return read_property() ? What::kOther : What::kWrong;
      if (std::string_view("DdHhSsVvWw").find(letter) == std::string_view::npos) {
        if (is_strict_) return fail("invalid escape sequence in character class", at_ - 1), What::kWrong;
        return What::kCharacter;
      }
      copy(begin, at_);
      return What::kOther;
    }
    const auto wide = utf_ ? decode_utf8(source_, at_) : std::nullopt;
    value = wide ? wide->character : static_cast<unsigned char>(here());
    at_ += wide ? wide->size : 1;
    return What::kCharacter;
  };
  std::uint32_t first = 0;
  const What what = read_character(first, true);
  // An empty quotation says nothing: what follows may still be the first.
  if (what != What::kCharacter) {
    if (what == What::kOther && is_first && (at(at_ - 1) == 'Q' || at(at_ - 1) == 'E') && at(at_ - 2) == '\\')
      class_is_first_ = false;
    return what == What::kOther;
  }
  while (here() == '\\' && here(1) == 'E') {
    is_quoting_ = false;
    at_ += 2;
  }
  write_character(first);
  if (is_quoting_ || here() != '-') return true;
  const std::size_t hyphen = at_++;
  while (here() == '\\' && here(1) == 'E') at_ += 2;
  while (here() == '\\' && here(1) == 'Q') {
    at_ += 2;
    if (here() == '\\' && here(1) == 'E') {
      at_ += 2;
      continue;
    }
    is_quoting_ = true;
    break;
  }
  if (at_ >= source_.size() || (!is_quoting_ && here() == ']')) {  // at the end it is itself
    at_ = hyphen + 1;
    is_quoting_ = false;
    out_ += "\\-";
    return true;
  }
  std::uint32_t last = 0;
  if (read_character(last, false) == What::kWrong) return false;
  if (last < first) return fail("range out of order in character class", at_ - 1);
  if (last == first) return true;
  out_ += '-';
  write_character(last);
  return true;
}

// [:name:] with `end` at its second colon.
bool Pcre8Reader::read_posix_class(const Settings& settings, std::size_t end) {
  at_ += 2;
  const bool is_negated = here() == '^';
  if (is_negated) ++at_;
  std::string_view name = source_.substr(at_, end - at_);
  if (std::ranges::find(kPosixNames, name) == kPosixNames.end()) return fail("unknown POSIX class name");
  // PCRE2 does this only without Unicode's properties.
  if (settings.caseless && (name == "upper" || name == "lower")) name = "alpha";
  out_ += fmt::format("[:{}{}:]", is_negated ? "^" : "", name);
  at_ = end + 2;
  return true;
}

}  // namespace ravel::erlang
