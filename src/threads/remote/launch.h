// Starting a program under test so that it can be driven.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "threads/remote/standard_input.h"

namespace ravel::threads {

struct Launched {
  int process = -1;
  int socket = -1;
  std::string files;  // where it keeps what it does to files; to be deleted after its end
};

// Whether this file is an executable, of whatever kind.
bool is_executable_file(const std::string& path);
// Whether it was linked with the runtime; if not, the error says what to do.
Status check_has_runtime(const std::string& path);

// Whether the program has, or takes from a library, a symbol that begins so.
bool has_symbol_with(const std::string& path, std::string_view beginning);

// Whether it names its standard input, or the call that may read it.
bool names_standard_input(const std::string& path);

// `environment`: what is set in addition, NAME=VALUE. `debugger`: a command before the program, which has the
// terminal; empty: none. `input`: what the program reads, unless there is a debugger.
Result<Launched> launch(const std::string& path, const std::vector<std::string>& arguments,
                        StandardInput& input, const std::vector<std::string>& environment,
                        const std::vector<std::string>& debugger);

}  // namespace ravel::threads
