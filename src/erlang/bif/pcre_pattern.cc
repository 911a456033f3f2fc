#include "erlang/bif/pcre_pattern.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/check.h"

namespace ravel::erlang {

namespace {

// Both limits of the emulator.
constexpr unsigned long kMatchLimit = 10'000'000;
// With about 500 bytes a level this fits wherever a built-in may be called.
constexpr unsigned long kRecursionOnCallersStack = 500;
// Address space; only what a match touches is used.
constexpr std::size_t kLargeStackBytes = std::size_t{8} << 30;
// What one level may take at most, so that the large stack cannot overflow.
constexpr std::size_t kBytesPerLevelMax = 800;

// PCRE's tables for ISO 8859-1: lower case, other case, bit maps of the classes, and classes by character.
class Latin1Tables {
 public:
  Latin1Tables() {
    for (unsigned c = 0; c < 256; ++c) {
      const unsigned lower = is_upper(c) ? c + 32 : c;
      const bool has_upper = is_lower(c) && c != 0xAA && c != 0xB5 && c != 0xBA && c != 0xDF && c != 0xFF;
      table_[c] = static_cast<unsigned char>(lower);
      table_[256 + c] = static_cast<unsigned char>(has_upper ? c - 32 : lower);
      const bool is_letter = is_upper(c) || is_lower(c);
      const bool is_digit = c >= '0' && c <= '9';
      const bool is_xdigit = is_digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      const bool is_space = c == ' ' || (c >= 9 && c <= 13);
      const bool is_word = is_letter || is_digit || c == '_';
      const bool is_graph = (c > 32 && c < 127) || c >= 0xA0;
      // In the order of PCRE: space, xdigit, digit, upper, lower, word, graph, print, punct, cntrl.
      const std::array classes = {is_space,
                                  is_xdigit,
                                  is_digit,
                                  is_upper(c),
                                  is_lower(c),
                                  is_word,
                                  is_graph,
                                  is_graph || c == ' ',
                                  is_graph && !is_letter && !is_digit,
                                  !is_graph && c != ' '};
      for (std::size_t i = 0; i < classes.size(); ++i)
        if (classes[i]) table_[512 + 32 * i + c / 8] |= static_cast<unsigned char>(1U << c % 8);
      const bool is_meta = c == 0 || std::strchr("$()*+.?[\\^{|", static_cast<int>(c)) != nullptr;
      table_[832 + c] =
          static_cast<unsigned char>((is_space ? 0x01 : 0) | (is_letter ? 0x02 : 0) | (is_digit ? 0x04 : 0) |
                                     (is_xdigit ? 0x08 : 0) | (is_word ? 0x10 : 0) | (is_meta ? 0x80 : 0));
    }
  }
  const unsigned char* data() const { return table_.data(); }

