// Branches, quantifiers, and what a backslash says. Groups are in pcre8_groups.cc, character classes in
// pcre8_classes.cc.
#include "erlang/bif/pcre8_reader.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "erlang/bif/pcre8_characters.h"
#include "erlang/term/utf8.h"

namespace ravel::erlang {

namespace {

constexpr std::uint32_t kQuantifierMax = 65535;

// What may stand at the start of a pattern; the last one of a kind counts. `=` takes a number.
constexpr auto kStartItems = std::to_array<std::string_view>({
    "UTF8)",
    "UTF)",
    "UCP)",
    "NO_AUTO_POSSESS)",
    "NO_START_OPT)",
    "LIMIT_MATCH=",
    "LIMIT_RECURSION=",
    "CR)",
    "LF)",
    "CRLF)",
    "ANY)",
    "ANYCRLF)",
    "BSR_ANYCRLF)",
    "BSR_UNICODE)",
});

}  // namespace

Pcre8Reader::Pcre8Reader(std::string_view source, const PatternOptions& options)
    : source_(source),
      options_(options),
      utf_((options.flags & PCRE2_UTF) != 0),
      ucp_((options.flags & PCRE2_UCP) != 0) {}

bool Pcre8Reader::fail(const char* message) { return fail(message, at_); }

bool Pcre8Reader::fail(const char* message, std::size_t place) {
  error_ = PatternError{message, place};
  return false;
}

void Pcre8Reader::fail_late(const char* message, std::size_t place) {
  if (!late_error_) late_error_ = PatternError{message, place};
}

void Pcre8Reader::write_character(std::uint32_t character) {
  if (character < 0x80 && is_alphanumeric(static_cast<char>(character))) {
    out_ += static_cast<char>(character);
  } else {
    out_ += fmt::format("\\x{{{:x}}}", character);
  }
}

bool Pcre8Reader::read() {
  if (!read_start()) return false;
  const Settings settings{.caseless = (options_.flags & PCRE2_CASELESS) != 0,
                          .extended = (options_.flags & PCRE2_EXTENDED) != 0,
                          .duplicate_names = (options_.flags & PCRE2_DUPNAMES) != 0};
  open_.push_back({.number = 0, .kind = GroupKind::kPlain});
  if (!read_alternatives(settings, false)) return false;
  open_.pop_back();
  // A test for a recursion into a group that there is not fails; PCRE2 refuses it.
  while (!recursion_tests_.empty()) {
    const RecursionTest test = recursion_tests_.back();
    recursion_tests_.pop_back();
    if (test.group > highest_group_) out_.replace(test.begin, test.end - test.begin, "(?!)");
  }
  return check_late();
}

bool Pcre8Reader::check_late() {
  for (const LateReference& reference : late_references_) {
    const bool is_there = reference.name.empty() || (reference.number != 0)
                              ? reference.number <= highest_group_
                              : find_name(reference.name) != 0;
    if (!is_there && (!late_error_ || reference.place < late_error_->offset))
      late_error_ = PatternError{"reference to non-existent subpattern", reference.place};
  }
  if (late_error_) {
    error_ = late_error_;
    return false;
  }
  if (at_ < source_.size()) return fail("unmatched parentheses");
  return highest_reference_ <= highest_group_ || fail("reference to non-existent subpattern");
}

// (*UTF8) and its like, and what options there can be with them.
bool Pcre8Reader::read_start() {
  bool says_newline = false;
  while (here() == '(' && here(1) == '*') {
    const std::string_view rest = source_.substr(at_ + 2);
    const auto* item =
        std::ranges::find_if(kStartItems, [&](std::string_view one) { return rest.starts_with(one); });
    if (item == kStartItems.end()) break;
    std::size_t end = at_ + 2 + item->size();
    if (item->back() == '=') {
      while (is_digit(at(end))) ++end;
      if (end == at_ + 2 + item->size() || at(end) != ')') break;
      ++end;
    }
    utf_ |= item->starts_with("UTF");
    ucp_ |= *item == "UCP)";
    says_newline |=
        item->ends_with("CR)") || item->ends_with("LF)") || *item == "ANY)" || *item == "ANYCRLF)";
    copy(at_, end);
    at_ = end;
  }
  if (utf_ && (options_.flags & PCRE2_NEVER_UTF) != 0)
    return fail("setting UTF is disabled by the application", 0);
  for (std::size_t i = 0; utf_ && i < source_.size();) {
    const auto character = decode_utf8(source_, i);
    if (!character) return fail("invalid UTF-8 string", i);
    i += character->size;
  }
  if ((options_.newline > PCRE2_NEWLINE_ANYCRLF && !says_newline) || options_.bsr > PCRE2_BSR_ANYCRLF)
    return fail("inconsistent NEWLINE options", 0);
  return true;
}

// Up to the end, or a `)`. REQUIRES: the group is in open_.
bool Pcre8Reader::read_alternatives(Settings settings, bool resets_numbers) {
  const std::uint32_t before = groups_;
  std::uint32_t most = groups_;
  while (true) {
    if (!read_branch(settings)) return false;
    OpenGroup& group = open_.back();
    group.has_empty_branch |= group.may_be_empty;
    most = std::max(most, groups_);
    if (here() != '|') break;
    out_ += '|';
    ++at_;
    if (group.kind == GroupKind::kLookbehind && group.branches == 1)
      lookbehinds_[group.lookbehind].first_branch_end = at_ - 1;
    ++group.branches;
    group.may_be_empty = true;
    if (resets_numbers) groups_ = before;
  }
  groups_ = most;
  return true;
}

bool Pcre8Reader::read_branch(Settings& settings) {
  note_nothing();
  while (at_ < source_.size()) {
    if (is_quoting_) {
      if (here() == '\\' && here(1) == 'E') {
        is_quoting_ = false;
        at_ += 2;
        continue;
      }
      note_item(false);
      if (static_cast<unsigned char>(here()) < 0x80) {
        write_character(static_cast<unsigned char>(here()));
      } else {
        out_ += here();
      }
      ++at_;
      continue;
    }
    if (here() == '|' || here() == ')') return true;
    const std::size_t before = at_;
    if (!skip_ignored(settings)) return false;
    if (at_ != before) continue;
    const bool counts = here() == '{' && counted_repeat(at_) > 0;
    if (here() == '*' || here() == '+' || here() == '?' || counts ? !read_quantifier() : !read_item(settings))
      return false;
  }
  return true;
}

// Comments, and white space where it means nothing.
bool Pcre8Reader::skip_ignored(const Settings& settings) {
  if (here() == '(' && here(1) == '?' && here(2) == '#') {
    const std::size_t begin = at_;
    while (at_ < source_.size() && here() != ')') ++at_;
    if (at_ == source_.size()) return fail("missing ) after comment");
    copy(begin, ++at_);
  } else if (settings.extended && (is_space(here()) || here() == '#')) {
    const std::size_t begin = at_;
    if (here() == '#') {
      // Other conventions end at either character; the LF of CR LF is white space then.
      const std::string_view ends = options_.newline == PCRE2_NEWLINE_CR ? "\r"
                                    : options_.newline <= 2              ? "\n"
                                                                         : "\r\n";
      while (at_ < source_.size() && ends.find(here()) == std::string_view::npos) ++at_;
      if (at_ < source_.size()) ++at_;
    } else {
      ++at_;
    }
    copy(begin, at_);
  }
  return true;
}

// {2}, {2,} or {2,3}, but not {,3}.
std::size_t Pcre8Reader::counted_repeat(std::size_t place) const {
  const std::size_t begin = place++;
  if (!is_digit(at(place))) return 0;
  while (is_digit(at(place))) ++place;
  if (at(place) == ',')
    for (++place; is_digit(at(place));) ++place;
  return at(place) == '}' ? place + 1 - begin : 0;
}

bool Pcre8Reader::read_quantifier() {
  const std::size_t begin = at_;
  std::uint32_t least = here() == '+' ? 1 : 0;
  if (here() == '{') {
    std::uint32_t most = 0;
    const auto number = [&](std::uint32_t& value) {
      value = 0;
      for (++at_; is_digit(here()); ++at_) {
        value = value * 10 + static_cast<std::uint32_t>(here() - '0');
        if (value > kQuantifierMax) {
          ++at_;
          return fail("number too big in {} quantifier", at_);
        }
      }
      return true;
    };
    if (!number(least)) return false;
    if (here() == ',' && here(1) != '}' &&
        (!number(most) || (most < least && !fail("numbers out of order in {} quantifier"))))
      return false;
    while (here() != '}') ++at_;
  }
  if (!has_previous_) return fail("nothing to repeat");
  ++at_;
  if (here() == '+' || here() == '?') ++at_;
  copy(begin, at_);
  if (least == 0) open_.back().may_be_empty = was_empty_before_item_;
  note_nothing();
  return true;
}

void Pcre8Reader::note_item(bool may_be_empty) {
  has_previous_ = true;
  was_empty_before_item_ = open_.back().may_be_empty;
  if (!may_be_empty) open_.back().may_be_empty = false;
}

bool Pcre8Reader::read_item(Settings& settings) {
  is_strict_ = settings.strict;
  switch (here()) {
    case '^':
    case '$':
      note_nothing();
      out_ += here();
      ++at_;
      return true;
    case '[': return read_class(settings);
    case '(': return read_group(settings);
    case '\\': return read_escaped_item(settings);
    case '{':  // PCRE2 takes {,3} as a quantifier
      out_ += '\\';
      break;
    default: break;
  }
  note_item(false);
  const std::size_t size = utf_ ? decode_utf8(source_, at_)->size : 1;
  copy(at_, at_ + size);
  at_ += size;
  return true;
}

std::size_t Pcre8Reader::lookbehind_end(std::size_t offset) const {
  constexpr std::size_t kOpeningSize = 4;
  std::size_t end = source_.size();
  for (const Lookbehind& one : lookbehinds_)
    if (one.begin <= offset + kOpeningSize) end = one.first_branch_end;
  return end;
}

}  // namespace ravel::erlang
