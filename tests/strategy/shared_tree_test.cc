// Reduction in parts, of which several are under way at a time and come back in any order, against exhaustive
// search: the same traces, each once, none in vain.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "base/random.h"
#include "engine/explorer.h"
#include "strategy/depth_first.h"
#include "strategy/optimal_reduction/optimal_reduction.h"
#include "strategy/optimal_reduction/shared_tree.h"
#include "tests/toy/message_system.h"
#include "tests/toy/trace_counter.h"

namespace ravel {
namespace {

using reduction::SharedTree;
using toy::Act;
using toy::MessageProgram;
using toy::MessageSystem;
using toy::TraceCounter;

struct Found {
  std::map<std::string, std::uint64_t> traces;
  std::set<std::string> bugs;
  std::uint64_t in_vain = 0, parts = 0, commits = 0, divisions = 0, leaves_given_back = 0, batches = 0;

  void add(const Exploration& exploration, const TraceCounter& counter) {
    for (const auto& [trace, times] : counter.traces) traces[trace] += times;
    for (const FoundBug& found : exploration.bugs) bugs.insert(found.bug.key());
    in_vain += exploration.counts.redundant + exploration.counts.abandoned;
  }
};

Limits of_a_part(std::uint64_t executions) {
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  limits.executions = executions;
  return limits;
}

using Ground = std::shared_ptr<const reduction::ObjectsInCommon>;

// Objects of all MessageSystems of a program have the same numbers.
Ground some_objects(const MessageProgram& program, Random& random) {
  auto ground = std::make_shared<reduction::ObjectsInCommon>();
  MessageSystem system(program);
  for (int execution = 0; execution < 20; ++execution) {
    system.reset();
    while (system.outcome() == Outcome::kRunning) {
      const auto enabled = system.enabled();
      const Transition chosen = enabled[random.below(enabled.size())];
      for (const Touch& touch : system.step(chosen).footprint)
        if (random.below(10) > 0) ground->objects.find_or_add(touch.object, 0);
    }
  }
  // Of most programs all actors.
  ground->actors.assign(program.size(), true);
  if (random.below(4) == 0) ground->actors[random.below(program.size())] = false;
  return ground;
}

// One execution of a part after another, in a System of its own, as another process would.
class Worker {
 public:
  Worker(const MessageProgram& program, Part part, const Ground& ground)
      : system_(program), part_(std::move(part)), ground_(ground) {}

  std::uint64_t number() const { return part_.number; }
  const std::string& notes() const { return notes_; }
  const std::optional<std::string>& rest() const { return rest_; }

  // Now and then it tells where it is, and goes on with less.
  void run(SharedTree& tree, std::uint64_t executions, Random& random, Found& found) {
    const auto reduction = make_optimal_reduction();
    reduction->stand_on(ground_);
    PositionReader reader(part_.position);
    Trials trials(system_);
    ASSERT_TRUE(reduction->read_position(reader, trials));
    ASSERT_TRUE(reader.is_complete());
    reduction->become_part(part_.from_level);
    TraceCounter counter(*reduction, system_);
    SteadyClock clock;
    std::atomic<bool> tells = random.below(2) == 0;
    Surroundings surroundings;
    surroundings.keep_now = &tells;
    surroundings.keep = [&](const Exploration& now) {
      tells = random.below(2) == 0;
      EXPECT_TRUE(tree.commit(part_.number, reduction->take_notes()));
      tree.keep(part_.number, *now.position);
      if (tree.has_waiting() && random.below(2) == 0) return;
      const PartSource::Division division = tree.divide(part_.number);
      EXPECT_FALSE(division.is_damaged);
      if (!division.from_level) return;
      reduction->become_part(*division.from_level);
      ++found.divisions;
      if ((*division.from_level & reduction::kKeepsLeaves) != 0) ++found.leaves_given_back;
    };
    const Exploration exploration =
        Explorer(system_, counter, of_a_part(executions), clock, surroundings).run();
    found.add(exploration, counter);
    notes_ = reduction->take_notes();
    rest_ = exploration.position;
  }

