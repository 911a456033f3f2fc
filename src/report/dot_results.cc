#include "report/dot_results.h"

#include <fmt/format.h>

namespace ravel {

namespace {

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

const char* colour_of(SearchTree::Ending ending) {
  switch (ending) {
    case SearchTree::Ending::kWell: return "palegreen";
    case SearchTree::Ending::kGivenUp:
    case SearchTree::Ending::kRepeated: return "lightgrey";
    case SearchTree::Ending::kBug: return "lightpink";
    case SearchTree::Ending::kRefused: break;
  }
  return "khaki";
}

// The nodes and edges, as a cluster with this title. `prefix` begins the names of all nodes.
std::string cluster(const SearchTree& tree, const std::string& title, const std::string& prefix) {
  std::string text =
      fmt::format("  subgraph cluster_{0} {{\n    label={1};\n    {0}_start [label=start shape=circle];\n",
                  prefix, quoted(title));
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const SearchTree::Node& node = tree.nodes[i];
    text += fmt::format("    {0}{1} [label={2}];\n    {0}{3} -> {0}{1};\n", prefix, i,
                        quoted(node.actor + ": " + node.text),
                        node.parent == SearchTree::kRoot ? "_start" : std::to_string(node.parent));
  }
  for (std::size_t i = 0; i < tree.leaves.size(); ++i) {
    const SearchTree::Leaf& leaf = tree.leaves[i];
    text += fmt::format(
        "    {0}_end{1} [label={2} shape=box style=filled fillcolor={3}];\n    {0}{4} -> {0}_end{1};\n",
        prefix, i, quoted(fmt::format("{}: {}", i + 1, leaf.text)), colour_of(leaf.ending), leaf.node);
  }
  if (tree.is_full)
    text +=
        fmt::format("    {}_more [label={} shape=note];\n", prefix,
                    quoted(fmt::format("the search went on; only {} events are drawn", tree.nodes.size())));
  return text + "  }\n";
}

}  // namespace

std::string dot_results(const CheckReport& report) {
  std::string text = "digraph search {\n  node [shape=plaintext];\n";
  std::size_t drawn = 0;
  for (const TestReport& test : report.tests)
    if (test.tree) text += cluster(*test.tree, test.test, fmt::format("t{}", ++drawn));
  return text + "}\n";
}

}  // namespace ravel
