#include "erlang/system/elixir_failure.h"

#include <string_view>

#include "erlang/term/atoms.h"
#include "erlang/term/bits.h"
#include "erlang/term/header.h"
#include "erlang/term/print_elixir.h"

namespace ravel::erlang {

namespace {

constexpr PrintOptions kShort{.depth_max = 12, .elements_max = 30, .bytes_max = 400};

std::string_view text_of_atom(const Names& names, Term term) {
  return term.is_atom() ? names.atoms.text(term) : std::string_view();
}

// The bytes of a binary, up to the end of the first line that is not empty.
std::string first_line(Term binary) {
  const BitView view = view_bits(binary);
  std::string text(view.length / 8, '\0');
  copy_bits(reinterpret_cast<std::uint8_t*>(text.data()), 0, view.bytes, view.offset, text.size() * 8);
  text.erase(0, text.find_first_not_of(" \n"));
  return text.substr(0, text.find('\n'));
}

struct ErlangError {
  std::string_view name;  // of the error, alone or with what it is about
  std::string_view exception;
  std::string_view about;  // before what it is about
};
constexpr ErlangError kErrors[] = {
    {"badarg", "ArgumentError", ""},
    {"badarith", "ArithmeticError", ""},
    {"badarity", "BadArityError", ""},
    {"badfun", "BadFunctionError", "expected a function, got: "},
    {"badkey", "KeyError", "key not found: "},
    {"badmap", "BadMapError", "expected a map, got: "},
    {"badmatch", "MatchError", "no match of right hand side value: "},
    {"case_clause", "CaseClauseError", "no case clause matching: "},
    {"cond_clause", "CondClauseError", ""},
    {"function_clause", "FunctionClauseError", ""},
    {"system_limit", "SystemLimitError", ""},
    {"try_clause", "TryClauseError", "no try clause matching: "},
    {"undef", "UndefinedFunctionError", ""},
    {"with_clause", "WithClauseError", "no with clause matching: "},
};

}  // namespace

std::optional<std::string> elixir_failure(const Names& names, Term reason) {
  if (text_of_atom(names, elixir_field(names, reason, "__exception__")) == "true") {
    const Term module = elixir_struct(names, reason);
    if (module.is_none()) return std::nullopt;
    const Term message = elixir_field(names, reason, "message");
    if (!message.is_none() && is_bitstring(message))
      return print_elixir_atom(names, module) + ": " + first_line(message);
    return print_elixir_term(names, reason, kShort);
  }
  // {badkey, Key, Map}: the map says too much for one line.
  const bool has_value =
      is_tuple_of(reason, 2) || (is_tuple_of(reason, 3) && element(reason, 1) == atoms::kBadkey);
  const std::string_view name = text_of_atom(names, has_value ? element(reason, 1) : reason);
  for (const ErlangError& error : kErrors) {
    if (error.name != name || (has_value && error.about.empty())) continue;
    std::string text(error.exception);
    if (has_value)
      text += ": " + std::string(error.about) + print_elixir_term(names, element(reason, 2), kShort);
    return text;
  }
  return std::nullopt;
}

std::optional<std::string> exunit_assertion(const Names& names, Term reason) {
  if (text_of_atom(names, elixir_struct(names, reason)) != "Elixir.ExUnit.AssertionError")
    return std::nullopt;
  const Term message = elixir_field(names, reason, "message");
  return !message.is_none() && is_bitstring(message) ? first_line(message) : "assertion failed";
}

}  // namespace ravel::erlang
