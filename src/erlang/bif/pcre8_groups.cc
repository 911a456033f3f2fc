// What begins with a parenthesis.
#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "erlang/bif/pcre8_characters.h"
#include "erlang/bif/pcre8_reader.h"

namespace ravel::erlang {

namespace {

constexpr std::size_t kDepthMax = 250;
constexpr std::size_t kNameMax = 32;
constexpr std::size_t kNamesMax = 10'000;
constexpr std::size_t kVerbNameMax = 255;

struct Verb {
  std::string_view name;
  enum class Argument : std::uint8_t { kForbidden, kPossible, kNeeded } argument;
};
constexpr auto kVerbs = std::to_array<Verb>({
    {"", Verb::Argument::kNeeded},
    {"MARK", Verb::Argument::kNeeded},
    {"ACCEPT", Verb::Argument::kForbidden},
    {"COMMIT", Verb::Argument::kForbidden},
    {"F", Verb::Argument::kForbidden},
    {"FAIL", Verb::Argument::kForbidden},
    {"PRUNE", Verb::Argument::kPossible},
    {"SKIP", Verb::Argument::kPossible},
    {"THEN", Verb::Argument::kPossible},
});

}  // namespace

std::string_view Pcre8Reader::read_word() {
  const std::size_t begin = at_;
  while (at_ < source_.size() && is_word_character(here())) ++at_;
  return source_.substr(begin, at_ - begin);
}

std::uint32_t Pcre8Reader::find_name(std::string_view name) const {
  const auto known = std::ranges::find(names_, name, &NamedGroup::name);
  return known == names_.end() ? 0 : known->number;
}

// (*VERB) or (*VERB:argument)
bool Pcre8Reader::read_verb() {
  note_nothing();
  const std::size_t begin = at_;
  at_ += 2;
  const std::size_t name_begin = at_;
  while (is_letter(here())) ++at_;
  const std::string_view name = source_.substr(name_begin, at_ - name_begin);
  std::size_t argument = 0;
  if (here() == ':') {
    const std::size_t from = ++at_;
    while (at_ < source_.size() && here() != ')') ++at_;
    argument = at_ - from;
    if (argument > kVerbNameMax) return fail("name is too long in (*MARK), (*PRUNE), (*SKIP), or (*THEN)");
  }
  const auto* verb = std::ranges::find(kVerbs, name, &Verb::name);
  if (here() != ')' || verb == kVerbs.end()) return fail("(*VERB) not recognized or malformed");
  if (argument > 0 && verb->argument == Verb::Argument::kForbidden)
    return fail("an argument is not allowed for (*ACCEPT), (*FAIL), or (*COMMIT)");
  if (argument == 0 && verb->argument == Verb::Argument::kNeeded)
    return fail("(*MARK) must have an argument");
  ++at_;
  copy(begin, at_);
  return true;
}

bool Pcre8Reader::read_group(Settings& settings) {
  if (here(1) == '*' && (here(2) == ':' || is_letter(here(2)))) return read_verb();
  if (here(1) == '?') {
    at_ += 2;
    return read_question(settings);
  }
  ++at_;
  out_ += '(';
  if ((options_.flags & PCRE2_NO_AUTO_CAPTURE) != 0) return nest(GroupKind::kPlain, 0, settings);
  highest_group_ = std::max(highest_group_, ++groups_);
  return nest(GroupKind::kPlain, groups_, settings);
}

// The alternatives of a group up to its `)`; what opens it is written already.
bool Pcre8Reader::nest(GroupKind kind, std::uint32_t number, Settings settings, bool resets_numbers) {
  if (open_.size() > kDepthMax) return fail("parentheses are too deeply nested");
  const bool was_empty = open_.back().may_be_empty;
  open_.push_back({.number = number, .kind = kind, .lookbehind = lookbehinds_.size()});
  if (kind == GroupKind::kLookbehind) lookbehinds_.push_back({out_.size(), 0});
  if (!read_alternatives(settings, resets_numbers)) return false;
  const OpenGroup group = open_.back();
  open_.pop_back();
  if (kind == GroupKind::kDefine && group.branches > 1)
    fail_late("DEFINE group contains more than one branch", at_);
  if (kind == GroupKind::kCondition && group.branches > 2)
    fail_late("conditional group contains more than two branches", at_);
  if (here() != ')') return fail("missing )");
  if (kind == GroupKind::kLookbehind && group.branches == 1)
    lookbehinds_[group.lookbehind].first_branch_end = at_;
  out_ += ')';
  ++at_;
  const bool may_be_empty = kind == GroupKind::kAssertion || kind == GroupKind::kLookbehind ||
                            kind == GroupKind::kDefine || group.has_empty_branch ||
                            (kind == GroupKind::kCondition && group.branches == 1);
  if (number != 0 && group.has_empty_branch) empty_groups_.insert(number);
  has_previous_ = true;
  was_empty_before_item_ = was_empty;
  if (!may_be_empty) open_.back().may_be_empty = false;
  return true;
}

// After (?
bool Pcre8Reader::read_question(Settings& settings) {
  const auto open = [&](std::string_view text, std::size_t size, GroupKind kind,
                        bool resets_numbers = false) {
    out_ += text;
    at_ += size;
    return nest(kind, 0, settings, resets_numbers);
  };
  switch (here()) {
    case '|': return open("(?|", 1, GroupKind::kPlain, true);
    case ':': return open("(?:", 1, GroupKind::kPlain);
    case '>': return open("(?>", 1, GroupKind::kPlain);
    case '=': return open("(?=", 1, GroupKind::kAssertion);
    case '!':
      if (here(1) == ')' && here(2) != '*' && here(2) != '+' && here(2) != '?' &&
          (here(2) != '{' || counted_repeat(at_ + 2) == 0)) {
        out_ += "(?!)";
        at_ += 2;
        note_nothing();
        return true;
      }
      return open("(?!", 1, GroupKind::kAssertion);
    case '<':
      if (here(1) == '=') return open("(?<=", 2, GroupKind::kLookbehind);
      if (here(1) == '!') return open("(?<!", 2, GroupKind::kLookbehind);
      if (here(1) != '\0' && is_word_character(here(1))) return read_named_group(settings, '>');
      return fail("unrecognized character after (?<", at_ + 1);
    case '\'': return read_named_group(settings, '\'');
    case 'P':
      ++at_;
      if (here() == '=' || here() == '>') {
        const bool is_recursion = here() == '>';
        ++at_;
        return read_named_reference(')', is_recursion);
      }
      return here() == '<' ? read_named_group(settings, '>') : fail("unrecognized character after (?P");
    case '&': ++at_; return read_named_reference(')', true);
    case '(': return read_condition(settings);
    case 'C': return read_callout();
    case 'R':
      if (at(++at_) != ')') return fail("(?R or (?[+-]digits must be followed by )");
      return recurse_into(0, {});
    case '-': return is_digit(here(1)) ? read_numbered_recursion(')') : read_settings(settings);
    case '+': return read_numbered_recursion(')');
    default: return is_digit(here()) ? read_numbered_recursion(')') : read_settings(settings);
  }
}

// (?i-s) up to the end of the group, or (?i-s:...)
bool Pcre8Reader::read_settings(Settings& settings) {
  Settings changed = settings;
  std::string set, unset;
  bool is_unset = false;
  for (; here() != ')' && here() != ':'; ++at_) {
    if (here() == '-') {
      is_unset = true;
    } else if (here() != '\0' && std::string_view("JimsxUX").find(here()) != std::string_view::npos) {
      std::string& letters = is_unset ? unset : set;
      if (here() == 'X') changed.strict = !is_unset;
      if (here() != 'X' && letters.find(here()) == std::string::npos)
        letters += here();  // PCRE2 has no X, and another xx
    } else {
      return fail("unrecognized character after (? or (?-");
    }
  }
  std::erase_if(set, [&](char c) { return unset.find(c) != std::string::npos; });
  const auto change = [&](char letter, bool& setting) {
    if (set.find(letter) != std::string::npos) setting = true;
    if (unset.find(letter) != std::string::npos) setting = false;
  };
  change('i', changed.caseless);
  change('x', changed.extended);
  change('J', changed.duplicate_names);
  const std::string letters = unset.empty() ? set : set + "-" + unset;
  if (here() == ')') {
    ++at_;
    out_ += letters.empty() ? "(?#)" : "(?" + letters + ")";
    settings = changed;
    note_nothing();
    return true;
  }
  ++at_;
  out_ += "(?" + letters + ":";
  return nest(GroupKind::kPlain, 0, changed);
}

// (?<name>...) and its like; at_ is at the character before the name.
bool Pcre8Reader::read_named_group(const Settings& settings, char terminator) {
  ++at_;
  if (is_digit(here())) return fail("group name must start with a non-digit");
  const std::string_view name = read_word();
  if (here() != terminator) return fail("syntax error in subpattern name (missing terminator)");
  if (names_.size() >= kNamesMax) return fail("too many named subpatterns (maximum 10000)");
  if (name.size() > kNameMax) return fail("subpattern name is too long (maximum 32 characters)");
  const std::uint32_t number = groups_ + 1;
  bool is_known = false;
  for (const NamedGroup& other : names_) {
    if (other.name == name) {
      is_known |= other.number == number;
      if (other.number == number) break;
      if (!settings.duplicate_names) return fail("two named subpatterns have the same name");
    } else if (other.number == number) {
      return fail("different names for subpatterns of the same number are not allowed");
    }
  }
  if (!is_known) names_.push_back({name, number});
  ++at_;
  out_ += fmt::format("(?<{}>", name);
  highest_group_ = std::max(highest_group_, ++groups_);
  return nest(GroupKind::kPlain, groups_, settings);
}

// The name and the terminator of \k<name>, (?P=name), (?&name), \g<name>.
bool Pcre8Reader::read_named_reference(char terminator, bool is_recursion) {
  if (is_digit(here())) return fail("group name must start with a non-digit");
  const std::string_view name = read_word();
  if (name.empty()) return fail("subpattern name expected");
  if (here() != terminator) return fail("syntax error in subpattern name (missing terminator)");
  if (name.size() > kNameMax) return fail("subpattern name is too long (maximum 32 characters)");
  if (is_recursion) return recurse_into(find_name(name), name);
  late_references_.push_back({name, 0, at_});
  ++at_;
  note_item(true);
  out_ += fmt::format("\\k<{}>", name);
  return true;
}

// (?1), (?+1), (?-1) and \g<1> and its like; at_ is at the sign or the number.
bool Pcre8Reader::read_numbered_recursion(char terminator) {
  const char sign = here();
  if (sign == '+' || sign == '-') {
    ++at_;
    if (sign == '+' && !is_digit(here())) return fail("digit expected after (?+");
  }
  std::int64_t number = 0;
  for (; is_digit(here()); ++at_) {
    if (number > INT32_MAX / 10 - 1) {
      while (is_digit(here())) ++at_;
      return fail("number is too big");
    }
    number = number * 10 + (here() - '0');
  }
  if (here() != terminator) return fail("(?R or (?[+-]digits must be followed by )");
  if (sign == '+' || sign == '-') {
    if (number == 0) return fail("a numbered reference must not be zero");
    number = sign == '+' ? groups_ + number : groups_ - number + 1;
    if (number <= 0) return fail("reference to non-existent subpattern");
  }
  return recurse_into(static_cast<std::uint32_t>(number), {});
}

// PCRE 8 does not go back into what a recursion has matched. at_ is at the terminator.
bool Pcre8Reader::recurse_into(std::uint32_t number, std::string_view name) {
  if (name.empty() || number != 0) {
    const auto target =
        std::ranges::find_if(open_, [&](const OpenGroup& group) { return group.number == number; });
    const auto first = number == 0 ? open_.begin() : target;
    // In a condition's group it is not looked for.
    const bool may_depend = std::ranges::any_of(open_, [](const OpenGroup& group) {
      return group.kind == GroupKind::kCondition || group.kind == GroupKind::kDefine;
    });
    if (!may_depend && first != open_.end() &&
        std::all_of(first, open_.end(), [](const OpenGroup& group) { return group.may_be_empty; }))
      fail_late("recursive call could loop indefinitely", at_);
  }
  if (number != 0 || !name.empty()) late_references_.push_back({name, number, at_});
  ++at_;
  note_item(number == 0 || number > groups_ || empty_groups_.contains(number) ||
            std::ranges::any_of(open_, [&](const OpenGroup& group) { return group.number == number; }));
  out_ += name.empty() ? fmt::format("(?>(?{}))", number) : fmt::format("(?>(?&{}))", name);
  return true;
}

// (?(condition)yes|no); at_ is at the condition's parenthesis.
bool Pcre8Reader::read_condition(const Settings& settings) {
  std::size_t assertion = at_;
  if (here(1) == '?' && here(2) == 'C') {
    std::size_t end = at_ + 3;
    while (is_digit(at(end))) ++end;
    if (at(end) == ')') assertion = end + 1;
    if (at(assertion) != '(') return fail("assertion expected after (?( or (?(?C)");
  }
  if (at(assertion + 1) == '?' &&
      (at(assertion + 2) == '=' || at(assertion + 2) == '!' ||
       (at(assertion + 2) == '<' && (at(assertion + 3) == '=' || at(assertion + 3) == '!')))) {
    out_ += "(?";
    return nest(GroupKind::kCondition, 0, settings);
  }
  const std::size_t begin = at_++;
  char terminator = '\0', sign = '\0';
  bool is_recursion = false;
  if (here() == 'R' && here(1) == '&') {
    is_recursion = true;
    at_ += 2;
  } else if (here() == '<' || here() == '\'') {
    terminator = here() == '<' ? '>' : '\'';
    ++at_;
  } else if (here() == '-' || here() == '+') {
    sign = here();
    ++at_;
  }
  if (sign != '\0' && !is_digit(here())) return fail("malformed number or name after (?(");
  if (at_ >= source_.size() || !is_word_character(here()))
    return fail("assertion expected after (?( or (?(?C)");
  const std::size_t name_begin = at_;
  if (is_digit(here())) {
    while (is_digit(here())) ++at_;
  } else {
    read_word();
  }
  const std::string_view name = source_.substr(name_begin, at_ - name_begin);
  if ((terminator != '\0' && at(at_++) != terminator) || here() != ')')
    return fail("malformed number or name after (?(",
                terminator != '\0' && at(at_ - 1) != terminator ? at_ - 1 : at_);
  ++at_;
  std::int64_t number = 0;
  for (const char c : name)
    number = number < 0 || !is_digit(c) ? -1 : std::min<std::int64_t>(number * 10 + (c - '0'), INT32_MAX);
  GroupKind kind = GroupKind::kCondition;
  if (sign != '\0') {
    const bool is_zero = number <= 0;
    number = sign == '-' ? groups_ - number + 1 : groups_ + number;
    if (is_zero) {
      fail_late("a numbered reference must not be zero", at_);
    } else if (number <= 0) {
      fail_late("reference to non-existent subpattern", at_);
    } else {
      late_references_.push_back({{}, static_cast<std::uint32_t>(number), at_});
    }
  } else if (name == "DEFINE" && terminator == '\0' && !is_recursion) {
    kind = GroupKind::kDefine;
  } else if (number == 0) {
    fail_late("invalid condition (?(0)", at_);
  } else if (number > 0) {
    late_references_.push_back({{}, static_cast<std::uint32_t>(number), at_});
  } else if (terminator != '\0' || is_recursion || name[0] != 'R' ||
             !std::ranges::all_of(name.substr(1), is_digit)) {
    late_references_.push_back({name, 0, at_});
  }
  out_ += "(?";
  if (late_references_.empty() || late_references_.back().place != at_) {
    std::uint32_t group = 0;
    for (const char c : name.substr(1))
      group = is_digit(c) ? std::min(group * 10 + static_cast<std::uint32_t>(c - '0'), 100'000U) : 0;
    if (name[0] == 'R' && group > 0)
      recursion_tests_.push_back({out_.size(), out_.size() + (at_ - begin), group});
  }
  copy(begin, at_);
  return nest(kind, 0, settings);
}

// (?C) or (?C12)
bool Pcre8Reader::read_callout() {
  const std::size_t begin = at_;
  std::uint32_t number = 0;
  for (++at_; is_digit(here()); ++at_)
    number = std::min<std::uint32_t>(number * 10 + static_cast<std::uint32_t>(here() - '0'), 1000);
  if (here() != ')') return fail("closing ) for (?C expected");
  if (number > 255) return fail("number after (?C is > 255");
  ++at_;
  out_ += "(?";
  copy(begin, at_);
  note_nothing();
  return true;
}

}  // namespace ravel::erlang
