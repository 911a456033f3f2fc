// Binaries: sizes, parts, copies, numbers as bytes; and the table of the family.
#include <algorithm>
#include <array>

#include "erlang/bif/binary_family.h"
#include "erlang/bif/builtins.h"
#include "erlang/term/big_integer.h"
#include "erlang/term/bit_syntax.h"
#include "erlang/term/byte_text.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

constexpr std::int64_t kHeapBytesMax = 64;

bool is_whole_enough(Term bitstring) {
  return bit_size(bitstring) % 8 == 0 || !installed_release().wants_whole_bytes;
}

Term part_of(Call& call, Term bitstring, Term start, Term length) {
  if (!is_bitstring(bitstring) || !is_whole_enough(bitstring)) return call.badarg();
  ByteRange range;
  if (!find_byte_range(start, length, bit_size(bitstring) / 8, range)) return call.badarg();
  return make_sub_bits(call.heap, bitstring, range.start * 8, range.size() * 8);
}

Term binary_part_2(Call& call, const Term* arguments) {
  if (!is_tuple_of(arguments[1], 2)) return call.badarg();
  return part_of(call, arguments[0], element(arguments[1], 1), element(arguments[1], 2));
}

Term binary_part_3(Call& call, const Term* arguments) {
  return part_of(call, arguments[0], arguments[1], arguments[2]);
}

Term split_binary_2(Call& call, const Term* arguments) {
  if (!is_bitstring(arguments[0]) || !arguments[1].is_small() || arguments[1].small_value() < 0)
    return call.badarg();
  const std::uint64_t bits = bit_size(arguments[0]);
  const auto at = static_cast<std::uint64_t>(arguments[1].small_value());
  if (at > bits / 8) return call.badarg();
  const Term left = make_sub_bits(call.heap, arguments[0], 0, at * 8);
  const Term right = make_sub_bits(call.heap, arguments[0], at * 8, bits - at * 8);
  return call.heap.tuple({left, right});
}

// What code of OTP 27 and later asks of a match context is how much is left to be matched.
Term bit_size_1(Call& call, const Term* arguments) {
  if (is_match_context(arguments[0])) return call.heap.unsigned_integer(context_left(arguments[0]));
  if (!is_bitstring(arguments[0])) return call.badarg();
  return call.heap.unsigned_integer(bit_size(arguments[0]));
}

Term byte_size_1(Call& call, const Term* arguments) {
  if (is_match_context(arguments[0])) return call.heap.unsigned_integer((context_left(arguments[0]) + 7) / 8);
  if (!is_bitstring(arguments[0])) return call.badarg();
  return call.heap.unsigned_integer((bit_size(arguments[0]) + 7) / 8);
}

// Unlike byte_size/1 it does not count a last part of a byte.
Term size_1(Call& call, const Term* arguments) {
  if (is_tuple(arguments[0])) return call.heap.unsigned_integer(tuple_size(arguments[0]));
  if (!is_bitstring(arguments[0])) return call.badarg();
  return call.heap.unsigned_integer(bit_size(arguments[0]) / 8);
}

Term byte_at(Call& call, Term binary, std::uint64_t index) {
  if (index >= bit_size(binary) / 8) return call.badarg();
  const BitView view = view_bits(binary);
  return Term::small(static_cast<std::int64_t>(load_bits(view.bytes, view.offset + index * 8, 8)));
}

Term at_2(Call& call, const Term* arguments) {
  const auto index = to_uint64(arguments[1]);
  return is_binary(arguments[0]) && index ? byte_at(call, arguments[0], *index) : call.badarg();
}

Term first_1(Call& call, const Term* arguments) {
  return is_binary(arguments[0]) ? byte_at(call, arguments[0], 0) : call.badarg();
}

Term last_1(Call& call, const Term* arguments) {
  return is_binary(arguments[0]) ? byte_at(call, arguments[0], bit_size(arguments[0]) / 8 - 1)
                                 : call.badarg();
}

