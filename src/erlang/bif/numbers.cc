// Operators, rounding, and numbers as text.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "erlang/bif/builtins.h"
#include "erlang/bif/math.h"
#include "erlang/term/arithmetic.h"
#include "erlang/term/bits.h"
#include "erlang/term/byte_text.h"
#include "erlang/term/number_text.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

// Operators.

using UnaryOperation = Term (*)(Heap&, Term);
using BinaryOperation = Term (*)(Heap&, Term, Term);

Term arithmetic_failure(Call& call, ArithmeticError error) {
  return error == ArithmeticError::kSystemLimit ? call.system_limit() : call.badarith();
}

template <UnaryOperation kOperation>
Term unary(Call& call, const Term* arguments) {
  const Term result = kOperation(call.heap, arguments[0]);
  if (!result.is_none()) return result;
  return arithmetic_failure(call, arithmetic_error(arguments[0], arguments[0]));
}

template <BinaryOperation kOperation>
Term binary(Call& call, const Term* arguments) {
  const Term result = kOperation(call.heap, arguments[0], arguments[1]);
  if (!result.is_none()) return result;
  return arithmetic_failure(call, arithmetic_error(arguments[0], arguments[1]));
}

// Division of integers fails for a zero divisor, never for size.
template <BinaryOperation kOperation>
Term division(Call& call, const Term* arguments) {
  const Term result = kOperation(call.heap, arguments[0], arguments[1]);
  return result.is_none() ? call.badarith() : result;
}

Term plus_1(Call& call, const Term* arguments) {
  return is_number(arguments[0]) ? arguments[0] : call.badarith();
}
Term plus_2(Call& call, const Term* arguments) { return binary<add>(call, arguments); }
Term minus_1(Call& call, const Term* arguments) { return unary<negate>(call, arguments); }
Term minus_2(Call& call, const Term* arguments) { return binary<subtract>(call, arguments); }
Term times_2(Call& call, const Term* arguments) { return binary<multiply>(call, arguments); }
Term divide_2(Call& call, const Term* arguments) { return division<divide>(call, arguments); }
Term div_2(Call& call, const Term* arguments) { return division<integer_divide>(call, arguments); }
Term rem_2(Call& call, const Term* arguments) { return division<remainder>(call, arguments); }
Term band_2(Call& call, const Term* arguments) { return binary<bit_and>(call, arguments); }
Term bor_2(Call& call, const Term* arguments) { return binary<bit_or>(call, arguments); }
Term bxor_2(Call& call, const Term* arguments) { return binary<bit_xor>(call, arguments); }
Term bnot_1(Call& call, const Term* arguments) { return unary<bit_not>(call, arguments); }
Term bsl_2(Call& call, const Term* arguments) { return binary<shift_left>(call, arguments); }
Term bsr_2(Call& call, const Term* arguments) { return binary<shift_right>(call, arguments); }

// Between integers and floats.

Term abs_1(Call& call, const Term* arguments) {
  const Term result = absolute(call.heap, arguments[0]);
  if (is_float(result) && float_value(result) == 0 && installed_release().are_zeros_distinct)
    return call.heap.floating(0.0);
  return result.is_none() ? call.badarg() : result;
}

Term float_1(Call& call, const Term* arguments) {
  if (is_float(arguments[0])) return arguments[0];
  const std::optional<double> value = to_double(arguments[0]);
  return value ? call.heap.floating(*value) : call.badarg();
}

template <double (*kRound)(double)>
Term to_integer(Call& call, Term number) {
  if (is_float(number)) return integer_from_double(call.heap, kRound(float_value(number)));
  return is_integer(number) ? number : call.badarg();
}

Term ceil_1(Call& call, const Term* arguments) { return to_integer<::ceil>(call, arguments[0]); }
Term floor_1(Call& call, const Term* arguments) { return to_integer<::floor>(call, arguments[0]); }
Term round_1(Call& call, const Term* arguments) { return to_integer<::round>(call, arguments[0]); }
Term trunc_1(Call& call, const Term* arguments) { return to_integer<::trunc>(call, arguments[0]); }

// Text as lists and binaries.

