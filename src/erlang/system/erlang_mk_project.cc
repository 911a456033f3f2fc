// A Makefile is not run, but its assignments are read: of PROJECT, DEPS and what else erlang.mk names.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "erlang/system/folders.h"
#include "erlang/system/own_build.h"
#include "erlang/system/project.h"
#include "erlang/system/source_order.h"

namespace ravel::erlang {

namespace {

namespace fs = std::filesystem;
using Variables = std::map<std::string, std::string>;

// NAME = VALUE, :=, ?= and +=, with lines that go on. What the value calls ($(...)) stays as text.
Variables read_makefile(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  Variables variables;
  std::string whole;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty() && line.back() == '\\') {
      line.back() = ' ';
      whole += line;
      continue;
    }
    whole += line;
    const std::string text = std::exchange(whole, {}).substr(0);
    const std::size_t equals = text.find('=');
    if (text.empty() || text[0] == '\t' || text[0] == '#' || equals == std::string::npos || equals == 0)
      continue;
    const char before = text[equals - 1];
    const std::size_t name_end = before == ':' || before == '?' || before == '+' ? equals - 1 : equals;
    std::string name = text.substr(0, name_end);
    if (name.starts_with("export ")) name.erase(0, 7);
    name.erase(name.find_last_not_of(" \t:") + 1);
    if (name.empty() || name.find_first_of(" \t:$") != std::string::npos) continue;
    std::string value = text.substr(equals + 1);
    value.resize(std::min(value.size(), value.find('#')));
    if (before == '+') {
      variables[name] += " " + value;
    } else if (before != '?' || !variables.contains(name)) {
      variables[name] = value;
    }
  }
  return variables;
}

// The words of a value, as a shell would read its quotes.
std::vector<std::string> words_of(const Variables& variables, const std::string& name) {
  const auto found = variables.find(name);
  std::vector<std::string> words;
  if (found == variables.end()) return words;
  std::string word;
  char quote = '\0';
  for (const char c : found->second + " ") {
    if (quote != '\0' ? c == quote : c == '\'' || c == '"') {
      quote = quote == '\0' ? c : '\0';
    } else if (quote == '\0' && std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (!word.empty()) words.push_back(std::exchange(word, {}));
    } else {
      word += c;
    }
  }
  std::erase_if(words, [](const std::string& one) { return one.find('$') != std::string::npos; });
  return words;
}

std::string word_of(const Variables& variables, const std::string& name, const std::string& otherwise) {
  const std::vector<std::string> words = words_of(variables, name);
  return words.empty() ? otherwise : words.front();
}

void add_new(std::vector<std::string>& list, const std::string& entry) {
  if (std::ranges::find(list, entry) == list.end()) list.push_back(entry);
}

class ErlangMkProject {
 public:
  ErlangMkProject(const std::string& folder, const OtpInstallation& otp)
      : folder_(folder), otp_(otp), variables_(read_makefile(join_path(folder, "Makefile"))) {}

  bool is_unbuilt() const { return is_unbuilt_; }

  Result<Project> read() {
    if (is_folder(join_path(folder_, "src"))) add_application(folder_, variables_);
    for (const std::string& one : folders_in(join_path(folder_, word_of(variables_, "APPS_DIR", "apps"))))
      if (is_file(join_path(one, "Makefile")) && is_folder(join_path(one, "src")))
        add_application(one, read_makefile(join_path(one, "Makefile")));
    if (project_.options.files.empty())
      return Error{join_path(folder_, "Makefile") +
                   ": the project has no source in src, nor in apps/*/src. Name the program's files."};
    const std::string dependencies = join_path(folder_, word_of(variables_, "DEPS_DIR", "deps"));
    for (const std::string& library : folders_in(dependencies))
      if (const std::string beams = join_path(library, "ebin"); is_folder(beams))
        add_new(project_.options.code_folders, beams);
    if (Status found = check_dependencies(dependencies); !found) return found.error();
    project_.options.defines.emplace_back("TEST", "1");
    order_sources(project_.options, first_);
    return project_;
  }

