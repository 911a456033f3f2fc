// What a backslash says, outside of a character class and in one.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "erlang/bif/pcre8_characters.h"
#include "erlang/bif/pcre8_reader.h"
#include "erlang/term/utf8.h"

namespace ravel::erlang {

namespace {

constexpr std::uint32_t kUnicodeMax = 0x10FFFF;

}  // namespace

bool Pcre8Reader::read_escaped_item(const Settings& settings) {
  const std::size_t begin = at_;
  Escape escape{};
  if (!read_escape(false, escape)) return false;
  switch (escape.kind) {
    case Escape::Kind::kCharacter:
      note_item(false);
      write_character(escape.value);
      return true;
    case Escape::Kind::kBackReference:
      highest_reference_ = std::max(highest_reference_, escape.value);
      note_item(true);
      out_ += fmt::format("\\g{{{}}}", escape.value);
      return true;
    case Escape::Kind::kSubroutine: {
      const char terminator = here() == '<' ? '>' : '\'';
      const char first = here(1);
      if (first != '+' && first != '-' && !is_digit(first)) {
        ++at_;
        return read_named_reference(terminator, true);
      }
      std::size_t end = at_ + 2;
      while (is_digit(at(end))) ++end;
      if (at(end) != terminator)
        return fail(
            "\\g is not followed by a braced, angle-bracketed, or quoted name/number or by a plain number");
      ++at_;
      return read_numbered_recursion(terminator);
    }
    case Escape::Kind::kNamedReference: {
      const char terminator = here() == '{' ? '}' : here() == '<' ? '>' : here() == '\'' ? '\'' : '\0';
      if (terminator == '\0')
        return fail("\\k is not followed by a braced, angle-bracketed, or quoted name", at_ - 1);
      ++at_;
      return read_named_reference(terminator, false);
    }
    case Escape::Kind::kType: break;
  }
  const char letter = static_cast<char>(escape.value);
  if (letter == 'Q') {
    is_quoting_ = true;
    return true;
  }
  if (letter == 'E') return true;
  if (std::string_view("AGKBbZz").find(letter) != std::string_view::npos) {
    note_nothing();
  } else {
    note_item(false);
  }
  if (letter != 'p' && letter != 'P') {
    copy(begin, at_);
    return true;
  }
  // PCRE2 since 10.43 takes upper case for lower case here, too, if case does not matter.
  if (!settings.caseless) return read_property();
  out_ += "(?-i:";
  if (!read_property()) return false;
  out_ += ')';
  return true;
}

// After it, at_ is at what follows. An error's place is the last character that was looked at.
bool Pcre8Reader::read_escape(bool in_class, Escape& escape) {
  const std::size_t begin = at_++;
  if (at_ == source_.size()) return fail("\\ at end of pattern");
  const auto character = [&](std::uint32_t value) {
    escape = {Escape::Kind::kCharacter, value};
    return true;
  };
  const char c = here();
  const auto wide = utf_ ? decode_utf8(source_, at_) : std::nullopt;
  const std::uint32_t largest = utf_ ? kUnicodeMax : 0xFF;
  const auto octal = [&](std::uint32_t value, int more) {
    for (; more > 0 && here() >= '0' && here() <= '7'; --more, ++at_)
      value = value * 8 + static_cast<std::uint32_t>(here() - '0');
    if (value > 0xFF && !utf_)
      return fail("octal value is greater than \\377 in 8-bit non-UTF-8 mode", at_ - 1);
    return character(value);
  };
  switch (c) {
    case 'L':
    case 'l':
    case 'u':
    case 'U': return fail("PCRE does not support \\L, \\l, \\N{name}, \\U, or \\u");
    case 'g': return in_class ? (++at_, character('g')) : read_g(escape);
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
      if (!in_class) {
        std::size_t end = at_;
        std::uint64_t number = 0;
        for (; is_digit(at(end)) && number <= INT32_MAX / 10 - 1; ++end)
          number = number * 10 + static_cast<std::uint64_t>(at(end) - '0');
        if (is_digit(at(end))) {
          while (is_digit(at(end))) ++end;
          return fail("number is too big", end - 1);
        }
        if (number < 8 || number <= groups_) {
          at_ = end;
          escape = {Escape::Kind::kBackReference, static_cast<std::uint32_t>(number)};
          return true;
        }
      }
      ++at_;
      return c >= '8' ? character(static_cast<std::uint32_t>(c))
                      : octal(static_cast<std::uint32_t>(c - '0'), 2);
    case '0': ++at_; return octal(0, 2);
    case 'o':
      if (here(1) != '{') return fail("missing opening brace after \\o");
      if (here(2) == '}') return fail("digits missing in \\x{} or \\o{}");
      if (!read_braced_number(8)) return false;
      escape = {Escape::Kind::kCharacter, 0};
      break;
    case 'x': {
      if (here(1) == '{') {
        if (here(2) == '}') return fail("digits missing in \\x{} or \\o{}", at_ + 2);
        if (!read_braced_number(16)) return false;
        escape = {Escape::Kind::kCharacter, 0};
        break;
      }
      std::uint32_t value = 0;
      ++at_;
      for (int i = 0; i < 2 && hex_value(here()) < 16; ++i, ++at_) value = value * 16 + hex_value(here());
      return character(value);
    }
    case 'c': {
      const char next = here(1);
      ++at_;
      if (next == '\0') return fail("\\c at end of pattern");
      if (static_cast<unsigned char>(next) > 127) return fail("\\c must be followed by an ASCII character");
      ++at_;
      return character(static_cast<std::uint32_t>((next >= 'a' && next <= 'z' ? next - 32 : next) ^ 0x40));
    }
    case 'N':
      if (here(1) == '{' && counted_repeat(at_ + 1) == 0)
        return fail("PCRE does not support \\L, \\l, \\N{name}, \\U, or \\u");
      break;
    case 'a': ++at_; return character(7);
    case 'e': ++at_; return character(27);
    case 'f': ++at_; return character(12);
    case 'n': ++at_; return character(10);
    case 'r': ++at_; return character(13);
    case 't': ++at_; return character(9);
    default: break;
  }
  if (c == 'o' || c == 'x') {  // of any number of digits
    const std::uint32_t base = c == 'o' ? 8 : 16;
    std::uint64_t value = 0;
    for (std::size_t i = begin + 3; at(i) != '}' && value <= largest; ++i)
      value = value * base + hex_value(at(i));
    return character(static_cast<std::uint32_t>(value));
  }
  if (c == 'k' && !in_class) {
    ++at_;
    escape = {Escape::Kind::kNamedReference, 0};
    return true;
  }
  if (std::string_view("ABCDEGHKNPQRSVWXZbdhkpsvwz").find(c) != std::string_view::npos) {
    ++at_;
    escape = {Escape::Kind::kType, static_cast<std::uint32_t>(c)};
    return true;
  }
  if (is_strict_ && is_alphanumeric(c)) return fail("unrecognized character follows \\");
  // Anything else is itself.
  at_ += wide ? wide->size : 1;
  return character(wide ? wide->character : static_cast<unsigned char>(c));
}

// {digits} after \x or \o; at_ is at the letter, and afterwards after the brace.
bool Pcre8Reader::read_braced_number(std::uint32_t base) {
  const std::uint32_t largest = utf_ ? kUnicodeMax : 0xFF;
  std::uint64_t value = 0;
  for (at_ += 2; hex_value(here()) < base; ++at_) {
    value = value * base + hex_value(here());
    if (value > largest) {
      while (hex_value(here()) < base) ++at_;
      return fail("character value in \\x{} or \\o{} is too large");
    }
  }
  if (here() != '}')
    return fail(base == 8 ? "non-octal character in \\o{} (closing brace missing?)"
                          : "non-hex character in \\x{} (closing brace missing?)");
  if (utf_ && !is_unicode_scalar(value))
    return fail("disallowed Unicode code point (>= 0xd800 && <= 0xdfff)");
  ++at_;
  return true;
}

// \g1, \g{1}, \g{-1}, \g{name}; \g<...> is left to the caller.
bool Pcre8Reader::read_g(Escape& escape) {
  if (here(1) == '<' || here(1) == '\'') {
    ++at_;
    escape = {Escape::Kind::kSubroutine, 0};
    return true;
  }
  const bool is_braced = here(1) == '{';
  if (is_braced) {
    std::size_t end = at_ + 2;
    while (at(end) == '-' || is_digit(at(end))) ++end;
    if (at(end) != '}' && at(end) != '\0') {
      ++at_;
      escape = {Escape::Kind::kNamedReference, 0};
      return true;
    }
    ++at_;
  }
  const bool is_relative = here(1) == '-';
  if (is_relative) ++at_;
  std::uint64_t number = 0;
  while (is_digit(here(1))) {
    if (number > INT32_MAX / 10 - 1) {
      while (is_digit(here(1))) ++at_;
      return fail("number is too big");
    }
    number = number * 10 + static_cast<std::uint64_t>(here(1) - '0');
    ++at_;
  }
  if (is_braced && at(++at_) != '}')
    return fail(
        "\\g is not followed by a braced, angle-bracketed, or quoted name/number or by a plain number");
  if (number == 0) return fail("a numbered reference must not be zero");
  if (is_relative) {
    if (number > groups_) return fail("reference to non-existent subpattern");
    number = groups_ - (number - 1);
  }
  ++at_;
  escape = {Escape::Kind::kBackReference, static_cast<std::uint32_t>(number)};
  return true;
}

// After \p or \P.
bool Pcre8Reader::read_property() {
  const char letter = at(at_ - 1);
  constexpr std::size_t kNameMax = 30;
  std::string name;
  bool is_negated = false;
  if (here() == '{') {
    if (here(1) == '^') {
      is_negated = true;
      ++at_;
    }
    for (++at_; here() != '}'; ++at_) {
      if (at_ >= source_.size() || name.size() == kNameMax) return fail("malformed \\P or \\p sequence");
      name += here();
    }
  } else {
    if (at_ >= source_.size()) return fail("malformed \\P or \\p sequence");
    name = here();
  }
  if (!is_pcre8_property(name)) return fail("unknown property name after \\P or \\p");
  ++at_;
  // PCRE2 takes a script's bare name as all characters that are used with it.
  out_ +=
      fmt::format("\\{}{{{}{}{}}}", letter, is_negated ? "^" : "", is_pcre8_script(name) ? "sc:" : "", name);
  return true;
}

}  // namespace ravel::erlang
