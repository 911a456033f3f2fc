// How far the tables of a machine had grown when Erlang/OTP's system came to rest (starting_point.cc).
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "erlang/machine/code.h"
#include "erlang/term/names.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

struct StartingPoint {
  std::vector<Term> words;  // the saved state
  Names::Mark names;
  struct ExportEntry {
    const CodeWord* address;
    bool is_defined;
  };
  std::vector<ExportEntry> exports;
  std::unordered_map<std::uint64_t, bool> missing_modules;
  std::uint32_t code = 0;
  std::size_t modules = 0, literals = 0, atomic_code = 0, own_rows = 0, own_names = 0, strings = 0;
};

}  // namespace ravel::erlang