 private:
  static constexpr bool is_upper(unsigned c) {
    return (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7);
  }
  static constexpr bool is_lower(unsigned c) {
    return (c >= 'a' && c <= 'z') || c == 0xAA || c == 0xB5 || c == 0xBA || (c >= 0xDF && c != 0xF7);
  }
  std::array<unsigned char, 1088> table_{};
};

const unsigned char* latin1_tables() {
  static const Latin1Tables tables;
  return tables.data();
}

// Calls `function` on a stack of kLargeStackBytes.
template <typename Function>
void run_on_large_stack(Function function) {
  void* stack = mmap(nullptr, kLargeStackBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  CHECK(stack != MAP_FAILED);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  CHECK(pthread_attr_setstack(&attributes, stack, kLargeStackBytes) == 0);
  pthread_t thread;
  const auto body = [](void* argument) -> void* {
    (*static_cast<Function*>(argument))();
    return nullptr;
  };
  CHECK(pthread_create(&thread, &attributes, body, &function) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  munmap(stack, kLargeStackBytes);
}

}  // namespace

std::shared_ptr<const PcrePattern> PcrePattern::compile(std::string_view source, int options,
                                                        PatternError& error) {
  const std::string text(source);
  const char* message = nullptr;
  int error_code = 0;
  pcre* code = pcre_compile2(text.c_str(), options, &error_code, &message, &error.offset, latin1_tables());
  if (code == nullptr) {
    error.message = message;
    return nullptr;
  }
  return std::shared_ptr<const PcrePattern>(new PcrePattern(code));
}

PcrePattern::~PcrePattern() { pcre_free(code_); }

bool PcrePattern::uses_crlf() const {
  constexpr unsigned long kNewlines =
      PCRE_NEWLINE_CR | PCRE_NEWLINE_LF | PCRE_NEWLINE_CRLF | PCRE_NEWLINE_ANY | PCRE_NEWLINE_ANYCRLF;
  const unsigned long newline = info<unsigned long>(PCRE_INFO_OPTIONS) & kNewlines;
  return newline == PCRE_NEWLINE_ANY || newline == PCRE_NEWLINE_CRLF || newline == PCRE_NEWLINE_ANYCRLF;
}

std::vector<PcrePattern::Name> PcrePattern::names() const {
  const int count = info<int>(PCRE_INFO_NAMECOUNT);
  const int entry_size = info<int>(PCRE_INFO_NAMEENTRYSIZE);
  const auto* entry = info<const unsigned char*>(PCRE_INFO_NAMETABLE);
  std::vector<Name> result;
  for (int i = 0; i < count; ++i, entry += entry_size)
    result.push_back({reinterpret_cast<const char*>(entry + 2), entry[0] << 8 | entry[1]});
  return result;
}

std::vector<int> PcrePattern::groups_named(const char* name) const {
  std::vector<int> groups;
  for (const Name& known : names())
    if (std::strcmp(known.text, name) == 0) groups.push_back(known.group);
  return groups;
}

int PcrePattern::match(std::string_view subject, int start, int options, const MatchLimits& limits,
                       std::vector<int>& groups) const {
  groups.assign(static_cast<std::size_t>(capture_count() + 1) * 3, -1);
  const auto run = [&](unsigned long recursion) {
    pcre_extra extra{};
    extra.flags = PCRE_EXTRA_MATCH_LIMIT | PCRE_EXTRA_MATCH_LIMIT_RECURSION | PCRE_EXTRA_TABLES;
    extra.match_limit = limits.match ? static_cast<unsigned long>(*limits.match) : kMatchLimit;
    extra.match_limit_recursion = recursion;
    extra.tables = latin1_tables();
    const char* text = subject.data() == nullptr ? "" : subject.data();
    return pcre_exec(code_, &extra, text, static_cast<int>(subject.size()), start, options, groups.data(),
                     static_cast<int>(groups.size()));
  };
  const unsigned long wanted = limits.recursion ? static_cast<unsigned long>(*limits.recursion) : kMatchLimit;
  if (wanted <= kRecursionOnCallersStack) return run(wanted);
  int result = run(kRecursionOnCallersStack);
  if (result == PCRE_ERROR_RECURSIONLIMIT)
    run_on_large_stack(
        [&] { result = run(std::min<unsigned long>(wanted, kLargeStackBytes / kBytesPerLevelMax)); });
  return result;
}

std::shared_ptr<const PcrePattern> PatternCache::compile(std::string_view source, int options,
                                                         PatternError& error) {
  std::string key(source);
  key.append(reinterpret_cast<const char*>(&options), sizeof options);
  if (const auto known = patterns_.find(key); known != patterns_.end()) return known->second;
  auto pattern = PcrePattern::compile(source, options, error);
  if (pattern == nullptr) return nullptr;
  if (patterns_.size() == kPatternsMax) patterns_.clear();
  patterns_.emplace(std::move(key), pattern);
  return pattern;
}

}  // namespace ravel::erlang
