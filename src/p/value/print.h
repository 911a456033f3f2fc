// Values as P's checker prints them, which is what `format` makes of them.
//
// A tuple is <1,2,> and with names <a:1, b:2, >, a seq (1, 2), a set (<1>, <2>), a map (<k->v>); sets and
// maps are in the order of the texts. null is nothing at all, truths are True and False, numbers are as .NET
// writes them. A foreign value is the name of its type and its content, unless its library shows it in its
// own way.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "p/value/value.h"

namespace ravel::p {

// What the numbers inside values stand for.
class ValueNames {
 public:
  virtual ~ValueNames() = default;
  virtual std::string event(std::uint32_t number) const = 0;
  virtual std::string machine(std::uint32_t number) const = 0;
  virtual std::span<const std::string_view> fields(std::uint32_t shape) const = 0;
  virtual std::string_view type_name(std::uint32_t number) const = 0;
  // What the library of a foreign type makes of a value; none: it leaves that to us.
  virtual std::optional<std::string> shown(Value foreign) const = 0;
};

// What is nested deeper than kPrintedDepthMax is "...", and so are tuples and collections behind the first
// kPrintedPartsMax.
inline constexpr unsigned kPrintedDepthMax = 500;
inline constexpr unsigned kPrintedPartsMax = 100'000;
std::string to_text(Value value, const ValueNames& names);
// The same, of some `bytes_max` bytes: what comes after these is left out, and the text says so by "...", or
// ends there.
std::string to_text(Value value, const ValueNames& names, std::size_t bytes_max);

// As .NET writes a double: the shortest digits that read back as the same.
std::string to_text(double number);

}  // namespace ravel::p
