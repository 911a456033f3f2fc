#include "p/checker/machine_declarer.h"

#include <algorithm>

#include "p/checker/numbers.h"

namespace ravel::p {

FunctionId MachineDeclarer::add_function(const FunctionSyntax& syntax, std::optional<MachineId> owner) {
  Program& program = context_.program;
  Function function{.name = program.arena.copy(syntax.name.text), .place = syntax.place, .owner = owner};
  function.is_foreign = syntax.is_foreign;
  function.parameters = static_cast<std::uint32_t>(syntax.parameters.size());
  for (const VariableSyntax& parameter : syntax.parameters)
    function.slots.push_back(
        {program.arena.copy(parameter.name.text), types_.resolve(parameter.type), parameter.name.place});
  function.result = types_.resolve(syntax.result);
  for (const Name& name : syntax.creates) {
    if (const InterfaceId* id = find(context_.names.interfaces, name.text))
      function.creates.add(*id);
    else
      context_.error(name.place,
                     quoted(name.text) + " is not declared: no interface or machine has that name");
  }
  const auto id = id_at<FunctionId>(program.functions.size());
  program.functions.push_back(std::move(function));
  context_.bodies.push_back({id, &syntax});
  return id;
}

void MachineDeclarer::declare_function(const FunctionSyntax& syntax, std::optional<MachineId> owner) {
  auto& functions = owner ? context_.machine_names[index(*owner)].functions : context_.names.functions;
  if (const FunctionId* other = find(functions, syntax.name.text)) {
    context_.error(syntax.name.place, quoted(syntax.name.text) + " is already declared at " +
                                          context_.describe(context_.program.function(*other).place));
    return;
  }
  const FunctionId id = add_function(syntax, owner);
  functions.emplace(syntax.name.text, id);
}

void MachineDeclarer::declare_machine(MachineId id) {
  const MachineSyntax& syntax = *context_.machine_syntax[index(id)];
  declare_fields(id, syntax);
  for (const FunctionSyntax* function : syntax.functions) declare_function(*function, id);
  name_states(id, syntax);
  const std::vector<StateId> states = context_.program.machine(id).states;
  std::size_t next = 0;
  for (const StateSyntax& state : syntax.states)
    if (next < states.size() && context_.program.state(states[next]).place == state.name.place)
      fill_state(states[next++], state);
  choose_start(id, syntax);
}

void MachineDeclarer::declare_fields(MachineId id, const MachineSyntax& syntax) {
  Machine& machine = context_.program.machine(id);
  auto& fields = context_.machine_names[index(id)].fields;
  for (const VariableSyntax& field : syntax.fields) {
    if (const std::uint32_t* other = find(fields, field.name.text)) {
      context_.error(field.name.place, quoted(field.name.text) + " is already declared at " +
                                           context_.describe(machine.fields[*other].place));
      continue;
    }
    if (const ParameterId* parameter = find(context_.names.parameters, field.name.text))
      context_.error(field.name.place,
                     quoted(field.name.text) + " is a parameter of tests, declared at " +
                         context_.describe(context_.program.parameters[index(*parameter)].place));
    fields.emplace(field.name.text, static_cast<std::uint32_t>(machine.fields.size()));
    machine.fields.push_back(
        {context_.program.arena.copy(field.name.text), types_.resolve(field.type), field.name.place});
  }
}

void MachineDeclarer::name_states(MachineId id, const MachineSyntax& syntax) {
  Program& program = context_.program;
  MachineNames& names = context_.machine_names[index(id)];
  for (const StateSyntax& state : syntax.states) {
    if (const StateId* other = find(names.states, state.name.text)) {
      context_.error(state.name.place, quoted(state.name.text) + " is already declared at " +
                                           context_.describe(program.state(*other).place));
      continue;
    }
    const auto made = id_at<StateId>(program.states.size());
    names.states.emplace(state.name.text, made);
    program.machine(id).states.push_back(made);
    State& entry = program.states.emplace_back();
    entry.name = program.arena.copy(state.name.text);
    entry.place = state.name.place;
    entry.machine = id;
    entry.temperature = state.temperature;
  }
}

void MachineDeclarer::fill_state(StateId id, const StateSyntax& syntax) {
  for (const StateItemSyntax& item : syntax.items) add_item(id, item);
  std::ranges::sort(context_.program.state(id).actions, {}, &Action::event);
}

void MachineDeclarer::add_item(StateId id, const StateItemSyntax& item) {
  State& state = context_.program.state(id);
  if (item.form == StateItemForm::kEntry)
    set_handler(id, item, state.entry, "entry");
  else if (item.form == StateItemForm::kExit)
    set_handler(id, item, state.exit, "exit");
  else
    add_actions(id, item);
}

void MachineDeclarer::set_handler(StateId id, const StateItemSyntax& item, std::optional<FunctionId>& slot,
                                  std::string_view what) {
  const MachineId machine = context_.program.state(id).machine;
  const bool is_second = slot.has_value();
  const auto function = handler(machine, item);
  if (is_second) {
    context_.error(item.place, "the state " + quoted(context_.program.state(id).name) + " already has an " +
                                   quoted(what));
    return;
  }
  slot = function;
  if (function && item.form == StateItemForm::kExit)
    context_.transition_uses.push_back({*function, item.place, true});
}

std::optional<FunctionId> MachineDeclarer::handler(MachineId machine, const StateItemSyntax& item) {
  if (item.handler != nullptr) return add_function(*item.handler, machine);
  if (!item.name) return std::nullopt;
  if (const FunctionId* own = find(context_.machine_names[index(machine)].functions, item.name->text)) {
    if (!context_.program.function(*own).is_foreign) return *own;
    context_.error(item.name->place,
                   "the foreign function " + quoted(item.name->text) + " cannot handle events");
  } else if (find(context_.names.functions, item.name->text) != nullptr) {
    context_.error(item.name->place, "the function " + quoted(item.name->text) +
                                         " is declared outside of machines, and cannot handle events");
  } else {
    context_.error(item.name->place, quoted(item.name->text) + " is not declared: no function has that name");
  }
  return std::nullopt;
}

void MachineDeclarer::add_actions(StateId id, const StateItemSyntax& item) {
  const MachineId machine = context_.program.state(id).machine;
  const bool is_monitor = context_.program.machine(machine).is_monitor();
  if (item.form == StateItemForm::kDefer && is_monitor) {
    context_.error(item.place, "a spec cannot defer events: it sees them when they are sent");
    return;
  }
  Action action{.kind = item.form == StateItemForm::kDefer    ? ActionKind::kDefer
                        : item.form == StateItemForm::kIgnore ? ActionKind::kIgnore
                        : item.form == StateItemForm::kDo     ? ActionKind::kDo
                                                              : ActionKind::kGoto};
  action.function = handler(machine, item);
  bool is_whole = item.form != StateItemForm::kDo || action.function.has_value();
  if (item.form == StateItemForm::kGoto) {
    if (action.function) context_.transition_uses.push_back({*action.function, item.place, false});
    if (const StateId* target = find(context_.machine_names[index(machine)].states, item.target.text)) {
      action.target = *target;
    } else {
      context_.error(item.target.place,
                     quoted(item.target.text) + " is not declared: this machine has no such state");
      is_whole = false;
    }
  }
  for (const Name& name : item.events) {
    const auto event = event_of(context_, name);
    if (!event) continue;
    action.event = *event;
    action.place = name.place;
    State& state = context_.program.state(id);
    const auto other = std::ranges::find(state.actions, *event, &Action::event);
    if (other != state.actions.end()) {
      context_.error(name.place, "the state " + quoted(state.name) + " already says what it does with " +
                                     quoted(name.text) + ", at " + context_.describe(other->place));
    } else if (*event == kNullEvent && is_monitor) {
      context_.error(name.place, "a spec cannot act on `null`: it has no queue that could be empty");
    } else {
      if (!is_whole) action.kind = ActionKind::kIgnore;  // what is missing is reported
      state.actions.push_back(action);
    }
  }
}

void MachineDeclarer::choose_start(MachineId id, const MachineSyntax& syntax) {
  Machine& machine = context_.program.machine(id);
  const auto& states = context_.machine_names[index(id)].states;
  std::optional<StateId> start;
  for (const StateSyntax& state : syntax.states) {
    if (!state.is_start) continue;
    const StateId found = *find(states, state.name.text);
    if (start && *start != found)
      context_.error(state.place, quoted(machine.name) + " already starts in the state " +
                                      quoted(context_.program.state(*start).name));
    else
      start = found;
  }
  if (!start) {
    context_.error(machine.place,
                   quoted(machine.name) + " has no state in which it starts: one must be a `start state`");
    return;
  }
  machine.start = *start;
  const auto entry = context_.program.state(*start).entry;
  if (!entry) return;
  const Function& function = context_.program.function(*entry);
  if (function.parameters != 1) return;
  machine.payload = function.slots[0].type;
  if (machine.interface) context_.program.interface(*machine.interface).payload = machine.payload;
}

}  // namespace ravel::p
