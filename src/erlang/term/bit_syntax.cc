#include "erlang/term/bit_syntax.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include "erlang/term/big_integer.h"
#include "erlang/term/half_float.h"
#include "erlang/term/utf8.h"

namespace ravel::erlang {

namespace {

// Room for appending is at least this much, so that short bit strings are not copied at each step.
constexpr std::uint64_t kSpareBitsMin = 512;
// The room that a program may ask for at once by bs_init_writable; the rest comes when it is needed.
constexpr std::uint64_t kWritableBytesMax = std::uint64_t{1} << 16;

// 1..64 bits, most significant first.
std::uint64_t load_word(const std::uint8_t* bytes, std::uint64_t position, unsigned bits) {
  if (bits <= 57) return load_bits(bytes, position, bits);
  const unsigned low = bits - 32;
  return load_bits(bytes, position, 32) << low | load_bits(bytes, position + 32, low);
}

// Writes 1..64 low bits of `value`, most significant first.
void store_word(std::uint8_t* bytes, std::uint64_t position, std::uint64_t value, unsigned bits) {
  const std::uint64_t from = __builtin_bswap64(value << (64 - bits));
  copy_bits(bytes, position, reinterpret_cast<const std::uint8_t*>(&from), 0, bits);
}

// The limbs of an integer in two's complement, without end.
class TwosComplement {
 public:
  explicit TwosComplement(Term integer) {
    if (integer.is_small()) {
      small_ = static_cast<std::uint64_t>(integer.small_value());
      limbs_ = &small_;
      count_ = 1;
      fill_ = integer.small_value() < 0 ? ~std::uint64_t{0} : 0;
    } else {
      limbs_ = reinterpret_cast<const std::uint64_t*>(integer.object() + 1);
      count_ = size_of(integer.header());
      negate_ = kind_of(integer.header()) == Kind::kNegativeBig;
      fill_ = negate_ ? ~std::uint64_t{0} : 0;
    }
  }
  TwosComplement(const TwosComplement&) = delete;
  TwosComplement& operator=(const TwosComplement&) = delete;

  // The next 64 bits, least significant first.
  std::uint64_t next() {
    if (index_ == count_) return fill_;
    std::uint64_t limb = limbs_[index_++];
    if (negate_) {
      limb = ~limb + carry_;
      if (limb != 0) carry_ = 0;
    }
    return limb;
  }

 private:
  std::uint64_t small_ = 0;
  const std::uint64_t* limbs_;
  std::uint64_t count_;
  std::uint64_t index_ = 0;
  std::uint64_t carry_ = 1;
  std::uint64_t fill_;
  bool negate_ = false;
};

}  // namespace

Term match_long_integer(Heap& heap, Term context, std::uint64_t bits, unsigned flags) {
  if (bits == 0) return Term::small(0);
  const std::uint64_t count = (bits + 63) / 64;
  const std::uint8_t* bytes = context_bytes(context);
  const std::uint64_t position = context_position(context);
  Term* object = heap.allocate(count + 1);
  auto* limbs = reinterpret_cast<std::uint64_t*>(object + 1);
  if (is_little(flags)) {
    std::uint64_t done = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      limbs[i] = 0;
      for (unsigned shift = 0; shift < 64 && done < bits; shift += 8) {
        const auto size = static_cast<unsigned>(std::min<std::uint64_t>(8, bits - done));
        limbs[i] |= load_bits(bytes, position + done, size) << shift;
        done += size;
      }
    }
  } else {
    std::uint64_t left = bits;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto size = static_cast<unsigned>(std::min<std::uint64_t>(64, left));
      left -= size;
      limbs[i] = load_word(bytes, position + left, size);
    }
  }
  const auto top_bits = static_cast<unsigned>((bits - 1) % 64 + 1);
  const bool negative = (flags & kBitSigned) != 0 && limbs[count - 1] >> (top_bits - 1) != 0;
  if (negative) {
    if (top_bits < 64) limbs[count - 1] |= ~std::uint64_t{0} << top_bits;
    std::uint64_t carry = 1;
    for (std::uint64_t i = 0; i < count; ++i) {
      limbs[i] = ~limbs[i] + carry;
      if (limbs[i] != 0) carry = 0;
    }
  }
  std::uint64_t used = count;
  while (used > 1 && limbs[used - 1] == 0) --used;
  if (used > limbs_max()) return Term::none();
  move_context(context, position + bits);
  if (used == 1 && limbs[0] <= static_cast<std::uint64_t>(kSmallMax) + (negative ? 1 : 0)) {
    const auto magnitude = static_cast<std::int64_t>(limbs[0]);
    heap.set_top(object);
    return Term::small(negative ? -magnitude : magnitude);
  }
  object[0] = make_header(negative ? Kind::kNegativeBig : Kind::kPositiveBig, used);
  heap.set_top(object + 1 + used);
  return Term::boxed(object);
}

