#include "front_ends/threads/checked_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "check/check.h"
#include "front_ends/threads/own_options.h"
#include "front_ends/threads/program_tests.h"
#include "front_ends/threads/test_search.h"
#include "host/files.h"
#include "host/interrupt.h"
#include "report/verdict.h"

namespace ravel::threads {

namespace {

// Preemption bounding and reduction in turns, unless the user asks for what makes reduction fall back on
// caching.
StrategyRules strategy_rules(const CheckOptions& options) {
  const OwnOptions& own = own_options(options);
  const bool can_reduce =
      !own.spurious && options.time != TimeOption::kDeadlines && own.accesses == AccessOperations::kRacy;
  return {.usual = "preemption",
          .in_turns_with = can_reduce ? "dpor" : "",
          .waits_unseen = true,
          .no_messages =
              "--strategy variants is about messages, which threads do not send; choose another strategy.",
          .memory_share = 2};
}

// What a search by states is not for.
Status check_search_by_states(const CheckOptions& options, const SearchSettings& settings) {
  if (!settings.traits().by_states) return Success{};
  const OwnOptions& own = own_options(options);
  const auto refuse = [&](const char* what, std::string_view why) {
    return Error{fmt::format("{} is not for --strategy {}: {}.", what, settings.request.strategy, why)};
  };
  if (own.isolates) return refuse("--isolate", "states are those of one process");
  if (own.host_files) return refuse("--host-files", "files are no part of a state");
  if (options.early.value_or(0) > 0)
    return refuse("--early",
                  "how many timeouts have fired early is no part of a state of a program of C or C++");
  if (options.parameters.own_value("--reduced"))
    return Error{
        "--reduced is for programs of Erlang and Elixir: to try who goes first costs an execution here."};
  if (!options.trace.empty()) return refuse("--trace", "it visits states, and knows no executions");
  if (!options.graph_file.empty()) return refuse("--graph", "it visits states, and knows no executions");
  return Success{};
}

// All but the program itself, by line: the name, a checksum, and where it lies in memory.
std::string describe_libraries(const std::vector<Module>& modules) {
  std::string text;
  for (const Module& module : modules) {
    const auto file =
        &module == &modules.front() ? Result<std::string>(Error{}) : read_text_file(module.path);
    if (!file) continue;  // the program, or what the kernel gives it
    text +=
        fmt::format("{}{} with checksum {:016x} at {:x}", text.empty() ? "" : "\n",
                    std::filesystem::path(module.path).filename().string(), hash_string(*file), module.base);
  }
  return text;
}

}  // namespace

CheckedThreadsProgram::CheckedThreadsProgram(const CheckOptions& options, SearchSettings settings,
                                             ProgramCall call, Configuration configuration,
                                             const std::vector<ListedTest>& tests)
    : options_(options),
      settings_(std::move(settings)),
      call_(std::move(call)),
      configuration_(std::move(configuration)) {
  for (const ListedTest& test : tests) {
    call_.test = test.test;
    tests_.push_back(test.test);
    entries_.push_back({.name = report_name(call_), .title = test.title});
  }
}

Result<std::unique_ptr<CheckedProgram>> CheckedThreadsProgram::open(const CheckOptions& options,
                                                                    const SavedSearch* before) {
  auto call = program_call(options.program);
  if (!call) return call.error();
  call->share->interrupt = &catch_interrupts();
  // What is left is searched with the same standard input as before.
  if (before != nullptr && !before->tests.empty()) {
    const auto noted = parse_program_note(before->tests.front().program, options.resume);
    if (!noted) return noted.error();
    if (Status taken = take_noted_input(*noted, *call, options.resume); !taken) return taken.error();
  }
  Configuration configuration = configuration_for(options);
  if (Status tracked = track_named(own_options(options), *call, configuration); !tracked)
    return tracked.error();
  if (!options.graph_file.empty() && !options.resume.empty())
    return Error{"--graph draws a search of a program from its beginning; leave out --resume."};
  auto settings = search_settings(options, strategy_rules(options));
  if (!settings) return settings.error();
  if (Status fitting = check_search_by_states(options, *settings); !fitting) return fitting.error();
  const auto tests = chosen_tests(*call, options.program.tests);
  if (!tests) return tests.error();
  return std::unique_ptr<CheckedProgram>(new CheckedThreadsProgram(
      options, std::move(*settings), std::move(*call), std::move(configuration), *tests));
}

Result<std::unique_ptr<CheckedProgram>> CheckedThreadsProgram::open(const ProgramNote& note,
                                                                    const CheckOptions& options) {
  auto settings = search_settings(options, strategy_rules(options));
  if (!settings) return settings.error();
  Configuration configuration = note.configuration;
  configuration.isolates = own_options(options).isolates;
  std::vector<ListedTest> tests(1);
  tests[0].test = note.call.test;
  return std::unique_ptr<CheckedProgram>(
      new CheckedThreadsProgram(options, std::move(*settings), note.call, std::move(configuration), tests));
}

std::string CheckedThreadsProgram::assumptions() const {
  switch (configuration_.accesses) {
    case AccessOperations::kSync:
      return "Plain memory accesses were not interleaved: what a data race does was not explored.\n";
    case AccessOperations::kNamed:
      return "Only accesses to the memory named by --track were interleaved, and races were not looked "
             "for.\n";
    case AccessOperations::kRacy:
    case AccessOperations::kAll: break;
  }
  return "";
}

// Operations are known by addresses, so libraries have to lie where they lie elsewhere.
Result<PortableProgram> CheckedThreadsProgram::portable() const {
  const SearchRequest& request = settings_.request;
  if (!request.in_turns_with.empty())
    return Error{fmt::format(
        "programs of C and C++ are searched by {} and {} in turns, unless you name a strategy, and that "
        "cannot be divided; add --strategy dpor.",
        request.strategy, request.in_turns_with)};
  if (!settings_.traits().compares_executions || settings_.bounds_variables() || request.parameters.bound)
    return Error{
        fmt::format("a search of a program of C or C++ with --strategy {} and these options cannot be "
                    "divided yet; choose --strategy dpor, without bounds.",
                    request.strategy)};
  const auto refuse = [](const char* option, const char* why) {
    return Error{fmt::format("{} is not for a search that is divided: {}.", option, why)};
  };
  if (configuration_.isolates) return refuse("--isolate", "its parts are run in the program's own process");
  if (configuration_.host_files) return refuse("--host-files", "machines may have other files");
  ProgramCall call = call_;
  call.test = tests_.front();
  const auto system = RemoteSystem::start(call, configuration_);
  if (!system) return system.error();
  return PortableProgram{.files = {call.path}, .installed = describe_libraries((*system)->modules())};
}

Result<SearchedTest> CheckedThreadsProgram::search(std::size_t test, const SearchTask& task) {
  const bool is_beside_others = task.searches > 1 || task.parts != nullptr;
  if (is_beside_others && configuration_.host_files)
    return SearchedTest{.report = {}, .saved = {}, .needs_machine = true};
  ProgramCall call = call_;
  call.is_beside_others = is_beside_others;
  call.test = tests_[test];
  const std::string folder = ticket_folder(options_);
  SearchSettings settings = settings_;
  if (Status fitting = fit_to_task(task, settings); !fitting) return fitting.error();
  TestSearch search(call, configuration_, settings, own_options(options_).parts, folder, options_.report);
  search.ignore(options_.ignored);
  search.begin_with({task.prefix.begin(), task.prefix.end()}, configuration_.tracked);
  // By states several processes go in another order, in which another bug may be the first.
  if (task.is_noted)
    search.note();
  else if (!settings.traits().by_states || options_.are_jobs_given)
    search.use_processes(options_.jobs, task.processes);
  else
    search.suggest_processes(options_.jobs);
  if (options_.are_jobs_given) search.tell_why_undivided();
  search.divide_by(task.parts);
  search.tell_by(task.tell);
  search.keep_by([&](SavedTest now) {
    now.report.title = entries_[test].title;
    if (task.keep) task.keep(now);
  });
  auto done = search.run(task.is_one_of_several ? entries_[test].name : "", task.before);
  if (!done || done->needs_machine) return done;
  done->report.title = done->saved->report.title = entries_[test].title;
  for (const Recording& recording : done->report.recordings)
    done->report.rare_events.push_back(count_rare_events(recording));
  done->saved->report.rare_events = done->report.rare_events;
  // A search that was stopped and has no position begins anew.
  if (!done->report.result.position && verdict_of(done->report.result) == Verdict::kIncomplete)
    done->saved.reset();
  return done;
}

}  // namespace ravel::threads
