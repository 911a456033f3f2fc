#include "story/story_sources.h"

#include <fmt/format.h>

#include <utility>

#include "story/story_text.h"

namespace ravel {

namespace {

constexpr std::size_t kTimesAllTogether = 10;

}  // namespace

std::optional<std::size_t> StorySources::index_of(const std::string& path) {
  if (path.empty()) return std::nullopt;
  const auto [known, is_new] = by_path_.try_emplace(path, sources_.size());
  if (is_new) {
    StorySource& source = sources_.emplace_back();
    source.path = path;
  }
  return known->second;
}

std::vector<StorySource> StorySources::take(const SourceReader& read, std::size_t bytes_max) {
  std::map<std::string, std::size_t, std::less<>> of_name;
  for (const StorySource& source : sources_) ++of_name[std::string(without_folder(source.path))];
  std::size_t bytes = 0;
  for (StorySource& source : sources_) {
    source.name = std::string(without_folder(source.path));
    if (of_name[source.name] > 1 || source.name.empty()) source.name = source.path;
    auto text = read(source.path);
    if (!text) {
      source.gone = cut_characters(text.error().message);
    } else if (text->size() > bytes_max) {
      source.gone =
          fmt::format("the file has {} bytes, and only files of up to {} are shown", text->size(), bytes_max);
    } else if (bytes + text->size() > kTimesAllTogether * bytes_max) {
      source.gone = "the files of this story are too large together";
    } else {
      bytes += text->size();
      source.text = std::move(*text);
    }
  }
  return std::move(sources_);
}

}  // namespace ravel
