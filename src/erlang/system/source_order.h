// What projects of Erlang have in common: in which order their sources are compiled, and which belong to
// their tests.

#pragma once

#include <string>
#include <vector>

#include "erlang/system/otp_installation.h"
#include "erlang/system/project.h"

namespace ravel::erlang {

// Parse transforms come before their users, then behaviours; otherwise the order stays. Modules in `first`
// come before all.
void order_sources(ProgramOptions& options, const std::vector<std::string>& first);

// Adds sources of tests, which are left out if they do not compile; suites of Common Test only if that is
// installed.
void add_test_sources(const std::vector<std::string>& files, const OtpInstallation& otp, Project& project);

}  // namespace ravel::erlang
