// What a program may ask about the host: an environment, which is empty at first and then holds what the
// program puts there, UTF-8 file names, one process id.
#include <algorithm>

#include "base/hash.h"
#include "erlang/bif/process_family.h"
#include "erlang/bif/system_family.h"
#include "erlang/machine/machine.h"
#include "erlang/term/bits.h"
#include "erlang/term/map.h"
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

// The name of a variable; `=` cannot be part of it.
std::optional<std::string> read_variable(const Names& names, Term name) {
  const auto text = read_name(names, name);
  return text && text->find('=') == std::string::npos ? text : std::nullopt;
}

Term binary_of(Call& call, std::string_view text) { return make_binary(call.heap, text.data(), text.size()); }

void note_variable(Call& call, const std::string& name, std::uint8_t how) {
  call.machine.record.note_access(ObjectClass::kEnvironment, hash_string(name, /*seed=*/1) | 1, how);
}

void note_all_variables(Call& call, std::uint8_t how) {
  call.machine.record.note_access(ObjectClass::kEnvironment, kAllVariables, how);
}

// For the prim_file functions: badarg without more information, as theirs.
Term plain_badarg(Call& call) { return call.raise(ErrorClass::kError, atoms::kBadarg); }

}  // namespace

// In the order of the names.
Term env_0(Call& call, const Term*) {
  note_all_variables(call, access::kRead);
  std::vector<std::pair<std::string, std::string>> variables;
  for (MapIterator pairs(call.machine.shared_terms().environment); pairs.next();)
    variables.emplace_back(bytes_of_binary(pairs.key()), bytes_of_binary(pairs.value()));
  std::ranges::sort(variables);
  std::vector<Term> list;
  for (const auto& [name, value] : variables)
    list.push_back(call.heap.tuple({characters_of(call.heap, name), characters_of(call.heap, value)}));
  return call.heap.list(list);
}

Term getenv_1(Call& call, const Term* arguments) {
  const auto name = read_variable(call.names, arguments[0]);
  if (!name) return call.badarg();
  note_variable(call, *name, access::kRead);
  const Term value = map_get(call.names, call.machine.shared_terms().environment, binary_of(call, *name));
  if (value.is_none()) {
    // Variables of Erlang/OTP's own tools, such as ERL_COMPILER_OPTIONS, decide nothing in a test.
    if (!name->starts_with("ERL_")) call.machine.faults.note_assumed(Assumed::kOneEnvironment);
    return atoms::kFalse;
  }
  return characters_of(call.heap, bytes_of_binary(value));
}

Term putenv_2(Call& call, const Term* arguments) {
  const auto name = read_variable(call.names, arguments[0]), value = read_name(call.names, arguments[1]);
  if (!name || !value) return call.badarg();
  note_variable(call, *name, access::kWrite);
  note_all_variables(call, access::kChange);
  const Term changed = map_put(call.heap, call.names, call.machine.shared_terms().environment,
                               binary_of(call, *name), binary_of(call, *value));
  call.machine.change_shared_terms().environment = changed;
  return atoms::kTrue;
}

Term unsetenv_1(Call& call, const Term* arguments) {
  const auto name = read_variable(call.names, arguments[0]);
  if (!name) return call.badarg();
  note_variable(call, *name, access::kRead);
  const Term key = binary_of(call, *name);
  if (map_get(call.names, call.machine.shared_terms().environment, key).is_none()) return atoms::kTrue;
  note_variable(call, *name, access::kWrite);
  note_all_variables(call, access::kChange);
  const Term changed = map_remove(call.heap, call.names, call.machine.shared_terms().environment, key);
  call.machine.change_shared_terms().environment = changed;
  return atoms::kTrue;
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
