#include "threads/runtime/weak_orders.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "threads/runtime/scheduler.h"

namespace ravel::threads {

bool has_weak_orders = false;

namespace {

// Uses of one execution; further ones are left out.
constexpr std::size_t kUsesMax = 64;

struct NotedUse {
  AtomicUse use;
  std::uint32_t first = 0, last = 0;  // when, among the uses of the execution
};

std::vector<NotedUse> uses;
std::vector<std::uint64_t> met;  // words at which threads have met that nothing ordered
std::uint32_t uses_count = 0;
std::size_t latest = 0;  // in `uses`
bool is_noted = false;   // the latest one is in the list

// Whether an access leads to one of the same word by another thread that may come later, and of which it then
// does not know.
bool leads_to(const AtomicUse& one, const AtomicUse& other) {
  if (other.writes) return true;
  if (one.writes) return !(one.releases && other.acquires);
  return std::ranges::any_of(uses, [&](const NotedUse& third) {
    return third.use.word == one.word && third.use.writes && third.use.thread != one.thread &&
           third.use.thread != other.thread;
  });
}

bool have_met(std::uint64_t word) { return std::ranges::find(met, word) != met.end(); }

}  // namespace

void note_atomic_use(const AtomicUse& use) {
  if (!use.is_sequential) has_weak_orders = true;
  if (!has_weak_orders || scheduler().races().is_collecting()) return;
  ++uses_count;
  const auto same = std::ranges::find_if(uses, [&](const NotedUse& noted) {
    return noted.use.pc == use.pc && noted.use.thread == use.thread && noted.use.word == use.word &&
           noted.use.writes == use.writes;
  });
  is_noted = same != uses.end() || uses.size() < kUsesMax;
  if (!is_noted) return;
  latest = static_cast<std::size_t>(same - uses.begin());
  if (same == uses.end()) {
    uses.push_back({.use = use, .first = uses_count, .last = uses_count});
  } else {
    same->last = uses_count;
  }
}

void forget_atomic_uses() {
  uses.clear();
  met.clear();
  uses_count = 0;
  is_noted = false;
}

// The latest use closes the cycle, if there is one.
void RaceDetector::look_at_meetings(std::uint64_t word) {
  static_cast<void>(shadow_.take_meetings());
  if (!has_weak_orders || !is_noted || uses[latest].use.word != word) return;
  if (!have_met(word)) met.push_back(word);
  if (met.size() < 2) return;
  const NotedUse& second = uses[latest];
  for (const NotedUse& first : uses) {
    if (first.use.thread != second.use.thread || first.use.word == word || first.first >= second.last ||
        !have_met(first.use.word))
      continue;
    for (const NotedUse& others_first : uses) {
      if (others_first.use.word != word || others_first.use.thread == second.use.thread ||
          !leads_to(second.use, others_first.use))
        continue;
      for (const NotedUse& others_second : uses) {
        if (others_second.use.thread != others_first.use.thread || others_second.use.word != first.use.word ||
            others_first.first >= others_second.last || !leads_to(others_second.use, first.use))
          continue;
        for (const NotedUse* const each : {&first, &second, &others_first, &others_second})
          if (!each->use.is_sequential) scheduler_.discoveries().add_weak_order(each->use.pc);
      }
    }
  }
}

}  // namespace ravel::threads
