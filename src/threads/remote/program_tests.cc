#include "threads/remote/program_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/recording.h"
#include "threads/remote/launch.h"

namespace ravel::threads {

namespace {

// Listing tests may take many steps: frameworks lock, and a program may do what it likes before.
constexpr std::uint64_t kEventsMax = 1'000'000;

// What the program prints when it is run once with these arguments besides.
Result<Recording> run_with(const ProgramCall& call, const std::vector<std::string>& arguments) {
  ProgramCall listing = call;
  listing.arguments.insert(listing.arguments.end(), arguments.begin(), arguments.end());
  Configuration configuration;
  configuration.alone_is_quiet = true;
  auto system = RemoteSystem::start(listing, configuration);
  if (!system) return system.error();
  Recorder recorder(**system, kEventsMax);
  while (recorder.running()) recorder.take_first();
  return recorder.finish();
}

Result<std::vector<ListedTest>> ask(const ProgramCall& call, const TestFramework& framework,
                                    const std::string& filter) {
  std::string why = "it answers something else";
  for (const Calls& way : framework.listings(filter)) {
    std::vector<std::string> outputs;
    for (const std::vector<std::string>& arguments : way) {
      auto recording = run_with(call, arguments);
      if (!recording) return recording.error();
      // Catch2 of version 2 ends with the number of tests that it has listed.
      const bool has_ended = recording->outcome == Outcome::kFinished ||
                             (recording->bug && recording->bug->kind == "exit_status");
      if (!has_ended) {
        why = recording->bug
                  ? "with " + arguments.front() + " it ends with the bug '" + recording->bug->message + "'"
              : recording->refusal ? recording->refusal->message
                                   : "with " + arguments.front() + " it does not end";
        break;
      }
      outputs.push_back(std::move(recording->output));
    }
    if (outputs.size() != way.size()) continue;
    auto listed = framework.parse_listing(outputs);
    if (!listed) continue;
    std::vector<ListedTest> tests;
    for (FrameworkTest& test : *listed)
      tests.push_back({.test = {.kind = framework.kind, .name = std::move(test.name)},
                       .group = std::move(test.group),
                       .title = std::move(test.title),
                       .is_disabled = test.is_disabled});
    if (!tests.empty() || !filter.empty()) return tests;
    why = "it names no test";
  }
  return Error{
      fmt::format("{}: the program has {} in it but does not list its tests: {}. Its main() has to call {}. "
                  "'-t main' checks the "
                  "whole program as one test.",
                  call.path, framework.name, why, framework.main_calls)};
}

}  // namespace

const TestFramework* framework_of(const std::string& path) {
  for (const TestFramework& framework : test_frameworks())
    if (has_symbol_with(path, framework.symbol)) return &framework;
  return nullptr;
}

Result<std::vector<ListedTest>> list_tests(const ProgramCall& call, const std::string& filter) {
  auto system = RemoteSystem::start(call, {});
  if (!system) return system.error();
  std::vector<ListedTest> tests;
  const std::vector<TestPlace>& marked = (*system)->marked_tests();
  for (std::size_t i = 0; i < marked.size(); ++i) {
    const auto first = std::ranges::find(marked, marked[i].name, &TestPlace::name);
    if (first != marked.begin() + static_cast<std::ptrdiff_t>(i))
      return Error{marked[i].file + ":" + std::to_string(marked[i].line) + ": there is another test '" +
                   marked[i].name + "' at " + first->file + ":" + std::to_string(first->line) +
                   ". Give them different names."};
    ProgramTest& test = tests.emplace_back().test;
    test.kind = TestKind::kMarked;
    test.name = marked[i].name;
  }
  if (!tests.empty()) return tests;
  if (const TestFramework* const framework = framework_of(call.path)) return ask(call, *framework, filter);
  return std::vector<ListedTest>(1);
}

}  // namespace ravel::threads
