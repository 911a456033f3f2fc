#include "tests/erlang_system/ways.h"

#include <algorithm>

#include "base/check.h"
#include "base/random.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

std::vector<Way> all_ways() {
  return {{.name = "plainly"},
          {.name = "collecting the nursery always", .collects = true},
          {.name = "saving after every step", .saves = true},
          {.name = "saving and restoring after every step", .saves = true, .restores = true},
          {.name = "inspecting after every step", .inspects = true},
          {.name = "saving, restoring, inspecting and collecting always",
           .saves = true,
           .restores = true,
           .inspects = true,
           .collects = true}};
}

std::string project_file(const std::string& path) { return std::string(RAVEL_SOURCE_DIR) + "/" + path; }

std::unique_ptr<Program> open_program(const std::vector<std::string>& files) {
  auto program = Program::open({.files = files, .include_folders = {}, .code_folders = {}, .defines = {}});
  CHECK_MESSAGE(program.ok(), program.ok() ? "" : program.error().message.c_str());
  return std::move(*program);
}

void allow_priority_messages() {
  static Release release;
  release = installed_release();
  release.has_priority_messages = true;
  set_installed_release(release);
}

std::unique_ptr<ErlangSystem> start_program(Program& program, const std::string& test, const Way& way,
                                            MachineOptions machine) {
  auto name = TestName::parse(test);
  CHECK(name.ok());
  ErlangOptions options{.properties = {.leftovers = Leftovers::kBugs, .crashes = Crashes::kAll},
                        .machine = machine};
  if (way.collects) options.machine.nursery_words = options.machine.store_words = 0;
  auto system = ErlangSystem::start(program, *name, options);
  CHECK_MESSAGE(system.ok(), system.ok() ? "" : system.error().message.c_str());
  return std::move(*system);
}

namespace {

std::string text_of(const System& system, const Event& event) {
  std::string text = system.actor_name(event.actor).to_string();
  for (const Touch& touch : event.footprint)
    text += " " + std::to_string(touch.object) + "." + std::to_string(static_cast<int>(touch.access));
  return text;
}

std::string outcome_of(const System& system) {
  switch (system.outcome()) {
    case Outcome::kRunning: return "still runs";
    case Outcome::kFinished: return "finished";
    case Outcome::kBug: {
      const Bug bug = system.bug();
      std::string text =
          bug.kind + " " + bug.file + ":" + std::to_string(bug.line) + " " + bug.actor + " " + bug.message;
      for (const std::string& line : bug.details) text += "\n" + line;
      return text;
    }
    case Outcome::kUnsupported: {
      const Refusal refusal = system.refusal();
      return "refused: " + refusal.message + " " + refusal.file + ":" + std::to_string(refusal.line);
    }
  }
  return "";
}

}  // namespace

Seen run(ErlangSystem& system, const Way& way, std::uint64_t seed, std::size_t steps_max) {
  Seen seen;
  Random random(seed);
  system.reset();
  Snapshot initial{};
  const bool returns = way.restores && system.outcome() == Outcome::kRunning;
  if (returns) initial = *system.save();
  if (way.inspects) system.inspect();
  while (system.outcome() == Outcome::kRunning && seen.steps.size() < steps_max) {
    const auto enabled = system.enabled();
    const Transition taken = enabled[random.below(enabled.size())];
    const std::size_t count = enabled.size();
    seen.steps.push_back(text_of(system, system.step(taken)) + " of " + std::to_string(count));
    if (way.inspects) system.inspect();
    if (!way.saves || system.outcome() != Outcome::kRunning) continue;
    const std::optional<Snapshot> snapshot = system.save();
    CHECK(snapshot.has_value());
    if (way.restores) {
      system.restore(initial);
      system.restore(*snapshot);
    }
    seen.fingerprints.push_back(*system.fingerprint());
    system.release(*snapshot);
  }
  seen.output = system.output_so_far();
  seen.outcome = outcome_of(system);
  if (returns) system.release(initial);
  return seen;
}

std::string difference(const Seen& expected, const Seen& found) {
  for (std::size_t i = 0; i < std::min(expected.steps.size(), found.steps.size()); ++i)
    if (expected.steps[i] != found.steps[i])
      return "step " + std::to_string(i) + " is " + found.steps[i] + " instead of " + expected.steps[i];
  if (expected.steps.size() != found.steps.size())
    return std::to_string(found.steps.size()) + " steps instead of " + std::to_string(expected.steps.size()) +
           "; " + found.outcome + " instead of " + expected.outcome;
  if (expected.outcome != found.outcome)
    return "outcome " + found.outcome + " instead of " + expected.outcome;
  if (expected.output != found.output) {
    const auto [e, f] = std::ranges::mismatch(expected.output, found.output);
    const auto at = static_cast<std::size_t>(e - expected.output.begin());
    const std::size_t from = at < 60 ? 0 : at - 60;
    return "output ..." + found.output.substr(from, 200) + "... instead of ..." +
           expected.output.substr(from, 200);
  }
  for (std::size_t i = 0; i < std::min(expected.fingerprints.size(), found.fingerprints.size()); ++i)
    if (expected.fingerprints[i] != found.fingerprints[i])
      return "another fingerprint after step " + std::to_string(i);
  return "";
}

}  // namespace ravel::erlang