Term text_as_list(Call& call, std::string_view text) {
  Term* cell = call.heap.allocate(2 * text.size());
  Term list = Term::nil();
  for (std::size_t i = text.size(); i-- > 0;) {
    cell[2 * i] = Term::small(static_cast<unsigned char>(text[i]));
    cell[2 * i + 1] = list;
    list = Term::cons(cell + 2 * i);
  }
  return list;
}

Term text_as_binary(Call& call, std::string_view text) {
  return make_binary(call.heap, text.data(), text.size());
}

using TextAs = Term (*)(Call&, std::string_view);

// The bytes of a proper list of bytes.
std::optional<std::string> text_of_list(Term list) {
  std::string text;
  for (; list.is_cons(); list = list.tail()) {
    if (!list.head().is_small()) return std::nullopt;
    const std::int64_t byte = list.head().small_value();
    if (byte < 0 || byte > 255) return std::nullopt;
    text.push_back(static_cast<char>(byte));
  }
  if (!list.is_nil()) return std::nullopt;
  return text;
}

std::optional<int> base_argument(Term base) {
  if (!base.is_small() || base.small_value() < kBaseMin || base.small_value() > kBaseMax) return std::nullopt;
  return static_cast<int>(base.small_value());
}

// Integers as text.

template <TextAs kAs>
Term print_integer(Call& call, Term integer, int base) {
  if (integer.is_small()) {
    SmallText buffer;
    return kAs(call, small_text(integer.small_value(), base, buffer));
  }
  return is_big(integer) ? kAs(call, integer_text(integer, base)) : call.badarg();
}

template <TextAs kAs>
Term print_integer_in_base(Call& call, const Term* arguments) {
  const std::optional<int> base = base_argument(arguments[1]);
  return base ? print_integer<kAs>(call, arguments[0], *base) : call.badarg();
}

Term integer_to_binary_1(Call& call, const Term* arguments) {
  return print_integer<text_as_binary>(call, arguments[0], 10);
}
Term integer_to_binary_2(Call& call, const Term* arguments) {
  return print_integer_in_base<text_as_binary>(call, arguments);
}
Term integer_to_list_1(Call& call, const Term* arguments) {
  return print_integer<text_as_list>(call, arguments[0], 10);
}
Term integer_to_list_2(Call& call, const Term* arguments) {
  return print_integer_in_base<text_as_list>(call, arguments);
}

Term parse_binary(Call& call, Term binary, std::optional<int> base) {
  if (!is_binary(binary) || !base) return call.badarg();
  const ByteText bytes(binary);
  const Term result = parse_integer(call.heap, bytes.text(), *base);
  return result.is_none() ? call.badarg() : result;
}

Term binary_to_integer_1(Call& call, const Term* arguments) { return parse_binary(call, arguments[0], 10); }
Term binary_to_integer_2(Call& call, const Term* arguments) {
  return parse_binary(call, arguments[0], base_argument(arguments[1]));
}

Term parse_list(Call& call, Term list, std::optional<int> base) {
  if (!base) return call.badarg();
  const LeadingNumber leading = read_integer(call.heap, list, *base);
  const bool is_whole = leading.status == LeadingNumber::Status::kFound && leading.rest.is_nil();
  return is_whole ? leading.number : call.badarg();
}

Term list_to_integer_1(Call& call, const Term* arguments) { return parse_list(call, arguments[0], 10); }
Term list_to_integer_2(Call& call, const Term* arguments) {
  return parse_list(call, arguments[0], base_argument(arguments[1]));
}

// What binary_to_integer and list_to_integer call, where these are written in Erlang: failures are answers.
// (The emulator also answers `big`, and leaves it to them to put the number together.)
constexpr std::size_t kDigitsMax = 4'194'304;  // more are the answer `big`, of which they make system_limit

Term internal_binary_to_integer_2(Call& call, const Term* arguments) {
  const std::optional<int> base = base_argument(arguments[1]);
  if (!base || !is_binary(arguments[0])) return atoms::kBadarg;
  const ByteText bytes(arguments[0]);
  if (bytes.text().size() > kDigitsMax) return atoms::kBig;
  const Term result = parse_integer(call.heap, bytes.text(), *base);
  return result.is_none() ? atoms::kBadarg : result;
}

