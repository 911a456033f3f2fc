// Trees that are shared, changed and taken apart hold what a plain copy of them holds, and few branches if
// they are alike.

#include "strategy/optimal_reduction/wakeup_trees.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/explorer.h"
#include "engine/strategy_wrapper.h"
#include "strategy/optimal_reduction/optimal_reduction.h"
#include "tests/toy/message_system.h"
#include "tests/toy/trace_counter.h"

namespace ravel {
namespace {

constexpr std::uint32_t kNone = WakeupTrees::kNone;

StepName name_of(std::uint32_t actor) { return {.event = {.actor = ActorId{actor}, .ordinal = 0}}; }

// The same, naively.
struct Tree {
  std::uint32_t actor;
  std::vector<Tree> children = {};
  std::vector<EventName> order = {};

  friend bool operator==(const Tree&, const Tree&) = default;
};

std::vector<Tree> read(const WakeupTrees& trees, const StepPool& steps, std::uint32_t list) {
  std::vector<Tree> read_trees;
  for (std::uint32_t at = list; at != kNone; at = trees[at].next_sibling)
    read_trees.push_back({.actor = static_cast<std::uint32_t>(steps[trees[at].step].name.event.actor),
                          .children = read(trees, steps, trees[at].first_child),
                          .order = trees.details_of(at).order});
  return read_trees;
}

// Some trees, and the same naively; each change is made to both.
class Trees {
 public:
  explicit Trees(std::size_t count) : lists_(count, kNone), plain_(count) {}

  // Puts a path of two steps below a random branch.
  void append(Random& random) {
    const auto number = static_cast<std::size_t>(random.below(lists_.size()));
    std::vector<std::uint32_t> path;
    std::uint32_t* link = &lists_[number];
    std::vector<Tree>* below = &plain_[number];
    std::uint32_t list = *link;
    while (!below->empty() && random.below(3) != 0) {
      const auto place = static_cast<std::size_t>(random.below(below->size()));
      for (std::size_t i = 0; i < place; ++i) list = trees_[list].next_sibling;
      if (trees_[list].first_child == kNone) break;
      path.push_back(list);
      list = trees_[list].first_child;
      below = &(*below)[place].children;
    }
    const auto one = static_cast<std::uint32_t>(random.below(3)),
               other = static_cast<std::uint32_t>(random.below(3));
    std::vector<EventName> order;
    if (random.below(4) == 0)
      order.push_back({.actor = ActorId{9}, .ordinal = static_cast<std::uint32_t>(random.below(2))});
    below->push_back({.actor = one, .children = {{.actor = other, .children = {}, .order = order}}});
    const std::uint32_t leaf = trees_.add(use_step(other), kNone, {.order = order, .commutes = {}});
    trees_.append(lists_[number], path, trees_.add(use_step(one), leaf));
  }

  // Takes the first branch of a tree away, with all below it.
  void take_first(Random& random) {
    const auto number = static_cast<std::size_t>(random.below(lists_.size()));
    if (lists_[number] == kNone) return;
    const std::uint32_t first = lists_[number];
    lists_[number] = trees_.use(trees_[first].next_sibling);
    trees_.drop(first);
    plain_[number].erase(plain_[number].begin());
  }

  void share() {
    std::vector<std::uint32_t*> lists;
    for (std::uint32_t& list : lists_) lists.push_back(&list);
    trees_.share(lists);
  }

  void expect_same() const {
    for (std::size_t i = 0; i < lists_.size(); ++i)
      ASSERT_EQ(read(trees_, steps_, lists_[i]), plain_[i]) << "tree " << i;
  }
  std::size_t size() const { return trees_.size(); }

 private:
  std::uint32_t use_step(std::uint32_t actor) { return steps_.use(name_of(actor), 0, false, {}); }

