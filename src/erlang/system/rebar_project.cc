#include <sys/utsname.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "erlang/bif/pcre_pattern.h"
#include "erlang/system/config_terms.h"
#include "erlang/system/folders.h"
#include "erlang/system/own_build.h"
#include "erlang/system/project.h"
#include "erlang/system/source_order.h"

namespace ravel::erlang {

namespace {

namespace fs = std::filesystem;
using Kind = ConfigTerm::Kind;
using Terms = std::vector<ConfigTerm>;

// "25-x86_64-pc-linux-gnu-64-unix", which platform_define compares with.
std::string platform(const OtpInstallation& otp) {
  utsname system = {};
  uname(&system);
  return otp.release() + "-" + system.machine + "-pc-linux-gnu-64-unix";
}

// Nothing if this is no regular expression.
std::optional<bool> matches(const std::string& pattern, const std::string& text) {
  PatternError error;
  const auto compiled = PcrePattern::compile(pattern, {}, RegexDialect::kPcre2, error);
  if (compiled == nullptr) return std::nullopt;
  std::vector<int> groups;
  return compiled->match(text, 0, 0, {}, groups) >= 0;
}

void add_new(std::vector<std::string>& list, const std::string& entry) {
  if (std::ranges::find(list, entry) == list.end()) list.push_back(entry);
}

std::string name_of(const ConfigTerm& dependency) {
  if (dependency.kind == Kind::kTuple && !dependency.parts.empty()) return dependency.parts[0].text;
  return dependency.text;
}

// The folder of an entry of src_dirs and its like: "folder" or {"folder", Options}.
std::string folder_name(const ConfigTerm& folder) {
  return folder.kind == Kind::kTuple && !folder.parts.empty() ? folder.parts[0].text : folder.text;
}

class RebarProject {
 public:
  RebarProject(const std::string& folder, const OtpInstallation& otp)
      : folder_(folder), otp_(otp), platform_(platform(otp)) {}

  // Whether something that it depends on is not there, in a project that rebar3 has not built yet.
  bool is_unbuilt() const { return is_unbuilt_; }

  Result<Project> read() {
    if (Status taken = take_config(folder_, Part::kProject); !taken) return taken.error();
    std::vector<std::string> applications;
    for (const std::string& pattern : application_patterns_) add_applications(pattern, applications);
    if (applications.empty())
      return Error{config_name(folder_) +
                   ": there is no application: no src/*.app.src here, in apps/* or in lib/*. Name the "
                   "program's files."};
    for (const std::string& application : applications)
      if (Status added = add_application(application); !added) return added.error();
    if (std::ranges::find(applications, folder_) == applications.end()) add_tests(folder_);
    add_built_folders();
    if (Status built = check_dependencies(); !built) return built.error();
    if (!project_.options.common_test_hooks.empty()) project_.options.common_test_hooks += "]";
    order_sources(project_.options, first_files_);
    for (const char* const macro : {"TEST", "EUNIT"})
      if (macros_.insert(macro).second) project_.options.defines.emplace_back(macro, "");
    return project_;
  }

 private:
  enum class Part : std::uint8_t { kProject, kApplication };
  enum class Need : std::uint8_t { kProgram, kTests };  // what needs a dependency

  static std::string config_name(const std::string& folder) { return join_path(folder, "rebar.config"); }

  // The settings of the project, or further ones of an application, with those of the profile test.
  Status take_config(const std::string& folder, Part part) {
    const std::string file = config_name(folder);
    if (is_file(file + ".script"))
      project_.remarks.push_back(file +
                                 ".script is not run: its changes of rebar.config are not known here.");
    if (!is_file(file)) return Success{};
    const auto terms = read_config_file(file);
    if (!terms) return terms.error();
    if (Status taken = take_settings(*terms, folder, part, Need::kProgram); !taken) return taken;
    const ConfigTerm* profiles = config_value(*terms, "profiles");
    const ConfigTerm* test = profiles == nullptr ? nullptr : config_value(profiles->parts, "test");
    return test == nullptr ? Status(Success{}) : take_settings(test->parts, folder, part, Need::kTests);
  }

