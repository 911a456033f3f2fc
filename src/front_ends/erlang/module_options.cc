#include "front_ends/erlang/module_options.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "erlang/system/module_attributes.h"

namespace ravel::erlang {

namespace {

// Ours that say something about the tests of a module, not about a command.
constexpr auto kOwn = std::to_array<std::string_view>({"after_infinite",
                                                       "assertions_only",
                                                       "atomic",
                                                       "blocking",
                                                       "budget",
                                                       "clocks",
                                                       "crashes",
                                                       "delays",
                                                       "delivery",
                                                       "drop",
                                                       "duplicate",
                                                       "early",
                                                       "ends",
                                                       "events",
                                                       "fairness",
                                                       "first_process_only",
                                                       "ignore",
                                                       "keep_going",
                                                       "kill",
                                                       "leftovers",
                                                       "long",
                                                       "ltl",
                                                       "non_racing",
                                                       "normal",
                                                       "preemptions",
                                                       "property",
                                                       "rand_seed",
                                                       "seed",
                                                       "slow",
                                                       "step_limit",
                                                       "strategy",
                                                       "stub",
                                                       "time"});
constexpr auto kOwnFlags =
    std::to_array<std::string_view>({"assertions_only", "first_process_only", "keep_going"});

// Concuerror's that change nothing in what an exploration finds, or that the command line says here.
constexpr auto kWithoutEffect = std::to_array<std::string_view>({"disable_sleep_sets",
                                                                 "dpor",
                                                                 "exclude_module",
                                                                 "file",
                                                                 "graph",
                                                                 "log_all",
                                                                 "log_races",
                                                                 "module",
                                                                 "no_output",
                                                                 "observers",
                                                                 "optimal",
                                                                 "output",
                                                                 "pa",
                                                                 "print_depth",
                                                                 "pz",
                                                                 "quiet",
                                                                 "scheduling",
                                                                 "show_races",
                                                                 "strict_scheduling",
                                                                 "symbolic_names",
                                                                 "test",
                                                                 "timeout",
                                                                 "use_receive_patterns",
                                                                 "use_unsound_bpor",
                                                                 "verbosity"});

template <std::size_t size>
bool is_one_of(const std::array<std::string_view, size>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Adds the option as arguments; says what is wrong with it.
Status add_own(const AttributeOption& option, std::vector<std::string>& arguments) {
  if (!is_one_of(kOwn, option.name)) return Error{"there is no option " + option.name + " for a module"};
  std::string name = "--" + option.name;
  std::ranges::replace(name, '_', '-');
  if (!is_one_of(kOwnFlags, option.name)) {
    arguments.push_back(name + "=" + option.value);
  } else if (option.value == "true") {
    arguments.push_back(name);
  } else if (option.value != "false") {
    return Error{option.name + " is true or false, not " + option.value};
  }
  return Success{};
}

Status add_flag(const AttributeOption& option, const char* flag, std::vector<std::string>& arguments) {
  if (option.value != "true" && option.value != "false")
    return Error{option.name + " is true or false, not " + option.value};
  if (option.value == "true") arguments.push_back(flag);
  return Success{};
}

Status add_concuerrors(const AttributeOption& option, std::string_view bound_type,
                       std::vector<std::string>& arguments) {
  const std::string &name = option.name, &value = option.value;
  if (is_one_of(kWithoutEffect, name) || name == "scheduling_bound_type") return Success{};
  if (name == "keep_going") return add_flag(option, "--keep-going", arguments);
  if (name == "assertions_only") return add_flag(option, "--assertions-only", arguments);
  if (name == "first_process_errors_only") return add_flag(option, "--first-process-only", arguments);
  if (name == "instant_delivery") {
    if (value == "false") arguments.push_back("--delivery=channels");
    return Success{};
  }
  if ((name == "after_timeout" || name == "interleaving_bound" || name == "scheduling_bound") &&
      value == "infinity")
    return Success{};
  if (name == "ignore_error") {
    const std::string_view kind = value == "abnormal_exit"   ? "exit"
                                  : value == "abnormal_halt" ? "halt"
                                  : value == "depth_bound"   ? "events"
                                  : value == "deadlock"      ? "deadlock"
                                                             : "";
    if (kind.empty())
      return Error{"ignore_error is abnormal_exit, abnormal_halt, deadlock or depth_bound, not " + value};
    arguments.push_back("--ignore=" + std::string(kind));
  } else if (name == "treat_as_normal") {
    arguments.push_back("--normal=" + value);
  } else if (name == "non_racing_system") {
    arguments.push_back("--non-racing=" + value);
  } else if (name == "depth_bound") {
    arguments.push_back("--events=" + value);
  } else if (name == "after_timeout") {
    arguments.push_back("--after-infinite=" + value);
  } else if (name == "interleaving_bound") {
    arguments.push_back("--budget=" + value + "x");
  } else if (name == "scheduling_bound") {
    if (bound_type == "delay") arguments.push_back("--delays=" + value);
    if (bound_type == "bpor" || bound_type == "ubpor") arguments.push_back("--preemptions=" + value);
  } else {
    return Error{"there is no counterpart of Concuerror's option " + name};
  }
  return Success{};
}

std::string_view bound_type_of(const std::vector<AttributeOption>& options) {
  const auto found = std::ranges::find(options, "scheduling_bound_type", &AttributeOption::name);
  return found == options.end() ? "none" : std::string_view(found->value);
}

}  // namespace

Result<ModuleOptions> module_options(const ProgramModule& module) {
  ModuleOptions result;
  const auto add = [&](const char* attribute, std::vector<std::string>& arguments, bool is_own) -> Status {
    const auto options = attribute_options(module, attribute);
    if (!options) return options.error();
    // What that tool takes for a bug, unless something else is said here.
    if (!is_own && !options->empty() && result.defaults.empty())
      result.defaults = {"--leftovers=bug", "--crashes=all", "--long=bug"};
    for (const AttributeOption& option : *options) {
      const Status added =
          is_own ? add_own(option, arguments) : add_concuerrors(option, bound_type_of(*options), arguments);
      if (!added) return Error{module.file + ": -" + attribute + ": " + added.error().message + "."};
    }
    return Success{};
  };
  for (const Status& added :
       {add("ravel_options", result.defaults, true), add("concuerror_options", result.defaults, false),
        add("concuerror_options_forced", result.forced, false)})
    if (!added) return added.error();
  return result;
}

}  // namespace ravel::erlang
