// The algebra of modules: what a module implements, sends and creates, and which modules fit together.
//
// The rules are those of "Compositional Programming and Testing of Dynamic Distributed Systems" (Desai et
// al., OOPSLA 2018), as P's compiler checks them. A module is computed once, however often its name is used.

#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "p/checker/context.h"

namespace ravel::p {

struct ModuleInfo {
  // What it implements, and with which machine.
  std::map<InterfaceId, MachineId> definitions;
  // For each of these, what is created where the code of its machine says `new I`.
  std::map<InterfaceId, std::map<InterfaceId, InterfaceId>> links;
  // Specs, and the interfaces whose machines they watch.
  std::vector<std::pair<MachineId, std::vector<InterfaceId>>> monitors;
  EventSet sends;
  EventSet receives;
  EventSet hidden_events;
  InterfaceSet creates;
  InterfaceSet hidden_interfaces;

  InterfaceSet implemented() const;
};

class ModuleChecker {
 public:
  explicit ModuleChecker(Context& context) : context_(context) {}

  // nullptr if something is wrong, which is reported.
  const ModuleInfo* check(const ModuleSyntax& syntax);

 private:
  using Parts = std::vector<const ModuleInfo*>;

  std::optional<ModuleInfo> compute(const ModuleSyntax& syntax);
  const ModuleInfo* named(const Name& name);
  std::optional<ModuleInfo> bind(const ModuleSyntax& syntax);
  bool check_binding(const BindingSyntax& binding, InterfaceId& interface, MachineId& machine);
  std::optional<ModuleInfo> join(const ModuleSyntax& syntax, const Parts& parts);
  bool may_join(const ModuleSyntax& syntax, const ModuleInfo& a, const ModuleInfo& b);
  std::optional<ModuleInfo> with_specs(const ModuleSyntax& syntax, ModuleInfo module);
  std::optional<ModuleInfo> hide_events(const ModuleSyntax& syntax, ModuleInfo module);
  std::optional<ModuleInfo> hide_interfaces(const ModuleSyntax& syntax, ModuleInfo module);
  std::optional<ModuleInfo> renamed(const ModuleSyntax& syntax, const ModuleInfo& module);
  std::optional<InterfaceId> interface_of(const Name& name);
  // The events that references inside a value of the type give a right to.
  EventSet permissions(const Type* type) const;
  std::string name(EventId id) const { return quoted(context_.program.event(id).name); }
  std::string name(InterfaceId id) const { return quoted(context_.program.interface(id).name); }
  std::string name(MachineId id) const { return quoted(context_.program.machine(id).name); }

  struct Named {
    bool is_being_checked = false;
    const ModuleInfo* info = nullptr;
  };

  Context& context_;
  std::deque<ModuleInfo> infos_;
  NameTable<Named> named_;
  unsigned depth_ = 0;
};

}  // namespace ravel::p
