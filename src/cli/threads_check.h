// ravel check and ravel replay for programs of C and C++.

#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "engine/ticket.h"

namespace ravel {

inline constexpr const char kThreadsFrontEnd[] = "threads";

// Whether the files of a command line are an executable and its arguments.
bool is_threads_program(const std::vector<std::string>& files);

// The exit status, or what is wrong with the input.
Result<int> check_threads(const CheckOptions& options);

// REQUIRES: the ticket is of this front end.
Result<int> replay_threads(const Ticket& ticket, const ReplayOptions& options);

}  // namespace ravel
