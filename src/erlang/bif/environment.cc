// What a program may ask about the host: an empty environment, UTF-8 file names, one process id.
#include "erlang/bif/process_family.h"
#include "erlang/bif/system_family.h"
#include "erlang/term/bits.h"
#include "erlang/term/utf8.h"

namespace ravel::erlang {

namespace {

std::string bytes_of_binary(Term binary) {
  const BitView view = view_bits(binary);
  std::string bytes(view.length / 8, '\0');
  copy_bits(reinterpret_cast<std::uint8_t*>(bytes.data()), 0, view.bytes, view.offset, view.length);
  return bytes;
}

// A name as a deep list of characters and atoms; nothing if it is none, or has a zero in it.
bool append_name(const Names& names, Term name, std::string& text) {
  for (; name.is_cons(); name = name.tail()) {
    const Term head = name.head();
    if (head.is_small()) {
      if (head.small_value() <= 0 || !is_unicode_scalar(static_cast<std::uint64_t>(head.small_value())))
        return false;
      append_utf8(text, static_cast<std::uint32_t>(head.small_value()));
    } else if (!append_name(names, head, text)) {
      return false;
    }
  }
  return name.is_nil();
}

std::optional<std::string> read_name(const Names& names, Term name) {
  std::string text;
  if (!is_list(name) || !append_name(names, name, text)) return std::nullopt;
  return text;
}

Term characters_of(Heap& heap, std::string_view text) {
  std::vector<Term> characters;
  for (std::size_t at = 0; at < text.size();) {
    const auto next = decode_utf8(text, at);
    characters.push_back(Term::small(next->character));
    at += next->size;
  }
  return heap.list(characters);
}

// For the prim_file functions: badarg without more information, as theirs.
Term plain_badarg(Call& call) { return call.raise(ErrorClass::kError, atoms::kBadarg); }

}  // namespace

Term env_0(Call&, const Term*) { return Term::nil(); }

Term getenv_1(Call& call, const Term* arguments) {
  return read_name(call.names, arguments[0]) ? atoms::kFalse : call.badarg();
}

Term getpid_0(Call& call, const Term*) { return make_string(call.heap, "1"); }

Term native_name_encoding_0(Call&, const Term*) { return atoms::kUtf8; }

Term internal_name2native_1(Call& call, const Term* arguments) {
  std::string text;
  if (is_binary(arguments[0])) {
    text = bytes_of_binary(arguments[0]);
    if (text.find('\0') != std::string::npos) return plain_badarg(call);
  } else {
    const auto name = read_name(call.names, arguments[0]);
    if (!name) return plain_badarg(call);
    text = *name;
  }
  return make_binary(call.heap, text.c_str(), text.size() + 1);  // with the final zero
}

Term internal_native2name_1(Call& call, const Term* arguments) {
  if (!is_binary(arguments[0])) return plain_badarg(call);
  const std::string text = bytes_of_binary(arguments[0]);
  if (!count_utf8(text)) return call.heap.tuple({atoms::kError, atoms::kWarning});
  return characters_of(call.heap, text);
}

// Composing characters takes tables that only file names of other systems need.
Term internal_normalize_utf8_1(Call& call, const Term* arguments) {
  if (!is_binary(arguments[0])) return plain_badarg(call);
  const std::string text = bytes_of_binary(arguments[0]);
  if (!count_utf8(text)) return plain_badarg(call);
  constexpr std::uint32_t kFirstCombining = 0x300;
  for (std::size_t at = 0; at < text.size();) {
    const auto next = decode_utf8(text, at);
    if (next->character >= kFirstCombining)
      return refuse(call, "prim_file:internal_normalize_utf8/1", " of such characters is not supported");
    at += next->size;
  }
  return characters_of(call.heap, text);
}

Term is_translatable_1(Call& call, const Term* arguments) {
  if (!is_binary(arguments[0])) return plain_badarg(call);
  return atoms::boolean(count_utf8(bytes_of_binary(arguments[0])).has_value());
}

}  // namespace ravel::erlang
