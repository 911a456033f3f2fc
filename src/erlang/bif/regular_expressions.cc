// Regular expressions: re:compile, run and inspect. Searching for all matches, and subjects and results that
// are lists of code points, is Erlang code in the module re, which calls back here.
//
// A compiled pattern is {re_pattern, Groups, IsUnicode, UsesCrlf, Encoded}. Encoded holds the options and the
// text of the pattern, so it means the same in every execution; PCRE's own form of it is kept in a cache.
#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "erlang/bif/builtins.h"
#include "erlang/bif/pcre8_syntax.h"
#include "erlang/bif/pcre_pattern.h"
#include "erlang/machine/machine.h"
#include "erlang/machine/module.h"
#include "erlang/term/byte_text.h"
#include "erlang/term/iodata.h"
#include "erlang/term/utf8.h"

namespace ravel::erlang {

namespace {

// What a list of options says. The same list serves for compiling and for running.
struct Options {
  PatternOptions pattern;
  std::uint32_t run = 0;
  bool only_for_compile = false;  // has one that means nothing to run
  bool only_for_run = false;
  bool unicode = false;
  bool global = false;
  bool report_errors = false;
  bool exports = false;
  int offset = 0;
  MatchLimits limits;
  Term capture_values = Term::none();  // none: no capture option
  Term capture_type = Term::none();
};

struct OptionFlag {
  Term name;
  std::uint32_t compile;
  std::uint32_t run;
  enum class Use : std::uint8_t { kBoth, kCompile, kRun } use;
};

constexpr auto kBoth = OptionFlag::Use::kBoth;
constexpr auto kCompile = OptionFlag::Use::kCompile;
constexpr auto kRun = OptionFlag::Use::kRun;

constexpr auto kOptionFlags = std::to_array<OptionFlag>({
    {atoms::kAnchored, PCRE2_ANCHORED, PCRE2_ANCHORED, kBoth},
    {atoms::kBsrAnycrlf, 0, 0, kBoth},
    {atoms::kBsrUnicode, 0, 0, kBoth},
    {atoms::kCaseless, PCRE2_CASELESS, 0, kCompile},
    {atoms::kDollarEndonly, PCRE2_DOLLAR_ENDONLY, 0, kCompile},
    {atoms::kDotall, PCRE2_DOTALL, 0, kCompile},
    {atoms::kDupnames, PCRE2_DUPNAMES, 0, kCompile},
    {atoms::kExtended, PCRE2_EXTENDED, 0, kCompile},
    {atoms::kFirstline, PCRE2_FIRSTLINE, 0, kCompile},
    {atoms::kGlobal, 0, 0, kRun},
    {atoms::kMultiline, PCRE2_MULTILINE, 0, kCompile},
    {atoms::kNeverUtf, PCRE2_NEVER_UTF, 0, kCompile},
    {atoms::kNoAutoCapture, PCRE2_NO_AUTO_CAPTURE, 0, kCompile},
    {atoms::kNoStartOptimize, PCRE2_NO_START_OPTIMIZE, 0, kCompile},
    {atoms::kNotbol, 0, PCRE2_NOTBOL, kRun},
    {atoms::kNotempty, 0, PCRE2_NOTEMPTY, kRun},
    {atoms::kNotemptyAtstart, 0, PCRE2_NOTEMPTY_ATSTART, kRun},
    {atoms::kNoteol, 0, PCRE2_NOTEOL, kRun},
    {atoms::kReportErrors, 0, 0, kRun},
    {atoms::kUcp, PCRE2_UCP, 0, kCompile},
    {atoms::kUngreedy, PCRE2_UNGREEDY, 0, kCompile},
    {atoms::kUnicode, PCRE2_UTF, 0, kCompile},
});

constexpr auto kNewlines = std::to_array<std::pair<Term, std::uint32_t>>({
    {atoms::kAny, PCRE2_NEWLINE_ANY},
    {atoms::kAnycrlf, PCRE2_NEWLINE_ANYCRLF},
    {atoms::kCr, PCRE2_NEWLINE_CR},
    {atoms::kCrlf, PCRE2_NEWLINE_CRLF},
    {atoms::kLf, PCRE2_NEWLINE_LF},
});

// The dialect is that of the installed module: since PCRE2 it can import patterns.
RegexDialect installed_dialect(Call& call) {
  const Module* module = call.machine.code.find_module(call.atom("re"));
  if (module == nullptr) return RegexDialect::kPcre8;
  const bool imports = std::ranges::find(module->exports, std::pair(call.atom("import"), std::uint32_t{1})) !=
                       module->exports.end();
  return imports ? RegexDialect::kPcre2 : RegexDialect::kPcre8;
}

PatternCache& cache(Call& call) {
  if (call.patterns == nullptr) call.patterns = std::make_shared<PatternCache>(installed_dialect(call));
  return *call.patterns;
}

std::optional<int> to_natural_int(Term t) {
  if (!t.is_small() || t.small_value() < 0 || t.small_value() > INT_MAX) return std::nullopt;
  return static_cast<int>(t.small_value());
}

// Since PCRE2, what is said last holds; before, several values were one number.
void set_among(std::uint32_t& options, std::uint32_t value, RegexDialect dialect) {
  options = dialect == RegexDialect::kPcre8 ? options | value : value;
}

// An option {Name, Value} or {capture, Values, Type}.
bool parse_tuple(Call& call, Term option, Options& options) {
  const RegexDialect dialect = cache(call).dialect;
  const Term name = tuple_size(option) > 0 ? element(option, 1) : Term::nil();
  if (is_tuple_of(option, 3) ? name != atoms::kCapture : !is_tuple_of(option, 2)) return false;
  const Term value = element(option, 2);
  if (name == atoms::kNewline) {
    const auto* newline = std::ranges::find(kNewlines, value, &std::pair<Term, std::uint32_t>::first);
    if (newline != kNewlines.end()) {
      set_among(options.pattern.newline, newline->second, dialect);
    } else if (dialect == RegexDialect::kPcre2 && value == call.atom("nul")) {
      options.pattern.newline = PCRE2_NEWLINE_NUL;
    } else {
      return false;
    }
    return true;
  }
  options.only_for_run = true;
  if (name == atoms::kCapture) {
    options.capture_values = value;
    options.capture_type = is_tuple_of(option, 3) ? element(option, 3) : atoms::kIndex;
    return true;
  }
  const auto number = to_natural_int(value);
  if (!number) return false;
  if (name == atoms::kOffset) {
    options.offset = *number;
  } else if (name == atoms::kMatchLimit) {
    options.limits.match = *number;
  } else if (name == atoms::kMatchLimitRecursion) {
    // PCRE 8 counts from the first level of matching on, PCRE2 what is below it, too.
    options.limits.depth =
        dialect == RegexDialect::kPcre8 && *number > 0 && *number < INT_MAX ? *number + 1 : *number;
  } else {
    return false;
  }
  return true;
}

std::optional<Options> parse_options(Call& call, Term list) {
  const RegexDialect dialect = cache(call).dialect;
  Options options;
  for (; list.is_cons(); list = list.tail()) {
    const Term option = list.head();
    if (is_tuple(option)) {
      if (!parse_tuple(call, option, options)) return std::nullopt;
      continue;
    }
    const auto* flag = std::ranges::find(kOptionFlags, option, &OptionFlag::name);
    if (flag == kOptionFlags.end()) {
      if (dialect != RegexDialect::kPcre2 || option != call.atom("export")) return std::nullopt;
      options.exports = options.only_for_compile = true;
      continue;
    }
    if (option == atoms::kBsrAnycrlf) set_among(options.pattern.bsr, PCRE2_BSR_ANYCRLF, dialect);
    if (option == atoms::kBsrUnicode) set_among(options.pattern.bsr, PCRE2_BSR_UNICODE, dialect);
    options.pattern.flags |= flag->compile;
    options.run |= flag->run;
    options.only_for_compile |= flag->use == kCompile;
    options.only_for_run |= flag->use == kRun;
    options.unicode |= option == atoms::kUnicode;
    options.global |= option == atoms::kGlobal;
    options.report_errors |= option == atoms::kReportErrors;
  }
  return list.is_nil() ? std::optional(options) : std::nullopt;
}

constexpr std::string_view kMark = "pcre:";

using Pattern = std::shared_ptr<const PcrePattern>;

// Options and text as bytes.
std::string encode(std::string_view text, const PatternOptions& options) {
  std::string encoded(kMark);
  encoded.append(reinterpret_cast<const char*>(&options), sizeof options);
  return encoded += text;
}

struct Decoded {
  std::string text;
  PatternOptions options;
};

std::optional<Decoded> decode(std::string_view encoded) {
  Decoded decoded;
  if (!encoded.starts_with(kMark) || encoded.size() < kMark.size() + sizeof decoded.options)
    return std::nullopt;
  std::memcpy(&decoded.options, encoded.data() + kMark.size(), sizeof decoded.options);
  decoded.text = encoded.substr(kMark.size() + sizeof decoded.options);
  return decoded;
}

Term pattern_term(Call& call, const PcrePattern& pattern, std::string_view text, const Options& options) {
  const std::string encoded = encode(text, options.pattern);
  return call.heap.tuple({atoms::kRePattern, Term::small(pattern.capture_count()),
                          Term::small(options.unicode ? 1 : 0), Term::small(pattern.uses_crlf() ? 1 : 0),
                          make_binary(call.heap, encoded.data(), encoded.size())});
}

bool is_pattern_term(Term t) {
  return is_tuple_of(t, 5) && element(t, 1) == atoms::kRePattern && element(t, 2).is_small() &&
         element(t, 3).is_small() && element(t, 4).is_small() && is_bitstring(element(t, 5));
}

// Nothing if the last element is not a compiled pattern of ours.
std::optional<Decoded> decode_term(Term pattern_term) {
  return decode(ByteText(element(pattern_term, 5)).text());
}

Pattern compile(Call& call, const Decoded& decoded) {
  PatternError error;
  return cache(call).compile(decoded.text, decoded.options, error);
}

// Null if it is not a compiled pattern of ours.
Pattern decode_pattern(Call& call, Term pattern_term) {
  const auto decoded = decode_term(pattern_term);
  return decoded ? compile(call, *decoded) : nullptr;
}

Term error_term(Call& call, const PatternError& error) {
  std::vector<Term> characters;
  for (const char c : error.message) characters.push_back(Term::small(static_cast<unsigned char>(c)));
  return call.heap.tuple({call.heap.list(characters), Term::small(static_cast<std::int64_t>(error.offset))});
}

// {re_exported_pattern, Header, Text, Options, Encoded}, to be compiled in another node by import/1.
constexpr std::string_view kExportMark = "re-PCRE2";
constexpr std::size_t kExportHeaderSize = 14;

Term exported_term(Call& call, std::string_view text, const Options& options, Term option_list) {
  std::string header(kExportMark);
  header.resize(kExportHeaderSize - 2, '\0');
  header += '\1';
  header += options.unicode ? '\1' : '\0';
  const std::string encoded = encode(text, options.pattern);
  return call.heap.tuple({call.atom("re_exported_pattern"),
                          make_binary(call.heap, header.data(), header.size()),
                          make_binary(call.heap, text.data(), text.size()), option_list,
                          make_binary(call.heap, encoded.data(), encoded.size())});
}

Term compile_with(Call& call, Term text_term, Term option_list) {
  const auto options = parse_options(call, option_list);
  if (!options || options->only_for_run) return call.fail(atoms::kBadarg, atoms::kBadopt);
  if (options->unicode && !is_bitstring(text_term))
    return call.call_instead(call.atom("re"), call.atom("ucompile"), {text_term, option_list});
  const auto text = iodata_text(text_term);
  if (!text) return call.badarg();
  PatternError error;
  const Pattern pattern = cache(call).compile(*text, options->pattern, error);
  if (pattern == nullptr) return call.heap.tuple({atoms::kError, error_term(call, error)});
  const Term result = options->exports ? exported_term(call, *text, *options, option_list)
                                       : pattern_term(call, *pattern, *text, *options);
  return call.heap.tuple({atoms::kOk, result});
}

Term compile_1(Call& call, const Term* arguments) { return compile_with(call, arguments[0], Term::nil()); }

Term compile_2(Call& call, const Term* arguments) { return compile_with(call, arguments[0], arguments[1]); }

// ---- What to return of a match.

enum class CaptureType : std::uint8_t { kIndex, kList, kBinary, kNothing };

struct Capture {
  CaptureType type = CaptureType::kIndex;
  bool all = true;  // from `first` up to the last group that matched; otherwise those of `wanted`
  std::size_t first = 0;
  std::vector<std::vector<int>> wanted;  // of several groups with one name, the first that matched
};

// Nothing if the option is wrong.
std::optional<Capture> parse_capture(Call& call, const Options& options, const PcrePattern& pattern) {
  Capture capture;
  if (options.capture_values.is_none()) return capture;
  if (options.capture_type == atoms::kList) {
    capture.type = CaptureType::kList;
  } else if (options.capture_type == atoms::kBinary) {
    capture.type = CaptureType::kBinary;
  } else if (options.capture_type != atoms::kIndex) {
    return std::nullopt;
  }
  Term values = options.capture_values;
  if (values == atoms::kAll) return capture;
  if (values == atoms::kNone || values.is_nil()) {
    capture.type = CaptureType::kNothing;
    return capture;
  }
  if (values == atoms::kAllButFirst) {
    capture.first = 1;
    return capture;
  }
  capture.all = false;
  if (values == atoms::kFirst) {
    capture.wanted = {{0}};
    return capture;
  }
  if (values == atoms::kAllNames) {
    const std::vector<PcrePattern::Name> names = pattern.names();
    if (names.empty()) capture.type = CaptureType::kNothing;
    const bool merges = pattern.allows_duplicate_names();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (merges && i > 0 && std::strcmp(names[i - 1].text, names[i].text) == 0) {
        capture.wanted.back().push_back(names[i].group);
      } else {
        capture.wanted.push_back({names[i].group});
      }
    }
    return capture;
  }
  if (!values.is_cons()) return std::nullopt;
  for (; values.is_cons(); values = values.tail()) {
    const Term value = values.head();
    if (const auto group = to_natural_int(value)) {
      capture.wanted.push_back({*group});
    } else if (value.is_atom()) {
      capture.wanted.push_back(pattern.groups_named(std::string(call.names.atoms.text(value)).c_str()));
    } else if (is_bitstring(value) || is_list(value)) {
      const auto name = iodata_text(value);
      if (!name) return std::nullopt;
      capture.wanted.push_back(pattern.groups_named(name->c_str()));
    } else {
      return std::nullopt;
    }
  }
  return values.is_nil() ? std::optional(capture) : std::nullopt;
}

class MatchResult {
 public:
  // `groups` of the first `count` groups; the subject as text, and as a term if it is a binary.
  MatchResult(Heap& heap, const Capture& capture, const std::vector<int>& groups, std::size_t count,
              std::string_view text, Term binary)
      : heap_(heap), capture_(capture), groups_(groups), count_(count), text_(text), binary_(binary) {}

