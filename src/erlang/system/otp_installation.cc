#include "erlang/system/otp_installation.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

namespace ravel::erlang {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool is_there(const fs::path& path) {
  std::error_code problem;
  return fs::exists(path, problem);
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem))
    names.push_back(entry->path().filename());
  std::ranges::sort(names);  // the order of a listing differs between machines
  return names;
}

bool is_root(const fs::path& folder) {
  return std::ranges::any_of(names_in(folder / "lib"), [&](const std::string& name) {
    return (name == "stdlib" || name.starts_with("stdlib-")) &&
           is_there(folder / "lib" / name / "ebin" / "lists.beam");
  });
}

// A library's folder is NAME-1.2.3, or NAME.
struct LibraryName {
  std::string name;
  std::vector<std::uint64_t> version;
};

LibraryName parse_library_name(const std::string& folder) {
  const std::size_t dash = folder.rfind('-');
  if (dash == std::string::npos) return {folder, {}};
  LibraryName library{folder.substr(0, dash), {}};
  for (const std::string& part : split(std::string_view(folder).substr(dash + 1), '.')) {
    if (part.find_first_not_of("0123456789") != std::string::npos) return {folder, {}};
    library.version.push_back(std::strtoull(part.c_str(), nullptr, 10));
  }
  return library;
}

}  // namespace

OtpSearch OtpSearch::from_environment() {
  OtpSearch search;
  if (const char* root = std::getenv("RAVEL_OTP")) search.root = root;
  if (const char* path = std::getenv("PATH")) search.path = split(path, ':');
  search.places = {"/usr/lib/erlang", "/usr/local/lib/erlang", "/usr/lib64/erlang",
                   "/opt/homebrew/lib/erlang"};
  return search;
}

Result<OtpInstallation> OtpInstallation::find(const OtpSearch& search) {
  std::vector<fs::path> candidates;
  if (!search.root.empty()) {
    candidates = {search.root, fs::path(search.root) / "lib" / "erlang"};
  } else {
    for (const std::string& folder : search.path) {
      std::error_code problem;
      const fs::path program = fs::canonical(fs::path(folder) / "erl", problem);
      if (problem) continue;
      candidates.push_back(program.parent_path().parent_path());                     // ROOT/bin/erl
      candidates.push_back(program.parent_path().parent_path() / "lib" / "erlang");  // PREFIX/bin/erl
    }
    candidates.insert(candidates.end(), search.places.begin(), search.places.end());
  }
  const auto root = std::ranges::find_if(candidates, is_root);
  if (root != candidates.end()) {
    OtpInstallation installation;
    installation.root_ = *root;
    std::ifstream start(fs::path(*root) / "releases" / "start_erl.data");
    start >> installation.runtime_version_ >> installation.release_;
    installation.list_libraries();
    return installation;
  }
  if (!search.root.empty()) {
    return Error{search.root +
                 ": no Erlang/OTP is there: it has no lib/stdlib-*/ebin. Set RAVEL_OTP to the folder that "
                 "code:root_dir() names in an Erlang shell, or do not set it."};
  }
  return Error{
      "No Erlang/OTP is installed: no `erl` in PATH leads to one, and none is at /usr/lib/erlang. Install it "
      "(on Debian and Ubuntu: the packages erlang-base and erlang-eunit), or set RAVEL_OTP to its root "
      "folder, "
      "which has lib/stdlib-*."};
}

void OtpInstallation::list_libraries() {
  const fs::path folder = fs::path(root_) / "lib";
  std::map<std::string, std::pair<LibraryName, std::string>> newest;  // with its ebin folder
  for (const std::string& name : names_in(folder)) {
    const fs::path ebin = folder / name / "ebin";
    if (!is_there(ebin)) continue;
    LibraryName library = parse_library_name(name);
    auto [place, is_new] = newest.try_emplace(library.name, library, ebin);
    if (!is_new && place->second.first.version < library.version) place->second = {std::move(library), ebin};
  }
  for (const char* first : {"kernel", "stdlib"}) {
    const auto found = newest.find(first);
    if (found == newest.end()) continue;
    ebin_folders_.push_back(found->second.second);
    newest.erase(found);
  }
  usual_folders_ = ebin_folders_;
  for (const auto& [name, library] : newest) {
    ebin_folders_.push_back(library.second);
    if (name == "erts") usual_folders_.push_back(library.second);
  }
}

std::string OtpInstallation::erlc() const {
  const fs::path program = fs::path(root_) / "bin" / "erlc";
  return is_there(program) ? program.string() : "erlc";
}

std::optional<std::string> OtpInstallation::locate(std::string_view module,
                                                   std::span<const std::string> first_folders) {
  // A module's name may hold any character; one that is a path must not lead out of the folder.
  if (module.empty() || module.find('/') != std::string_view::npos) return std::nullopt;
  const std::string file = std::string(module) + ".beam";
  for (const std::span<const std::string> folders :
       {first_folders, std::span<const std::string>(usual_folders_)})
    for (const std::string& folder : folders)
      if (const fs::path path = fs::path(folder) / file; is_there(path)) return path.string();
  list_modules();
  const auto found = folder_of_module_.find(file);
  if (found == folder_of_module_.end()) return std::nullopt;
  return (fs::path(ebin_folders_[found->second]) / file).string();
}

void OtpInstallation::list_modules() {
  if (std::exchange(has_listed_modules_, true)) return;
  for (std::size_t i = 0; i < ebin_folders_.size(); ++i)
    for (std::string& file : names_in(ebin_folders_[i]))
      if (file.ends_with(".beam"))
        folder_of_module_.try_emplace(std::move(file), static_cast<std::uint32_t>(i));
}

}  // namespace ravel::erlang
