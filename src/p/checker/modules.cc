#include "p/checker/modules.h"

#include <algorithm>
#include <set>

#include "p/checker/numbers.h"
#include "p/source/nesting.h"

namespace ravel::p {

InterfaceSet ModuleInfo::implemented() const {
  InterfaceSet result;
  for (const auto& [interface, machine] : definitions) result.add(interface);
  return result;
}

const ModuleInfo* ModuleChecker::check(const ModuleSyntax& syntax) {
  if (syntax.form == ModuleForm::kName) return named(syntax.name);
  if (depth_ > kNestingMax) {
    context_.error(syntax.place,
                   "modules are nested more than " + std::to_string(kNestingMax) + " deep here");
    return nullptr;
  }
  ++depth_;
  std::optional<ModuleInfo> info = compute(syntax);
  --depth_;
  return info ? &infos_.emplace_back(std::move(*info)) : nullptr;
}

const ModuleInfo* ModuleChecker::named(const Name& name) {
  const auto* syntax = find(context_.names.modules, name.text);
  if (syntax == nullptr) {
    context_.error(name.place, quoted(name.text) + " is not declared: no module has that name");
    return nullptr;
  }
  const auto [at, is_new] = named_.try_emplace(name.text);
  if (at->second.is_being_checked)
    context_.error(name.place, "the module " + quoted(name.text) + " contains itself");
  if (!is_new) return at->second.info;
  at->second.is_being_checked = true;
  const ModuleInfo* info = check(*(*syntax)->module);
  named_[name.text] = {.info = info};
  return info;
}

std::optional<ModuleInfo> ModuleChecker::compute(const ModuleSyntax& syntax) {
  if (syntax.form == ModuleForm::kBind) return bind(syntax);
  Parts parts;
  for (const ModuleSyntax* part : syntax.parts) parts.push_back(check(*part));
  if (std::ranges::find(parts, nullptr) != parts.end()) return std::nullopt;
  switch (syntax.form) {
    case ModuleForm::kCompose:
    case ModuleForm::kUnion: return join(syntax, parts);
    case ModuleForm::kAssert: return with_specs(syntax, *parts[0]);
    case ModuleForm::kHideEvents: return hide_events(syntax, *parts[0]);
    case ModuleForm::kHideInterfaces: return hide_interfaces(syntax, *parts[0]);
    case ModuleForm::kRename: return renamed(syntax, *parts[0]);
    case ModuleForm::kMain:
      context_.error(syntax.place,
                     "`main M in` modules are not implemented, by P neither; a test says `[main = M]`");
      return std::nullopt;
    case ModuleForm::kBind:
    case ModuleForm::kName: break;
  }
  return std::nullopt;
}

std::optional<InterfaceId> ModuleChecker::interface_of(const Name& name) {
  if (const InterfaceId* id = find(context_.names.interfaces, name.text)) return *id;
  context_.error(name.place, quoted(name.text) + " is not declared: no interface or machine has that name");
  return std::nullopt;
}

bool ModuleChecker::check_binding(const BindingSyntax& binding, InterfaceId& interface, MachineId& machine) {
  const MachineId* found = find(context_.names.machines, binding.machine.text);
  if (found == nullptr) {
    context_.error(binding.machine.place,
                   quoted(binding.machine.text) + " is not declared: no machine has that name");
    return false;
  }
  machine = *found;
  const Machine& code = context_.program.machine(machine);
  if (code.is_monitor()) {
    context_.error(binding.machine.place, name(machine) + " is a spec: a module attaches it with `assert`");
    return false;
  }
  const auto to = interface_of(binding.interface);
  if (!to) return false;
  interface = *to;
  const Interface& bound = context_.program.interface(interface);
  if (const auto missing = (*bound.receives - code.receives).first()) {
    context_.error(binding.machine.place, name(machine) + " cannot be " + name(interface) +
                                              ": it does not receive " + name(*missing));
    return false;
  }
  if (context_.program.types.is_assignable(code.payload, bound.payload)) return true;
  context_.error(binding.machine.place, name(machine) + " cannot be " + name(interface) +
                                            ": that begins with " + mismatch(bound.payload, code.payload));
  return false;
}

std::optional<ModuleInfo> ModuleChecker::bind(const ModuleSyntax& syntax) {
  ModuleInfo result;
  bool is_right = true;
  for (const BindingSyntax& binding : syntax.bindings) {
    InterfaceId interface {};
    MachineId machine{};
    if (!check_binding(binding, interface, machine)) {
      is_right = false;
      continue;
    }
    if (!result.definitions.emplace(interface, machine).second) {
      context_.error(binding.interface.place, name(interface) + " is bound twice in this module");
      is_right = false;
    }
    const Machine& code = context_.program.machine(machine);
    for (const InterfaceId created : code.creates.ids()) result.links[interface][created] = created;
    result.sends.add(code.sends);
    result.receives.add(code.receives);
    result.creates.add(code.creates);
  }
  return is_right ? std::optional(std::move(result)) : std::nullopt;
}

EventSet ModuleChecker::permissions(const Type* type) const {
  const EventSet* held = context_.program.types.permissions(type);
  return held == nullptr ? context_.all_events : *held;
}

bool ModuleChecker::may_join(const ModuleSyntax& syntax, const ModuleInfo& a, const ModuleInfo& b) {
  const auto refuse = [&](const std::string& why) {
    context_.error(syntax.place, "these modules cannot be joined: " + why);
    return false;
  };
  if (const auto twice = (a.implemented() & b.implemented()).first())
    return refuse(name(*twice) + " is bound in two of them");
  const EventSet hidden = a.hidden_events | b.hidden_events;
  const EventSet used = a.sends | a.receives | b.sends | b.receives;
  if (const auto event = (hidden & used).first())
    return refuse("one hides " + name(*event) + ", which another sends or receives");
  if (!hidden.is_empty())
    for (const EventId event : used.ids())
      if (const auto leaked = (permissions(context_.program.event(event).payload) & hidden).first())
        return refuse("one hides " + name(*leaked) + ", which references inside " + name(event) +
                      " give a right to");
  const auto half_open = [](const ModuleInfo& one) {
    return (one.creates - one.implemented()) | (one.implemented() - one.creates);
  };
  for (const InterfaceId interface : (half_open(a) | half_open(b)).ids())
    if (const auto event = (*context_.program.interface(interface).receives & hidden).first())
      return refuse("one hides " + name(*event) + ", which " + name(interface) + " receives");
  for (const auto& [spec, interfaces] : a.monitors)
    for (const auto& other : b.monitors)
      if (spec == other.first) return refuse("the spec " + name(spec) + " is attached to two of them");
  for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    if (other->hidden_events.is_empty()) continue;
    for (const InterfaceId interface : (one->implemented() | one->creates).ids())
      if (const auto event =
              (permissions(context_.program.interface(interface).payload) & other->hidden_events).first())
        return refuse("one hides " + name(*event) + ", which references that " + name(interface) +
                      " begins with give a right to");
  }
  if (syntax.form != ModuleForm::kCompose) return true;
  if (const auto event = (a.sends & b.sends).first())
    return refuse("`compose` needs one sender of each event, and " + name(*event) +
                  " is sent by two of them");
  if (const auto interface = (a.creates & b.creates).first())
    return refuse("`compose` needs one creator of each interface, and " + name(*interface) +
                  " is created by two of them");
  return true;
}

