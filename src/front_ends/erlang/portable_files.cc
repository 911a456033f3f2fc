#include "front_ends/erlang/portable_files.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string_view>

#include "host/files.h"

namespace ravel::erlang {

namespace {

namespace fs = std::filesystem;

class Files {
 public:
  explicit Files(const ProgramOptions& options) : options_(options) {}

  void add(const fs::path& path) {
    std::error_code problem;
    const std::string name = path.lexically_normal();
    if (!fs::is_regular_file(path, problem) || std::ranges::find(found_, name) != found_.end()) return;
    found_.push_back(name);
    if (path.extension() == ".erl" || path.extension() == ".hrl") add_included(path);
  }

  void add_folder(const fs::path& folder, std::initializer_list<std::string_view> extensions) {
    std::vector<fs::path> paths;
    std::error_code problem;
    for (fs::recursive_directory_iterator entry(folder, problem), end; entry != end; entry.increment(problem))
      if (std::ranges::find(extensions, entry->path().extension().string()) != extensions.end())
        paths.push_back(entry->path());
    std::ranges::sort(paths);
    for (const fs::path& path : paths) add(path);
  }

  std::vector<std::string> take() { return std::move(found_); }

 private:
  // What stands in an attribute -include("NAME"), where the compiler looks for it.
  void add_included(const fs::path& source) {
    static constexpr std::string_view kInclude = "-include(\"";
    const auto text = read_text_file(source);
    if (!text) return;
    for (std::size_t at = text->find(kInclude); at != std::string::npos; at = text->find(kInclude, at)) {
      at += kInclude.size();
      const std::string name = text->substr(at, text->find('"', at) - at);
      add(source.parent_path() / name);
      for (const std::string& folder : options_.include_folders) add(fs::path(folder) / name);
    }
  }

  const ProgramOptions& options_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> portable_files(const Program& program) {
  const ProgramOptions& options = program.options();
  Files files(options);
  for (const auto* const list : {&options.files, &options.optional_files, &options.configuration_files,
                                 &options.test_configuration_files})
    for (const std::string& file : *list) files.add(file);
  for (const std::string& folder : options.include_folders) files.add_folder(folder, {".hrl"});
  for (const std::string& folder : options.code_folders) files.add_folder(folder, {".beam", ".app"});
  return files.take();
}

}  // namespace ravel::erlang
