#include "front_ends/p/opened_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/hash.h"
#include "explorers/built_in.h"
#include "host/files.h"
#include "host/messages.h"
#include "p/checker/check.h"
#include "p/foreign/library.h"
#include "p/foreign/linked_functions.h"
#include "p/foreign/skeleton.h"
#include "p/program/timers.h"
#include "p/project/project.h"

namespace ravel::p {

namespace {

namespace fs = std::filesystem;

bool is_source(const std::string& file) { return file.ends_with(".p"); }
bool is_project(const std::string& file) { return file.ends_with(".pproj"); }

bool is_folder_of_project(const std::string& folder) {
  std::error_code none;
  return fs::is_directory(folder, none) && find_project(folder);
}

// The project of a folder, which has to be the only one.
Result<std::string> project_of(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none))
    if (is_project(entry.path().filename().string()))
      found.push_back(entry.path().lexically_normal().string());
  std::ranges::sort(found);
  if (found.size() == 1) return found.front();
  if (found.empty()) return Error{folder + ": no project file (.pproj) is in this folder."};
  return Error{folder + ": there are " + std::to_string(found.size()) +
               " project files in this folder. Name one: " + found.front() + "."};
}

struct Input {
  std::vector<SourceText> texts;
  std::vector<std::string> files;
  std::map<std::string, std::string> paths = {};  // of texts with other names
};

Result<Input> read_project_files(const std::string& file) {
  std::error_code none;
  if (!fs::is_regular_file(file, none)) return Error{file + ": there is no such file."};
  const auto project = read_project(file);
  if (!project) return Error{project.error().message + "."};
  Input input{.texts = {}, .files = {file}};
  for (const ProjectFile& one : project->files) {
    auto text = read_text_file(one.path.string());
    if (!text) return text.error();
    input.texts.push_back({.name = one.name, .text = std::move(*text), .is_dependency = one.is_dependency});
    input.paths.emplace(one.name, one.path.string());
  }
  return input;
}

Result<Input> read_files(std::span<const std::string> files) {
  std::error_code none;
  const std::string only = files.empty() ? "." : files.size() == 1 ? files.front() : "";
  if (!only.empty() && fs::is_directory(only, none)) {
    const auto project = project_of(only);
    return project ? read_project_files(*project) : project.error();
  }
  if (is_project(only)) return read_project_files(only);
  Input input{.texts = {}, .files = {files.begin(), files.end()}};
  for (const std::string& file : files)
    if (!is_source(file) && !is_project(file))
      return Error{file + ": this is no file in P (.p or .pproj). The name of a test stands after -t."};
  for (const std::string& file : files) {
    if (is_project(file)) return Error{file + ": a project is checked alone. Leave out the other files."};
    auto text = read_text_file(file);
    if (!text) return text.error();
    input.texts.push_back({.name = file, .text = std::move(*text)});
  }
  return input;
}

bool is_with_parameters(const TestCase& test, const std::string& name) {
  return test.name.starts_with(name + "___");
}

}  // namespace

bool is_program(std::span<const std::string> files) {
  if (files.empty()) return is_folder_of_project(".");
  return std::ranges::any_of(files,
                             [](const std::string& file) { return is_source(file) || is_project(file); }) ||
         (files.size() == 1 && is_folder_of_project(files.front()));
}

Result<std::shared_ptr<const OpenedProgram>> OpenedProgram::open(const ProgramFiles& files, LooseSpecs loose,
                                                                 ColourWish colour) {
  auto input = read_files(files.sources);
  if (!input) return input.error();
  auto opened = std::make_shared<OpenedProgram>();
  opened->files_ = std::move(input->files);
  opened->name_ = opened->files_.front();
  opened->paths_ = std::move(input->paths);
  for (const SourceText& one : input->texts)
    opened->sources_.push_back({.name = one.name, .checksum = hash_string(one.text)});
  CheckedSources checked = check(std::move(input->texts));
  const std::string messages = checked.messages();
  if (!checked.ok()) return Error{messages};
  if (!messages.empty()) show_compiler_messages(messages, colour);
  opened->program_ = std::move(checked.program);
  if (Status linked = opened->link(files.libraries); !linked) return linked.error();
  opened->loose_ = loose;
  if (loose == LooseSpecs::kAttached) opened->attach_specs();
  return std::shared_ptr<const OpenedProgram>(std::move(opened));
}

