#include "strategy/optimal_reduction/wakeup_trees.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/hash.h"

namespace ravel {

namespace {

std::uint64_t hash_of(const BranchDetails& details) {
  std::uint64_t hash = details.order.size();
  for (const EventName& event : details.order) hash = combine(hash, number_of(event));
  for (const StepName& step : details.commutes)
    hash = combine(hash, combine(number_of(step.event), number_of(step.sender)));
  return hash;
}

}  // namespace

std::uint32_t WakeupTrees::add(std::uint32_t step, std::uint32_t first_child, BranchDetails details,
                               std::uint32_t next_sibling) {
  if (spare_branches_.empty()) {
    spare_branches_.push_back(static_cast<std::uint32_t>(branches_.size()));
    branches_.emplace_back();
  }
  const std::uint32_t number = spare_branches_.back();
  spare_branches_.pop_back();
  branches_[number] = {.step = step,
                       .first_child = use(first_child),
                       .next_sibling = use(next_sibling),
                       .details = details.is_empty() ? kNone : keep_details(std::move(details)),
                       .uses = 0};
  return number;
}

std::uint32_t WakeupTrees::keep_details(BranchDetails details) {
  if (spare_details_.empty()) {
    spare_details_.push_back(static_cast<std::uint32_t>(details_.size()));
    details_.emplace_back();
  }
  const std::uint32_t number = spare_details_.back();
  spare_details_.pop_back();
  details_[number] = std::move(details);
  return number;
}

void WakeupTrees::drop_details(std::uint32_t branch) {
  const std::uint32_t number = std::exchange(branches_[branch].details, kNone);
  if (number == kNone) return;
  details_[number] = {};
  spare_details_.push_back(number);
}

void WakeupTrees::append(std::uint32_t& list, std::span<const std::uint32_t> path, std::uint32_t added) {
  std::uint32_t* link = &list;
  for (const std::uint32_t wanted : path) {
    while (*link != wanted) link = &branches_[own(*link)].next_sibling;
    link = &branches_[own(*link)].first_child;
  }
  while (*link != kNone) link = &branches_[own(*link)].next_sibling;
  *link = use(added);
}

void WakeupTrees::cut_behind(std::uint32_t& list, std::uint32_t wanted, std::vector<EventName> order) {
  std::uint32_t* link = &list;
  while (*link != wanted) link = &branches_[own(*link)].next_sibling;
  const std::uint32_t leaf = own(*link);
  BranchDetails details{.order = std::move(order), .commutes = details_of(leaf).commutes};
  drop_details(leaf);
  if (!details.is_empty()) branches_[leaf].details = keep_details(std::move(details));
  drop(std::exchange(branches_[leaf].first_child, kNone));
}

// Makes the branch of a link one that nothing else uses, so that it can be changed.
std::uint32_t WakeupTrees::own(std::uint32_t& link) {
  if (branches_[link].uses == 1) return link;
  const Branch shared = branches_[link];
  const std::uint32_t copy =
      add(steps_.use_again(shared.step), shared.first_child, details_of(link), shared.next_sibling);
  --branches_[link].uses;
  link = use(copy);
  return copy;
}

void WakeupTrees::drop(std::uint32_t list) {
  to_drop_.push_back(list);
  while (!to_drop_.empty()) {
    const std::uint32_t number = to_drop_.back();
    to_drop_.pop_back();
    if (number == kNone || --branches_[number].uses > 0) continue;
    const Branch& branch = branches_[number];
    steps_.drop(branch.step);
    drop_details(number);
    to_drop_.push_back(branch.next_sibling);
    to_drop_.push_back(branch.first_child);
    spare_branches_.push_back(number);
  }
}

std::vector<std::uint32_t> WakeupTrees::bottom_up(std::span<const std::uint32_t> lists) const {
  std::vector<std::uint32_t> order, open;
  std::vector<std::uint8_t> is_known(branches_.size(), 0);
  const auto is_new = [&](std::uint32_t branch) { return branch != kNone && is_known[branch] == 0; };
  for (const std::uint32_t list : lists) {
    if (is_new(list)) open.push_back(list);
    while (!open.empty()) {
      const Branch& branch = branches_[open.back()];
      const std::size_t opened = open.size();
      if (is_new(branch.next_sibling)) open.push_back(branch.next_sibling);
      if (is_new(branch.first_child)) open.push_back(branch.first_child);
      if (open.size() > opened) continue;
      if (is_new(open.back())) order.push_back(open.back());
      is_known[open.back()] = 1;
      open.pop_back();
    }
  }
  return order;
}

void WakeupTrees::share(std::span<std::uint32_t* const> lists) {
  const auto hash_branch = [&](std::uint32_t number) {
    const Branch& branch = branches_[number];
    return combine(combine(branch.step, hash_of(details_of(number))),
                   std::uint64_t{branch.first_child} << 32 | branch.next_sibling);
  };
  const auto are_equal = [&](std::uint32_t one, std::uint32_t other) {
    const Branch &those = branches_[one], &these = branches_[other];
    return those.step == these.step && those.first_child == these.first_child &&
           those.next_sibling == these.next_sibling && details_of(one) == details_of(other);
  };
  std::unordered_set<std::uint32_t, decltype(hash_branch), decltype(are_equal)> kept(size(), hash_branch,
                                                                                     are_equal);
  std::unordered_map<std::uint32_t, std::uint32_t> equal;  // to those that are not kept
  const auto relink = [&](std::uint32_t& link) {
    const auto known = equal.find(link);
    if (known == equal.end()) return;
    // Dropped below, when nothing is read of it any more
    const std::uint32_t before = std::exchange(link, use(known->second));
    --branches_[before].uses;
  };
  std::vector<std::uint32_t> firsts;
  for (const std::uint32_t* list : lists) firsts.push_back(*list);
  for (const std::uint32_t number : bottom_up(firsts)) {
    relink(branches_[number].first_child);
    relink(branches_[number].next_sibling);
    const auto [place, is_new] = kept.insert(number);
    if (!is_new) equal.emplace(number, *place);
  }
  for (std::uint32_t* list : lists) relink(*list);
  // Nothing uses these any more.
  for (const auto& [number, other] : equal) {
    ++branches_[number].uses;
    drop(number);
  }
  large_ = std::max(large_min_, 2 * size());
}

}  // namespace ravel