  Term build() const {
    if (capture_.type == CaptureType::kNothing) return atoms::kMatch;
    std::vector<Term> parts;
    if (capture_.all) {
      for (std::size_t i = capture_.first; i < count_; ++i) parts.push_back(part(i));
    } else {
      for (const std::vector<int>& wanted : capture_.wanted) parts.push_back(part(choose(wanted)));
    }
    return heap_.tuple({atoms::kMatch, heap_.list(parts)});
  }

 private:
  static constexpr std::size_t kNoGroup = ~std::size_t{0};

  std::size_t choose(const std::vector<int>& wanted) const {
    if (wanted.empty()) return kNoGroup;
    if (wanted.size() == 1) return static_cast<std::size_t>(wanted.front());
    for (const int group : wanted)
      if (groups_[static_cast<std::size_t>(group) * 2] >= 0) return static_cast<std::size_t>(group);
    return kNoGroup;
  }

  Term part(std::size_t group) const {
    const bool took_part = group < count_ && groups_[group * 2] >= 0;
    const int begin = took_part ? groups_[group * 2] : 0;
    const int end = took_part ? groups_[group * 2 + 1] : 0;
    switch (capture_.type) {
      case CaptureType::kIndex:
        return heap_.tuple({Term::small(took_part ? begin : -1), Term::small(end - begin)});
      case CaptureType::kBinary: {
        const auto from = static_cast<std::size_t>(begin);
        const auto size = static_cast<std::size_t>(std::max(end - begin, 0));
        return binary_.is_none() ? make_binary(heap_, text_.data() + from, size)
                                 : make_sub_bits(heap_, binary_, from * 8, size * 8);
      }
      default: {
        Term list = Term::nil();
        for (int i = end; i-- > begin;)
          list =
              heap_.cons(Term::small(static_cast<unsigned char>(text_[static_cast<std::size_t>(i)])), list);
        return list;
      }
    }
  }

