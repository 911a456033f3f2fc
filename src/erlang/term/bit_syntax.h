// What the instructions of the bit syntax do: reading from a match context, and writing a new bit string.
//
// Reading. A match context (header.h) is a position and an end in a bytes object. It is mutable while it is
// young: a read that succeeds moves the position, one that fails leaves it. A position that is saved and set
// again counts from the beginning of the bytes object, which never changes under a context.
//
// Writing. `BitBuilder` knows the total size before the first bit is written: `begin` makes the room, the
// `put_...` functions fill it from left to right. `append` continues an existing bit string. If that is a
// view that ends where its young bytes object is used up, and spare room is after it, then the new bits go
// there, and the result is a longer view of the same object; otherwise the bits are copied once into an
// object with as much spare room again, so that appending in a loop costs amortised constant time a bit.
//
// Invariants:
//  1. A bytes object that is itself a term (or a literal, or stored) has no word of spare room.
//  2. Only an object with at least one spare word is extended in place; every term that reaches it is a
//     view or a context with its own end, so that nobody can see it grow.
//  3. Bytes objects lie in the nursery or the store, where reading up to seven bytes after an object is
//     harmless; the fast paths do that.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "erlang/term/atoms.h"
#include "erlang/term/bits.h"
#include "erlang/term/header.h"
#include "erlang/term/heap.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// The flags operand of bit syntax instructions, as it stands in BEAM files. `native` is little: a BEAM file
// that says so behaves as on the usual machines.
enum BitFlag : unsigned { kBitLittle = 2, kBitSigned = 4, kBitExact = 8, kBitNative = 16 };
constexpr bool is_little(unsigned flags) { return (flags & (kBitLittle | kBitNative)) != 0; }

// The largest bit string that can be made (8 GiB); asking for more is a system_limit.
inline constexpr std::uint64_t kBitSizeMax = std::uint64_t{1} << 36;

// size * unit, as a number of bits; nothing if it is no such number: not a small integer or negative, or too
// large for 63 bits. Reading then simply fails.
inline std::optional<std::uint64_t> field_bits(Term size, unsigned unit) {
  std::uint64_t bits;
  if (!size.is_small() || size.small_value() < 0 ||
      __builtin_mul_overflow(static_cast<std::uint64_t>(size.small_value()), std::uint64_t{unit}, &bits) ||
      bits >> 63 != 0)
    return std::nullopt;
  return bits;
}

// ---- Match contexts. Each function REQUIRES a term of kind kMatchContext, unless it says otherwise.

inline bool is_match_context(Term t) { return is_kind(t, Kind::kMatchContext); }

inline std::uint64_t context_position(Term context) {
  return static_cast<std::uint64_t>(context.object()[1].small_value());
}
inline std::uint64_t context_end(Term context) {
  return static_cast<std::uint64_t>(context.object()[2].small_value());
}
inline std::uint64_t context_left(Term context) { return context_end(context) - context_position(context); }
inline const std::uint8_t* context_bytes(Term context) { return bytes_of(context.object()[3]); }
inline void move_context(Term context, std::uint64_t position) {
  context.object()[1] = Term::small(static_cast<std::int64_t>(position));
}

// bs_get_position and bs_set_position.
inline Term get_position(Term context) { return context.object()[1]; }
inline void set_position(Term context, Term position) { context.object()[1] = position; }

// A fresh context at the beginning of a bit string; a context as it is; none for anything else.
inline Term start_match(Heap& heap, Term t) {
  if (!t.is_boxed()) return Term::none();
  const Kind kind = kind_of(t.header());
  if (kind == Kind::kMatchContext) return t;
  if (kind != Kind::kBytes && kind != Kind::kBitstring) return Term::none();
  const BitView view = view_bits(t);
  Term* object = heap.allocate(5);
  object[0] = make_header(Kind::kMatchContext, 4);
  object[1] = Term::small(static_cast<std::int64_t>(view.offset));
  object[2] = Term::small(static_cast<std::int64_t>(view.offset + view.length));
  object[3] = view.base;
  object[4] = Term::small(0);
  return Term::boxed(object);
}