  Status take_settings(const Terms& settings, const std::string& folder, Part part, Need need) {
    take_settings_of_tests(settings, folder);
    for (const char* const name : {"erl_opts", "eunit_compile_opts"}) {
      if (const ConfigTerm* options = config_value(settings, name); options != nullptr)
        for (const ConfigTerm& option : options->parts)
          if (Status taken = take_option(option, folder); !taken) return taken;
    }
    if (const ConfigTerm* first = config_value(settings, "erl_first_files"); first != nullptr)
      for (const ConfigTerm& file : first->parts) first_files_.push_back(fs::path(file.text).stem());
    if (const ConfigTerm* sources = config_value(settings, "src_dirs"); sources != nullptr)
      take_source_folders(*sources);
    if (const ConfigTerm* further = config_value(settings, "extra_src_dirs"); further != nullptr)
      for (const ConfigTerm& one : further->parts) add_new(extra_folders_, folder_name(one));
    if (part == Part::kProject) {
      if (const ConfigTerm* patterns = config_value(settings, "project_app_dirs"); patterns != nullptr) {
        application_patterns_.clear();
        for (const ConfigTerm& pattern : patterns->parts) application_patterns_.push_back(pattern.text);
      }
    }
    if (const ConfigTerm* dependencies = config_value(settings, "deps"); dependencies != nullptr)
      for (const ConfigTerm& dependency : dependencies->parts)
        dependencies_.try_emplace(name_of(dependency), need);
    return Success{};
  }

  // Hooks that only report do nothing here.
  static bool reports_only(const ConfigTerm& hook) {
    const std::string& name =
        hook.kind == Kind::kTuple && !hook.parts.empty() ? hook.parts[0].text : hook.text;
    for (const char* const known :
         {"cth_readable", "cth_surefire", "cth_log_redirect", "cth_conn_log", "cth_styledout", "cth_retry"})
      if (name.starts_with(known)) return true;
    return false;
  }

  void add_files(const ConfigTerm& value, const std::string& folder, std::vector<std::string>& files) {
    if (value.kind == Kind::kString) add_new(files, join_path(folder, value.text));
    if (value.kind != Kind::kList) return;
    for (const ConfigTerm& part : value.parts) add_files(part, folder, files);
  }

  // Which files configure the applications and the suites, and which hooks these have.
  void take_settings_of_tests(const Terms& settings, const std::string& folder) {
    for (const char* const name : {"eunit_opts", "ct_opts"}) {
      const ConfigTerm* const options = config_value(settings, name);
      if (options == nullptr) continue;
      for (const ConfigTerm& option : options->parts) {
        if (option.is_tagged("sys_config", 2))
          add_files(option.parts[1], folder, project_.options.configuration_files);
        if (option.is_tagged("config", 2))
          add_files(option.parts[1], folder, project_.options.test_configuration_files);
        if (option.is_tagged("userconfig", 2))
          project_.remarks.push_back(
              config_name(folder) +
              ": userconfig in ct_opts is not read; ct:get_config does not know what it says.");
        if (!option.is_tagged("ct_hooks", 2)) continue;
        std::string& hooks = project_.options.common_test_hooks;
        for (const ConfigTerm& hook : option.parts[1].parts)
          if (!reports_only(hook)) hooks += (hooks.empty() ? "[" : ", ") + hook.source;
      }
    }
  }

  Status take_option(const ConfigTerm& option, const std::string& folder) {
    if (option.is_tagged("i", 2)) {
      add_new(project_.options.include_folders, join_path(folder, option.parts[1].text));
    } else if (option.is_tagged("src_dirs", 2)) {
      take_source_folders(option.parts[1]);
    } else if (option.is_tagged("platform_define", 3) || option.is_tagged("platform_define", 4)) {
      const auto holds = matches(option.parts[1].text, platform_);
      if (!holds)
        return Error{config_name(folder) + ": \"" + option.parts[1].text +
                     "\" in platform_define is no regular expression."};
      const std::string value = option.parts.size() == 4 ? "," + option.parts[3].source : "";
      if (*holds) define(option.parts[2], "+{d," + option.parts[2].source + value + "}");
    } else if (option.is_tagged("d", 2) || option.is_tagged("d", 3)) {
      define(option.parts[1], "+" + option.source);
    } else if (!option.is_atom("warnings_as_errors") && !option.is_atom("debug_info") &&
               !option.is_atom("no_debug_info")) {
      add_new(project_.options.erlc_options, "+" + option.source);
    }
    return Success{};
  }

  // The compiler takes each macro once; the first part of the configuration that names it decides.
  void define(const ConfigTerm& macro, const std::string& option) {
    if (macros_.insert(macro.text).second) project_.options.erlc_options.push_back(option);
  }

  void take_source_folders(const ConfigTerm& folders) {
    if (folders.kind != Kind::kList) return;
    source_folders_.clear();
    for (const ConfigTerm& folder : folders.parts) source_folders_.push_back(folder_name(folder));
  }

  // "." or "apps/*", as project_app_dirs has them.
  void add_applications(const std::string& pattern, std::vector<std::string>& applications) {
    std::vector<std::string> folders;
    if (pattern.ends_with("/*")) {
      folders = folders_in(join_path(folder_, pattern.substr(0, pattern.size() - 2)));
    } else {
      folders.push_back(pattern == "." ? folder_ : join_path(folder_, pattern));
    }
    for (const std::string& folder : folders)
      if (!files_in(join_path(folder, "src"), ".app.src").empty()) add_new(applications, folder);
  }