 private:
  void add_application(const std::string& folder, const Variables& variables) {
    ProgramOptions& options = project_.options;
    for (const char* const name : {"include", "src", "test"})
      if (const std::string path = join_path(folder, name); is_folder(path))
        add_new(options.include_folders, path);
    add_new(options.include_folders, folder);
    // Lets -include_lib("application/include/file.hrl") find the project's own headers.
    add_new(options.include_folders,
            folder == "." ? ".." : (fs::path(folder) / "..").lexically_normal().string());
    // The project's NAME.app is there; the modules there are older than their sources.
    if (const std::string beams = join_path(folder, "ebin"); !files_in(beams, ".app").empty()) {
      add_new(options.code_folders, beams);
    } else if (files_in(join_path(folder, "src"), ".app.src").empty()) {
      is_unbuilt_ = true;
    }
    std::ranges::copy(files_below(join_path(folder, "src"), ".erl"), std::back_inserter(options.files));
    add_test_sources(files_below(join_path(folder, word_of(variables, "TEST_DIR", "test")), ".erl"), otp_,
                     project_);
    for (const char* const name : {"ERLC_OPTS", "TEST_ERLC_OPTS"})
      for (const std::string& option : words_of(variables, name)) {
        const bool is_warning = option.starts_with("+warn") || option == "-Werror" || option == "+debug_info";
        if (!is_warning && (option.starts_with('+') || option.starts_with("-D")))
          add_new(options.erlc_options, option);
      }
    for (const std::string& module : words_of(variables, "COMPILE_FIRST")) first_.push_back(module);
    for (const char* const name : {"DEPS", "BUILD_DEPS"})
      for (const std::string& dependency : words_of(variables, name)) add_new(needed_, dependency);
    for (const std::string& dependency : words_of(variables, "TEST_DEPS"))
      add_new(needed_by_tests_, dependency);
  }

  bool is_there(const std::string& dependency, const std::string& dependencies) const {
    const auto is_of_it = [&](const std::string& beams) {
      const std::string library = fs::path(beams).parent_path().filename();
      return library == dependency || library.starts_with(dependency + "-");
    };
    return is_folder(join_path(dependencies, dependency + "/ebin")) ||
           std::ranges::any_of(otp_.ebin_folders(), is_of_it) ||
           std::ranges::any_of(user_library_folders(), is_of_it);
  }

  Status check_dependencies(const std::string& dependencies) {
    const auto missing = [&](const std::vector<std::string>& names) {
      std::string text;
      for (const std::string& name : names)
        if (!is_there(name, dependencies)) text += (text.empty() ? "" : ", ") + name;
      return text;
    };
    const std::string problem =
        join_path(folder_, "Makefile") + ": not built, that is not in " + dependencies + ": ";
    if (const std::string names = missing(needed_by_tests_); !names.empty())
      project_.remarks.push_back(problem + names +
                                 ". What calls it will fail; 'make test-deps' fetches what only tests need.");
    const std::string names = missing(needed_);
    if (names.empty()) return Success{};
    is_unbuilt_ = true;
    return Error{problem + names + "."};
  }

  const std::string folder_;
  const OtpInstallation& otp_;
  const Variables variables_;
  Project project_;
  std::vector<std::string> first_, needed_, needed_by_tests_;
  bool is_unbuilt_ = false;
};

}  // namespace

bool is_of_erlang_mk(const std::string& folder) {
  std::ifstream stream(join_path(folder, "Makefile"), std::ios::binary);
  for (std::string line; std::getline(stream, line);)
    if (line.find("include") != std::string::npos && line.find("erlang.mk") != std::string::npos) return true;
  return false;
}

Result<Project> read_erlang_mk_project(const std::string& folder, const OtpInstallation& otp) {
  ErlangMkProject project(folder, otp);
  auto read = project.read();
  if (!project.is_unbuilt()) return read;
  const OwnBuild build = build_by_own_tool(folder, {"make"});
  if (build.is_done) read = ErlangMkProject(folder, otp).read();
  if (!read) return Error{read.error().message + " " + build.remark};
  read->remarks.insert(read->remarks.begin(), build.remark);
  return read;
}

}  // namespace ravel::erlang