Term match_float(Heap& heap, Term context, std::uint64_t bits, unsigned flags) {
  if (bits == 0) return heap.floating(0.0);
  if (context_left(context) < bits || (bits != 16 && bits != 32 && bits != 64)) return Term::none();
  const std::uint64_t position = context_position(context);
  std::uint64_t word = load_word(context_bytes(context), position, static_cast<unsigned>(bits));
  if (is_little(flags)) word = __builtin_bswap64(word) >> (64 - bits);
  const double value = bits == 64 ? std::bit_cast<double>(word)
                       : bits == 32
                           ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(word)))
                           : half_to_double(static_cast<std::uint16_t>(word));
  if (!std::isfinite(value)) return Term::none();
  move_context(context, position + bits);
  return heap.floating(value);
}

bool match_string(Term context, const std::uint8_t* bytes, std::uint64_t bits) {
  const std::uint64_t position = context_position(context);
  if (context_end(context) - position < bits) return false;
  if (compare_bits(context_bytes(context), position, bits, bytes, 0, bits) != 0) return false;
  move_context(context, position + bits);
  return true;
}

Term match_utf8(Term context) {
  const std::uint64_t position = context_position(context);
  const std::uint64_t left = context_left(context);
  if (left < 8) return Term::none();
  const std::uint64_t word = load_bits(context_bytes(context), position, 32);
  if (word >> 31 == 0) {
    move_context(context, position + 8);
    return Term::small(static_cast<std::int64_t>(word >> 24));
  }
  const auto bytes = static_cast<std::uint32_t>(__builtin_bswap32(static_cast<std::uint32_t>(word)));
  const std::string_view text(reinterpret_cast<const char*>(&bytes), std::min<std::uint64_t>(4, left / 8));
  const auto next = decode_utf8(text, 0);
  if (!next) return Term::none();
  move_context(context, position + std::uint64_t{next->size} * 8);
  return Term::small(next->character);
}

Term match_utf16(Term context, unsigned flags) {
  const std::uint64_t position = context_position(context);
  const std::uint64_t left = context_left(context);
  const auto unit_at = [&](std::uint64_t bit) {
    const auto word = static_cast<std::uint16_t>(load_bits(context_bytes(context), bit, 16));
    return static_cast<std::uint32_t>(is_little(flags) ? __builtin_bswap16(word) : word);
  };
  if (left < 16) return Term::none();
  const std::uint32_t first = unit_at(position);
  if (is_unicode_scalar(first)) {
    move_context(context, position + 16);
    return Term::small(first);
  }
  if (first > 0xDBFF || left < 32) return Term::none();
  const std::uint32_t second = unit_at(position + 16);
  if (second < 0xDC00 || second > 0xDFFF) return Term::none();
  move_context(context, position + 32);
  return Term::small((((first & 0x3FF) << 10) | (second & 0x3FF)) + 0x10000);
}

Term match_utf32(Term context, unsigned flags) {
  const std::uint64_t position = context_position(context);
  if (context_left(context) < 32) return Term::none();
  auto word = static_cast<std::uint32_t>(load_bits(context_bytes(context), position, 32));
  if (is_little(flags)) word = __builtin_bswap32(word);
  if (!is_unicode_scalar(word)) return Term::none();
  move_context(context, position + 32);
  return Term::small(word);
}

// ---- Construction

