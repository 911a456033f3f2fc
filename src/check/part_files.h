// The files of a search whose parts are run elsewhere: the search itself, a part, and a part's result.
//
// Each begins with a line that says what it is and which version has written it, and a line with the hash of
// what follows. A part file holds several parts of the search, which are run one after the other, so that the
// number of files is what the user wants. Its number is never used again; a result says of which file it is,
// and is taken once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "check/saved_search.h"
#include "engine/part_source.h"
#include "parts/part_messages.h"

namespace ravel {

struct CheckedFile {
  std::string path;  // relative ones from the folder of the program
  std::uint64_t checksum = 0;
};

// The program of such a search, and how it is searched.
struct PartedProgram {
  std::vector<std::string> arguments;  // of `ravel check`
  std::vector<CheckedFile> files;
  std::string installed;      // PortableProgram::installed
  std::string way_to_folder;  // from where the file lies to the program's folder: "..", or an absolute path
};

struct PartedSearchFile {
  PartedProgram program;
  std::uint32_t wanted = 1;       // so many part files
  std::uint64_t next_number = 1;  // of a part file
  bool is_over = false;
  SavedTest test;  // what was found so far; with the position of the source, if it is not over
  struct Given {
    std::uint64_t hash = 0;  // of the part file
    std::vector<PartNumber> parts;
  };
  std::map<std::uint64_t, Given> given;  // the part files, by number
};

struct PartFile {
  PartedProgram program;
  std::uint64_t number = 0;
  SavedTest test;  // without bugs; its position is nobody's
  std::vector<Part> parts;
};

struct PartResultFile {
  std::uint64_t number = 0;       // of the part file,
  std::uint64_t hash = 0;         // and its hash
  std::vector<PartSlice> slices;  // of parts that were run, each once
};

std::string print_parted_search(const PartedSearchFile& search);
std::string print_part_file(const PartFile& part);
std::string print_part_result(const PartResultFile& result);

// `name` is what messages call the file.
Result<PartedSearchFile> parse_parted_search(std::string_view text, std::string_view name);
Result<PartFile> parse_part_file(std::string_view text, std::string_view name);
Result<PartResultFile> parse_part_result(std::string_view text, std::string_view name);

// Of what one of the print functions has made.
std::uint64_t hash_of_file(std::string_view text);

}  // namespace ravel
