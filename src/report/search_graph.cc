#include "report/search_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"

namespace ravel {

namespace {

constexpr std::size_t kNone = ~std::size_t{0};
constexpr std::size_t kTextMax = 80;

// A text between quotes.
std::string quoted(std::string text) {
  if (text.size() > kTextMax) text = text.substr(0, kTextMax) + "...";
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + '"';
}

}  // namespace

std::optional<Plan> SearchGraph::next_execution() {
  const std::optional<Plan> plan = StrategyWrapper::next_execution();
  is_abandoned_ = false;
  // What is kept may not have been drawn, if the drawing is full or the search was resumed.
  if (plan && plan->keep < path_.size()) path_.resize(plan->keep);
  return plan;
}

Decision SearchGraph::choose(const Point& point) {
  system_ = point.system;
  if (!is_full_) system_->set_descriptions(Descriptions::kOfSearch);
  const Decision decision = StrategyWrapper::choose(point);
  is_abandoned_ = decision.abandons();
  return decision;
}

void SearchGraph::observe(const Event& event) {
  StrategyWrapper::observe(event);
  if (is_full_) return;
  if (nodes_.size() == nodes_max_) {
    is_full_ = true;
    system_->set_descriptions(Descriptions::kOff);
    return;
  }
  const EventDescription description = system_->describe_last();
  nodes_.push_back({.parent = path_.empty() ? kNone : path_.back(), .actor = description.actor, .text = description.text});
  path_.push_back(nodes_.size() - 1);
}

Novelty SearchGraph::end_execution(Outcome outcome) {
  const Novelty novelty = StrategyWrapper::end_execution(outcome);
  if (is_full_ || path_.empty()) return novelty;
  Leaf leaf{.node = path_.back(), .text = "ends well", .colour = "palegreen"};
  if (is_abandoned_ || novelty == Novelty::kDiscarded) {
    leaf = {.node = path_.back(), .text = "given up", .colour = "lightgrey"};
  } else if (novelty == Novelty::kRepeated || novelty == Novelty::kKnown) {
    leaf = {.node = path_.back(), .text = "repeated", .colour = "lightgrey"};
  } else if (outcome == Outcome::kBug) {
    const bool is_cut_off = system_->outcome() != Outcome::kBug;
    leaf = {.node = path_.back(), .text = is_cut_off ? "too many events" : system_->bug().message, .colour = "lightpink"};
  } else if (outcome == Outcome::kUnsupported) {
    leaf = {.node = path_.back(), .text = system_->refusal().message, .colour = "khaki"};
  }
  leaves_.push_back(std::move(leaf));
  return novelty;
}

std::string SearchGraph::to_dot(const std::string& title, const std::string& prefix) const {
  std::string text = fmt::format("  subgraph cluster_{} {{\n    label={};\n    {}_start [label=start shape=circle];\n", prefix, quoted(title), prefix);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    text += fmt::format("    {0}{1} [label={2}];\n    {0}{3} -> {0}{1};\n", prefix, i, quoted(node.actor + ": " + node.text),
                        node.parent == kNone ? "_start" : std::to_string(node.parent));
  }
  for (std::size_t i = 0; i < leaves_.size(); ++i)
    text += fmt::format("    {0}_end{1} [label={2} shape=box style=filled fillcolor={3}];\n    {0}{4} -> {0}_end{1};\n", prefix, i,
                        quoted(fmt::format("{}: {}", i + 1, leaves_[i].text)), leaves_[i].colour, leaves_[i].node);
  if (is_full_)
    text += fmt::format("    {}_more [label={} shape=note];\n", prefix, quoted(fmt::format("the search went on; only {} events are drawn", nodes_.size())));
  return text + "  }\n";
}

std::string dot_file(const std::vector<std::string>& clusters) {
  std::string text = "digraph search {\n  node [shape=plaintext];\n";
  for (const std::string& cluster : clusters) text += cluster;
  return text + "}\n";
}

}  // namespace ravel
