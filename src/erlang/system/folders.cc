#include "erlang/system/folders.h"

#include <algorithm>
#include <filesystem>

namespace ravel::erlang {

namespace {

namespace fs = std::filesystem;

template <typename Iterator>
std::vector<std::string> entries_of(const std::string& folder, bool (*wanted)(const std::string&)) {
  std::vector<std::string> found;
  std::error_code problem;
  for (Iterator entry(folder, fs::directory_options::skip_permission_denied, problem), end;
       !problem && entry != end; entry.increment(problem)) {
    const std::string path = join_path(folder, entry->path().lexically_relative(folder).string());
    if (wanted(path)) found.push_back(path);
  }
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> with_suffix(std::vector<std::string> paths, std::string_view suffix) {
  std::erase_if(paths, [&](const std::string& path) { return !path.ends_with(suffix); });
  return paths;
}

}  // namespace

bool is_folder(const std::string& path) {
  std::error_code problem;
  return fs::is_directory(path, problem);
}

bool is_file(const std::string& path) {
  std::error_code problem;
  return fs::is_regular_file(path, problem);
}

std::string join_path(const std::string& folder, const std::string& name) {
  return folder == "." ? name : (fs::path(folder) / name).string();
}

std::vector<std::string> files_below(const std::string& folder, std::string_view suffix) {
  return with_suffix(entries_of<fs::recursive_directory_iterator>(folder, is_file), suffix);
}

std::vector<std::string> files_in(const std::string& folder, std::string_view suffix) {
  return with_suffix(entries_of<fs::directory_iterator>(folder, is_file), suffix);
}

std::vector<std::string> folders_in(const std::string& folder) {
  return entries_of<fs::directory_iterator>(folder, is_folder);
}

}  // namespace ravel::erlang
