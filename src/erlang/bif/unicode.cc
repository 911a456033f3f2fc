// Characters, from any mixture of binaries and lists of code points, to UTF-8 or to a list of code points.
//
// What cannot be converted is handed back: {error, Converted, Rest} and {incomplete, Converted, Rest}. `Rest`
// has the shape that the emulator gives it, which shows how it walks: the rest of the innermost list, in a
// list cell for each list around it. A character may be spread over several binaries, but not over a binary
// and an integer.
//
// Only latin1 and UTF-8 are read here. The other encodings are Erlang code in the module unicode.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "erlang/bif/builtins.h"
#include "erlang/term/byte_text.h"
#include "erlang/term/release.h"
#include "erlang/term/utf8.h"

namespace ravel::erlang {

namespace {

enum class Encoding : std::uint8_t { kLatin1, kUtf8 };

// How many bytes a character has that begins with this one, by its first bits alone; 0: none begins so.
std::size_t sequence_size(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF8 ? 4 : 0;
}

bool is_continuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// Whether more bytes could make a character of these, as far as the emulator looks.
bool is_incomplete(std::string_view bytes) {
  const std::size_t size = sequence_size(static_cast<unsigned char>(bytes.front()));
  if (size == 2) return true;
  if (size < 3 || bytes.size() >= size) return false;
  return std::ranges::all_of(bytes.substr(1),
                             [](char byte) { return is_continuation(static_cast<unsigned char>(byte)); });
}

// Whether the emulator begins to convert at all; otherwise the call is a badarg. An integer that is too large
// ends this look, because it is going to be an error with a position.
bool is_convertible(Term t) {
  std::vector<Term> later;
  for (;;) {
    while (t.is_cons()) {
      const Term head = t.head();
      t = t.tail();
      if (head.is_cons()) {
        later.push_back(t);
        t = head;
      } else if (is_big(head)) {
        return true;
      } else if (!head.is_small() && !head.is_nil() && !is_binary(head)) {
        return false;
      }
    }
    if (!t.is_nil() && !is_binary(t)) return false;
    if (later.empty()) return true;
    t = later.back();
    later.pop_back();
  }
}

class Converter {
 public:
  Converter(Heap& heap, Encoding encoding) : heap_(heap), encoding_(encoding) {}

  // REQUIRES: is_convertible(t).
  void convert(Term t) {
    rest_ = t.is_cons() ? add_list(t) : t.is_nil() ? t : add_binary(t);
    if (!failed_) return;
    if (!leftover_.empty()) rest_ = heap_.list(std::array{leftover_term(), rest_});
  }

  const std::string& utf8() const { return utf8_; }

  // `converted`, or a tuple that says why it is not all.
  Term result(Term converted) {
    if (failed_) return heap_.tuple({atoms::kError, converted, rest_});
    if (leftover_.empty()) return converted;
    return heap_.tuple(
        {is_incomplete(leftover_) ? atoms::kIncomplete : atoms::kError, converted, leftover_term()});
  }

 private:
  Term leftover_term() { return make_binary(heap_, leftover_.data(), leftover_.size()); }

  Term fail(Term rest) {
    failed_ = true;
    return rest;
  }

  // Functions that return what is left to convert: [] unless the conversion failed.
  Term add_list(Term t) {
    std::vector<Term> later;  // the tails of the lists around this one
    const auto surround = [&](Term rest) {
      for (; !later.empty(); later.pop_back()) rest = heap_.cons(rest, later.back());
      return rest;
    };
    for (;;) {
      while (t.is_cons()) {
        const Term head = t.head();
        if (head.is_small()) {
          if (!leftover_.empty() || !add_character(head.small_value())) return surround(fail(t));
          t = t.tail();
        } else if (head.is_cons()) {
          later.push_back(t.tail());
          t = head;
        } else if (head.is_nil()) {
          t = t.tail();
        } else if (is_binary(head)) {
          const Term rest = add_binary(head);
          if (failed_) return surround(heap_.cons(rest, t.tail()));
          t = t.tail();
        } else {
          return surround(fail(t));
        }
      }
      if (!t.is_nil()) {
        const Term rest = is_binary(t) ? add_binary(t) : fail(t);
        if (failed_) return surround(rest);
      }
      if (later.empty()) return Term::nil();
      t = later.back();
      later.pop_back();
    }
  }

  bool add_character(std::int64_t character) {
    const auto code = static_cast<std::uint64_t>(character);
    if (!is_unicode_scalar(code) || (encoding_ == Encoding::kLatin1 && code > 255)) return false;
    append_utf8(utf8_, static_cast<std::uint32_t>(code));
    return true;
  }

