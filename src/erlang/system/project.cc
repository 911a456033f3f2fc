#include "erlang/system/project.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "erlang/system/folders.h"

namespace ravel::erlang {

namespace {

// A project of rebar3 may do without its file.
bool has_application(const std::string& folder) {
  const auto has_source = [](const std::string& one) {
    return !files_in(join_path(one, "src"), ".app.src").empty();
  };
  return has_source(folder) || std::ranges::any_of(folders_in(join_path(folder, "apps")), has_source);
}

}  // namespace

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
  const bool may_be_of_mix = is_folder(join_path(folder, "_build/test")) ||
                             is_folder(join_path(folder, "_build/dev")) || !has_application(folder);
  if (is_file(join_path(folder, "mix.exs")) && may_be_of_mix) return read_mix_project(folder);
  if (is_of_erlang_mk(folder) && !has_application(folder)) return read_erlang_mk_project(folder, otp);
  if (is_file(join_path(folder, "rebar.config")) || has_application(folder))
    return read_rebar_project(folder, otp);
  return Error{
      "no file was given, and there is no project here: no rebar.config, no mix.exs, no Makefile of "
      "erlang.mk, no application in src or "
      "apps/*/src. "
      "Name the .erl or .beam files of the program."};
}

}  // namespace ravel::erlang
