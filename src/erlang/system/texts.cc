#include "erlang/system/texts.h"

#include <optional>

#include "erlang/system/elixir_receive_clauses.h"
#include "erlang/system/receive_clauses.h"
#include "erlang/system/spawned_function.h"
#include "erlang/term/map.h"
#include "erlang/term/print.h"
#include "erlang/term/print_elixir.h"

namespace ravel::erlang {

namespace {

constexpr PrintOptions kShort{.depth_max = 12, .elements_max = 30, .bytes_max = 400};

}  // namespace

Language Texts::language_of(const Process& process) const {
  const CodeWord* const place = places_.best_place(machine_.traces.places_of(process));
  const Module* const module = place == nullptr ? nullptr : machine_.code.describe_place(place).module;
  if (module == nullptr) return of_test_;
  const std::string_view name = machine_.names.atoms.text(module->name);
  if (program_.find(name) == nullptr) return of_test_;
  return is_elixir_module(name) ? Language::kElixir : Language::kErlang;
}

std::string Texts::text_of(Term term) const {
  return language_ == Language::kElixir ? print_elixir_term(machine_.names, term, kShort)
                                        : print_term(machine_.names, term, kShort);
}

std::string Texts::text_of_function(Term module, Term function, std::uint32_t arity) const {
  const Names& names = machine_.names;
  const bool is_elixir = language_ == Language::kElixir || is_elixir_module(names.atoms.text(module));
  std::string_view name = names.atoms.text(function);
  if (!name.starts_with('-'))
    return is_elixir ? print_elixir_function(names, module, function, arity)
                     : print_function(names, module, function, arity);
  name.remove_prefix(1);
  const std::size_t slash = name.find('/');
  const std::string_view holder = name.substr(0, name.find('-', slash == name.npos ? 0 : slash));
  return is_elixir ? "a function in " + print_elixir_atom(names, module) + "." + std::string(holder)
                   : "a fun of " + print_atom(names, module) + ":" + std::string(holder);
}

// Its number and hash would change with every edit of the program.
std::string Texts::text_of_fun(Term fun) const {
  if (!is_kind(fun, Kind::kFun)) return {};
  const FunEntry& entry = machine_.names.fun(static_cast<std::uint32_t>(fun.object()[1].small_value()));
  if (!entry.name.is_atom()) return "a fun of module " + text_of(entry.module);
  return text_of_function(entry.module, entry.name, entry.arity);
}

std::string Texts::text_of_spawned(Term module, Term function, Term arguments) const {
  const SpawnedFunction spawned = spawned_function(machine_.names, module, function, arguments);
  if (!spawned.fun.is_none()) return text_of_fun(spawned.fun);
  if (!spawned.module.is_atom() || !spawned.function.is_atom())
    return text_of(spawned.module) + ":" + text_of(spawned.function);
  const std::string text = text_of_function(spawned.module, spawned.function, spawned.arity);
  return spawned.behaviour.empty() ? text : text + " (" + std::string(spawned.behaviour) + ")";
}

std::string Texts::name_of(Term pid) const {
  if (!pid.is_pid()) return text_of(pid);
  std::string name = machine_.names.pid_text(pid);
  const Process* process = machine_.processes.find(pid);
  if (process != nullptr && !process->attributes.registered_name.is_none())
    name += " (" +
            (language_ == Language::kElixir
                 ? print_elixir_atom(machine_.names, process->attributes.registered_name)
                 : print_atom(machine_.names, process->attributes.registered_name)) +
            ")";
  return name;
}

std::string Texts::function_of(const Process& process) const {
  const CodeWord* const place = places_.best_place(machine_.traces.places_of(process));
  const CodePlace found = place == nullptr ? CodePlace{} : machine_.code.describe_place(place);
  if (found.module == nullptr) return "an unknown place";
  return text_of_function(found.module->name, found.function, found.arity);
}

std::string Texts::constraint_of(const Process& process) const {
  if (process.receive_pc == nullptr) return "no message";  // a receive with an `after` alone
  const CodePlace found = machine_.code.describe_place(process.receive_pc);
  if (found.module == nullptr) return {};
  if (found.line != 0) {
    const std::string file = program_.source_path(found.module, found.file);
    const auto text = [&](std::uint32_t line) { return program_.source_line(file, line); };
    const ReceivePlace place = places_.receive_place(process.receive_pc, found, file);
    const bool is_elixir = is_elixir_module(machine_.names.atoms.text(found.module->name));
    std::string clauses = is_elixir ? elixir_receive_clauses(text, place) : receive_clauses(text, place);
    if (!clauses.empty()) return clauses;
  }
  return "a receive of " + text_of_function(found.module->name, found.function, found.arity);
}

std::string Texts::text_of_call(Term call) const {
  if (!is_tuple_of(call, 3) || !element(call, 1).is_atom() || !element(call, 2).is_atom() ||
      !element(call, 3).is_small())
    return {};
  return text_of_function(element(call, 1), element(call, 2),
                          static_cast<std::uint32_t>(element(call, 3).small_value()));
}

Term initial_call_of(const Machine& machine, const Process& process) {
  const std::optional<Term> key = machine.names.atoms.find("$initial_call");
  return key ? map_get(machine.names, process.attributes.dictionary, *key) : Term::none();
}

}  // namespace ravel::erlang
