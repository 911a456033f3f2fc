// The code of one test: what machines execute, in one flat sequence, and the tables that it needs.
//
// The idea: everything that a step has to look up is a number here. A machine of the test is a binding (an
// interface, and the machine for it); what `new` makes and which monitors look on depends on the binding
// of who runs the code. What a state does with an event is one entry of a table.
//
// Constants are values of one store, so the code belongs to that store.

#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "p/program/program.h"
#include "p/value/store.h"

namespace ravel::p {

enum class Opcode : std::uint8_t {
#define INSTRUCTION(name, meaning) k##name,
#include "p/code/instructions.def"
#undef INSTRUCTION
};

struct Instruction {
  Opcode op = Opcode::kPush;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

inline constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

// A way from a variable to a part of its value, and what is done there.
struct Path {
  enum class Change : std::uint8_t { kAssign, kInsert, kAdd, kRemove };
  struct Step {
    bool is_element = false;  // of a tuple: `element`; else of a seq or a map, whose index or key is on the
                              // stack
    std::uint32_t element = 0;
  };
  bool is_field = false;
  std::uint32_t variable = 0;  // slot or field
  std::vector<Step> steps = {};
  std::uint32_t indices = 0;  // of the steps, those that take one from the stack
  Change change = Change::kAssign;
};

struct ReceiveTable {
  struct Case {
    EventId event{};
    std::uint32_t code = 0;
    bool unwraps_payload = false;
    const Type* parameter = nullptr;
  };
  std::vector<Case> cases;
  const Case* find(EventId event) const {
    for (const Case& one : cases)
      if (one.event == event) return &one;
    return nullptr;
  }
};

struct FunctionCode {
  std::uint32_t code = kNowhere;
  std::uint32_t parameters = 0;
  std::vector<std::uint32_t> defaults = {};  // constants, of the slots after the parameters
  const Type* parameter = nullptr;           // the type of the only one
};

// A machine that can be created in this test.
struct BoundMachine {
  InterfaceId interface {};
  MachineId machine{};
  std::vector<std::uint32_t> links = {};     // by InterfaceId: a number of a bound machine, or kNowhere
  std::vector<std::uint32_t> monitors = {};  // that look on: places in Code::monitors
};

struct Code {
  const Program* program = nullptr;
  const TestCase* test = nullptr;
  std::vector<Instruction> instructions;
  std::vector<Place> places;  // by instruction
  std::vector<Value> constants;
  std::vector<Path> paths;
  std::vector<ReceiveTable> receives;
  std::vector<std::string> refusals;
  std::vector<const Expression*> formats;
  std::vector<Place> fair_choices;                    // `$$`
  std::vector<FunctionCode> functions;                // by FunctionId
  std::vector<std::vector<std::uint32_t>> fields;     // by MachineId: constants, the defaults
  std::vector<std::vector<const Action*>> reactions;  // by StateId and EventId; null: there is none
  std::vector<std::uint32_t> payloads;                // by EventId: constant, what it carries by default
  std::vector<BoundMachine> machines;
  std::vector<MachineId> monitors;
  std::uint32_t main = 0;

  const Action* reaction(StateId state, EventId event) const { return reactions[index(state)][index(event)]; }
  bool defers(StateId state, EventId event) const {
    const Action* const action = reaction(state, event);
    return action != nullptr && action->kind == ActionKind::kDefer;
  }
};

// Both must outlive the code. REQUIRES: the program is whole, and the test is one of it.
Code compile(const Program& program, const TestCase& test, ValueStore& store);

// What a variable of that type begins with.
Value default_value(const Program& program, const Type* type, ValueStore& store);

}  // namespace ravel::p