std::string OpenedProgram::path_of(const std::string& name) const {
  const auto found = paths_.find(name);
  return found == paths_.end() ? name : found->second;
}

Status OpenedProgram::link(const std::vector<std::string>& libraries) {
  if (libraries.empty()) return Success{};
  std::vector<ForeignLibrary> loaded;
  for (const std::string& file : libraries) {
    auto library = load_foreign_library(file);
    if (!library) return Error{"--foreign " + file + ": " + library.error().message + "."};
    sources_.push_back({.name = fs::path(file).filename().string(), .checksum = library->checksum});
    loaded.push_back(std::move(*library));
  }
  libraries_ = libraries;
  auto linked = LinkedFunctions::link(*program_, loaded);
  if (!linked) return Error{"--foreign " + linked.error().message};
  undeclared_ = (*linked)->undeclared();
  program_->foreign = std::move(*linked);
  return Success{};
}

Status OpenedProgram::check_foreign(const std::vector<std::size_t>& chosen) const {
  std::vector<FunctionId> missing;
  for (const FunctionId id : foreign_functions_of(*program_, chosen))
    if (program_->foreign == nullptr || !program_->foreign->has(id)) missing.push_back(id);
  if (missing.empty()) return Success{};
  std::vector<std::string> names;
  for (const FunctionId id : missing)
    names.push_back(foreign_name(*program_, program_->function(id)) + " (" +
                    program_->sources.describe(program_->function(id).place) + ")");
  std::string text =
      fmt::format("{}: {} written in another language, and {}: {}.\n", name_,
                  missing.size() == 1 ? "a foreign function is" : "foreign functions are",
                  libraries_.empty() ? "no library is named that has them" : "no library has them",
                  fmt::join(names, ", "));
  if (!undeclared_.empty())
    text += fmt::format("The libraries have others, which the program does not declare: {}.\n",
                        fmt::join(undeclared_, ", "));
  text +=
      "Write them in C++ as follows, compile that with 'c++ -std=c++17 -O2 -shared -fPIC FILE.cc -o "
      "FILE.so', "
      "and add --foreign ./FILE.so; or choose tests that do not call them (-t).\n\n";
  return Error{text + skeleton(*program_, missing)};
}

void OpenedProgram::attach_specs() {
  const auto is_spec = [&](const Monitor& monitor) {
    return program_->machine(monitor.machine).kind == MachineKind::kSpec;
  };
  for (TestCase& test : program_->tests) {
    if (std::ranges::any_of(test.monitors, is_spec)) continue;
    for (std::size_t number = 0; number < program_->machines.size(); ++number) {
      if (program_->machines[number].kind != MachineKind::kSpec ||
          is_explorer(*program_, static_cast<MachineId>(number)))
        continue;
      Monitor& monitor = test.monitors.emplace_back();
      monitor.machine = static_cast<MachineId>(number);
      for (const Binding& binding : test.bindings) monitor.interfaces.push_back(binding.interface);
    }
  }
}

std::vector<std::size_t> OpenedProgram::usual_tests() const {
  const std::vector<TestCase>& tests = program_->tests;
  const bool has_tests =
      std::ranges::any_of(tests, [](const TestCase& test) { return !test.is_implementation; });
  std::vector<std::size_t> usual;
  for (std::size_t i = 0; i < tests.size(); ++i)
    if (!has_tests || !tests[i].is_implementation) usual.push_back(i);
  return usual;
}

