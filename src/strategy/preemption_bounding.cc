#include "strategy/preemption_bounding.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "base/check.h"
#include "strategy/alternatives.h"
#include "strategy/path_source.h"

namespace ravel {

std::string PreemptionBounding::name() const {
  std::string name = "preemption bounding";
  if (options_.bound_max) name += " up to " + std::to_string(*options_.bound_max);
  if (options_.variables_max)
    name += " with at most " + std::to_string(*options_.variables_max) + " variables";
  if (options_.iterations_max) name += " of iterations up to " + std::to_string(*options_.iterations_max);
  return cache_ ? name + " with happens-before caching" : name;
}

Coverage PreemptionBounding::coverage() const {
  Coverage coverage = all_of(cache_ ? CoverageUnit::kTraces : CoverageUnit::kSchedules);
  coverage.bounds.push_back({.on = BoundOn::kPreemptions,
                             .completed = bound_completed_,
                             .current = bound_,
                             .is_exhausted = everything_done_});
  if (options_.variables_max)
    coverage.bounds.push_back({.on = BoundOn::kVariables, .completed = options_.variables_max});
  return coverage;
}

std::optional<Plan> PreemptionBounding::next_execution() {
  if (progress_.begins()) return plan(0);
  return progress_.next([&] { return next_in_order(); }, [&] { return levels_.size(); });
}

std::optional<Plan> PreemptionBounding::next_in_order() {
  while (!levels_.empty() && (levels_.size() > own_from_ || pending_source_ != Source::kNone)) {
    const std::size_t depth = levels_.size() - 1;
    if (pending_source_ != Source::kNone && pending_shared_ == depth) {
      follow_pending();
      CHECK(levels_.back().position < path_[depth]);
      levels_.back().position = path_[depth];
      return plan(depth);
    }
    if (advance(levels_.back())) {
      following_ = false;
      return plan(depth);
    }
    levels_.pop_back();
  }
  CHECK(pending_source_ == Source::kNone);
  if (is_part_) return std::nullopt;
  bound_completed_ = bound_;
  everything_done_ = next_notes_.empty() && !next_rerun_from_;
  if (everything_done_ || (options_.bound_max && bound_ >= *options_.bound_max)) return std::nullopt;
  begin_stage();
  return plan(0);
}

Plan PreemptionBounding::plan(std::size_t keep) {
  keep_min_ = std::min(keep_min_, keep);
  deepest_cut_.reset();
  if (cache_) cache_->rewind(keep);
  return Plan{.keep = keep};
}

// Moves to the next way from this level, if there is one.
bool PreemptionBounding::advance(Level& level) const {
  std::uint32_t next = level.position + 1;
  std::uint32_t end = level.alternatives;
  switch (level.ways) {
    case Ways::kGiven: return false;
    case Ways::kCut: next = std::max(next, level.free); break;
    case Ways::kAll:
      if (level.preemptions == bound_) end = level.free;
      break;
  }
  if (next >= end) return false;
  level.position = next;
  return true;
}

void PreemptionBounding::begin_stage() {
  ++bound_;
  notes_ = std::exchange(next_notes_, {});
  rerun_from_ = std::exchange(next_rerun_from_, std::nullopt);
  rerunning_ = false;
  follow_notes();
}

// The next execution is on the first of the paths that were noted.
void PreemptionBounding::follow_notes() {
  noted_length_ = 0;
  keep_min_ = 0;
  path_.clear();
  pending_.clear();
  look_ahead();
  follow_pending();
}

// Reads the path after path_, which is also in pending_, or is empty.
void PreemptionBounding::look_ahead() {
  if (!notes_.empty()) {
    pending_shared_ = notes_.pop(pending_);
    pending_source_ = Source::kNotes;
  } else if (rerun_from_ && !rerunning_) {
    pending_shared_ =
        static_cast<std::size_t>(std::ranges::mismatch(path_, *rerun_from_).in1 - path_.begin());
    pending_ = *rerun_from_;
    pending_source_ = Source::kRerun;
  } else {
    pending_source_ = Source::kNone;
  }
}

void PreemptionBounding::follow_pending() {
  CHECK(pending_source_ != Source::kNone);
  path_ = pending_;
  following_ = true;
  if (pending_source_ == Source::kRerun) {
    rerunning_ = true;
    // What these levels had not come to lies after the path, so now it is found without notes.
    for (Level& level : levels_) level.ways = Ways::kAll;
  }
  look_ahead();
}

Decision PreemptionBounding::choose(const Point& point) {
  const Alternatives alternatives(point);
  std::uint32_t count = alternatives.count();
  std::optional<std::uint64_t> variable;
  if (options_.variables_max && alternatives.free() < count) {
    if (const auto touch = point.system->pending(point.enabled[alternatives.index(0)])) {
      const Variable touched = ravel::variable_of(options_.variable_of, touch->object);
      variable = touched.name;
      const bool is_early = touched.iteration <= options_.iterations_max.value_or(touched.iteration);
      if (!is_early || !may_preempt(touched.name, point.depth)) count = alternatives.free();
    }
  }
  const bool is_noted = point.depth < levels_.size() || following_;
  if (cache_ && cache_->was_here(point) && !is_noted) return Decision::abandon();
  if (point.depth == levels_.size()) levels_.push_back(enter(point, count, alternatives.free()));
  levels_[point.depth].variable = variable;
  progress_.pass(point.depth, levels_.size());
  const Level& level = levels_[point.depth];
  CHECK(level.alternatives == count && level.preemptions == point.preemptions);
  // A given level is returned to if a later path leaves this one here.
  Level next = level;
  const bool may_return =
      level.ways == Ways::kGiven ? level.position + 1 < level.alternatives : advance(next);
  return Decision::take(alternatives.index(level.position), may_return ? Return::kMaybe : Return::kNever);
}

// Whether a preemption before an operation on this variable stays within the largest number of them.
bool PreemptionBounding::may_preempt(std::uint64_t variable, std::size_t depth) const {
  std::vector<std::uint64_t> preempted;
  for (std::size_t i = 0; i < depth; ++i) {
    const Level& level = levels_[i];
    if (level.position < level.free || !level.variable) continue;
    if (*level.variable == variable) return true;
    if (std::ranges::find(preempted, *level.variable) == preempted.end())
      preempted.push_back(*level.variable);
  }
  return preempted.size() < *options_.variables_max;
}

PreemptionBounding::Level PreemptionBounding::enter(const Point& point, std::uint32_t alternatives,
                                                    std::uint32_t free) {
  Level level{.position = 0,
              .alternatives = alternatives,
              .free = free,
              .preemptions = point.preemptions,
              .ways = Ways::kAll};
  const std::size_t depth = point.depth;
  // The next path may begin with all of this one: its ways come before the cuts at this level.
  if (following_ && depth == path_.size() && pending_source_ != Source::kNone && pending_shared_ == depth) {
    follow_pending();
  }
  if (following_ && depth <= path_.size() && !rerunning_) {
    const bool is_cut = level.can_preempt() && level.preemptions + 1 == bound_;
    level.ways = is_cut ? Ways::kCut : Ways::kGiven;
    if (depth < path_.size()) {
      level.position = path_[depth];
    } else {
      CHECK(is_cut);
      level.position = level.free;
      following_ = false;
    }
    return level;
  }
  if (following_ && depth < path_.size()) {
    level.position = path_[depth];
  } else {
    following_ = false;
  }
  if (level.preemptions == bound_ && level.can_preempt()) deepest_cut_ = depth;
  return level;
}

Novelty PreemptionBounding::end_execution(Outcome outcome) {
  progress_.end_execution();
  if (deepest_cut_ && !next_rerun_from_) {
    if (rerunning_) {
      next_rerun_from_ = rerun_from_;
    } else {
      Path path;
      for (std::size_t depth = 0; depth < *deepest_cut_; ++depth) path.push_back(levels_[depth].position);
      if (is_part_ || notes_.bytes() + next_notes_.bytes() < options_.notes_max) {
        const std::size_t shared = std::min(keep_min_, noted_length_);
        next_notes_.push(shared, std::span(path).subspan(shared));
        noted_length_ = path.size();
        keep_min_ = std::numeric_limits<std::size_t>::max();
      } else {
        next_rerun_from_ = std::move(path);
      }
    }
  }
  const std::uint32_t preemptions = levels_.empty() ? 0 : levels_.back().preemptions_after();
  CHECK(preemptions <= bound_);
  const bool is_repeated =
      preemptions < bound_ || (cache_ && outcome != Outcome::kRunning && cache_->was_at_end());
  return is_repeated ? Novelty::kRepeated : Novelty::kNew;
}

bool PreemptionBounding::write_position(PositionWriter& writer) const {
  const auto put_path = [&](const Path& path) {
    writer.put_all(path, [&](std::uint32_t position) { writer.put(position); });
  };
  const auto put_optional = [&](const auto& value) { writer.put(value ? *value + 1 : 0); };
  progress_.write(writer);
  for (const bool flag :
       {everything_done_, rerunning_, following_, rerun_from_.has_value(), next_rerun_from_.has_value()})
    writer.put(flag ? 1 : 0);
  writer.put(bound_);
  put_optional(bound_completed_);
  writer.put_all(levels_, [&](const Level& level) {
    for (const std::uint32_t number : {level.position, level.alternatives, level.free, level.preemptions})
      writer.put(number);
    writer.put(static_cast<std::uint64_t>(level.ways));
  });
  notes_.write_position(writer);
  // Of a part they were told.
  (is_part_ ? PathList() : next_notes_).write_position(writer);
  put_path(rerun_from_.value_or(Path{}));
  put_path(next_rerun_from_.value_or(Path{}));
  put_path(path_);
  put_path(pending_);
  writer.put(static_cast<std::uint64_t>(pending_source_));
  writer.put(pending_shared_);
  writer.put(is_part_ ? 0 : noted_length_);
  writer.put(keep_min_);
  put_optional(deepest_cut_);
  if (cache_) cache_->write_position(writer);
  return true;
}

bool PreemptionBounding::read(PositionReader& reader) {
  const auto get_path = [&] {
    Path path;
    reader.get_all([&] { path.push_back(reader.get32()); });
    return path;
  };
  bool has_rerun = false, has_next_rerun = false;
  progress_.read(reader);
  for (bool* const flag : {&everything_done_, &rerunning_, &following_, &has_rerun, &has_next_rerun})
    *flag = reader.get() != 0;
  bound_ = reader.get32();
  if (const std::uint32_t completed = reader.get32(); completed > 0) bound_completed_ = completed - 1;
  reader.get_all([&] {
    Level& level = levels_.emplace_back();
    for (std::uint32_t* const number :
         {&level.position, &level.alternatives, &level.free, &level.preemptions})
      *number = reader.get32();
    level.ways = static_cast<Ways>(reader.get());
  });
  notes_.read_position(reader);
  next_notes_.read_position(reader);
  Path rerun = get_path(), next_rerun = get_path();
  if (has_rerun) rerun_from_ = std::move(rerun);
  if (has_next_rerun) next_rerun_from_ = std::move(next_rerun);
  path_ = get_path();
  pending_ = get_path();
  pending_source_ = static_cast<Source>(reader.get());
  pending_shared_ = reader.get();
  noted_length_ = reader.get();
  keep_min_ = reader.get();
  if (const std::uint64_t cut = reader.get(); cut > 0) deepest_cut_ = cut - 1;
  if (cache_) cache_->read_position(reader);
  return !reader.is_damaged();
}

// ---- Parts -----------------------------------------------------------------------------------------------

std::string PreemptionBounding::why_whole() const {
  if (cache_) return "what it leaves out depends on what came before";
  return rerun_from_ || next_rerun_from_ ? "its notes have found no room" : "";
}

void PreemptionBounding::become_part(std::uint32_t from_level) {
  if (!std::exchange(is_part_, true)) {
    next_notes_ = {};
    noted_length_ = 0;
  }
  own_from_ = from_level & ~kWithoutNotes;
  if (own_from_ == from_level) return;
  notes_ = {};
  pending_source_ = Source::kNone;
}

std::string PreemptionBounding::take_notes() {
  if (next_notes_.empty()) return {};
  PositionWriter writer;
  std::exchange(next_notes_, {}).write_position(writer);
  noted_length_ = 0;
  return writer.bytes();
}

// A stage is one bound. What parts note is put together in the order of their paths.
class PreemptionBounding::Rules final : public PathRules {
 public:
  explicit Rules(const Options& options) : stage_(options) {}

