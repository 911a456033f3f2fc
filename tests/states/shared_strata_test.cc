// Searches by delays that share what they have visited: each stratum of them together is that of one search,
// whoever runs which chains, and when.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/bug_ledger.h"
#include "explorers/built_in.h"
#include "states/state_search.h"
#include "states/strata_rounds.h"
#include "tests/states/shared_toy.h"
#include "tests/states/toy_searches.h"
#include "tests/toy/programs.h"

namespace ravel {
namespace {

using toy::Program;
using toy::ToySystem;

constexpr std::uint64_t kExplorerSeed = 7;

struct Asked {
  std::string_view explorer = "rr";
  std::optional<std::uint32_t> delays_max = {};
  AfterBug after_bug = AfterBug::kKeepGoing;
};

// What is told of a search, but for times.
struct Told {
  std::uint64_t states = 0, transitions = 0, depth = 0, executions = 0, erroneous = 0;
  std::optional<std::uint32_t> completed = {};
  std::uint32_t current = 0;
  bool is_exhausted = false;
  std::vector<std::string> bugs = {};  // with how often each was found

  friend bool operator==(const Told&, const Told&) = default;
};

void PrintTo(const Told& told, std::ostream* out) {
  *out << told.states << " states, " << told.transitions << " transitions, depth " << told.depth << ", "
       << told.executions << " executions, " << told.erroneous << " erroneous, " << told.bugs.size()
       << " bugs; " << (told.completed ? static_cast<int>(*told.completed) : -1) << " of " << told.current
       << (told.is_exhausted ? " and all" : "");
  for (const std::string& bug : told.bugs) *out << "\n  " << bug;
}

void add_bugs(Told& told, const std::vector<FoundBug>& bugs) {
  for (const FoundBug& bug : bugs) told.bugs.push_back(bug.bug.key() + " " + std::to_string(bug.executions));
  std::ranges::sort(told.bugs);
}

Limits limits_of(const Asked& asked) {
  Limits limits;
  limits.after_bug = asked.after_bug;
  return limits;
}

struct Alone {
  Told told;
  std::vector<FoundBug> bugs;
};

Alone search_alone(const Program& program, const Asked& asked) {
  ToySystem system(program);
  SteadyClock clock;
  StateSearch search(system, StateOrder::kByDelays, limits_of(asked), clock);
  search.delay(built_in_explorer(asked.explorer, kExplorerSeed), asked.delays_max);
  const Exploration found = search.run();
  const Bound* const bound = found.counts.coverage.bound(BoundOn::kStrata);
  Told told{.states = found.counts.states->states,
            .transitions = found.counts.states->transitions,
            .depth = found.counts.states->depth,
            .executions = found.counts.executions,
            .erroneous = found.counts.erroneous,
            .completed = bound->completed,
            .current = *bound->current,
            .is_exhausted = bound->is_exhausted};
  add_bugs(told, found.bugs);
  return {.told = told, .bugs = found.bugs};
}

// Several searches of one program in this process, of which now and then one has nothing to do, or learns
// something, so that another one has to take what is left to it.
class Team {
 public:
  Team(const Program& program, const Asked& asked, std::size_t size, std::uint64_t seed)
      : program_(program), asked_(asked), random_(seed), rounds_(states_, asked.delays_max, size) {
    states_.keep_ranks();
    for (std::size_t i = 0; i < size; ++i) {
      members_.emplace_back();
      begin(i);
    }
  }

  // From the beginning, or from where another team was when a stratum began.
  void run(const Exploration* from = nullptr) {
    if (from != nullptr)
      go_on_from(*from);
    else
      waiting_.push_back(StatePiece{});
    hand_out();
    while (rounds_.go_on()) {
      ++orders;
      const bool begins = rounds_.order_for(0).kind == StratumOrder::Kind::kNextStratum;
      if (begins) begin_stratum();
      // All have their orders before one of them can give anything away.
      std::vector<std::size_t> ordered = in_some_order();
      std::erase_if(ordered, [this](std::size_t number) { return !members_[number]->has_begun; });
      for (const std::size_t number : ordered) members_[number]->is_at_work = true;
      for (const std::size_t number : ordered) {
        Member& member = *members_[number];
        const StratumOrder order = rounds_.order_for(number);
        are_checking_ = order.kind == StratumOrder::Kind::kCheck;
        std::optional<StratumReport> report;
        work(member, [&] { return member.search.obey(order, report); });
        if (!report) continue;
        cuts += report->was_cut ? 1 : 0;
        rounds_.hear(number, std::move(*report));
      }
      if (begins) end_saving();
      hand_out();
    }
  }