  Status add_application(const std::string& folder) {
    const std::vector<std::string> common_folders = source_folders_, common_extra_folders = extra_folders_;
    if (folder != folder_)
      if (Status taken = take_config(folder, Part::kApplication); !taken) return taken;
    std::vector<std::string>& includes = project_.options.include_folders;
    for (const std::string& name : {std::string("include"), std::string("src")})
      if (const std::string path = join_path(folder, name); is_folder(path)) add_new(includes, path);
    add_new(includes, folder);
    // Lets -include_lib("application/include/file.hrl") find the applications of the project.
    add_new(includes, folder == "." ? ".." : (fs::path(folder) / "..").lexically_normal().string());
    for (const std::string& sources : source_folders_) {
      std::ranges::copy(files_below(join_path(folder, sources), ".erl"),
                        std::back_inserter(project_.options.files));
    }
    for (const std::string& sources : extra_folders_) add_sources_beside(join_path(folder, sources));
    source_folders_ = common_folders;
    extra_folders_ = common_extra_folders;
    own_applications_.push_back(
        fs::path(files_in(join_path(folder, "src"), ".app.src").front()).stem().stem());
    add_tests(folder);
    return Success{};
  }

  void add_tests(const std::string& folder) { add_sources_beside(join_path(folder, "test")); }

  // Adds the sources of a folder that is no part of the application.
  void add_sources_beside(const std::string& folder) {
    if (is_folder(folder)) add_new(project_.options.include_folders, folder);
    add_test_sources(files_in(folder, ".erl"), otp_, project_);
  }

  void add_built_folders() {
    std::vector<std::string>& folders = project_.options.code_folders;
    std::vector<std::string> libraries = folders_in(join_path(folder_, "_checkouts"));
    for (const char* const profile : {"test", "default"})
      for (const char* const kind : {"checkouts", "lib"})
        std::ranges::copy(folders_in(join_path(folder_, std::string("_build/") + profile + "/" + kind)),
                          std::back_inserter(libraries));
    for (const std::string& library : libraries) {
      built_.push_back(fs::path(library).filename());
      if (const std::string beams = join_path(library, "ebin"); is_folder(beams)) add_new(folders, beams);
    }
  }

  // Tests may need a library that those for Ravel do without: for properties, for suites of Common Test.
  Status check_dependencies() {
    for (const auto& [name, need] : dependencies_) {
      const auto is_name = [&](const std::string& one) { return one == name; };
      if (std::ranges::any_of(built_, is_name) || std::ranges::any_of(own_applications_, is_name) ||
          is_installed(name))
        continue;
      const std::string problem =
          config_name(folder_) + ": the dependency " + name +
          " is not built: it is neither in _build/test/lib nor in _build/default/lib. ";
      is_unbuilt_ = !is_folder(join_path(folder_, "_build"));
      if (need == Need::kProgram) return Error{problem + "Run 'rebar3 as test compile' first."};
      project_.remarks.push_back(problem +
                                 "What calls it will fail; run 'rebar3 as test compile' if tests need it.");
    }
    return Success{};
  }

  // Whether it is among Erlang/OTP's libraries, as NAME-VERSION/ebin, or those of ERL_LIBS.
  bool is_installed(const std::string& name) const {
    const auto is_of_it = [&](const std::string& beams) {
      const std::string folder = fs::path(beams).parent_path().filename();
      return folder == name || folder.starts_with(name + "-");
    };
    return std::ranges::any_of(otp_.ebin_folders(), is_of_it) ||
           std::ranges::any_of(user_library_folders(), is_of_it);
  }

  const std::string folder_;
  const OtpInstallation& otp_;
  const std::string platform_;
  Project project_;
  std::vector<std::string> application_patterns_ = {".", "apps/*", "lib/*"};
  std::vector<std::string> source_folders_ = {"src"};
  std::vector<std::string> extra_folders_;
  std::vector<std::string> first_files_;  // modules
  std::set<std::string> macros_;          // defined ones
  std::map<std::string, Need> dependencies_;
  std::vector<std::string> built_, own_applications_;
  bool is_unbuilt_ = false;
};

}  // namespace

Result<Project> read_rebar_project(const std::string& folder, const OtpInstallation& otp) {
  RebarProject project(folder, otp);
  auto read = project.read();
  if (!project.is_unbuilt()) return read;
  const OwnBuild build = build_by_own_tool(folder, {"rebar3", "as", "test", "compile"});
  if (build.is_done || read) {
    if (build.is_done) read = RebarProject(folder, otp).read();
    if (read) read->remarks.insert(read->remarks.begin(), build.remark);
    return read;
  }
  return Error{read.error().message + " " + build.remark};
}

}  // namespace ravel::erlang