  StepPool steps_;
  WakeupTrees trees_{steps_, TreeLimits().share_above};
  std::vector<std::uint32_t> lists_;
  std::vector<std::vector<Tree>> plain_;
};

TEST(WakeupTrees, AreTheSameSharedOrNot) {
  std::size_t most = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Trees trees(3);
    for (int i = 0; i < 300; ++i) {
      switch (random.below(10)) {
        case 0: trees.share(); break;
        case 1:
        case 2: trees.take_first(random); break;
        default: trees.append(random);
      }
      trees.expect_same();
      if (HasFatalFailure()) return;
    }
    most = std::max(most, trees.size());
    while (trees.size() > 0) {
      trees.take_first(random);
      trees.expect_same();
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(most, 100u);
}

TEST(WakeupTrees, KeepEqualPartsOnce) {
  StepPool steps;
  WakeupTrees trees(steps, TreeLimits().share_above);
  const auto use_step = [&](std::uint32_t actor) { return steps.use(name_of(actor), 0, false, {}); };
  std::uint32_t list = kNone;
  constexpr std::uint32_t kPaths = 1'000;
  for (std::uint32_t i = 0; i < kPaths; ++i)
    trees.append(list, {},
                 trees.add(use_step(i), trees.add(use_step(kPaths), trees.add(use_step(kPaths + 1), kNone))));
  EXPECT_EQ(trees.size(), 3 * kPaths);
  std::uint32_t* const lists[] = {&list};
  trees.share(lists);
  EXPECT_EQ(trees.size(), kPaths + 2);
  // One of them becomes different, without the others.
  const std::uint32_t path[] = {list};
  trees.append(list, path, trees.add(use_step(7), kNone));
  EXPECT_EQ(trees.size(), kPaths + 4);
  trees.drop(list);
  EXPECT_EQ(trees.size(), 0u);
}

// ---- Programs that are known for large trees -----------------------------------------------------------

using toy::Act;
using toy::MessageProgram;
using toy::MessageSystem;
using toy::TraceCounter;

// A writer, and readers who read something of their own first, so that they are reversed one by one.
MessageProgram readers(std::uint32_t count) {
  MessageProgram program = {{{.act = Act::kWrite, .object = 0, .value = 1}}};
  for (std::uint32_t i = 0; i < count; ++i)
    program.push_back({{.act = Act::kRead, .object = 1}, {.act = Act::kRead, .object = 0}});
  return program;
}

class BranchCounter final : public StrategyWrapper {
 public:
  explicit BranchCounter(OptimalReduction& reduction) : StrategyWrapper(reduction), reduction_(reduction) {}

  std::optional<Plan> next_execution() override {
    most = std::max(most, reduction_.branches());
    return StrategyWrapper::next_execution();
  }

  std::size_t most = 0;

 private:
  OptimalReduction& reduction_;
};

struct Searched {
  std::map<std::string, std::uint64_t> traces;
  std::size_t branches = 0;  // the most that were held
  std::uint64_t in_vain = 0;
};

// Goes on from its position with everything new after each `piece` executions, if that is said.
Searched search(const MessageProgram& program, TreeLimits limits, std::optional<std::uint64_t> piece = {}) {
  Searched searched;
  Exploration so_far;
  do {
    MessageSystem system(program);
    const auto reduction = make_optimal_reduction({.limits = limits});
    if (so_far.position) {
      PositionReader reader(*so_far.position);
      Trials trials(system);
      EXPECT_TRUE(reduction->read_position(reader, trials) && reader.is_complete());
    }
    BranchCounter branches(*reduction);
    SteadyClock clock;
    Limits budget;
    budget.executions = piece;
    TraceCounter traces(branches, system);
    so_far = Explorer(system, traces, budget, clock).run(std::move(so_far));
    for (const auto& [trace, times] : traces.traces) searched.traces[trace] += times;
    searched.branches = std::max(searched.branches, branches.most);
  } while (so_far.stop == Stop::kExecutionBudget);
  EXPECT_EQ(so_far.stop, Stop::kComplete);
  searched.in_vain = so_far.counts.redundant + so_far.counts.abandoned;
  return searched;
}

TEST(WakeupTrees, StayFewWhereTheyAreKnownToBeMany) {
  constexpr std::uint32_t kReaders = 10;
  constexpr std::size_t kTraces = std::size_t{1} << kReaders, kShareAbove = 64;
  const MessageProgram program = readers(kReaders);
  const Searched plain = search(program, TreeLimits{.share_above = kTraces * kReaders});
  EXPECT_EQ(plain.traces.size(), kTraces);
  EXPECT_GT(plain.branches, kTraces / 2);
  const Searched shared = search(program, TreeLimits{.share_above = kShareAbove});
  EXPECT_EQ(shared.traces, plain.traces);
  EXPECT_LT(shared.branches, 4 * kShareAbove);
  // Shared from the first on, they grow with the number of readers, where trees double.
  for (const std::uint32_t more : {kReaders, kReaders + 2})
    EXPECT_LT(search(readers(more), TreeLimits{.share_above = 1}).branches, 10 * more);
  const Searched in_pieces = search(program, TreeLimits{.share_above = kShareAbove}, 50);
  EXPECT_EQ(in_pieces.traces, plain.traces);
  EXPECT_LT(in_pieces.branches, 4 * kShareAbove);
  for (const Searched* searched : {&plain, &shared, &in_pieces}) EXPECT_EQ(searched->in_vain, 0u);
}

TEST(WakeupTrees, AreCutWhereTheyStayTooMany) {
  constexpr std::uint32_t kReaders = 7;
  constexpr std::size_t kTraces = std::size_t{1} << kReaders, kCutAbove = 16;
  const MessageProgram program = readers(kReaders);
  const TreeLimits limits{.share_above = kTraces * kReaders, .cut_above = kCutAbove};
  const Searched cut = search(program, limits);
  EXPECT_EQ(cut.traces.size(), kTraces);
  // A wakeup sequence of one step at most for each node and reader.
  EXPECT_LE(cut.branches, kCutAbove + 2 * (kReaders + 2) * (kReaders + 2));
  EXPECT_GT(cut.in_vain, 0u);
  RecordProperty("in_vain", static_cast<int>(cut.in_vain));
  EXPECT_EQ(search(program, limits, 50).traces.size(), kTraces);
}

}  // namespace
}  // namespace ravel