  Told told() const {
    Told all{.completed = rounds_.completed(),
             .current = rounds_.stratum(),
             .is_exhausted = rounds_.is_exhausted()};
    const auto add = [&](const Exploration& found) {
      const Counts& counts = found.counts;
      if (!counts.states) return;
      all.states += counts.states->states;
      all.transitions += counts.states->transitions;
      all.depth = std::max(all.depth, counts.states->depth);
      all.executions += counts.executions;
      all.erroneous += counts.erroneous;
    };
    for (const Exploration& found : found_before_) add(found);
    for (const auto& member : members_) add(member->found);
    add_bugs(all, bugs());
    return all;
  }
  std::vector<FoundBug> bugs() const {
    BugLedger all;
    for (const Exploration& found : found_before_) all.merge(found.bugs);
    for (const auto& member : members_) all.merge(member->found.bugs);
    return all.take();
  }
  std::size_t pieces = 0, rests = 0, cuts = 0, orders = 0;
  std::vector<Exploration> saved;  // each stratum when it began

 private:
  struct Member {
    Member(const Program& program, SharedStates& states, const Limits& limits, Clock& clock)
        : system(program, states), search(system, StateOrder::kByDelays, limits, clock) {}
    SharedToy system;
    StateSearch search;
    Exploration found;
    bool has_begun = false, is_at_work = false;
  };

  void begin(std::size_t number) {
    members_[number] = std::make_unique<Member>(program_, states_, limits_of(asked_), clock_);
    StateSearch& search = members_[number]->search;
    search.share_by_delays({.states = &states_,
                            .attend = [this, number] { attend(number); },
                            .attend_stratum = [this, number] { save(number); },
                            .visitor = visitors_++},
                           built_in_explorer(asked_.explorer, kExplorerSeed), asked_.delays_max);
    search.shared_strata()->be_with_others();
  }
  // Late ones first: their chains are cut.
  std::vector<std::size_t> in_some_order() {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < members_.size(); ++i) numbers.insert(numbers.begin(), i);
    std::rotate(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(random_.below(numbers.size())),
                numbers.end());
    return numbers;
  }
  template <class Work>
  void work(Member& member, Work what) {
    member.has_begun = member.is_at_work = true;
    member.found = what();
    member.is_at_work = false;
  }
  void attend(std::size_t number) {
    if (random_.below(4) == 0) return;
    StatePiece piece = members_[number]->search.give();
    if (piece.nodes.empty()) return;
    ++pieces;
    put(piece);
    hand_out();
  }
  void put(const StatePiece& piece) {
    const auto copy = parse_state_piece(print_state_piece(piece));
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->nodes, piece.nodes);
    waiting_.push_back(*copy);
  }
  // All that is left to somebody who has run his chains, in the place of whom somebody else goes on.
  void replace_one() {
    const std::size_t number = random_.below(members_.size());
    Member& member = *members_[number];
    if (member.is_at_work || !member.search.has_rest()) return;
    ++rests;
    put(member.search.rest());
    StateNotes notes = member.search.take_notes();
    notes.close_all();
    notes.stratum = rounds_.stratum() + 1;
    next_notes_.push_back(notes);
    found_before_.push_back(member.found);
    begin(number);
  }
  void hand_out() {
    const bool is_anybody_at_work =
        std::ranges::any_of(members_, [](const auto& one) { return one->is_at_work; });
    if (!is_anybody_at_work && !are_checking_ && random_.below(8) == 0) replace_one();
    for (auto& member : members_) {
      if (member->is_at_work || waiting_.empty()) continue;
      const StatePiece piece = std::move(waiting_.front());
      waiting_.pop_front();
      work(*member, [&] { return member->search.go_on_with(piece); });
    }
    if (!waiting_.empty() && !is_anybody_at_work) hand_out();
  }

  void go_on_from(const Exploration& from) {
    const auto tree = SharedPosition::read(*from.position);
    ASSERT_TRUE(tree);
    Member& member = *members_.front();
    are_checking_ = true;  // nobody gives anything away
    ASSERT_TRUE(member.search.go_on_from(from, *tree));
    are_checking_ = false;
    rounds_.begin(tree->stratum);
    work(member, [&] { return member.search.go_on(); });
  }
  void begin_stratum() {
    beginning_ = {};
    beginning_.counts.states.emplace();
    for (const Exploration& found : found_before_) add(found);
    notes_ = std::exchange(next_notes_, {});
  }
  void add(const Exploration& found) {
    if (!found.counts.states) return;
    Counts& all = beginning_.counts;
    all.states->states += found.counts.states->states;
    all.states->transitions += found.counts.states->transitions;
    all.states->depth = std::max(all.states->depth, found.counts.states->depth);
    all.executions += found.counts.executions;
    all.erroneous += found.counts.erroneous;
    BugLedger bugs(std::move(beginning_.bugs));
    bugs.merge(found.bugs);
    beginning_.bugs = bugs.take();
  }
  void save(std::size_t number) {
    StateSearch& search = members_[number]->search;
    StateNotes notes = search.take_notes();
    notes.stratum = rounds_.stratum();
    notes_.push_back(notes);
    add(search.found_so_far());
  }
  void end_saving() {
    for (const StateNotes& notes : notes_) position_.hear(notes);
    beginning_.position = position_.print({});
    saved.push_back(beginning_);
  }

