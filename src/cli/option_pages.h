// The manual page, and completions for shells, made from the rows of options.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "options/option_table.h"

namespace ravel {

enum class Page : std::uint8_t { kMan, kBash, kZsh, kFish };

// A command, and what it can be given. The table must outlive this object.
struct CommandRows {
  std::string name;
  std::string help;
  const OptionTable* table;
};

// `about` says what the program is for.
std::string print_page(Page page, std::string_view about, std::span<const CommandRows> commands);

}  // namespace ravel
