#include "p/checker/declare.h"

#include <algorithm>

#include "p/checker/machine_declarer.h"
#include "p/checker/numbers.h"
#include "p/checker/type_resolver.h"

namespace ravel::p {
namespace {

class Declarer {
 public:
  explicit Declarer(Context& context) : context_(context), program_(context.program), types_(context) {}

  void run() {
    add_builtin_events();
    for (const FileSyntax* file : context_.files) name_types(*file);
    for (const FileSyntax* file : context_.files) name_values(*file);
    for (const FileSyntax* file : context_.files) fill_event_sets(*file);
    for (const FileSyntax* file : context_.files) fill_types(*file);
    MachineDeclarer machines(context_);
    for (const FileSyntax* file : context_.files)
      for (const FunctionSyntax* function : file->functions)
        machines.declare_function(*function, std::nullopt);
    for (std::uint32_t i = 0; i < program_.machines.size(); ++i) machines.declare_machine(MachineId(i));
  }

 private:
  // Whether the name was free in this table of places.
  bool claim(NameTable<Place>& taken, const Name& name) {
    const auto [at, is_free] = taken.try_emplace(name.text, name.place);
    if (is_free) return true;
    const auto [earlier, later] = std::minmax(at->second, name.place);
    context_.error(later, quoted(name.text) + " is already declared at " + context_.describe(earlier));
    return false;
  }

  std::string_view keep(std::string_view text) { return program_.arena.copy(text); }

  void add_builtin_events() {
    for (const std::string_view name : {"null", "halt"}) {
      context_.names.events.emplace(name, id_at<EventId>(program_.events.size()));
      program_.events.push_back({.name = name, .payload = context_.types().null()});
    }
    context_.all_events.add(kHaltEvent);
  }

  void name_types(const FileSyntax& file) {
    GlobalNames& names = context_.names;
    for (const TypedefSyntax& one : file.typedefs)
      if (claim(type_places_, one.name)) names.typedefs.emplace(one.name.text, Typedef{.syntax = &one});
    for (const EnumSyntax& one : file.enums) name_enum(one);
    for (const InterfaceSyntax& one : file.interfaces)
      if (claim(type_places_, one.name)) add_interface(one.name);
    for (const MachineSyntax& one : file.machines) name_machine(one);
  }

  void add_interface(const Name& name) {
    context_.names.interfaces.emplace(name.text, id_at<InterfaceId>(program_.interfaces.size()));
    receives_.push_back(&program_.event_sets.emplace_back());
    program_.interfaces.push_back({.name = keep(name.text),
                                   .place = name.place,
                                   .payload = context_.types().null(),
                                   .receives = receives_.back()});
  }

  void name_machine(const MachineSyntax& syntax) {
    if (!claim(type_places_, syntax.name)) return;
    context_.names.machines.emplace(syntax.name.text, id_at<MachineId>(program_.machines.size()));
    Machine& machine = program_.machines.emplace_back();
    machine.name = keep(syntax.name.text);
    machine.place = syntax.name.place;
    machine.kind = syntax.kind;
    machine.payload = context_.types().null();
    context_.machine_syntax.push_back(&syntax);
    context_.machine_names.emplace_back();
    if (machine.is_monitor()) return;
    machine.interface = id_at<InterfaceId>(program_.interfaces.size());
    add_interface(syntax.name);
  }

  void name_enum(const EnumSyntax& syntax) {
    if (!claim(type_places_, syntax.name)) return;
    const auto id = id_at<EnumId>(program_.enums.size());
    context_.names.enums.emplace(syntax.name.text, id);
    Enumeration enumeration{.name = keep(syntax.name.text), .place = syntax.name.place};
    for (const EnumElementSyntax& element : syntax.elements) {
      std::int64_t value = static_cast<std::int64_t>(enumeration.elements.size());
      if (element.value)
        value = literal_int(context_, element.value->text, element.value->place).value_or(value);
      for (const EnumElement& other : enumeration.elements)
        if (other.value == value && element.value)
          context_.error(element.value->place,
                         quoted(other.name) + " has the number " + std::to_string(value) + ", too");
      enumeration.elements.push_back({keep(element.name.text), value, element.name.place});
      if (claim(value_places_, element.name))
        context_.names.elements.emplace(element.name.text, EnumElementRef{id, value});
    }
    enumeration.default_value = enumeration.elements.front().value;
    for (const EnumElement& element : enumeration.elements)
      enumeration.default_value = std::min(enumeration.default_value, element.value);
    program_.enums.push_back(std::move(enumeration));
  }

