#include "erlang/system/noted_failures.h"

#include <algorithm>
#include <utility>

namespace ravel::erlang {

void NotedFailures::note(Bug bug, std::uint32_t events) {
  const auto known = std::ranges::find_if(bugs_, [&](const Bug& other) {
    return other.is_same(bug) && other.actor == bug.actor && other.details == bug.details;
  });
  noted_.push_back({.bug = static_cast<std::uint32_t>(known - bugs_.begin()), .events = events});
  if (known == bugs_.end()) bugs_.push_back(std::move(bug));
}

std::vector<LaterBug> NotedFailures::later() const {
  std::vector<LaterBug> later;
  for (std::size_t i = 1; i < noted_.size(); ++i)
    later.push_back({.bug = bugs_[noted_[i].bug], .events = noted_[i].events});
  return later;
}

}  // namespace ravel::erlang
