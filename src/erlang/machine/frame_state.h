// What frame_check.cc knows of a place in the code, and how it reads the signatures of instructions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "erlang/beam/beam_file.h"
#include "erlang/beam/opcode.h"

namespace ravel::erlang {

// A set of registers. Nearly all functions get along with the first 64 of each kind: kWords is 1 for them.
template <std::size_t kWords>
class RegisterSet {
 public:
  bool has(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void add(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void remove(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  void clear() { words_.fill(0); }
  bool has_all_below(std::size_t n) const {
    if (n > kWords * 64) return false;
    for (std::size_t w = 0; w * 64 < n; ++w)
      if ((~words_[w] & below(n - w * 64)) != 0) return false;
    return true;
  }
  bool has_any_below(std::size_t n) const {
    for (std::size_t w = 0; w < kWords && w * 64 < n; ++w)
      if ((words_[w] & below(n - w * 64)) != 0) return true;
    return false;
  }
  bool is_empty() const { return !has_any_below(kWords * 64); }
  void keep_below(std::size_t n) {
    for (std::size_t w = 0; w < kWords; ++w) words_[w] &= w * 64 < n ? below(n - w * 64) : 0;
  }
  void remove_below(std::size_t n) {
    for (std::size_t w = 0; w < kWords && w * 64 < n; ++w) words_[w] &= ~below(n - w * 64);
  }
  // Functions that return whether they have changed this set.
  bool intersect(const RegisterSet& other) {
    bool changed = false;
    for (std::size_t w = 0; w < kWords; ++w) {
      changed = changed || (words_[w] & ~other.words_[w]) != 0;
      words_[w] &= other.words_[w];
    }
    return changed;
  }
  bool unite(const RegisterSet& other) {
    bool changed = false;
    for (std::size_t w = 0; w < kWords; ++w) {
      changed = changed || (~words_[w] & other.words_[w]) != 0;
      words_[w] |= other.words_[w];
    }
    return changed;
  }

 private:
  // The first n bits of a word. REQUIRES: n > 0.
  static constexpr std::uint64_t below(std::size_t n) {
    return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
  }

  std::array<std::uint64_t, kWords> words_{};
};

// Size of the frame, or:
inline constexpr std::int32_t kNoFrame = -1, kUnknownFrame = -2;

template <std::size_t kWords>
struct FrameState {
  std::int32_t frame = kNoFrame;
  std::int32_t slots = 0;       // of the frame, on every path
  bool in_receive = false;      // on some path
  bool has_message = false;     // on every path: loop_rec has found one
  bool is_building = false;     // on every path: a binary, for bs_put_*
  bool x0_is_nothing = false;   // on some path: an exception has just been caught
  RegisterSet<kWords> set;      // x registers that hold a term, on every path
  RegisterSet<kWords> catches;  // stack slots that hold an open catch, on some path

  void set_frame(std::int32_t size) {
    frame = size;
    slots = std::max(size, 0);
  }

  // What holds here and there. Returns whether that has changed this state.
  bool join(const FrameState& other) {
    bool changed = false;
    const auto update = [&](auto& field, auto value) {
      changed = changed || field != value;
      field = value;
    };
    update(frame, frame == other.frame ? frame : kUnknownFrame);
    update(slots, std::min(slots, other.slots));
    update(in_receive, in_receive || other.in_receive);
    update(has_message, has_message && other.has_message);
    update(is_building, is_building && other.is_building);
    update(x0_is_nothing, x0_is_nothing || other.x0_is_nothing);
    const bool fewer = set.intersect(other.set);
    const bool more = catches.unite(other.catches);
    return changed || fewer || more;
  }
};

// How an instruction uses the registers among its operands: which ones it writes. It reads all others.
struct OperandUsage {
  static constexpr std::uint32_t kNowhere = 0xffffffff;
  std::uint32_t list_at = kNowhere;  // position of a list
  std::uint32_t live_at = kNowhere;  // position of the number of live registers
  std::uint32_t written = 0;         // bits, by position
  std::uint32_t stride = 1;          // of the list's elements
  std::uint32_t list_written = 0;    // bits, by position among the elements that repeat

  bool writes(std::size_t i) const {
    return i <= list_at ? (written >> i & 1) != 0 : (list_written >> ((i - list_at - 1) % stride) & 1) != 0;
  }

  static OperandUsage of(std::string_view signature) {
    OperandUsage usage;
    for (std::uint32_t i = 0; i < signature.size(); ++i) {
      switch (signature[i]) {
        case 'd':
        case 'y': usage.written |= 1u << i; break;
        case 'v': usage.live_at = i; break;
        case 'B': usage.list_at = i; return usage;
        case 'M': usage.list_at = i; return usage;  // looked at command by command
        case '[': {
          const std::string_view elements = signature.substr(i + 1, signature.size() - i - 2);
          usage.list_at = i;
          usage.stride = static_cast<std::uint32_t>(elements.size());
          for (std::uint32_t k = 0; k < elements.size(); ++k)
            if (elements[k] == 'd' || elements[k] == 'y') usage.list_written |= 1u << k;
          return usage;
        }
        default: break;
      }
    }
    return usage;
  }
};

}  // namespace ravel::erlang
