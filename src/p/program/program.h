// A program that the checker accepted: tables of what it declares, trees of what it does, and its tests.
//
// Everything is resolved, so that code can be made of it without a look at names: see expression.h,
// statement.h, function.h, machine.h and test_case.h. It lives as long as the program does, and refers to
// nothing else.

#pragma once

#include <memory>
#include <vector>

#include "p/program/machine.h"
#include "p/program/test_case.h"
#include "p/program/type_table.h"
#include "p/source/arena.h"
#include "p/source/sources.h"

namespace ravel::p {

struct EnumElement {
  std::string_view name = {};
  std::int64_t value = 0;
  Place place = {};
};

struct Enumeration {
  std::string_view name = {};
  Place place = {};
  std::vector<EnumElement> elements = {};
  std::int64_t default_value = 0;  // the lowest one
};

struct Event {
  std::string_view name = {};
  Place place = {};
  const Type* payload = nullptr;  // null: it carries none
};

// Every machine has one of its name.
struct Interface {
  std::string_view name = {};
  Place place = {};
  const Type* payload = nullptr;
  const EventSet* receives = nullptr;
};

class ForeignFunctions;  // p/code/foreign_functions.h

struct Program {
  Sources sources;
  Arena arena;  // of the trees
  TypeTable types;
  std::vector<Enumeration> enums;
  std::vector<Event> events;  // kNullEvent and kHaltEvent first
  std::deque<EventSet> event_sets;
  std::vector<Interface> interfaces;
  std::vector<Machine> machines;
  std::vector<State> states;
  std::vector<Function> functions;
  std::vector<Variable> parameters;  // which tests give values
  std::vector<std::string_view> foreign_types;
  std::vector<TestCase> tests;
  std::shared_ptr<const ForeignFunctions> foreign;  // what libraries have; null: nothing

  const Event& event(EventId id) const { return events[index(id)]; }
  const Interface& interface(InterfaceId id) const { return interfaces[index(id)]; }
  const Machine& machine(MachineId id) const { return machines[index(id)]; }
  const State& state(StateId id) const { return states[index(id)]; }
  const Function& function(FunctionId id) const { return functions[index(id)]; }
  Event& event(EventId id) { return events[index(id)]; }
  Interface& interface(InterfaceId id) { return interfaces[index(id)]; }
  Machine& machine(MachineId id) { return machines[index(id)]; }
  State& state(StateId id) { return states[index(id)]; }
  Function& function(FunctionId id) { return functions[index(id)]; }
};

}  // namespace ravel::p
