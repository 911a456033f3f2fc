#include "strategy/pct.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ravel {

namespace {

// The first execution has less than two to the power of this many places, for all that is known.
constexpr std::uint64_t kPlacesGuessed = 10;

// The priorities that actors begin with are above those that change points give: their places among the
// lowered, from 1.
constexpr std::uint64_t kBeginning = std::uint64_t{1} << 63;

double ways_to_draw(double of, double number) {
  double ways = 1;
  for (double i = 0; i < number; ++i) ways *= (of - i) / (i + 1);
  return ways;
}

}  // namespace

std::string ProbabilisticTesting::name() const {
  const std::string variables =
      options_.variables == 0 ? "" : ", " + std::to_string(options_.variables) + " variables";
  return "probabilistic concurrency testing, depth " + std::to_string(options_.depth) + variables +
         ", seed " + std::to_string(seed());
}

std::string ProbabilisticTesting::promise() const {
  if (events_max_ == 0) return {};
  const auto n = static_cast<double>(actors_max_);
  double k = static_cast<double>(events_max_), ways = 1;
  std::string of = "n = " + std::to_string(actors_max_);
  if (options_.variables > 0 && !accesses_max_.empty()) {
    // The objects with the most accesses: for others the chance is better.
    std::vector<std::uint64_t> counts;
    for (const auto& [object, count] : accesses_max_) counts.push_back(count);
    std::ranges::sort(counts, std::greater());
    const std::size_t drawn = std::min<std::size_t>(options_.variables, counts.size());
    k = 0;
    for (std::size_t i = 0; i < drawn; ++i) k += static_cast<double>(counts[i]);
    ways = ways_to_draw(static_cast<double>(counts.size()), static_cast<double>(drawn));
    of += ", Q = " + std::to_string(counts.size()) + ", v = " + std::to_string(drawn);
  }
  const double chance = 1 / (ways * n * std::pow(k, options_.depth - 1));
  char text[200];
  std::snprintf(text, sizeof text,
                "an execution finds a bug of depth %u with a probability of at least %.2g (%s, k = %.0f)",
                options_.depth, chance, of.c_str(), k);
  return text;
}

void ProbabilisticTesting::begin() {
  events_ = actors_ = last_contended_ = 0;
  accesses_.clear();
  changes_.clear();
  priorities_.clear();
  to_lower_.clear();
  lowered_.clear();
  const bool is_first = executions_ended() == 0;
  if (is_first ? options_.variables > 0 : events_max_ == 0) return;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places;  // of an object, and how many
  if (options_.variables == 0) {
    places.emplace_back(0, is_first ? std::uint64_t{1} << random().below(kPlacesGuessed) : events_max_);
  } else {
    places.assign(accesses_max_.begin(), accesses_max_.end());
    while (places.size() > options_.variables)
      places.erase(places.begin() + static_cast<std::ptrdiff_t>(random().below(places.size())));
  }
  std::uint64_t sum = 0;
  for (const auto& [object, count] : places) sum += count;
  for (std::uint32_t i = 1; i < options_.depth && sum > 0; ++i) {
    std::uint64_t place = random().below(sum);
    for (const auto& [object, count] : places) {
      if (place < count) {
        changes_.push_back({.object = object, .number = place + 1});
        break;
      }
      place -= count;
    }
  }
}

std::uint64_t& ProbabilisticTesting::priority_of(ActorId actor) {
  const auto index = static_cast<std::size_t>(actor);
  if (index >= priorities_.size()) priorities_.resize(index + 1, 0);
  if (priorities_[index] == 0) {
    ++actors_;
    priorities_[index] = kBeginning | random().next();
  }
  return priorities_[index];
}

std::size_t ProbabilisticTesting::highest(const Point& point) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < point.enabled.size(); ++i)
    if (priority_of(point.enabled[i].actor) > priority_of(point.enabled[best].actor)) best = i;
  return best;
}

