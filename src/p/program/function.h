// Functions of a checked program: those with names, and what handles events.

#pragma once

#include <optional>
#include <vector>

#include "p/program/statement.h"

namespace ravel::p {

struct Variable {
  std::string_view name = {};
  const Type* type = nullptr;
  Place place = {};
};

// What it may do, itself or through what it calls.
struct Effects {
  bool raises = false;
  bool receives = false;
  bool changes_state = false;
  bool creates = false;
  bool sends = false;  // or announces
  bool chooses = false;
};

struct Function {
  std::string_view name = {};  // empty: it handles events, and has none
  Place place = {};
  std::optional<MachineId> owner = {};  // none: it is declared outside of machines
  bool is_foreign = false;
  // The parameters, then the locals: those of the function and of the cases of each `receive`.
  std::vector<Variable> slots = {};
  std::uint32_t parameters = 0;
  // The locals of its own, which begin with their defaults when it is entered, end here.
  std::uint32_t first_slots = 0;
  const Type* result = nullptr;  // null: it returns nothing
  const Statement* body = nullptr;
  Effects effects = {};
  InterfaceSet creates = {};  // through what it calls, too
  std::vector<FunctionId> callees = {};
};

}  // namespace ravel::p
