// Built-ins on lists: the module lists, ++ and --, hd, tl, length.
#include <algorithm>
#include <array>

#include "erlang/bif/builtins.h"
#include "erlang/term/list.h"

namespace ravel::erlang {

namespace {

Term or_badarg(Call& call, Term result) { return result.is_none() ? call.badarg() : result; }

Term append_2(Call& call, const Term* arguments) {
  return or_badarg(call, append(call.heap, arguments[0], arguments[1]));
}

Term subtract_2(Call& call, const Term* arguments) {
  return or_badarg(call, subtract_lists(call.heap, call.names, arguments[0], arguments[1]));
}

Term hd_1(Call& call, const Term* arguments) {
  return arguments[0].is_cons() ? arguments[0].head() : call.badarg();
}

Term tl_1(Call& call, const Term* arguments) {
  return arguments[0].is_cons() ? arguments[0].tail() : call.badarg();
}

Term length_1(Call& call, const Term* arguments) {
  const auto length = list_length(arguments[0]);
  return length ? Term::small(static_cast<std::int64_t>(*length)) : call.badarg();
}

// The tuple that keyfind, keymember and keysearch look for, false, or none for arguments that are wrong.
Term find_tuple(const Term* arguments) {
  const Term position = arguments[1];
  if (!position.is_small() || position.small_value() < 1) return Term::none();
  return find_key(arguments[0], static_cast<Word>(position.small_value()), arguments[2]);
}

Term keyfind_3(Call& call, const Term* arguments) { return or_badarg(call, find_tuple(arguments)); }

Term keymember_3(Call& call, const Term* arguments) {
  const Term found = find_tuple(arguments);
  return found.is_none() ? call.badarg() : atoms::boolean(found != atoms::kFalse);
}

Term keysearch_3(Call& call, const Term* arguments) {
  const Term found = find_tuple(arguments);
  if (found.is_none()) return call.badarg();
  return found == atoms::kFalse ? found : call.heap.tuple({atoms::kValue, found});
}

Term member_2(Call& call, const Term* arguments) {
  return or_badarg(call, is_member(arguments[0], arguments[1]));
}

Term reverse_2(Call& call, const Term* arguments) {
  return or_badarg(call, reverse_onto(call.heap, arguments[0], arguments[1]));
}

constexpr auto kListBuiltins = std::to_array<Builtin>({
    {"erlang", "++", 2, Effect::kPure, append_2},
    {"erlang", "--", 2, Effect::kPure, subtract_2},
    {"erlang", "append", 2, Effect::kPure, append_2},
    {"erlang", "hd", 1, Effect::kPure, hd_1},
    {"erlang", "length", 1, Effect::kPure, length_1},
    {"erlang", "subtract", 2, Effect::kPure, subtract_2},
    {"erlang", "tl", 1, Effect::kPure, tl_1},
    {"lists", "keyfind", 3, Effect::kPure, keyfind_3},
    {"lists", "keymember", 3, Effect::kPure, keymember_3},
    {"lists", "keysearch", 3, Effect::kPure, keysearch_3},
    {"lists", "member", 2, Effect::kPure, member_2},
    {"lists", "reverse", 2, Effect::kPure, reverse_2},
});
static_assert(std::ranges::is_sorted(kListBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> list_builtins() { return kListBuiltins; }

}  // namespace ravel::erlang
