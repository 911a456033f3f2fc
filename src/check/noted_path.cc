#include "check/noted_path.h"

#include <filesystem>

namespace ravel {

namespace fs = std::filesystem;

std::vector<NotedPath> note_paths(std::span<const std::string> paths) {
  std::vector<NotedPath> noted;
  for (const std::string& path : paths) {
    std::error_code problem;
    noted.push_back({.given = path, .absolute = fs::absolute(path, problem).lexically_normal()});
  }
  return noted;
}

std::vector<std::string> reopened(const std::vector<NotedPath>& paths) {
  std::vector<std::string> found;
  for (const NotedPath& path : paths) {
    std::error_code problem;
    // The given name reads better in messages, so it is kept where both mean the same file.
    const bool both = fs::equivalent(path.given, path.absolute, problem) && !problem;
    const bool moved = !fs::exists(path.absolute, problem);
    found.push_back(both || moved ? path.given : path.absolute);
  }
  return found;
}

}  // namespace ravel
