// From texts to a checked program, or to what is wrong with them.
//
// The steps, each with a file of its own:
//  1. parse (p/syntax); with a fault there nothing else is looked at
//  2. declare.h: names of everything, types, events, machines with their states
//  3. function_checker.h: bodies of functions, with types
//  4. machine_rules.h: what handlers must be; effects.h: what functions do through others, and may not
//  5. modules.h: module expressions; tests.h: tests
// A step goes on over its own faults; 4 and 5 each begin only if nothing was wrong before, for they would
// follow.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "p/program/program.h"
#include "p/source/diagnostics.h"

namespace ravel::p {

struct SourceText {
  std::string name;  // how messages call it
  std::string text;
  // It belongs to a project that another one includes: its tests are left out.
  bool is_dependency = false;
};

struct CheckedSources {
  std::unique_ptr<Program> program;  // holds the sources; whole if there are no errors
  Diagnostics diagnostics;

  bool ok() const { return !diagnostics.has_errors(); }
  std::string messages() const { return to_string(diagnostics, program->sources); }
};

CheckedSources check(std::vector<SourceText> texts);

}  // namespace ravel::p
