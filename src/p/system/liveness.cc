#include "p/system/liveness.h"

#include <algorithm>

#include "base/check.h"

namespace ravel::p {
namespace {

std::string in_ticks(std::string_view name) { return "`" + std::string(name) + "`"; }

}  // namespace

bool Liveness::is(const LiveMachine& monitor, Temperature temperature) const {
  return program_.machine(monitor.machine).kind == MachineKind::kSpec &&
         program_.state(monitor.state).temperature == temperature;
}

const LiveMachine* Liveness::find_hot() const {
  for (const LiveMachine& monitor : world_.monitors())
    if (is(monitor, Temperature::kHot)) return &monitor;
  return nullptr;
}

Bug Liveness::hot_at_end(const LiveMachine& monitor) const {
  const State& state = program_.state(monitor.state);
  Bug bug;
  bug.kind = "liveness";
  bug.message = "monitor " + in_ticks(name_of(monitor)) + " is in hot state " + in_ticks(state.name) +
                " when nothing can happen any more";
  note_place(program_, state.place, bug);
  return bug;
}

std::vector<std::string> Liveness::propositions() const {
  CHECK_MESSAGE(world_.monitors().size() <= kSpecsMax, "too many specs in one test");
  std::vector<std::string> all;
  for (const LiveMachine& monitor : world_.monitors()) {
    all.push_back("hot(" + name_of(monitor) + ")");
    all.push_back("cold(" + name_of(monitor) + ")");
  }
  for (std::size_t number = 1; number <= fair_choices(); ++number)
    for (const char* const way : {"fair_true(", "fair_false("})
      all.push_back(way + std::to_string(number) + ")");
  return all;
}

Letter Liveness::letter() const {
  Letter letter;
  for (std::size_t i = 0; i < std::min(world_.monitors().size(), kSpecsMax); ++i)
    letter.state |= heat_of(world_.monitors()[i]) << kBitsOfSpec * i;
  if (world_.operations().empty()) return letter;
  const Operation& last = world_.operations().front();
  if (last.fair_choice == 0 || last.fair_choice > fair_choices()) return letter;
  const std::size_t bit = kBitsOfSpec * (world_.monitors().size() + last.fair_choice - 1);
  letter.step = std::uint64_t{last.payload.truth() ? 1u : 2u} << bit;
  return letter;
}

bool Liveness::may_get_hot(const LiveMachine& monitor) const {
  const Machine& machine = program_.machine(monitor.machine);
  return machine.kind == MachineKind::kSpec && std::ranges::any_of(machine.states, [&](StateId state) {
           return program_.state(state).temperature == Temperature::kHot;
         });
}

std::string Liveness::formula(const LiveMachine& monitor) const {
  const std::string name = name_of(monitor);
  const std::string live =
      "(always eventually cold(" + name + ")) or (eventually always not hot(" + name + "))";
  std::string fair;
  for (std::size_t choice = 1; choice <= fair_choices(); ++choice) {
    const std::string number = "(" + std::to_string(choice) + ")";
    fair += (fair.empty() ? "" : " and ") + ("((always eventually fair_true" + number) +
            ") <-> (always eventually fair_false" + number + "))";
  }
  return fair.empty() ? live : "(" + fair + ") -> (" + live + ")";
}

std::vector<std::string> Liveness::formulas() const {
  std::vector<std::string> all;
  for (const LiveMachine& monitor : world_.monitors())
    if (may_get_hot(monitor)) all.push_back(formula(monitor));
  return all;
}

// Told once for each spec: by which of its hot states, differs between executions.
void Liveness::tell(const std::string& violated, Bug& bug) const {
  for (const LiveMachine& monitor : world_.monitors()) {
    if (!may_get_hot(monitor) || violated != formula(monitor)) continue;
    const Machine& machine = program_.machine(monitor.machine);
    const auto is_hot = [&](StateId state) { return program_.state(state).temperature == Temperature::kHot; };
    const StateId first = *std::ranges::find_if(machine.states, is_hot);
    const bool is_hot_now = is_hot(monitor.state);
    bug.kind = "liveness";
    bug.message = "monitor " + in_ticks(name_of(monitor)) + " is hot again and again, and never cold again";
    note_place(program_, program_.state(first).place, bug);
    bug.details.insert(bug.details.begin(),
                       "when the loop begins anew, " + in_ticks(name_of(monitor)) + " is in " +
                           (is_hot_now ? "hot " : "") + "state " +
                           in_ticks(program_.state(monitor.state).name) + " (" +
                           program_.sources.describe(program_.state(monitor.state).place) + ")");
    std::erase_if(bug.details, [](const std::string& line) { return line.starts_with("from there on, "); });
    return;
  }
}

}  // namespace ravel::p