bool BitBuilder::add_size(Term size, unsigned unit) {
  const auto bits = field_bits(size, unit);
  if (!bits) {
    const bool is_too_large = size.is_small() ? size.small_value() >= 0 : is_kind(size, Kind::kPositiveBig);
    return fail(is_too_large ? atoms::kSystemLimit : atoms::kBadarg, atoms::kSize, size);
  }
  // Saturates, so that the sum of several large segments is seen to be too large.
  total_ = *bits > kBitSizeMax ? kBitSizeMax + 1 : std::min(total_ + *bits, kBitSizeMax + 1);
  return true;
}

bool BitBuilder::add_binary_all(Term bitstring) {
  if (!is_bitstring(bitstring)) return fail(atoms::kBadarg, atoms::kType, bitstring);
  total_ += bit_size(bitstring);
  return true;
}

bool BitBuilder::add_utf32(Term character) {
  if (!character.is_small() || !is_unicode_scalar(static_cast<std::uint64_t>(character.small_value())))
    return fail(atoms::kBadarg, atoms::kType, character);
  total_ += 32;
  return true;
}

Term BitBuilder::begin(Heap& heap, std::uint64_t bits) {
  if (bits > kBitSizeMax) {
    fail(atoms::kSystemLimit, atoms::kSize, heap.unsigned_integer(bits));
    return Term::none();
  }
  const Term result = make_bytes(heap, bits);
  bytes_ = bytes_of(result);
  position_ = 0;
  return result;
}

Term BitBuilder::append(Heap& heap, Term bitstring, std::uint64_t extra_bits, unsigned unit) {
  if (!is_bitstring(bitstring)) {
    fail(atoms::kBadarg, atoms::kType, bitstring);
    return Term::none();
  }
  const BitView view = view_bits(bitstring);
  if (view.length % unit != 0) {
    fail(atoms::kBadarg, atoms::kUnit, bitstring);
    return Term::none();
  }
  if (extra_bits == 0) return bitstring;
  const std::uint64_t length = view.length + extra_bits;
  if (extra_bits > kBitSizeMax || length > kBitSizeMax) {
    fail(atoms::kSystemLimit, atoms::kSize, bitstring);
    return Term::none();
  }
  Term* base = view.base.object();
  const std::uint64_t end = view.offset + view.length;
  const std::uint64_t capacity = (size_of(base[0]) - 1) * 64;
  const bool can_extend = heap.is_young(view.base) && base[1].bits() == end &&
                          capacity >= (end + 63) / 64 * 64 + 64 && end + extra_bits <= capacity;
  Term target = view.base;
  std::uint64_t offset = view.offset;
  if (can_extend) {
    base[1] = Term(end + extra_bits);
  } else {
    target = make_bytes(heap, length, length + std::max(length, kSpareBitsMin));
    copy_bits(bytes_of(target), 0, view.bytes, view.offset, view.length);
    offset = 0;
  }
  bytes_ = bytes_of(target);
  position_ = offset + view.length;
  return make_view(heap, target, offset, length);
}

bool BitBuilder::put_any_integer(Term value, std::uint64_t bits, unsigned flags) {
  if (!is_integer(value)) return fail(atoms::kBadarg, atoms::kType, value);
  if (bits == 0) return true;
  if (value.is_small() && bits <= 64 && !is_little(flags)) {
    store_word(bytes_, position_, static_cast<std::uint64_t>(value.small_value()),
               static_cast<unsigned>(bits));
    position_ += bits;
    return true;
  }
  TwosComplement limbs(value);
  if (is_little(flags)) {
    for (std::uint64_t done = 0; done < bits;) {
      std::uint64_t limb = limbs.next();
      for (unsigned i = 0; i < 8 && done < bits; ++i, limb >>= 8) {
        const auto size = static_cast<unsigned>(std::min<std::uint64_t>(8, bits - done));
        store_word(bytes_, position_ + done, limb, size);
        done += size;
      }
    }
  } else {
    for (std::uint64_t left = bits; left > 0;) {
      const auto size = static_cast<unsigned>(std::min<std::uint64_t>(64, left));
      left -= size;
      store_word(bytes_, position_ + left, limbs.next(), size);
    }
  }
  position_ += bits;
  return true;
}

