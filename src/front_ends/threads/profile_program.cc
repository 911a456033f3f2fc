#include "front_ends/threads/profile_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "front_ends/threads/own_options.h"
#include "front_ends/threads/program_tests.h"
#include "host/files.h"
#include "report/access_profile.h"
#include "report/summary.h"
#include "report/verdict.h"
#include "threads/remote/remote_system.h"

namespace ravel::threads {

namespace {

// What one row of the table is about: its name, and for words that have none of their own where they are
// first accessed.
ProfiledVariable row_of(const RemoteSystem& system, const Profile& profile, const VariableAccesses& accesses,
                        VariableParts parts) {
  ProfiledVariable row;
  if (accesses.block > 0) {
    const HeapVariable& block = profile.blocks[accesses.block - 1];
    const auto offset = parts == VariableParts::kElements ? std::optional(accesses.place) : std::nullopt;
    const NamedVariable named = block_variable(system.texts().symbols(), block, offset);
    return {.name = named.name,
            .kind = "heap",
            .file = named.file,
            .line = named.line,
            .number = named.number,
            .size = block.size};
  }
  const SourcePlace first = system.texts().symbols().user_place(std::vector{accesses.pc});
  row = {
      .name = {}, .kind = "other", .file = first.file.substr(first.file.rfind('/') + 1), .line = first.line};
  if (const auto global = system.texts().symbols().global_at(accesses.place)) {
    row.kind = "global";
    row.name = parts == VariableParts::kElements ? *global : global->substr(0, global->rfind('+'));
  } else {
    row.name =
        parts == VariableParts::kElements ? fmt::format("{:#x}", accesses.place) : "memory without a name";
  }
  return row;
}

AccessProfile table_of(const RemoteSystem& system, const Profile& profile, VariableParts parts,
                       std::string test) {
  AccessProfile table{.test = std::move(test),
                      .executions = profile.executions,
                      .left_out = profile.left_out,
                      .variables = {}};
  // Blocks that are allocated on different ways to the same place stay apart.
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> known;
  std::vector<std::set<std::uint32_t>> actors;
  const double executions = std::max<double>(1, static_cast<double>(profile.executions));
  for (const VariableAccesses& accesses : profile.variables) {
    ProfiledVariable row = row_of(system, profile, accesses, parts);
    const std::string name = row.kind == "other" && parts == VariableParts::kWhole
                                 ? row.name + place(row.file, row.line)
                                 : row.name;
    const auto [place, is_new] = known.try_emplace({accesses.block, name}, table.variables.size());
    if (is_new) {
      table.variables.push_back(std::move(row));
      actors.emplace_back();
    }
    ProfiledVariable& variable = table.variables[place->second];
    variable.reads += static_cast<double>(accesses.reads) / executions;
    variable.writes += static_cast<double>(accesses.writes) / executions;
    if (variable.kind != "heap" || parts == VariableParts::kElements)
      variable.size = is_new ? 8 : variable.size + 8;
    actors[place->second].insert(accesses.actors.begin(), accesses.actors.end());
    variable.threads = actors[place->second].size();
  }
  std::ranges::stable_sort(table.variables, std::greater(), &ProfiledVariable::accesses);
  return table;
}

struct ProfileOptions {
  ProgramArguments program;
  std::uint64_t executions = 10;
  std::uint64_t seed = 1;
  std::uint64_t events_max = 1'000'000;
  VariableParts parts = VariableParts::kWhole;
  std::string json_file;  // empty: none
  ReportOptions report;
};

Result<int> profile(const ProfileOptions& options) {
  if (!is_program(options.program.files)) {
    const std::string what = options.program.files.empty() ? "profile" : options.program.files.front();
    return Error{what +
                 ": only programs of C and C++ can be profiled: build one with ravel-c++ or ravel-cc, and "
                 "name the executable"};
  }
  auto call = program_call(options.program);
  if (!call) return call.error();
  if (!options.json_file.empty())
    if (Status writable = check_writable_file(options.json_file); !writable) return writable.error();
  const auto tests = chosen_tests(*call, options.program.tests);
  if (!tests) return tests.error();
  std::vector<AccessProfile> tables;
  for (const ListedTest& test : *tests) {
    call->test = test.test;
    Configuration configuration;
    configuration.counts_accesses = true;
    auto system = RemoteSystem::start(*call, configuration);
    if (!system) return system.error();
    const auto profile = (*system)->profile(
        {.executions = options.executions, .seed = options.seed, .events_max = options.events_max});
    if (!profile) return profile.error();
    if (!profile->refusal.empty()) {
      std::fputs(describe_refusal((*system)->texts().translate_refusal(profile->refusal, profile->refused_at))
                     .c_str(),
                 stderr);
      return exit_status(Verdict::kUnsupported);
    }
    tables.push_back(table_of(**system, *profile, options.parts, report_name(*call)));
    if (options.report.quiet == Quiet::kNo)
      std::fputs(((tables.size() > 1 ? "\n" : "") +
                  describe_profile(tables.back(), colour_for(options.report.colour, stdout)))
                     .c_str(),
                 stdout);
  }
  if (!options.json_file.empty())
    if (Status written = write_text_file(options.json_file, json_profiles(tables)); !written)
      return written.error();
  return 0;
}

void add_rows(OptionTable& table, ProfileOptions& options) {
  add_program_rows(table, options.program,
                   "an executable built with ravel-c++ or ravel-cc, then -- and its arguments");
  add_test_row(table, options.program);
  table.number("--executions", "N", options.executions, "how many are run (default 10)", 1);
  table.number("--seed", "N", options.seed, "of the random ones (default 1)");
  table.number("--events", "N", options.events_max,
               "after how many events an execution is cut off (default 1000000)", 1);
  table.flag("--elements", "each word of an array or of a block of the heap by itself",
             [&options] { options.parts = VariableParts::kElements; });
  table.text("--json", "FILE", options.json_file, "writes all of it to a file");
  add_report_rows(table, options.report, "no text");
}

constexpr const char kExamples[] =
    "\nRuns a test of C or C++ some times, without preemptions and then at random, and counts all accesses "
    "to memory but\n"
    "those of a thread to its own stack, and all operations. What is seldom accessed is tested least by "
    "other means.\n"
    "\nExamples:\n"
    "  ravel profile ./account\n"
    "  ravel profile ./bank_tests -t Account.Transfer --elements --json profile.json\n";

}  // namespace

OwnCommand profile_command() {
  const auto add = [](OptionTable& table) {
    const auto options = std::make_shared<ProfileOptions>();
    add_rows(table, *options);
    return [options](const std::vector<std::string>& arguments) {
      options->program.program_arguments = arguments;
      return profile(*options);
    };
  };
  return {.name = "profile",
          .help = "counts the accesses to each variable of a C or C++ program",
          .examples = kExamples,
          .add = add};
}

}  // namespace ravel::threads