// The first `bits` (1..57) of the bits from `position`, most significant first.
inline std::uint64_t load_bits(const std::uint8_t* bytes, std::uint64_t position, unsigned bits) {
  std::uint64_t word;
  std::memcpy(&word, bytes + position / 8, sizeof word);
  return __builtin_bswap64(word) << (position % 8) >> (64 - bits);
}

// The general case of match_integer; what is asked for is known to be there.
Term match_long_integer(Heap& heap, Term context, std::uint64_t bits, unsigned flags);

// An integer of any size; none if fewer bits are left.
inline Term match_integer(Heap& heap, Term context, std::uint64_t bits, unsigned flags) {
  const std::uint64_t position = context_position(context);
  if (context_end(context) - position < bits) return Term::none();
  if (bits - 1 < 57 && (!is_little(flags) || bits <= 8)) [[likely]] {
    const std::uint64_t value = load_bits(context_bytes(context), position, static_cast<unsigned>(bits));
    move_context(context, position + bits);
    if ((flags & kBitSigned) == 0) return Term::small(static_cast<std::int64_t>(value));
    const auto shift = static_cast<unsigned>(64 - bits);
    return Term::small(static_cast<std::int64_t>(value << shift) >> shift);
  }
  return match_long_integer(heap, context, bits, flags);
}

// A float of 16, 32 or 64 bits; none also if it is not finite. (0 bits are 0.0.)
Term match_float(Heap& heap, Term context, std::uint64_t bits, unsigned flags);

// The next `bits` bits.
inline Term match_binary(Heap& heap, Term context, std::uint64_t bits) {
  const std::uint64_t position = context_position(context);
  if (context_end(context) - position < bits) return Term::none();
  move_context(context, position + bits);
  return make_view(heap, context.object()[3], position, bits);
}

// Whether what is left is a multiple of `unit` (bs_test_unit).
inline bool test_unit(Term context, unsigned unit) {
  const std::uint64_t left = context_left(context);
  return (unit & (unit - 1)) == 0 ? (left & (unit - 1)) == 0 : left % unit == 0;
}
inline bool test_tail(Term context, std::uint64_t bits) { return context_left(context) == bits; }

// All bits that are left; none if their number is not a multiple of `unit`.
inline Term match_rest(Heap& heap, Term context, unsigned unit) {
  return test_unit(context, unit) ? match_binary(heap, context, context_left(context)) : Term::none();
}

inline bool skip_bits(Term context, std::uint64_t bits) {
  const std::uint64_t position = context_position(context);
  if (context_end(context) - position < bits) return false;
  move_context(context, position + bits);
  return true;
}
inline bool skip_rest(Term context, unsigned unit) {
  if (!test_unit(context, unit)) return false;
  move_context(context, context_end(context));
  return true;
}

// Whether the next `bits` bits are those of `bytes`; then skips them.
bool match_string(Term context, const std::uint8_t* bytes, std::uint64_t bits);

// All bits that are left, as a bit string; the context stays where it is (bs_get_tail).
inline Term context_tail(Heap& heap, Term context) {
  return make_view(heap, context.object()[3], context_position(context), context_left(context));
}

// The next character as a code point; none if there is no well-formed one.
Term match_utf8(Term context);
Term match_utf16(Term context, unsigned flags);
Term match_utf32(Term context, unsigned flags);
inline bool skip_utf8(Term context) { return !match_utf8(context).is_none(); }
inline bool skip_utf16(Term context, unsigned flags) { return !match_utf16(context, flags).is_none(); }
inline bool skip_utf32(Term context, unsigned flags) { return !match_utf32(context, flags).is_none(); }

// ---- Construction.

