// Options that were given where they say nothing: each is refused by its name, so that nobody believes they had an effect.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/options.h"

namespace ravel {

struct GivenOption {
  const char* name;
  bool is_given;
};

// Of those that several commands have, the ones that are about programs of Erlang and Elixir only.
std::vector<GivenOption> given_for_erlang(const ProgramArguments& program, const ModelOptions& model,
                                          const erlang::Properties& properties);

// Errors if one is given: the program is one of the other front end, or a saved file says what the option would.
Status refuse_for_threads(std::span<const GivenOption> of_erlang);
Status refuse_for_erlang(std::span<const GivenOption> of_threads);
Status refuse_for_saved(std::span<const GivenOption> options, const std::string& saved);

}  // namespace ravel
