#include "fair_cycles/counterexample.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace ravel::fair_cycles {
namespace {

using Place = OpenNodes::Place;

// An edge, with the place where it begins.
struct Move {
  Place from = 0;
  std::uint32_t edge = 0;
};

// Shortest paths over open nodes.
class Walks {
 public:
  explicit Walks(const OpenNodes& nodes) : nodes_(nodes), came_by_(nodes.size()), seen_in_(nodes.size()) {}

  // The shortest path over allowed edges whose last edge is one that `ends`; both are asked with the edge and
  // the place of its target. REQUIRES: there is one.
  template <class Allowed, class Ends>
  std::vector<Move> shortest(Place from, Allowed allowed, Ends ends) {
    ++round_;
    queue_.assign(1, from);
    seen_in_[from] = round_;
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      const Place place = queue_[at];
      for (std::uint32_t edge = nodes_.first_edge(place); edge < nodes_.end_of_edges(place); ++edge) {
        if (!nodes_.is_open(nodes_.edge(edge).target)) continue;
        const Place target = nodes_.place(nodes_.edge(edge).target);
        if (!allowed(edge, target)) continue;
        if (ends(edge, target)) return path(from, {place, edge});
        if (seen_in_[target] == round_) continue;
        seen_in_[target] = round_;
        came_by_[target] = {place, edge};
        queue_.push_back(target);
      }
    }
    CHECK_MESSAGE(false, "a part of a graph is not strongly connected");
    return {};
  }

 private:
  std::vector<Move> path(Place from, Move last) const {
    std::vector<Move> moves = {last};
    while (moves.back().from != from) moves.push_back(came_by_[moves.back().from]);
    std::ranges::reverse(moves);
    return moves;
  }

  const OpenNodes& nodes_;
  std::vector<Move> came_by_;
  std::vector<std::uint32_t> seen_in_;  // the round in which a place was last met
  std::uint32_t round_ = 0;
  std::vector<Place> queue_;
};

// What a walk still has to do before it may end where it has begun.
class Obligations {
 public:
  Obligations(const OpenNodes& nodes, const Options& options, Place begin)
      : nodes_(nodes), fairness_(options.fairness), missing_(options.acceptance) {
    if (fairness_ == Fairness::kNone) return;
    const auto enabled = nodes.actor_sets.members(nodes.enabled(begin));
    unserved_.assign(enabled.begin(), enabled.end());
  }

  bool are_met() const { return missing_ == 0 && unserved_.empty(); }

  bool are_helped_by(std::uint32_t edge, Place target) const {
    const Label& label = nodes_.label(edge);
    if ((label.acceptance & missing_) != 0) return true;
    if (unserved_.empty()) return false;
    if (std::ranges::binary_search(unserved_, label.actor)) return true;
    return fairness_ == Fairness::kWeak &&
           !std::ranges::includes(nodes_.actor_sets.members(nodes_.enabled(target)), unserved_);
  }

  // Takes what the edge helps with, and nothing new.
  void help(std::uint32_t edge, Place target) {
    const Label& label = nodes_.label(edge);
    missing_ &= ~label.acceptance;
    std::erase(unserved_, label.actor);
    if (fairness_ != Fairness::kWeak || unserved_.empty()) return;
    const auto enabled = nodes_.actor_sets.members(nodes_.enabled(target));
    std::erase_if(unserved_, [&](Actor actor) { return !std::ranges::binary_search(enabled, actor); });
  }

  // Goes along the edge.
  void take(std::uint32_t edge, Place target) {
    help(edge, target);
    if (fairness_ != Fairness::kStrong) return;
    const Actor actor = nodes_.label(edge).actor;
    if (const auto place = std::ranges::lower_bound(served_, actor);
        place == served_.end() || *place != actor)
      served_.insert(place, actor);
    const auto enabled = nodes_.actor_sets.members(nodes_.enabled(target));
    std::vector<Actor> unserved;
    std::ranges::set_union(unserved_, enabled, std::back_inserter(unserved));
    std::erase_if(unserved, [&](Actor one) { return std::ranges::binary_search(served_, one); });
    unserved_ = std::move(unserved);
  }

 private:
  const OpenNodes& nodes_;
  const Fairness fairness_;
  std::uint64_t missing_;        // acceptance sets that were not visited
  std::vector<Actor> unserved_;  // sorted
  std::vector<Actor> served_;    // sorted; with strong fairness only
};

