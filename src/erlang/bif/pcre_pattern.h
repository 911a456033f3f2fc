// A compiled regular expression: PCRE's, with the emulator's character classes and limits.
//
// Characters above 127 are letters, spaces and so on as in ISO 8859-1, whatever the locale.
//
// PCRE matches recursively on the C stack. A match first runs with a small limit of recursion; one that needs
// more is run again on a stack of its own, large enough for the emulator's limit, which uses the heap.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <pcre.h>

namespace ravel::erlang {

struct PatternError {
  std::string message;
  int offset = 0;
};

struct MatchLimits {
  std::optional<int> match;
  std::optional<int> recursion;
};

class PcrePattern {
 public:
  // What `source` means ends at its first NUL. Null, and `error` set, if it is no regular expression.
  static std::shared_ptr<const PcrePattern> compile(std::string_view source, int options,
                                                    PatternError& error);
  ~PcrePattern();
  PcrePattern(const PcrePattern&) = delete;
  PcrePattern& operator=(const PcrePattern&) = delete;

  int capture_count() const { return info<int>(PCRE_INFO_CAPTURECOUNT); }
  bool allows_duplicate_names() const {
    return (info<unsigned long>(PCRE_INFO_OPTIONS) & PCRE_DUPNAMES) != 0;
  }
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

  // What pcre_exec() returns. `groups` gets the begin and end of all groups, -1 for those that took no part.
  int match(std::string_view subject, int start, int options, const MatchLimits& limits,
            std::vector<int>& groups) const;

 private:
  explicit PcrePattern(pcre* code) : code_(code) {}

  template <typename T>
  T info(int what) const {
    T result{};
    pcre_fullinfo(code_, nullptr, what, &result);
    return result;
  }

  pcre* code_;
};

// Compiled patterns by content. It is forgotten when it is full, and only makes things faster.
class PatternCache {
 public:
  std::shared_ptr<const PcrePattern> compile(std::string_view source, int options, PatternError& error);

 private:
  static constexpr std::size_t kPatternsMax = 256;
  std::unordered_map<std::string, std::shared_ptr<const PcrePattern>> patterns_;
};

}  // namespace ravel::erlang
