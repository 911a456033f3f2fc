// A path of a program as tickets and traces note it, so that it is found again.

#pragma once

#include <span>
#include <string>
#include <vector>

namespace ravel {

struct NotedPath {
  std::string given;     // as it was written
  std::string absolute;  // where that was
};

std::vector<NotedPath> note_paths(std::span<const std::string> paths);

// `Json`: one of the library nlohmann::json, whose headers are slow to compile.
template <class Json>
Json paths_to_json(const std::vector<NotedPath>& paths) {
  Json json = Json::array();
  for (const NotedPath& path : paths) json.push_back({{"given", path.given}, {"absolute", path.absolute}});
  return json;
}

// Throws what that library throws if this is no list of noted paths.
template <class Json>
std::vector<NotedPath> paths_from_json(const Json& json) {
  std::vector<NotedPath> paths;
  for (const Json& path : json) paths.push_back({.given = path.at("given"), .absolute = path.at("absolute")});
  return paths;
}

// Where each is now: as it was written, unless that is another file and the old place still has one.
std::vector<std::string> reopened(const std::vector<NotedPath>& paths);

}  // namespace ravel
