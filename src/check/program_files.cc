#include "check/program_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "host/files.h"

namespace ravel {

namespace {

namespace fs = std::filesystem;

// How many of the files, from the first one on, are in the folder as they were noted.
std::size_t count_right(const std::vector<CheckedFile>& files, const fs::path& folder) {
  const auto is_right = [&](const CheckedFile& file) {
    const auto text = read_text_file(folder / file.path);
    return text && hash_string(*text) == file.checksum;
  };
  return static_cast<std::size_t>(std::ranges::find_if_not(files, is_right) - files.begin());
}

// The line that this place is in, of lines that all have an end.
std::string_view line_at(std::string_view lines, std::size_t at) {
  const std::size_t begin = at == 0 ? 0 : lines.rfind('\n', at - 1) + 1;
  const std::string_view line = lines.substr(begin, lines.find('\n', at) - begin);
  return line.empty() ? "nothing" : line;
}

}  // namespace

Result<std::vector<CheckedFile>> note_files(const std::vector<std::string>& paths) {
  std::vector<CheckedFile> files;
  for (const std::string& given : paths) {
    const std::string path = fs::path(given).lexically_normal();
    if (std::ranges::find(files, path, &CheckedFile::path) != files.end()) continue;
    const auto text = read_text_file(path);
    if (!text) return text.error();
    files.push_back({.path = path, .checksum = hash_string(*text)});
  }
  return files;
}

Result<std::string> find_program_folder(const PartedProgram& program, const std::string& file) {
  std::error_code problem;
  const fs::path own = fs::absolute(file, problem).parent_path();
  std::vector<std::string> looked;
  std::size_t most = 0;
  fs::path nearest = own;
  for (const fs::path& one : {fs::current_path(problem), own, own / program.way_to_folder}) {
    const fs::path folder = fs::weakly_canonical(one, problem);
    if (std::ranges::find(looked, folder.string()) != looked.end()) continue;
    looked.push_back(folder);
    const std::size_t right = count_right(program.files, folder);
    if (right == program.files.size()) return folder.string();
    const bool has_next = fs::exists(folder / program.files[right].path, problem);
    if (right > most || (right == most && has_next)) nearest = folder;
    most = std::max(most, right);
  }
  const std::string& missing = program.files[most].path;
  const bool is_there = fs::exists(nearest / missing, problem);
  return Error{
      fmt::format("{}: the program's file {} {}. Looked for in: {}. Put the program's files, as they were "
                  "when the search was "
                  "divided, next to the part or where the command is called.",
                  file, missing, is_there ? "is not as it was (in " + nearest.string() + ")" : "is not there",
                  fmt::join(looked, ", "))};
}

Status check_installed(const PartedProgram& program, const PortableProgram& here) {
  if (program.installed == here.installed) return Success{};
  const std::string there = program.installed + '\n', own = here.installed + '\n';
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(there, own).in1 - there.begin());
  return Error{fmt::format("the search was divided with {}, and here is {}. All machines need the same one.",
                           line_at(there, at), line_at(own, at))};
}

}  // namespace ravel