// Bytes that a code point takes in UTF-8 or UTF-16. Anything else gets a size too, as putting it fails later.
inline unsigned utf8_size(Term character) {
  if (!character.is_small()) return 4;
  const auto code = static_cast<std::uint64_t>(character.small_value());
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
inline unsigned utf16_size(Term character) {
  return character.is_small() && static_cast<std::uint64_t>(character.small_value()) < 0x10000 ? 2 : 4;
}

// Why a construction failed: the exception's reason (badarg or system_limit), and what `error_info` says of
// the segment: {Segment, Type, `error`, `value`} is its cause.
struct BitError {
  Term reason;
  Term error;  // type, size, unit, short, no_float or invalid
  Term value;
};

// Writes one bit string. Every function that returns bool (or a term) reports failure by false (or none),
// with `error()` set; the unfinished bit string is then garbage.
class BitBuilder {
 public:
  // ---- First: the total size. Each call adds one segment.
  void start() { total_ = 0; }
  std::uint64_t total_bits() const { return total_; }
  void add_bits(std::uint64_t bits) { total_ += bits; }
  bool add_size(Term size, unsigned unit);  // size * unit; a size that is none is the error `size`
  bool add_binary_all(Term bitstring);
  void add_utf8(Term character) { total_ += std::uint64_t{utf8_size(character)} * 8; }
  void add_utf16(Term character) { total_ += std::uint64_t{utf16_size(character)} * 8; }
  bool add_utf32(Term character);  // is the full check of the character, too

  // ---- Then: the result, with room for all that follows.
  Term begin(Heap& heap) { return begin(heap, total_); }
  Term begin(Heap& heap, std::uint64_t bits);
  // What continues `bitstring`, whose size must be a multiple of `unit`, by `extra_bits` (bs_append, and
  // bs_private_append, too).
  Term append(Heap& heap, Term bitstring, std::uint64_t extra_bits, unsigned unit);

  // ---- Then: the segments.
  bool put_integer(Term value, std::uint64_t bits, unsigned flags) {
    if (value.is_small() && (position_ % 8 | bits % 8) == 0 && bits <= 64 && !is_little(flags)) [[likely]] {
      put_bytes(static_cast<std::uint64_t>(value.small_value()), bits / 8);
      return true;
    }
    return put_any_integer(value, bits, flags);
  }
  bool put_float(Term value, std::uint64_t bits, unsigned flags);  // of 16, 32 or 64 bits; integers too
  bool put_binary(Term bitstring, std::uint64_t bits);             // the first bits of `bitstring`
  bool put_binary_all(Term bitstring, unsigned unit);
  void put_string(const std::uint8_t* bytes, std::uint64_t size);
  bool put_utf8(Term character);
  bool put_utf16(Term character, unsigned flags);
  bool put_utf32(Term character, unsigned flags);

  const BitError& error() const { return error_; }

 private:
  // The low bytes of `value`, most significant first. REQUIRES: the position is at a byte.
  void put_bytes(std::uint64_t value, std::uint64_t count) {
    std::uint8_t* to = bytes_ + position_ / 8;
    for (std::uint64_t i = count; i-- > 0; value >>= 8) to[i] = static_cast<std::uint8_t>(value);
    position_ += count * 8;
  }
  bool put_any_integer(Term value, std::uint64_t bits, unsigned flags);
  void put_raw(const std::uint8_t* bytes, std::uint64_t bits);
  bool fail(Term reason, Term error, Term value) {
    error_ = {reason, error, value};
    return false;
  }

  std::uint64_t total_ = 0;
  std::uint8_t* bytes_ = nullptr;  // of the bytes object under construction
  std::uint64_t position_ = 0;     // of the next bit
  BitError error_{Term::none(), Term::none(), Term::none()};
};

// An empty bit string with room to append `bytes` bytes in place (bs_init_writable).
Term make_writable(Heap& heap, std::uint64_t bytes);

}  // namespace ravel::erlang
