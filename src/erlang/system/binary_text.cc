#include "erlang/system/binary_text.h"

#include <algorithm>

#include "erlang/term/bits.h"
#include "erlang/term/utf8.h"

namespace ravel::erlang {

std::string text_of_binary(Term binary) {
  if (!is_bitstring(binary)) return {};
  const BitView view = view_bits(binary);
  std::string text(view.length / 8, '\0');
  copy_bits(reinterpret_cast<std::uint8_t*>(text.data()), 0, view.bytes, view.offset, text.size() * 8);
  if (!count_utf8(text)) text = latin1_to_utf8(text);
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text;
}

}  // namespace ravel::erlang
