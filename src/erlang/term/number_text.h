// Numbers as text and back, character for character as the emulator prints and accepts them.
//
// Integers go through GMP's mpn_get_str and mpn_set_str, so that huge ones do not cost the square of their
// length. Floats take their digits from <charconv>, which no locale can change; the layout around the
// digits is Erlang's own.
//
// Where the emulator is odd we are odd in the same way: `{decimals, 0}` with `compact` may cut zeros before
// the decimal point, a comma is a decimal point, text after a zero byte is not read, and characters of a
// list are taken modulo 256 when it is read as an integer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "erlang/term/heap.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

inline constexpr int kBaseMin = 2;
inline constexpr int kBaseMax = 36;

// Integers. Digits above 9 are capital letters; both cases are read. REQUIRES: kBaseMin <= base <= kBaseMax.

using SmallText = std::array<char, 65>;
// The text of a machine integer, inside `buffer`.
std::string_view small_text(std::int64_t value, int base, SmallText& buffer);
// REQUIRES: is_integer(integer).
std::string integer_text(Term integer, int base = 10);

// The integer that is written here: an optional sign and at least one digit, nothing else. None if that is
// not so, or if it has more limbs than an integer may have.
Term parse_integer(Heap& heap, std::string_view text, int base = 10);

// A number at the beginning of a list of characters.
struct LeadingNumber {
  enum class Status : std::uint8_t { kFound, kNoNumber, kNotAList };
  Status status;
  Term number;  // if found
  Term rest;    // what follows it; a list unless the list is improper
};
LeadingNumber read_integer(Heap& heap, Term list, int base = 10);
LeadingNumber read_float(Heap& heap, Term list);

// Floats. The forms with a number of decimals have no text if it would have more than 255 characters.
// REQUIRES: finite.

// The fewest digits that read back as the same float: 0.1, 1.0e-5, 1.0e22. What ~p and ~w print.
std::string shortest_float_text(double value);
// d.dddde+XX. A negative number of decimals means 6.
std::optional<std::string> scientific_float_text(double value, int decimals);
enum class TrailingZeros : std::uint8_t { kKeep, kCut };
// ddd.dddd. Not always rounded from the exact value: see the .cc file.
std::optional<std::string> decimal_float_text(double value, int decimals, TrailingZeros zeros);

// What list_to_float/1 and binary_to_float/1 read: sign, digits, point, digits and perhaps an exponent.
// Nothing if it is not that, or too large; a value too close to zero is zero.
std::optional<double> parse_float(std::string_view text);

}  // namespace ravel::erlang
