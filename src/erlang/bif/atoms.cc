// Built-ins on atoms: from and to text.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "erlang/bif/builtins.h"
#include "erlang/term/bits.h"
#include "erlang/term/utf8.h"

namespace ravel::erlang {

namespace {

enum class Encoding : std::uint8_t { kLatin1, kUtf8 };

std::optional<Encoding> encoding_of(Term t) {
  if (t == atoms::kLatin1) return Encoding::kLatin1;
  if (t == atoms::kUtf8 || t == atoms::kUnicode) return Encoding::kUtf8;
  return std::nullopt;
}

// May new atoms come into being?
enum class Atoms : std::uint8_t { kAll, kExisting };

// The text of an atom to be, or why it cannot be one.
struct AtomText {
  enum class Status : std::uint8_t { kGood, kBad, kTooLong } status;
  std::string text;
};

Term to_atom(Call& call, const AtomText& text, Atoms which) {
  if (text.status == AtomText::Status::kBad) return call.badarg();
  if (which == Atoms::kExisting) {
    const auto found =
        text.status == AtomText::Status::kGood ? call.names.atoms.find(text.text) : std::nullopt;
    return found ? *found : call.badarg();
  }
  if (text.status == AtomText::Status::kTooLong) return call.system_limit();
  return call.atom(text.text);
}

AtomText text_of_list(Term list) {
  AtomText result{.status = AtomText::Status::kGood, .text = {}};
  std::size_t length = 0;
  for (; list.is_cons(); list = list.tail()) {
    // The length is checked first: what is wrong after the limit does not matter.
    if (length++ == kAtomCharactersMax) return {.status = AtomText::Status::kTooLong, .text = {}};
    const Term head = list.head();
    if (!head.is_small() || !is_unicode_scalar(static_cast<std::uint64_t>(head.small_value())))
      return {.status = AtomText::Status::kBad, .text = {}};
    append_utf8(result.text, static_cast<std::uint32_t>(head.small_value()));
  }
  if (!list.is_nil()) result.status = AtomText::Status::kBad;
  return result;
}

AtomText text_of_binary(Term binary, Term encoding_atom) {
  constexpr AtomText::Status kGood = AtomText::Status::kGood;
  const auto encoding = encoding_of(encoding_atom);
  if (!is_binary(binary) || !encoding) return {.status = AtomText::Status::kBad, .text = {}};
  const BitView view = view_bits(binary);
  std::string bytes(view.length / 8, '\0');
  copy_bits(reinterpret_cast<std::uint8_t*>(bytes.data()), 0, view.bytes, view.offset, view.length);
  if (*encoding == Encoding::kLatin1) {
    if (bytes.size() > kAtomCharactersMax) return {.status = AtomText::Status::kTooLong, .text = {}};
    return {.status = kGood, .text = latin1_to_utf8(bytes)};
  }
  const auto characters = count_utf8(bytes);
  if (!characters) return {.status = AtomText::Status::kBad, .text = {}};
  if (*characters > kAtomCharactersMax) return {.status = AtomText::Status::kTooLong, .text = {}};
  return {.status = kGood, .text = std::move(bytes)};
}

Term atom_to_list_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_atom()) return call.badarg();
  const std::string_view text = call.names.atoms.text(arguments[0]);
  Term characters[kAtomCharactersMax];
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto next = decode_utf8(text, at);
    characters[count++] = Term::small(next->character);
    at += next->size;
  }
  return call.heap.list(std::span<const Term>(characters, count));
}

Term atom_to_binary_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_atom()) return call.badarg();
  const std::string_view text = call.names.atoms.text(arguments[0]);
  return make_binary(call.heap, text.data(), text.size());
}

Term atom_to_binary_2(Call& call, const Term* arguments) {
  const auto encoding = encoding_of(arguments[1]);
  if (!arguments[0].is_atom() || !encoding) return call.badarg();
  if (*encoding == Encoding::kUtf8) return atom_to_binary_1(call, arguments);
  const auto latin1 = utf8_to_latin1(call.names.atoms.text(arguments[0]));
  return latin1 ? make_binary(call.heap, latin1->data(), latin1->size()) : call.badarg();
}

Term binary_to_atom_1(Call& call, const Term* arguments) {
  return to_atom(call, text_of_binary(arguments[0], atoms::kUtf8), Atoms::kAll);
}
Term binary_to_atom_2(Call& call, const Term* arguments) {
  return to_atom(call, text_of_binary(arguments[0], arguments[1]), Atoms::kAll);
}
Term binary_to_existing_atom_1(Call& call, const Term* arguments) {
  return to_atom(call, text_of_binary(arguments[0], atoms::kUtf8), Atoms::kExisting);
}
Term binary_to_existing_atom_2(Call& call, const Term* arguments) {
  return to_atom(call, text_of_binary(arguments[0], arguments[1]), Atoms::kExisting);
}
Term list_to_atom_1(Call& call, const Term* arguments) {
  return to_atom(call, text_of_list(arguments[0]), Atoms::kAll);
}
Term list_to_existing_atom_1(Call& call, const Term* arguments) {
  return to_atom(call, text_of_list(arguments[0]), Atoms::kExisting);
}

constexpr auto kAtomBuiltins = std::to_array<Builtin>({
    {"erlang", "atom_to_binary", 1, Effect::kPure, atom_to_binary_1},
    {"erlang", "atom_to_binary", 2, Effect::kPure, atom_to_binary_2},
    {"erlang", "atom_to_list", 1, Effect::kPure, atom_to_list_1},
    {"erlang", "binary_to_atom", 1, Effect::kPure, binary_to_atom_1},
    {"erlang", "binary_to_atom", 2, Effect::kPure, binary_to_atom_2},
    {"erlang", "binary_to_existing_atom", 1, Effect::kPure, binary_to_existing_atom_1},
    {"erlang", "binary_to_existing_atom", 2, Effect::kPure, binary_to_existing_atom_2},
    {"erlang", "list_to_atom", 1, Effect::kPure, list_to_atom_1},
    {"erlang", "list_to_existing_atom", 1, Effect::kPure, list_to_existing_atom_1},
});
static_assert(std::ranges::is_sorted(kAtomBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> atom_builtins() { return kAtomBuiltins; }

}  // namespace ravel::erlang
