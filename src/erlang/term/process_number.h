// A process name as one number, the same in every execution: what the external format writes for a pid.
//
// The index of a pid in `Names` depends on what was explored before, so it must not become visible. The
// number is made of the path instead: a leading one, then each ordinal in Elias' gamma code (Elias,
// "Universal codeword sets and representations of the integers", 1975). `P` is 1, `P.1` is 3, `P.1.1` is 7.
// The numbers of `S` and of what is below it have bit 58 as well. A path whose code needs more than 58 bits
// falls back to its index, marked by bit 59; such a pid is faithful but not the same in every search (it
// takes more than four generations of hundreds of children each).
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "erlang/term/names.h"

namespace ravel::erlang {

inline constexpr int kProcessNumberBits = 60;
inline constexpr std::uint64_t kProcessNumberIsIndex = std::uint64_t{1} << (kProcessNumberBits - 1);
inline constexpr std::uint64_t kProcessNumberIsOfSystem = std::uint64_t{1} << (kProcessNumberBits - 2);

// REQUIRES: pid.is_pid().
inline std::uint64_t process_number(const Names& names, Term pid) {
  if (pid == Names::device_pid()) return 0;
  std::uint64_t number = 1;
  int bits = 1;
  for (const std::uint32_t ordinal : names.path_of(pid)) {
    const int code_bits = 2 * std::bit_width(ordinal) - 1;
    bits += code_bits;
    if (bits >= kProcessNumberBits - 1) return kProcessNumberIsIndex | pid.pid_name();
    number = number << code_bits | ordinal;
  }
  return names.is_below_system(pid) ? number | kProcessNumberIsOfSystem : number;
}

// The inverse. Nothing for a number that no process name has.
inline std::optional<Term> process_with_number(Names& names, std::uint64_t number) {
  if ((number & kProcessNumberIsIndex) != 0) {
    const std::uint64_t index = number & ~kProcessNumberIsIndex;
    if (index >= names.pid_count()) return std::nullopt;
    return Term::pid(index);
  }
  if (number == 0) return Names::device_pid();
  if (number >> kProcessNumberBits != 0) return std::nullopt;
  const bool is_of_system = (number & kProcessNumberIsOfSystem) != 0;
  number &= ~kProcessNumberIsOfSystem;
  if (number == 0) return std::nullopt;
  int left = std::bit_width(number) - 1;  // bits after the leading one
  Term pid = is_of_system ? names.system_pid() : names.root_pid();
  while (left > 0) {
    const std::uint64_t rest = number & ((std::uint64_t{1} << left) - 1);
    if (rest == 0) return std::nullopt;
    const int zeros = left - std::bit_width(rest);
    left -= 2 * zeros + 1;
    if (left < 0 || zeros > 31) return std::nullopt;
    pid = names.child_pid(pid, static_cast<std::uint32_t>(rest >> left));
  }
  return pid;
}

}  // namespace ravel::erlang
