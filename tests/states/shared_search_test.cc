// Searches by states that share what they have visited, and give each other pieces: together they visit what
// one search does, each state once.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/bug_ledger.h"
#include "states/state_search.h"
#include "tests/states/shared_toy.h"
#include "tests/states/toy_searches.h"
#include "tests/toy/programs.h"
#include "tests/toy/toy_system.h"

namespace ravel {
namespace {

using toy::Program;
using toy::ToySystem;

// Several searches of one program in this process. Whoever is asked gives to the next one, which goes on at
// once, and may be asked as well. So whenever one is asked, all others are between two steps.
class Team {
 public:
  struct Options {
    std::size_t size = 2;
    bool by_levels = false;
    std::uint64_t seed = 0;
    std::uint32_t steps_unattended = 256;
    // One time in so many that somebody is asked: where the search is is noted, or it is given up. 0: never
    std::uint64_t saved_each = 0, given_up_each = 0;
  };

  Team(const Program& program, const Options& options) : options_(options), random_(options.seed) {
    limits_.after_bug = AfterBug::kKeepGoing;
    for (std::uint32_t i = 0; i < options_.size; ++i) {
      members_.push_back(std::make_unique<Member>(program, states_, limits_, clock_, is_given_up_));
      Member& member = *members_.back();
      member.search.share({.states = &states_,
                           .attend = [this, i] { attend(i); },
                           .by_levels = options_.by_levels,
                           .visitor = i,
                           .steps_unattended = options_.steps_unattended});
    }
  }

  // From the beginning, or from where another team was.
  void run(const Exploration& from = {}) {
    saved = from;
    if (from.position) {
      const auto tree = SharedPosition::read(*from.position);
      ASSERT_TRUE(tree);
      is_there_ = false;
      ASSERT_TRUE(members_.front()->search.go_on_from(from, *tree));
      is_there_ = true;
    }
    std::uint32_t distance = 1;
    if (options_.by_levels && from.position) distance = members_.front()->search.part().first_distance() + 1;
    if (options_.by_levels) limit(distance);
    go_on(*members_.front());
    hand_out();
    while (!is_given_up_ && has_rest()) {
      ASSERT_TRUE(options_.by_levels);
      limit(++distance);
      for (auto& member : members_)
        if (member->search.part().has_rest()) go_on(*member);
      hand_out();
    }
  }

  bool is_given_up() const { return is_given_up_; }
  Exploration found() const {
    Exploration all;
    StateCounts& states = all.counts.states.emplace();
    BugLedger bugs;
    for (const auto& member : members_) {
      const Exploration now = member->search.found_so_far();
      if (!now.counts.states) continue;
      states.states += now.counts.states->states;
      states.transitions += now.counts.states->transitions;
      states.depth = std::max(states.depth, now.counts.states->depth);
      all.counts.executions += now.counts.executions;
      bugs.merge(now.bugs);
    }
    all.bugs = bugs.take();
    return all;
  }
  StateCounts counts() const { return *found().counts.states; }
  std::size_t pieces = 0;
  Exploration saved;  // last

 private:
  struct Member {
    Member(const Program& program, SharedStates& states, const Limits& limits, Clock& clock,
           const std::atomic<bool>& interrupt)
        : system(program, states),
          search(system, StateOrder::kBreadthFirst, limits, clock, {.interrupt = &interrupt}) {}
    SharedToy system;
    StateSearch search;
    bool is_at_work = false;
  };

  void limit(std::uint32_t distance) {
    for (auto& member : members_) member->search.part().limit_distance(distance);
  }
  bool has_rest() const {
    return std::ranges::any_of(members_, [](const auto& member) { return member->search.part().has_rest(); });
  }
  void go_on(Member& member) {
    if (is_given_up_) return;
    member.is_at_work = true;
    member.search.go_on();
    member.is_at_work = false;
  }
  void attend(std::size_t number) {
    if (!is_there_) return;
    if (options_.saved_each > 0 && random_.below(options_.saved_each) == 0) save();
    if (options_.given_up_each > 0 && random_.below(options_.given_up_each) == 0) is_given_up_ = true;
    if (is_given_up_ || random_.below(3) == 0) return;
    StatePiece piece = members_[number]->search.give();
    if (piece.nodes.empty()) return;
    const auto copy = parse_state_piece(print_state_piece(piece));
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->giver, piece.giver);
    EXPECT_EQ(copy->nodes, piece.nodes);
    ++pieces;
    waiting_.push_back(*copy);
    hand_out();
  }
  void save() {
    for (auto& member : members_) {
      const StateNotes notes = member->search.take_notes();
      const auto copy = parse_state_notes(print_state_notes(notes));
      ASSERT_TRUE(copy);
      EXPECT_EQ(*copy, notes);
      position_.hear(*copy);
    }
    saved = found();
    saved.position = position_.print(waiting_);
  }
  void hand_out() {
    for (auto& member : members_) {
      if (member->is_at_work || waiting_.empty() || is_given_up_) continue;
      const StatePiece piece = std::move(waiting_.front());
      waiting_.pop_front();
      member->is_at_work = true;
      member->search.go_on_with(piece);
      member->is_at_work = false;
    }
    if (is_given_up_) return;
    if (!waiting_.empty() && std::ranges::none_of(members_, [](const auto& one) { return one->is_at_work; }))
      hand_out();
  }

