#include "check/front_end.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "base/check.h"

namespace ravel {

namespace {

// What bounds an execution is no matter of front ends.
constexpr std::string_view kEventKinds[] = {"events", "event_bound"};

std::string listed(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

Result<int> FrontEnd::run_once(const CommandOptions& options) const {
  const std::string what = options.program.files.empty() ? "run" : options.program.files.front();
  return Error{what + ": 'ravel run' is not for " + std::string(programs()) + ". Start the program itself."};
}

Result<int> FrontEnd::debug(const Ticket&, const std::string&, std::span<const std::string>) const {
  return Error{"--gdb is not for tickets of " + std::string(programs()) + "."};
}

Result<PortableProgram> CheckedProgram::portable() const {
  return Error{
      "searches of programs of this kind cannot be divided into files yet; those of Erlang, Elixir, P, C "
      "and C++ can."};
}

Error several_tests(std::size_t count, const std::string& first) {
  return Error{"this is about one test, but here are " + std::to_string(count) + ". Name one: -t " + first +
               "."};
}

FrontEnds::FrontEnds(std::vector<const FrontEnd*> rows) : rows_(std::move(rows)) { CHECK(!rows_.empty()); }

const FrontEnd& FrontEnds::of(std::span<const std::string> files) const {
  const auto found = std::ranges::find_if(rows_, [&](const FrontEnd* one) { return one->claims(files); });
  return found == rows_.end() ? *rows_.back() : **found;
}

Result<const FrontEnd*> FrontEnds::named(const std::string& name, const std::string& saved) const {
  const auto found = std::ranges::find_if(rows_, [&](const FrontEnd* one) { return one->name() == name; });
  if (found != rows_.end()) return *found;
  return Error{saved + ": this is of a program in '" + name +
               "', which this ravel cannot run. Use the ravel that wrote it, or a later one."};
}

void FrontEnds::add_own_rows(OptionTable& table, CommandKind command, CommandOptions& options) const {
  if (command == CommandKind::kCheck || command == CommandKind::kShow) {
    const bool has_bound = command == CommandKind::kCheck;
    std::vector<std::string_view> known;
    std::string help = "a kind of bug that is none, as results name it: ";
    for (const FrontEnd* const one : rows_) {
      help += "of " + std::string(one->programs()) + " " + listed(one->ignorable_bugs()) + "; ";
      for (const std::string_view kind : one->ignorable_bugs())
        if (std::ranges::find(known, kind) == known.end()) known.push_back(kind);
    }
    if (has_bound) known.insert(known.end(), std::begin(kEventKinds), std::end(kEventKinds));
    help = has_bound ? help + "of all events (more than --events)" : help.substr(0, help.size() - 2);
    const auto ignore = [&options, known](const std::string& kind) -> Status {
      if (std::ranges::find(known, kind) == known.end())
        return Error{"'" + kind + "' is none of " + listed(known)};
      options.ignored.push_back(kind);
      return Success{};
    };
    table.list("--ignore", "KIND", help + "; may be repeated", ignore);
    table.words({known.begin(), known.end()});
  }
  // The last one is that of most programs.
  for (const FrontEnd* const one : rows_ | std::views::reverse) {
    table.begin("Options for " + std::string(one->programs()), std::string(one->name()));
    options.own[std::string(one->name())] = one->add_options(table, command);
  }
}

Status FrontEnds::check_given(const FrontEnd& chosen, const CommandOptions& options) const {
  const auto refuse_of = [&](const std::string& option, const std::string& programs) {
    return Error{option + " is for " + programs + ", and this is " + std::string(chosen.one_program()) +
                 ". Leave it out."};
  };
  const auto refuse = [&](const std::string& option, const FrontEnd& owner) {
    return refuse_of(option, std::string(owner.programs()));
  };
  for (const GivenOption& option : options.given) {
    const bool is_for_chosen = std::ranges::any_of(options.given, [&](const GivenOption& other) {
      return other.name == option.name && (other.owner.empty() || other.owner == chosen.name());
    });
    if (is_for_chosen) continue;
    std::string programs;
    for (const GivenOption& other : options.given) {
      if (other.name != option.name) continue;
      const auto owner =
          std::ranges::find_if(rows_, [&](const FrontEnd* one) { return one->name() == other.owner; });
      programs += (programs.empty() ? "" : " and ") + std::string((*owner)->programs());
    }
    return refuse_of(option.text, programs);
  }
  for (const std::string& kind : options.ignored) {
    if (contains(kEventKinds, kind) || contains(chosen.ignorable_bugs(), kind)) continue;
    const auto owner = std::ranges::find_if(
        rows_, [&](const FrontEnd* one) { return contains(one->ignorable_bugs(), kind); });
    if (owner != rows_.end()) return refuse("--ignore " + kind, **owner);
  }
  if (!options.program.program_arguments.empty() && !chosen.takes_arguments()) {
    const auto owner = std::ranges::find_if(rows_, &FrontEnd::takes_arguments);
    if (owner != rows_.end()) return refuse("--", **owner);
  }
  return Success{};
}

void add_check_rows(OptionTable& table, const FrontEnds& front_ends, CheckOptions& options) {
  table.begin("");
  add_program_rows(
      table, options.program,
      "the program: .erl, .ex, .exs and .beam files; none: the project of rebar3, mix or "
      "erlang.mk in this folder; or one "
      "executable of C or C++ built with ravel-c++ or ravel-cc, then -- and its arguments; or .p files "
      "or a .pproj of P, also that of this folder");
  add_test_row(table, options.program);
  add_search_rows(table, options);
  table.begin("Results");
  add_result_rows(table, options);
  add_story_rows(table, options.story);
  add_report_rows(table, options.report, "one line for each bug, and nothing else");
  table.begin("What can happen, and what is a bug");
  add_time_row(table, options.time);
  front_ends.add_own_rows(table, CommandKind::kCheck, options);
  table.common({"--test", "--strategy", "--keep-going", "--budget", "--preemptions", "--resume", "--out",
                "--json", "--junit", "--quiet"});
}

Result<CheckOptions> parse_check(const FrontEnds& front_ends, std::span<const std::string> arguments) {
  CheckOptions options;
  // After -- are those of the program under test.
  const auto dashes = std::ranges::find(arguments, "--");
  if (dashes != arguments.end()) options.program.program_arguments.assign(dashes + 1, arguments.end());
  OptionTable table;
  add_check_rows(table, front_ends, options);
  if (Status parsed = table.parse(arguments.first(static_cast<std::size_t>(dashes - arguments.begin())));
      !parsed)
    return parsed.error();
  options.given = table.given();
  return options;
}

}  // namespace ravel