  Heap& heap_;
  const Capture& capture_;
  const std::vector<int>& groups_;
  const std::size_t count_;
  const std::string_view text_;
  const Term binary_;
};

// ---- Running.

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto one = decode_utf8(text, at);
    if (!one) return false;
    at += one->size;
  }
  return true;
}

enum class SubjectCheck : std::uint8_t { kYes, kDoneBefore };

Term match_once(Call& call, const PcrePattern& pattern, Term subject, Options options, SubjectCheck check) {
  const auto capture = parse_capture(call, options, pattern);
  if (!capture) return call.badarg();
  std::optional<ByteText> binary;
  std::optional<std::string> copied;
  std::string_view text;
  if (is_binary(subject)) {
    binary.emplace(subject);
    text = binary->text();
  } else {
    copied = iodata_text(subject);
    if (!copied) return call.badarg();
    text = *copied;
  }
  const bool is_pcre8 = cache(call).dialect == RegexDialect::kPcre8;
  if (is_pcre8 && !is_one_convention(options.pattern)) return call.fail(call.atom("internal_error"));
  if (check == SubjectCheck::kDoneBefore) options.run |= PCRE2_NO_UTF_CHECK;
  // PCRE2 leaves out what no match can reach.
  if (is_pcre8 && check == SubjectCheck::kYes && options.offset > 0 &&
      static_cast<std::size_t>(options.offset) <= text.size() && pattern.is_utf() && !is_utf8(text))
    return call.badarg();
  std::vector<int> groups;
  const int count = pattern.match(text, options.offset, options.run, options.limits, groups);
  if (count > 0) {
    const Term whole = is_binary(subject) ? subject : Term::none();
    return MatchResult(call.heap, *capture, groups, static_cast<std::size_t>(count), text, whole).build();
  }
  if (count >= PCRE2_ERROR_UTF8_ERR21 && count <= PCRE2_ERROR_UTF8_ERR1) return call.badarg();
  switch (count) {
    case PCRE2_ERROR_MATCHLIMIT:
      return options.report_errors ? call.heap.tuple({atoms::kError, atoms::kMatchLimit}) : atoms::kNomatch;
    case PCRE2_ERROR_DEPTHLIMIT:
      return options.report_errors ? call.heap.tuple({atoms::kError, atoms::kMatchLimitRecursion})
                                   : atoms::kNomatch;
    case PCRE2_ERROR_NOMATCH:
    case PCRE2_ERROR_HEAPLIMIT:
    case PCRE2_ERROR_RECURSELOOP: return atoms::kNomatch;
    case PCRE2_ERROR_BADUTFOFFSET: return call.badarg();
    case PCRE2_ERROR_BADOFFSET:
      if (!is_pcre8) return call.badarg();
      [[fallthrough]];
    default: return call.fail(call.atom("internal_error"));
  }
}

