#include "erlang/bif/pcre8_syntax.h"

#include <algorithm>
#include <array>

#include "erlang/bif/latin1_tables.h"

namespace ravel::erlang {

namespace {

// The texts of PCRE 8 for the errors of PCRE2 that it has, in the order of PCRE2's numbers.
struct Message {
  int code;
  const char* text;
};
constexpr auto kMessages = std::to_array<Message>({
    {PCRE2_ERROR_END_BACKSLASH, "\\ at end of pattern"},
    {PCRE2_ERROR_END_BACKSLASH_C, "\\c at end of pattern"},
    {PCRE2_ERROR_UNKNOWN_ESCAPE, "unrecognized character follows \\"},
    {PCRE2_ERROR_QUANTIFIER_OUT_OF_ORDER, "numbers out of order in {} quantifier"},
    {PCRE2_ERROR_QUANTIFIER_TOO_BIG, "number too big in {} quantifier"},
    {PCRE2_ERROR_MISSING_SQUARE_BRACKET, "missing terminating ] for character class"},
    {PCRE2_ERROR_ESCAPE_INVALID_IN_CLASS, "invalid escape sequence in character class"},
    {PCRE2_ERROR_CLASS_RANGE_ORDER, "range out of order in character class"},
    {PCRE2_ERROR_QUANTIFIER_INVALID, "nothing to repeat"},
    {PCRE2_ERROR_INTERNAL_UNEXPECTED_REPEAT, "internal error: unexpected repeat"},
    {PCRE2_ERROR_INVALID_AFTER_PARENS_QUERY, "unrecognized character after (? or (?-"},
    {PCRE2_ERROR_POSIX_CLASS_NOT_IN_CLASS, "POSIX named classes are supported only within a class"},
    {PCRE2_ERROR_POSIX_NO_SUPPORT_COLLATING, "POSIX collating elements are not supported"},
    {PCRE2_ERROR_MISSING_CLOSING_PARENTHESIS, "missing )"},
    {PCRE2_ERROR_BAD_SUBPATTERN_REFERENCE, "reference to non-existent subpattern"},
    {PCRE2_ERROR_BAD_OPTIONS, "unknown option bit(s) set"},
    {PCRE2_ERROR_MISSING_COMMENT_CLOSING, "missing ) after comment"},
    {PCRE2_ERROR_PARENTHESES_NEST_TOO_DEEP, "parentheses are too deeply nested"},
    {PCRE2_ERROR_PATTERN_TOO_LARGE, "regular expression is too large"},
    {PCRE2_ERROR_UNMATCHED_CLOSING_PARENTHESIS, "unmatched parentheses"},
    {PCRE2_ERROR_MISSING_CONDITION_CLOSING, "malformed number or name after (?("},
    {PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH, "lookbehind assertion is not fixed length"},
    {PCRE2_ERROR_ZERO_RELATIVE_REFERENCE, "a numbered reference must not be zero"},
    {PCRE2_ERROR_TOO_MANY_CONDITION_BRANCHES, "conditional group contains more than two branches"},
    {PCRE2_ERROR_CONDITION_ASSERTION_EXPECTED, "assertion expected after (?( or (?(?C)"},
    {PCRE2_ERROR_BAD_RELATIVE_REFERENCE, "digit expected after (?+"},
    {PCRE2_ERROR_UNKNOWN_POSIX_CLASS, "unknown POSIX class name"},
    {PCRE2_ERROR_PARENTHESES_STACK_CHECK, "parentheses are too deeply nested (stack check)"},
    {PCRE2_ERROR_CODE_POINT_TOO_BIG, "character value in \\x{} or \\o{} is too large"},
    {PCRE2_ERROR_LOOKBEHIND_TOO_COMPLICATED, "lookbehind assertion is not fixed length"},
    {PCRE2_ERROR_LOOKBEHIND_INVALID_BACKSLASH_C, "\\C not allowed in lookbehind assertion"},
    {PCRE2_ERROR_UNSUPPORTED_ESCAPE_SEQUENCE, "PCRE does not support \\L, \\l, \\N{name}, \\U, or \\u"},
    {PCRE2_ERROR_CALLOUT_NUMBER_TOO_BIG, "number after (?C is > 255"},
    {PCRE2_ERROR_MISSING_CALLOUT_CLOSING, "closing ) for (?C expected"},
    {PCRE2_ERROR_UNRECOGNIZED_AFTER_QUERY_P, "unrecognized character after (?P"},
    {PCRE2_ERROR_MISSING_NAME_TERMINATOR, "syntax error in subpattern name (missing terminator)"},
    {PCRE2_ERROR_DUPLICATE_SUBPATTERN_NAME, "two named subpatterns have the same name"},
    {PCRE2_ERROR_INVALID_SUBPATTERN_NAME, "group name must start with a non-digit"},
    {PCRE2_ERROR_MALFORMED_UNICODE_PROPERTY, "malformed \\P or \\p sequence"},
    {PCRE2_ERROR_UNKNOWN_UNICODE_PROPERTY, "unknown property name after \\P or \\p"},
    {PCRE2_ERROR_SUBPATTERN_NAME_TOO_LONG, "subpattern name is too long (maximum 32 characters)"},
    {PCRE2_ERROR_TOO_MANY_NAMED_SUBPATTERNS, "too many named subpatterns (maximum 10000)"},
    {PCRE2_ERROR_CLASS_INVALID_RANGE, "invalid range in character class"},
    {PCRE2_ERROR_OCTAL_BYTE_TOO_BIG, "octal value is greater than \\377 in 8-bit non-UTF-8 mode"},
    {PCRE2_ERROR_DEFINE_TOO_MANY_BRANCHES, "DEFINE group contains more than one branch"},
    {PCRE2_ERROR_BACKSLASH_O_MISSING_BRACE, "missing opening brace after \\o"},
    {PCRE2_ERROR_INTERNAL_UNKNOWN_NEWLINE, "inconsistent NEWLINE options"},
    {PCRE2_ERROR_BACKSLASH_G_SYNTAX,
     "\\g is not followed by a braced, angle-bracketed, or quoted name/number or by a plain number"},
    {PCRE2_ERROR_PARENS_QUERY_R_MISSING_CLOSING, "(?R or (?[+-]digits must be followed by )"},
    {PCRE2_ERROR_VERB_ARGUMENT_NOT_ALLOWED,
     "an argument is not allowed for (*ACCEPT), (*FAIL), or (*COMMIT)"},
    {PCRE2_ERROR_VERB_UNKNOWN, "(*VERB) not recognized or malformed"},
    {PCRE2_ERROR_SUBPATTERN_NUMBER_TOO_BIG, "number is too big"},
    {PCRE2_ERROR_SUBPATTERN_NAME_EXPECTED, "subpattern name expected"},
    {PCRE2_ERROR_INVALID_OCTAL, "non-octal character in \\o{} (closing brace missing?)"},
    {PCRE2_ERROR_SUBPATTERN_NAMES_MISMATCH,
     "different names for subpatterns of the same number are not allowed"},
    {PCRE2_ERROR_MARK_MISSING_ARGUMENT, "(*MARK) must have an argument"},
    {PCRE2_ERROR_INVALID_HEXADECIMAL, "non-hex character in \\x{} (closing brace missing?)"},
    {PCRE2_ERROR_BACKSLASH_C_SYNTAX, "\\c must be followed by an ASCII character"},
    {PCRE2_ERROR_BACKSLASH_K_SYNTAX, "\\k is not followed by a braced, angle-bracketed, or quoted name"},
    {PCRE2_ERROR_BACKSLASH_N_IN_CLASS, "\\N is not supported in a class"},
    {PCRE2_ERROR_UNICODE_DISALLOWED_CODE_POINT, "disallowed Unicode code point (>= 0xd800 && <= 0xdfff)"},
    {PCRE2_ERROR_UTF_IS_DISABLED, "setting UTF is disabled by the application"},
    {PCRE2_ERROR_VERB_NAME_TOO_LONG, "name is too long in (*MARK), (*PRUNE), (*SKIP), or (*THEN)"},
    {PCRE2_ERROR_MISSING_OCTAL_OR_HEX_DIGITS, "digits missing in \\x{} or \\o{}"},
    {PCRE2_ERROR_VERSION_CONDITION_SYNTAX, "malformed number or name after (?("},
    {PCRE2_ERROR_PATTERN_TOO_COMPLICATED, "regular expression is too complicated"},
    {PCRE2_ERROR_LOOKBEHIND_TOO_LONG, "lookbehind assertion is not fixed length"},
    {PCRE2_ERROR_INVALID_HYPHEN_IN_OPTIONS, "unrecognized character after (? or (?-"},
    {PCRE2_ERROR_ALPHA_ASSERTION_UNKNOWN, "(*VERB) not recognized or malformed"},
});
static_assert(std::ranges::is_sorted(kMessages, {}, &Message::code), "as PCRE2 numbers them");

}  // namespace

void set_up_as_pcre8(pcre2_compile_context* context) {
  pcre2_set_character_tables(context, latin1_tables());
  pcre2_set_compile_extra_options(context, PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK);
#if PCRE2_MAJOR > 10 || PCRE2_MINOR >= 43
  pcre2_set_max_varlookbehind(context, 0);
#endif
}

bool is_one_convention(const PatternOptions& options) {
  return options.newline <= PCRE2_NEWLINE_ANYCRLF && options.bsr <= PCRE2_BSR_ANYCRLF;
}

std::string pcre8_message(int error_code) {
  const auto* known = std::ranges::find(kMessages, error_code, &Message::code);
  return known == kMessages.end() ? "internal error: code overflow" : known->text;
}

}  // namespace ravel::erlang
