// Searches by states that share what they have visited, and give each other pieces: together they visit what
// one search does, each state once.
#include <gtest/gtest.h>

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
// once, and may be asked as well.
class Team {
 public:
  Team(const Program& program, std::size_t size, bool by_levels, std::uint64_t seed)
      : by_levels_(by_levels), random_(seed) {
    limits_.after_bug = AfterBug::kKeepGoing;
    for (std::size_t i = 0; i < size; ++i) {
      members_.push_back(std::make_unique<Member>(program, states_, limits_, clock_));
      Member& member = *members_.back();
      member.search.share({.states = &states_, .attend = [this, i] { attend(i); }, .by_levels = by_levels});
    }
  }

  void run() {
    if (by_levels_) limit(1);
    go_on(*members_.front());
    hand_out();
    for (std::uint32_t distance = 2; has_rest(); ++distance) {
      ASSERT_TRUE(by_levels_);
      limit(distance);
      for (auto& member : members_)
        if (member->search.part().has_rest()) go_on(*member);
      hand_out();
    }
  }

  StateCounts counts() const {
    StateCounts all;
    for (const auto& member : members_) {
      if (!member->found.counts.states) continue;
      all.states += member->found.counts.states->states;
      all.transitions += member->found.counts.states->transitions;
      all.depth = std::max(all.depth, member->found.counts.states->depth);
    }
    return all;
  }
  std::uint64_t executions() const {
    std::uint64_t all = 0;
    for (const auto& member : members_) all += member->found.counts.executions;
    return all;
  }
  std::vector<FoundBug> bugs() const {
    BugLedger all;
    for (const auto& member : members_) all.merge(member->found.bugs);
    return all.take();
  }
  std::size_t pieces = 0;

 private:
  struct Member {
    Member(const Program& program, SharedStates& states, const Limits& limits, Clock& clock)
        : system(program, states), search(system, StateOrder::kBreadthFirst, limits, clock) {}
    SharedToy system;
    StateSearch search;
    Exploration found;
    bool is_at_work = false;
  };

  void limit(std::uint32_t distance) {
    for (auto& member : members_) member->search.part().limit_distance(distance);
  }
  bool has_rest() const {
    return std::ranges::any_of(members_, [](const auto& member) { return member->search.part().has_rest(); });
  }
  void go_on(Member& member) {
    member.is_at_work = true;
    member.found = member.search.go_on();
    member.is_at_work = false;
  }
  void attend(std::size_t number) {
    if (random_.below(3) == 0) return;
    StatePiece piece = members_[number]->search.give();
    if (piece.nodes.empty()) return;
    const auto copy = parse_state_piece(print_state_piece(piece));
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->nodes, piece.nodes);
    ++pieces;
    waiting_.push_back(*copy);
    hand_out();
  }
  void hand_out() {
    for (auto& member : members_) {
      if (member->is_at_work || waiting_.empty()) continue;
      const StatePiece piece = std::move(waiting_.front());
      waiting_.pop_front();
      member->is_at_work = true;
      member->found = member->search.go_on_with(piece);
      member->is_at_work = false;
    }
    if (!waiting_.empty() && std::ranges::none_of(members_, [](const auto& one) { return one->is_at_work; }))
      hand_out();
  }

  const bool by_levels_;
  Random random_;
  SharedStates states_{1};
  TickingClock clock_;
  Limits limits_;
  std::vector<std::unique_ptr<Member>> members_;
  std::deque<StatePiece> waiting_;
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
        Team team(program, size, by_levels, seed);
        team.run();
        EXPECT_EQ(team.counts().states, alone.counts.states->states);
        EXPECT_EQ(team.counts().transitions, alone.counts.states->transitions);
        EXPECT_EQ(team.executions(), alone.counts.executions);
        const std::vector<FoundBug> found = team.bugs();
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