// A compiled pattern, as these options for the run make it; null if it is none, or they can't be.
Pattern pattern_for_run(Call& call, Term expression, const PatternOptions& run) {
  auto decoded = decode_term(expression);
  if (!decoded) return nullptr;
  Pattern pattern = compile(call, *decoded);
  if (pattern == nullptr || (run.newline == 0 && run.bsr == 0)) return pattern;
  if (cache(call).dialect == RegexDialect::kPcre2) {
    const bool agrees = (run.newline == 0 || run.newline == pattern->newline()) &&
                        (run.bsr == 0 || run.bsr == pattern->bsr());
    return agrees ? pattern : nullptr;
  }
  if (!is_one_convention(run)) return pattern;  // match_once() tells
  // What ends a line is a matter of the run; the pattern's own settings of it count no more.
  if (run.newline != 0) decoded->options.newline = run.newline;
  if (run.bsr != 0) decoded->options.bsr = run.bsr;
  return compile(call, *decoded);
}

Term run(Call& call, Term subject, Term expression, Term option_list, SubjectCheck check) {
  const auto options = parse_options(call, option_list);
  if (!options) return call.fail(atoms::kBadarg, atoms::kBadopt);
  const bool wants_list = options->capture_type == atoms::kList && !options->global;
  const auto continue_in_re = [&](std::string_view function, Term pattern, Term more) {
    return call.call_instead(call.atom("re"), call.atom(function), {subject, pattern, more});
  };
  if (is_tuple_of(expression, 5)) {
    if (options->only_for_compile || !is_pattern_term(expression)) return call.badarg();
    if (element(expression, 3) != Term::small(0) && (!is_bitstring(subject) || wants_list))
      return continue_in_re("urun", expression, option_list);
    if (options->global)
      return continue_in_re("grun", expression, call.heap.tuple({option_list, atoms::kFalse}));
    const Pattern pattern = pattern_for_run(call, expression, options->pattern);
    return pattern == nullptr ? call.badarg() : match_once(call, *pattern, subject, *options, check);
  }
  if (!is_bitstring(expression) && !is_list(expression)) return call.badarg();
  if (options->unicode && (!is_bitstring(expression) || !is_bitstring(subject) || wants_list))
    return continue_in_re("urun", expression, option_list);
  const auto text = iodata_text(expression);
  if (!text) return call.badarg();
  PatternError error;
  const Pattern pattern = cache(call).compile(*text, options->pattern, error);
  if (pattern == nullptr) {
    if (!options->report_errors) return call.badarg();
    return call.heap.tuple({atoms::kError, call.heap.tuple({atoms::kCompile, error_term(call, error)})});
  }
  if (options->global) {
    const Term strips_options = atoms::boolean(options->only_for_compile);
    return continue_in_re("grun", pattern_term(call, *pattern, *text, *options),
                          call.heap.tuple({option_list, strips_options, expression}));
  }
  return match_once(call, *pattern, subject, *options, check);
}