bool BitBuilder::put_float(Term value, std::uint64_t bits, unsigned flags) {
  if (bits != 16 && bits != 32 && bits != 64)
    return fail(atoms::kBadarg, atoms::kInvalid, Term::small(static_cast<std::int64_t>(bits)));
  if (!is_number(value)) return fail(atoms::kBadarg, atoms::kType, value);
  const std::optional<double> converted = is_float(value) ? float_value(value) : to_double(value);
  if (!converted) return fail(atoms::kBadarg, atoms::kNoFloat, value);
  const double number = *converted;
  std::uint64_t word;
  if (bits == 64) {
    word = std::bit_cast<std::uint64_t>(number);
  } else if (bits == 32) {
    // A number that is too large becomes infinite, as in the emulator. A small integer is rounded once.
    word = std::bit_cast<std::uint32_t>(value.is_small() ? static_cast<float>(value.small_value())
                                                         : static_cast<float>(number));
  } else {
    word = double_to_half(number);
  }
  if (is_little(flags)) word = __builtin_bswap64(word) >> (64 - bits);
  store_word(bytes_, position_, word, static_cast<unsigned>(bits));
  position_ += bits;
  return true;
}

bool BitBuilder::put_binary(Term bitstring, std::uint64_t bits) {
  if (!is_bitstring(bitstring)) return fail(atoms::kBadarg, atoms::kType, bitstring);
  const BitView view = view_bits(bitstring);
  if (view.length < bits) return fail(atoms::kBadarg, atoms::kShort, bitstring);
  copy_bits(bytes_, position_, view.bytes, view.offset, bits);
  position_ += bits;
  return true;
}

bool BitBuilder::put_binary_all(Term bitstring, unsigned unit) {
  if (!is_bitstring(bitstring)) return fail(atoms::kBadarg, atoms::kType, bitstring);
  const std::uint64_t bits = bit_size(bitstring);
  if (bits % unit != 0) return fail(atoms::kBadarg, atoms::kUnit, bitstring);
  return put_binary(bitstring, bits);
}

void BitBuilder::put_string(const std::uint8_t* bytes, std::uint64_t size) { put_raw(bytes, size * 8); }

void BitBuilder::put_raw(const std::uint8_t* bytes, std::uint64_t bits) {
  copy_bits(bytes_, position_, bytes, 0, bits);
  position_ += bits;
}

bool BitBuilder::put_utf8(Term character) {
  if (!character.is_small() || !is_unicode_scalar(static_cast<std::uint64_t>(character.small_value())))
    return fail(atoms::kBadarg, atoms::kType, character);
  std::uint8_t bytes[4];
  put_raw(bytes, std::uint64_t{encode_utf8(static_cast<std::uint32_t>(character.small_value()), bytes)} * 8);
  return true;
}

bool BitBuilder::put_utf16(Term character, unsigned flags) {
  if (!character.is_small() || !is_unicode_scalar(static_cast<std::uint64_t>(character.small_value())))
    return fail(atoms::kBadarg, atoms::kType, character);
  const auto put_unit = [&](std::uint32_t unit) {
    const auto high = static_cast<std::uint8_t>(unit >> 8);
    const auto low = static_cast<std::uint8_t>(unit);
    const std::uint8_t bytes[2] = {is_little(flags) ? low : high, is_little(flags) ? high : low};
    put_raw(bytes, 16);
  };
  const auto code = static_cast<std::uint32_t>(character.small_value());
  if (code < 0x10000) {
    put_unit(code);
  } else {
    put_unit(0xD800 | (code - 0x10000) >> 10);
    put_unit(0xDC00 | (code & 0x3FF));
  }
  return true;
}

bool BitBuilder::put_utf32(Term character, unsigned flags) {
  if (!character.is_small() || !is_unicode_scalar(static_cast<std::uint64_t>(character.small_value())))
    return fail(atoms::kBadarg, atoms::kType, character);
  return put_integer(character, 32, flags);
}

Term make_writable(Heap& heap, std::uint64_t bytes) {
  const Term base = make_bytes(heap, 0, std::max(std::min(bytes, kWritableBytesMax) * 8, kSpareBitsMin));
  return make_view(heap, base, 0, 0);
}

}  // namespace ravel::erlang
