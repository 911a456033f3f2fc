// An Erlang program under test: the user's files, compiled if need be, and where everything else comes from.
//
// The user's modules are loaded when a system starts; all others (code folders, then the installed
// Erlang/OTP) when the program first calls them. The program itself never changes after it was opened, so
// that several systems may share it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "erlang/beam/beam_file.h"
#include "erlang/machine/machine.h"
#include "erlang/system/erlc.h"
#include "erlang/system/host_files.h"
#include "erlang/system/otp_installation.h"
#include "erlang/system/resting_machines.h"
#include "erlang/system/source_file.h"
#include "erlang/system/temporary_folder.h"

namespace ravel::erlang {

struct ProgramOptions {
  std::vector<std::string> files;                            // .erl, .ex, .exs and .beam
  std::vector<std::string> include_folders;                  // -I
  std::vector<std::string> code_folders;                     // --pa
  std::vector<std::pair<std::string, std::string>> defines;  // -D
  // Further options, as erlc takes them: "+{parse_transform,m}"
  std::vector<std::string> erlc_options = {};
  // For a mix project: which applications run before each test, and what configures them.
  std::vector<std::string> applications = {};
  std::vector<std::string> configuration_files = {};
  std::string environment = "test";
  // The members of `files` that are left out, with a message, if they do not compile: tests whose libraries
  // are not there.
  std::vector<std::string> optional_files = {};
  // For Common Test: files of what ct:get_config reads, and hooks as a list of Erlang.
  std::vector<std::string> test_configuration_files = {};
  std::string common_test_hooks = {};
};

// One of the user's files, ready to be loaded.
struct ProgramModule {
  std::string name;
  std::string file;    // as the user named it
  std::string source;  // path of its source, or empty
  std::vector<std::uint8_t> bytes;
  BeamFile beam;
};

// Follows the name of a test of an ExUnit case, where the case has parameters: "test NAME %{key: value}".
inline constexpr char kParameters[] = " %{";

// A test: the function module:function/0, a test of an ExUnit case (module:function/1), or what an EUnit
// generator of this name gives. The latter's tests and groups are named by a path of positions: m:g_test_/2/1
// is the first one in the second one that the generator gives. Without a path it is all of them. A test case
// of Common Test has its groups before its name: m_SUITE:group/case. For people, modules of Elixir are
// without the
// Elixir. of their names.
struct TestName {
  std::string module, function;
  std::vector<std::uint32_t> path = {};  // from 1

  // "m:f", "m:g_test_/2/1", "M:test of what M does" or "m"; a function with /0 after it is fine.
  static Result<TestName> parse(std::string_view text);
  std::string to_string() const;
  // Whether the function is a generator by its name, or the wrapper of all tests of its module.
  bool is_generated() const;
  // Whether EUnit would run it.
  bool is_of_eunit() const;
  // Whether it is one test of an ExUnit case, or the case with all its tests.
  bool is_of_exunit() const;
  bool is_exunit_case() const;
  // Whether it is a test case or a group of a suite of Common Test ("m_SUITE:group/case"), all of the suite
  // ("m_SUITE:all"), or the suite with each of its tests (no function).
  bool is_of_common_test() const;

  friend bool operator==(const TestName&, const TestName&) = default;
};

class Program final : public ModuleSource {
 public:
  static Result<std::unique_ptr<Program>> open(const ProgramOptions& options);

  const ProgramOptions& options() const { return options_; }
  std::span<const ProgramModule> modules() const { return modules_; }
  const ProgramModule* find(std::string_view module) const;
  const OtpInstallation& otp() const { return otp_; }
  // The tests of an ExUnit case as its module exports them, without looking at tags.
  std::vector<TestName> exported_exunit_tests(std::string_view module) const;
  // Whether this is a case of Elixir 1.18 or later, whose tests may have parameters: each runs once for each
  // map of them, under its name and kParameters, with the rest of the map.
  bool may_have_parameters(std::string_view module) const;
  // Whether one of the user's modules is of Elixir.
  bool has_elixir() const;
  // ... is a suite of Common Test.
  bool has_suites() const;
  // Leaves out what stands on this line of a test_helper.exs when the system starts the next time; false: it
  // was to be already.
  bool leave_out_of_helper(std::uint32_t line, const std::string& why);
  // What was left out, and why: sentences.
  const std::vector<std::string>& remarks() const { return remarks_; }
  // What the compiler had to say although it compiled: warnings.
  const std::string& compiler_messages() const { return compiler_messages_; }

  // EUnit's test functions and generators of a module, or of all, in the order of the files and of the code.
  // A module that has a wrapper (eunit_wrapper_/1) has that one only.
  std::vector<TestName> tests(std::string_view module = {}) const;
  // What a name stands for: itself, or all tests of its module and then of the module MODULE_tests, if that
  // is there. An error if there are none. What a generator gives is not looked at (eunit_suite.h).
  Result<std::vector<TestName>> resolve(const TestName& name) const;

  std::optional<std::vector<std::uint8_t>> find_module(std::string_view name, std::string& path) override;
  std::optional<std::string> locate_module(std::string_view name) override;
  // The folders of the user's files, --pa, the libraries.
  std::vector<std::string> code_folders() override;
  std::string root_folder() override { return otp_.root(); }
  std::string runtime_version() override { return otp_.runtime_version(); }
  std::vector<std::string> applications() override { return options_.applications; }
  std::string working_folder() override;
  const FileLook& look_at_file(const std::string& path) override { return files_.look_at(path); }
  const FileBytes& read_file(const std::string& path) override { return files_.read(path); }
  const FolderNames& list_folder(const std::string& path) override { return files_.list(path); }

  // The machines that earlier tests have left.
  RestingMachines& resting_machines() { return resting_machines_; }

  // For messages: the path of a source file as a stack trace names it, and a line's text.
  std::string source_path(const Module* module, std::string_view file) const;
  std::string_view source_line(const std::string& path, std::uint32_t line) {
    return lines_.line(path, line);
  }

 private:
  Program(ProgramOptions options, OtpInstallation otp) : options_(std::move(options)), otp_(std::move(otp)) {}

  Status compile();
  Status compile_optional(const std::vector<std::string>& files, const ErlcOptions& erlc);
  Status compile_common_test_configuration(const ErlcOptions& erlc);
  Status find_elixir();
  // The compiled files of what the user named: it, or those that its source has become.
  std::vector<std::string> beams_of(const std::string& file) const;
  Status add_module(const std::string& file, const std::string& path);
  Status add_companions();
  void add_application_files();
  Result<TestName> resolve_exunit(const ProgramModule& module, const TestName& name) const;

  ProgramOptions options_;
  OtpInstallation otp_;
  std::unique_ptr<TemporaryFolder> folder_;                    // of what was compiled
  std::vector<std::pair<std::string, std::string>> compiled_;  // a source as it was named, a .beam file of it
  std::vector<std::string> elixir_folders_;
  // Except Erlang/OTP's: --pa, compiled, Elixir's
  std::vector<std::string> module_folders_;
  std::vector<ProgramModule> modules_;
  std::string compiler_messages_;
  std::set<std::uint32_t> left_out_of_helper_;
  std::vector<std::string> remarks_;
  SourceLines lines_;
  HostFiles files_;
  RestingMachines resting_machines_;
};

}  // namespace ravel::erlang
