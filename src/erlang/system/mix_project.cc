#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "erlang/system/folders.h"
#include "erlang/system/own_build.h"
#include "erlang/system/project.h"

namespace ravel::erlang {

namespace {

namespace fs = std::filesystem;

// The application that a mix.exs names: the atom after "app:". Empty if it names none, as that of an
// umbrella.
std::string application_of(const std::string& mix_file) {
  std::ifstream stream(mix_file);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  for (std::size_t at = text.find("app:"); at != text.npos; at = text.find("app:", at + 1)) {
    if (at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0 || text[at - 1] == '_'))
      continue;
    std::size_t from = text.find_first_not_of(" \t\n", at + 4);
    if (from == text.npos || text[from] != ':') continue;
    std::size_t end = ++from;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
      ++end;
    return text.substr(from, end - from);
  }
  return {};
}

// Mix gives what it builds the time at which it began, in whole seconds: within one second nothing is newer.
bool is_newer(const std::string& path, fs::file_time_type than) {
  using std::chrono::seconds;
  std::error_code problem;
  const auto time = fs::last_write_time(path, problem);
  return !problem && std::chrono::floor<seconds>(time) > std::chrono::floor<seconds>(than);
}

// A source that is younger than all compiled modules of its application; empty if there is none.
std::string changed_source(const std::string& application_folder, const std::vector<std::string>& beams) {
  fs::file_time_type newest = fs::file_time_type::min();
  for (const std::string& beam : beams) {
    std::error_code problem;
    if (const auto time = fs::last_write_time(beam, problem); !problem) newest = std::max(newest, time);
  }
  for (const std::string_view suffix : {".ex", ".erl"})
    for (const std::string_view folder : {"lib", "src"})
      for (const std::string& source :
           files_below(join_path(application_folder, std::string(folder)), suffix))
        if (is_newer(source, newest)) return source;
  return {};
}

// An error of this kind says that the project is to be built first.
struct MixReading {
  Result<Project> project;
  bool is_unbuilt = false;
};

MixReading read_as_built(const std::string& folder) {
  std::vector<std::string> applications = folders_in(join_path(folder, "apps"));  // of an umbrella
  applications.insert(applications.begin(), folder);
  Project project;
  std::string build;  // _build/ENVIRONMENT/lib
  for (const std::string_view environment : {"test", "dev"}) {
    const std::string lib = join_path(folder, "_build/" + std::string(environment) + "/lib");
    if (!build.empty() || !is_folder(lib)) continue;
    build = lib;
    project.options.environment = environment;
  }
  if (build.empty())
    return {.project = Error{join_path(folder, "mix.exs") +
                             ": the project is not built: there is neither _build/test nor _build/dev."},
            .is_unbuilt = true};
  for (const std::string& one : applications) {
    if (!is_file(join_path(one, "mix.exs"))) continue;
    const std::string name = application_of(join_path(one, "mix.exs"));
    if (!name.empty()) {
      const std::vector<std::string> beams = files_in(join_path(build, name + "/ebin"), ".beam");
      if (beams.empty())
        return {.project =
                    Error{join_path(one, "mix.exs") + ": the application " + name +
                          " is not built: there is no module in " + join_path(build, name + "/ebin") + "."},
                .is_unbuilt = true};
      std::ranges::copy(beams, std::back_inserter(project.options.files));
      if (is_file(join_path(build, name + "/ebin/" + name + ".app")))
        project.options.applications.push_back(name);
      if (const std::string changed = changed_source(one, beams); !changed.empty())
        project.remarks.push_back(
            changed + " has changed since " + name +
            " was built; what is checked is the build. Run 'MIX_ENV=test mix compile' to renew it.");
    }
    const std::vector<std::string> tests = files_below(join_path(one, "test"), "_test.exs");
    const std::string helper = join_path(one, "test/test_helper.exs");
    if (!tests.empty() && is_file(helper)) project.options.files.push_back(helper);
    std::ranges::copy(tests, std::back_inserter(project.options.files));
  }
  for (const char* const name : {"config/config.exs", "config/runtime.exs"})
    if (const std::string file = join_path(folder, name); is_file(file))
      project.options.configuration_files.push_back(file);
  // Consolidated protocols take the place of those that were compiled with the modules.
  for (const char* const kind : {"consolidated", "ebin"})
    for (const std::string& library : folders_in(build))
      if (const std::string beams = join_path(library, kind); is_folder(beams))
        project.options.code_folders.push_back(beams);
  if (project.options.files.empty())
    return {.project = Error{join_path(folder, "mix.exs") +
                             ": the project has neither a module nor a test/*_test.exs."}};
  return {.project = std::move(project)};
}

}  // namespace

Result<Project> read_mix_project(const std::string& folder) {
  MixReading reading = read_as_built(folder);
  if (!reading.is_unbuilt) return std::move(reading.project);
  OwnBuild build = build_by_own_tool(folder, {"env", "MIX_ENV=test", "mix", "compile"});
  // Dependencies that are not there yet.
  if (!build.is_done)
    build = build_by_own_tool(folder, {"env", "MIX_ENV=test", "mix", "do", "deps.get,", "compile"});
  if (!build.is_done) return Error{reading.project.error().message + " " + build.remark};
  reading = read_as_built(folder);
  if (reading.project) reading.project->remarks.insert(reading.project->remarks.begin(), build.remark);
  return std::move(reading.project);
}

}  // namespace ravel::erlang
