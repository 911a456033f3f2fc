#include "erlang/system/spawned_function.h"

#include <vector>

#include "erlang/term/atoms.h"
#include "erlang/term/header.h"

namespace ravel::erlang {

namespace {

std::vector<Term> elements_of(Term list) {
  std::vector<Term> elements;
  for (; list.is_cons(); list = list.tail()) elements.push_back(list.head());
  return elements;
}

}  // namespace

SpawnedFunction spawned_function(const Names& names, Term module, Term function, Term arguments) {
  const auto text = [&](Term atom) { return atom.is_atom() ? names.atoms.text(atom) : std::string_view(); };
  std::vector<Term> given = elements_of(arguments);
  if (module == atoms::kErlang && function == atoms::kApply && !given.empty()) return {.fun = given[0]};
  if (text(module) == "proc_lib" && text(function) == "init_p") {
    // [Parent, Ancestors, Fun] and [Parent, Ancestors, Module, Function, Arguments]
    if (given.size() == 3) return {.fun = given[2]};
    if (given.size() == 5) {
      module = given[2];
      function = given[3];
      arguments = given[4];
      given = elements_of(arguments);
    }
  }
  const SpawnedFunction called{
      .module = module, .function = function, .arity = static_cast<std::uint32_t>(given.size())};
  // [Behaviour, Starter, Parent, Module, Argument, Options], or with the process's name before the module.
  // gen_event runs no callback.
  if (text(module) != "gen" || text(function) != "init_it" || (given.size() != 6 && given.size() != 7))
    return called;
  if (text(given[0]) == "gen_event") return {.module = given[0], .function = function, .arity = 6};
  Term callbacks = given[given.size() - 3], argument = given[given.size() - 2];
  std::string_view behaviour = text(given[0]);
  if (text(callbacks) == "supervisor" && is_tuple_of(argument, 3)) {
    behaviour = "supervisor";
    callbacks = element(argument, 2);
  } else if (text(callbacks) == "supervisor_bridge" && argument.is_cons()) {
    behaviour = "supervisor_bridge";
    callbacks = argument.head();
  }
  if (!callbacks.is_atom()) return called;
  return {.module = callbacks, .function = atoms::kInit, .arity = 1, .behaviour = behaviour};
}

}  // namespace ravel::erlang
