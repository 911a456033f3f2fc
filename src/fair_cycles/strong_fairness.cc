#include "fair_cycles/strong_fairness.h"

#include <algorithm>
#include <utility>

namespace ravel::fair_cycles {
namespace {

using Place = OpenNodes::Place;

class Decomposition {
 public:
  Decomposition(const OpenNodes& nodes, Place first, const Options& options)
      : nodes_(nodes),
        first_(first),
        options_(options),
        part_(nodes.size() - first, kGone),
        order_(part_.size()),
        lowest_(part_.size()) {}

  std::optional<std::vector<Place>> run() {
    std::vector<Place> all;
    for (Place place = first_; place < nodes_.size(); ++place) all.push_back(place);
    add_part(std::move(all));
    while (!parts_.empty()) {
      std::vector<Place> part = std::move(parts_.back());
      parts_.pop_back();
      if (options_.gives_up && options_.gives_up()) return std::nullopt;
      const Verdict verdict = judge(part);
      if (!verdict.is_accepting) continue;
      if (verdict.unserved.empty()) {
        std::ranges::sort(part);
        return part;
      }
      split(part, verdict.unserved);
    }
    return std::vector<Place>();
  }

 private:
  struct Verdict {
    bool is_accepting = false;
    std::vector<Actor> unserved;  // enabled in some node, moving on no edge; sorted
  };
  struct Frame {
    Place place;
    std::uint32_t edge;
  };

  static constexpr std::uint32_t kGone = 0;

  std::uint32_t& part_of(Place place) { return part_[place - first_]; }

  // The place to which an edge leads, if it counts and leads to a node of the same part.
  bool is_inside(std::uint32_t edge, std::uint32_t part) {
    const auto& kept = nodes_.edge(edge);
    if (options_.progress == Progress::kForbidden && nodes_.labels[kept.label].is_progress) return false;
    if (!nodes_.is_open(kept.target)) return false;
    const Place target = nodes_.place(kept.target);
    return target >= first_ && part_of(target) == part;
  }

  void add_part(std::vector<Place> part) {
    ++parts_made_;
    for (const Place place : part) part_of(place) = parts_made_;
    parts_.push_back(std::move(part));
  }

  Verdict judge(const std::vector<Place>& part) {
    std::uint64_t acceptance = 0;
    bool has_edge = false;
    std::vector<Actor> enabled, moving;
    std::vector<ActorSet> sets;
    const std::uint32_t number = part_of(part[0]);
    for (const Place place : part) {
      sets.push_back(nodes_.enabled(place));
      for (std::uint32_t edge = nodes_.first_edge(place); edge < nodes_.end_of_edges(place); ++edge) {
        if (!is_inside(edge, number)) continue;
        has_edge = true;
        acceptance |= nodes_.label(edge).acceptance;
        const Actor actor = nodes_.label(edge).actor;
        const auto known = std::ranges::lower_bound(moving, actor);
        if (known == moving.end() || *known != actor) moving.insert(known, actor);
      }
    }
    std::ranges::sort(sets);
    sets.erase(std::ranges::unique(sets).begin(), sets.end());
    for (const ActorSet set : sets) {
      const auto members = nodes_.actor_sets.members(set);
      enabled.insert(enabled.end(), members.begin(), members.end());
    }
    std::ranges::sort(enabled);
    enabled.erase(std::ranges::unique(enabled).begin(), enabled.end());
    Verdict verdict{.is_accepting = has_edge && (options_.acceptance & ~acceptance) == 0, .unserved = {}};
    std::ranges::set_difference(enabled, moving, std::back_inserter(verdict.unserved));
    return verdict;
  }

  // Takes out the nodes that enable one of these actors, and makes a part of each component of the others.
  void split(const std::vector<Place>& part, const std::vector<Actor>& unserved) {
    const auto enables_one = [&](Place place) {
      const auto enabled = nodes_.actor_sets.members(nodes_.enabled(place));
      return std::ranges::any_of(enabled,
                                 [&](Actor actor) { return std::ranges::binary_search(unserved, actor); });
    };
    const std::uint32_t number = part_of(part[0]);
    for (const Place place : part) {
      if (enables_one(place)) part_of(place) = kGone;
      order_[place - first_] = 0;
    }
    clock_ = 0;
    for (const Place place : part)
      if (part_of(place) == number && order_[place - first_] == 0) decompose_from(place, number);
  }

  // Tarjan's algorithm, with a stack of its own. Nodes of a complete component are in another part at once.
  void decompose_from(Place root, std::uint32_t number) {
    const auto enter = [&](Place place) {
      order_[place - first_] = lowest_[place - first_] = ++clock_;
      open_.push_back(place);
      path_.push_back({place, nodes_.first_edge(place)});
    };
    enter(root);
    while (!path_.empty()) {
      const Place place = path_.back().place;
      std::uint32_t& lowest = lowest_[place - first_];
      if (path_.back().edge < nodes_.end_of_edges(place)) {
        const std::uint32_t edge = path_.back().edge++;
        if (!is_inside(edge, number)) continue;
        const Place target = nodes_.place(nodes_.edge(edge).target);
        if (order_[target - first_] == 0) {
          enter(target);
        } else {
          lowest = std::min(lowest, order_[target - first_]);
        }
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) {
        std::uint32_t& before = lowest_[path_.back().place - first_];
        before = std::min(before, lowest);
      }
      if (lowest != order_[place - first_]) continue;
      const auto begin = std::ranges::find(open_.rbegin(), open_.rend(), place).base() - 1;
      std::vector<Place> part(begin, open_.end());
      open_.erase(begin, open_.end());
      add_part(std::move(part));
    }
  }

  const OpenNodes& nodes_;
  const Place first_;
  const Options& options_;
  std::vector<std::uint32_t> part_;            // of each node: the number of its part, or kGone
  std::vector<std::uint32_t> order_, lowest_;  // of Tarjan's algorithm
  std::uint32_t parts_made_ = kGone;
  std::uint32_t clock_ = 0;
  std::vector<std::vector<Place>> parts_;  // to be judged
  std::vector<Place> open_;
  std::vector<Frame> path_;
};

}  // namespace

std::optional<std::vector<Place>> strongly_fair_part(const OpenNodes& nodes, Place first,
                                                     const Options& options) {
  return Decomposition(nodes, first, options).run();
}

}  // namespace ravel::fair_cycles
