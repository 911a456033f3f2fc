// The projects of rebar3 and mix: what a folder says about which files belong to the program, and how to compile them.
//
// Nothing of these tools is run. Of rebar3 the sources are compiled anew, as for its EUnit: with TEST and EUNIT defined,
// its options, and the test folders; what it depends on must have been built. Of mix the built modules are taken, and the
// sources of the tests.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "erlang/system/program.h"

namespace ravel::erlang {

struct Project {
  ProgramOptions options;            // paths that begin with the folder's
  std::vector<std::string> remarks;  // what the user should know: what is left out, what is out of date
};

// The project in this folder ("." for the current one). An error if there is none, or one that is not built.
// `otp` is the release and architecture as rebar3 names them in conditions.
Result<Project> find_project(const std::string& folder, const OtpInstallation& otp);

// The folders of modules of the libraries that ERL_LIBS names: its FOLDER:FOLDER... hold NAME/ebin and NAME-VERSION/ebin.
std::vector<std::string> user_library_folders();

// Of the kinds, for find_project. REQUIRES: the folder has the file that is in their names.
Result<Project> read_rebar_project(const std::string& folder, const OtpInstallation& otp);
Result<Project> read_mix_project(const std::string& folder);

}  // namespace ravel::erlang