Term internal_list_to_integer_2(Call& call, const Term* arguments) {
  if (!arguments[0].is_cons()) return arguments[0].is_nil() ? atoms::kNoInteger : atoms::kNotAList;
  const std::optional<int> base = base_argument(arguments[1]);
  if (!base) return atoms::kBadarg;
  const LeadingNumber leading = read_integer(call.heap, arguments[0], *base);
  if (leading.status == LeadingNumber::Status::kFound) return call.heap.tuple({leading.number, leading.rest});
  return atoms::kNoInteger;
}

// {Number, Rest} or {error, Reason}.
Term leading_result(Call& call, const LeadingNumber& leading, Term no_number) {
  switch (leading.status) {
    case LeadingNumber::Status::kFound: return call.heap.tuple({leading.number, leading.rest});
    case LeadingNumber::Status::kNoNumber: return call.heap.tuple({atoms::kError, no_number});
    case LeadingNumber::Status::kNotAList: break;
  }
  return call.heap.tuple({atoms::kError, atoms::kNotAList});
}

Term string_list_to_integer_1(Call& call, const Term* arguments) {
  return leading_result(call, read_integer(call.heap, arguments[0]), atoms::kNoInteger);
}
Term string_list_to_float_1(Call& call, const Term* arguments) {
  return leading_result(call, read_float(call.heap, arguments[0]), atoms::kNoFloat);
}

// Floats as text.

struct FloatFormat {
  enum class Form : std::uint8_t { kScientific, kDecimals, kShort };
  Form form = Form::kScientific;
  int decimals = 20;
  TrailingZeros zeros = TrailingZeros::kKeep;
};

// The last option wins; `compact` stays whatever follows it.
std::optional<FloatFormat> read_float_format(Term options) {
  FloatFormat format;
  for (; options.is_cons(); options = options.tail()) {
    const Term option = options.head();
    if (option == atoms::kCompact) {
      format.zeros = TrailingZeros::kCut;
    } else if (option == atoms::kShort) {
      format.form = FloatFormat::Form::kShort;
    } else {
      if (!is_tuple_of(option, 2) || !element(option, 2).is_small()) return std::nullopt;
      if (element(option, 1) == atoms::kDecimals)
        format.form = FloatFormat::Form::kDecimals;
      else if (element(option, 1) == atoms::kScientific)
        format.form = FloatFormat::Form::kScientific;
      else
        return std::nullopt;
      // The emulator cuts it to 32 bits, too
      format.decimals = static_cast<int>(element(option, 2).small_value());
    }
  }
  if (!options.is_nil()) return std::nullopt;
  return format;
}

std::optional<std::string> float_text(double value, const FloatFormat& format) {
  switch (format.form) {
    case FloatFormat::Form::kShort: return shortest_float_text(value);
    case FloatFormat::Form::kDecimals: return decimal_float_text(value, format.decimals, format.zeros);
    case FloatFormat::Form::kScientific: break;
  }
  return scientific_float_text(value, format.decimals);
}

template <TextAs kAs>
Term print_float(Call& call, Term number, Term options) {
  if (!is_float(number)) return call.badarg();
  const std::optional<FloatFormat> format = read_float_format(options);
  if (!format) return call.badarg();
  const std::optional<std::string> text = float_text(float_value(number), *format);
  return text ? kAs(call, *text) : call.badarg();
}

Term float_to_binary_1(Call& call, const Term* arguments) {
  return print_float<text_as_binary>(call, arguments[0], Term::nil());
}
Term float_to_binary_2(Call& call, const Term* arguments) {
  return print_float<text_as_binary>(call, arguments[0], arguments[1]);
}
Term float_to_list_1(Call& call, const Term* arguments) {
  return print_float<text_as_list>(call, arguments[0], Term::nil());
}
Term float_to_list_2(Call& call, const Term* arguments) {
  return print_float<text_as_list>(call, arguments[0], arguments[1]);
}

Term parsed_float(Call& call, std::string_view text) {
  const std::optional<double> value = parse_float(text);
  return value ? call.heap.floating(*value) : call.badarg();
}

