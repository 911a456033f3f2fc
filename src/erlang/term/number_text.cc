#include "erlang/term/number_text.h"

#include <gmp.h>

#include <charconv>
#include <cmath>
#include <vector>

#include "base/check.h"
#include "erlang/term/big_integer.h"

namespace ravel::erlang {

namespace {

constexpr std::size_t kFloatTextMax = 255;  // characters; the emulator's buffer

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The value of a digit; 255 if it is none.
unsigned digit_value(unsigned char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  return 255;
}

char digit_character(unsigned value) { return "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[value]; }

// Digits that a signed word surely holds in this base.
std::size_t digits_in_word(int base) {
  static constexpr auto kDigits = [] {
    std::array<std::uint8_t, kBaseMax + 1> digits{};
    for (int b = kBaseMin; b <= kBaseMax; ++b) {
      std::int64_t power = 1;
      while (power <= INT64_MAX / b) {
        power *= b;
        ++digits[static_cast<std::size_t>(b)];
      }
    }
    return digits;
  }();
  return kDigits[static_cast<std::size_t>(base)];
}

// The integer with these digits, given as values and most significant first.
Term integer_of_digits(Heap& heap, const unsigned char* digits, std::size_t count, int base,
                       bool is_negative) {
  while (count > 0 && *digits == 0) {
    ++digits;
    --count;
  }
  if (count <= digits_in_word(base)) {
    std::int64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) value = value * base + digits[i];
    return heap.integer(is_negative ? -value : value);
  }
  const double bits = static_cast<double>(count) * std::log2(base);
  if (bits > static_cast<double>((limbs_max() + 2) * 64)) return Term::none();
  // mpn_set_str wants room for one limb more than the digits need.
  BigBuilder result(heap, static_cast<std::size_t>(bits / 64) + 3);
  const mp_size_t used = mpn_set_str(result.limbs(), digits, count, base);
  if (static_cast<std::size_t>(used) > limbs_max()) {
    result.abandon();
    return Term::none();
  }
  return result.finish(static_cast<std::size_t>(used), is_negative);
}

// The shortest digits of a float above zero: value = 0.d1d2d3... * 10^point.
struct Decimal {
  std::array<char, 17> digits;
  int count = 0;
  int point = 0;

  std::string_view text() const { return {digits.data(), static_cast<std::size_t>(count)}; }
};

Decimal shortest_decimal(double value) {
  std::array<char, 32> buffer;
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  CHECK(error == std::errc());
  Decimal result;
  const char* c = buffer.data();
  for (; *c != 'e'; ++c)
    if (*c != '.') result.digits[static_cast<std::size_t>(result.count++)] = *c;
  ++c;
  if (*c == '+') ++c;
  std::from_chars(c, end, result.point);
  ++result.point;
  while (result.count > 1 && result.digits[static_cast<std::size_t>(result.count) - 1] == '0') --result.count;
  return result;
}

// Does a float of this many digits print without an exponent? Integers do up to 2^53, and otherwise the
// shorter form wins, the one without exponent if both are equally long.
bool prints_without_exponent(const Decimal& decimal, double value) {
  const int unit = decimal.point - decimal.count;  // power of ten of the last digit
  const int exponent = decimal.point - 1;
  if (unit >= 0 && value >= 0x1p53) return false;
  if (decimal.count == 1) return unit >= -4 && unit <= 2;
  return unit >= -(decimal.count + 2) && unit <= (exponent >= 10 ? 2 : 1);
}

}  // namespace

std::string_view small_text(std::int64_t value, int base, SmallText& buffer) {
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, base);
  CHECK(error == std::errc());
  if (base > 10) {
    for (char* c = buffer.data(); c != end; ++c)
      if (*c >= 'a') *c = static_cast<char>(*c - 'a' + 'A');
  }
  return {buffer.data(), static_cast<std::size_t>(end - buffer.data())};
}

std::string integer_text(Term integer, int base) {
  if (integer.is_small()) {
    SmallText buffer;
    return std::string(small_text(integer.small_value(), base, buffer));
  }
  const Magnitude magnitude(integer);
  const mp_size_t size = static_cast<mp_size_t>(magnitude.size());
  const std::size_t sign = magnitude.is_negative() ? 1 : 0;
  std::string text(sign + mpn_sizeinbase(magnitude.limbs(), size, base) + 1, '-');
  // mpn_get_str destroys its operand and uses one limb after it.
  std::vector<Word> scratch(magnitude.limbs(), magnitude.limbs() + magnitude.size());
  scratch.push_back(0);
  unsigned char* digits = reinterpret_cast<unsigned char*>(text.data()) + sign;
  std::size_t count = mpn_get_str(digits, base, scratch.data(), size);
  std::size_t zeros = 0;
  while (digits[zeros] == 0) ++zeros;
  count -= zeros;
  for (std::size_t i = 0; i < count; ++i) text[sign + i] = digit_character(digits[zeros + i]);
  text.resize(sign + count);
  return text;
}