std::optional<ModuleInfo> ModuleChecker::join(const ModuleSyntax& syntax, const Parts& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t k = i + 1; k < parts.size(); ++k)
      if (!may_join(syntax, *parts[i], *parts[k])) return std::nullopt;
  ModuleInfo result;
  for (const ModuleInfo* part : parts) {
    result.definitions.insert(part->definitions.begin(), part->definitions.end());
    result.links.insert(part->links.begin(), part->links.end());
    result.monitors.insert(result.monitors.end(), part->monitors.begin(), part->monitors.end());
    result.sends.add(part->sends);
    result.receives.add(part->receives);
    result.creates.add(part->creates);
    result.hidden_events.add(part->hidden_events);
    result.hidden_interfaces.add(part->hidden_interfaces);
  }
  return result;
}

std::optional<ModuleInfo> ModuleChecker::with_specs(const ModuleSyntax& syntax, ModuleInfo module) {
  bool is_right = true;
  const std::vector<InterfaceId> watched = module.implemented().ids();
  for (const Name& spec : syntax.names) {
    const MachineId* id = find(context_.names.machines, spec.text);
    if (id == nullptr || !context_.program.machine(*id).is_monitor()) {
      context_.error(spec.place, id == nullptr ? quoted(spec.text) + " is not declared: no spec has that name"
                                               : quoted(spec.text) + " is a machine, and no spec");
      is_right = false;
      continue;
    }
    const auto is_same = [id](const auto& one) { return one.first == *id; };
    if (std::ranges::any_of(module.monitors, is_same)) {
      context_.error(spec.place, "the spec " + quoted(spec.text) + " is already attached to this module");
      is_right = false;
    } else if (const auto event = (context_.program.machine(*id).observes - module.sends).first()) {
      context_.error(spec.place, "the spec " + quoted(spec.text) + " observes " + name(*event) +
                                     ", which nothing in this module sends");
      is_right = false;
    } else {
      module.monitors.emplace_back(*id, watched);
    }
  }
  return is_right ? std::optional(std::move(module)) : std::nullopt;
}