  std::optional<PartPlace> beginning_of(const PathPiece& piece) const override {
    PreemptionBounding search(stage_.options_);
    if (!load(piece, search) || !search.why_whole().empty()) return std::nullopt;
    PartPlace place = {search.bound_};
    if (search.following_)
      place.insert(place.end(), search.path_.begin(), search.path_.end());
    else
      for (const Level& level : search.levels_) place.push_back(level.position);
    return place;
  }

  std::optional<Division> divide(const PathPiece& piece) const override {
    PreemptionBounding search(stage_.options_);
    CHECK(load(piece, search));
    // Which of the paths it is on shows when it has come to their end.
    if (search.following_) return std::nullopt;
    const std::uint32_t from_level = piece.from_level & ~kWithoutNotes;
    return search.pending_source_ == Source::kNone ? give_ways(search, from_level)
                                                   : give_notes(search, from_level);
  }

  bool commit(const PartPlace& place, std::string_view notes) override {
    PositionReader reader(notes);
    PathList list;
    list.read_position(reader);
    noted_[place].append(list);
    return reader.is_complete();
  }

  std::vector<PathPiece> next_stage() override {
    PathList notes;
    for (const auto& [place, of_parts] : std::exchange(noted_, {})) notes.append(of_parts);
    stage_.bound_completed_ = stage_.bound_;
    stage_.everything_done_ = notes.empty();
    if (notes.empty() || (stage_.options_.bound_max && stage_.bound_ >= *stage_.options_.bound_max))
      return {};
    ++stage_.bound_;
    return cut(std::move(notes), 0, kPiecesOfStage);
  }

