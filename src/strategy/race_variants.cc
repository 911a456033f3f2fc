#include "strategy/race_variants.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/preemption.h"

namespace ravel {

namespace {

// How many traces are remembered, to notice that one is repeated.
constexpr std::size_t kTracesRemembered = std::size_t{1} << 22;

}  // namespace

RaceVariants::RaceVariants(std::span<const Transition> prefix) {
  for (const Transition& step : prefix)
    script_.push_back({.actor = step.actor, .alternative = step.alternative, .is_frozen = true});
}

// ---- Executions ------------------------------------------------------------------------------------------

std::optional<Plan> RaceVariants::next_execution() {
  was_enabled_.clear();
  script_at_ = 0;
  if (!std::exchange(has_begun_, true)) {
    before_ = history_.mark();
    return Plan{.keep = 0};
  }
  has_ended_ = false;
  if (is_returning_)
    if (const auto plan = return_to_next_level()) return plan;
  // What comes behind a variant that could not be run as it was made is lost.
  if (!std::exchange(is_lost_, false)) {
    open_level();
  } else if (!levels_.empty()) {
    rewind_to(levels_.back().races);
    history_.truncate(before_);
  }
  while (!levels_.empty()) {
    Level& level = levels_.back();
    if (advance(level)) {
      if (make_script(level)) return plan_script();
      continue;
    }
    const History::Mark mark = level.before;
    levels_.pop_back();
    if (levels_.empty()) break;
    rewind_to(levels_.back().races);
    history_.truncate(mark);
  }
  return std::nullopt;
}

Plan RaceVariants::plan_script() {
  std::size_t keep = 0;
  while (keep < script_.size() && keep < history_.length() && script_[keep].event == history_.at(keep)) ++keep;
  history_.rewind(keep);
  script_at_ = keep;
  before_ = history_.mark();
  return Plan{.keep = keep};
}

// A level's execution was run again: its choices, which lead to the next one, are those of the position.
std::optional<Plan> RaceVariants::return_to_next_level() {
  if (levels_returned_ == to_return_.size()) {
    is_returning_ = false;
    return std::nullopt;
  }
  const std::vector<std::uint64_t>& noted = to_return_[levels_returned_++];
  open_level();
  Level& level = levels_.back();
  CHECK(level.choices.size() == noted.size());
  for (std::size_t i = 0; i < noted.size(); ++i) {
    CHECK(noted[i] <= level.choices[i].options.size());
    level.choices[i].choice = noted[i];
  }
  const bool is_made = make_script(level);
  CHECK(is_made);
  return plan_script();
}

void RaceVariants::rewind_to(const MessageRaces& races) {
  std::uint32_t common = 0;
  while (common < races.length() && common < history_.length() && races.at(common) == history_.at(common)) ++common;
  history_.rewind(common);
}

Decision RaceVariants::choose(const Point& point) {
  system_ = point.system;
  if (is_lost_) return Decision::abandon();
  CHECK(point.depth == history_.length());
  for (const ActorId actor : was_enabled_)
    if (actor != history_[history_.at(point.depth - 1)].name.actor && !is_enabled(actor, point.enabled)) has_other_races_ = true;
  history_.see_enabled(point.enabled, *point.system);
  was_enabled_.clear();
  for (const Transition& transition : point.enabled) {
    was_enabled_.push_back(transition.actor);
    if (transition.alternative > 0) has_other_races_ = true;
  }
  std::size_t chosen = 0;
  if (script_at_ < script_.size()) {
    const Step& step = script_[script_at_];
    while (chosen < point.enabled.size() &&
           (point.enabled[chosen].actor != step.actor || point.enabled[chosen].alternative != step.alternative))
      ++chosen;
    if (chosen == point.enabled.size()) return lose();
  } else if (point.previous) {
    const auto again = std::ranges::find(point.enabled, *point.previous, &Transition::actor);
    if (again != point.enabled.end()) chosen = static_cast<std::size_t>(again - point.enabled.begin());
  }
  return Decision::take(chosen, Return::kMaybe);
}

void RaceVariants::observe(const Event& event) {
  const EventId id = history_.append(event, *system_);
  if (system_->stops_others()) history_.mark_as_end();
  look_for_other_races(id);
  if (script_at_ >= script_.size()) return;
  const Step& step = script_[script_at_++];
  if (!step.receives) return;
  const Occurrence& happened = history_[id];
  const bool takes = happened.taken.event != kNoEvent;
  const bool is_right = happened.receives() && takes == step.takes &&
                        (!takes || (history_[happened.taken.event].name == step.sender && happened.taken.touch == step.touch));
  if (!is_right) lose();
}

Decision RaceVariants::lose() {
  is_lost_ = has_lost_ = true;
  return Decision::abandon();
}

void RaceVariants::look_for_other_races(EventId event) {
  if (has_other_races_) return;
  const Occurrence& happened = history_[event];
  for (const EventId cause : history_.predecessors(happened)) {
    const Occurrence& earlier = history_[cause];
    if (earlier.name.actor == happened.name.actor || history_.precedes_without(earlier.name, event, cause)) continue;
    if (!history_.touches_conflict(cause, event)) continue;
    const bool is_made_there = happened.name.ordinal == 0 && std::ranges::any_of(history_.touches(earlier), [&](const Touch& touch) {
      return touch.access == Access::kCreate && system_->owner_of(touch.object) == happened.name.actor;
    });
    if (!is_made_there) has_other_races_ = true;
  }
}

Novelty RaceVariants::end_execution(Outcome outcome) {
  has_ended_ = true;
  if (outcome != Outcome::kRunning && script_at_ < script_.size()) lose();
  if (is_known()) return Novelty::kKnown;
  if (is_lost_) return Novelty::kDiscarded;
  if (outcome == Outcome::kRunning || history_.length() == 0) return Novelty::kNew;
  const EventId last = history_.at(history_.length() - 1);
  for (const ActorId actor : was_enabled_)
    if (actor != history_[last].name.actor && (system_->stops_others() || !is_enabled(actor, system_->enabled())))
      has_other_races_ = true;
  if (seen_.size() < kTracesRemembered && !seen_.insert(history_.trace_hash()).second) return Novelty::kRepeated;
  ++executions_;
  return Novelty::kNew;
}

Coverage RaceVariants::coverage() const {
  return {.kind = has_other_races_ || has_lost_ ? Coverage::Kind::kMessageTraces : Coverage::Kind::kAllTraces,
          .bound_completed = {}, .bound_current = {}};
}

// The part of the tree that is done, if each combination of choices leads to as many executions as the others, as
// possible or not.
std::optional<double> RaceVariants::executions_estimate() const {
  double done = 0, weight = 1;
  for (const Level& level : levels_) {
    double combinations = 1, before = 0;
    for (const Choice& choice : level.choices) {
      const auto options = static_cast<double>(choice.options.size() + 1);
      combinations *= options;
      before = before * options + static_cast<double>(choice.choice);
    }
    weight /= combinations;
    done += weight * before;
  }
  if (has_ended_) done += weight;
  if (done <= 0 || executions_ == 0) return std::nullopt;
  return std::max(static_cast<double>(executions_), static_cast<double>(executions_) / done);
}

bool RaceVariants::write_position(PositionWriter& writer) const {
  for (const bool flag : {is_returning_ ? was_ended_ : has_ended_, has_begun_, has_other_races_, has_lost_})
    writer.put(flag ? 1 : 0);
  writer.put(executions_);
  std::vector<std::vector<std::uint64_t>> levels = to_return_;
  if (!is_returning_) {
    levels.clear();
    for (const Level& level : levels_) {
      std::vector<std::uint64_t>& choices = levels.emplace_back();
      for (const Choice& choice : level.choices) choices.push_back(choice.choice);
    }
  }
  writer.put_all(levels, [&](const std::vector<std::uint64_t>& choices) {
    writer.put_all(choices, [&](std::uint64_t choice) { writer.put(choice); });
  });
  writer.put_all(seen_, [&](std::uint64_t hash) { writer.put(hash); });
  return true;
}

bool RaceVariants::read_position(PositionReader& reader, System&) {
  was_ended_ = reader.get() != 0;
  is_returning_ = reader.get() != 0;
  has_other_races_ = reader.get() != 0;
  has_lost_ = reader.get() != 0;
  executions_ = reader.get();
  reader.get_all([&] {
    std::vector<std::uint64_t>& choices = to_return_.emplace_back();
    reader.get_all([&] { choices.push_back(reader.get()); });
  });
  reader.get_all([&] { seen_.insert(reader.get()); });
  return !reader.is_damaged();
}

// ---- Variants --------------------------------------------------------------------------------------------

void RaceVariants::open_level() {
  std::vector<EventId> order;
  for (std::size_t i = 0; i < history_.length(); ++i) order.push_back(history_.at(i));
  Level level{.races = MessageRaces(history_, order), .choices = {}, .frozen = {}, .before = before_};
  // An execution may have been cut off in the middle of its script.
  const std::size_t old = std::min(script_.size(), order.size());
  for (std::size_t i = 0; i < old; ++i) level.frozen.push_back(script_[i].is_frozen);
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    if (!level.races.is_receive(i) || (i < old && level.frozen[i])) continue;
    Choice choice{.receive = i, .options = level.races.alternatives(i), .choice = 0};
    if (i < old) std::erase_if(choice.options, [&](const MessageRaces::Message& m) { return m.is_none() || m.event < old; });
    if (!choice.options.empty()) level.choices.push_back(std::move(choice));
  }
  levels_.push_back(std::move(level));
}

