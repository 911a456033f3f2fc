// A compiled regular expression, as the installed Erlang/OTP means it, matched by PCRE2.
//
// Up to OTP 27 `re` is PCRE 8.44, from 28 on PCRE2: what differs is a dialect. Characters above 127 are then
// letters, spaces and so on as in ISO 8859-1, whatever the locale; since 28 they are none of these.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace ravel::erlang {

enum class RegexDialect : std::uint8_t { kPcre8, kPcre2 };

struct PatternError {
  std::string message;
  std::size_t offset = 0;
};

// What a pattern is compiled with, beside its text.
struct PatternOptions {
  std::uint32_t flags = 0;    // PCRE2's
  std::uint32_t newline = 0;  // PCRE2_NEWLINE_*; 0: what the pattern says, or LF
  std::uint32_t bsr = 0;      // PCRE2_BSR_*; 0: what the pattern says, or all of Unicode
  bool operator==(const PatternOptions&) const = default;
};

struct MatchLimits {
  std::optional<int> match;
  std::optional<int> depth;
};

class PcrePattern {
 public:
  // Null, and `error` set, if it is no regular expression. What `source` means in the dialect of PCRE 8 ends
  // at its first NUL.
  static std::shared_ptr<const PcrePattern> compile(std::string_view source, const PatternOptions& options,
                                                    RegexDialect dialect, PatternError& error);
  ~PcrePattern();
  PcrePattern(const PcrePattern&) = delete;
  PcrePattern& operator=(const PcrePattern&) = delete;

  int capture_count() const { return static_cast<int>(info<std::uint32_t>(PCRE2_INFO_CAPTURECOUNT)); }
  bool allows_duplicate_names() const {
    return (info<std::uint32_t>(PCRE2_INFO_ALLOPTIONS) & PCRE2_DUPNAMES) != 0;
  }
  bool is_utf() const { return (info<std::uint32_t>(PCRE2_INFO_ALLOPTIONS) & PCRE2_UTF) != 0; }
  std::uint32_t newline() const { return info<std::uint32_t>(PCRE2_INFO_NEWLINE); }
  std::uint32_t bsr() const { return info<std::uint32_t>(PCRE2_INFO_BSR); }
  // Whether CR LF ends a line for it, as one.
  bool uses_crlf() const;

  struct Name {
    const char* text;
    int group;
  };
  // All named groups in the order of their names.
  std::vector<Name> names() const;
  // The groups with this name; without duplicate names at most one.
  std::vector<int> groups_named(const char* name) const;

  // What pcre2_match() returns. `groups` gets the begin and end of all groups, -1 for those that took no
  // part.
  int match(std::string_view subject, int start, std::uint32_t options, const MatchLimits& limits,
            std::vector<int>& groups) const;

 private:
  explicit PcrePattern(pcre2_code* code) : code_(code) {}

  template <typename T>
  T info(std::uint32_t what) const {
    T result{};
    pcre2_pattern_info(code_, what, &result);
    return result;
  }

  pcre2_code* code_;
};

// Compiled patterns by content. It is forgotten when it is full, and only makes things faster.
class PatternCache {
 public:
  explicit PatternCache(RegexDialect of) : dialect(of) {}
  std::shared_ptr<const PcrePattern> compile(std::string_view source, const PatternOptions& options,
                                             PatternError& error);

  const RegexDialect dialect;

 private:
  static constexpr std::size_t kPatternsMax = 256;
  std::unordered_map<std::string, std::shared_ptr<const PcrePattern>> patterns_;
};

}  // namespace ravel::erlang