  std::optional<std::vector<Bound>> bounds() const override { return stage_.coverage().bounds; }

  void write_position(PositionWriter& writer) const override {
    stage_.write_position(writer);
    writer.put_all(noted_, [&](const auto& noted) {
      writer.put_all(noted.first, [&](std::uint64_t number) { writer.put(number); });
      noted.second.write_position(writer);
    });
  }

  // That of one process is the same without what parts have noted.
  bool read_position(PositionReader& reader) override {
    if (!stage_.read(reader)) return false;
    if (reader.is_complete()) {
      noted_[{stage_.bound_}] = std::move(stage_.next_notes_);
    } else {
      reader.get_all([&] {
        PartPlace place;
        reader.get_all([&] { place.push_back(reader.get()); });
        noted_[place].read_position(reader);
      });
    }
    const bool is_right = stage_.why_whole().empty() && reader.is_complete();
    stage_.notes_ = stage_.next_notes_ = {};
    stage_.levels_.clear();
    stage_.pending_source_ = Source::kNone;
    return is_right;
  }

 private:
  // How many pieces the notes of a stage make, and those of a part that is divided.
  static constexpr std::size_t kPiecesOfStage = 128, kPiecesOfPart = 8;
  static constexpr std::size_t kPieceMost = std::size_t{1} << 16;  // bytes of notes

