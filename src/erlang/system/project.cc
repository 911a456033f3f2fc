#include "erlang/system/project.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace ravel::erlang {

namespace {

namespace fs = std::filesystem;

template <typename Iterator>
std::vector<std::string> entries_of(const std::string& folder, bool (*wanted)(const std::string&)) {
  std::vector<std::string> found;
  std::error_code problem;
  for (Iterator entry(folder, fs::directory_options::skip_permission_denied, problem), end; !problem && entry != end;
       entry.increment(problem)) {
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

// A project of rebar3 may do without its file.
bool has_application(const std::string& folder) {
  const auto has_source = [](const std::string& one) { return !files_in(join_path(one, "src"), ".app.src").empty(); };
  return has_source(folder) || std::ranges::any_of(folders_in(join_path(folder, "apps")), has_source);
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

std::vector<std::string> user_library_folders() {
  const char* const set = std::getenv("ERL_LIBS");
  std::istringstream names(set == nullptr ? "" : set);
  std::vector<std::string> found;
  for (std::string name; std::getline(names, name, ':');)
    for (const std::string& library : folders_in(name))
      if (std::string beams = join_path(library, "ebin"); is_folder(beams)) found.push_back(std::move(beams));
  return found;
}

Result<Project> find_project(const std::string& folder, const OtpInstallation& otp) {
  // A library of Erlang may have both files; mix has to have built it.
  const bool may_be_of_mix = is_folder(join_path(folder, "_build/test")) || is_folder(join_path(folder, "_build/dev")) ||
                             !has_application(folder);
  if (is_file(join_path(folder, "mix.exs")) && may_be_of_mix) return read_mix_project(folder);
  if (is_file(join_path(folder, "rebar.config")) || has_application(folder)) return read_rebar_project(folder, otp);
  return Error{
      "no file was given, and there is no project here: no rebar.config, no mix.exs, no application in src or apps/*/src. "
      "Name the .erl or .beam files of the program."};
}

}  // namespace ravel::erlang