  void name_values(const FileSyntax& file) {
    GlobalNames& names = context_.names;
    for (const EventSyntax& one : file.events) {
      if (!claim(value_places_, one.name)) continue;
      const auto id = id_at<EventId>(program_.events.size());
      names.events.emplace(one.name.text, id);
      program_.events.push_back(
          {.name = keep(one.name.text), .place = one.name.place, .payload = context_.types().null()});
      context_.all_events.add(id);
    }
    for (const EventSetSyntax& one : file.event_sets) {
      if (const InterfaceId* other = find(names.interfaces, one.name.text)) {
        context_.error(one.name.place, quoted(one.name.text) + " is already declared at " +
                                           context_.describe(program_.interface(*other).place));
      } else if (claim(set_places_, one.name)) {
        sets_[one.name.text] = &program_.event_sets.emplace_back();
        names.event_sets.emplace(one.name.text, sets_[one.name.text]);
      }
    }
    for (const VariableSyntax& one : file.parameters) {
      if (!claim(parameter_places_, one.name)) continue;
      names.parameters.emplace(one.name.text, id_at<ParameterId>(program_.parameters.size()));
      program_.parameters.push_back(
          {.name = keep(one.name.text), .type = context_.types().error(), .place = one.name.place});
    }
    for (const NamedModuleSyntax& one : file.modules)
      if (claim(module_places_, one.name)) names.modules.emplace(one.name.text, &one);
    for (const Name& one : file.pure_functions) names.pure_functions.insert(one.text);
  }

  void fill_event_sets(const FileSyntax& file) {
    for (const EventSetSyntax& one : file.event_sets)
      if (EventSet* const* set = find(sets_, one.name.text)) **set = events_of(context_, one.events);
    for (const InterfaceSyntax& one : file.interfaces)
      if (const InterfaceId* id = find(context_.names.interfaces, one.name.text))
        *receives_[index(*id)] = one.receives ? events_of(context_, *one.receives) : context_.all_events;
    for (const MachineSyntax& one : file.machines) {
      const MachineId* id = find(context_.names.machines, one.name.text);
      if (id == nullptr || context_.machine_syntax[index(*id)] != &one) continue;
      Machine& machine = program_.machine(*id);
      if (machine.is_monitor()) {
        machine.observes = events_of(context_, one.observes);
        continue;
      }
      machine.receives = one.receives ? events_of(context_, *one.receives) : context_.all_events;
      machine.sends = one.sends ? events_of(context_, *one.sends) : context_.all_events;
      *receives_[index(*machine.interface)] = machine.receives;
    }
  }

  void fill_types(const FileSyntax& file) {
    for (const TypedefSyntax& one : file.typedefs) {
      const TypeSyntax use{.form = TypeForm::kNamed, .place = one.name.place, .name = one.name};
      types_.resolve(&use);
    }
    for (const EventSyntax& one : file.events)
      if (const EventId* id = find(context_.names.events, one.name.text))
        if (Event& event = program_.event(*id); event.place == one.name.place)
          event.payload = types_.resolve(one.payload);
    for (const InterfaceSyntax& one : file.interfaces)
      if (const InterfaceId* id = find(context_.names.interfaces, one.name.text))
        program_.interface(*id).payload = types_.resolve(one.payload);
    for (const VariableSyntax& one : file.parameters) {
      Variable& parameter = program_.parameters[index(*find(context_.names.parameters, one.name.text))];
      if (parameter.place == one.name.place) parameter.type = types_.resolve(one.type);
    }
  }

  Context& context_;
  Program& program_;
  TypeResolver types_;
  NameTable<EventSet*> sets_;
  std::vector<EventSet*> receives_;  // by InterfaceId
  // Names that exclude each other.
  NameTable<Place> type_places_;   // typedefs, enums, interfaces, machines
  NameTable<Place> value_places_;  // events, elements of enums
  NameTable<Place> set_places_;
  NameTable<Place> parameter_places_;
  NameTable<Place> module_places_;
};

}  // namespace

void declare(Context& context) { Declarer(context).run(); }

}  // namespace ravel::p