  static bool load(const PathPiece& piece, PreemptionBounding& search) {
    PositionReader reader(piece.position);
    if (!search.read(reader) || !reader.is_complete()) return false;
    search.become_part(piece.from_level);
    return true;
  }

  static std::string planned(PreemptionBounding& search) {
    search.progress_.plan_again();
    search.deepest_cut_.reset();
    search.is_part_ = true;
    PositionWriter writer;
    search.write_position(writer);
    return writer.bytes();
  }

  // The ways at the first level that has some left.
  static std::optional<Division> give_ways(PreemptionBounding& search, std::uint32_t from_level) {
    for (std::uint32_t number = from_level; number < search.levels_.size(); ++number) {
      if (!search.advance(search.levels_[number])) continue;
      search.levels_.resize(number + 1);
      return Division{.from_level = number + 1,
                      .given = {{.from_level = number, .position = planned(search)}}};
    }
    return std::nullopt;
  }

  std::optional<Division> give_notes(PreemptionBounding& search, std::uint32_t from_level) const {
    const auto own = static_cast<std::uint32_t>(search.pending_shared_ + 1);
    PathList notes;
    Path path = search.pending_;
    notes.push(0, path);
    while (!search.notes_.empty()) {
      const std::size_t shared = search.notes_.pop(path);
      notes.push(shared, std::span(path).subspan(shared));
    }
    return Division{.from_level = own | kWithoutNotes,
                    .given = cut(std::move(notes), from_level, kPiecesOfPart)};
  }

  // `from_level`: of the last one, which has what all share.
  std::vector<PathPiece> cut(PathList notes, std::uint32_t from_level, std::size_t count) const {
    const std::size_t size = std::clamp<std::size_t>(notes.bytes() / count, 1, kPieceMost);
    std::vector<PathPiece> pieces;
    PathList piece;
    Path path, last;
    while (!notes.empty()) {
      notes.pop(path);
      auto shared = static_cast<std::size_t>(std::ranges::mismatch(last, path).in1 - last.begin());
      // A path with which the next one begins is followed by it.
      if (piece.bytes() >= size && shared < last.size()) {
        pieces.push_back({.from_level = static_cast<std::uint32_t>(shared + 1),
                          .position = on_notes(std::exchange(piece, {}))});
        shared = 0;
      }
      piece.push(shared, std::span(path).subspan(shared));
      last = path;
    }
    pieces.push_back({.from_level = from_level, .position = on_notes(std::move(piece))});
    return pieces;
  }

  std::string on_notes(PathList notes) const {
    PreemptionBounding search(stage_.options_);
    search.bound_ = stage_.bound_;
    search.bound_completed_ = stage_.bound_completed_;
    search.notes_ = std::move(notes);
    search.follow_notes();
    return planned(search);
  }

  PreemptionBounding stage_;
  std::map<PartPlace, PathList> noted_;  // for the next stage, by where the parts were begun
};

std::unique_ptr<PartSource> PreemptionBounding::make_source(System&, std::string position) const {
  auto source = std::make_unique<PathSource>(std::make_unique<Rules>(options_));
  if (!source->begin(std::move(position))) return nullptr;
  return source;
}

bool PreemptionBounding::is_of_source(std::string_view position) const {
  return PathSource::is_position(position);
}

}  // namespace ravel
