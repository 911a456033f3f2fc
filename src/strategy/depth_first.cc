#include "strategy/depth_first.h"

#include "base/check.h"
#include "strategy/alternatives.h"

namespace ravel {

std::optional<Plan> DepthFirst::next_execution() {
  if (progress_.begins()) return Plan{.keep = 0};
  return progress_.next([&] { return increment(); }, [&] { return path_.size(); });
}

// Increments the last digit that can grow and drops those after it.
std::optional<Plan> DepthFirst::increment() {
  while (!path_.empty() && path_.back().position + 1 == path_.back().alternatives) path_.pop_back();
  if (path_.empty()) return std::nullopt;
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

bool DepthFirst::read_position(PositionReader& reader, Trials&) {
  progress_.read(reader);
  ended_ = reader.get();
  reader.get_all([&] {
    const std::uint32_t position = reader.get32();
    path_.push_back({.position = position, .alternatives = reader.get32()});
  });
  return !reader.is_damaged();
}

}  // namespace ravel
