#include "threads/runtime/discoveries.h"

#include <algorithm>
#include <utility>

namespace ravel::threads {

namespace {

constexpr std::size_t kRacesMax = 200;
constexpr std::size_t kWeakOrdersMax = 500;
constexpr std::size_t kTimedWaitsMax = 100;

}  // namespace

std::vector<std::uint64_t> Discoveries::take_new_racy_words() { return std::exchange(racy_, {}); }

void Discoveries::add_race(const RaceReport& race) {
  if (races_.size() >= kRacesMax) return;
  const bool is_known = std::ranges::any_of(races_, [&](const RaceReport& known) {
    return (known.pc[0] == race.pc[0] && known.pc[1] == race.pc[1]) ||
           (known.pc[0] == race.pc[1] && known.pc[1] == race.pc[0]);
  });
  if (is_known) return;
  races_.push_back(race);
  ++count_;
}

void Discoveries::add_left_behind(LeftThread thread) {
  if (std::ranges::count(left_behind_, thread.actor, &LeftThread::actor) > 0) return;
  left_behind_.push_back(std::move(thread));
  ++count_;
}

void Discoveries::add_weak_order(std::uint64_t pc) {
  if (weak_orders_.size() >= kWeakOrdersMax || std::ranges::count(weak_orders_, pc, &WeakOrder::pc) > 0)
    return;
  weak_orders_.push_back({.pc = pc});
  ++count_;
}

bool Discoveries::wants_timed_wait(std::uint64_t pc) const {
  const auto is_there = [&](const TimedWait& wait) { return wait.stack.front() == pc; };
  return timed_waits_.size() < kTimedWaitsMax && std::ranges::none_of(timed_waits_, is_there);
}

void Discoveries::add_timed_wait(std::vector<std::uint64_t> stack) {
  timed_waits_.push_back({.stack = std::move(stack)});
}

void Discoveries::add_racy_word(std::uint64_t word) {
  const auto place = std::ranges::lower_bound(racy_, word);
  if (place == racy_.end() || *place != word) racy_.insert(place, word);
}

}  // namespace ravel::threads
