// What all steps of the checker share: the program that is made, the names in it, and what is still to be
// done.

#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "p/program/program.h"
#include "p/source/diagnostics.h"
#include "p/syntax/declaration_syntax.h"

namespace ravel::p {

template <typename T>
using NameTable = std::unordered_map<std::string_view, T>;

// nullptr if there is none.
template <typename T>
const T* find(const NameTable<T>& table, std::string_view name) {
  const auto at = table.find(name);
  return at == table.end() ? nullptr : &at->second;
}

struct EnumElementRef {
  EnumId enumeration{};
  std::int64_t value = 0;
};

struct Typedef {
  const TypedefSyntax* syntax = nullptr;
  const Type* type = nullptr;  // once it is known
  bool is_being_resolved = false;
};

// P keeps a table for each kind of thing, so that an event and a variable may have one name.
struct GlobalNames {
  NameTable<EnumId> enums;
  NameTable<Typedef> typedefs;
  NameTable<EventId> events;
  NameTable<EnumElementRef> elements;
  NameTable<const EventSet*> event_sets;
  NameTable<InterfaceId> interfaces;
  NameTable<MachineId> machines;
  NameTable<FunctionId> functions;
  NameTable<ParameterId> parameters;
  NameTable<const NamedModuleSyntax*> modules;
  std::unordered_set<std::string_view> pure_functions;
};

struct MachineNames {
  NameTable<std::uint32_t> fields;
  NameTable<FunctionId> functions;
  NameTable<StateId> states;
};

// A body to check.
struct PendingBody {
  FunctionId function{};
  const FunctionSyntax* syntax = nullptr;
};

// What a function is used for between two states, where it may not leave again.
struct TransitionUse {
  FunctionId function{};
  Place place;
  bool is_exit = false;
};

struct Context {
  Program& program;
  Diagnostics& diagnostics;
  std::vector<const FileSyntax*> files;
  std::vector<const FileSyntax*> files_with_tests;
  GlobalNames names = {};
  std::vector<MachineNames> machine_names = {};  // by MachineId
  std::vector<const MachineSyntax*> machine_syntax = {};
  std::vector<PendingBody> bodies = {};
  std::vector<TransitionUse> transition_uses = {};
  EventSet all_events = {};                                    // and `halt`
  std::unordered_set<std::string_view> undeclared_types = {};  // that were reported

  void error(Place place, std::string sentence) { diagnostics.error(place, std::move(sentence)); }
  TypeTable& types() { return program.types; }
  std::string describe(Place place) const { return program.sources.describe(place); }
};

// `name` in ticks.
inline std::string quoted(std::string_view name) { return "`" + std::string(name) + "`"; }
// A string of its own type, so that std::quoted(), which wants exactly that, is never the better match.
inline std::string quoted(const std::string& name) { return quoted(std::string_view(name)); }
inline std::string quoted(const Type* type) { return "`" + to_string(type) + "`"; }
// "1 argument", "2 arguments"
std::string counted(std::size_t count, std::string_view what);
// "`T`, but `U` is needed", where nothing is called so.
std::string mismatch(const Type* actual, const Type* expected);

}  // namespace ravel::p
