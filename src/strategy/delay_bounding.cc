#include "strategy/delay_bounding.h"

#include <algorithm>

#include "base/check.h"
#include "strategy/path_source.h"

namespace ravel {

namespace {

// The enabled transitions in the order in which the scheduler comes to them.
class Round {
 public:
  explicit Round(const Point& point) : enabled_(point.enabled) {
    if (!point.previous) return;
    // Transitions are in logical order, which the previous actor has a place in even if it can't move.
    while (first_ < enabled_.size() && is_before(point, enabled_[first_].actor, *point.previous)) ++first_;
    if (first_ == enabled_.size()) first_ = 0;
  }

  std::uint32_t count() const { return static_cast<std::uint32_t>(enabled_.size()); }
  std::size_t index(std::uint32_t position) const { return (first_ + position) % enabled_.size(); }
  // How many actors are passed over to come to a position.
  std::uint32_t cost(std::uint32_t position) const {
    std::uint32_t passed = 0;
    for (std::uint32_t i = 1; i <= position; ++i)
      if (enabled_[index(i)].actor != enabled_[index(i - 1)].actor) ++passed;
    return passed;
  }

 private:
  static bool is_before(const Point& point, ActorId actor, ActorId previous) {
    return actor != previous && point.system->actor_name(actor) < point.system->actor_name(previous);
  }

  std::span<const Transition> enabled_;
  std::size_t first_ = 0;
};

}  // namespace

std::string DelayBounding::name() const {
  return bound_max_ ? "delay bounding up to " + std::to_string(*bound_max_) : "delay bounding";
}

Coverage DelayBounding::coverage() const {
  return all_of(CoverageUnit::kSchedules, {{.on = BoundOn::kDelays,
                                            .completed = bound_completed_,
                                            .current = bound_,
                                            .is_exhausted = everything_done_}});
}

std::optional<Plan> DelayBounding::next_execution() {
  if (progress_.begins()) return Plan{.keep = 0};
  return progress_.next([&] { return next_in_order(); }, [&] { return levels_.size(); });
}

std::optional<Plan> DelayBounding::next_in_order() {
  while (levels_.size() > own_from_ && levels_.back().position + 1 >= levels_.back().end) levels_.pop_back();
  if (levels_.size() > own_from_) {
    ++levels_.back().position;
    return Plan{.keep = levels_.size() - 1};
  }
  if (is_part_) return std::nullopt;
  bound_completed_ = bound_;
  everything_done_ = !is_cut_;
  if (everything_done_ || (bound_max_ && bound_ >= *bound_max_)) return std::nullopt;
  ++bound_;
  is_cut_ = false;
  return Plan{.keep = 0};
}

Decision DelayBounding::choose(const Point& point) {
  const Round round(point);
  if (point.depth == levels_.size()) {
    const std::uint32_t delays = levels_.empty() ? 0 : levels_.back().delays + levels_.back().cost;
    std::uint32_t end = 1;
    while (end < round.count() && delays + round.cost(end) <= bound_) ++end;
    if (end < round.count()) is_cut_ = true;
    levels_.push_back({.position = 0, .end = end, .delays = delays, .cost = 0});
  }
  progress_.pass(point.depth, levels_.size());
  Level& level = levels_[point.depth];
  CHECK(level.position < round.count());
  level.cost = round.cost(level.position);
  return Decision::take(round.index(level.position),
                        level.position + 1 < level.end ? Return::kMaybe : Return::kNever);
}

Novelty DelayBounding::end_execution(Outcome) {
  progress_.end_execution();
  const std::uint32_t delays = levels_.empty() ? 0 : levels_.back().delays + levels_.back().cost;
  CHECK(delays <= bound_);
  return delays == bound_ ? Novelty::kNew : Novelty::kRepeated;
}

bool DelayBounding::write_position(PositionWriter& writer) const {
  progress_.write(writer);
  for (const bool flag : {is_cut_, everything_done_}) writer.put(flag ? 1 : 0);
  writer.put(bound_);
  writer.put(bound_completed_ ? *bound_completed_ + 1 : 0);
  writer.put_all(levels_, [&](const Level& level) {
    for (const std::uint32_t number : {level.position, level.end, level.delays, level.cost})
      writer.put(number);
  });
  return true;
}

bool DelayBounding::read(PositionReader& reader) {
  progress_.read(reader);
  for (bool* const flag : {&is_cut_, &everything_done_}) *flag = reader.get() != 0;
  bound_ = reader.get32();
  if (const std::uint32_t completed = reader.get32(); completed > 0) bound_completed_ = completed - 1;
  reader.get_all([&] {
    Level& level = levels_.emplace_back();
    for (std::uint32_t* const number : {&level.position, &level.end, &level.delays, &level.cost})
      *number = reader.get32();
  });
  return !reader.is_damaged();
}

// ---- Parts -----------------------------------------------------------------------------------------------

// A stage is one bound.
class DelayBounding::Rules final : public PathRules {
 public:
  explicit Rules(std::optional<std::uint32_t> bound_max) : stage_(bound_max) {}

  std::optional<PartPlace> beginning_of(const PathPiece& piece) const override {
    DelayBounding search(stage_.bound_max_);
    PositionReader reader(piece.position);
    if (!search.read(reader) || !reader.is_complete()) return std::nullopt;
    PartPlace place = {search.bound_};
    for (const Level& level : search.levels_) place.push_back(level.position);
    return place;
  }

  std::optional<Division> divide(const PathPiece& piece) const override {
    DelayBounding search(stage_.bound_max_);
    PositionReader reader(piece.position);
    CHECK(search.read(reader));
    for (std::uint32_t number = piece.from_level; number < search.levels_.size(); ++number) {
      Level& level = search.levels_[number];
      if (level.position + 1 >= level.end) continue;
      ++level.position;
      search.levels_.resize(number + 1);
      return Division{.from_level = number + 1,
                      .given = {{.from_level = number, .position = search.planned()}}};
    }
    return std::nullopt;
  }

  bool commit(const PartPlace&, std::string_view) override {
    stage_.is_cut_ = true;
    return true;
  }

  std::vector<PathPiece> next_stage() override {
    stage_.levels_.clear();
    if (!stage_.next_in_order()) return {};
    return {{.from_level = 0, .position = stage_.planned()}};
  }

  std::optional<std::vector<Bound>> bounds() const override { return stage_.coverage().bounds; }
  void write_position(PositionWriter& writer) const override { stage_.write_position(writer); }
  bool read_position(PositionReader& reader) override { return stage_.read(reader); }

 private:
  DelayBounding stage_;
};

// The position of a search that is about to run its path.
std::string DelayBounding::planned() {
  progress_.plan_again();
  PositionWriter writer;
  write_position(writer);
  return writer.bytes();
}

std::unique_ptr<PartSource> DelayBounding::make_source(System&, std::string position) const {
  auto source = std::make_unique<PathSource>(std::make_unique<Rules>(bound_max_));
  if (!source->begin(std::move(position))) return nullptr;
  return source;
}

bool DelayBounding::is_of_source(std::string_view position) const {
  return PathSource::is_position(position);
}

}  // namespace ravel
