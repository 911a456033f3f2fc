// The process side of the machine as programs see it: process_cases.erl prints the same on the installed erl
// and here. And the table of built-ins is complete.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "erlang/bif/builtins.h"
#include "erlang/machine/machine.h"
#include "erlang/term/print.h"
#include "erlang/term/release.h"
#include "tests/erlang_term/installed_erl.h"

namespace ravel::erlang {
namespace {

namespace fs = std::filesystem;

std::string output_of(const std::string& command) {
  std::string output;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, count);
  pclose(pipe);
  return output;
}

// All modules below some folders.
class Folders final : public ModuleSource {
 public:
  void add(const fs::path& folder) {
    if (const std::string name = folder.parent_path().filename(); name.starts_with("erts-"))
      version_ = name.substr(5);
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".beam") files_.try_emplace(entry.path().stem(), entry.path());
  }
  std::optional<std::vector<std::uint8_t>> find_module(std::string_view name, std::string& path) override {
    const auto found = files_.find(std::string(name));
    if (found == files_.end()) return std::nullopt;
    path = found->second;
    std::ifstream file(path, std::ios::binary);
    return std::vector<std::uint8_t>(std::istreambuf_iterator<char>(file), {});
  }
  std::string runtime_version() override { return version_; }

 private:
  std::map<std::string, fs::path> files_;
  std::string version_;
};

