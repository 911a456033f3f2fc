// A path of a program as tickets and traces note it, so that it is found again.

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

namespace ravel {

struct NotedPath {
  std::string given;     // as it was written
  std::string absolute;  // where that was
};

std::vector<NotedPath> note_paths(std::span<const std::string> paths);

nlohmann::ordered_json paths_to_json(const std::vector<NotedPath>& paths);
// Throws what the JSON library throws if this is no list of noted paths.
std::vector<NotedPath> paths_from_json(const nlohmann::ordered_json& json);

// Where each is now: as it was written, unless that is another file and the old place still has one.
std::vector<std::string> reopened(const std::vector<NotedPath>& paths);

}  // namespace ravel