Term copy_times(Call& call, Term binary, Term times) {
  const auto count = to_uint64(times);
  if (!is_bitstring(binary) || !count || !is_whole_enough(binary)) return call.badarg();
  if (*count == 0) return make_bytes(call.heap, 0);
  if (!is_binary(binary)) return call.badarg();
  const BitView view = view_bits(binary);
  std::uint64_t bits;
  if (__builtin_mul_overflow(view.length, *count, &bits) || bits > kBitSizeMax) return call.system_limit();
  const Term result = make_bytes(call.heap, bits);
  for (std::uint64_t position = 0; position < bits; position += view.length)
    copy_bits(bytes_of(result), position, view.bytes, view.offset, view.length);
  return result;
}

Term copy_1(Call& call, const Term* arguments) { return copy_times(call, arguments[0], Term::small(1)); }

Term copy_2(Call& call, const Term* arguments) { return copy_times(call, arguments[0], arguments[1]); }

// What a binary keeps alive is up to the garbage collector of an emulator; here every binary counts as if it
// had bytes of its own, so that the answer does not depend on where the binary was last saved.
Term referenced_byte_size_1(Call& call, const Term* arguments) {
  const Term size = byte_size_1(call, arguments);
  if (size.is_none() || !installed_release().takes_bits_for_bytes || size.small_value() > kHeapBytesMax)
    return size;
  return Term::small(size.small_value() * 8);
}

Term decode(Call& call, Term binary, Term order) {
  if (!is_binary(binary) || (order != atoms::kBig && order != atoms::kLittle)) return call.badarg();
  // A field of an integer, without its leading zeros: those may be more than an integer has room for.
  BitView view = view_bits(binary);
  const auto top_byte = [&] {
    const std::uint64_t at = order == atoms::kBig ? view.offset : view.offset + view.length - 8;
    return load_bits(view.bytes, at, 8);
  };
  while (view.length > 0 && top_byte() == 0) {
    if (order == atoms::kBig) view.offset += 8;
    view.length -= 8;
  }
  const Term context = start_match(call.heap, make_view(call.heap, view.base, view.offset, view.length));
  const Term result =
      match_integer(call.heap, context, view.length, order == atoms::kLittle ? unsigned{kBitLittle} : 0U);
  return result.is_none() ? call.system_limit() : result;
}

Term decode_unsigned_1(Call& call, const Term* arguments) { return decode(call, arguments[0], atoms::kBig); }

Term decode_unsigned_2(Call& call, const Term* arguments) { return decode(call, arguments[0], arguments[1]); }

Term encode(Call& call, Term integer, Term order) {
  if (order != atoms::kBig && order != atoms::kLittle) return call.badarg();
  std::uint64_t top;
  std::uint64_t lower_limbs = 0;
  if (integer.is_small() && integer.small_value() >= 0) {
    top = static_cast<std::uint64_t>(integer.small_value());
  } else if (is_kind(integer, Kind::kPositiveBig)) {
    lower_limbs = size_of(integer.header()) - 1;
    top = integer.object()[1 + lower_limbs].bits();
  } else {
    return call.badarg();
  }
  const auto top_bits = static_cast<std::uint64_t>(64 - (top == 0 ? 63 : __builtin_clzll(top)));
  const std::uint64_t bits = lower_limbs * 64 + (top_bits + 7) / 8 * 8;
  BitBuilder builder;
  const Term result = builder.begin(call.heap, bits);
  builder.put_integer(integer, bits, order == atoms::kLittle ? unsigned{kBitLittle} : 0U);
  return result;
}

Term encode_unsigned_1(Call& call, const Term* arguments) { return encode(call, arguments[0], atoms::kBig); }

Term encode_unsigned_2(Call& call, const Term* arguments) { return encode(call, arguments[0], arguments[1]); }

enum class Direction : std::uint8_t { kForward, kBackward };