  const Options options_;
  Random random_;
  SharedStates states_{1};
  TickingClock clock_;
  Limits limits_;
  std::atomic<bool> is_given_up_ = false;
  bool is_there_ = true;
  std::vector<std::unique_ptr<Member>> members_;
  std::deque<StatePiece> waiting_;
  SharedPosition position_;
};

Exploration search_alone(const Program& program, StateOrder order) {
  ToySystem system(program);
  SteadyClock clock;
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  return StateSearch(system, order, limits, clock).run();
}

TEST(SharedSearch, VisitsWhatOneSearchVisits) {
  std::size_t pieces = 0, bugs = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const Program program = seed == 0 ? kLarge : toy::random_program(random, kRichAlphabet, 4, 5);
    const Exploration alone = search_alone(program, StateOrder::kBreadthFirst);
    for (const std::size_t size : {1u, 2u, 3u, 8u}) {
      for (const bool by_levels : {false, true}) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(size) +
                     (by_levels ? " by levels" : ""));
        Team team(program, {.size = size, .by_levels = by_levels, .seed = seed});
        team.run();
        EXPECT_EQ(team.counts().states, alone.counts.states->states);
        EXPECT_EQ(team.counts().transitions, alone.counts.states->transitions);
        EXPECT_EQ(team.found().counts.executions, alone.counts.executions);
        const std::vector<FoundBug> found = team.found().bugs;
        EXPECT_EQ(keys_of(found), keys_of(alone.bugs));
        ToySystem system(program);
        for (const FoundBug& one : found) {
          system.reset();
          EXPECT_EQ(system.follow(one.schedule), one.schedule.size());
          EXPECT_EQ(system.bug().key(), one.bug.key());
        }
        if (by_levels) {
          EXPECT_EQ(team.counts().depth, alone.counts.states->depth);
        }
        pieces += team.pieces;
        bugs += found.size();
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(pieces, 100u);
  EXPECT_GT(bugs, 100u);
}

// Any number of searches, which save where they are and are given up at random, one team after the other.
TEST(SharedSearch, GoesOnFromWhereAnotherOneWas) {
  std::size_t pieces = 0, teams = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Random random(seed);
    const Program program = seed == 0 ? kLarge : toy::random_program(random, kRichAlphabet, 4, 5);
    const bool by_levels = random.below(2) == 0;
    SCOPED_TRACE("seed " + std::to_string(seed) + (by_levels ? " by levels" : ""));
    const Exploration alone = search_alone(program, StateOrder::kBreadthFirst);
    const std::uint64_t states = alone.counts.states->transitions;
    Exploration from;
    for (std::uint64_t times = 0;; ++times) {
      const std::uint32_t steps = static_cast<std::uint32_t>(random.below(seed == 0 ? 200 : 8));
      Team team(program, {.size = 1 + random.below(4),
                          .by_levels = by_levels,
                          .seed = random.next(),
                          .steps_unattended = steps,
                          .saved_each = 1 + random.below(1 + states / 20 / (1 + steps)),
                          .given_up_each = times < 30 ? 1 + random.below(1 + states / 5 / (1 + steps)) : 0});
      team.run(from);
      ++teams;
      pieces += team.pieces;
      if (HasFatalFailure()) return;
      from = team.saved;
      if (team.is_given_up()) continue;
      const Exploration found = team.found();
      EXPECT_EQ(found.counts.states->states, alone.counts.states->states);
      EXPECT_EQ(found.counts.states->transitions, alone.counts.states->transitions);
      EXPECT_EQ(found.counts.executions, alone.counts.executions);
      EXPECT_EQ(keys_of(found.bugs), keys_of(alone.bugs));
      if (by_levels) {
        EXPECT_EQ(found.counts.states->depth, alone.counts.states->depth);
      }
      break;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(pieces, 1000u);
  EXPECT_GT(teams, 500u);
}

// A damaged position is no crash, and nothing to go on from: or the search there is the whole one.
TEST(SharedSearch, RefusesDamagedPositions) {
  Random random(3);
  const Program program = toy::random_program(random, kRichAlphabet, 4, 5);
  Team team(program, {.size = 3, .seed = 4, .steps_unattended = 5, .saved_each = 10});
  team.run();
  ASSERT_TRUE(team.saved.position);
  const std::string whole = *team.saved.position;
  EXPECT_TRUE(SharedPosition::is_one(whole));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(SharedPosition::read(whole.substr(0, size)));
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = whole;
    bytes[random.below(bytes.size())] ^= static_cast<char>(1 + random.below(255));
    const auto tree = SharedPosition::read(bytes);
    if (!tree) continue;
    SharedStates states{1};
    SharedToy system(program, states);
    SteadyClock clock;
    StateSearch search(system, StateOrder::kBreadthFirst, {}, clock);
    search.share({.states = &states, .attend = [] {}});
    Exploration from = team.saved;
    from.position = bytes;
    search.go_on_from(from, *tree);
  }
}

TEST(StatePiece, IsReadAsItWasWritten) {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    StatePiece piece;
    for (std::uint64_t count = random.below(40); piece.nodes.size() < count;) {
      const auto size = static_cast<std::uint32_t>(piece.nodes.size());
      StatePiece::Node node;
      if (size > 0 && random.below(8) > 0) {
        node.parent = static_cast<std::uint32_t>(random.below(size));
        node.index = static_cast<std::uint32_t>(random.below(300));
      }
      node.is_open = random.below(2) == 0;
      if (node.is_open) {
        node.first = static_cast<std::uint32_t>(random.below(3));
        node.hash = random.next();
        node.rank = random.below(1'000'000);
      }
      piece.nodes.push_back(node);
    }
    const std::string bytes = print_state_piece(piece);
    const auto read = parse_state_piece(bytes);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->nodes, piece.nodes);
    // A part of it is none.
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_FALSE(parse_state_piece(std::string_view(bytes).substr(0, size)));
  }
}

}  // namespace
}  // namespace ravel
