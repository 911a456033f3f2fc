// What counts as a bug in an execution of an Erlang program.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ravel::erlang {

// Processes that wait when nobody can move, and that wait neither in a call nor with messages that they do
// not take.
enum class Leftovers : std::uint8_t {
  kLeft,  // left behind by the test, and told
  kBugs,  // a deadlock
};

// Abnormal ends of processes that do not run the test.
enum class Crashes : std::uint8_t {
  kUnhandled,  // uncaught errors are bugs, and exits that nobody hears of
  kAll,        // all abnormal ends are bugs
};

struct Properties {
  Leftovers leftovers = Leftovers::kLeft;
  Crashes crashes = Crashes::kUnhandled;
  // Exit reasons, or the first elements of tuples, and halt statuses, which are no bugs.
  std::vector<std::string> normal_reasons = {};
  // What ends in one of these without being a bug.
  bool ignores_deadlocks = false;
  bool ignores_exits = false;  // abnormal ones, also failed assertions
  bool ignores_halts = false;  // with a status other than 0
  // Of the abnormal exits only failed assertions, {{assert..., _}, _}, are bugs
  bool assertions_only = false;
  bool first_process_only = false;  // only what strikes the process that runs the test
  // What monitors look after, as --property names it, with the file of a module for the module
  std::vector<std::string> monitored = {};
  // Formulas of temporal logic, of which the System sees the propositions
  std::vector<std::string> formulas = {};
  bool asks_about_progress = false;  // whether executions go round without any

  friend bool operator==(const Properties&, const Properties&) = default;
};

// Whether it is one of those that come with Ravel (lib/ravel_property.erl).
bool is_ready_made_property(const std::string& text);
// The file that is named by a property, or nothing.
std::string file_of_property(const std::string& text);

}  // namespace ravel::erlang