Term run_2(Call& call, const Term* arguments) {
  return run(call, arguments[0], arguments[1], Term::nil(), SubjectCheck::kYes);
}

Term run_3(Call& call, const Term* arguments) {
  return run(call, arguments[0], arguments[1], arguments[2], SubjectCheck::kYes);
}

// run/3 for the module re itself: says whether it is the first run with this subject.
Term internal_run_4(Call& call, const Term* arguments) {
  if (arguments[3] != atoms::kTrue && arguments[3] != atoms::kFalse) return call.badarg();
  const auto check = arguments[3] == atoms::kTrue ? SubjectCheck::kYes : SubjectCheck::kDoneBefore;
  return run(call, arguments[0], arguments[1], arguments[2], check);
}

Term inspect_2(Call& call, const Term* arguments) {
  if (!is_pattern_term(arguments[0]) || arguments[1] != atoms::kNamelist) return call.badarg();
  const Pattern pattern = decode_pattern(call, arguments[0]);
  if (pattern == nullptr) return call.badarg();
  std::vector<Term> names;
  std::string_view last;
  for (const PcrePattern::Name& name : pattern->names()) {
    const std::string_view text = name.text;
    if (text == last && pattern->allows_duplicate_names()) continue;
    names.push_back(make_binary(call.heap, text.data(), text.size()));
    last = text;
  }
  return call.heap.tuple({atoms::kNamelist, call.heap.list(names)});
}

