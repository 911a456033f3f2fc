// What the monitors of properties say after each step of an ErlangSystem.

#include <algorithm>
#include <filesystem>

#include "erlang/system/erlang_system.h"
#include "states/temporal_question.h"

namespace ravel::erlang {

namespace {

// The name by which the machine knows a property: a file stands for its module, wherever it lies.
std::string name_in_program(const std::string& text) {
  const std::string file = file_of_property(text);
  return file.empty() ? text : std::filesystem::path(file).stem().string() + text.substr(file.size());
}

bool is_text(Term list) {
  for (; list.is_cons(); list = list.tail())
    if (!list.head().is_small() || list.head().small_value() < ' ' || list.head().small_value() > '~')
      return false;
  return list.is_nil();
}

std::string characters(Term text) {
  std::string read;
  for (; text.is_cons(); text = text.tail()) read += static_cast<char>(text.head().small_value());
  return read;
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

Status ErlangSystem::open_properties() {
  std::vector<std::string> names;
  for (const std::string& text : options_.properties.monitored) names.push_back(name_in_program(text));
  std::vector<std::string> formulas = options_.properties.formulas;
  if (options_.properties.asks_about_progress) formulas.emplace_back(kProgressFormula);
  auto propositions = propositions_of(formulas);
  if (!propositions) return Error{"--ltl: " + propositions.error().message};
  propositions_ = std::move(*propositions);
  if (names.empty() && propositions_.empty()) return Success{};
  if (Status opened = machine_->property_monitors.open(names); !opened) return opened;
  return machine_->propositions.open(propositions_);
}

void ErlangSystem::look_at_propositions() {
  letter_ = {};
  if (propositions_.empty() || machine_->faults.has_one() || outcome_ == Outcome::kUnsupported) return;
  std::vector<Term> who_can_go_on;
  if (machine_->propositions.asks_who_can_go_on())
    for (const Transition& transition : enabled_.all())
      if (happens_by_itself(transition.kind)) who_can_go_on.push_back(actors_.term_of(transition.actor));
  const Propositions::Seen seen = machine_->propositions.look(who_can_go_on);
  letter_ = {.state = seen.state, .step = seen.step};
  if (seen.verdict.kind != PropertyMonitors::Verdict::Kind::kFailed) return;
  note_failed_monitor("the predicate " + propositions_[seen.failed], seen.verdict);
  enabled_.clear();
}

// Whether the step changed nothing that others could notice. That it ran is noticed by those only who ask
// where it is.
bool ErlangSystem::has_only_looked(Term who) const {
  constexpr std::uint32_t kLookBits =
      access_bit(Access::kRead) | access_bit(Access::kExpire) | access_bit(Access::kPass);
  const StepRecord& record = machine_->record;
  const std::uint64_t own_run = who.is_pid() ? object_id(ObjectClass::kRun, who.pid_name()) : 0;
  const std::uint64_t observed = object_id(ObjectClass::kProbe, 0);
  return !record.shows && std::ranges::all_of(record.footprint, [&](const Touched& touched) {
    return touched.object == own_run || touched.object == observed ||
           (access_bit(static_cast<Access>(touched.access)) & kLookBits) != 0;
  });
}

void ErlangSystem::look_by_abstraction() {
  Machine& m = *machine_;
  if (!m.abstraction.is_open() || m.faults.has_one() || outcome_ == Outcome::kUnsupported) return;
  m.freezer.store_state();
  const Abstraction::Answer answer = m.abstraction.look();
  abstract_ = answer.value;
  if (abstract_.is_none()) {
    note_failed_monitor("--abstraction " + options_.abstraction,
                        {.kind = PropertyMonitors::Verdict::Kind::kFailed,
                         .problem = answer.problem,
                         .trace = answer.trace,
                         .places = answer.places});
    enabled_.clear();
  }
  m.heap.reset();
}

bool ErlangSystem::look_by_monitors(std::span<const CodeWord* const> places) {
  PropertyMonitors& monitors = machine_->property_monitors;
  if (machine_->faults.has_one()) return false;
  if (monitors.observed() == Observed::kSteps) machine_->record.note_observed();
  bool has_ended = false;
  for (std::size_t i = 0; i < monitors.size() && !has_ended; ++i) {
    const PropertyMonitors::Verdict verdict = monitors.look(i);
    switch (verdict.kind) {
      case PropertyMonitors::Verdict::Kind::kHolds: break;
      case PropertyMonitors::Verdict::Kind::kViolated:
        if (goes_on_after_failure()) {
          failures_.note(bug_of_violation(monitors.name(i), verdict, places), events_ + 1);
        } else {
          bug_ = bug_of_violation(monitors.name(i), verdict, places);
          outcome_ = Outcome::kBug;
          has_ended = true;
        }
        break;
      case PropertyMonitors::Verdict::Kind::kFailed:
        note_failed_monitor("the monitor of the property " + monitors.name(i), verdict);
        has_ended = true;
        break;
    }
  }
  monitors.finish_looking();
  return has_ended;
}

Bug ErlangSystem::bug_of_violation(const std::string& property, const PropertyMonitors::Verdict& verdict,
                                   std::span<const CodeWord* const> places) {
  texts_.choose(texts_.language_of_test());
  Bug bug;
  bug.kind = "property";
  bug.message = "the property " + property + " is violated";
  const auto reads = [&](Term term) {
    return term.is_cons() && is_text(term) ? characters(term) : texts_.text_of(term);
  };
  const Term reason = verdict.reason;
  const bool has_reason =
      !reason.is_none() && !(reason.is_atom() && machine_->names.atoms.text(reason) == "none");
  if (has_reason) bug.message += ": " + reads(reason);
  // A line is a list of pieces, text and terms, or one term.
  for (Term lines = verdict.details; lines.is_cons(); lines = lines.tail()) {
    const Term line = lines.head();
    if (!line.is_cons() || is_text(line)) {
      bug.details.push_back(reads(line));
      continue;
    }
    std::string text;
    for (Term piece = line; piece.is_cons(); piece = piece.tail()) text += reads(piece.head());
    bug.details.push_back(text);
  }
  const Term actor = machine_->record.event.actor;
  if (actor.is_pid()) bug.actor = machine_->names.pid_text(actor);
  if (const CodeWord* const place = places_.best_place(places)) {
    EventDescription where;
    places_.describe_where(place, where, SourcePlaces::Place::kOther);
    bug.file = where.file;
    bug.line = where.line;
  }
  return bug;
}

// A mistake of the monitor, not of the program.
void ErlangSystem::note_failed_monitor(const std::string& monitor, const PropertyMonitors::Verdict& verdict) {
  texts_.choose(texts_.language_of_test());
  Bug found;  // where: the innermost place of the user's code
  exit_bugs_.add_places_of_trace(found, verdict.trace);
  std::string message = monitor + " fails: " + verdict.problem;
  if (!found.details.empty()) message += " " + found.details.front();
  if (const CodeWord* const place = places_.best_place(verdict.places)) {
    EventDescription where;
    places_.describe_where(place, where, SourcePlaces::Place::kOther);
    found.file = where.file;
    found.line = where.line;
  }
  refusal_ = {.message = message, .file = found.file, .line = found.line};
  outcome_ = Outcome::kUnsupported;
}

}  // namespace ravel::erlang
