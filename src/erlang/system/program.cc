#include "erlang/system/program.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "erlang/system/erlang_library.h"
#include "erlang/system/erlc.h"

namespace ravel::erlang {

namespace {

namespace fs = std::filesystem;

Result<std::vector<std::uint8_t>> read_bytes(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return Error{path + ": cannot be read. Check the path and its permissions."};
  return std::vector<std::uint8_t>(std::istreambuf_iterator<char>(stream), {});
}

// EUnit's conventions.
constexpr std::string_view kTestSuffix = "_test";
constexpr std::string_view kGeneratorSuffix = "_test_";
constexpr std::string_view kTestModuleSuffix = "_tests";
constexpr std::string_view kWrapper = "eunit_wrapper_";

bool is_exported(const ProgramModule& module, std::string_view function, std::uint32_t arity) {
  return std::ranges::any_of(module.beam.exports, [&](const NamedEntry& entry) {
    return module.beam.atoms[entry.function_atom] == function && entry.arity == arity;
  });
}

// "/2/1", with nothing else in it.
std::optional<std::vector<std::uint32_t>> parse_positions(std::string_view text) {
  std::vector<std::uint32_t> positions;
  while (!text.empty()) {
    std::uint32_t position = 0;
    const auto [end, problem] = std::from_chars(text.data() + 1, text.data() + text.size(), position);
    if (text.front() != '/' || problem != std::errc() || position == 0) return std::nullopt;
    positions.push_back(position);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return positions;
}

}  // namespace

Result<TestName> TestName::parse(std::string_view text) {
  const std::string option = "-t " + std::string(text);
  TestName name;
  const std::size_t colon = text.find(':');
  name.module = text.substr(0, colon);
  if (colon != std::string_view::npos) {
    std::string_view function = text.substr(colon + 1);
    const std::string_view rest = function.substr(std::min(function.find('/'), function.size()));
    name.function = function.substr(0, function.size() - rest.size());
    if (!rest.empty() && rest != "/0") {
      const auto positions = parse_positions(rest);
      if (!positions || !name.is_generated())
        return Error{option + ": a test has no arguments. Name a function of arity 0."};
      name.path = *positions;
    }
  }
  if (name.module.empty() || (colon != std::string_view::npos && name.function.empty()))
    return Error{option + ": not a test. Write MODULE:FUNCTION, or MODULE for all its tests."};
  return name;
}

std::string TestName::to_string() const {
  std::string text = module;
  if (!function.empty()) text += ":" + function;
  for (const std::uint32_t position : path) text += "/" + std::to_string(position);
  return text;
}

bool TestName::is_generated() const { return function.ends_with(kGeneratorSuffix) || function == kWrapper; }

bool TestName::is_of_eunit() const { return is_generated() || function.ends_with(kTestSuffix); }

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
    if (Status added = program->add_module(file, path); !added) return added.error();
  }
  if (Status added = program->add_companions(); !added) return added.error();
  return program;
}

// `file` is what the user named, `path` the compiled module.
Status Program::add_module(const std::string& file, const std::string& path) {
  auto bytes = read_bytes(path);
  if (!bytes) return bytes.error();
  auto beam = read_beam(*bytes, file);
  if (!beam) return beam.error();
  if (find(beam->module_name()) != nullptr)
    return Error{file + ": a second module named " + beam->module_name() + ". Give each module once."};
  ProgramModule module;
  module.name = beam->module_name();
  module.file = file;
  module.source = fs::path(file).extension() == ".erl" ? file : find_source(*beam, file);
  module.bytes = std::move(*bytes);
  module.beam = std::move(*beam);
  modules_.push_back(std::move(module));
  return Success{};
}

// The module MODULE_tests in a code folder belongs to MODULE as if it had been named, as for EUnit.
Status Program::add_companions() {
  for (std::size_t i = 0, named = modules_.size(); i < named; ++i) {
    const std::string companion = modules_[i].name + std::string(kTestModuleSuffix);
    if (modules_[i].name.ends_with(kTestModuleSuffix) || find(companion) != nullptr) continue;
    for (const std::string& folder : options_.code_folders) {
      const std::string beam = fs::path(folder) / (companion + ".beam");
      std::error_code problem;
      if (!fs::is_regular_file(beam, problem)) continue;
      if (Status added = add_module(beam, beam); !added) return added.error();
      break;
    }
  }
  return Success{};
}

const ProgramModule* Program::find(std::string_view module) const {
  const auto found = std::ranges::find(modules_, module, &ProgramModule::name);
  return found == modules_.end() ? nullptr : &*found;
}

std::vector<TestName> Program::tests(std::string_view module) const {
  std::vector<TestName> tests;
  for (const ProgramModule& one : modules_) {
    if (!module.empty() && one.name != module) continue;
    if (is_exported(one, kWrapper, 1)) {
      tests.push_back({.module = one.name, .function = std::string(kWrapper)});
      continue;
    }
    for (const Function& function : one.beam.functions) {
      const TestName name = {.module = one.name, .function = one.beam.atoms[function.function_atom]};
      if (function.arity == 0 && name.is_of_eunit() && is_exported(one, name.function, 0)) tests.push_back(name);
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
    if (!name.module.ends_with(kTestModuleSuffix))
      std::ranges::move(tests(name.module + std::string(kTestModuleSuffix)), std::back_inserter(all));
    if (all.empty())
      return Error{"-t " + name.module +
                   ": the module has no test, that is no exported function NAME_test/0 or NAME_test_/0. Name a function: -t " +
                   name.module + ":FUNCTION."};
    return all;
  }
  if (!is_exported(*module, name.function, name.function == kWrapper ? 1 : 0))
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
  auto bytes = read_bytes(*located);
  if (!bytes) return std::nullopt;
  path = *located;
  return std::move(*bytes);
}

// As code:which/1 tells: of a source the .beam file that a compiler would put beside it.
std::optional<std::string> Program::locate_module(std::string_view name) {
  if (const ProgramModule* module = find(name)) return fs::absolute(module->file).replace_extension(".beam").string();
  if (erlang_library_module(name)) return std::string(name) + ".beam";
  return otp_.locate(name, options_.code_folders);
}

std::vector<std::string> Program::code_folders() {
  std::vector<std::string> folders;
  const auto add = [&](const std::string& folder) {
    if (std::ranges::find(folders, folder) == folders.end()) folders.push_back(folder);
  };
  for (const ProgramModule& module : modules_) add(fs::absolute(module.file).parent_path().lexically_normal().string());
  for (const std::string& folder : options_.code_folders) add(folder);
  for (const std::string& folder : otp_.ebin_folders()) add(folder);
  return folders;
}

std::string Program::working_folder() {
  std::error_code problem;
  const fs::path folder = fs::current_path(problem);
  return problem ? "/" : folder.string();
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