Result<std::vector<std::size_t>> OpenedProgram::chosen_tests(const std::vector<std::string>& wanted) const {
  if (wanted.empty()) {
    std::vector<std::size_t> usual = usual_tests();
    if (usual.empty())
      return Error{name_ +
                   ": this program has no test, and no machine Main that could be one. Write a test: "
                   "test NAME [main=MACHINE]: { MACHINE, ... };"};
    return usual;
  }
  std::vector<std::size_t> chosen;
  const auto add = [&](std::size_t place) {
    if (std::ranges::find(chosen, place) == chosen.end()) chosen.push_back(place);
  };
  for (const std::string& name : wanted) {
    bool is_known = false;
    for (std::size_t i = 0; i < program_->tests.size(); ++i) {
      const TestCase& test = program_->tests[i];
      if (test.name != name && !is_with_parameters(test, name)) continue;
      is_known = true;
      add(i);
    }
    if (!is_known)
      return Error{"-t " + name + ": there is no such test in " + name_ + ". 'ravel tests " + name_ +
                   "' lists them."};
  }
  return chosen;
}

Status OpenedProgram::check_timers(const std::vector<std::size_t>& chosen) const {
  const Timers timers = find_timers(*program_);
  const auto is_part = [&](MachineId machine) {
    return std::ranges::any_of(chosen, [&](std::size_t place) {
      return std::ranges::find(program_->tests[place].bindings, machine, &Binding::machine) !=
             program_->tests[place].bindings.end();
    });
  };
  const std::string advice = " Leave out --time, or write it as in docs/guide/from-p.md.";
  for (const UnknownTimer& one : timers.unknown)
    if (is_part(one.machine))
      return Error{program_->sources.describe(one.place) + ": " +
                   std::string(program_->machine(one.machine).name) +
                   " is no timer that --time knows: " + one.why + "." + advice};
  if (std::ranges::none_of(timers.known, is_part, &Timer::machine))
    return Error{name_ +
                 ": --time is about timers, and no machine of these tests is written as one: a state whose "
                 "entry chooses whether to fire, and else sends itself an event that asks it again." +
                 advice};
  return Success{};
}

Result<IdSet<MachineId>> OpenedProgram::symmetric_machines(const std::vector<std::string>& names) const {
  IdSet<MachineId> all;
  const std::vector<Machine>& machines = program_->machines;
  const auto is_machine = [](const Machine& one) { return one.kind == MachineKind::kMachine; };
  for (const std::string& group : names)
    for (std::size_t from = 0; from <= group.size();) {
      const std::size_t comma = std::min(group.find(',', from), group.size());
      const std::string_view name = std::string_view(group).substr(from, comma - from);
      from = comma + 1;
      const auto found = std::ranges::find_if(
          machines, [&](const Machine& one) { return is_machine(one) && one.name == name; });
      if (found != machines.end()) {
        all.add(id_at<MachineId>(static_cast<std::size_t>(found - machines.begin())));
        continue;
      }
      std::vector<std::string_view> known;
      for (const Machine& one : machines)
        if (is_machine(one)) known.push_back(one.name);
      return Error{fmt::format("--symmetric {}: {} has no machine '{}'; choose among: {}.", group, name_,
                               name, fmt::join(known, ", "))};
    }
  return all;
}

Result<ExplorerSpec> OpenedProgram::explorer(const std::string& name,
                                             const std::vector<std::size_t>& chosen) const {
  const auto spec = explorer_named(*program_, name);
  if (!spec) {
    std::vector<std::string> names(kBuiltInExplorers.begin(), kBuiltInExplorers.end());
    for (std::string& own : explorers_of(*program_)) names.push_back(std::move(own));
    return Error{
        fmt::format("--explorer {}: {}, so there is no explorer '{}'; choose one of: {}, or a library, "
                    "FILE.so, or write one as docs/guide/from-p.md says.",
                    name, spec.error().message, name, fmt::join(names, ", "))};
  }
  for (const std::size_t place : chosen)
    if (std::ranges::find(program_->tests[place].monitors, spec->machine, &Monitor::machine) !=
        program_->tests[place].monitors.end())
      return Error{
          fmt::format("--explorer {}: the test {} is held to this spec; leave it out of its `assert`.", name,
                      program_->tests[place].name)};
  return *spec;
}

}  // namespace ravel::p