Term parse_integer(Heap& heap, std::string_view text, int base) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty()) return Term::none();
  if (text.size() <= digits_in_word(base)) {
    std::int64_t value = 0;
    for (const char c : text) {
      const unsigned digit = digit_value(static_cast<unsigned char>(c));
      if (digit >= static_cast<unsigned>(base)) return Term::none();
      value = value * base + digit;
    }
    return heap.integer(is_negative ? -value : value);
  }
  std::vector<unsigned char> digits(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned digit = digit_value(static_cast<unsigned char>(text[i]));
    if (digit >= static_cast<unsigned>(base)) return Term::none();
    digits[i] = static_cast<unsigned char>(digit);
  }
  return integer_of_digits(heap, digits.data(), digits.size(), base, is_negative);
}

LeadingNumber read_integer(Heap& heap, Term list, int base) {
  using Status = LeadingNumber::Status;
  if (!list.is_cons())
    return {.status = list.is_nil() ? Status::kNoNumber : Status::kNotAList, .number = {}, .rest = list};
  const bool is_negative = list.head() == Term::small('-');
  if (is_negative || list.head() == Term::small('+')) list = list.tail();
  std::array<unsigned char, 64> first_digits;  // most integers have no more
  std::vector<unsigned char> all_digits;
  std::size_t count = 0;
  for (; list.is_cons() && list.head().is_small(); list = list.tail()) {
    const unsigned digit = digit_value(static_cast<unsigned char>(list.head().small_value()));
    if (digit >= static_cast<unsigned>(base)) break;
    if (count == first_digits.size()) all_digits.assign(first_digits.begin(), first_digits.end());
    if (count < first_digits.size())
      first_digits[count] = static_cast<unsigned char>(digit);
    else
      all_digits.push_back(static_cast<unsigned char>(digit));
    ++count;
  }
  if (count == 0) return {.status = Status::kNoNumber, .number = {}, .rest = list};
  const unsigned char* digits = count <= first_digits.size() ? first_digits.data() : all_digits.data();
  const Term number = integer_of_digits(heap, digits, count, base, is_negative);
  return {.status = number.is_none() ? Status::kNoNumber : Status::kFound, .number = number, .rest = list};
}

LeadingNumber read_float(Heap& heap, Term list) {
  using Status = LeadingNumber::Status;
  if (!list.is_cons())
    return {.status = list.is_nil() ? Status::kNoNumber : Status::kNotAList, .number = {}, .rest = list};
  const auto character = [](Term at) {  // 0 where there is none that could belong to a float
    const bool is_character =
        at.is_cons() && at.head().is_small() && at.head().small_value() > 0 && at.head().small_value() < 128;
    return is_character ? static_cast<char>(at.head().small_value()) : '\0';
  };
  const auto is_sign = [](char c) { return c == '+' || c == '-'; };
  std::string text;
  Term at = list;
  const auto take = [&] {
    text.push_back(character(at));
    at = at.tail();
  };
  const auto take_digits = [&] {
    const std::size_t before = text.size();
    while (is_digit(character(at))) take();
    return text.size() > before;
  };
  const LeadingNumber no_number = {.status = Status::kNoNumber, .number = {}, .rest = list};
  if (is_sign(character(at))) take();
  if (!take_digits()) return no_number;
  if (character(at) != '.' && character(at) != ',') return no_number;
  take();
  if (!take_digits()) return no_number;
  // An exponent belongs to the float only if it is complete.
  const Term end_without_exponent = at;
  const std::size_t size_without_exponent = text.size();
  if (character(at) == 'e' || character(at) == 'E') {
    take();
    if (is_sign(character(at))) take();
    if (!take_digits()) {
      at = end_without_exponent;
      text.resize(size_without_exponent);
    }
  }
  const std::optional<double> value = parse_float(text);
  if (!value) return no_number;
  return {.status = Status::kFound, .number = heap.floating(*value), .rest = at};
}

std::string shortest_float_text(double value) {
  std::string text;
  if (std::signbit(value)) text.push_back('-');
  value = std::fabs(value);
  if (value == 0.0) return text += "0.0";
  const Decimal decimal = shortest_decimal(value);
  const std::string_view digits = decimal.text();
  const auto point = static_cast<std::size_t>(std::abs(decimal.point));
  if (!prints_without_exponent(decimal, value)) {
    text.push_back(digits[0]);
    text.push_back('.');
    text += digits.size() == 1 ? "0" : digits.substr(1);
    text.push_back('e');
    return text += std::to_string(decimal.point - 1);
  }
  if (decimal.point <= 0) {
    text += "0.";
    text.append(point, '0');
    return text += digits;
  }
  if (point >= digits.size()) {
    text += digits;
    text.append(point - digits.size(), '0');
    return text += ".0";
  }
  text += digits.substr(0, point);
  text.push_back('.');
  return text += digits.substr(point);
}

