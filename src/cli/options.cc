#include "cli/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <span>

#include "erlang/system/project.h"

namespace ravel {

namespace {

// Of a budget, in bytes: more than any machine has, and exact as a double.
constexpr double kMemoryMax = 1LL << 50;

Error not_a_budget(const std::string& text) {
  return Error{"--budget " + text +
               ": not a budget. Write a time such as 60s, 5m or 2h, a number of executions such as 10000x, or memory such as 500M or 8G."};
}

// The modules that stand in for others.
Result<std::vector<std::pair<std::string, std::string>>> parse_stubs(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> stubs;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      return Error{"--stub " + text + ": not two modules. Write MODULE=STUB."};
    const std::string replaced = text.substr(0, equals), stub = text.substr(equals + 1);
    if (replaced == stub) return Error{"--stub " + text + ": a module cannot stand in for itself."};
    if (replaced == "erlang") return Error{"--stub " + text + ": the functions of erlang are the language and cannot be replaced."};
    if (std::ranges::count(stubs, replaced, &std::pair<std::string, std::string>::first) > 0)
      return Error{"--stub " + text + ": a second stub of " + replaced + ". Give one."};
    stubs.emplace_back(replaced, stub);
  }
  return stubs;
}

// What these names stand for, each test once.
Result<std::vector<erlang::TestCase>> list_tests(erlang::Program& program, std::span<const erlang::TestName> names,
                                                 const erlang::MachineOptions& machine) {
  std::vector<erlang::TestCase> tests;
  for (const erlang::TestName& name : names) {
    const auto cases = erlang::list_test_cases(program, name, machine);
    if (!cases) return cases.error();
    for (const erlang::TestCase& test : *cases) {
      if (std::ranges::find(tests, test.name, &erlang::TestCase::name) == tests.end()) tests.push_back(test);
    }
  }
  return tests;
}

}  // namespace

Result<Budget> parse_budgets(const std::vector<std::string>& texts) {
  Budget budget;
  for (const std::string& text : texts) {
    const char* const end = text.data() + text.size();
    if (text.ends_with('x')) {
      std::uint64_t count = 0;
      const auto [stop, problem] = std::from_chars(text.data(), end, count);
      if (problem != std::errc() || stop != end - 1 || count == 0) return not_a_budget(text);
      if (budget.executions) return Error{"--budget " + text + ": a second number of executions. Give one."};
      budget.executions = count;
      continue;
    }
    double amount = 0;
    const auto [stop, problem] = std::from_chars(text.data(), end, amount, std::chars_format::fixed);
    if (problem != std::errc() || stop != end - 1 || !std::isfinite(amount) || amount <= 0)
      return not_a_budget(text);
    if (*stop == 'M' || *stop == 'G') {
      const double bytes = amount * (*stop == 'M' ? 1 << 20 : 1 << 30);
      if (bytes < 1 || bytes > kMemoryMax) return not_a_budget(text);
      if (budget.memory) return Error{"--budget " + text + ": a second amount of memory. Give one."};
      budget.memory = static_cast<std::uint64_t>(bytes);
      continue;
    }
    const double unit = *stop == 's' ? 1 : *stop == 'm' ? 60 : *stop == 'h' ? 3600 : 0;
    if (unit == 0) return not_a_budget(text);
    if (budget.seconds) return Error{"--budget " + text + ": a second time. Give one."};
    budget.seconds = amount * unit;
  }
  return budget;
}

// Of NAME=VALUE and NAME; the last one of a name counts. What is not set here is not set there.
Result<std::vector<std::pair<std::string, std::string>>> parse_environment(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> variables;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (name.empty()) return Error{"--env " + text + ": the name of a variable is missing. Give NAME=VALUE, or NAME for its value here."};
    std::erase_if(variables, [&](const auto& variable) { return variable.first == name; });
    if (equals != std::string::npos) {
      variables.emplace_back(name, text.substr(equals + 1));
    } else if (const char* const value = std::getenv(name.c_str())) {
      variables.emplace_back(name, value);
    }
  }
  std::ranges::sort(variables);
  return variables;
}

Status set_model(const ModelOptions& model, erlang::MachineOptions& machine) {
  if (model.clocks == erlang::Clocks::kVirtual && model.time == erlang::TimePolicy::kAny)
    return Error{"--clocks virtual: with --time any no time passes that clocks could show. Add --time idle or --time deadlines."};
  if (model.after_infinite) machine.after_infinite_ms = *model.after_infinite;
  machine.time = model.time;
  machine.delivery = model.delivery;
  if (model.ends) machine.ends = *model.ends;
  machine.clocks = model.clocks.value_or(model.time == erlang::TimePolicy::kIdle ? erlang::Clocks::kVirtual : erlang::Clocks::kFrozen);
  machine.random_seed = model.random_seed;
  machine.atomic_modules = model.atomic_modules;
  auto stubs = parse_stubs(model.stubs);
  if (!stubs) return stubs.error();
  machine.stubs = std::move(*stubs);
  auto environment = parse_environment(model.environment);
  if (!environment) return environment.error();
  machine.environment = std::move(*environment);
  return Success{};
}

Result<erlang::ProgramOptions> program_options(const ProgramArguments& arguments, std::vector<std::string>& remarks) {
  erlang::ProgramOptions options;
  if (arguments.files.empty()) {
    const auto otp = erlang::OtpInstallation::find();
    if (!otp) return otp.error();
    auto project = erlang::find_project(".", *otp);
    if (!project) return project.error();
    options = std::move(project->options);
    remarks = std::move(project->remarks);
    if (!arguments.starts_applications) options.applications.clear();
  }
  const auto add = [](std::vector<std::string>& to, const std::vector<std::string>& from) {
    to.insert(to.begin(), from.begin(), from.end());
  };
  add(options.files, arguments.files);
  add(options.include_folders, arguments.include_folders);
  add(options.code_folders, arguments.code_folders);
  std::ranges::copy(arguments.test_configuration_files, std::back_inserter(options.test_configuration_files));
  std::ranges::copy(erlang::user_library_folders(), std::back_inserter(options.code_folders));
  for (const std::string& define : arguments.defines) {
    const std::size_t equals = define.find('=');
    if (define.empty() || equals == 0) return Error{"-D " + define + ": no name. Write NAME or NAME=VALUE."};
    options.defines.emplace_back(define.substr(0, equals),
                                 equals == std::string::npos ? "" : define.substr(equals + 1));
  }
  return options;
}

Result<std::vector<erlang::TestCase>> all_tests(erlang::Program& program, const erlang::MachineOptions& machine) {
  return list_tests(program, program.tests(), machine);
}

Result<std::vector<erlang::TestCase>> chosen_tests(erlang::Program& program, const std::vector<std::string>& wanted,
                                                   const erlang::MachineOptions& machine) {
  std::vector<erlang::TestName> names;
  if (wanted.empty()) names = program.tests();
  for (const std::string& text : wanted) {
    const auto name = erlang::TestName::parse(text);
    if (!name) return name.error();
    const auto resolved = program.resolve(*name);
    if (!resolved) return resolved.error();
    std::ranges::copy(*resolved, std::back_inserter(names));
  }
  auto tests = list_tests(program, names, machine);
  if (tests && tests->empty())
    return Error{
        "there is no test: no module exports a function NAME_test/0, and no generator NAME_test_/0 gives any. Name a "
        "function of arity 0: -t MODULE:FUNCTION."};
  return tests;
}

}  // namespace ravel
