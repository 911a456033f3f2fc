#include "erlang/system/program.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "erlang/system/application_file.h"
#include "erlang/system/common_test_configuration.h"
#include "erlang/system/elixir_installation.h"
#include "erlang/system/erlang_library.h"
#include "erlang/system/folders.h"
#include "erlang/term/print_elixir.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

namespace fs = std::filesystem;

Result<std::vector<std::uint8_t>> read_bytes(const std::string& path) {
  const auto fail = [&] { return Error{path + ": cannot be read. Check the path and its permissions."}; };
  std::error_code problem;
  const std::uintmax_t size = fs::file_size(path, problem);
  std::ifstream stream(path, std::ios::binary);
  if (problem || !stream) return fail();
  std::vector<std::uint8_t> bytes(size);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!stream) return fail();
  return bytes;
}

// EUnit's conventions.
constexpr std::string_view kTestSuffix = "_test";
constexpr std::string_view kGeneratorSuffix = "_test_";
constexpr std::string_view kTestModuleSuffix = "_tests";
constexpr std::string_view kWrapper = "eunit_wrapper_";

// Common Test's.
constexpr std::string_view kSuiteSuffix = "_SUITE";

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

bool is_elixir_source(const std::string& file) {
  const std::string extension = fs::path(file).extension();
  return extension == ".ex" || extension == ".exs";
}

constexpr char kNoElixir[] =
    ": no Elixir is installed: no `elixir` in PATH leads to one. Install it (on Debian and Ubuntu: the "
    "package elixir), or set "
    "RAVEL_ELIXIR to its root folder, which has lib/elixir.";

// ExUnit's conventions.
constexpr std::string_view kCase = "__ex_unit__";
// What Concuerror takes for the test if none is named.
constexpr std::string_view kPlainTest = "test";
constexpr std::string_view kCaseTests[] = {"test ", "doctest ", "property "};
constexpr std::string_view kAlias = "Elixir.";

}  // namespace