// Runs a program on one fair schedule: messages and steps first, then timers, then what waits for time only.
void run_fairly(Machine& machine) {
  std::size_t turn = 0;
  for (int steps = 0; steps < 1'000'000 && machine.faults.current().kind == MachineFault::Kind::kNone;
       ++steps) {
    const auto processes = machine.processes.all();
    if (processes.empty()) return;
    Process* next = nullptr;
    for (std::size_t i = 0; i < processes.size() && next == nullptr; ++i) {
      Process* candidate = processes[(turn + i) % processes.size()];
      if (candidate->rest == Rest::kWaiting || candidate->rest == Rest::kTimeout) continue;
      next = candidate;
      turn = (turn + i + 1) % processes.size();
    }
    if (next == nullptr && !machine.time.timers().empty()) {
      const auto soonest = std::ranges::min_element(machine.time.timers(), {}, &Timer::due_ms);
      if (soonest->due_ms == 0) {
        machine.fire(static_cast<std::size_t>(soonest - machine.time.timers().begin()));
        continue;
      }
    }
    for (Process* candidate : processes)
      if (next == nullptr && candidate->rest == Rest::kTimeout) next = candidate;
    if (next == nullptr) return;
    machine.step(*next);
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The results by the names of their cases.
std::map<std::string, std::string> by_case(const std::string& output) {
  std::map<std::string, std::string> results;
  for (const std::string& line : lines_of(output))
    if (const std::size_t colon = line.find(": "); colon != std::string::npos)
      results[line.substr(0, colon)] = line.substr(colon + 2);
  return results;
}

TEST(Processes, behave_as_on_the_installed_erlang) {
  if (!is_erl_installed()) GTEST_SKIP() << "no Erlang/OTP is installed here";
  std::string folder = testing::TempDir() + "ravel_processes_XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string source = RAVEL_SOURCE_DIR;
  const std::string compile = "erlc -o " + folder + " " + source + "/tests/erlang_bif/process_cases.erl " +
                              source + "/src/erlang/lib/*.erl";
  ASSERT_EQ(std::system(compile.c_str()), 0);
  const std::string erl = "cd " + folder + " && erl -noshell -kernel logger_level none ";
  const auto expected = by_case(output_of(erl + "+S 1 -eval 'process_cases:main(),halt().'"));
  Folders modules;
  modules.add(folder);
  for (const std::string& ebin : lines_of(output_of(
           erl +
           "-eval 'Root=code:root_dir(),[io:put_chars([F,10])||F<-filelib:wildcard(Root++\"/erts-*/ebin\")++"
           "filelib:wildcard(Root++\"/lib/{erts,kernel,stdlib}-*/ebin\")],halt().'")))
    modules.add(ebin);
  const std::vector<Builtin> builtins = builtins_of(installed_release());
  Machine machine(MachineOptions{}, modules, builtins);
  machine.start(machine.names.atoms.intern("process_cases"), machine.names.atoms.intern("main"), {});
  run_fairly(machine);
  fs::remove_all(folder);
  EXPECT_EQ(machine.faults.current().kind, MachineFault::Kind::kNone)
      << machine.faults.current().message << " halt "
      << print_term(machine.names, machine.faults.current().halt_status);
  const auto found = by_case(machine.device.output());
  EXPECT_GT(expected.size(), 175U);
  for (const auto& [name, result] : expected) {
    const auto ours = found.find(name);
    EXPECT_EQ(ours == found.end() ? "nothing" : ours->second, result) << name;
  }
}

std::string name_of(const Builtin& builtin) {
  return std::string(builtin.module) + ":" + std::string(builtin.name) + "/" + std::to_string(builtin.arity);
}

// What the emulator of a release has, by list_builtins.escript.
std::set<std::string> listed_builtins(int release) {
  std::ifstream file(RAVEL_SOURCE_DIR "/tests/erlang_bif/otp" + std::to_string(release) + "_builtins.txt");
  std::set<std::string> names;
  for (std::string line; std::getline(file, line);) names.insert(line);
  return names;
}

class BuiltinsOfRelease : public testing::TestWithParam<std::pair<int, std::size_t>> {};

TEST_P(BuiltinsOfRelease, are_those_of_its_emulator) {
  const auto& [number, count] = GetParam();
  const std::set<std::string> listed = listed_builtins(number);
  EXPECT_EQ(listed.size(), count);
  std::set<std::string> rows;
  std::size_t refused = 0;
  for (const Builtin& builtin : builtins_of(release_numbered(number))) {
    rows.insert(name_of(builtin));
    if (listed.contains(name_of(builtin)) && builtin.effect == Effect::kRefused) ++refused;
  }
  std::vector<std::string> missing;
  std::ranges::set_difference(listed, rows, std::back_inserter(missing));
  EXPECT_EQ(missing, std::vector<std::string>{"erlang:hibernate/3"});  // an instruction of the machine
  std::printf("OTP %d: %zu built-ins, of which %zu are refused by name\n", number, listed.size(), refused);
  // Nor is one there that came later or went before, so that is_builtin/3 is right, and what is written in
  // Erlang runs.
  std::set<std::string> ever;
  for (const auto& [other, ignored] : {std::pair{25, 0}, {27, 0}, {29, 0}})
    ever.merge(listed_builtins(other));
  // In guards, see there
  const std::set<std::string> of_newer_files = {"erlang:is_integer/3", "erlang:max/2", "erlang:min/2"};
  std::vector<std::string> too_many;
  for (const std::string& row : rows)
    if (ever.contains(row) && !listed.contains(row) && !of_newer_files.contains(row)) too_many.push_back(row);
  EXPECT_EQ(too_many, std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(Otp, BuiltinsOfRelease,
                         testing::Values(std::pair{25, 505U}, std::pair{27, 522U}, std::pair{29, 553U}));

TEST(Builtins, that_are_refused_say_which_and_why) {
  Folders none;
  for (const Builtin& builtin : refused_builtins()) {
    Machine machine(MachineOptions{.nursery_words = 1 << 16, .store_words = 1 << 16}, none, {});
    Call call(machine, machine.heap, machine.names, nullptr);
    const std::vector<Term> arguments(builtin.arity, Term::nil());
    EXPECT_TRUE(builtin.function(call, arguments.data()).is_none());
    const std::string name = std::string(builtin.module) + ":" + std::string(builtin.name);
    EXPECT_EQ(machine.faults.current().message.find(name), 0U) << machine.faults.current().message;
  }
  EXPECT_GT(refused_builtins().size(), 80U);
}

}  // namespace
}  // namespace ravel::erlang
