// Terms as Elixir writes them, for people: %{a: 1}, "text", :atom, Module.function/1, #PID<P.1>.
//
// What Elixir's Inspect protocol shows by default, on one line: structs by their fields, except for ranges
// and sets (MapSet), in the order of their names; lists of characters as ~c"...". Implementations of the
// protocol are code of the program and are not called. Processes have their logical names. The limits are
// those of print_term.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "erlang/term/names.h"
#include "erlang/term/print.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// PrintOptions::style is not looked at.
std::string print_elixir_term(const Names& names, Term term, const PrintOptions& options = {});

// :atom, nil, or a module's alias.
std::string print_elixir_atom(const Names& names, Term atom);
// "M.f/1", ":lists.map/2", with quotes as needed.
std::string print_elixir_function(const Names& names, Term module, Term function, std::uint64_t arity);

// Whether a module's name is an alias, as Elixir names its modules: Elixir.Foo.
bool is_elixir_module(std::string_view name);

// The value of a field of a struct or a map with atoms as keys; none if there is no such field.
Term elixir_field(const Names& names, Term map, std::string_view key);
// The module of a struct, or none.
Term elixir_struct(const Names& names, Term map);

}  // namespace ravel::erlang
