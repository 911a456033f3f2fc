// What a machine declares: fields, functions, states and what they do with events.

#pragma once

#include <optional>

#include "p/checker/context.h"
#include "p/checker/type_resolver.h"

namespace ravel::p {

class MachineDeclarer {
 public:
  explicit MachineDeclarer(Context& context) : context_(context), types_(context) {}

  // With a name, and its body is noted as one to check.
  void declare_function(const FunctionSyntax& syntax, std::optional<MachineId> owner);
  void declare_machine(MachineId id);

 private:
  FunctionId add_function(const FunctionSyntax& syntax, std::optional<MachineId> owner);
  void declare_fields(MachineId id, const MachineSyntax& syntax);
  void name_states(MachineId id, const MachineSyntax& syntax);
  void fill_state(StateId id, const StateSyntax& syntax);
  void add_item(StateId id, const StateItemSyntax& item);
  void add_actions(StateId id, const StateItemSyntax& item);
  void set_handler(StateId id, const StateItemSyntax& item, std::optional<FunctionId>& handler,
                   std::string_view what);
  std::optional<FunctionId> handler(MachineId machine, const StateItemSyntax& item);
  void choose_start(MachineId id, const MachineSyntax& syntax);

  Context& context_;
  TypeResolver types_;
};

}  // namespace ravel::p
