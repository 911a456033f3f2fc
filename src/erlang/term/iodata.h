// I/O lists: deep lists of bytes and binaries, also with a binary as the tail of a list.
//
// The walk keeps the tails that it has to come back to in a vector of its own, so the depth of a list is
// limited by memory alone. A list that is not I/O data is found out only where the walk meets the wrong
// element; callers first measure, then write.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "erlang/term/bits.h"
#include "erlang/term/header.h"
#include "erlang/term/heap.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// Are bit strings of any length allowed (list_to_bitstring/1), or only whole bytes (an iolist)?
enum class IodataUnit : std::uint8_t { kByte, kBit };

// Calls `on_byte(std::uint8_t)` and `on_bits(const BitView&)` for the parts from left to right, empty ones
// included; either may stop the walk by returning false. False if stopped, or if `t` is no I/O data.
template <typename OnByte, typename OnBits>
bool for_each_iodata(Term t, IodataUnit unit, OnByte on_byte, OnBits on_bits) {
  const auto visit_bits = [&](Term bitstring) {
    const BitView view = view_bits(bitstring);
    return (unit == IodataUnit::kBit || view.length % 8 == 0) && on_bits(view);
  };
  std::vector<Term> later;
  for (;;) {
    while (t.is_cons()) {
      const Term head = t.head();
      t = t.tail();
      if (head.is_small()) {
        const auto byte = static_cast<std::uint64_t>(head.small_value());
        if (byte > 255 || !on_byte(static_cast<std::uint8_t>(byte))) return false;
      } else if (head.is_cons()) {
        if (!t.is_nil()) later.push_back(t);
        t = head;
      } else if (is_bitstring(head)) {
        if (!visit_bits(head)) return false;
      } else if (!head.is_nil()) {
        return false;
      }
    }
    if (!t.is_nil() && !(is_bitstring(t) && visit_bits(t))) return false;
    if (later.empty()) return true;
    t = later.back();
    later.pop_back();
  }
}

// Length in bits of I/O data or of a bit string; nothing for anything else.
std::optional<std::uint64_t> iodata_bits(Term t, IodataUnit unit = IodataUnit::kByte);

// The bytes of I/O data in one new bit string; a bit string is returned as it is. None for anything else.
Term flatten_iodata(Heap& heap, Term t, IodataUnit unit = IodataUnit::kByte);

// The bytes of I/O data. Nothing for anything else.
std::optional<std::string> iodata_text(Term t);

// The list of binaries that iolist_to_iovec/1 makes: small parts are put together, large ones are kept.
Term iodata_vector(Heap& heap, Term t);

}  // namespace ravel::erlang