std::optional<ModuleInfo> ModuleChecker::hide_events(const ModuleSyntax& syntax, ModuleInfo module) {
  const EventSet hidden = events_of(context_, syntax.names);
  const auto refuse = [&](EventId event, const std::string& why) -> std::optional<ModuleInfo> {
    context_.error(syntax.place, name(event) + " cannot be hidden: " + why);
    return std::nullopt;
  };
  if (const auto event = (hidden - (module.sends & module.receives)).first())
    return refuse(*event, "the module must both send and receive it");
  const InterfaceSet half_open =
      (module.creates - module.implemented()) | (module.implemented() - module.creates);
  for (const InterfaceId interface : half_open.ids())
    if (const auto event = (*context_.program.interface(interface).receives & hidden).first())
      return refuse(*event,
                    name(interface) + " receives it, which is not both created and bound in the module");
  for (const EventId event : ((module.sends | module.receives) - hidden).ids())
    if (const auto leaked = (permissions(context_.program.event(event).payload) & hidden).first())
      return refuse(*leaked, "references inside " + name(event) + " give a right to it");
  for (const InterfaceId interface : (module.implemented() | module.creates).ids())
    if (const auto leaked = (permissions(context_.program.interface(interface).payload) & hidden).first())
      return refuse(*leaked, "references that " + name(interface) + " begins with give a right to it");
  module.hidden_events.add(hidden);
  module.sends = module.sends - hidden;
  module.receives = module.receives - hidden;
  return module;
}

std::optional<ModuleInfo> ModuleChecker::hide_interfaces(const ModuleSyntax& syntax, ModuleInfo module) {
  for (const Name& one : syntax.names) {
    const auto id = interface_of(one);
    if (!id) return std::nullopt;
    if (!(module.creates & module.implemented()).contains(*id)) {
      context_.error(one.place,
                     quoted(one.text) + " cannot be hidden: the module must both create and bind it");
      return std::nullopt;
    }
    module.hidden_interfaces.add(*id);
  }
  return module;
}

std::optional<ModuleInfo> ModuleChecker::renamed(const ModuleSyntax& syntax, const ModuleInfo& module) {
  const auto from = interface_of(syntax.names[0]);
  const auto to = interface_of(syntax.names[1]);
  if (!from || !to) return std::nullopt;
  const InterfaceSet known = module.creates | module.implemented();
  const auto refuse = [&](const Name& at, const std::string& why) -> std::optional<ModuleInfo> {
    context_.error(at.place, why);
    return std::nullopt;
  };
  if (*context_.program.interface(*from).receives != *context_.program.interface(*to).receives)
    return refuse(syntax.names[1], name(*from) + " and " + name(*to) + " receive different events");
  if (!known.contains(*from))
    return refuse(syntax.names[0], "the module neither creates nor binds " + name(*from));
  if (known.contains(*to)) return refuse(syntax.names[1], "the module already creates or binds " + name(*to));
  const auto changed = [&](InterfaceId id) { return id == *from ? *to : id; };
  ModuleInfo result = module;
  result.definitions.clear();
  result.links.clear();
  result.creates = {};
  result.hidden_interfaces = {};
  for (const auto& [interface, machine] : module.definitions)
    result.definitions[changed(interface)] = machine;
  for (const auto& [interface, links] : module.links)
    for (const auto& [written, created] : links) {
      result.links[changed(interface)][written] = changed(created);
      result.creates.add(changed(created));
    }
  for (const InterfaceId id : module.hidden_interfaces.ids()) result.hidden_interfaces.add(changed(id));
  for (auto& [spec, interfaces] : result.monitors)
    for (InterfaceId& interface : interfaces) interface = changed(interface);
  return result;
}

}  // namespace ravel::p
