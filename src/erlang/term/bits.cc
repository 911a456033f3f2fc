#include "erlang/term/bits.h"

#include <algorithm>
#include <cstring>

namespace ravel::erlang {

namespace {

// The 8 bits that start at `bit`; reads the second byte only if the run reaches into it.
inline std::uint8_t byte_at(const std::uint8_t* bytes, std::uint64_t bit, std::uint64_t length) {
  const std::uint64_t index = bit / 8;
  const unsigned shift = bit % 8;
  unsigned value = static_cast<unsigned>(bytes[index]) << shift;
  if (shift + std::min<std::uint64_t>(length, 8) > 8)
    value |= static_cast<unsigned>(bytes[index + 1]) >> (8 - shift);
  return static_cast<std::uint8_t>(value);
}

}  // namespace

void copy_bits(std::uint8_t* to, std::uint64_t to_bit, const std::uint8_t* from, std::uint64_t from_bit,
               std::uint64_t length) {
  if (length == 0) return;
  if (to_bit % 8 == 0 && from_bit % 8 == 0) {
    std::memcpy(to + to_bit / 8, from + from_bit / 8, length / 8);
    const std::uint64_t done = length - length % 8;
    to_bit += done;
    from_bit += done;
    length -= done;
  }
  while (length > 0) {
    const unsigned room = 8 - to_bit % 8;
    const unsigned count = static_cast<unsigned>(std::min<std::uint64_t>(room, length));
    const unsigned mask = ((1U << count) - 1) << (room - count);
    const unsigned bits = static_cast<unsigned>(byte_at(from, from_bit, count)) >> (8 - count)
                                                                                       << (room - count);
    std::uint8_t& target = to[to_bit / 8];
    target = static_cast<std::uint8_t>((target & ~mask) | (bits & mask));
    to_bit += count;
    from_bit += count;
    length -= count;
  }
}

int compare_bits(const std::uint8_t* left, std::uint64_t left_bit, std::uint64_t left_length,
                 const std::uint8_t* right, std::uint64_t right_bit, std::uint64_t right_length) {
  const std::uint64_t common = std::min(left_length, right_length);
  std::uint64_t done = 0;
  if (left_bit % 8 == 0 && right_bit % 8 == 0) {
    const int order = std::memcmp(left + left_bit / 8, right + right_bit / 8, common / 8);
    if (order != 0) return order < 0 ? -1 : 1;
    done = common - common % 8;
  }
  while (done < common) {
    const std::uint64_t count = std::min<std::uint64_t>(8, common - done);
    const unsigned a = static_cast<unsigned>(byte_at(left, left_bit + done, count)) >> (8 - count);
    const unsigned b = static_cast<unsigned>(byte_at(right, right_bit + done, count)) >> (8 - count);
    if (a != b) return a < b ? -1 : 1;
    done += count;
  }
  if (left_length == right_length) return 0;
  return left_length < right_length ? -1 : 1;
}

Term make_bytes(Heap& heap, std::uint64_t bits, std::uint64_t capacity_bits) {
  const std::uint64_t data_words = (std::max(bits, capacity_bits) + 63) / 64;
  Term* object = heap.allocate(data_words + 2);
  object[0] = make_header(Kind::kBytes, data_words + 1);
  object[1] = Term(bits);
  std::memset(static_cast<void*>(object + 2), 0, data_words * sizeof(Term));
  return Term::boxed(object);
}

Term make_binary(Heap& heap, const void* data, std::size_t size) {
  const Term result = make_bytes(heap, std::uint64_t{size} * 8);
  if (size > 0) std::memcpy(bytes_of(result), data, size);
  return result;
}

Term make_view(Heap& heap, Term bytes_object, std::uint64_t offset, std::uint64_t length) {
  const Term* base = bytes_object.object();
  if (offset == 0 && length == base[1].bits() && size_of(base[0]) - 1 == (length + 63) / 64)
    return bytes_object;
  Term* object = heap.allocate(4);
  object[0] = make_header(Kind::kBitstring, 3);
  object[1] = Term::small(static_cast<std::int64_t>(offset));
  object[2] = Term::small(static_cast<std::int64_t>(length));
  object[3] = bytes_object;
  return Term::boxed(object);
}

Term make_sub_bits(Heap& heap, Term bitstring, std::uint64_t offset, std::uint64_t length) {
  const BitView view = view_bits(bitstring);
  if (offset == 0 && length == view.length) return bitstring;
  return make_view(heap, view.base, view.offset + offset, length);
}

}  // namespace ravel::erlang