  Term add_binary(Term binary) {
    const ByteText bytes(binary);
    const std::string_view text = bytes.text();
    if (encoding_ == Encoding::kLatin1) {
      for (const char byte : text) append_utf8(utf8_, static_cast<unsigned char>(byte));
      return Term::nil();
    }
    std::size_t at = 0;
    if (!leftover_.empty()) {
      const std::size_t missing =
          sequence_size(static_cast<unsigned char>(leftover_.front())) - leftover_.size();
      if (text.size() < missing) {
        leftover_ += text;
        return Term::nil();
      }
      const std::string whole = leftover_ + std::string(text.substr(0, missing));
      if (!decode_utf8(whole, 0)) return fail(binary);
      utf8_ += whole;
      leftover_.clear();
      at = missing;
    }
    while (at < text.size()) {
      const auto next = decode_utf8(text, at);
      if (!next) {
        if (sequence_size(static_cast<unsigned char>(text[at])) <= text.size() - at)
          return fail(make_sub_bits(heap_, binary, at * 8, (text.size() - at) * 8));
        leftover_ = text.substr(at);
        break;
      }
      utf8_ += text.substr(at, next->size);
      at += next->size;
    }
    return Term::nil();
  }

  Heap& heap_;
  const Encoding encoding_;
  std::string utf8_;
  std::string leftover_;  // the first bytes of a character that a binary ends with
  Term rest_ = Term::nil();
  bool failed_ = false;
};

// False if the encoding is one of those that are written in Erlang.
bool parse_encoding(Term t, Encoding& encoding) {
  encoding = t == atoms::kLatin1 ? Encoding::kLatin1 : Encoding::kUtf8;
  return t == atoms::kLatin1 || t == atoms::kUnicode || t == atoms::kUtf8;
}

Term bin_is_7bit_1(Call&, const Term* arguments) {
  if (!is_binary(arguments[0])) return atoms::kFalse;
  if (installed_release().takes_bits_for_bytes) return atoms::boolean(bit_size(arguments[0]) == 0);
  const ByteText bytes(arguments[0]);
  return atoms::boolean(
      std::ranges::all_of(bytes.text(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

Term characters_to_binary_2(Call& call, const Term* arguments) {
  Encoding encoding;
  if (!parse_encoding(arguments[1], encoding))
    return call.call_instead(call.atom("unicode"), call.atom("characters_to_binary_int"),
                             {arguments[0], arguments[1]});
  Term data = arguments[0];
  if (data.is_cons() && data.tail().is_nil() && is_bitstring(data.head())) data = data.head();
  if (!is_convertible(data)) return call.badarg();
  Converter converter(call.heap, encoding);
  converter.convert(data);
  const std::string& utf8 = converter.utf8();
  const bool is_same = is_bitstring(data) && bit_size(data) == utf8.size() * 8;
  return converter.result(is_same ? data : make_binary(call.heap, utf8.data(), utf8.size()));
}

Term characters_to_list_2(Call& call, const Term* arguments) {
  Encoding encoding;
  if (!parse_encoding(arguments[1], encoding))
    return call.call_instead(call.atom("unicode"), call.atom("characters_to_list_int"),
                             {arguments[0], arguments[1]});
  if (!is_convertible(arguments[0])) return call.badarg();
  Converter converter(call.heap, encoding);
  converter.convert(arguments[0]);
  const std::string& utf8 = converter.utf8();
  Term list = Term::nil();
  for (std::size_t at = utf8.size(); at > 0;) {
    do --at;
    while (is_continuation(static_cast<unsigned char>(utf8[at])));
    list = call.heap.cons(Term::small(decode_utf8(utf8, at)->character), list);
  }
  return converter.result(list);
}

inline constexpr auto kUnicodeBuiltins = std::to_array<Builtin>({
    {"unicode", "bin_is_7bit", 1, Effect::kPure, bin_is_7bit_1},
    {"unicode", "characters_to_binary", 2, Effect::kPure, characters_to_binary_2},
    {"unicode", "characters_to_list", 2, Effect::kPure, characters_to_list_2},
});
static_assert(std::ranges::is_sorted(kUnicodeBuiltins, {}, &Builtin::key), "built-ins are found by halving");

}  // namespace

std::span<const Builtin> unicode_builtins() { return kUnicodeBuiltins; }

}  // namespace ravel::erlang
