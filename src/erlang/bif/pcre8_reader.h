// Reads a pattern as PCRE 8.44 does, and writes what it means in PCRE2's syntax.
//
// PCRE 8 compiles in two passes over the pattern: what the second one finds wrong (references to groups that
// there are not, groups with too many branches, endless recursion) is told only if the first finds nothing,
// wherever it is. Here they are one, and what is for the second pass is kept. Lengths of lookbehinds are left
// to PCRE2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "erlang/bif/pcre_pattern.h"

namespace ravel::erlang {

class Pcre8Reader {
 public:
  // REQUIRES: no NUL in `source`.
  Pcre8Reader(std::string_view source, const PatternOptions& options);

  // False: error() says why.
  bool read();
  const PatternError& error() const { return *error_; }
  const std::string& rewritten() const { return out_; }
  // Where the first branch of the lookbehind ends in which PCRE2 finds an error at this place of rewritten().
  std::size_t lookbehind_end(std::size_t offset) const;
  bool is_utf() const { return utf_; }

 private:
  enum class GroupKind : std::uint8_t { kPlain, kAssertion, kLookbehind, kCondition, kDefine };
  struct Settings {  // what (?...) changes up to the end of the group
    bool caseless = false;
    bool extended = false;
    bool duplicate_names = false;
    bool strict = false;  // unknown escapes are errors
  };
  // A group that is open, or the whole pattern.
  struct OpenGroup {
    std::uint32_t number;  // 0: none, or the whole pattern
    GroupKind kind;
    bool may_be_empty = true;  // the current branch, up to here
    bool has_empty_branch = false;
    std::uint32_t branches = 1;
    std::size_t lookbehind = 0;  // place in lookbehinds_
  };
  struct NamedGroup {
    std::string_view name;
    std::uint32_t number;
  };
  // A reference that the second pass looks up.
  struct LateReference {
    std::string_view name;  // empty: by number
    std::uint32_t number;
    std::size_t place;
  };
  struct Escape {
    enum class Kind : std::uint8_t { kCharacter, kBackReference, kSubroutine, kNamedReference, kType } kind;
    std::uint32_t value = 0;  // the character, the group, or the letter of the type
  };

  // The character at `at`, NUL at the end.
  char at(std::size_t place) const { return place < source_.size() ? source_[place] : '\0'; }
  char here(std::size_t ahead = 0) const { return at(at_ + ahead); }
  bool fail(const char* message);  // at at_
  bool fail(const char* message, std::size_t place);
  void fail_late(const char* message, std::size_t place);  // unless something else is wrong
  void copy(std::size_t from, std::size_t to) { out_ += source_.substr(from, to - from); }
  void write_character(std::uint32_t character);

  bool read_start();
  bool read_alternatives(Settings settings, bool resets_numbers);
  bool read_branch(Settings& settings);
  bool skip_ignored(const Settings& settings);
  bool read_quantifier();
  std::size_t counted_repeat(std::size_t place) const;  // size with the braces, 0 if it is no repeat
  bool read_item(Settings& settings);
  bool read_escaped_item(const Settings& settings);
  bool read_escape(bool in_class, Escape& escape);
  bool read_g(Escape& escape);
  bool read_braced_number(std::uint32_t base);
  bool read_property();
  bool read_class(const Settings& settings);
  bool read_class_item(const Settings& settings);
  bool read_posix_class(const Settings& settings, std::size_t end);
  std::size_t posix_end(std::size_t place) const;  // where the terminator is, or 0
  bool read_verb();
  bool read_group(Settings& settings);
  bool read_question(Settings& settings);
  bool read_settings(Settings& settings);
  bool read_condition(const Settings& settings);
  bool read_named_group(const Settings& settings, char terminator);
  bool read_named_reference(char terminator, bool is_recursion);
  bool read_numbered_recursion(char terminator);
  bool read_callout();
  bool nest(GroupKind kind, std::uint32_t number, Settings settings, bool resets_numbers = false);
  bool recurse_into(std::uint32_t number, std::string_view name);
  void note_item(bool may_be_empty);
  void note_nothing() { has_previous_ = false; }
  std::uint32_t find_name(std::string_view name) const;  // 0: none yet
  std::string_view read_word();
  bool check_late();

  const std::string_view source_;
  const PatternOptions& options_;
  bool utf_;
  bool ucp_;
  std::size_t at_ = 0;
  std::string out_;
  std::optional<PatternError> error_;
  std::optional<PatternError> late_error_;
  std::vector<OpenGroup> open_;
  std::vector<NamedGroup> names_;
  std::vector<LateReference> late_references_;
  struct Lookbehind {
    std::size_t begin;  // in out_
    std::size_t first_branch_end;
  };
  std::vector<Lookbehind> lookbehinds_;
  struct RecursionTest {
    std::size_t begin, end;  // in out_
    std::uint32_t group;
  };
  std::vector<RecursionTest> recursion_tests_;  // (?(R1)
  std::set<std::uint32_t> empty_groups_;        // closed ones
  std::uint32_t groups_ = 0;
  std::uint32_t highest_group_ = 0;
  std::uint32_t highest_reference_ = 0;
  bool is_quoting_ = false;
  bool has_previous_ = false;          // something that can be repeated
  bool was_empty_before_item_ = true;  // the branch before it
  bool class_is_first_ = false;
  bool is_strict_ = false;
};

}  // namespace ravel::erlang
