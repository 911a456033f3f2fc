// The links of a process, in term order.
#pragma once

#include <algorithm>
#include <vector>

#include "erlang/machine/process.h"
#include "erlang/term/names.h"

namespace ravel::erlang {

// Where a pid stands, or would stand, among links.
inline auto find_link(const Names& names, std::vector<Term>& links, Term pid) {
  return std::ranges::lower_bound(links, pid, [&](Term a, Term b) { return names.compare_pids(a, b) < 0; });
}

inline Urgency urgency_of_link(const Process& process, Term other) {
  return std::ranges::find(process.attributes.priority_links, other) ==
                 process.attributes.priority_links.end()
             ? Urgency::kOrdinary
             : Urgency::kPriority;
}

// How the process hears of the end of one with which it is linked.
inline void set_link_urgency(const Names& names, Process& process, Term other, Urgency urgency) {
  if (urgency_of_link(process, other) == urgency) return;
  auto& links = process.change_attributes().priority_links;
  const auto place = find_link(names, links, other);
  if (urgency == Urgency::kPriority) {
    links.insert(place, other);
  } else {
    links.erase(place);
  }
}

inline void add_link(const Names& names, Process& process, Term other) {
  auto& links = process.change_attributes().links;
  const auto place = find_link(names, links, other);
  if (place == links.end() || *place != other) links.insert(place, other);
  std::erase_if(process.attributes.former_links, [&](const FormerLink& link) { return link.pid == other; });
}

// False if there is none.
inline bool remove_link(const Names& names, Process& process, Term other) {
  auto& links = process.attributes.links;
  const auto place = find_link(names, links, other);
  if (place == links.end() || *place != other) return false;
  process.change_attributes();
  links.erase(place);
  set_link_urgency(names, process, other, Urgency::kOrdinary);
  return true;
}

}  // namespace ravel::erlang
