// How an interrupted reduction finds its way back, and how much is left of one.
//
// A position is the stack of levels: of each, how many slots are left, which candidates of the slot that is being closed
// are still to be tried, and for which one the level above was made. Everything else of a level comes out of its execution,
// and that comes out of the candidate: so one execution for each level leads back, and none of those in between.
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "strategy/optimal_reduction.h"

namespace ravel {

namespace {

std::uint64_t place_in(const std::vector<EventId>& order, EventId event) {
  if (event == kNoEvent) return 0;
  const auto place = std::ranges::find(order, event);
  CHECK(place != order.end());
  return static_cast<std::uint64_t>(place - order.begin()) + 1;
}

void put_text(PositionWriter& writer, const std::string& text) {
  writer.put_all(text, [&](char c) { writer.put(static_cast<std::uint8_t>(c)); });
}

std::string get_text(PositionReader& reader) {
  std::string text;
  reader.get_all([&] { text.push_back(static_cast<char>(reader.get())); });
  return text;
}

}  // namespace

// ---- Levels as they are noted ----------------------------------------------------------------------------

OptimalReduction::NotedCandidate OptimalReduction::note(const Level& level, const Candidate& candidate) const {
  NotedCandidate noted{.candidate = candidate,
                       .event_place = place_in(level.order, candidate.event),
                       .enabler_place = place_in(level.order, candidate.enabler),
                       .actor = {}};
  if (candidate.kind == Candidate::Kind::kInsertion) noted.actor = system_->actor_name(candidate.actor).to_string();
  return noted;
}

std::vector<OptimalReduction::NotedLevel> OptimalReduction::note_levels() const {
  std::vector<NotedLevel> levels;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const Level& level = levels_[i];
    NotedLevel& noted = levels.emplace_back();
    noted.slots = level.slots.size();
    noted.executions_before = level.executions_before;
    if (i + 1 < levels_.size()) noted.origin = note(level, levels_[i + 1].origin);
    for (const Candidate& candidate : level.candidates) noted.candidates.push_back(note(level, candidate));
    for (std::size_t slot = level.base; slot < level.slots.size(); ++slot) {
      const auto known = inserted_.find(level.slots[slot]->number);
      if (known != inserted_.end()) noted.inserted.emplace_back(slot, known->second);
    }
  }
  return levels;
}

OptimalReduction::Candidate OptimalReduction::find_noted(const NotedCandidate& noted) const {
  const std::vector<EventId>& order = levels_.back().order;
  CHECK(noted.event_place <= order.size() && noted.enabler_place <= order.size());
  Candidate candidate = noted.candidate;
  candidate.event = noted.event_place > 0 ? order[noted.event_place - 1] : kNoEvent;
  candidate.enabler = noted.enabler_place > 0 ? order[noted.enabler_place - 1] : kNoEvent;
  if (candidate.kind == Candidate::Kind::kInsertion) {
    const auto name = ActorName::parse(noted.actor);
    CHECK(name.ok());
    const std::optional<ActorId> actor = system_->find_actor(*name);
    CHECK(actor);
    candidate.actor = *actor;
  }
  return candidate;
}

bool OptimalReduction::return_to_next_level() {
  if (levels_returned_ == to_return_.size()) return false;
  const NotedLevel& noted = to_return_[levels_returned_++];
  level().executions_before = noted.executions_before;
  if (levels_returned_ == to_return_.size()) {
    to_return_.clear();
    levels_returned_ = 0;
    return false;
  }
  while (level().slots.size() > noted.slots) close_last_slot();
  for (const auto& [slot, insertions] : noted.inserted) inserted_[slot_at(static_cast<std::uint32_t>(slot)).number] = insertions;
  for (const NotedCandidate& candidate : noted.candidates) level().candidates.push_back(find_noted(candidate));
  level().is_closing = true;
  const bool is_open = open_level(find_noted(*noted.origin));
  CHECK(is_open);
  return true;
}

// ---- Positions -------------------------------------------------------------------------------------------

