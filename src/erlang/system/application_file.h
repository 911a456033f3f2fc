// NAME.app of an application that is compiled for a search: what its NAME.app.src becomes when a tool builds
// it.
#pragma once

#include <string>
#include <vector>

namespace ravel::erlang {

// The application file with these modules, and a version where the source says how to find one out. A source
// that cannot be read is returned as it is, so that the process that starts the application hears from
// Erlang/OTP what is wrong with it.
std::string application_file(const std::string& source, const std::vector<std::string>& modules);

}  // namespace ravel::erlang
