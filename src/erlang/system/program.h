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
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "erlang/beam/beam_file.h"
#include "erlang/machine/machine.h"
#include "erlang/system/otp_installation.h"
#include "erlang/system/source_file.h"
#include "erlang/system/temporary_folder.h"

namespace ravel::erlang {

struct ProgramOptions {
  std::vector<std::string> files;                              // .erl and .beam
  std::vector<std::string> include_folders;                    // -I
  std::vector<std::string> code_folders;                       // --pa
  std::vector<std::pair<std::string, std::string>> defines;    // -D
};

// One of the user's files, ready to be loaded.
struct ProgramModule {
  std::string name;
  std::string file;     // as the user named it
  std::string source;   // path of its source, or empty
  std::vector<std::uint8_t> bytes;
  BeamFile beam;
};

// A test: module:function/0.
struct TestName {
  std::string module, function;

  // "m:f" or "m"; a function with /0 behind it is fine.
  static Result<TestName> parse(std::string_view text);
  std::string to_string() const { return function.empty() ? module : module + ":" + function; }
};

class Program final : public ModuleSource {
 public:
  static Result<std::unique_ptr<Program>> open(const ProgramOptions& options);

  const ProgramOptions& options() const { return options_; }
  std::span<const ProgramModule> modules() const { return modules_; }
  const ProgramModule* find(std::string_view module) const;
  const OtpInstallation& otp() const { return otp_; }
  // What the compiler had to say although it compiled: warnings.
  const std::string& compiler_messages() const { return compiler_messages_; }

  // The *_test/0 functions of a module, or of all, in the order of the files and of the code.
  std::vector<TestName> tests(std::string_view module = {}) const;
  // The tests that a name stands for: itself, or all of its module. An error if there are none.
  Result<std::vector<TestName>> resolve(const TestName& name) const;

  std::optional<std::vector<std::uint8_t>> find_module(std::string_view name, std::string& path) override;

  // For messages: the path of a source file as a stack trace names it, and a line's text.
  std::string source_path(const Module* module, std::string_view file) const;
  std::string_view source_line(const std::string& path, std::uint32_t line) { return lines_.line(path, line); }

 private:
  Program(ProgramOptions options, OtpInstallation otp) : options_(std::move(options)), otp_(std::move(otp)) {}

  ProgramOptions options_;
  OtpInstallation otp_;
  std::unique_ptr<TemporaryFolder> folder_;  // of what was compiled
  std::vector<ProgramModule> modules_;
  std::string compiler_messages_;
  SourceLines lines_;
};

}  // namespace ravel::erlang
