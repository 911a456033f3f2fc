#include "ltl/automaton.h"

#include <algorithm>
#include <bit>

namespace ravel::ltl {

std::size_t Automaton::edge_count() const {
  std::size_t count = 0;
  for (const auto& edges : states) count += edges.size();
  return count;
}

bool Automaton::accepts_all(std::uint32_t state) const {
  return std::ranges::any_of(states[state], [&](const AutomatonEdge& edge) {
    return (edge.required | edge.forbidden) == 0 && edge.target == state &&
           edge.acceptance == all_acceptance_sets();
  });
}

bool Automaton::is_deterministic() const {
  for (const auto& edges : states)
    for (std::size_t a = 0; a < edges.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if ((edges[a].required & edges[b].forbidden) == 0 && (edges[a].forbidden & edges[b].required) == 0)
          return false;
  return true;
}

namespace {

std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string label(const AutomatonEdge& edge) {
  std::string text;
  for (std::uint64_t rest = edge.required | edge.forbidden; rest != 0; rest &= rest - 1) {
    if (!text.empty()) text += '&';
    if (edge.forbidden & rest & -rest) text += '!';
    text += std::to_string(std::countr_zero(rest));
  }
  return text.empty() ? "t" : text;
}

}  // namespace

std::string to_hoa(const Automaton& automaton, std::string_view name) {
  std::string text = "HOA: v1\nname: " + in_quotes(name) +
                     "\nStates: " + std::to_string(automaton.states.size()) +
                     "\nStart: 0\nAP: " + std::to_string(automaton.propositions.size());
  for (const std::string& proposition : automaton.propositions) text += " " + in_quotes(proposition);
  text += "\nacc-name: generalized-Buchi " + std::to_string(automaton.acceptance_sets) +
          "\nAcceptance: " + std::to_string(automaton.acceptance_sets) + " ";
  for (unsigned set = 0; set < automaton.acceptance_sets; ++set)
    text += (set > 0 ? "&Inf(" : "Inf(") + std::to_string(set) + ")";
  if (automaton.acceptance_sets == 0) text += "t";
  text += "\nproperties: trans-labels explicit-labels trans-acc\n--BODY--\n";
  for (std::size_t state = 0; state < automaton.states.size(); ++state) {
    text += "State: " + std::to_string(state) + "\n";
    for (const AutomatonEdge& edge : automaton.states[state]) {
      text += "[" + label(edge) + "] " + std::to_string(edge.target);
      if (edge.acceptance != 0) {
        std::string sets;
        for (std::uint64_t rest = edge.acceptance; rest != 0; rest &= rest - 1)
          sets += (sets.empty() ? "" : " ") + std::to_string(std::countr_zero(rest));
        text += " {" + sets + "}";
      }
      text += "\n";
    }
  }
  return text + "--END--\n";
}

}  // namespace ravel::ltl
