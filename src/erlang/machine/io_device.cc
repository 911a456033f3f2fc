#include "erlang/machine/io_device.h"

#include <vector>

#include "erlang/machine/machine.h"
#include "erlang/term/bits.h"
#include "erlang/term/release.h"
#include "erlang/term/utf8.h"

namespace ravel::erlang {

namespace {

bool append_characters(std::string& text, Term data, CharacterEncoding encoding) {
  const std::uint64_t character_max = encoding == CharacterEncoding::kLatin1 ? 0xFF : 0x10FFFF;
  if (data.is_small()) {
    const std::int64_t character = data.small_value();
    if (character < 0 || static_cast<std::uint64_t>(character) > character_max) return false;
    if (!is_unicode_scalar(static_cast<std::uint64_t>(character))) return false;
    append_utf8(text, static_cast<std::uint32_t>(character));
    return true;
  }
  if (!is_binary(data)) return data.is_nil();
  const BitView view = view_bits(data);
  std::string bytes(view.length / 8, '\0');
  copy_bits(reinterpret_cast<std::uint8_t*>(bytes.data()), 0, view.bytes, view.offset, view.length);
  text += encoding == CharacterEncoding::kLatin1 ? latin1_to_utf8(bytes) : bytes;
  return true;
}

std::optional<CharacterEncoding> encoding_named(Term name) {
  if (name == atoms::kUnicode) return CharacterEncoding::kUnicode;
  if (name == atoms::kLatin1) return CharacterEncoding::kLatin1;
  return std::nullopt;
}

}  // namespace

std::optional<std::string> characters_to_utf8(Term data, CharacterEncoding encoding) {
  std::string text;
  std::vector<Term> pending{data};
  while (!pending.empty()) {
    const Term next = pending.back();
    pending.pop_back();
    if (!next.is_cons()) {
      if (!append_characters(text, next, encoding)) return std::nullopt;
      continue;
    }
    // A tail is a list or, at the end of an improper one, a binary; no character.
    if (next.tail().is_small()) return std::nullopt;
    pending.push_back(next.tail());
    pending.push_back(next.head());
  }
  // A character may be split between two binaries, so only the whole text tells whether it is well-formed.
  if (!count_utf8(text)) return std::nullopt;
  return text;
}

void Device::print(std::string_view text) {
  if (on_output) return on_output(text);
  if (options.recurring && !machine.is_starting_system()) return;  // what was printed is no part of a state
  if (text.empty()) return;
  output_ = heap.cons(make_binary(heap, text.data(), text.size()), output_);
  note_shared_change();
}

std::string Device::output() const {
  std::vector<BitView> pieces;
  for (Term rest = output_; rest.is_cons(); rest = rest.tail()) pieces.push_back(view_bits(rest.head()));
  std::string text;
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece)
    text.append(reinterpret_cast<const char*>(piece->data()), piece->length / 8);
  return text;
}

// A request with a function to call, or with a prompt, goes to a process that does what module io does, and
// so do those that come while it has not answered: a device answers in order.
void Device::answer(Term message) {
  if (!is_tuple_of(message, 4) || element(message, 1) != atoms::kIoRequest) return;
  const Term from = element(message, 2);
  if (!from.is_pid() || from == names.device_pid()) return;
  const std::uint64_t name = server_.pid_name();
  record.note_access(ObjectClass::kLife, name, access::kRead);
  if (const Process* server = machine.processes.find_alive(server_)) {
    if (needs_process(element(message, 4)))
      return machine.signals.deliver(server_, message, names.device_pid());
    record.note_access(ObjectClass::kRun, name, access::kRead);
    record.note_access(ObjectClass::kMailbox, name, access::kRead);
    if (server->rest != Rest::kWaiting || !server->mailbox.empty())
      return machine.signals.deliver(server_, message, names.device_pid());
  }
  const Term reply = reply_to(element(message, 4));
  machine.signals.deliver(from, heap.tuple({atoms::kIoReply, element(message, 3), reply}),
                          names.device_pid());
}

bool Device::needs_process(Term request) const {
  if (!is_tuple(request) || tuple_size(request) == 0 || !element(request, 1).is_atom()) return false;
  const Word arity = tuple_size(request);
  const std::string_view kind = names.atoms.text(element(request, 1));
  if (kind == "put_chars") return arity >= 4;
  if (kind != "requests" || arity != 2) return kind.starts_with("get_") && kind != "get_geometry";
  for (Term rest = element(request, 2); rest.is_cons(); rest = rest.tail())
    if (needs_process(rest.head())) return true;
  return false;
}

Term Device::reply_to(Term request) {
  const auto text_is = [&](Term atom, std::string_view text) {
    return atom.is_atom() && names.atoms.text(atom) == text;
  };
  const auto error = [&](Term reason) { return heap.tuple({atoms::kError, reason}); };
  const auto unknown = [&] { return error(heap.tuple({names.atoms.make("request"), request})); };
  if (text_is(request, "getopts")) {
    const Term answer[] = {heap.tuple({atoms::kBinary, atoms::kFalse}),
                           heap.tuple({names.atoms.make("encoding"), atoms::kUnicode})};
    return heap.list(answer);
  }
  if (!is_tuple(request) || tuple_size(request) == 0) return unknown();
  const Term kind = element(request, 1);
  const Word arity = tuple_size(request);
  if (kind == atoms::kPutChars) {
    // Without an encoding it is latin1: {put_chars, Characters} and {put_chars, M, F, A}.
    if (arity == 4 || arity == 5) {
      machine.faults.refuse(
          "an io_request with a function to call, sent directly to the device, whose process the program has "
          "killed; "
          "call io:format/2 or io:put_chars/1 instead");
      return error(atoms::kPutChars);
    }
    if (arity != 2 && arity != 3) return unknown();
    const auto encoding = arity == 2 ? CharacterEncoding::kLatin1 : encoding_named(element(request, 2));
    if (!encoding) return unknown();
    const auto text = characters_to_utf8(element(request, arity), *encoding);
    if (!text) {
      if (!installed_release().tells_what_was_printed) return error(atoms::kPutChars);
      return error(heap.tuple({atoms::kPutChars,
                               *encoding == CharacterEncoding::kUnicode ? atoms::kUnicode : atoms::kLatin1,
                               element(request, arity)}));
    }
    print(*text);
    return atoms::kOk;
  }
  if (text_is(kind, "requests") && arity == 2) {
    Term reply = atoms::kOk;
    for (Term rest = element(request, 2); rest.is_cons(); rest = rest.tail()) {
      reply = reply_to(rest.head());
      if (is_tuple_of(reply, 2) && element(reply, 1) == atoms::kError) break;
    }
    return reply;
  }
  if (text_is(kind, "get_line") || text_is(kind, "get_chars") || text_is(kind, "get_until"))
    return atoms::kEof;
  if (text_is(kind, "setopts") && arity == 2) return is_list(element(request, 2)) ? atoms::kOk : unknown();
  if (text_is(kind, "get_geometry") && arity == 2) return error(names.atoms.make("enotsup"));
  return unknown();
}

Term Device::freeze() {
  output_ = store.intern(output_);
  return output_;
}

}  // namespace ravel::erlang
