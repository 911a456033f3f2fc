#include "strategy/depth_first.h"

#include "base/check.h"
#include "strategy/alternatives.h"
#include "strategy/path_source.h"

namespace ravel {

std::optional<Plan> DepthFirst::next_execution() {
  if (progress_.begins()) return Plan{.keep = 0};
  return progress_.next([&] { return increment(); }, [&] { return path_.size(); });
}

// Increments the last digit that can grow and drops those after it.
std::optional<Plan> DepthFirst::increment() {
  while (path_.size() > own_from_ && path_.back().position + 1 == path_.back().alternatives) path_.pop_back();
  if (path_.size() <= own_from_) return std::nullopt;
  ++path_.back().position;
  return Plan{.keep = path_.size() - 1};
}

Decision DepthFirst::choose(const Point& point) {
  const Alternatives alternatives(point);
  if (point.depth == path_.size()) path_.push_back({.position = 0, .alternatives = alternatives.count()});
  progress_.pass(point.depth, path_.size());
  const Digit& digit = path_[point.depth];
  CHECK(digit.alternatives == alternatives.count());
  return Decision::take(alternatives.index(digit.position),
                        digit.position + 1 < digit.alternatives ? Return::kMaybe : Return::kNever);
}

std::optional<double> DepthFirst::executions_estimate() const {
  double done = 0, weight = 1;
  for (const Digit& digit : path_) {
    weight /= digit.alternatives;
    done += weight * digit.position;
  }
  if (progress_.has_ended()) done += weight;
  if (done <= 0) return std::nullopt;
  return static_cast<double>(ended_) / done;
}

bool DepthFirst::write_position(PositionWriter& writer) const {
  progress_.write(writer);
  writer.put(ended_);
  writer.put_all(path_, [&](const Digit& digit) {
    writer.put(digit.position);
    writer.put(digit.alternatives);
  });
  return true;
}

bool DepthFirst::read_position(PositionReader& reader, Trials&) { return read(reader); }

bool DepthFirst::read(PositionReader& reader) {
  progress_.read(reader);
  ended_ = reader.get();
  reader.get_all([&] {
    const std::uint32_t position = reader.get32();
    path_.push_back({.position = position, .alternatives = reader.get32()});
  });
  return !reader.is_damaged();
}

// ---- Parts -----------------------------------------------------------------------------------------------

class DepthFirst::Rules final : public PathRules {
 public:
  std::optional<PartPlace> beginning_of(const PathPiece& piece) const override {
    DepthFirst search;
    PositionReader reader(piece.position);
    if (!search.read(reader) || !reader.is_complete()) return std::nullopt;
    PartPlace place;
    for (const Digit& digit : search.path_) place.push_back(digit.position);
    return place;
  }

  std::optional<Division> divide(const PathPiece& piece) const override {
    DepthFirst search;
    PositionReader reader(piece.position);
    CHECK(search.read(reader));
    for (std::uint32_t level = piece.from_level; level < search.path_.size(); ++level) {
      Digit& digit = search.path_[level];
      if (digit.position + 1 >= digit.alternatives) continue;
      ++digit.position;
      search.path_.resize(level + 1);
      search.progress_.plan_again();
      PositionWriter writer;
      search.write_position(writer);
      return Division{.from_level = level + 1, .given = {{.from_level = level, .position = writer.bytes()}}};
    }
    return std::nullopt;
  }

  std::optional<double> share_of(const PathPiece& piece) const override {
    DepthFirst search;
    PositionReader reader(piece.position);
    CHECK(search.read(reader));
    double left = 0, weight = 1;
    for (std::uint32_t level = 0; level < search.path_.size(); ++level) {
      const Digit& digit = search.path_[level];
      weight /= digit.alternatives;
      if (level >= piece.from_level) left += weight * (digit.alternatives - 1 - digit.position);
    }
    return search.progress_.has_ended() ? left : left + weight;
  }
};

std::unique_ptr<PartSource> DepthFirst::make_source(System&, std::string position) const {
  auto source = std::make_unique<PathSource>(std::make_unique<Rules>());
  if (!source->begin(std::move(position))) return nullptr;
  return source;
}

bool DepthFirst::is_of_source(std::string_view position) const { return PathSource::is_position(position); }

}  // namespace ravel
