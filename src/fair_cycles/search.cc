#include "fair_cycles/search.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/check.h"
#include "fair_cycles/counterexample.h"
#include "fair_cycles/open_nodes.h"
#include "fair_cycles/strong_fairness.h"

namespace ravel::fair_cycles {
namespace {

using Place = OpenNodes::Place;

constexpr std::uint64_t kNodesBetweenQuestions = 1024;  // to `gives_up`

std::uint32_t index(Node node) { return static_cast<std::uint32_t>(node); }

class Search {
 public:
  Search(Graph& graph, const Options& options) : graph_(graph), options_(options) {}

  Found run() {
    std::optional<Node> root = graph_.initial();
    while (root) {
      roots_.assign(1, *root);
      for (std::size_t at = 0; at < roots_.size() && !is_over_; ++at)
        if (nodes_.is_new(roots_[at])) search_from(roots_[at]);
      root = is_over_ ? std::nullopt : graph_.next_root();
    }
    return std::move(found_);
  }

 private:
  struct PathEntry {
    Place place;
    std::uint32_t next_edge;
  };
  struct Component {
    Place first;
    std::uint32_t entered_by;  // the edge to its first node from the component before it
    ActorSet unserved;         // none without fairness
    LabelId label;             // the acceptance sets of its edges, and nothing else
  };
  // The edge by which a node was met first; kNone if it was not.
  struct Origin {
    static constexpr std::uint32_t kNone = 0xffff'ffff;

    Node from{};
    std::uint32_t edge = kNone;
    LabelId label{};
  };

  bool asks_no_fairness() const { return options_.fairness == Fairness::kNone; }
  bool forbids_progress() const { return options_.progress == Progress::kForbidden; }

  void search_from(Node root) {
    enter(root, 0);
    while (!path_.empty() && !is_over_) {
      PathEntry& end = path_.back();
      if (end.next_edge == nodes_.end_of_edges(end.place)) {
        leave();
        continue;
      }
      const std::uint32_t edge = end.next_edge++;
      const Node target = nodes_.edge(edge).target;
      const bool is_forbidden = forbids_progress() && nodes_.label(edge).is_progress;
      if (nodes_.is_new(target)) {
        // What lies behind such an edge is searched later, apart.
        if (is_forbidden && has_origin(target)) continue;
        if (forbids_progress())
          note_origin(target,
                      {nodes_.node(end.place), edge - nodes_.first_edge(end.place), nodes_.edge(edge).label});
        if (is_forbidden) {
          roots_.push_back(target);
        } else {
          enter(target, edge);
        }
      } else if (nodes_.is_open(target) && !is_forbidden) {
        close_cycle(edge, nodes_.place(target));
      }
    }
  }

  void enter(Node node, std::uint32_t edge) {
    if (found_.counts.nodes % kNodesBetweenQuestions == 0 && options_.gives_up && options_.gives_up())
      return end_with(Outcome::kGivenUp);
    ++found_.counts.nodes;
    expansion_.edges.clear();
    expansion_.enabled.clear();
    graph_.expand(node, expansion_);
    const bool stutters = expansion_.edges.empty() && options_.dead_end == DeadEnd::kStutters;
    const std::size_t edge_count = expansion_.edges.size() + (stutters ? 1 : 0);
    if (nodes_.edge_count() + edge_count > std::numeric_limits<std::uint32_t>::max())
      return end_with(Outcome::kTooLarge);
    found_.counts.edges += edge_count;

    const ActorSet enabled = asks_no_fairness() ? kNoActors : nodes_.actor_sets.intern(expansion_.enabled);
    const Place place = nodes_.open(node, enabled);
    for (const Edge& one : expansion_.edges)
      nodes_.add_edge(one.target, nodes_.labels.intern({.acceptance = one.acceptance,
                                                        .actor = one.actor,
                                                        .is_progress = one.is_progress}));
    if (stutters) nodes_.add_edge(node, nodes_.labels.intern({.is_stutter = true}));
    found_.counts.open_max = std::max<std::uint64_t>(found_.counts.open_max, nodes_.size());
    path_.push_back({place, nodes_.first_edge(place)});
    components_.push_back({place, edge, enabled, nodes_.labels.intern({})});
  }