Result<TestName> TestName::parse(std::string_view text) {
  const std::string option = "-t " + std::string(text);
  TestName name;
  const std::size_t colon = text.find(':');
  name.module = text.substr(0, colon);
  if (!name.module.empty() && name.module[0] >= 'A' && name.module[0] <= 'Z') {
    // The names of ExUnit's tests are sentences, in which anything may stand.
    if (!is_elixir_module(name.module)) name.module.insert(0, kAlias);
    if (colon != std::string_view::npos) name.function = text.substr(colon + 1);
    if (name.function.ends_with("/0") && name.function.find(' ') == std::string::npos)
      name.function.resize(name.function.size() - 2);
  } else if (name.module.ends_with(kSuiteSuffix)) {
    if (colon != std::string_view::npos) name.function = text.substr(colon + 1);
  } else if (colon != std::string_view::npos) {
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
  std::string text = is_elixir_module(module) ? module.substr(kAlias.size()) : module;
  if (!function.empty()) text += ":" + function;
  for (const std::uint32_t position : path) text += "/" + std::to_string(position);
  return text;
}

bool TestName::is_generated() const {
  return !is_of_common_test() && (function.ends_with(kGeneratorSuffix) || function == kWrapper);
}

bool TestName::is_of_exunit() const {
  return is_elixir_module(module) &&
         (is_exunit_case() ||
          std::ranges::any_of(kCaseTests, [&](std::string_view kind) { return function.starts_with(kind); }));
}

bool TestName::is_exunit_case() const { return is_elixir_module(module) && function == kCase; }

bool TestName::is_of_common_test() const {
  return module.ends_with(kSuiteSuffix) && !is_elixir_module(module);
}

bool TestName::is_of_eunit() const {
  return !is_of_common_test() && (is_generated() || function.ends_with(kTestSuffix));
}

Result<std::unique_ptr<Program>> Program::open(const ProgramOptions& options) {
  auto otp = OtpInstallation::find();
  if (!otp) return otp.error();
  set_installed_release(release_numbered(std::atoi(otp->release().c_str())));
  std::unique_ptr<Program> program(new Program(options, std::move(*otp)));
  if (options.files.empty())
    return Error{"no file was given. Name the .erl, .ex, .exs or .beam files of the program."};
  for (const std::string& file : options.files) {
    std::error_code problem;
    if (!fs::is_regular_file(file, problem)) return Error{file + ": there is no such file. Check the path."};
    const std::string extension = fs::path(file).extension();
    if (extension != ".erl" && extension != ".beam" && !is_elixir_source(file))
      return Error{
          file +
          ": not an .erl, .ex, .exs or .beam file. Give Erlang or Elixir source, or compiled modules."};
  }
  program->module_folders_ = options.code_folders;
  if (Status compiled = program->compile(); !compiled) return compiled.error();
  for (const std::string& file : program->options_.files) {
    for (const std::string& beam : program->beams_of(file))
      if (Status added = program->add_module(file, beam); !added) return added.error();
  }
  if (Status added = program->add_companions(); !added) return added.error();
  program->add_application_files();
  if (program->has_elixir()) {
    if (Status found = program->find_elixir(); !found) return found.error();
  }
  return program;
}

// Erlang first: Elixir's macros may call it.
Status Program::compile() {
  std::vector<std::string> erlang, optional, elixir, elixir_configurations;
  for (const std::string& file : options_.files) {
    const bool is_optional =
        std::ranges::find(options_.optional_files, file) != options_.optional_files.end();
    if (fs::path(file).extension() == ".erl") (is_optional ? optional : erlang).push_back(file);
    if (is_elixir_source(file)) elixir.push_back(file);
  }
  std::ranges::copy_if(options_.configuration_files, std::back_inserter(elixir_configurations),
                       is_elixir_source);
  const bool is_configured = !options_.applications.empty() && !elixir_configurations.empty();
  if (erlang.empty() && optional.empty() && elixir.empty() && !is_configured) return Success{};
  auto folder = TemporaryFolder::make();
  if (!folder) return folder.error();
  folder_ = std::make_unique<TemporaryFolder>(std::move(*folder));
  module_folders_.push_back(folder_->path());
  // So that the compiler knows these behaviours
  for (const std::string name : {"ravel_monitor", "ravel_explorer"})
    if (const auto behaviour = erlang_library_module(name))
      std::ofstream(folder_->path() + "/" + name + ".beam", std::ios::binary)
          .write(reinterpret_cast<const char*>(behaviour->data()),
                 static_cast<std::streamsize>(behaviour->size()));
  ErlcOptions erlc;
  erlc.program = otp_.erlc();
  erlc.output_folder = folder_->path();
  if (Status compiled = compile_common_test_configuration(erlc); !compiled) return compiled;
  if (!erlang.empty() || !optional.empty()) {
    erlc.include_folders = options_.include_folders;
    erlc.code_folders = options_.code_folders;
    erlc.defines = options_.defines;
    erlc.further_options = options_.erlc_options;
    if (!erlang.empty()) {
      auto compiled = compile_erlang(erlang, erlc);
      if (!compiled) return compiled.error();
      compiler_messages_ = compiled->messages;
      for (std::size_t i = 0; i < erlang.size(); ++i) compiled_.emplace_back(erlang[i], compiled->beams[i]);
    }
    if (Status compiled = compile_optional(optional, erlc); !compiled) return compiled;
  }
  if (!elixir.empty() || is_configured) {
    const auto installed = ElixirInstallation::find();
    if (!installed) return Error{(elixir.empty() ? elixir_configurations : elixir).front() + kNoElixir};
    MixConfiguration configuration{
        .files = {}, .environment = options_.environment, .applications = options_.applications};
    if (is_configured) configuration.files = elixir_configurations;
    auto compiled = compile_elixir(*installed, elixir, folder_->path(), options_.code_folders, configuration);
    if (!compiled) return compiled.error();
    compiler_messages_ += compiled->messages;
    for (const CompiledElixirModule& module : compiled->modules)
      compiled_.emplace_back(module.file, module.beam);
  }
  return Success{};
}

// Compiles all files in one run of the compiler; if one of them stops it, each in its own run.
Status Program::compile_optional(const std::vector<std::string>& files, const ErlcOptions& erlc) {
  if (files.empty()) return Success{};
  if (auto compiled = compile_erlang(files, erlc)) {
    compiler_messages_ += compiled->messages;
    for (std::size_t i = 0; i < files.size(); ++i) compiled_.emplace_back(files[i], compiled->beams[i]);
    return Success{};
  }
  for (const std::string& file : files) {
    if (auto compiled = compile_erlang(std::span(&file, 1), erlc)) {
      compiler_messages_ += compiled->messages;
      compiled_.emplace_back(file, compiled->beams.front());
    } else {
      compiler_messages_ +=
          file + " is left out, because it does not compile:\n" + compiled.error().message + "\n";
      std::erase(options_.files, file);
      std::erase(options_.optional_files, file);
    }
  }
  return Success{};
}

Status Program::compile_common_test_configuration(const ErlcOptions& erlc) {
  std::vector<std::string> of_applications;
  std::ranges::copy_if(options_.configuration_files, std::back_inserter(of_applications),
                       [](const std::string& file) { return !is_elixir_source(file); });
  if (of_applications.empty() && options_.test_configuration_files.empty() &&
      options_.common_test_hooks.empty())
    return Success{};
  const auto text = common_test_configuration(options_.test_configuration_files, of_applications,
                                              options_.common_test_hooks);
  if (!text) return text.error();
  const std::string file = erlc.output_folder + "/" + kCommonTestConfiguration + ".erl";
  std::ofstream(file) << *text;
  const auto compiled = compile_erlang(std::span(&file, 1), erlc);
  return compiled ? Status(Success{}) : Status(compiled.error());
}

// Modules of Elixir need its library, which may also be among the code folders.
Status Program::find_elixir() {
  const auto has_library = [](const std::string& folder) {
    std::error_code problem;
    return fs::is_regular_file(fs::path(folder) / "elixir.app", problem);
  };
  if (std::ranges::any_of(options_.code_folders, has_library)) return Success{};
  const auto elixir = ElixirInstallation::find();
  if (!elixir) return Error{modules_.front().file + kNoElixir};
  elixir_folders_.assign(elixir->ebin_folders().begin(), elixir->ebin_folders().end());
  std::ranges::copy(elixir_folders_, std::back_inserter(module_folders_));
  return Success{};
}

std::vector<std::string> Program::beams_of(const std::string& file) const {
  if (fs::path(file).extension() == ".beam") return {file};
  std::vector<std::string> beams;
  for (const auto& [source, beam] : compiled_)
    if (source == file) beams.push_back(beam);
  return beams;
}

bool Program::has_elixir() const {
  return std::ranges::any_of(modules_,
                             [](const ProgramModule& module) { return is_elixir_module(module.name); });
}

bool Program::leave_out_of_helper(std::uint32_t line, const std::string& why) {
  if (folder_ == nullptr || !left_out_of_helper_.insert(line).second) return false;
  std::string text;
  for (const std::uint32_t one : left_out_of_helper_) text += std::to_string(one) + "\n";
  files_.provide(folder_->path() + "/left_out_of_helper", text);
  remarks_.push_back("test_helper.exs:" + std::to_string(line) + " is left out: " + why);
  return true;
}

bool Program::has_suites() const {
  return std::ranges::any_of(modules_, [](const ProgramModule& module) {
    return TestName{module.name, {}}.is_of_common_test();
  });
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
  module.source = fs::path(file).extension() != ".beam" ? file : find_source(*beam, file);
  module.bytes = std::move(*bytes);
  module.beam = std::move(*beam);
  // Where code:which/1 says that it is, the program finds it.
  if (fs::path(file).extension() == ".erl")
    files_.provide(fs::absolute(file).lexically_normal().replace_extension(".beam"),
                   {reinterpret_cast<const char*>(module.bytes.data()), module.bytes.size()});
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

// The folder of an application's sources, which is in the code path, has its NAME.app, too, as the folder
// would into which a tool compiles them.
void Program::add_application_files() {
  std::map<std::string, std::vector<std::string>> modules;  // by folder
  for (const ProgramModule& module : modules_)
    if (fs::path(module.file).extension() == ".erl")
      modules[fs::absolute(module.file).parent_path().lexically_normal()].push_back(module.name);
  for (const auto& [folder, of_folder] : modules) {
    for (const std::string& source : files_in(folder, ".app.src")) {
      const std::string file = source.substr(0, source.size() - std::string_view(".src").size());
      if (is_file(file)) continue;
      std::vector<std::string> all;  // modules in folders below belong to it
      for (const auto& [other, names] : modules)
        if ((other + "/").starts_with(folder + "/")) all.insert(all.end(), names.begin(), names.end());
      std::ranges::sort(all);
      const auto bytes = read_bytes(source);
      if (bytes) files_.provide(file, application_file({bytes->begin(), bytes->end()}, all));
    }
  }
}

const ProgramModule* Program::find(std::string_view module) const {
  const auto found = std::ranges::find(modules_, module, &ProgramModule::name);
  return found == modules_.end() ? nullptr : &*found;
}

std::vector<TestName> Program::tests(std::string_view module) const {
  std::vector<TestName> tests;
  for (const ProgramModule& one : modules_) {
    if (!module.empty() && one.name != module) continue;
    if (is_elixir_module(one.name)) {
      if (is_exported(one, kCase, 0)) tests.push_back({.module = one.name, .function = std::string(kCase)});
      continue;
    }
    if (TestName{one.name, {}}.is_of_common_test()) {
      if (is_exported(one, "all", 0)) tests.push_back({.module = one.name, .function = {}});
      continue;
    }
    if (is_exported(one, kWrapper, 1)) {
      tests.push_back({.module = one.name, .function = std::string(kWrapper)});
      continue;
    }
    for (const Function& function : one.beam.functions) {
      const TestName name = {.module = one.name, .function = one.beam.atoms[function.function_atom]};
      if (function.arity == 0 && name.is_of_eunit() && is_exported(one, name.function, 0))
        tests.push_back(name);
    }
  }
  return tests;
}

std::vector<TestName> Program::exported_exunit_tests(std::string_view module) const {
  std::vector<TestName> tests;
  const ProgramModule* const found = find(module);
  if (found == nullptr) return tests;
  for (const NamedEntry& entry : found->beam.exports) {
    const TestName name{.module = found->name, .function = found->beam.atoms[entry.function_atom]};
    if (entry.arity == 1 && name.is_of_exunit() && !name.is_exunit_case()) tests.push_back(name);
  }
  return tests;
}

bool Program::may_have_parameters(std::string_view module) const {
  const ProgramModule* const found = find(module);
  return found != nullptr && is_elixir_module(module) && is_exported(*found, "__ex_unit__", 1);
}

// A test of a case by its name, or by the end of it, if only one ends so; in both cases parameters may
// follow.
Result<TestName> Program::resolve_exunit(const ProgramModule& module, const TestName& name) const {
  const std::vector<TestName> tests = exported_exunit_tests(module.name);
  std::vector<std::string> found;
  std::size_t end = name.function.size();
  while (end != std::string::npos) {
    const std::string plain = name.function.substr(0, end), parameters = name.function.substr(end);
    for (const TestName& test : tests) {
      if (test.function == plain) return name;
      if (test.function.ends_with(" " + plain)) found.push_back(test.function + parameters);
    }
    end = end == 0 ? std::string::npos : name.function.rfind(kParameters, end - 1);
  }
  const std::string test = "test " + name.function;
  if (std::ranges::find(found, test) != found.end()) found = {test};
  if (found.size() == 1) return TestName{.module = module.name, .function = found.front()};
  return Error{"-t " + name.to_string() + ": " +
               (found.empty() ? "the case has no such test"
                              : "several tests of the case have names that end like this") +
               ", and no function of arity 0 has this name. 'ravel tests' lists what there is."};
}

Result<std::vector<TestName>> Program::resolve(const TestName& wanted) const {
  TestName name = wanted;
  const ProgramModule* module = find(name.module);
  if (module == nullptr && is_elixir_module(name.module)) {
    // An Erlang module may begin with a capital letter, too.
    module = find(std::string_view(name.module).substr(kAlias.size()));
    if (module != nullptr) name.module = module->name;
  }
  if (module == nullptr) {
    std::string known;
    for (const ProgramModule& one : modules_)
      known += (known.empty() ? "" : ", ") + TestName{.module = one.name, .function = {}}.to_string();
    return Error{"-t " + name.to_string() + ": no given file holds the module " +
                 TestName{.module = name.module, .function = {}}.to_string() + " (there is: " + known +
                 "). Name its file, too."};
  }
  if (name.function.empty()) {
    std::vector<TestName> all = tests(name.module);
    if (!name.module.ends_with(kTestModuleSuffix))
      std::ranges::move(tests(name.module + std::string(kTestModuleSuffix)), std::back_inserter(all));
    if (all.empty() && name.is_of_common_test())
      return Error{"-t " + name.to_string() +
                   ": the suite exports no function all/0, so it has no tests. Export it."};
    if (all.empty() && is_exported(*module, kPlainTest, 0))
      return std::vector<TestName>{{.module = name.module, .function = std::string(kPlainTest)}};
    if (all.empty())
      return Error{"-t " + name.to_string() + ": the module has no test, that is " +
                   (is_elixir_module(name.module)
                        ? "no test of ExUnit and no function test/0"
                        : "no exported function NAME_test/0, NAME_test_/0 or test/0") +
                   ". Name a function: -t " + name.to_string() + ":FUNCTION."};
    return all;
  }
  if (name.is_of_common_test()) return std::vector<TestName>{name};
  if (is_exported(*module, kCase, 0) && !is_exported(*module, name.function, 0)) {
    auto test = resolve_exunit(*module, name);
    if (!test) return test.error();
    return std::vector<TestName>{std::move(*test)};
  }
  if (!is_exported(*module, name.function, name.function == kWrapper ? 1 : 0))
    return Error{"-t " + name.to_string() + ": the module " + name.module + " exports no function " +
                 name.function + "/0. Export it, or check the name (ravel tests lists what there is)."};
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
  const auto located = otp_.locate(name, module_folders_);
  if (!located) return std::nullopt;
  auto bytes = read_bytes(*located);
  if (!bytes) return std::nullopt;
  path = *located;
  return std::move(*bytes);
}

// The path that code:which/1 tells: of a source the .beam file that a compiler would put beside it.
std::optional<std::string> Program::locate_module(std::string_view name) {
  if (const ProgramModule* module = find(name))
    return fs::absolute(module->file).replace_extension(".beam").string();
  if (erlang_library_module(name)) return std::string(name) + ".beam";
  return otp_.locate(name, module_folders_);
}

std::vector<std::string> Program::code_folders() {
  std::vector<std::string> folders;
  const auto add = [&](const std::string& folder) {
    if (std::ranges::find(folders, folder) == folders.end()) folders.push_back(folder);
  };
  // Where sources are is in nobody's code path, but their modules are said to be there, too
  // (locate_module()).
  const auto add_folders = [&](auto is_wanted) {
    for (const ProgramModule& module : modules_)
      if (is_wanted(fs::path(module.file).extension() == ".beam"))
        add(fs::absolute(module.file).parent_path().lexically_normal().string());
  };
  add_folders([](bool is_beam) { return is_beam; });
  for (const std::string& folder : options_.code_folders) add(folder);
  for (const std::string& folder : elixir_folders_) add(folder);
  for (const std::string& folder : otp_.ebin_folders()) add(folder);
  add_folders([](bool is_beam) { return !is_beam; });
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
  const fs::path beside =
      fs::path(module->path).parent_path().parent_path() / "src" / fs::path(file).filename();
  std::error_code problem;
  return fs::is_regular_file(beside, problem) ? beside.string() : std::string(file);
}

}  // namespace ravel::erlang
