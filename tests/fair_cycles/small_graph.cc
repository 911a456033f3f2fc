#include "tests/fair_cycles/small_graph.h"

#include <algorithm>
#include <set>

namespace ravel::fair_cycles {
namespace {

std::uint32_t number(Node node) { return static_cast<std::uint32_t>(node); }

// The edges of a vertex, with the one by which it stutters.
std::vector<Edge> edges_of(const SmallGraph& graph, std::uint32_t node, const Options& options) {
  std::vector<Edge> edges = graph.vertices[node].edges;
  if (edges.empty() && options.dead_end == DeadEnd::kStutters) edges.push_back({.target = Node{node}});
  return edges;
}

// Vertices that a set contains, as bits by number or as a list.
using Set = std::vector<bool>;

bool counts(const Edge& edge, const Options& options) {
  return options.progress == Progress::kIgnored || !edge.is_progress;
}

std::vector<Set> closure(const SmallGraph& graph, const Options& options, const Set& within, bool all_edges) {
  const std::size_t size = graph.vertices.size();
  std::vector<Set> reaches(size, Set(size));
  for (std::uint32_t a = 0; a < size; ++a)
    for (const Edge& edge : edges_of(graph, a, options))
      if (within[a] && within[number(edge.target)] && (all_edges || counts(edge, options)))
        reaches[a][number(edge.target)] = true;
  for (std::size_t via = 0; via < size; ++via)
    for (std::size_t a = 0; a < size; ++a)
      for (std::size_t b = 0; b < size; ++b)
        if (reaches[a][via] && reaches[via][b]) reaches[a][b] = true;
  return reaches;
}

struct Content {
  bool has_edge = false;
  std::uint64_t acceptance = 0;
  std::set<Actor> moving, enabled_somewhere, enabled_everywhere;
};

Content content_of(const SmallGraph& graph, const Options& options, const Set& set) {
  Content content;
  bool is_first = true;
  for (std::uint32_t node = 0; node < set.size(); ++node) {
    if (!set[node]) continue;
    const std::set<Actor> enabled(graph.vertices[node].enabled.begin(), graph.vertices[node].enabled.end());
    content.enabled_somewhere.insert(enabled.begin(), enabled.end());
    if (is_first) content.enabled_everywhere = enabled;
    is_first = false;
    std::erase_if(content.enabled_everywhere, [&](Actor actor) { return !enabled.contains(actor); });
    for (const Edge& edge : edges_of(graph, node, options)) {
      if (!set[number(edge.target)] || !counts(edge, options)) continue;
      content.has_edge = true;
      content.acceptance |= edge.acceptance;
      content.moving.insert(edge.actor);
    }
  }
  return content;
}

std::set<Actor> unserved(const Content& content, Fairness fairness) {
  if (fairness == Fairness::kNone) return {};
  std::set<Actor> left = fairness == Fairness::kWeak ? content.enabled_everywhere : content.enabled_somewhere;
  std::erase_if(left, [&](Actor actor) { return content.moving.contains(actor); });
  return left;
}

Set reachable(const SmallGraph& graph, const Options& options) {
  const Set all(graph.vertices.size(), true);
  Set from_first = closure(graph, options, all, true)[0];
  from_first[0] = true;
  return from_first;
}

bool has_fair_part(const SmallGraph& graph, const Options& options, const Set& within) {
  const auto reaches = closure(graph, options, within, false);
  for (std::uint32_t node = 0; node < within.size(); ++node) {
    if (!within[node] || !reaches[node][node]) continue;
    Set part(within.size());
    bool is_first = true;  // each component once, from its first node
    for (std::uint32_t other = 0; other < within.size(); ++other) {
      part[other] = reaches[node][other] && reaches[other][node];
      if (part[other] && other < node) is_first = false;
    }
    if (!is_first) continue;
    const Content content = content_of(graph, options, part);
    if ((options.acceptance & ~content.acceptance) != 0) continue;
    const std::set<Actor> left = unserved(content, options.fairness);
    if (left.empty()) return true;
    if (options.fairness != Fairness::kStrong) continue;
    Set smaller = part;
    for (std::uint32_t other = 0; other < within.size(); ++other)
      for (const Actor actor : graph.vertices[other].enabled)
        if (left.contains(actor)) smaller[other] = false;
    if (has_fair_part(graph, options, smaller)) return true;
  }
  return false;
}

}  // namespace

SmallGraph::Vertex& SmallGraph::vertex(std::uint32_t number) {
  if (number >= vertices.size()) vertices.resize(number + 1);
  return vertices[number];
}

void SmallGraph::add(std::uint32_t from, std::uint32_t to, Actor actor, std::uint64_t acceptance,
                     bool is_progress) {
  vertex(to);
  vertex(from).edges.push_back(
      {.target = Node{to}, .actor = actor, .acceptance = acceptance, .is_progress = is_progress});
}

void SmallGraph::enable(std::uint32_t node, std::initializer_list<std::uint32_t> actors) {
  for (const std::uint32_t actor : actors) vertex(node).enabled.push_back(Actor{actor});
}

void SmallGraph::expand(Node node, Expansion& expansion) {
  expanded.resize(vertices.size());
  ++expanded[number(node)];
  expansion.edges = vertices[number(node)].edges;
  expansion.enabled = vertices[number(node)].enabled;
}

std::string SmallGraph::to_string() const {
  std::string text;
  for (std::size_t node = 0; node < vertices.size(); ++node) {
    text += std::to_string(node) + " enables";
    for (const Actor actor : vertices[node].enabled)
      text += " " + std::to_string(static_cast<std::uint32_t>(actor));
    text += "\n";
    for (const Edge& edge : vertices[node].edges)
      text += "  to " + std::to_string(number(edge.target)) + " by " +
              std::to_string(static_cast<std::int32_t>(edge.actor)) + " in " +
              std::to_string(edge.acceptance) + (edge.is_progress ? " with progress\n" : "\n");
  }
  return text;
}

SmallGraph random_graph(Random& random, const Shape& shape) {
  SmallGraph graph;
  graph.vertices.resize(1 + random.below(shape.nodes_max));
  const std::uint64_t actors = random.below(shape.actors_max + 1), progress = random.below(4);
  const std::uint64_t rarity = 1 + random.below(4);
  for (std::uint64_t i = random.below(shape.edges_max + 1); i > 0; --i) {
    auto& from = graph.vertices[random.below(graph.vertices.size())];
    Edge edge{.target = Node{static_cast<std::uint32_t>(random.below(graph.vertices.size()))}};
    if (actors > 0 && !random.chance(1, 8)) {
      edge.actor = Actor{static_cast<std::uint32_t>(random.below(actors) * 7)};
      from.enabled.push_back(edge.actor);
    }
    for (unsigned set = 0; set < shape.acceptance_sets_max; ++set)
      if (random.chance(1, 1 + rarity)) edge.acceptance |= std::uint64_t{1} << set;
    edge.is_progress = random.chance(progress, 10);
    from.edges.push_back(edge);
  }
  for (auto& vertex : graph.vertices)
    for (std::uint32_t actor = 0; actor < actors; ++actor)
      if (random.chance(1, 6)) vertex.enabled.push_back(Actor{actor * 7});
  return graph;
}

Options random_options(Random& random, const Shape& shape) {
  Options options;
  options.acceptance = (std::uint64_t{1} << random.below(shape.acceptance_sets_max + 1)) - 1;
  options.fairness = static_cast<Fairness>(random.below(3));
  options.progress = static_cast<Progress>(random.below(2));
  options.dead_end = static_cast<DeadEnd>(random.below(2));
  return options;
}

bool has_fair_cycle_by_subsets(const SmallGraph& graph, const Options& options) {
  const std::size_t size = graph.vertices.size();
  const Set within = reachable(graph, options);
  for (std::uint32_t bits = 1; bits < std::uint32_t{1} << size; ++bits) {
    Set set(size);
    bool is_reachable = true;
    for (std::size_t node = 0; node < size; ++node) {
      set[node] = bits >> node & 1;
      is_reachable = is_reachable && (!set[node] || within[node]);
    }
    if (!is_reachable) continue;
    // A cycle uses some nodes and edges between them. More edges only help, since its nodes stay the same.
    const Content content = content_of(graph, options, set);
    if (!content.has_edge || (options.acceptance & ~content.acceptance) != 0) continue;
    if (!unserved(content, options.fairness).empty()) continue;
    const auto reaches = closure(graph, options, set, false);
    bool is_connected = true;
    for (std::size_t a = 0; a < size; ++a)
      for (std::size_t b = 0; b < size; ++b)
        is_connected = is_connected && (!set[a] || !set[b] || reaches[a][b]);
    if (is_connected) return true;
  }
  return false;
}

bool has_fair_cycle_by_closure(const SmallGraph& graph, const Options& options) {
  return has_fair_part(graph, options, reachable(graph, options));
}

std::size_t shortest_counterexample(const SmallGraph& graph, const Options& options) {
  // A walk is known by where it is, the acceptance sets it misses, and the actors it does not serve.
  struct Walk {
    std::uint32_t node;
    std::uint64_t missing;
    std::set<Actor> unserved;
    auto operator<=>(const Walk&) const = default;
  };
  const auto breadth_first = [&](std::uint32_t begin, const auto& visit) {
    std::vector<std::pair<Walk, std::size_t>> queue;
    const auto& enabled = graph.vertices[begin].enabled;
    Walk first{begin, options.acceptance, {}};
    if (options.fairness == Fairness::kWeak) first.unserved.insert(enabled.begin(), enabled.end());
    std::set<Walk> seen;
    queue.emplace_back(first, 0);
    for (std::size_t at = 0; at < queue.size(); ++at) {
      const auto [walk, length] = queue[at];
      for (const Edge& edge : edges_of(graph, walk.node, options)) {
        Walk next{number(edge.target), walk.missing & ~edge.acceptance, walk.unserved};
        const auto& here = graph.vertices[next.node].enabled;
        std::erase_if(next.unserved, [&](Actor actor) {
          return actor == edge.actor || std::ranges::find(here, actor) == here.end();
        });
        if (visit(edge, next, length + 1) && seen.insert(next).second) queue.emplace_back(next, length + 1);
      }
    }
  };
  std::vector<std::size_t> distance(graph.vertices.size(), ~std::size_t{0});
  distance[0] = 0;
  breadth_first(0, [&](const Edge&, const Walk& walk, std::size_t length) {
    distance[walk.node] = std::min(distance[walk.node], length);
    return true;
  });
  std::size_t shortest = 0;
  for (std::uint32_t begin = 0; begin < graph.vertices.size(); ++begin) {
    if (distance[begin] == ~std::size_t{0}) continue;
    breadth_first(begin, [&](const Edge& edge, const Walk& walk, std::size_t length) {
      if (!counts(edge, options)) return false;
      if (walk.node == begin && walk.missing == 0 && walk.unserved.empty() &&
          (shortest == 0 || distance[begin] + length < shortest))
        shortest = distance[begin] + length;
      return true;
    });
  }
  return shortest;
}

std::optional<std::string> mistake_in(const Counterexample& found, const SmallGraph& graph,
                                      const Options& options, Node initial) {
  Node here = initial;
  // Takes a step if it is one of the graph.
  const auto follow = [&](const Step& step) {
    if (step.from != here) return false;
    here = step.to;
    const auto& edges = graph.vertices[number(step.from)].edges;
    if (step.edge == kStutter)
      return options.dead_end == DeadEnd::kStutters && edges.empty() && step.to == step.from &&
             step.actor == kNoActor && step.acceptance == 0;
    if (step.edge >= edges.size()) return false;
    const Edge& edge = edges[step.edge];
    return edge.target == step.to && edge.actor == step.actor && edge.acceptance == step.acceptance;
  };
  for (const Step& step : found.stem)
    if (!follow(step)) return "the stem is no path";
  const Node begin = here;
  if (found.cycle.empty()) return "the cycle is empty";
  std::uint64_t acceptance = 0;
  std::set<Actor> moving, enabled,
      everywhere(graph.vertices[number(begin)].enabled.begin(), graph.vertices[number(begin)].enabled.end());
  for (const Step& step : found.cycle) {
    if (!follow(step)) return "the cycle is no path";
    if (options.progress == Progress::kForbidden && step.edge != kStutter &&
        graph.vertices[number(step.from)].edges[step.edge].is_progress)
      return "the cycle makes progress";
    const auto& here_enabled = graph.vertices[number(step.from)].enabled;
    acceptance |= step.acceptance;
    moving.insert(step.actor);
    enabled.insert(here_enabled.begin(), here_enabled.end());
    std::erase_if(everywhere,
                  [&](Actor actor) { return std::ranges::find(here_enabled, actor) == here_enabled.end(); });
  }
  if (here != begin) return "the cycle is not closed";
  if ((options.acceptance & ~acceptance) != 0) return "the cycle misses an acceptance set";
  if (options.fairness == Fairness::kNone) return std::nullopt;
  for (const Actor actor : options.fairness == Fairness::kWeak ? everywhere : enabled)
    if (!moving.contains(actor)) return "the cycle is not fair";
  return std::nullopt;
}

}  // namespace ravel::fair_cycles
