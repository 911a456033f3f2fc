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
#include "erlang/bif/pcre_pattern.h"
#include "erlang/term/byte_text.h"
#include "erlang/term/iodata.h"

namespace ravel::erlang {

namespace {

// What a list of options says. The same list serves for compiling and for running.
struct Options {
  int compile = 0;
  int run = 0;
  bool only_for_compile = false;  // has one that means nothing to run
  bool only_for_run = false;
  bool unicode = false;
  bool global = false;
  bool report_errors = false;
  int offset = 0;
  MatchLimits limits;
  Term capture_values = Term::none();  // none: no capture option
  Term capture_type = Term::none();
};

struct OptionFlag {
  Term name;
  int compile;
  int run;
  enum class Use : std::uint8_t { kBoth, kCompile, kRun } use;
};

constexpr auto kBoth = OptionFlag::Use::kBoth;
constexpr auto kCompile = OptionFlag::Use::kCompile;
constexpr auto kRun = OptionFlag::Use::kRun;

constexpr auto kOptionFlags = std::to_array<OptionFlag>({
    {atoms::kAnchored, PCRE_ANCHORED, PCRE_ANCHORED, kBoth},
    {atoms::kBsrAnycrlf, PCRE_BSR_ANYCRLF, PCRE_BSR_ANYCRLF, kBoth},
    {atoms::kBsrUnicode, PCRE_BSR_UNICODE, PCRE_BSR_UNICODE, kBoth},
    {atoms::kCaseless, PCRE_CASELESS, 0, kCompile},
    {atoms::kDollarEndonly, PCRE_DOLLAR_ENDONLY, 0, kCompile},
    {atoms::kDotall, PCRE_DOTALL, 0, kCompile},
    {atoms::kDupnames, PCRE_DUPNAMES, 0, kCompile},
    {atoms::kExtended, PCRE_EXTENDED, 0, kCompile},
    {atoms::kFirstline, PCRE_FIRSTLINE, 0, kCompile},
    {atoms::kGlobal, 0, 0, kRun},
    {atoms::kMultiline, PCRE_MULTILINE, 0, kCompile},
    {atoms::kNeverUtf, PCRE_NEVER_UTF, 0, kCompile},
    {atoms::kNoAutoCapture, PCRE_NO_AUTO_CAPTURE, 0, kCompile},
    {atoms::kNoStartOptimize, PCRE_NO_START_OPTIMIZE, 0, kCompile},
    {atoms::kNotbol, 0, PCRE_NOTBOL, kRun},
    {atoms::kNotempty, 0, PCRE_NOTEMPTY, kRun},
    {atoms::kNotemptyAtstart, 0, PCRE_NOTEMPTY_ATSTART, kRun},
    {atoms::kNoteol, 0, PCRE_NOTEOL, kRun},
    {atoms::kReportErrors, 0, 0, kRun},
    {atoms::kUcp, PCRE_UCP, 0, kCompile},
    {atoms::kUngreedy, PCRE_UNGREEDY, 0, kCompile},
    {atoms::kUnicode, PCRE_UTF8, 0, kCompile},
});

constexpr auto kNewlines = std::to_array<std::pair<Term, int>>({
    {atoms::kAny, PCRE_NEWLINE_ANY},
    {atoms::kAnycrlf, PCRE_NEWLINE_ANYCRLF},
    {atoms::kCr, PCRE_NEWLINE_CR},
    {atoms::kCrlf, PCRE_NEWLINE_CRLF},
    {atoms::kLf, PCRE_NEWLINE_LF},
});

std::optional<int> to_natural_int(Term t) {
  if (!t.is_small() || t.small_value() < 0 || t.small_value() > INT_MAX) return std::nullopt;
  return static_cast<int>(t.small_value());
}

// An option {Name, Value} or {capture, Values, Type}.
bool parse_tuple(Term option, Options& options) {
  const Term name = tuple_size(option) > 0 ? element(option, 1) : Term::nil();
  if (is_tuple_of(option, 3) ? name != atoms::kCapture : !is_tuple_of(option, 2)) return false;
  const Term value = element(option, 2);
  if (name == atoms::kNewline) {
    const auto* newline = std::ranges::find(kNewlines, value, &std::pair<Term, int>::first);
    if (newline == kNewlines.end()) return false;
    options.compile |= newline->second;
    options.run |= newline->second;
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
    options.limits.recursion = *number;
  } else {
    return false;
  }
  return true;
}

std::optional<Options> parse_options(Term list) {
  Options options;
  for (; list.is_cons(); list = list.tail()) {
    const Term option = list.head();
    if (is_tuple(option)) {
      if (!parse_tuple(option, options)) return std::nullopt;
      continue;
    }
    const auto* flag = std::ranges::find(kOptionFlags, option, &OptionFlag::name);
    if (flag == kOptionFlags.end()) return std::nullopt;
    options.compile |= flag->compile;
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

Pattern compile(Call& call, std::string_view text, int compile_options, PatternError& error) {
  if (call.patterns == nullptr) call.patterns = std::make_shared<PatternCache>();
  return call.patterns->compile(text, compile_options, error);
}

Term pattern_term(Call& call, const PcrePattern& pattern, std::string_view text, const Options& options) {
  std::string encoded(kMark);
  encoded.append(reinterpret_cast<const char*>(&options.compile), sizeof options.compile);
  encoded += text;
  return call.heap.tuple({atoms::kRePattern, Term::small(pattern.capture_count()),
                          Term::small(options.unicode ? 1 : 0), Term::small(pattern.uses_crlf() ? 1 : 0),
                          make_binary(call.heap, encoded.data(), encoded.size())});
}

bool is_pattern_term(Term t) {
  return is_tuple_of(t, 5) && element(t, 1) == atoms::kRePattern && element(t, 2).is_small() &&
         element(t, 3).is_small() && element(t, 4).is_small() && is_bitstring(element(t, 5));
}

// Null if the last element is not a compiled pattern of ours.
Pattern decode_pattern(Call& call, Term pattern_term) {
  const ByteText bytes(element(pattern_term, 5));
  std::string_view rest = bytes.text();
  int compile_options;
  if (!rest.starts_with(kMark) || rest.size() < kMark.size() + sizeof compile_options) return nullptr;
  std::memcpy(&compile_options, rest.data() + kMark.size(), sizeof compile_options);
  rest.remove_prefix(kMark.size() + sizeof compile_options);
  PatternError error;
  return compile(call, rest, compile_options, error);
}

Term error_term(Call& call, const PatternError& error) {
  std::vector<Term> characters;
  for (const char c : error.message) characters.push_back(Term::small(static_cast<unsigned char>(c)));
  return call.heap.tuple({call.heap.list(characters), Term::small(error.offset)});
}

Term compile_with(Call& call, Term text_term, Term option_list) {
  const auto options = parse_options(option_list);
  if (!options || options->only_for_run) return call.fail(atoms::kBadarg, atoms::kBadopt);
  if (options->unicode && !is_bitstring(text_term))
    return call.call_instead(call.atom("re"), call.atom("ucompile"), {text_term, option_list});
  const auto text = iodata_text(text_term);
  if (!text) return call.badarg();
  PatternError error;
  const Pattern pattern = compile(call, *text, options->compile, error);
  if (pattern == nullptr) return call.heap.tuple({atoms::kError, error_term(call, error)});
  return call.heap.tuple({atoms::kOk, pattern_term(call, *pattern, *text, *options)});
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
  if (check == SubjectCheck::kDoneBefore) options.run |= PCRE_NO_UTF8_CHECK;
  std::vector<int> groups;
  const int count = pattern.match(text, options.offset, options.run, options.limits, groups);
  if (count > 0) {
    const Term whole = is_binary(subject) ? subject : Term::none();
    return MatchResult(call.heap, *capture, groups, static_cast<std::size_t>(count), text, whole).build();
  }
  switch (count) {
    case PCRE_ERROR_MATCHLIMIT:
      return options.report_errors ? call.heap.tuple({atoms::kError, atoms::kMatchLimit}) : atoms::kNomatch;
    case PCRE_ERROR_RECURSIONLIMIT:
      return options.report_errors ? call.heap.tuple({atoms::kError, atoms::kMatchLimitRecursion})
                                   : atoms::kNomatch;
    case PCRE_ERROR_NOMATCH:
    case PCRE_ERROR_RECURSELOOP: return atoms::kNomatch;
    case PCRE_ERROR_SHORTUTF8:
    case PCRE_ERROR_BADUTF8:
    case PCRE_ERROR_BADUTF8_OFFSET: return call.badarg();
    default: return call.fail(call.atom("internal_error"));  // an offset behind the end
  }
}

Term run(Call& call, Term subject, Term expression, Term option_list, SubjectCheck check) {
  const auto options = parse_options(option_list);
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
    const Pattern pattern = decode_pattern(call, expression);
    return pattern == nullptr ? call.badarg() : match_once(call, *pattern, subject, *options, check);
  }
  if (!is_bitstring(expression) && !is_list(expression)) return call.badarg();
  if (options->unicode && (!is_bitstring(expression) || !is_bitstring(subject) || wants_list))
    return continue_in_re("urun", expression, option_list);
  const auto text = iodata_text(expression);
  if (!text) return call.badarg();
  PatternError error;
  const Pattern pattern = compile(call, *text, options->compile, error);
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

// That of OTP 25, with a word more: a pattern that OTP has compiled holds PCRE's own code, which is not read here. Whoever
// keeps such patterns in files (Elixir's ~r) compares the versions and compiles them again.
Term version_0(Call& call, const Term*) {
  constexpr std::string_view kVersion = "8.44 2020-02-12 Ravel";
  return make_binary(call.heap, kVersion.data(), kVersion.size());
}

inline constexpr auto kRegularExpressionBuiltins = std::to_array<Builtin>({
    {"re", "compile", 1, Effect::kPure, compile_1},
    {"re", "compile", 2, Effect::kPure, compile_2},
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