 private:
  MessageSystem system_;
  Part part_;
  const Ground ground_;
  std::string notes_;
  std::optional<std::string> rest_;
};

Found search_in_parts(const MessageProgram& program, const Ground& ground, Random& random) {
  Found found;
  MessageSystem system(program);
  auto tree_now = std::make_unique<SharedTree>(system, Reversals::kAll, 0, ground);
  PositionWriter nothing_yet;
  nothing_yet.put(0);
  EXPECT_TRUE(tree_now->begin(nothing_yet.bytes()));
  const std::uint64_t executions = 1 + random.below(20), in_flight = 2 + random.below(7);
  std::vector<std::unique_ptr<Worker>> under_way;
  while (!tree_now->is_done() && !::testing::Test::HasFatalFailure()) {
    // Now and then all processes come to an end, and the search goes on from what was kept.
    if (under_way.empty() && random.below(10) == 0) {
      const std::string position = tree_now->position();
      tree_now = std::make_unique<SharedTree>(system, Reversals::kAll, 0, ground);
      EXPECT_TRUE(tree_now->begin(position));
    }
    SharedTree& tree = *tree_now;
    while (under_way.size() < in_flight && (under_way.empty() || random.below(20) > 0)) {
      auto part = tree.hand_out();
      if (!part) break;
      if (PositionReader(part->position).get() == reduction::kLeavesPosition) ++found.batches;
      under_way.push_back(std::make_unique<Worker>(program, std::move(*part), ground));
      under_way.back()->run(tree, executions, random, found);
      ++found.parts;
    }
    const std::size_t chosen = random.below(under_way.size());
    const auto worker = std::move(under_way[chosen]);
    under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(chosen));
    EXPECT_TRUE(tree.commit(worker->number(), worker->notes()));
    found.commits += worker->notes().empty() ? 0 : 1;
    if (!worker->rest()) {
      tree.finish(worker->number(), true);
      continue;
    }
    tree.keep(worker->number(), *worker->rest());
    if (random.below(3) > 0) {
      EXPECT_FALSE(tree.divide(worker->number()).is_damaged);
    }
    tree.take_back(worker->number());
  }
  EXPECT_EQ(under_way.size(), 0u);
  return found;
}

void compare_random(const std::vector<Act>& acts, std::uint32_t actors, std::uint32_t operations,
                    std::uint64_t programs) {
  std::uint64_t parts = 0, commits = 0, divisions = 0, leaves_given_back = 0, batches = 0, compared = 0;
  static const char* const first_seed = std::getenv("FIRST_SEED");
  for (std::uint64_t seed = first_seed == nullptr ? 0 : std::strtoull(first_seed, nullptr, 10);
       seed < programs; ++seed) {
    Random random(seed);
    const MessageProgram program = toy::random_message_program(random, acts, actors, operations);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + to_string(program));
    MessageSystem system(program);
    DepthFirst exhaustive;
    TraceCounter counter(exhaustive, system);
    SteadyClock clock;
    const Exploration all = Explorer(system, counter, of_a_part(20'000), clock).run();
    if (all.stop != Stop::kComplete) continue;
    Found expected;
    expected.add(all, counter);
    for (auto& [trace, times] : expected.traces) times = 1;
    {
      MessageSystem of_one(program);
      const auto one = make_optimal_reduction();
      TraceCounter counted(*one, of_one);
      const Exploration alone = Explorer(of_one, counted, of_a_part(200'000), clock).run();
      EXPECT_EQ(counted.traces, expected.traces) << "one process alone";
    }
    const Found found =
        search_in_parts(program, seed % 2 == 0 ? some_objects(program, random) : nullptr, random);
    EXPECT_EQ(found.traces, expected.traces);
    EXPECT_EQ(found.bugs, expected.bugs);
    EXPECT_EQ(found.in_vain, 0u);
    if (::testing::Test::HasFailure()) return;
    parts += found.parts;
    commits += found.commits;
    divisions += found.divisions;
    leaves_given_back += found.leaves_given_back;
    batches += found.batches;
    ++compared;
  }
  EXPECT_GT(compared, programs / 2);
  EXPECT_GT(parts, compared);
  ::testing::Test::RecordProperty("parts", static_cast<int>(parts));
  ::testing::Test::RecordProperty("commits", static_cast<int>(commits));
  ::testing::Test::RecordProperty("divisions", static_cast<int>(divisions));
  ::testing::Test::RecordProperty("leaves_given_back", static_cast<int>(leaves_given_back));
  ::testing::Test::RecordProperty("batches", static_cast<int>(batches));
}

// More on request.
const char* const kTracesPrograms = std::getenv("TRACES_PROGRAMS");
const std::uint64_t kPrograms =
    kTracesPrograms == nullptr ? 100 : std::strtoull(kTracesPrograms, nullptr, 10);

TEST(SharedTree, RunsEachTraceOfReadsAndWritesOnce) {
  compare_random({Act::kRead, Act::kWrite, Act::kAdd}, 3, 3, kPrograms);
}
TEST(SharedTree, RunsEachTraceOfOperationsOnSeveralObjectsOnce) {
  compare_random({Act::kRead, Act::kWrite, Act::kBranch, Act::kWriteTwo}, 3, 3, kPrograms);
  compare_random({Act::kClaim, Act::kRead, Act::kWrite}, 3, 3, kPrograms);
}
TEST(SharedTree, RunsEachTraceOfMessagesOnce) {
  compare_random({Act::kSend, Act::kSendTwo, Act::kReceive}, 3, 3, kPrograms);
  compare_random({Act::kSend, Act::kSend, Act::kReceive, Act::kReceiveOr, Act::kRead, Act::kWrite, Act::kAdd},
                 3, 4, kPrograms);
  compare_random({Act::kSendMixed, Act::kSendFirst, Act::kReceive, Act::kReceiveOr, Act::kRead, Act::kAdd}, 3,
                 3, kPrograms);
}
TEST(SharedTree, RunsEachTraceOfDataChoicesOnce) {
  compare_random({Act::kChoose, Act::kRead, Act::kBranch, Act::kAdd}, 3, 2, kPrograms);
}
TEST(SharedTree, RunsEachTraceOfLocksOnce) {
  compare_random({Act::kLock, Act::kUnlock, Act::kTryLock, Act::kAdd}, 3, 3, kPrograms);
  compare_random({Act::kPost, Act::kTake, Act::kLock, Act::kUnlock, Act::kWrite}, 3, 4, kPrograms);
}
TEST(SharedTree, RunsEachTraceOfActorsThatStartAndEndOthersOnce) {
  compare_random({Act::kKill, Act::kSend, Act::kReceive, Act::kReceiveOr, Act::kAdd}, 3, 3, kPrograms);
  compare_random({Act::kCancel, Act::kSend, Act::kReceive, Act::kAdd}, 3, 2, kPrograms);
  compare_random({Act::kSpawn, Act::kSend, Act::kReceive, Act::kAdd}, 3, 3, kPrograms);
}
TEST(SharedTree, RunsEachTraceWithAnEndForAllOnce) {
  compare_random({Act::kStop, Act::kSend, Act::kReceive, Act::kAdd, Act::kAdd}, 3, 2, kPrograms);
  compare_random({Act::kStopSending, Act::kSend, Act::kReceive, Act::kReceiveOr, Act::kAdd}, 3, 3, kPrograms);
}
TEST(SharedTree, RunsEachTraceOfEverythingOnce) {
  compare_random({Act::kRead, Act::kWrite, Act::kAdd, Act::kBranch, Act::kWriteTwo, Act::kSend, Act::kSendTwo,
                  Act::kReceive, Act::kReceiveOr, Act::kKill},
                 3, 3, kPrograms);
  compare_random({Act::kSend, Act::kSendTwo, Act::kReceive, Act::kReceiveOr, Act::kAdd}, 4, 3, kPrograms / 2);
}

MessageProgram readers_and_a_writer(std::uint32_t readers) {
  MessageProgram program = {{{.act = Act::kWrite, .object = 0}}};
  for (std::uint32_t reader = 1; reader <= readers; ++reader)
    program.push_back({{.act = Act::kRead, .object = reader}, {.act = Act::kRead, .object = 0}});
  return program;
}

// Whether it pays off to divide a search that has run so many executions.
bool pays_off(const MessageProgram& program, std::uint64_t executions) {
  MessageSystem system(program);
  const auto reduction = make_optimal_reduction();
  SteadyClock clock;
  const Exploration found = Explorer(system, *reduction, of_a_part(executions), clock).run();
  EXPECT_TRUE(found.position.has_value());
  return reduction->pays_off();
}

// All that is asked for belongs to the tree of the first node.
TEST(SharedTree, IsOfNoUseWhereEachExecutionAsksForSomethingAtAnEarlyNode) {
  EXPECT_FALSE(pays_off(readers_and_a_writer(12), 1'000));
}
TEST(SharedTree, IsOfUseWhereExecutionsAskForSomethingAtLateNodes) {
  MessageProgram program;
  for (int actor = 0; actor < 3; ++actor) program.emplace_back(6, toy::Action{.act = Act::kAdd});
  EXPECT_FALSE(pays_off(program, 2)) << "nobody knows yet";
  EXPECT_TRUE(pays_off(program, 1'000));
}

// A tree with very many leaves, of which many are given away at a time.
TEST(SharedTree, RunsEachTraceOfManyLeavesOnce) {
  const MessageProgram program = readers_and_a_writer(8);
  std::uint64_t batches = 0, leaves_given_back = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Found found = search_in_parts(program, some_objects(program, random), random);
    EXPECT_EQ(found.traces.size(), 256u) << seed;
    for (const auto& [trace, times] : found.traces) EXPECT_EQ(times, 1u) << seed << ": " << trace;
    EXPECT_EQ(found.in_vain, 0u) << seed;
    batches += found.batches;
    leaves_given_back += found.leaves_given_back;
  }
  EXPECT_GT(batches, 20u);
  EXPECT_GT(leaves_given_back, 0u);
}

// That a part may have left something out is not forgotten where the search goes on later.
TEST(SharedTree, APartThatIsNotSureMakesTheWholeUnsure) {
  MessageSystem system({{{.act = Act::kRead}}});
  PositionWriter nothing_yet;
  nothing_yet.put(0);
  SharedTree tree(system, Reversals::kAll, 0, nullptr);
  ASSERT_TRUE(tree.begin(nothing_yet.bytes()));
  EXPECT_TRUE(tree.has_all());
  tree.finish(tree.hand_out()->number, false);
  EXPECT_FALSE(tree.has_all());
  SharedTree later(system, Reversals::kAll, 0, nullptr);
  ASSERT_TRUE(later.begin(tree.position()));
  EXPECT_TRUE(later.is_done());
  EXPECT_FALSE(later.has_all());
}

}  // namespace
}  // namespace ravel
