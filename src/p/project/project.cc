#include "p/project/project.h"

#include <algorithm>
#include <pugixml.hpp>
#include <set>

namespace ravel::p {
namespace {

namespace fs = std::filesystem;

bool has_extension(const fs::path& path, std::string_view wanted) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension == wanted;
}

bool is_p(const fs::path& path) { return has_extension(path, ".p"); }
bool is_foreign(const fs::path& path) { return has_extension(path, ".cs") || has_extension(path, ".java"); }
bool is_hidden(const fs::path& path) { return path.filename().string().starts_with("."); }

// Without blanks around it.
std::string text_of(const pugi::xml_node& node) {
  const std::string_view text = node.text().get();
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin));
}

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !text.empty() && is_letter(text[0]) && std::ranges::all_of(text, is_part);
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

class Reader {
 public:
  Result<Project> read(const fs::path& file) {
    std::error_code none;
    const fs::path whole = fs::weakly_canonical(file, none);
    project_.folder = whole.parent_path();
    if (const Status status = add(whole, true); !status) return status.error();
    if (project_.files.empty())
      return Error{file.string() + ": no `.p` file is in this project: see its <PFile> elements"};
    for (ProjectFile& one : project_.files) {
      const fs::path relative = one.path.lexically_relative(project_.folder);
      const bool is_outside = relative.empty() || *relative.begin() == "..";
      one.name = (is_outside ? one.path : relative).string();
      one.is_dependency =
          std::ranges::any_of(included_, [&](const fs::path& at) { return is_below(one.path, at); });
    }
    return std::move(project_);
  }

 private:
  Status add(const fs::path& file, bool is_first) {
    pugi::xml_document document;
    const pugi::xml_parse_result parsed = document.load_file(file.c_str());
    if (!parsed)
      return Error{file.string() + ": this is no project file that can be read: " + parsed.description() +
                   " (at byte " + std::to_string(parsed.offset) + ")"};
    const pugi::xml_node root = document.document_element();
    if (is_first) {
      project_.name = text_of(root.child("ProjectName"));
      if (!is_name(project_.name))
        return Error{file.string() + ": <ProjectName> must hold the project's name: letters, digits and `_`"};
    }
    for (const pugi::xml_node& inputs : root.children("InputFiles"))
      for (const pugi::xml_node& input : inputs.children("PFile"))
        add_input(file.parent_path() / text_of(input));
    for (const pugi::xml_node& include : root.children("IncludeProject")) {
      if (const Status status = add_project(file, text_of(include)); !status) return status;
    }
    return Success{};
  }

  Status add_project(const fs::path& from, const std::string& written) {
    std::error_code none;
    fs::path path = from.parent_path() / written;
    if (!fs::is_regular_file(path, none)) path = project_.folder / written;
    if (!fs::is_regular_file(path, none)) path = fs::absolute(written, none);
    if (!written.ends_with(".pproj") || !fs::is_regular_file(path, none))
      return Error{from.string() + ": <IncludeProject> names no project file that is there: " + written};
    path = fs::weakly_canonical(path, none);
    if (path.parent_path() == project_.folder) return Success{};
    if (std::ranges::find(included_, path.parent_path()) != included_.end()) return Success{};
    included_.push_back(path.parent_path());
    return add(path, false);
  }

  // What is not there is left out, as P leaves it out: projects name folders that they do not have.
  void add_input(const fs::path& input) {
    std::error_code none;
    if (!fs::is_directory(input, none)) {
      add_file(input);
      return;
    }
    std::vector<fs::path> found;
    for (auto at = fs::recursive_directory_iterator(input, none); at != fs::recursive_directory_iterator();
         at.increment(none)) {
      if (is_hidden(at->path())) {
        if (at->is_directory(none)) at.disable_recursion_pending();
      } else {
        found.push_back(at->path());
      }
    }
    std::ranges::sort(found);
    for (const fs::path& path : found) add_file(path);
  }

  void add_file(const fs::path& file) {
    std::error_code none;
    if (!fs::is_regular_file(file, none)) return;
    const fs::path whole = fs::weakly_canonical(file, none);
    if ((!is_p(whole) && !is_foreign(whole)) || !seen_.insert(whole).second) return;
    if (is_p(whole))
      project_.files.push_back({.path = whole, .name = {}});
    else
      project_.foreign_files.push_back(whole);
  }

  Project project_;
  std::set<fs::path> seen_;
  std::vector<fs::path> included_;  // folders of included projects
};

}  // namespace

Result<Project> read_project(const fs::path& file) { return Reader().read(file); }

Result<fs::path> find_project(const fs::path& folder) {
  std::error_code none;
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none))
    if (entry.path().extension() == ".pproj" && !is_hidden(entry.path())) found.push_back(entry.path());
  if (found.empty()) return Error{folder.string() + ": no project file (`.pproj`) is in this folder"};
  return *std::ranges::min_element(found);
}

}  // namespace ravel::p
