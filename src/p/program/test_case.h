// Tests of a checked program: closed modules, and where they begin. Tests with parameters are one for each
// combination.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "p/program/ids.h"
#include "p/source/sources.h"

namespace ravel::p {

// An interface that the test implements.
struct Binding {
  InterfaceId interface {};
  MachineId machine{};
  // What is created where the machine's code says `new I`: by the number of I; none where it never does.
  std::vector<std::optional<InterfaceId>> links = {};
};

// A spec or scenario, which sees what machines behind these interfaces send and announce.
struct Monitor {
  MachineId machine{};
  std::vector<InterfaceId> interfaces = {};
};

struct TestCase {
  std::string name;  // with parameters: NAME___p_1__q_true
  Place place = {};
  bool is_implementation = false;
  InterfaceId main{};  // what is created first
  std::vector<Binding> bindings = {};
  std::vector<Monitor> monitors = {};
  // By ParameterId; a bool is 0 or 1. What the test gives no value has the default of its type.
  std::vector<std::optional<std::int64_t>> parameters = {};

  // None: it is not part of the test.
  const Binding* binding(InterfaceId interface) const {
    for (const Binding& one : bindings)
      if (one.interface == interface) return &one;
    return nullptr;
  }
};

}  // namespace ravel::p
