#include "erlang/system/program.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "erlang/system/erlang_library.h"
#include "erlang/system/erlc.h"

namespace ravel::erlang {

namespace {

namespace fs = std::filesystem;

Result<std::vector<std::uint8_t>> read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return Error{path + ": cannot be read. Check the path and its permissions."};
  return std::vector<std::uint8_t>(std::istreambuf_iterator<char>(stream), {});
}

constexpr std::string_view kTestSuffix = "_test";

}  // namespace

Result<TestName> TestName::parse(std::string_view text) {
  TestName name;
  const std::size_t colon = text.find(':');
  name.module = text.substr(0, colon);
  if (colon != std::string_view::npos) {
    std::string_view function = text.substr(colon + 1);
    if (const std::size_t slash = function.find('/'); slash != std::string_view::npos) {
      if (function.substr(slash) != "/0")
        return Error{"-t " + std::string(text) + ": a test has no arguments. Name a function of arity 0."};
      function = function.substr(0, slash);
    }
    name.function = function;
  }
  if (name.module.empty() || (colon != std::string_view::npos && name.function.empty()))
    return Error{"-t " + std::string(text) + ": not a test. Write MODULE:FUNCTION, or MODULE for all its tests."};
  return name;
}

Result<std::unique_ptr<Program>> Program::open(const ProgramOptions& options) {
  auto otp = OtpInstallation::find();
  if (!otp) return otp.error();
  std::unique_ptr<Program> program(new Program(options, std::move(*otp)));
  if (options.files.empty()) return Error{"no file was given. Name the .erl or .beam files of the program."};

  std::vector<std::string> sources;
  for (const std::string& file : options.files) {
    std::error_code problem;
    if (!fs::is_regular_file(file, problem)) return Error{file + ": there is no such file. Check the path."};
    const std::string extension = fs::path(file).extension();
    if (extension != ".erl" && extension != ".beam")
      return Error{file + ": neither an .erl nor a .beam file. Give Erlang source or compiled modules."};
    if (extension == ".erl") sources.push_back(file);
  }
  std::vector<std::string> beams;
  if (!sources.empty()) {
    auto folder = TemporaryFolder::make();
    if (!folder) return folder.error();
    program->folder_ = std::make_unique<TemporaryFolder>(std::move(*folder));
    ErlcOptions erlc;
    erlc.program = program->otp_.erlc();
    erlc.output_folder = program->folder_->path();
    erlc.include_folders = options.include_folders;
    erlc.code_folders = options.code_folders;
    erlc.defines = options.defines;
    auto compiled = compile_erlang(sources, erlc);
    if (!compiled) return compiled.error();
    program->compiler_messages_ = compiled->messages;
    beams = compiled->beams;
  }
  std::size_t next_source = 0;
  for (const std::string& file : options.files) {
    const bool is_source = fs::path(file).extension() == ".erl";
    const std::string path = is_source ? beams[next_source++] : file;
    auto bytes = read_file(path);
    if (!bytes) return bytes.error();
    auto beam = read_beam(*bytes, file);
    if (!beam) return beam.error();
    if (program->find(beam->module_name()) != nullptr)
      return Error{file + ": a second module named " + beam->module_name() + ". Give each module once."};
    ProgramModule module;
    module.name = beam->module_name();
    module.file = file;
    module.source = is_source ? file : find_source(*beam, file);
    module.bytes = std::move(*bytes);
    module.beam = std::move(*beam);
    program->modules_.push_back(std::move(module));
  }
  return program;
}

const ProgramModule* Program::find(std::string_view module) const {
  const auto found = std::ranges::find(modules_, module, &ProgramModule::name);
  return found == modules_.end() ? nullptr : &*found;
}

std::vector<TestName> Program::tests(std::string_view module) const {
  std::vector<TestName> tests;
  for (const ProgramModule& one : modules_) {
    if (!module.empty() && one.name != module) continue;
    for (const Function& function : one.beam.functions) {
      const std::string& name = one.beam.atoms[function.function_atom];
      const bool is_exported = std::ranges::any_of(one.beam.exports, [&](const NamedEntry& entry) {
        return entry.function_atom == function.function_atom && entry.arity == 0;
      });
      if (function.arity == 0 && is_exported && name.ends_with(kTestSuffix))
        tests.push_back({.module = one.name, .function = name});
    }
  }
  return tests;
}

Result<std::vector<TestName>> Program::resolve(const TestName& name) const {
  const ProgramModule* module = find(name.module);
  if (module == nullptr) {
    std::string known;
    for (const ProgramModule& one : modules_) known += (known.empty() ? "" : ", ") + one.name;
    return Error{"-t " + name.to_string() + ": no given file holds the module " + name.module + " (there is: " + known +
                 "). Name its file, too."};
  }
  if (name.function.empty()) {
    std::vector<TestName> all = tests(name.module);
    if (all.empty())
      return Error{"-t " + name.module + ": the module has no test, that is no exported function NAME_test/0. " +
                   "Name a function: -t " + name.module + ":FUNCTION."};
    return all;
  }
  const bool is_exported = std::ranges::any_of(module->beam.exports, [&](const NamedEntry& entry) {
    return module->beam.atoms[entry.function_atom] == name.function && entry.arity == 0;
  });
  if (!is_exported)
    return Error{"-t " + name.to_string() + ": the module " + name.module + " exports no function " + name.function +
                 "/0. Export it, or check the name (ravel tests lists what there is)."};
  return std::vector<TestName>{name};
}

std::optional<std::vector<std::uint8_t>> Program::find_module(std::string_view name, std::string& path) {
  if (const ProgramModule* module = find(name)) {
    path = module->file;
    return module->bytes;
  }
  if (const auto own = erlang_library_module(name)) {
    path = std::string(name) + ".beam";
    return std::vector<std::uint8_t>(own->begin(), own->end());
  }
  const auto located = otp_.locate(name, options_.code_folders);
  if (!located) return std::nullopt;
  auto bytes = read_file(*located);
  if (!bytes) return std::nullopt;
  path = *located;
  return std::move(*bytes);
}

std::string Program::source_path(const Module* module, std::string_view file) const {
  if (module == nullptr || file.empty()) return std::string(file);
  for (const ProgramModule& one : modules_) {
    if (one.file != module->path) continue;
    if (one.source.empty()) return std::string(file);
    // The compiler names the source as it was called, and included files by where they were found.
    if (fs::path(file).filename() == fs::path(one.source).filename()) return one.source;
    const fs::path beside = fs::path(one.source).parent_path() / fs::path(file).filename();
    std::error_code problem;
    return fs::is_regular_file(file, problem)     ? std::string(file)
           : fs::is_regular_file(beside, problem) ? beside.string()
                                                  : std::string(file);
  }
  // A module of Erlang/OTP: its source, if it is installed, stands in ../src of its ebin folder.
  const fs::path beside = fs::path(module->path).parent_path().parent_path() / "src" / fs::path(file).filename();
  std::error_code problem;
  return fs::is_regular_file(beside, problem) ? beside.string() : std::string(file);
}

}  // namespace ravel::erlang
