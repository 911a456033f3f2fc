// Runs of bits inside byte arrays: the ground under binaries, bit syntax and the store.
// Bit 0 is the most significant bit of byte 0, as Erlang counts.
#pragma once

#include <cstdint>

#include "erlang/term/header.h"
#include "erlang/term/heap.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// Copies `length` bits. Bits of the last byte of `to` after the copied ones keep their value; the ranges
// must not overlap.
void copy_bits(std::uint8_t* to, std::uint64_t to_bit, const std::uint8_t* from, std::uint64_t from_bit,
               std::uint64_t length);

// Compares two runs as Erlang orders bitstrings: bit by bit, a prefix first. -1, 0 or 1.
int compare_bits(const std::uint8_t* left, std::uint64_t left_bit, std::uint64_t left_length,
                 const std::uint8_t* right, std::uint64_t right_bit, std::uint64_t right_length);

// Where the bits of a bitstring are.
struct BitView {
  const std::uint8_t* bytes = nullptr;  // of the bytes object, from its beginning
  std::uint64_t offset = 0;             // in bits
  std::uint64_t length = 0;             // in bits
  Term base;                            // the bytes object

  bool is_byte_aligned() const { return offset % 8 == 0; }
  // REQUIRES: is_byte_aligned().
  const std::uint8_t* data() const { return bytes + offset / 8; }
};

// REQUIRES: is_bitstring(t).
inline BitView view_bits(Term t) {
  const Term* object = t.object();
  if (kind_of(object[0]) == Kind::kBytes)
    return {.bytes = reinterpret_cast<const std::uint8_t*>(object + 2),
            .offset = 0,
            .length = object[1].bits(),
            .base = t};
  return {.bytes = reinterpret_cast<const std::uint8_t*>(object[3].object() + 2),
          .offset = static_cast<std::uint64_t>(object[1].small_value()),
          .length = static_cast<std::uint64_t>(object[2].small_value()),
          .base = object[3]};
}

// A new bytes object of `bits` bits, all zero, with room for `capacity_bits` if that is more.
Term make_bytes(Heap& heap, std::uint64_t bits, std::uint64_t capacity_bits = 0);
// The bytes of a bytes object, to be filled while it is fresh.
inline std::uint8_t* bytes_of(Term bytes_object) {
  return reinterpret_cast<std::uint8_t*>(bytes_object.object() + 2);
}
// A binary with these bytes.
Term make_binary(Heap& heap, const void* data, std::size_t size);
// The bits of a bytes object from `offset`, `length` of them: a view, or the object itself if the view is all
// of it and the object has no spare room. (One with spare room may grow; nobody may hold it as a term.)
Term make_view(Heap& heap, Term bytes_object, std::uint64_t offset, std::uint64_t length);
// The part of a bitstring from `offset` (relative to it), `length` bits; shares the bytes.
Term make_sub_bits(Heap& heap, Term bitstring, std::uint64_t offset, std::uint64_t length);

}  // namespace ravel::erlang
