// Small things that every report needs: numbers, plurals, widths, colours.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace ravel {

enum class Colour : std::uint8_t { kOff, kOn };

// The width of the terminal; nothing if the stream is none, or does not say.
std::optional<std::size_t> terminal_columns(std::FILE* stream);

// What the user asked for: --color=auto|always|never.
enum class ColourWish : std::uint8_t { kAuto, kAlways, kNever };

// Whether this stream is a terminal that can move its cursor.
bool is_terminal(std::FILE* stream);
// kAuto: only on a terminal, and not if the environment says NO_COLOR.
Colour colour_for(ColourWish wish, std::FILE* stream);

// ANSI styles; the text alone if colour is off.
enum class Ink : std::uint8_t { kBold, kDim, kRed, kGreen, kYellow, kBlue, kMagenta, kCyan };
std::string paint(std::string_view text, Ink ink, Colour colour);

// "1,234,567".
std::string grouped(std::uint64_t number);
// "1 event", "1,200 events".
std::string counted(std::uint64_t number, std::string_view singular, std::string_view plural);
std::string counted(std::uint64_t number, std::string_view singular);  // the plural adds an s
// "0.02 s", "12.3 s", "4 min 10 s".
std::string duration(double seconds);

// How many columns a terminal needs, counting one for each code point.
std::size_t width(std::string_view text);
std::string padded(std::string_view text, std::size_t columns);
// A text of at most that many columns: a longer one ends in "...".
std::string shortened(std::string_view text, std::size_t columns);

// "file.erl:12", "file.erl", or nothing.
std::string place(std::string_view file, std::uint32_t line);

}  // namespace ravel
