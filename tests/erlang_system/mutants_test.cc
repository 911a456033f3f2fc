// Mutants of a program whose instructions all check the kinds of their operands: what still loads may compute
// nonsense, but must not touch memory that is not its own. Worth most under the sanitizers.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/random.h"
#include "erlang/bif/builtins.h"
#include "erlang/machine/machine.h"
#include "erlang/system/erlc.h"
#include "erlang/system/temporary_folder.h"
#include "tests/erlang_beam/installed_modules.h"
#include "tests/erlang_machine/mutants.h"
#include "tests/erlang_system/ways.h"

namespace ravel::erlang {
namespace {

class NoModules final : public ModuleSource {
 public:
  std::optional<std::vector<std::uint8_t>> find_module(std::string_view, std::string&) override {
    return std::nullopt;
  }
};

// These trust the test before them, so a mutant without that test may crash, here as in Erlang/OTP.
constexpr Opcode kTrusting[] = {
    Opcode::kGetList,       Opcode::kGetHd,        Opcode::kGetTl,           Opcode::kGetTupleElement,
    Opcode::kTestArity,     Opcode::kFmove,        Opcode::kSetTupleElement, Opcode::kGetMapElements,
    Opcode::kHasMapFields,  Opcode::kUpdateRecord, Opcode::kBsGetInteger2,   Opcode::kBsGetBinary2,
    Opcode::kBsGetFloat2,   Opcode::kBsSkipBits2,  Opcode::kBsTestTail2,     Opcode::kBsTestUnit,
    Opcode::kBsMatchString, Opcode::kBsGetTail,    Opcode::kBsGetPosition,   Opcode::kBsSetPosition,
    Opcode::kBsPutInteger,  Opcode::kBsPutBinary,  Opcode::kBsPutFloat,      Opcode::kBsGetUtf8,
};

#ifdef __SANITIZE_ADDRESS__
constexpr std::uint64_t kMutants = 2000;
#else
constexpr std::uint64_t kMutants = 6000;
#endif

// Runs checked:main/0 under a random schedule, saving and restoring now and then. What it ended with.
std::string run_mutant(Machine& machine, Random& random, int& steps_made) {
  machine.start(machine.names.atoms.intern("checked"), machine.names.atoms.intern("main"), {});
  std::vector<Term> words;
  for (int steps = 0; steps < 300; ++steps, ++steps_made) {
    if (machine.faults.current().kind != MachineFault::Kind::kNone) return "fault";
    std::vector<Process*> able;
    for (Process* process : machine.processes.all())
      if (process->rest != Rest::kWaiting) able.push_back(process);
    const std::size_t timers = machine.time.timers().size();
    if (able.size() + timers == 0) return machine.processes.all().empty() ? "end" : "deadlock";
    const std::size_t chosen = random.below(able.size() + timers);
    if (chosen < able.size()) {
      machine.step(*able[chosen]);
    } else {
      machine.fire(chosen - able.size());
    }
    if (machine.faults.current().kind != MachineFault::Kind::kNone || !random.chance(1, 3)) continue;
    const std::vector<Term> before = words;
    words.clear();
    machine.freezer.save(words);
    if (!before.empty()) machine.freezer.restore(before);
    machine.freezer.restore(words);
  }
  return "steps";
}

TEST(Mutants, a_mutant_that_loads_runs_soundly) {
  auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder.ok());
  const std::vector<std::string> files = {project_file("tests/erlang_machine/programs/checked.erl")};
  ErlcOptions erlc;
  erlc.output_folder = folder->path();
  const auto compiled = compile_erlang(files, erlc);
  ASSERT_TRUE(compiled.ok()) << compiled.error().message;
  const Bytes original = bytes_of_file(compiled->beams.at(0));
  const auto file = read_beam(original, "checked.beam");
  ASSERT_TRUE(file.ok());
  for (const Instruction& instruction : file->instructions)
    EXPECT_EQ(std::ranges::find(kTrusting, instruction.opcode), std::end(kTrusting))
        << opcode_info(instruction.opcode).name;

  const Mutator mutator(original);
  NoModules modules;
  std::map<std::string, int> endings;
  int steps = 0;
  for (std::uint64_t seed = 0; seed < kMutants; ++seed) {
    Random random(seed);
    MachineOptions options;
    options.reductions_per_step_max = 20'000;
    if (seed % 2 == 0) options.nursery_words = 0;
    Machine machine(options, modules, all_builtins());
    const auto module =
        machine.code.load_module(seed == 0 ? mutator.unchanged() : mutator.mutant(random), "mutant.beam");
    ++endings[module ? run_mutant(machine, random, steps) : "refused"];
    if (seed == 0) {
      EXPECT_EQ(endings["refused"] + endings["fault"], 0);
    }
  }
  for (const char* ending : {"refused", "end"}) EXPECT_GT(endings[ending], kMutants / 10) << ending;
  EXPECT_GT(steps, kMutants / 2);
  for (const auto& [ending, count] : endings) RecordProperty(ending, count);
}

}  // namespace
}  // namespace ravel::erlang
