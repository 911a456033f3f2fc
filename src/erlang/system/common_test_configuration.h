// What a project or the command line gives to suites of Common Test, as the source of a module that
// src/erlang/lib/ravel_ct_server.erl asks: the terms of the files that ct:get_config reads, the environment
// of applications, hooks.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace ravel::erlang {

inline constexpr char kCommonTestConfiguration[] = "ravel_ct_configuration";

// `hooks` is a list of Erlang, or empty. Files of applications are as erl -config takes them.
Result<std::string> common_test_configuration(const std::vector<std::string>& test_files,
                                              const std::vector<std::string>& application_files,
                                              const std::string& hooks);

}  // namespace ravel::erlang
