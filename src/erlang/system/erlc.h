// Compiles Erlang source files by the installed compiler.

#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ravel::erlang {

struct ErlcOptions {
  std::string program = "erlc";
  std::string output_folder = {};                                 // must exist
  std::vector<std::string> include_folders = {};                  // -I
  std::vector<std::string> code_folders = {};                     // -pa: parse transforms, behaviours
  std::vector<std::pair<std::string, std::string>> defines = {};  // -D; an empty value means true
  std::vector<std::string> further_options = {};                  // as they are
};

struct CompiledFiles {
  std::vector<std::string> beams;  // in the order of the files
  std::string messages;            // warnings, as erlc printed them
};

// Compiles the files in one run of erlc, in their order, with debug information; a parse transform may
// stand before its users. If a file does not compile, the error is what erlc printed, untouched.
Result<CompiledFiles> compile_erlang(std::span<const std::string> files, const ErlcOptions& options);

}  // namespace ravel::erlang
