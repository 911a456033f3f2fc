#include "cli/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ravel {

namespace {

Error not_a_budget(const std::string& text) {
  return Error{"--budget " + text +
               ": not a budget. Write a time such as 60s, 5m or 2h, or a number of executions such as 10000x."};
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
    const double unit = *stop == 's' ? 1 : *stop == 'm' ? 60 : *stop == 'h' ? 3600 : 0;
    if (unit == 0) return not_a_budget(text);
    if (budget.seconds) return Error{"--budget " + text + ": a second time. Give one."};
    budget.seconds = amount * unit;
  }
  return budget;
}

Result<erlang::ProgramOptions> program_options(const ProgramArguments& arguments) {
  erlang::ProgramOptions options{.files = arguments.files,
                                 .include_folders = arguments.include_folders,
                                 .code_folders = arguments.code_folders,
                                 .defines = {}};
  for (const std::string& define : arguments.defines) {
    const std::size_t equals = define.find('=');
    if (define.empty() || equals == 0) return Error{"-D " + define + ": no name. Write NAME or NAME=VALUE."};
    options.defines.emplace_back(define.substr(0, equals),
                                 equals == std::string::npos ? "" : define.substr(equals + 1));
  }
  return options;
}

Result<std::vector<erlang::TestName>> chosen_tests(const erlang::Program& program,
                                                   const std::vector<std::string>& wanted) {
  std::vector<erlang::TestName> tests;
  const auto add = [&](const erlang::TestName& test) {
    const bool is_known = std::ranges::any_of(tests, [&](const erlang::TestName& other) {
      return other.module == test.module && other.function == test.function;
    });
    if (!is_known) tests.push_back(test);
  };
  for (const std::string& text : wanted) {
    const auto name = erlang::TestName::parse(text);
    if (!name) return name.error();
    const auto resolved = program.resolve(*name);
    if (!resolved) return resolved.error();
    for (const erlang::TestName& test : *resolved) add(test);
  }
  if (!wanted.empty()) return tests;
  for (const erlang::TestName& test : program.tests()) add(test);
  if (tests.empty())
    return Error{
        "there is no test: no module exports a function NAME_test/0. Name a function of arity 0: -t "
        "MODULE:FUNCTION."};
  return tests;
}

}  // namespace ravel