bool RaceVariants::advance(Level& level) {
  for (std::size_t i = level.choices.size(); i-- > 0;) {
    Choice& choice = level.choices[i];
    while (++choice.choice <= choice.options.size())
      if (is_possible(level, i)) return true;
    choice.choice = 0;
  }
  return false;
}

// Whether choice number `index` goes together with those before it.
bool RaceVariants::is_possible(const Level& level, std::size_t index) const {
  const Choice& choice = level.choices[index];
  const MessageRaces::Message message = choice.options[choice.choice - 1];
  for (std::size_t i = 0; i < index; ++i) {
    const Choice& other = level.choices[i];
    if (other.choice == 0) continue;
    if (level.races.precedes(other.receive, choice.receive)) return false;
    if (!message.is_none() && level.races.precedes(other.receive, message.event)) return false;
    const MessageRaces::Message its = other.options[other.choice - 1];
    if (!its.is_none() && level.races.precedes(choice.receive, its.event)) return false;
  }
  return true;
}

std::vector<MessageRaces::Change> RaceVariants::changes_of(const Level& level) const {
  std::vector<MessageRaces::Change> changes;
  for (const Choice& choice : level.choices)
    if (choice.choice > 0) changes.push_back({.receive = choice.receive, .message = choice.options[choice.choice - 1]});
  return changes;
}

bool RaceVariants::make_script(Level& level) {
  const MessageRaces& races = level.races;
  const std::vector<MessageRaces::Change> changes = changes_of(level);
  std::vector<bool> frozen = races.past_of(changes);
  for (std::size_t i = 0; i < level.frozen.size(); ++i)
    if (level.frozen[i]) frozen[i] = true;
  const auto order = races.realise_most(races.without_consequences(changes), frozen, changes);
  if (!order) return false;
  script_.clear();
  for (const std::uint32_t position : *order) {
    const Occurrence& known = history_[races.at(position)];
    const auto change = std::ranges::find(changes, position, &MessageRaces::Change::receive);
    Step step{.actor = known.name.actor, .alternative = known.alternative, .event = races.at(position),
              .is_frozen = frozen[position], .receives = known.receives()};
    MessageRaces::Message message = races.taken(position);
    if (change != changes.end()) {
      message = change->message;
      step.event = kNoEvent;
    }
    step.takes = !message.is_none();
    if (step.takes) {
      step.sender = history_[races.at(message.event)].name;
      step.touch = message.touch;
    }
    script_.push_back(step);
  }
  return true;
}

}  // namespace ravel
