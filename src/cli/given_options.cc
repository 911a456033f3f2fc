#include "cli/given_options.h"

#include <algorithm>

namespace ravel {

namespace {

// `why` stands behind the name.
Status refuse(std::span<const GivenOption> options, const std::string& why) {
  const auto given = std::ranges::find_if(options, &GivenOption::is_given);
  if (given == options.end()) return Success{};
  return Error{given->name + why + " Leave it out."};
}

}  // namespace

std::vector<GivenOption> given_for_erlang(const ProgramArguments& program, const ModelOptions& model,
                                          const erlang::Properties& properties) {
  return {
      {"-D", !program.defines.empty()},
      {"-I", !program.include_folders.empty()},
      {"--pa", !program.code_folders.empty()},
      {"--ct-config", !program.test_configuration_files.empty()},
      {"--no-start", !program.starts_applications},
      {"--after-infinite", model.after_infinite.has_value()},
      {"--delivery", model.delivery != ModelOptions().delivery},
      {"--ends", model.ends.has_value()},
      {"--clocks", model.clocks.has_value()},
      {"--rand-seed", model.random_seed != ModelOptions().random_seed},
      {"--stub", !model.stubs.empty()},
      {"--env", !model.environment.empty()},
      {"--normal", !properties.normal_reasons.empty()},
      {"--ignore of an exit or halt", properties.ignores_exits || properties.ignores_halts},
      {"--leftovers", properties.leftovers != erlang::Properties().leftovers},
      {"--crashes", properties.crashes != erlang::Properties().crashes},
      {"--assertions-only", properties.assertions_only},
      {"--first-process-only", properties.first_process_only},
  };
}

Status refuse_for_threads(std::span<const GivenOption> of_erlang) {
  return refuse(of_erlang, " is for programs of Erlang and Elixir, and this is one of C or C++.");
}

Status refuse_for_erlang(std::span<const GivenOption> of_threads) {
  return refuse(of_threads, " is for programs of C and C++, and this is one of Erlang or Elixir.");
}

Status refuse_for_saved(std::span<const GivenOption> options, const std::string& saved) {
  return refuse(options, " would change what " + saved + " says.");
}

}  // namespace ravel
