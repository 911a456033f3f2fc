// Between lists and binaries: binary_to_list/1,3, list_to_binary/1, iolist_size/1 and their like.
#include "erlang/term/iodata.h"

#include "erlang/bif/binary_family.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

// The bytes `from` .. `from + size` of a bit string, in front of `tail`.
Term bytes_to_list(Heap& heap, const BitView& view, std::uint64_t from, std::uint64_t size, Term tail) {
  if (size == 0) return tail;
  Term* cell = heap.allocate(size * 2);
  const Term result = Term::cons(cell);
  std::uint64_t position = view.offset + from * 8;
  for (std::uint64_t i = 0; i < size; ++i, position += 8, cell += 2) {
    const std::uint8_t* at = view.bytes + position / 8;
    const unsigned shift = position % 8;
    const unsigned byte = shift == 0 ? *at : ((at[0] << 8 | at[1]) >> (8 - shift)) & 0xFF;
    cell[0] = Term::small(byte);
    cell[1] = i + 1 < size ? Term::cons(cell + 2) : tail;
  }
  return result;
}

Term list_to_bits(Call& call, Term list, IodataUnit unit) {
  if (!is_list(list)) return call.badarg();
  const Term result = flatten_iodata(call.heap, list, unit);
  return result.is_none() ? call.badarg() : result;
}

}  // namespace

Term binary_to_list_1(Call& call, const Term* arguments) {
  if (!is_binary(arguments[0])) return call.badarg();
  const BitView view = view_bits(arguments[0]);
  return bytes_to_list(call.heap, view, 0, view.length / 8, Term::nil());
}

Term binary_to_list_3(Call& call, const Term* arguments) {
  const bool is_taken =
      installed_release().wants_whole_bytes ? is_binary(arguments[0]) : is_bitstring(arguments[0]);
  if (!is_taken || !arguments[1].is_small() || !arguments[2].is_small()) return call.badarg();
  const BitView view = view_bits(arguments[0]);
  const std::int64_t first = arguments[1].small_value();
  const std::int64_t last = arguments[2].small_value();
  if (first < 1 || last < first || static_cast<std::uint64_t>(last) > view.length / 8) return call.badarg();
  return bytes_to_list(call.heap, view, static_cast<std::uint64_t>(first - 1),
                       static_cast<std::uint64_t>(last - first + 1), Term::nil());
}

Term bitstring_to_list_1(Call& call, const Term* arguments) {
  if (!is_bitstring(arguments[0])) return call.badarg();
  const BitView view = view_bits(arguments[0]);
  const std::uint64_t whole = view.length - view.length % 8;
  Term tail = Term::nil();
  if (whole != view.length)
    tail = call.heap.cons(make_sub_bits(call.heap, arguments[0], whole, view.length - whole), tail);
  return bytes_to_list(call.heap, view, 0, whole / 8, tail);
}

Term iolist_size_1(Call& call, const Term* arguments) {
  const auto bits = iodata_bits(arguments[0]);
  return bits ? call.heap.unsigned_integer(*bits / 8) : call.badarg();
}

Term iolist_to_binary_1(Call& call, const Term* arguments) {
  const Term result = flatten_iodata(call.heap, arguments[0]);
  return result.is_none() ? call.badarg() : result;
}

Term iolist_to_iovec_1(Call& call, const Term* arguments) {
  const Term result = iodata_vector(call.heap, arguments[0]);
  return result.is_none() ? call.badarg() : result;
}

Term list_to_binary_1(Call& call, const Term* arguments) {
  return list_to_bits(call, arguments[0], IodataUnit::kByte);
}

Term list_to_bitstring_1(Call& call, const Term* arguments) {
  return list_to_bits(call, arguments[0], IodataUnit::kBit);
}

}  // namespace ravel::erlang