  const Program program_;
  const Asked asked_;
  Random random_;
  SharedStates states_{1};
  StrataRounds rounds_;
  TickingClock clock_;
  std::vector<std::unique_ptr<Member>> members_;
  std::vector<Exploration> found_before_;  // by those who were replaced
  std::deque<StatePiece> waiting_;
  bool are_checking_ = false;
  std::uint32_t visitors_ = 0;
  Exploration beginning_;  // what was found when the stratum began
  SharedPosition position_;
  std::vector<StateNotes> notes_, next_notes_;
};

// With up to some thousand states.
Program program_of(std::uint64_t seed) {
  Random random(seed);
  return toy::random_program(random, kRichAlphabet, 4, 5);
}

TEST(SharedStrata, AreThoseOfOneSearch) {
  std::size_t pieces = 0, rests = 0, cuts = 0, again = 0, bugs = 0;
  for (std::uint64_t seed = 1; seed < 12; ++seed) {
    const Program program = program_of(seed);
    for (const std::string_view explorer : kDelayingExplorers) {
      for (const std::optional<std::uint32_t> delays_max : {std::optional<std::uint32_t>(), {2}, {4}}) {
        const Asked asked = {.explorer = explorer, .delays_max = delays_max};
        const Alone alone = search_alone(program, asked);
        for (const std::size_t size : {1u, 2u, 3u}) {
          Team team(program, asked, size, seed);
          team.run();
          const Told told = team.told();
          ASSERT_EQ(told, alone.told) << "seed " << seed << ", " << explorer << ", " << size << ", delays "
                                      << (delays_max ? static_cast<int>(*delays_max) : -1);
          ToySystem system(program);
          for (const FoundBug& one : team.bugs()) {
            system.reset();
            EXPECT_EQ(system.follow(one.schedule), one.schedule.size());
            EXPECT_EQ(system.bug().key(), one.bug.key());
          }
          pieces += team.pieces;
          rests += team.rests;
          cuts += team.cuts;
          // A stratum that is settled at once needs two orders.
          again += team.orders > 2 * (alone.told.current + 1) ? 1 : 0;
          bugs += told.bugs.size();
        }
      }
    }
  }
  EXPECT_GT(pieces, 1'000u);
  EXPECT_GT(rests, 400u);
  EXPECT_GT(cuts, 500u);
  EXPECT_GT(again, 100u);
  EXPECT_GT(bugs, 500u);
}

// From each stratum, by any number of searches; and once more from one of theirs.
TEST(SharedStrata, GoOnFromWhereOthersWere) {
  std::size_t rests = 0, goings_on = 0;
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    const Program program = program_of(seed);
    for (const std::string_view explorer : kDelayingExplorers) {
      const Asked asked = {.explorer = explorer};
      const Alone alone = search_alone(program, asked);
      Team team(program, asked, 1 + seed % 3, seed);
      team.run();
      ASSERT_EQ(team.told(), alone.told);
      rests += team.rests;
      for (std::size_t stratum = 0; stratum < team.saved.size(); ++stratum) {
        SCOPED_TRACE(testing::Message()
                     << "seed " << seed << ", " << explorer << ", stratum " << stratum + 1);
        Team next(program, asked, 1 + stratum % 3, seed + stratum);
        next.run(&team.saved[stratum]);
        ASSERT_FALSE(HasFatalFailure());
        ASSERT_EQ(next.told(), alone.told);
        ++goings_on;
        if (next.saved.empty()) continue;
        Team last(program, asked, 1 + seed % 3, seed * stratum);
        last.run(&next.saved[next.saved.size() / 2]);
        ASSERT_FALSE(HasFatalFailure());
        ASSERT_EQ(last.told(), alone.told);
      }
    }
  }
  EXPECT_GT(rests, 20u);
  EXPECT_GT(goings_on, 100u);
}

// Also how much was visited before it, and by which schedule it is told.
TEST(SharedStrata, EndAtTheFirstBugOfOneSearch) {
  std::size_t bugs = 0, late = 0;
  for (std::uint64_t seed = 1; seed < 120; ++seed) {
    const Program program = program_of(seed);
    for (const std::string_view explorer : kDelayingExplorers) {
      const Asked asked = {.explorer = explorer, .after_bug = AfterBug::kStop};
      const Alone alone = search_alone(program, asked);
      for (const std::size_t size : {2u, 3u}) {
        Team team(program, asked, size, seed);
        team.run();
        ASSERT_EQ(team.told(), alone.told) << "seed " << seed << ", " << explorer << ", " << size;
        const std::vector<FoundBug> found = team.bugs();
        for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].schedule, alone.bugs[i].schedule);
        bugs += found.size();
        late += found.empty() || alone.told.current < 2 ? 0 : 1;
      }
    }
  }
  EXPECT_GT(bugs, 100u);
  EXPECT_GT(late, 20u);
}

}  // namespace
}  // namespace ravel