class CycleMaker {
 public:
  CycleMaker(const OpenNodes& nodes, const std::vector<Place>& part, const Options& options)
      : nodes_(nodes), options_(options), walks_(nodes), is_in_part_(nodes.size()) {
    for (const Place place : part) is_in_part_[place] = true;
  }

  // From the first open node to the nearest one of the part.
  std::vector<Move> stem() {
    if (is_in_part_[0]) return {};
    return walks_.shortest(
        0, [](std::uint32_t, Place) { return true; },
        [&](std::uint32_t, Place target) { return is_in_part_[target]; });
  }

  // Of two walks the shorter one.
  std::vector<Move> cycle(Place begin) {
    std::vector<Move> one = walk(begin, Order::kNearestFirst), other = walk(begin, Order::kFarthestFirst);
    drop_loops(one);
    drop_loops(other);
    std::vector<Move>& found = one.size() < other.size() ? one : other;
    CHECK(counts(found));
    return std::move(found);
  }

  Place target(const Move& move) const { return nodes_.place(nodes_.edge(move.edge).target); }

 private:
  // Which obligation a walk meets next: the one that is met soonest, or the one that is met last if the
  // nearest help is taken for each. The way to that one often meets others.
  enum class Order : std::uint8_t { kNearestFirst, kFarthestFirst };

  std::vector<Move> walk(Place begin, Order order) {
    std::vector<Move> moves;
    Place here = begin;
    Obligations obligations(nodes_, options_, begin);
    const auto is_allowed = [&](std::uint32_t edge, Place place) {
      return is_in_part_[place] &&
             (options_.progress == Progress::kIgnored || !nodes_.label(edge).is_progress);
    };
    const auto go = [&](auto ends) {
      for (const Move& move : walks_.shortest(here, is_allowed, ends)) {
        moves.push_back(move);
        here = target(move);
        obligations.take(move.edge, here);
      }
    };
    while (moves.empty() || here != begin || !obligations.are_met()) {
      if (obligations.are_met()) {
        go([&](std::uint32_t, Place place) { return place == begin; });
      } else if (order == Order::kNearestFirst) {
        go([&](std::uint32_t edge, Place place) { return obligations.are_helped_by(edge, place); });
      } else {
        Obligations others = obligations;
        go([&](std::uint32_t edge, Place place) {
          others.help(edge, place);
          return others.are_met();
        });
      }
    }
    return moves;
  }

  // Whether a closed walk meets all obligations.
  bool counts(const std::vector<Move>& moves) const {
    Obligations obligations(nodes_, options_, moves[0].from);
    for (const Move& move : moves) obligations.take(move.edge, target(move));
    return obligations.are_met();
  }

  // Leaves out loops of a cycle that it does not need.
  void drop_loops(std::vector<Move>& moves) const {
    if (moves.size() > kLoopsMovesMax) return;
    for (std::size_t i = 0; i < moves.size(); ++i)
      for (std::size_t j = moves.size() - 1; j > i; --j) {
        if (moves[i].from != moves[j].from) continue;
        std::vector<Move> shorter(moves.begin(), moves.begin() + static_cast<long>(i));
        shorter.insert(shorter.end(), moves.begin() + static_cast<long>(j), moves.end());
        if (!counts(shorter)) continue;
        moves = std::move(shorter);
        j = moves.size();
      }
  }

  static constexpr std::size_t kLoopsMovesMax =
      1000;  // longer ones would take long to try, and nobody reads them

  const OpenNodes& nodes_;
  const Options& options_;
  Walks walks_;
  std::vector<bool> is_in_part_;
};

}  // namespace

Counterexample make_counterexample(const OpenNodes& nodes, const std::vector<Place>& part,
                                   std::vector<Step> way, const Options& options) {
  CHECK(!part.empty());
  const auto step_of = [&](const Move& move) -> Step {
    const Label& label = nodes.label(move.edge);
    return {.from = nodes.node(move.from),
            .to = nodes.edge(move.edge).target,
            .edge = label.is_stutter ? kStutter : move.edge - nodes.first_edge(move.from),
            .actor = label.actor,
            .acceptance = label.acceptance};
  };
  CycleMaker maker(nodes, part, options);
  Counterexample found{.stem = std::move(way), .cycle = {}};
  Place begin = 0;
  for (const Move& move : maker.stem()) {
    found.stem.push_back(step_of(move));
    begin = maker.target(move);
  }
  for (const Move& move : maker.cycle(begin)) found.cycle.push_back(step_of(move));
  return found;
}

}  // namespace ravel::fair_cycles
