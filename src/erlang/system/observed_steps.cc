#include "erlang/system/observed_steps.h"

#include <algorithm>
#include <filesystem>

#include "states/temporal_question.h"

namespace ravel::erlang {

namespace {

// The name by which the machine knows a property: a file stands for its module, wherever it lies.
std::string name_in_program(const std::string& text) {
  const std::string file = file_of_property(text);
  return file.empty() ? text : std::filesystem::path(file).stem().string() + text.substr(file.size());
}

}  // namespace

bool is_ready_made_property(const std::string& text) {
  constexpr std::string_view kNames[] = {"at_most_one(", "mailbox_longer_than(", "mutual_exclusion(",
                                         "never_gone("};
  return std::ranges::any_of(kNames, [&](std::string_view name) { return text.starts_with(name); });
}

std::string file_of_property(const std::string& text) {
  const std::string name = text.substr(0, text.find('('));
  return name.ends_with(".erl") || name.ends_with(".beam") ? name : std::string();
}

Status ObservedSteps::open(const Properties& properties) {
  std::vector<std::string> names;
  for (const std::string& text : properties.monitored) names.push_back(name_in_program(text));
  std::vector<std::string> formulas = properties.formulas;
  if (properties.asks_about_progress) formulas.emplace_back(kProgressFormula);
  auto propositions = propositions_of(formulas);
  if (!propositions) return Error{"--ltl: " + propositions.error().message};
  propositions_ = std::move(*propositions);
  if (names.empty() && propositions_.empty()) return Success{};
  if (Status opened = machine_.property_monitors.open(names); !opened) return opened;
  return machine_.propositions.open(propositions_);
}

std::optional<Refusal> ObservedSteps::ask(std::span<const Transition> enabled, Outcome outcome) {
  if (machine_.faults.has_one() || outcome == Outcome::kUnsupported) return std::nullopt;
  if (auto failure = look_at_propositions(enabled)) return failure;
  return look_by_abstraction();
}

std::optional<Refusal> ObservedSteps::look_at_propositions(std::span<const Transition> enabled) {
  if (propositions_.empty()) return std::nullopt;
  std::vector<Term> who_can_go_on;
  if (machine_.propositions.asks_who_can_go_on())
    for (const Transition& transition : enabled)
      if (happens_by_itself(transition.kind)) who_can_go_on.push_back(actors_.term_of(transition.actor));
  const Propositions::Seen seen = machine_.propositions.look(who_can_go_on);
  letter_ = {.state = seen.state, .step = seen.step};
  if (seen.verdict.kind != PropertyMonitors::Verdict::Kind::kFailed) return std::nullopt;
  return verdicts_.refusal_of_failure("the predicate " + propositions_[seen.failed], seen.verdict);
}

bool ObservedSteps::has_only_looked(Term who) const {
  constexpr std::uint32_t kLookBits =
      access_bit(Access::kRead) | access_bit(Access::kExpire) | access_bit(Access::kPass);
  const StepRecord& record = machine_.record;
  const std::uint64_t own_run = who.is_pid() ? object_id(ObjectClass::kRun, who.pid_name()) : 0;
  const std::uint64_t observed = object_id(ObjectClass::kProbe, 0);
  return !record.shows && std::ranges::all_of(record.footprint, [&](const Touched& touched) {
    return touched.object == own_run || touched.object == observed ||
           (access_bit(static_cast<Access>(touched.access)) & kLookBits) != 0;
  });
}

std::optional<Refusal> ObservedSteps::look_by_abstraction() {
  Machine& m = machine_;
  if (!m.abstraction.is_open()) return std::nullopt;
  m.freezer.store_state();
  const Abstraction::Answer answer = m.abstraction.look();
  abstract_ = answer.value;
  std::optional<Refusal> failure;
  if (abstract_.is_none())
    failure = verdicts_.refusal_of_failure("--abstraction " + abstraction_,
                                           {.kind = PropertyMonitors::Verdict::Kind::kFailed,
                                            .problem = answer.problem,
                                            .trace = answer.trace,
                                            .places = answer.places});
  m.heap.reset();
  return failure;
}

ObservedSteps::MonitorsSay ObservedSteps::ask_monitors(std::span<const CodeWord* const> places,
                                                       AfterViolation after) {
  MonitorsSay said;
  PropertyMonitors& monitors = machine_.property_monitors;
  if (machine_.faults.has_one()) return said;
  if (monitors.observed() == Observed::kSteps) machine_.record.note_observed();
  bool has_ended = false;
  for (std::size_t i = 0; i < monitors.size() && !has_ended; ++i) {
    const PropertyMonitors::Verdict verdict = monitors.look(i);
    switch (verdict.kind) {
      case PropertyMonitors::Verdict::Kind::kHolds: break;
      case PropertyMonitors::Verdict::Kind::kViolated:
        said.violations.push_back(verdicts_.bug_of_violation(monitors.name(i), verdict, places));
        has_ended = after == AfterViolation::kStop;
        break;
      case PropertyMonitors::Verdict::Kind::kFailed:
        said.failure =
            verdicts_.refusal_of_failure("the monitor of the property " + monitors.name(i), verdict);
        has_ended = true;
        break;
    }
  }
  monitors.finish_looking();
  return said;
}

}  // namespace ravel::erlang
