// What the command line says, as plain data, and the small grammars of its values.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/exploration.h"
#include "erlang/machine/machine.h"
#include "erlang/system/eunit_suite.h"
#include "erlang/system/program.h"
#include "erlang/system/properties.h"
#include "report/text.h"
#include "threads/protocol/messages.h"

namespace ravel {

// --budget 60s, 5m, 2h, 10000x, 8G: how long a search may take, how many executions, or bytes of memory.
struct Budget {
  std::optional<double> seconds;
  std::optional<std::uint64_t> executions;
  std::optional<std::uint64_t> memory;
};

enum class Quiet : std::uint8_t { kNo, kYes };

// How much of the search is told, and in which colours.
struct ReportOptions {
  ColourWish colour = ColourWish::kAuto;
  Quiet quiet = Quiet::kNo;
};

// Which program, and which of its tests.
struct ProgramArguments {
  std::vector<std::string> files;  // none: the project of this folder
  std::vector<std::string> include_folders;
  std::vector<std::string> code_folders;
  std::vector<std::string> defines;  // NAME or NAME=VALUE
  std::vector<std::string> test_configuration_files;  // what ct:get_config reads
  bool starts_applications = true;   // those of a mix project, before each test
  std::vector<std::string> program_arguments;  // of a program of C or C++: what stands behind --
  std::vector<std::string> tests;    // MODULE, MODULE:FUNCTION or MODULE:GENERATOR/N...; none: all tests of all files
};

// What may happen in an execution, whatever searches it: the same for all commands that run a program.
struct ModelOptions {
  std::optional<std::uint32_t> after_infinite;  // milliseconds from which an `after` never fires
  erlang::TimePolicy time = erlang::TimePolicy::kIdle;
  erlang::Delivery delivery = erlang::Delivery::kInstant;
  std::optional<erlang::Ends> ends = {};  // if nothing is said, the strategy decides
  std::optional<erlang::Clocks> clocks = {};  // if nothing is said, the policy of time decides
  std::int64_t random_seed = 0;
  std::vector<std::string> atomic_modules = {};
  std::vector<std::string> stubs = {};  // MODULE=STUB
  std::vector<std::string> environment = {};  // NAME=VALUE, or NAME for the value that it has here

  friend bool operator==(const ModelOptions&, const ModelOptions&) = default;
};

// Whether the words of an array, or of a block of the heap, are variables of their own.
enum class VariableParts : std::uint8_t { kWhole, kElements };

// How programs of C and C++ are run.
struct ThreadsOptions {
  threads::AccessOperations accesses = threads::AccessOperations::kRacy;
  bool races_are_bugs = false;
  bool spurious = false;
  bool host_files = false;
  bool isolates = false;
  std::vector<std::string> tracked = {};  // --track: names
  std::vector<std::string> ignored = {};  // kinds of bugs that are none
  VariableParts parts = VariableParts::kElements;  // what the variables of --variables and vt are

  friend bool operator==(const ThreadsOptions&, const ThreadsOptions&) = default;
};

enum class BlockingSteps : std::uint8_t { kAvoid, kExplore };
enum class ApplicationStarts : std::uint8_t { kOnce, kExplored };

struct CheckOptions {
  ProgramArguments program;
  std::string strategy;  // empty: what fits the other options
  std::optional<std::uint32_t> preemptions;
  std::optional<std::uint32_t> delays;
  std::optional<std::uint32_t> early;
  std::optional<std::uint32_t> depth;
  std::optional<std::uint32_t> variables;
  std::optional<std::uint32_t> iterations;
  std::optional<std::uint32_t> threads_ordered;  // --threads
  std::optional<std::uint64_t> seed;
  std::vector<std::string> budgets;
  std::optional<std::uint64_t> events_max = {};  // none: as many as fit into the memory
  std::uint64_t step_limit = 100'000'000;
  BlockingSteps blocking = BlockingSteps::kAvoid;
  ApplicationStarts starts = ApplicationStarts::kOnce;
  ModelOptions model;
  ThreadsOptions threads;
  bool keep_going = false;
  std::string trace;      // with which every execution begins: a file; empty: none
  std::string out;        // folder of the tickets; empty: kDefaultTicketFolder, made when there is a ticket
  std::string json_file;  // empty: none
  std::string junit_file;  // empty: none
  std::string graph_file;  // empty: none
  std::string resume;      // the file of an interrupted search; empty: none
  erlang::Properties properties;
  bool ignores_event_bound = false;
  LongExecutions long_executions = LongExecutions::kCutOff;
  std::vector<std::string> non_racing;
  ReportOptions report;
  std::vector<std::string> arguments;  // what all this was made of
};

// Of the commands about one execution: that of a ticket or a trace, or a test's first.
struct SubjectOptions {
  ProgramArguments program;  // the first file may be a ticket or a trace
  ModelOptions model;
  erlang::Properties properties;
  std::uint64_t events_max = 1'000'000;
  std::string out;  // the file of the trace; empty: none
  ReportOptions report;
};

struct RacesOptions {
  SubjectOptions subject;
  std::optional<std::uint32_t> variant;  // to run; none: all are listed
};

struct ProfileOptions {
  ProgramArguments program;
  std::uint64_t executions = 10;
  std::uint64_t seed = 1;
  std::uint64_t events_max = 1'000'000;
  VariableParts parts = VariableParts::kWhole;
  std::string json_file;  // empty: none
  ReportOptions report;
};

struct ReplayOptions {
  std::string ticket;              // or a trace
  std::string trace;               // instead of a ticket: then `ticket` is the first of the files, or empty
  std::vector<std::string> files;  // instead of those that the ticket names; none: those
  bool debugs = false;             // --gdb: of a program of C or C++
  ReportOptions report;
};

inline constexpr const char kDefaultTicketFolder[] = "ravel-tickets";

// Each part may be given once; the error says what a budget looks like.
Result<Budget> parse_budgets(const std::vector<std::string>& texts);

// Takes over what the machine has to know; says which options do not go together.
Status set_model(const ModelOptions& model, erlang::MachineOptions& machine);

// The files that were named, or the project of this folder, with what was given besides; `remarks` get what the
// user should know of the project.
Result<erlang::ProgramOptions> program_options(const ProgramArguments& arguments, std::vector<std::string>& remarks);

// All tests of all modules; there may be none.
Result<std::vector<erlang::TestCase>> all_tests(erlang::Program& program, const erlang::MachineOptions& machine);

// The tests that -t names, each once and in that order; without -t all of them. An error if there are none.
Result<std::vector<erlang::TestCase>> chosen_tests(erlang::Program& program, const std::vector<std::string>& wanted,
                                                   const erlang::MachineOptions& machine);

}  // namespace ravel
