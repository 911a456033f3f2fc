// One value of P in one 64-bit word.
//
// The three low bits are the tag:
//
//   ...pppppp000   points at an object of the store (object.h); the word 0 is no value at all
//   ...iiiiii001   integer of 61 bits, signed; larger ones are objects
//   ...iiiiii010   event: its number in the program. What it carries is not part of it
//   ...iiiiii011   machine: its number in the run. What it may be sent is not part of it
//         000100   null
//      00b001100   false, true
//
// An element of an enum is its integer, as in P.
//
// Invariants:
//  1. Two values are equal, as P compares them, iff they are the same word.
//  2. An integer that fits 61 bits is never an object.

#pragma once

#include <cstdint>

namespace ravel::p {

using Word = std::uint64_t;

class Value {
 public:
  constexpr Value() = default;  // none
  explicit constexpr Value(Word bits) : bits_(bits) {}

  static constexpr Value none() { return Value(); }
  static constexpr Value null() { return Value(0b100); }
  static constexpr Value boolean(bool truth) { return Value(truth ? 0b1001100 : 0b0001100); }
  // REQUIRES: fits_small(number).
  static constexpr Value small(std::int64_t number) { return Value(static_cast<Word>(number) << 3 | 0b001); }
  static constexpr Value event(std::uint32_t number) { return Value(Word{number} << 3 | 0b010); }
  static constexpr Value machine(std::uint32_t number) { return Value(Word{number} << 3 | 0b011); }

  constexpr Word bits() const { return bits_; }
  constexpr bool is_none() const { return bits_ == 0; }
  constexpr bool is_object() const { return (bits_ & 7) == 0 && bits_ != 0; }
  constexpr bool is_null() const { return bits_ == null().bits_; }
  constexpr bool is_boolean() const { return (bits_ & ~Word{0b1000000}) == 0b0001100; }
  constexpr bool is_small() const { return (bits_ & 7) == 0b001; }
  constexpr bool is_event() const { return (bits_ & 7) == 0b010; }
  constexpr bool is_machine() const { return (bits_ & 7) == 0b011; }

  // REQUIRES: the matching is_...().
  constexpr bool truth() const { return bits_ == boolean(true).bits_; }
  constexpr std::int64_t small_value() const { return static_cast<std::int64_t>(bits_) >> 3; }
  constexpr std::uint32_t event_number() const { return static_cast<std::uint32_t>(bits_ >> 3); }
  constexpr std::uint32_t machine_number() const { return static_cast<std::uint32_t>(bits_ >> 3); }
  Word* object() const { return reinterpret_cast<Word*>(bits_); }

  friend constexpr bool operator==(Value, Value) = default;

 private:
  Word bits_ = 0;
};

static_assert(sizeof(Value) == 8);

inline constexpr std::int64_t kSmallMax = (std::int64_t{1} << 60) - 1;
inline constexpr std::int64_t kSmallMin = -(std::int64_t{1} << 60);
constexpr bool fits_small(std::int64_t number) { return number >= kSmallMin && number <= kSmallMax; }

}  // namespace ravel::p
