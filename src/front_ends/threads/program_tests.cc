#include "front_ends/threads/program_tests.h"

#include <algorithm>
#include <filesystem>

#include "threads/remote/launch.h"

namespace ravel::threads {

bool is_program(std::span<const std::string> files) {
  return !files.empty() && is_executable_file(files.front());
}

Result<ProgramCall> program_call(const ProgramArguments& arguments) {
  const std::vector<std::string>& files = arguments.files;
  if (files.size() > 1)
    return Error{files.front() + " is a program of C or C++, which is checked alone; what are " + files[1] +
                 " and what follows? Its own arguments stand after --."};
  return ProgramCall{.path = files.front(), .arguments = arguments.program_arguments, .test = {}};
}

std::string option_name(const ProgramTest& test) {
  return test.kind == TestKind::kMain ? kMainTest : test.name;
}

std::string report_name(const ProgramCall& call) {
  return call.test.kind == TestKind::kMain ? std::filesystem::path(call.path).filename().string()
                                           : call.test.name;
}

std::string file_name(const ProgramCall& call) {
  const std::string program = std::filesystem::path(call.path).filename();
  return call.test.kind == TestKind::kMain ? program : program + "." + call.test.name;
}

Status track_named(const OwnOptions& options, const ProgramCall& call, Configuration& configuration) {
  if (options.tracked.empty()) return Success{};
  if (options.accesses != AccessOperations::kRacy || options.races_are_bugs)
    return Error{
        "--track says which memory accesses are interleaved, and looks for no races; leave out --accesses "
        "and --races."};
  auto system = RemoteSystem::start(call, {});
  if (!system) return system.error();
  configuration.accesses = AccessOperations::kNamed;
  for (const std::string& name : options.tracked) {
    const std::vector<std::uint64_t> words = (*system)->texts().symbols().words_of(name);
    if (words.empty())
      return Error{"--track " + name + ": there is no such global variable in " + call.path +
                   ". 'ravel profile " + call.path + "' lists those that are accessed."};
    configuration.tracked.insert(configuration.tracked.end(), words.begin(), words.end());
  }
  return Success{};
}

namespace {

// Whether this is the name of the test's group, or of one that has it.
bool is_group(const ListedTest& test, const std::string& name) {
  const TestFramework* const framework = find_framework(test.test.kind);
  if (framework == nullptr || test.group.empty()) return false;
  return test.group == name ||
         (!framework->group_end.empty() && test.group.starts_with(name + std::string(framework->group_end)));
}

std::string_view without_blanks(std::string_view name) {
  while (name.starts_with(' ')) name.remove_prefix(1);
  while (name.ends_with(' ')) name.remove_suffix(1);
  return name;
}

Error no_such_test(const ProgramCall& call, const std::string& name, const std::vector<ListedTest>& all) {
  if (all.front().test.kind == TestKind::kMain)
    return Error{"-t " + name + ": " + call.path +
                 " is one test, which is run from its main(). RAVEL_TEST of <ravel/test.h> marks several, "
                 "and those of Google Test, Catch2, doctest and Boost.Test are found by themselves."};
  return Error{"-t " + name + ": there is no such test in " + call.path + ". 'ravel tests " + call.path +
               "' lists them."};
}

}  // namespace

Result<std::vector<ListedTest>> chosen_tests(const ProgramCall& call,
                                             const std::vector<std::string>& wanted) {
  // A program whose tests can't be listed may still be one.
  if (wanted.size() == 1 && wanted.front() == kMainTest) return std::vector<ListedTest>(1);
  auto all = list_tests(call);
  if (!all) return all.error();
  std::vector<ListedTest> chosen;
  if (wanted.empty()) {
    std::ranges::copy_if(*all, std::back_inserter(chosen),
                         [](const ListedTest& test) { return !test.is_disabled; });
    if (chosen.empty()) return Error{call.path + ": all its tests are disabled. Name one with -t."};
    return chosen;
  }
  const auto add = [&](const ListedTest& test) {
    const bool is_known =
        std::ranges::any_of(chosen, [&](const ListedTest& other) { return other.test == test.test; });
    if (!is_known) chosen.push_back(test);
  };
  const TestFramework* const framework = find_framework(all->front().test.kind);
  for (const std::string& name : wanted) {
    const auto exact = std::ranges::find_if(*all, [&](const ListedTest& test) {
      return without_blanks(option_name(test.test)) == without_blanks(name);
    });
    if (exact != all->end()) {
      add(*exact);
      continue;
    }
    if (name == kMainTest) {
      add({});
      continue;
    }
    if (framework != nullptr && framework->is_filter != nullptr && framework->is_filter(name)) {
      const auto filtered = list_tests(call, name);
      if (!filtered) return filtered.error();
      if (filtered->empty()) return no_such_test(call, name, *all);
      std::ranges::for_each(*filtered, add);
      continue;
    }
    bool is_suite = false;
    for (const ListedTest& test : *all) {
      if (!is_group(test, name)) continue;
      is_suite = true;
      if (!test.is_disabled) add(test);
    }
    if (!is_suite) return no_such_test(call, name, *all);
  }
  if (chosen.empty())
    return Error{"-t " + wanted.front() + ": all these tests are disabled. Name one exactly."};
  return chosen;
}

}  // namespace ravel::threads