bool OptimalReduction::write_position(PositionWriter& writer) const {
  const auto put_candidate = [&](const NotedCandidate& noted) {
    writer.put(static_cast<std::uint64_t>(noted.candidate.kind));
    for (const std::uint64_t number : {std::uint64_t{noted.candidate.slot}, std::uint64_t{noted.candidate.touch},
                                       noted.event_place, noted.enabler_place})
      writer.put(number);
    put_text(writer, noted.actor);
  };
  const bool is_returning = !to_return_.empty();
  writer.put((is_returning ? was_ended_ : has_ended_) ? 1 : 0);
  writer.put(executions_);
  writer.put_all(is_returning ? to_return_ : note_levels(), [&](const NotedLevel& level) {
    writer.put(level.slots);
    writer.put(level.executions_before);
    writer.put(level.origin ? 1 : 0);
    if (level.origin) put_candidate(*level.origin);
    writer.put_all(level.candidates, put_candidate);
    writer.put_all(level.inserted, [&](const auto& entry) {
      writer.put(entry.first);
      writer.put_all(entry.second, [&](const auto& insertion) {
        writer.put(insertion.first);
        writer.put(insertion.second);
      });
    });
  });
  writer.put_all(seen_, [&](std::uint64_t hash) { writer.put(hash); });
  writer.put_all(extents_, [&](const Extent& extent) {
    for (const double count : {extent.finished, extent.executions}) writer.put(static_cast<std::uint64_t>(count));
  });
  for (const double count : {candidates_found_, races_closed_}) writer.put(static_cast<std::uint64_t>(count));
  return true;
}

bool OptimalReduction::read_position(PositionReader& reader) {
  const auto get_candidate = [&] {
    NotedCandidate noted{.candidate = {.kind = static_cast<Candidate::Kind>(reader.get()), .slot = reader.get32()}, .actor = {}};
    noted.candidate.touch = reader.get32();
    noted.event_place = reader.get();
    noted.enabler_place = reader.get();
    noted.actor = get_text(reader);
    return noted;
  };
  was_ended_ = reader.get() != 0;
  executions_ = reader.get();
  reader.get_all([&] {
    NotedLevel& level = to_return_.emplace_back();
    level.slots = reader.get();
    level.executions_before = reader.get();
    if (reader.get() != 0) level.origin = get_candidate();
    reader.get_all([&] { level.candidates.push_back(get_candidate()); });
    reader.get_all([&] {
      auto& entry = level.inserted.emplace_back();
      entry.first = reader.get();
      reader.get_all([&] {
        const std::uint64_t actor = reader.get();
        entry.second.emplace_back(actor, reader.get());
      });
    });
  });
  reader.get_all([&] { seen_.insert(reader.get()); });
  reader.get_all([&] {
    Extent& extent = extents_.emplace_back();
    for (double* const count : {&extent.finished, &extent.executions}) *count = static_cast<double>(reader.get());
  });
  for (double* const count : {&candidates_found_, &races_closed_}) *count = static_cast<double>(reader.get());
  return !reader.is_damaged();
}

// ---- The estimate ----------------------------------------------------------------------------------------

// How many other decisions an event can be the reason for, at most.
double OptimalReduction::races_of(EventId event) const {
  if (event == kNoEvent) return 0;
  const Occurrence& known = history_[event];
  std::size_t races = history_.rivals(known).size() + history_.late_receives(known).size();
  for (const EventId earlier : history_.predecessors(known))
    if (history_[earlier].name.actor != known.name.actor && is_reversible(event, earlier)) ++races;
  return static_cast<double>(races);
}

// What was run, and what the slots that are still open will lead to: of their races as large a part becomes candidates as
// of those before, and a candidate of a level leads to as many executions as those of its depth in the stack did on
// average; to more if the one that is being worked on is larger, since later ones leave more open: the geometric mean.
std::optional<double> OptimalReduction::executions_estimate() const {
  if (executions_ == 0 || levels_.empty()) return std::nullopt;
  const double share = races_closed_ > 0 ? candidates_found_ / races_closed_ : 1;
  double above = 1, left_above = has_ended_ ? 0 : 1;  // of the level above: all its executions, and those that are left
  for (std::size_t depth = levels_.size(); depth-- > 0;) {
    const Level& level = levels_[depth];
    const std::size_t open = level.slots.size() - (level.is_closing ? 1 : 0);
    double races = 0;
    for (std::size_t i = level.base; i < open; ++i) races += races_of(level.slots[i]->event);
    const Extent extent = depth + 1 < extents_.size() ? extents_[depth + 1] : Extent{};
    const double mean = extent.finished > 0 ? extent.executions / extent.finished : 1;
    const double left = left_above + (share * races + static_cast<double>(level.candidates.size())) * std::max(mean, std::sqrt(mean * above));
    above = static_cast<double>(executions_ - level.executions_before) + left;
    left_above = left;
  }
  return above;
}

}  // namespace ravel
