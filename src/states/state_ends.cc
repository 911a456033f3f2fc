#include "states/state_ends.h"

#include <utility>

#include "base/check.h"
#include "engine/preemption.h"
#include "states/lasso_check.h"

namespace ravel {

namespace {

constexpr const char kNamesMatter[] =
    "), but not where names are counted: the program orders pids or references, or makes numbers of them, so "
    "that a search by states, which gives free names again, says nothing about it; choose another strategy";

}  // namespace

StateEnds::StateEnds(const Parts& parts, AfterBug after_bug, Translate translate)
    : system_(parts.system),
      states_(parts.states),
      ways_(parts.ways),
      so_far_(parts.so_far),
      listener_(parts.listener),
      after_bug_(after_bug),
      translate_(std::move(translate)) {}

void StateEnds::begin() {
  ledger_ = BugLedger(std::move(so_far_.bugs));
  if (translate_)
    for (const FoundBug& found : ledger_.bugs()) told_bugs_[found.bug.key()] = found.bug;
}

Outcome StateEnds::judge(Outcome outcome) {
  if (!system_.is_judged_by_execution()) return outcome;
  go_way(ways_.indices());
  return system_.outcome();
}

std::optional<Stop> StateEnds::note_end(Outcome outcome) {
  std::optional<Way> way;
  if (system_.is_judged_by_execution()) {
    way = go_way(ways_.indices());
    outcome = system_.outcome();
  }
  ++so_far_.counts.executions;
  return note_outcome(outcome, std::move(way));
}

std::optional<Stop> StateEnds::note_pass() {
  ++so_far_.counts.executions;
  return why_to_end();
}

std::optional<Stop> StateEnds::note_end_from(StateNumber from, std::span<const std::uint32_t> indices) {
  Outcome outcome = system_.outcome();
  std::optional<Way> way;
  if (outcome == Outcome::kBug || system_.is_judged_by_execution()) {
    std::vector<std::uint32_t> all = ways_.indices_to(from);
    all.insert(all.end(), indices.begin(), indices.end());
    way = go_way(all);
    outcome = system_.outcome();
  }
  return note_outcome(outcome, std::move(way));
}

std::optional<Stop> StateEnds::note_outcome(Outcome outcome, std::optional<Way> way) {
  std::optional<Stop> refused;
  if (outcome == Outcome::kUnsupported) {
    so_far_.refusal = system_.refusal();
    refused = Stop::kUnsupported;
  }
  if (outcome == Outcome::kBug) refused = record_bug(std::move(way));
  return refused ? refused : why_to_end();
}

std::optional<Stop> StateEnds::why_to_end() {
  if (after_bug_ == AfterBug::kStop && !ledger_.bugs().empty()) return Stop::kFirstBug;
  if (listener_ != nullptr && listener_->ends_search()) return Stop::kInterrupted;
  return std::nullopt;
}

// A reason to end: it cannot be told.
std::optional<Stop> StateEnds::record_bug(std::optional<Way> way) {
  ++so_far_.counts.erroneous;
  const Bug bug = system_.bug();
  FoundBug* const known = ledger_.find(bug);
  const std::size_t length = way ? way->schedule.size() : ways_.indices().size();
  if (known != nullptr && known->schedule.size() <= length) {
    ++known->executions;
    return std::nullopt;
  }
  if (!way) way = go_way(ways_.indices());
  Bug told = bug;
  if (translate_) {
    auto translated = translate_(way->schedule);
    states_.forget_present();
    if (!translated) {
      so_far_.refusal = {.message = "a bug was found (" + bug.message + kNamesMatter, .file = "", .line = 0};
      return Stop::kUnsupported;
    }
    way->schedule = std::move(translated->schedule);
    told = std::move(translated->bug);
  }
  FoundBug* const found = ledger_.note(bug,
                                       {.faults = count_faults(way->schedule),
                                        .early = count_early(way->schedule),
                                        .preemptions = way->preemptions,
                                        .events = way->schedule.size()},
                                       so_far_.counts.executions);
  so_far_.counts.bugs = ledger_.bugs().size();
  if (found == nullptr) return std::nullopt;
  found->schedule = std::move(way->schedule);
  if (translate_) told_bugs_[bug.key()] = told;
  if (listener_ == nullptr) return std::nullopt;
  FoundBug heard = *found;
  heard.bug = std::move(told);
  listener_->on_bug(heard);
  return std::nullopt;
}

std::optional<Stop> StateEnds::note_endless(const TemporalQuestion& question,
                                            std::span<const std::uint32_t> indices, std::uint64_t loop) {
  Way way = go_way(indices);
  LassoCheck check(question);
  system_.reset();
  check.note(system_, std::nullopt);
  for (const Transition& transition : way.schedule) {
    system_.step(transition);
    check.note(system_, transition.actor);
  }
  states_.forget_present();
  const std::optional<Bug> bug = check.judge(system_, loop);
  CHECK_MESSAGE(bug.has_value(), kNotTheSameTwice);
  FoundBug* const found = ledger_.note(
      *bug,
      {.early = count_early(way.schedule), .preemptions = way.preemptions, .events = way.schedule.size()},
      so_far_.counts.executions);
  so_far_.counts.bugs = ledger_.bugs().size();
  ++so_far_.counts.erroneous;
  if (found == nullptr) return std::nullopt;
  found->schedule = std::move(way.schedule);
  found->lasso =
      Lasso{.formula = question.formula, .fairness = std::string(text_of(question.fairness)), .loop = loop};
  if (translate_) told_bugs_[bug->key()] = *bug;
  if (listener_ != nullptr) listener_->on_bug(*found);
  return why_to_end();
}

// Two of them can be told as one.
std::vector<FoundBug> StateEnds::told(std::vector<FoundBug> bugs) const {
  if (!translate_) return bugs;
  for (FoundBug& found : bugs) found.bug = told_bugs_.at(found.bug.key());
  BugLedger told;
  told.merge(bugs);
  return told.take();
}

// Takes these transitions once more, from the initial state.
StateEnds::Way StateEnds::go_way(std::span<const std::uint32_t> indices) {
  Way way;
  std::optional<ActorId> previous;
  states_.forget_present();
  system_.reset();
  for (const std::uint32_t index : indices) {
    const std::span<const Transition> enabled = system_.enabled();
    CHECK_MESSAGE(index < enabled.size(), kNotTheSameTwice);
    const Transition transition = enabled[index];
    if (preempts(previous, enabled, transition.actor)) ++way.preemptions;
    way.schedule.push_back(transition);
    system_.step(transition);
    ++so_far_.counts.events;
    previous = transition.actor;
  }
  return way;
}

}  // namespace ravel
