// ravel profile: how often each variable of a test is accessed, and by how many threads.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/threads_tests.h"
#include "report/access_profile.h"
#include "report/summary.h"
#include "report/verdict.h"
#include "threads/remote/remote_system.h"

namespace ravel {

namespace {

using threads::ListedTest;
using threads::Profile;
using threads::RemoteSystem;
using threads::SourcePlace;
using threads::VariableAccesses;

// What one row of the table is about: its name, and for words that have none of their own where they are first accessed.
ProfiledVariable row_of(const RemoteSystem& system, const Profile& profile, const VariableAccesses& accesses, VariableParts parts) {
  ProfiledVariable row;
  if (accesses.block > 0) {
    const threads::HeapVariable& block = profile.blocks[accesses.block - 1];
    const auto offset = parts == VariableParts::kElements ? std::optional(accesses.place) : std::nullopt;
    const NamedVariable named = block_variable(system.symbols(), block, offset);
    return {.name = named.name, .kind = "heap", .file = named.file, .line = named.line, .number = named.number, .size = block.size};
  }
  const SourcePlace first = system.symbols().user_place(std::vector{accesses.pc});
  row = {.name = {}, .kind = "other", .file = first.file.substr(first.file.rfind('/') + 1), .line = first.line};
  if (const auto global = system.symbols().global_at(accesses.place)) {
    row.kind = "global";
    row.name = parts == VariableParts::kElements ? *global : global->substr(0, global->rfind('+'));
  } else {
    row.name = parts == VariableParts::kElements ? fmt::format("{:#x}", accesses.place) : "memory without a name";
  }
  return row;
}

AccessProfile table_of(const RemoteSystem& system, const Profile& profile, VariableParts parts, std::string test) {
  AccessProfile table{.test = std::move(test), .executions = profile.executions, .left_out = profile.left_out, .variables = {}};
  // Blocks that are allocated on different ways to the same place stay apart.
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> known;
  std::vector<std::set<std::uint32_t>> actors;
  const double executions = std::max<double>(1, static_cast<double>(profile.executions));
  for (const VariableAccesses& accesses : profile.variables) {
    ProfiledVariable row = row_of(system, profile, accesses, parts);
    const std::string name = row.kind == "other" && parts == VariableParts::kWhole ? row.name + place(row.file, row.line) : row.name;
    const auto [place, is_new] = known.try_emplace({accesses.block, name}, table.variables.size());
    if (is_new) {
      table.variables.push_back(std::move(row));
      actors.emplace_back();
    }
    ProfiledVariable& variable = table.variables[place->second];
    variable.reads += static_cast<double>(accesses.reads) / executions;
    variable.writes += static_cast<double>(accesses.writes) / executions;
    if (variable.kind != "heap" || parts == VariableParts::kElements) variable.size = is_new ? 8 : variable.size + 8;
    actors[place->second].insert(accesses.actors.begin(), accesses.actors.end());
    variable.threads = actors[place->second].size();
  }
  std::ranges::stable_sort(table.variables, std::greater(), &ProfiledVariable::accesses);
  return table;
}

Result<int> profile_threads(const ProfileOptions& options) {
  auto call = program_call(options.program);
  if (!call) return call.error();
  if (!options.json_file.empty())
    if (Status writable = check_writable_file(options.json_file); !writable) return writable.error();
  const auto tests = chosen_threads_tests(*call, options.program.tests);
  if (!tests) return tests.error();
  std::vector<AccessProfile> tables;
  for (const ListedTest& test : *tests) {
    call->test = test.test;
    threads::Configuration configuration;
    configuration.counts_accesses = true;
    auto system = RemoteSystem::start(*call, configuration);
    if (!system) return system.error();
    const auto profile = (*system)->profile({.executions = options.executions, .seed = options.seed, .events_max = options.events_max});
    if (!profile) return profile.error();
    if (!profile->refusal.empty()) {
      std::fputs(describe_refusal((*system)->translate_refusal(profile->refusal, profile->refused_at)).c_str(), stderr);
      return exit_status(Verdict::kUnsupported);
    }
    tables.push_back(table_of(**system, *profile, options.parts, report_name(*call)));
    if (options.report.quiet == Quiet::kNo)
      std::fputs(((tables.size() > 1 ? "\n" : "") + describe_profile(tables.back(), colour_for(options.report.colour, stdout))).c_str(), stdout);
  }
  if (!options.json_file.empty())
    if (Status written = write_text_file(options.json_file, json_profiles(tables)); !written) return written.error();
  return 0;
}

}  // namespace

int profile_command(const ProfileOptions& options) {
  if (!is_threads_program(options.program.files)) {
    const std::string what = options.program.files.empty() ? "profile" : options.program.files.front();
    return complain(what + ": only programs of C and C++ can be profiled: build one with ravel-c++ or ravel-cc, and name the executable");
  }
  const auto status = profile_threads(options);
  return status ? *status : complain(status.error().message);
}

}  // namespace ravel
