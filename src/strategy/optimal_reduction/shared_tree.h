// The tree of a reduction of which several processes have parts: who has it gives parts away, and puts into
// it what they have found out about nodes above them (J. Simsa, R. Bryant, G. Gibson, J. Hickey, "Scalable
// dynamic partial order reduction", RV 2012, share a tree in this way, of a reduction that is not optimal).
//
// The idea. What a branch of a wakeup tree leads to depends on the branches before it alone, which sleep
// there whether they were run or not. So branches may be run in any order, as long as the order of siblings
// stays that in which they were put there. Three rules make the traces those of one process, each once:
//
// 1. Siblings stay in the tree when they are run, and sleep in all after them.
// 2. What a race asks for is compared with what sleeps at its node, and with all siblings before the branch
//    of its own execution; then it goes down the siblings after that, also those that were run or are being
//    run, as it does down a wakeup tree; where nothing covers it, it becomes the last one.
// 3. A leaf is closed once it is there: whoever runs it finds all that follows from it. So what comes to a
//    leaf is covered, though the leaf may have been divided since into parts that are run by several.
//
// A race is found by a part. Of nodes above it that knows what sleeps, and the branches that it has given
// away itself. What these do not cover makes it note the execution; here that is run once more, and its races
// are put where they belong now. Whatever they cover stays covered, since nothing is taken out of a list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/part_source.h"
#include "engine/position.h"
#include "engine/system.h"
#include "strategy/optimal_reduction/common_ground.h"
#include "strategy/optimal_reduction/noted_executions.h"
#include "strategy/optimal_reduction/optimal_reduction.h"
#include "strategy/optimal_reduction/patience.h"
#include "strategy/optimal_reduction/races.h"
#include "strategy/optimal_reduction/reduced_execution.h"
#include "strategy/optimal_reduction/search_state.h"

namespace ravel::reduction {

// What the position of a part begins with that has several leaves: they are taken up one after the other.
inline constexpr std::uint64_t kLeavesPosition = 3;
// In the place of a level (Divisible::become_part): a part of several leaves keeps so many first ones of
// those that it has not begun.
inline constexpr std::uint32_t kKeepsLeaves = std::uint32_t{1} << 31;

class SharedTree final : public PartSource, private Patience {
 public:
  // `system` must outlive this object. `ground`: what this process has in common with those that run parts;
  // null: nothing.
  SharedTree(System& system, Reversals reversals, std::size_t prefix,
             std::shared_ptr<const ObjectsInCommon> ground);

  // The whole search is one part, which goes on from here; or goes on from what position() has said. False:
  // that makes no sense for this System.
  bool begin(std::string position);
  static bool is_position(std::string_view position);

  std::optional<Part> hand_out() override;
  bool has_waiting() const override { return !waiting_.empty(); }
  bool is_done() const override { return parts_.empty(); }
  bool commit(PartNumber part, std::string_view notes) override;
  void keep(PartNumber part, std::string position) override;
  void finish(PartNumber part, bool has_all) override;
  bool has_all() const override { return has_all_; }
  Division divide(PartNumber part) override;
  void take_back(PartNumber part) override;
  std::string position() const override;

 private:
  static constexpr std::uint32_t kNone = WakeupTrees::kNone;
  using Path = std::vector<std::uint32_t>;  // branches, one of each level

  // A leaf, and what follows from it.
  struct Leaf {
    Path path;                // down to it
    std::uint32_t known = 0;  // at so many levels, the first ones, the branches were taken by an execution
    std::uint32_t from_level = 0;
    std::string rest;  // where it goes on; empty: at its beginning
    bool is_begun = false;
  };
  // What has made the tree what it is: to be done again where the search goes on later.
  struct Change {
    enum class Kind : std::uint8_t { kCommit, kDivide, kFinish, kFinishUnsure } kind;
    PartNumber part;
    std::string bytes;  // notes, or the position that was divided
  };
  // What is given away at a time: a leaf, and others after it. The number of the first one stands for all.
  struct Batch {
    std::vector<PartNumber> leaves;
    std::size_t at = 0;  // which one is run; those before have ended
  };
  // Which comes first in the order of one process.
  struct Place {
    std::vector<std::uint64_t> order;  // of the branches of a path
    PartNumber number = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  bool ends_after(std::uint64_t) override { return false; }
  bool change_again(PositionReader& reader);

  PartNumber now_of(PartNumber part) const;
  std::string put_leaves_after(PartNumber first);
  std::optional<std::string> print_next(const Path& before, const Leaf& next);
  void finish_leaf(PartNumber leaf, bool has_all);
  void add_leaf(Path path, std::uint32_t known);
  void add_leaves(std::uint32_t list, Path& above, std::uint32_t known);
  Place place_of(PartNumber number) const;
  std::uint32_t list_at(const Path& path, std::size_t level) const;
  void set_path(const Leaf& leaf);
  void forget_path();
  void settle(const Path& path, std::uint32_t level, std::uint32_t after = kNone);
  std::optional<std::uint32_t> take_after(std::uint32_t level, const StepName& name);
  std::string position_of(const Leaf& leaf);
  bool commit_one(const Leaf& leaf, std::string_view note);
  void keep_attached(const Path& path);
  void drop_below(std::uint32_t divided);
  std::uint32_t copy_level(const Node& node, const SearchState& from);
  std::uint32_t copy(const SearchState& from, std::uint32_t list);
  std::uint32_t copy_step(const SearchState& from, std::uint32_t step);

  System& system_;
  const std::size_t prefix_;
  const std::shared_ptr<const ObjectsInCommon> ground_;
  SearchState search_;  // its nodes are those of the path that is looked at
  ReducedExecution execution_{search_.nodes, search_.steps};
  NotedExecutions noted_;
  Races races_;
  std::vector<Attached> attached_;

  std::uint32_t root_ = kNone;  // the list of the first level
  // By branch: the list of what follows from a leaf that was divided, and how many parts are left of it
  struct Below {
    std::uint32_t list;
    std::size_t parts = 0;
  };
  std::unordered_map<std::uint32_t, Below> below_;
  std::unordered_map<std::uint32_t, std::uint64_t> order_;  // of branches, as they came
  std::unordered_set<std::uint32_t>
      settled_;  // branches whose steps are known as they are where they are taken
  std::map<PartNumber, Leaf> parts_;
  std::map<PartNumber, Batch> batches_;  // of more than one leaf, that somebody has
  std::string first_position_;
  std::vector<Change> changes_;
  std::set<Place> waiting_;
  PartNumber next_part_ = 0;
  std::uint64_t next_order_ = 0;
  bool has_all_ = true;
};

}  // namespace ravel::reduction
