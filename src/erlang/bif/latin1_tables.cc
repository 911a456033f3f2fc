#include "erlang/bif/latin1_tables.h"

#include <array>
#include <cstddef>

namespace ravel::erlang {

namespace {

// Lower case, other case, bit maps of the classes, and classes by character.
class Latin1Tables {
 public:
  Latin1Tables() {
    for (unsigned c = 0; c < 256; ++c) {
      const unsigned lower = is_upper(c) ? c + 32 : c;
      const bool has_upper = is_lower(c) && c != 0xAA && c != 0xB5 && c != 0xBA && c != 0xDF && c != 0xFF;
      table_[c] = static_cast<std::uint8_t>(lower);
      table_[256 + c] = static_cast<std::uint8_t>(has_upper ? c - 32 : lower);
      const bool is_letter = is_upper(c) || is_lower(c);
      const bool is_digit = c >= '0' && c <= '9';
      const bool is_xdigit = is_digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      const bool is_space = c == ' ' || (c >= 9 && c <= 13);
      const bool is_word = is_letter || is_digit || c == '_';
      const bool is_graph = (c > 32 && c < 127) || c >= 0xA0;
      // In the order of PCRE: space, xdigit, digit, upper, lower, word, graph, print, punct, cntrl.
      const std::array classes = {is_space,
                                  is_xdigit,
                                  is_digit,
                                  is_upper(c),
                                  is_lower(c),
                                  is_word,
                                  is_graph,
                                  is_graph || c == ' ',
                                  is_graph && !is_letter && !is_digit,
                                  !is_graph && c != ' '};
      for (std::size_t i = 0; i < classes.size(); ++i)
        if (classes[i]) table_[512 + 32 * i + c / 8] |= static_cast<std::uint8_t>(1U << c % 8);
      table_[832 + c] =
          static_cast<std::uint8_t>((is_space ? 0x01 : 0) | (is_letter ? 0x02 : 0) |
                                    (is_lower(c) ? 0x04 : 0) | (is_digit ? 0x08 : 0) | (is_word ? 0x10 : 0));
    }
  }
  const std::uint8_t* data() const { return table_.data(); }

 private:
  static constexpr bool is_upper(unsigned c) {
    return (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7);
  }
  static constexpr bool is_lower(unsigned c) {
    return (c >= 'a' && c <= 'z') || c == 0xAA || c == 0xB5 || c == 0xBA || (c >= 0xDF && c != 0xF7);
  }
  std::array<std::uint8_t, 1088> table_{};
};

}  // namespace

const std::uint8_t* latin1_tables() {
  static const Latin1Tables tables;
  return tables.data();
}

}  // namespace ravel::erlang