// How many bytes all binaries of a list have in common, from their beginning or their end.
Term longest_common(Call& call, Term list, Direction direction) {
  if (!list.is_cons()) return call.badarg();
  for (Term t = list; !t.is_nil(); t = t.tail())
    if (!t.is_cons() || !is_binary(t.head())) return call.badarg();
  const ByteText first(list.head());
  std::uint64_t common = first.size();
  for (Term t = list.tail(); !t.is_nil(); t = t.tail()) {
    const ByteText other(t.head());
    common = std::min<std::uint64_t>(common, other.size());
    const auto differs = [&](std::uint64_t i) {
      return direction == Direction::kForward
                 ? first.text()[i] != other.text()[i]
                 : first.text()[first.size() - 1 - i] != other.text()[other.size() - 1 - i];
    };
    std::uint64_t same = 0;
    while (same < common && !differs(same)) ++same;
    common = same;
  }
  return call.heap.unsigned_integer(common);
}

Term longest_common_prefix_1(Call& call, const Term* arguments) {
  return longest_common(call, arguments[0], Direction::kForward);
}

Term longest_common_suffix_1(Call& call, const Term* arguments) {
  return longest_common(call, arguments[0], Direction::kBackward);
}

inline constexpr auto kBinaryBuiltins = std::to_array<Builtin>({
    {"binary", "at", 2, Effect::kPure, at_2},
    {"binary", "compile_pattern", 1, Effect::kPure, compile_pattern_1},
    {"binary", "copy", 1, Effect::kPure, copy_1},
    {"binary", "copy", 2, Effect::kPure, copy_2},
    {"binary", "decode_unsigned", 1, Effect::kPure, decode_unsigned_1},
    {"binary", "decode_unsigned", 2, Effect::kPure, decode_unsigned_2},
    {"binary", "encode_unsigned", 1, Effect::kPure, encode_unsigned_1},
    {"binary", "encode_unsigned", 2, Effect::kPure, encode_unsigned_2},
    {"binary", "first", 1, Effect::kPure, first_1},
    {"binary", "last", 1, Effect::kPure, last_1},
    {"binary", "list_to_bin", 1, Effect::kPure, list_to_binary_1},
    {"binary", "longest_common_prefix", 1, Effect::kPure, longest_common_prefix_1},
    {"binary", "longest_common_suffix", 1, Effect::kPure, longest_common_suffix_1},
    {"binary", "match", 2, Effect::kPure, match_2},
    {"binary", "match", 3, Effect::kPure, match_3},
    {"binary", "matches", 2, Effect::kPure, matches_2},
    {"binary", "matches", 3, Effect::kPure, matches_3},
    {"binary", "part", 2, Effect::kPure, binary_part_2},
    {"binary", "part", 3, Effect::kPure, binary_part_3},
    {"binary", "referenced_byte_size", 1, Effect::kPure, referenced_byte_size_1},
    {"binary", "split", 2, Effect::kPure, split_2},
    {"binary", "split", 3, Effect::kPure, split_3},
    {"erlang", "binary_part", 2, Effect::kPure, binary_part_2},
    {"erlang", "binary_part", 3, Effect::kPure, binary_part_3},
    {"erlang", "binary_to_list", 1, Effect::kPure, binary_to_list_1},
    {"erlang", "binary_to_list", 3, Effect::kPure, binary_to_list_3},
    {"erlang", "bit_size", 1, Effect::kPure, bit_size_1},
    {"erlang", "bitstring_to_list", 1, Effect::kPure, bitstring_to_list_1},
    {"erlang", "byte_size", 1, Effect::kPure, byte_size_1},
    {"erlang", "iolist_size", 1, Effect::kPure, iolist_size_1},
    {"erlang", "iolist_to_binary", 1, Effect::kPure, iolist_to_binary_1},
    {"erlang", "iolist_to_iovec", 1, Effect::kPure, iolist_to_iovec_1},
    {"erlang", "list_to_binary", 1, Effect::kPure, list_to_binary_1},
    {"erlang", "list_to_bitstring", 1, Effect::kPure, list_to_bitstring_1},
    {"erlang", "size", 1, Effect::kPure, size_1},
    {"erlang", "split_binary", 2, Effect::kPure, split_binary_2},
});
static_assert(std::ranges::is_sorted(kBinaryBuiltins, {}, &Builtin::key), "built-ins are found by halving");

}  // namespace

std::span<const Builtin> binary_builtins() { return kBinaryBuiltins; }

}  // namespace ravel::erlang
