// The projects of rebar3, mix and erlang.mk: what a folder says about which files belong to the program, and
// how to compile them.
//
// These tools are run only where a project is not built yet (own_build.h). Of rebar3 and erlang.mk the
// sources are compiled anew, as for its EUnit: with TEST and EUNIT defined, its options, and the test
// folders; what it depends on must have been built. Of mix the built modules are taken, and the sources of
// the tests.
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

// The folders of modules of the libraries that ERL_LIBS names: its FOLDER:FOLDER... hold NAME/ebin and
// NAME-VERSION/ebin.
std::vector<std::string> user_library_folders();

// Readers of the kinds of projects, for find_project. REQUIRES: the folder has the file that is in their
// names.
Result<Project> read_rebar_project(const std::string& folder, const OtpInstallation& otp);
Result<Project> read_mix_project(const std::string& folder);
Result<Project> read_erlang_mk_project(const std::string& folder, const OtpInstallation& otp);
// Whether a folder has a Makefile that includes erlang.mk.
bool is_of_erlang_mk(const std::string& folder);

}  // namespace ravel::erlang
