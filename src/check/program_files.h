// The files of a program whose search is divided, and where they are on the machine at hand.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "check/front_end.h"
#include "check/part_files.h"

namespace ravel {

// With their checksums, each once.
Result<std::vector<CheckedFile>> note_files(const std::vector<std::string>& paths);

// The folder in which all files of the program are, as they were noted: the current one, that of `file`, or
// the one to which the way from there leads. The error names the first file that is not there, or another
// one.
Result<std::string> find_program_folder(const PartedProgram& program, const std::string& file);

// An error if what the program takes from the machine is not what it was where the search was divided.
Status check_installed(const PartedProgram& program, const PortableProgram& here);

}  // namespace ravel