  // An edge leads back to an open node, so all components from that node's on are one.
  void close_cycle(std::uint32_t edge, Place target) {
    while (components_.back().first > target) {
      const Component last = components_.back();
      components_.pop_back();
      Component& merged = components_.back();
      add_acceptance(merged, nodes_.labels[last.label].acceptance);
      merged.unserved = nodes_.actor_sets.intersection(merged.unserved, last.unserved);
      add_edge(merged, last.entered_by);
    }
    Component& merged = components_.back();
    add_edge(merged, edge);
    if (options_.fairness == Fairness::kStrong || !may_be_good(merged)) return;
    std::vector<Place> part;
    for (Place place = merged.first; place < nodes_.size(); ++place) part.push_back(place);
    end_with_cycle(part);
  }

  void add_edge(Component& component, std::uint32_t edge) {
    const Label& label = nodes_.label(edge);
    component.unserved = nodes_.actor_sets.without(component.unserved, label.actor);
    add_acceptance(component, label.acceptance);
  }

  void add_acceptance(Component& component, std::uint64_t acceptance) {
    const std::uint64_t known = nodes_.labels[component.label].acceptance;
    if ((acceptance & ~known) != 0)
      component.label = nodes_.labels.intern({.acceptance = known | acceptance});
  }

  // Whether it is good if it has an edge; for strong fairness, whether it may have a part that is.
  bool may_be_good(const Component& component) const {
    return component.unserved == kNoActors &&
           (options_.acceptance & ~nodes_.labels[component.label].acceptance) == 0;
  }

  // The node at the end of the path has no more edges.
  void leave() {
    const Place place = path_.back().place;
    path_.pop_back();
    const Component last = components_.back();
    if (last.first != place) return;
    if (options_.fairness == Fairness::kStrong && may_be_good(last)) {
      const auto part = strongly_fair_part(nodes_, last.first, options_);
      if (!part) return end_with(Outcome::kGivenUp);
      if (!part->empty()) return end_with_cycle(*part);
    }
    ++found_.counts.components;
    components_.pop_back();
    nodes_.close_from(last.first);
  }

  void end_with(Outcome outcome) {
    found_.outcome = outcome;
    is_over_ = true;
  }

  void end_with_cycle(const std::vector<Place>& part) {
    std::vector<Step> way;
    if (forbids_progress()) {
      for (Node node = nodes_.node(0); has_origin(node);) {
        const Origin& origin = origins_[index(node)];
        const Label& label = nodes_.labels[origin.label];
        way.push_back({origin.from, node, origin.edge, label.actor, label.acceptance});
        node = origin.from;
      }
      std::ranges::reverse(way);
    }
    found_.counterexample = make_counterexample(nodes_, part, std::move(way), options_);
    end_with(Outcome::kFound);
  }

  bool has_origin(Node node) const {
    return index(node) < origins_.size() && origins_[index(node)].edge != Origin::kNone;
  }
  void note_origin(Node node, const Origin& origin) {
    if (index(node) >= origins_.size()) origins_.resize(std::size_t{index(node)} + 1 + index(node) / 2);
    origins_[index(node)] = origin;
  }

  Graph& graph_;
  const Options& options_;
  OpenNodes nodes_;
  std::vector<PathEntry> path_;
  std::vector<Component> components_;
  std::vector<Node> roots_;      // the graph's, and then those behind edges that make progress
  std::vector<Origin> origins_;  // by node, if progress is forbidden
  Expansion expansion_;
  Found found_;
  bool is_over_ = false;
};

}  // namespace

Found find_fair_cycle(Graph& graph, const Options& options) { return Search(graph, options).run(); }

}  // namespace ravel::fair_cycles
