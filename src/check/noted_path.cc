#include "check/noted_path.h"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace ravel {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::vector<NotedPath> note_paths(std::span<const std::string> paths) {
  std::vector<NotedPath> noted;
  for (const std::string& path : paths) {
    std::error_code problem;
    noted.push_back({.given = path, .absolute = fs::absolute(path, problem).lexically_normal()});
  }
  return noted;
}

Json paths_to_json(const std::vector<NotedPath>& paths) {
  Json json = Json::array();
  for (const NotedPath& path : paths) json.push_back({{"given", path.given}, {"absolute", path.absolute}});
  return json;
}

std::vector<NotedPath> paths_from_json(const Json& json) {
  std::vector<NotedPath> paths;
  for (const Json& path : json) paths.push_back({.given = path.at("given"), .absolute = path.at("absolute")});
  return paths;
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
