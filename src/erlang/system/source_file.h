// The source behind compiled code: where it is, and its lines, to show them beside what happened.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "erlang/beam/beam_file.h"

namespace ravel::erlang {

// The source of a module: the path that the compiler noted, if it is still there; else MODULE.erl beside the
// .beam file; else in the folder src beside that of the .beam file. Empty if it is in none of these places.
std::string find_source(const BeamFile& beam, const std::string& beam_path);

// The file that an index of beam.lines.files refers to: file 0 is the source itself; others (included files,
// grammars) are looked for as they are named, and beside the source.
// REQUIRES: file < beam.lines.files.size().
std::string find_line_file(const BeamFile& beam, const std::string& beam_path, std::uint32_t file);

// Lines of text files, each file read when its first line is asked for.
class SourceLines {
 public:
  // Line numbers begin with 1. Without the end of line; empty if there is no such file or line. Stays valid
  // as long as this object.
  std::string_view line(const std::string& path, std::uint32_t number);

 private:
  struct File {
    std::string text;
    std::vector<std::size_t> starts;  // of each line in text, and the end of text
  };
  const File& load(const std::string& path);

  std::map<std::string, File> files_;
};

}  // namespace ravel::erlang