bool ProbabilisticTesting::take_change(const Point& point, const Transition& transition) {
  if (changes_.empty()) return false;
  std::optional<Touch> pending;
  if (options_.variables > 0) pending = point.system->pending(transition);
  if (pending) pending->object = variable_of(options_.variable_of, pending->object).name;
  const auto is_here = [&](const ChangePoint& change) {
    if (options_.variables == 0) return is_place() && change.number == events_ + 1;
    if (!pending || pending->object != change.object) return false;
    const auto known = accesses_.find(change.object);
    return (known == accesses_.end() ? 0 : known->second) + 1 == change.number;
  };
  const auto found = std::ranges::find_if(changes_, is_here);
  if (found == changes_.end()) return false;
  changes_.erase(found);
  return true;
}

void ProbabilisticTesting::lower(const Point& point, std::size_t index) {
  const ActorId actor = point.enabled[index].actor;
  std::erase(lowered_, actor);
  std::uint64_t places = lowered_.size() + 1;
  if (options_.variables == 0) {
    // Not above the best of the others. A later event need not access one of the variables: there every place
    // counts.
    std::uint64_t best_of_others = 0;
    for (const Transition& other : point.enabled)
      if (other.actor != actor) best_of_others = std::max(best_of_others, priority_of(other.actor));
    const auto above =
        std::ranges::find(lowered_, best_of_others, [&](ActorId lowered) { return priority_of(lowered); });
    if (above != lowered_.end()) places = static_cast<std::uint64_t>(above - lowered_.begin()) + 1;
  }
  lowered_.insert(lowered_.begin() + static_cast<std::ptrdiff_t>(random().below(places)), actor);
  for (std::size_t i = 0; i < lowered_.size(); ++i) priority_of(lowered_[i]) = i + 1;
}

Decision ProbabilisticTesting::draw(const Point& point) {
  is_contended_ = point.enabled.front().actor != point.enabled.back().actor;
  // Every actor that is there has a priority, in logical order, so that the draws are the same on every
  // machine.
  for (const Transition& transition : point.enabled) priority_of(transition.actor);
  std::size_t best = highest(point);
  while (true) {
    const ActorId actor = point.enabled[best].actor;
    if (take_change(point, point.enabled[best])) to_lower_.push_back(actor);
    const bool can_wait = options_.variables == 0 && !is_contended_;
    if (can_wait || std::erase(to_lower_, actor) == 0) break;
    lower(point, best);
    best = highest(point);
  }
  if (options_.variables > 0 && is_contended_)
    if (const std::optional<Touch> touch = point.system->pending(point.enabled[best]))
      accesses_max_.try_emplace(variable_of(options_.variable_of, touch->object).name, 0);
  const auto alternatives = static_cast<std::size_t>(
      std::ranges::count(point.enabled, point.enabled[best].actor, &Transition::actor));
  if (alternatives > 1) best += random().below(alternatives);
  return Decision::take(best, Return::kNever);
}

void ProbabilisticTesting::note(const Event& event) {
  if (is_place()) ++events_;
  if (is_contended_) last_contended_ = events_;
  if (options_.variables == 0) return;
  for (const Touch& touch : event.footprint)
    ++accesses_[variable_of(options_.variable_of, touch.object).name];
}

void ProbabilisticTesting::end(Outcome) {
  events_max_ = std::max(events_max_, last_contended_);
  actors_max_ = std::max(actors_max_, actors_);
  for (auto& [object, count] : accesses_max_)
    if (const auto here = accesses_.find(object); here != accesses_.end())
      count = std::max(count, here->second);
}

void ProbabilisticTesting::write_learned(PositionWriter& writer) const {
  writer.put(events_max_);
  writer.put(actors_max_);
  writer.put_all(accesses_max_, [&](const auto& entry) {
    writer.put(entry.first);
    writer.put(entry.second);
  });
}

bool ProbabilisticTesting::read_learned(PositionReader& reader) {
  events_max_ = reader.get();
  actors_max_ = reader.get();
  reader.get_all([&] {
    const std::uint64_t object = reader.get();
    accesses_max_[object] = reader.get();
  });
  return true;
}

}  // namespace ravel
