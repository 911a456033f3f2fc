#include "erlang/bif/pcre_pattern.h"

#include <array>
#include <cstring>

#include "base/check.h"
#include "erlang/bif/latin1_tables.h"
#include "erlang/bif/pcre8_reader.h"
#include "erlang/bif/pcre8_syntax.h"

namespace ravel::erlang {

namespace {

// The emulator's limit, for both dialects.
constexpr std::uint32_t kMatchLimit = 10'000'000;

struct CompileContext {
  pcre2_compile_context* raw = pcre2_compile_context_create(nullptr);
  CompileContext() { CHECK(raw != nullptr); }
  ~CompileContext() { pcre2_compile_context_free(raw); }
  CompileContext(const CompileContext&) = delete;
  CompileContext& operator=(const CompileContext&) = delete;
};

pcre2_code* compile_pcre2(std::string_view text, const PatternOptions& options, RegexDialect dialect,
                          int& error_code, std::size_t& offset) {
  CompileContext context;
  if (options.newline != 0) pcre2_set_newline(context.raw, options.newline);
  if (options.bsr != 0) pcre2_set_bsr(context.raw, options.bsr);
  if (dialect == RegexDialect::kPcre8) set_up_as_pcre8(context.raw);
  const auto* bytes = reinterpret_cast<PCRE2_SPTR>(text.data() == nullptr ? "" : text.data());
  return pcre2_compile(bytes, text.size(), options.flags, &error_code, &offset, context.raw);
}

std::string pcre2_message(int error_code) {
  std::array<PCRE2_UCHAR, 256> text{};
  if (pcre2_get_error_message(error_code, text.data(), text.size()) == PCRE2_ERROR_BADDATA)
    return "Unknown error (" + std::to_string(error_code) + ")";
  return reinterpret_cast<const char*>(text.data());
}

}  // namespace

std::shared_ptr<const PcrePattern> PcrePattern::compile(std::string_view source,
                                                        const PatternOptions& options, RegexDialect dialect,
                                                        PatternError& error) {
  int error_code = 0;
  pcre2_code* code = nullptr;
  if (dialect == RegexDialect::kPcre2) {
    code = compile_pcre2(source, options, dialect, error_code, error.offset);
    if (code == nullptr) error.message = pcre2_message(error_code);
  } else {
    Pcre8Reader reader(source.substr(0, source.find('\0')), options);
    if (!reader.read()) {
      error = reader.error();
      return nullptr;
    }
    std::size_t offset = 0;
    code = compile_pcre2(reader.rewritten(), options, dialect, error_code, offset);
    if (code == nullptr) error = {pcre8_message(error_code), reader.lookbehind_end(offset)};
  }
  if (code == nullptr) return nullptr;
  return std::shared_ptr<const PcrePattern>(new PcrePattern(code));
}

PcrePattern::~PcrePattern() { pcre2_code_free(code_); }

bool PcrePattern::uses_crlf() const {
  return newline() == PCRE2_NEWLINE_ANY || newline() == PCRE2_NEWLINE_CRLF ||
         newline() == PCRE2_NEWLINE_ANYCRLF;
}

std::vector<PcrePattern::Name> PcrePattern::names() const {
  const auto count = info<std::uint32_t>(PCRE2_INFO_NAMECOUNT);
  const auto entry_size = info<std::uint32_t>(PCRE2_INFO_NAMEENTRYSIZE);
  auto entry = info<PCRE2_SPTR>(PCRE2_INFO_NAMETABLE);
  std::vector<Name> result;
  for (std::uint32_t i = 0; i < count; ++i, entry += entry_size)
    result.push_back({reinterpret_cast<const char*>(entry + 2), entry[0] << 8 | entry[1]});
  return result;
}

std::vector<int> PcrePattern::groups_named(const char* name) const {
  std::vector<int> groups;
  for (const Name& known : names())
    if (std::strcmp(known.text, name) == 0) groups.push_back(known.group);
  return groups;
}

int PcrePattern::match(std::string_view subject, int start, std::uint32_t options, const MatchLimits& limits,
                       std::vector<int>& groups) const {
  groups.assign(static_cast<std::size_t>(capture_count() + 1) * 2, -1);
  pcre2_match_data* data = pcre2_match_data_create_from_pattern(code_, nullptr);
  pcre2_match_context* context = pcre2_match_context_create(nullptr);
  CHECK(data != nullptr && context != nullptr);
  pcre2_set_match_limit(context, limits.match ? static_cast<std::uint32_t>(*limits.match) : kMatchLimit);
  if (limits.depth) pcre2_set_depth_limit(context, static_cast<std::uint32_t>(*limits.depth));
  const auto* text = reinterpret_cast<PCRE2_SPTR>(subject.data() == nullptr ? "" : subject.data());
  const int result =
      pcre2_match(code_, text, subject.size(), static_cast<PCRE2_SIZE>(start), options, data, context);
  const PCRE2_SIZE* places = pcre2_get_ovector_pointer(data);
  for (std::size_t i = 0; result > 0 && i < groups.size(); ++i)
    groups[i] = places[i] == PCRE2_UNSET ? -1 : static_cast<int>(places[i]);
  pcre2_match_context_free(context);
  pcre2_match_data_free(data);
  return result;
}

std::shared_ptr<const PcrePattern> PatternCache::compile(std::string_view source,
                                                         const PatternOptions& options, PatternError& error) {
  std::string key(source);
  key.append(reinterpret_cast<const char*>(&options), sizeof options);
  if (const auto known = patterns_.find(key); known != patterns_.end()) return known->second;
  auto pattern = PcrePattern::compile(source, options, dialect, error);
  if (pattern == nullptr) return nullptr;
  if (patterns_.size() == kPatternsMax) patterns_.clear();
  patterns_.emplace(std::move(key), pattern);
  return pattern;
}

}  // namespace ravel::erlang
