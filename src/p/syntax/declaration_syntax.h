// Declarations as they are written, and the file that holds them.

#pragma once

#include <optional>
#include <vector>

#include "p/source/machine_kind.h"
#include "p/syntax/module_syntax.h"
#include "p/syntax/statement_syntax.h"

namespace ravel::p {

struct TypedefSyntax {
  Name name = {};
  const TypeSyntax* type = nullptr;  // none: it is foreign
};

struct EnumElementSyntax {
  Name name = {};
  std::optional<Name> value = {};  // digits
};

struct EnumSyntax {
  Name name = {};
  std::span<const EnumElementSyntax> elements = {};
};

struct EventSyntax {
  Name name = {};
  const TypeSyntax* payload = nullptr;
};

struct EventSetSyntax {
  Name name = {};
  std::span<const Name> events = {};
};

struct InterfaceSyntax {
  Name name = {};
  const TypeSyntax* payload = nullptr;
  std::optional<std::span<const Name>> receives = {};
};

enum class StateItemForm : std::uint8_t {
  kEntry,   // name or handler
  kExit,    // name or handler
  kDefer,   // events
  kIgnore,  // events
  kDo,      // events, name or handler
  kGoto,    // events, target; name, handler or neither
};

struct StateItemSyntax {
  StateItemForm form = StateItemForm::kEntry;
  Place place = {};
  std::span<const Name> events = {};
  Name target = {};
  std::optional<Name> name = {};  // of a function
  const FunctionSyntax* handler = nullptr;
};

struct StateSyntax {
  Name name = {};
  Place place = {};
  bool is_start = false;
  Temperature temperature = Temperature::kWarm;
  std::span<const StateItemSyntax> items = {};
};

struct MachineSyntax {
  Name name = {};
  Place place = {};
  MachineKind kind = MachineKind::kMachine;
  // Several clauses are one.
  std::optional<std::span<const Name>> receives = {};
  std::optional<std::span<const Name>> sends = {};
  std::span<const Name> observes = {};
  std::span<const VariableSyntax> fields = {};
  std::span<const FunctionSyntax* const> functions = {};
  std::span<const StateSyntax> states = {};
};

// The declarations of a file, those of each kind in their order.
struct FileSyntax {
  std::vector<TypedefSyntax> typedefs;
  std::vector<EnumSyntax> enums;
  std::vector<EventSyntax> events;
  std::vector<EventSetSyntax> event_sets;
  std::vector<InterfaceSyntax> interfaces;
  std::vector<MachineSyntax> machines;
  std::vector<const FunctionSyntax*> functions;
  std::vector<VariableSyntax> parameters;
  std::vector<NamedModuleSyntax> modules;
  std::vector<TestSyntax> tests;
  std::vector<TestSyntax> implementations;
  // What only P's verifier uses: `pure` functions, whose names a message wants to know.
  std::vector<Name> pure_functions;
};

}  // namespace ravel::p
