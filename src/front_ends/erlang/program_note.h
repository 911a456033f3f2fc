// What a ticket notes of an Erlang program: how to open it again, and how to see whether it has changed.
//
// Files and folders are noted twice, as the user named them and with their absolute path, so that a ticket
// can be replayed from another folder, and also in another copy of the project from its own folder.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "check/noted_path.h"
#include "erlang/system/erlang_system.h"
#include "erlang/system/program.h"

namespace ravel::erlang {

struct NotedModule {
  std::string name, md5;
};

struct ProgramNote {
  std::string test;  // MODULE:FUNCTION
  std::vector<NotedPath> files, include_folders, code_folders;
  std::vector<std::pair<std::string, std::string>> defines;
  std::vector<std::string> erlc_options;
  std::vector<std::string> applications;
  std::vector<NotedPath> configuration_files, optional_files, test_configuration_files;
  std::string common_test_hooks;
  std::string environment;
  std::vector<NotedModule> modules;
  Properties properties;
  std::vector<NotedPath> property_files;
  std::uint64_t step_limit = 0;
  bool explores_blocking = false;
  std::vector<std::string> atomic_modules;
  std::vector<std::pair<std::string, std::string>> stubs;
  std::vector<std::pair<std::string, std::string>> environment_variables;
  std::vector<WatchedCode> watched_code;
  std::int64_t after_infinite_ms = MachineOptions{}.after_infinite_ms;
  TimePolicy time = TimePolicy::kAny;
  bool fires_early = false;
  MishapOptions mishaps;
  bool has_channels = false;
  bool ends_stepwise = false;
  bool steps_to_receives = false;
  bool names_recur = false;
  bool has_virtual_clocks = false;
  std::int64_t random_seed = 0;
};

ProgramNote note_program(const Program& program, const TestName& test, const ErlangOptions& options);

std::string print_program_note(const ProgramNote& program);
// Of the `program` of a ticket, trace or resume file, which messages call `name`.
Result<ProgramNote> parse_program_note(std::string_view text, std::string_view name);

// How to open the program again: the absolute path where it still exists, else the given one. `files`, if
// there are any, take the place of those in the ticket.
ProgramOptions options_to_reopen(const ProgramNote& program, std::span<const std::string> files);
ErlangOptions erlang_options(const ProgramNote& program);

// The modules whose code is not what the ticket notes, or that are missing or new.
std::vector<std::string> changed_modules(const ProgramNote& noted, const Program& program);

}  // namespace ravel::erlang