namespace {

std::optional<std::string> format(double value, std::chars_format form, int decimals) {
  if (decimals > static_cast<int>(kFloatTextMax)) return std::nullopt;
  std::array<char, 600> buffer;  // 309 digits, the decimals, sign and point
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, form, decimals);
  CHECK(error == std::errc());
  const auto size = static_cast<std::size_t>(end - buffer.data());
  if (size > kFloatTextMax) return std::nullopt;
  return std::string(buffer.data(), size);
}

void cut_trailing_zeros(std::string& text) {
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.push_back('0');
}

}  // namespace

std::optional<std::string> scientific_float_text(double value, int decimals) {
  return format(value, std::chars_format::scientific, decimals < 0 ? 6 : decimals);
}

// Up to 2^53 and 18 decimals the emulator scales the fraction to an integer in floating point and rounds
// that, so the last digits can differ from those of the exact value; beyond, it prints the exact value.
std::optional<std::string> decimal_float_text(double value, int decimals, TrailingZeros zeros) {
  static constexpr auto kPowers =
      std::to_array<double>({1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
                             1e15, 1e16, 1e17, 1e18});
  if (decimals < 0) return std::nullopt;
  const double magnitude = std::fabs(value);
  if (magnitude > 0x1p53 || static_cast<std::size_t>(decimals) >= kPowers.size()) {
    std::optional<std::string> text = format(value, std::chars_format::fixed, decimals);
    if (text && zeros == TrailingZeros::kCut) cut_trailing_zeros(*text);
    return text;
  }
  std::string text = std::signbit(value) ? "-" : "";
  if (decimals == 0) return text += std::to_string(std::llround(magnitude));
  const double power = kPowers[static_cast<std::size_t>(decimals)];
  double whole = std::floor(magnitude);
  double fraction = std::round((magnitude - whole) * power);
  if (fraction >= power) {
    whole += 1;
    fraction = 0;
  }
  const std::string fraction_digits = std::to_string(static_cast<std::uint64_t>(fraction));
  text += std::to_string(static_cast<std::uint64_t>(whole));
  text.push_back('.');
  text.append(static_cast<std::size_t>(decimals) - fraction_digits.size(), '0');
  text += fraction_digits;
  if (zeros == TrailingZeros::kCut) cut_trailing_zeros(text);
  return text;
}

std::optional<double> parse_float(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  std::size_t at = 0;
  const auto peek = [&] { return at < text.size() ? text[at] : '\0'; };
  const auto skip_digits = [&] {
    const std::size_t before = at;
    while (is_digit(peek())) ++at;
    return at > before;
  };
  const bool is_negative = peek() == '-';
  if (peek() == '+' || peek() == '-') ++at;
  const std::size_t begin = at;
  if (!skip_digits()) return std::nullopt;
  const std::size_t point = at;
  if (peek() != '.' && peek() != ',') return std::nullopt;
  ++at;
  if (!skip_digits()) return std::nullopt;
  const std::size_t mantissa_end = at;
  std::int64_t exponent = 0;
  if (peek() == 'e' || peek() == 'E') {
    ++at;
    const bool is_exponent_negative = peek() == '-';
    if (peek() == '+' || peek() == '-') ++at;
    const std::size_t exponent_begin = at;
    if (!skip_digits()) return std::nullopt;
    constexpr std::int64_t kExponentMax = std::int64_t{1} << 40;  // beyond any text's length
    for (std::size_t i = exponent_begin; i < at; ++i)
      if (exponent < kExponentMax) exponent = exponent * 10 + (text[i] - '0');
    if (is_exponent_negative) exponent = -exponent;
  }
  if (at != text.size()) return std::nullopt;

  std::string plain(text.substr(begin));
  plain[point - begin] = '.';
  double value = 0.0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (error == std::errc::result_out_of_range) {
    // Too large or too close to zero? The place of the first digit that is not zero decides.
    const std::size_t first = text.find_first_not_of("0.,", begin);
    CHECK(first < mantissa_end);
    const std::int64_t place = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
    if (place + exponent > 0) return std::nullopt;
    value = 0.0;
  } else {
    CHECK(error == std::errc() && end == plain.data() + plain.size());
  }
  return is_negative ? -value : value;
}

}  // namespace ravel::erlang
