// Terms as text for people: in stories, error messages and what the program itself displays.
//
// `kReadable` shows a term as io_lib's ~0tp does, `kPlain` as its ~tw: characters are UTF-8. `kDisplay` is
// what erlang:display/1 and the emulator's own messages show: strings and ASCII binaries as text, six digits
// of a float. Processes have their logical names, <P.1.2>, which list_to_pid/1 reads back.
//
// The limits cut what would be too long: `...` stands for what is left out. The walk has its own stack.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "erlang/term/names.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

enum class PrintStyle : std::uint8_t { kReadable, kPlain, kDisplay };

struct PrintOptions {
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
  PrintStyle style = PrintStyle::kReadable;
  std::size_t depth_max = kUnlimited;     // containers deeper than this are [...] or {...}
  std::size_t elements_max = kUnlimited;  // of one container
  std::size_t bytes_max = kUnlimited;     // of the whole text, roughly: the last piece may reach beyond
};

std::string print_term(const Names& names, Term term, const PrintOptions& options = {});

// An atom, with quotes where the language wants them.
std::string print_atom(const Names& names, Term atom);
// "m:f/1", quoted as needed.
std::string print_function(const Names& names, Term module, Term function, std::uint64_t arity);

}  // namespace ravel::erlang
