// Runs one schedule of a program in a chosen way, and notes all that can be seen of it. Ways differ in what
// a program must not notice: when its state is saved and restored, and when memory is collected.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/system.h"
#include "erlang/system/erlang_system.h"
#include "erlang/system/program.h"

namespace ravel::erlang {

struct Way {
  std::string name;
  bool saves = false;     // after every step
  bool restores = false;  // ... and goes on from there, after a visit to the initial state
  bool inspects = false;  // after every step, and at the beginning
  bool collects = false;  // the nursery whenever an instruction may, the store at every save
};

// All of them; the first does nothing special.
std::vector<Way> all_ways();

struct Seen {
  std::vector<std::string> steps;         // who moved, and what it touched
  std::vector<Fingerprint> fingerprints;  // after each step, if the way saves
  std::string output;
  std::string outcome;  // with the bug or the refusal
};

// The installed source of a test: a file below the project's folder.
std::string project_file(const std::string& path);
// Program::open, which must succeed.
std::unique_ptr<Program> open_program(const std::vector<std::string>& files);
// From now on, until a program is opened, the installed release has priority messages. Older ones than OTP 28
// have the functions that take them, too, but for link/2 and exit/3.
void allow_priority_messages();
std::unique_ptr<ErlangSystem> start_program(Program& program, const std::string& test, const Way& way = {},
                                            MachineOptions machine = {.reductions_per_step_max = 3'000'000});

// One execution, at most `steps_max` steps of it; the seed decides who moves.
Seen run(ErlangSystem& system, const Way& way, std::uint64_t seed, std::size_t steps_max);

// Empty, or the first difference. Fingerprints are compared if both have them.
std::string difference(const Seen& expected, const Seen& found);

}  // namespace ravel::erlang