Term binary_to_float_1(Call& call, const Term* arguments) {
  if (!is_binary(arguments[0])) return call.badarg();
  const ByteText bytes(arguments[0]);
  return parsed_float(call, bytes.text());
}
Term list_to_float_1(Call& call, const Term* arguments) {
  const std::optional<std::string> text = text_of_list(arguments[0]);
  return text ? parsed_float(call, *text) : call.badarg();
}

constexpr auto kErlangBuiltins = std::to_array<Builtin>({
    {"erlang", "*", 2, Effect::kPure, times_2},
    {"erlang", "+", 1, Effect::kPure, plus_1},
    {"erlang", "+", 2, Effect::kPure, plus_2},
    {"erlang", "-", 1, Effect::kPure, minus_1},
    {"erlang", "-", 2, Effect::kPure, minus_2},
    {"erlang", "/", 2, Effect::kPure, divide_2},
    {"erlang", "abs", 1, Effect::kPure, abs_1},
    {"erlang", "band", 2, Effect::kPure, band_2},
    {"erlang", "binary_to_float", 1, Effect::kPure, binary_to_float_1},
    {"erlang", "binary_to_integer", 1, Effect::kPure, binary_to_integer_1},
    {"erlang", "binary_to_integer", 2, Effect::kPure, binary_to_integer_2},
    {"erlang", "bnot", 1, Effect::kPure, bnot_1},
    {"erlang", "bor", 2, Effect::kPure, bor_2},
    {"erlang", "bsl", 2, Effect::kPure, bsl_2},
    {"erlang", "bsr", 2, Effect::kPure, bsr_2},
    {"erlang", "bxor", 2, Effect::kPure, bxor_2},
    {"erlang", "ceil", 1, Effect::kPure, ceil_1},
    {"erlang", "div", 2, Effect::kPure, div_2},
    {"erlang", "float", 1, Effect::kPure, float_1},
    {"erlang", "float_to_binary", 1, Effect::kPure, float_to_binary_1},
    {"erlang", "float_to_binary", 2, Effect::kPure, float_to_binary_2},
    {"erlang", "float_to_list", 1, Effect::kPure, float_to_list_1},
    {"erlang", "float_to_list", 2, Effect::kPure, float_to_list_2},
    {"erlang", "floor", 1, Effect::kPure, floor_1},
    {"erlang", "integer_to_binary", 1, Effect::kPure, integer_to_binary_1},
    {"erlang", "integer_to_binary", 2, Effect::kPure, integer_to_binary_2},
    {"erlang", "integer_to_list", 1, Effect::kPure, integer_to_list_1},
    {"erlang", "integer_to_list", 2, Effect::kPure, integer_to_list_2},
    {"erlang", "list_to_float", 1, Effect::kPure, list_to_float_1},
    {"erlang", "list_to_integer", 1, Effect::kPure, list_to_integer_1},
    {"erlang", "list_to_integer", 2, Effect::kPure, list_to_integer_2},
    {"erlang", "rem", 2, Effect::kPure, rem_2},
    {"erlang", "round", 1, Effect::kPure, round_1},
    {"erlang", "trunc", 1, Effect::kPure, trunc_1},
});

constexpr auto kInternalBuiltins = std::to_array<Builtin>({
    {"erts_internal", "binary_to_integer", 2, Effect::kPure, internal_binary_to_integer_2},
    {"erts_internal", "list_to_integer", 2, Effect::kPure, internal_list_to_integer_2},
});

constexpr auto kStringBuiltins = std::to_array<Builtin>({
    {"string", "list_to_float", 1, Effect::kPure, string_list_to_float_1},
    {"string", "list_to_integer", 1, Effect::kPure, string_list_to_integer_1},
});

constexpr auto kNumberBuiltins = [] {
  std::array<Builtin, kErlangBuiltins.size() + kInternalBuiltins.size() + kMathBuiltins.size() +
                          kStringBuiltins.size()>
      all{};
  auto end = std::ranges::copy(kErlangBuiltins, all.begin()).out;
  end = std::ranges::copy(kInternalBuiltins, end).out;
  end = std::ranges::copy(kMathBuiltins, end).out;
  std::ranges::copy(kStringBuiltins, end);
  return all;
}();
static_assert(std::ranges::is_sorted(kNumberBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> number_builtins() { return kNumberBuiltins; }

}  // namespace ravel::erlang
