// The files that the steps of a story name, each read once.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "story/story_model.h"

namespace ravel {

// Returns the text of a file, or why there is none.
using SourceReader = std::function<Result<std::string>(const std::string&)>;

class StorySources {
 public:
  // Nothing for an empty path.
  std::optional<std::size_t> index_of(const std::string& path);
  // Reads the files, and gives them names that differ. A file of more than `bytes_max` is left out, and so is
  // what would make all of them have more than ten times as many. REQUIRES: called once, at the end.
  std::vector<StorySource> take(const SourceReader& read, std::size_t bytes_max);

 private:
  std::vector<StorySource> sources_;
  std::map<std::string, std::size_t> by_path_;
};

}  // namespace ravel
