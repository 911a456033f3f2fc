// The wakeup trees of a reduction: at each node of its execution, what is still to be run there.
//
// A tree is a list of branches, which are tried in turn. When there are many, equal parts of trees become one
// (`share`), so that they are held as a graph: the trees of programs that are known for very large ones, such
// as n readers and a writer, hold the same steps in the same order in most of their parts. A part that has
// become one of several is copied before it is changed.

#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "strategy/optimal_reduction/step_pool.h"

namespace ravel {

// What only few branches have.
struct BranchDetails {
  // The order of a leaf, in which everything up to it is executed; empty: as it is in the tree
  std::vector<EventName> order = {};
  std::vector<StepName> commutes = {};  // steps with which its event does not conflict on a closer look

  bool is_empty() const { return order.empty() && commutes.empty(); }
  friend bool operator==(const BranchDetails&, const BranchDetails&) = default;
};

class WakeupTrees {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // A step that is to be taken, and what after it, in turn; if nothing, whatever comes. A list is the number
  // of its first branch, which stands for those after it, too; the empty one is kNone.
  struct Branch {
    std::uint32_t step = kNone;
    std::uint32_t first_child = kNone, next_sibling = kNone;
    std::uint32_t details = kNone;  // few have any
    std::uint32_t uses = 0;         // as a child, a sibling or the first of a tree
  };

  // Branches use the pool's steps, which must outlive this object. Of up to `large_min` branches equal parts
  // are not looked for.
  WakeupTrees(StepPool& steps, std::size_t large_min)
      : steps_(steps), large_min_(large_min), large_(large_min) {}

  const Branch& operator[](std::uint32_t branch) const { return branches_[branch]; }
  // Empty if it has none.
  const BranchDetails& details_of(std::uint32_t branch) const {
    static const BranchDetails kNothing;
    return branches_[branch].details == kNone ? kNothing : details_[branches_[branch].details];
  }
  // How many branches are held.
  std::size_t size() const { return branches_.size() - spare_branches_.size(); }

  // A new branch with what is after it, in front of others, not in use yet. Takes over one use of the step.
  std::uint32_t add(std::uint32_t step, std::uint32_t first_child, BranchDetails details = {},
                    std::uint32_t next_sibling = kNone);
  // Puts branches after the last child of the last branch of `path`, which goes down from one of the list's;
  // or after the list's last if the path is empty.
  void append(std::uint32_t& list, std::span<const std::uint32_t> path, std::uint32_t added);
  // Drops what is after a branch of the list, which becomes a leaf that is executed in this order.
  void cut_behind(std::uint32_t& list, std::uint32_t wanted, std::vector<EventName> order);
  // The list, in use once more.
  std::uint32_t use(std::uint32_t list) {
    if (list != kNone) ++branches_[list].uses;
    return list;
  }
  // One use less. What is not in use is gone.
  void drop(std::uint32_t list);

  // Whether there are so many that it is time to share them.
  bool is_large() const { return size() > large_; }
  // Makes equal parts of all trees one. REQUIRES: these are all lists that are used from outside.
  void share(std::span<std::uint32_t* const> lists);
  // All branches of these lists, each once, after its children and next siblings.
  std::vector<std::uint32_t> bottom_up(std::span<const std::uint32_t> lists) const;

  // What comes after a branch, in place of nothing. The use of the list is the branch's from now on.
  // REQUIRES: nothing did.
  void set_next(std::uint32_t branch, std::uint32_t list) { branches_[branch].next_sibling = list; }
  // Gives a branch another step, whose use it takes over.
  void change_step(std::uint32_t branch, std::uint32_t step) { branches_[branch].step = step; }
  // Renames what branches name in addition to their steps; false as soon as `rename`, of an event or a step,
  // says so.
  template <class Rename>
  bool rename(Rename rename) {
    return std::ranges::all_of(details_, [&](BranchDetails& details) {
      return std::ranges::all_of(details.order, rename) && std::ranges::all_of(details.commutes, rename);
    });
  }

 private:
  std::uint32_t own(std::uint32_t& link);
  std::uint32_t keep_details(BranchDetails details);
  void drop_details(std::uint32_t branch);

  StepPool& steps_;
  std::deque<Branch> branches_;  // also those that are not in use, which spare_branches_ are
  std::vector<std::uint32_t> spare_branches_;
  std::deque<BranchDetails> details_;
  std::vector<std::uint32_t> spare_details_;
  const std::size_t large_min_;
  std::size_t large_;
  std::vector<std::uint32_t> to_drop_;
};

}  // namespace ravel