// A pattern that another node exported is compiled again.
Term import_1(Call& call, const Term* arguments) {
  const Term exported = arguments[0];
  if (!is_tuple_of(exported, 5) || element(exported, 1) != call.atom("re_exported_pattern"))
    return call.badarg();
  if (!is_binary(element(exported, 2)) || !is_binary(element(exported, 3)) ||
      !is_binary(element(exported, 5)))
    return call.badarg();
  const ByteText header(element(exported, 2)), text(element(exported, 3));
  if (header.text().size() != kExportHeaderSize || !header.text().starts_with(kExportMark))
    return call.badarg();
  const auto options = parse_options(call, element(exported, 4));
  if (!options || options->only_for_run) return call.badarg();
  PatternError error;
  const Pattern pattern = cache(call).compile(text.text(), options->pattern, error);
  return pattern == nullptr ? call.badarg() : pattern_term(call, *pattern, text.text(), *options);
}

// The version of the installed release, with a word more: a pattern that OTP has compiled holds PCRE's own
// code, which is not read here. A program that keeps such patterns in files (Elixir's ~r) compares the
// versions and compiles them again.
Term version_0(Call& call, const Term*) {
  const std::string_view version =
      cache(call).dialect == RegexDialect::kPcre8 ? "8.44 2020-02-12 Ravel" : "10.47 2025-10-21 Ravel";
  return make_binary(call.heap, version.data(), version.size());
}

inline constexpr auto kRegularExpressionBuiltins = std::to_array<Builtin>({
    {"re", "compile", 1, Effect::kPure, compile_1},
    {"re", "compile", 2, Effect::kPure, compile_2},
    {"re", "import", 1, Effect::kPure, import_1},
    {"re", "inspect", 2, Effect::kPure, inspect_2},
    {"re", "internal_run", 4, Effect::kPure, internal_run_4},
    {"re", "run", 2, Effect::kPure, run_2},
    {"re", "run", 3, Effect::kPure, run_3},
    {"re", "version", 0, Effect::kPure, version_0},
});
static_assert(std::ranges::is_sorted(kRegularExpressionBuiltins, {}, &Builtin::key),
              "built-ins are found by halving");

}  // namespace

std::span<const Builtin> regular_expression_builtins() { return kRegularExpressionBuiltins; }

}  // namespace ravel::erlang
