#include "threads/remote/gathered_findings.h"

#include <algorithm>
#include <utility>

namespace ravel::threads {

void GatheredFindings::add(Findings seen, std::uint32_t counted) {
  known_ = counted - (seen.racy_words.empty() ? 0 : 1);
  const auto is_known = [&](const RaceReport& race) {
    return std::ranges::any_of(all_.races, [&](const RaceReport& known) {
      return (known.pc[0] == race.pc[0] && known.pc[1] == race.pc[1]) ||
             (known.pc[0] == race.pc[1] && known.pc[1] == race.pc[0]);
    });
  };
  for (RaceReport& race : seen.races)
    if (!is_known(race)) all_.races.push_back(std::move(race));
  for (LeftThread& thread : seen.left_behind)
    if (std::ranges::count(all_.left_behind, thread.actor, &LeftThread::actor) == 0)
      all_.left_behind.push_back(std::move(thread));
  for (const WeakOrder& place : seen.weak_orders)
    if (std::ranges::count(all_.weak_orders, place.pc, &WeakOrder::pc) == 0)
      all_.weak_orders.push_back(place);
  for (const TimedWait& wait : seen.timed_waits)
    if (std::ranges::count(all_.timed_waits, wait.stack, &TimedWait::stack) == 0)
      all_.timed_waits.push_back(wait);
  all_.has_progress |= seen.has_progress;
  all_.has_weak_orders |= seen.has_weak_orders;
  for (const std::uint64_t word : seen.racy_words)
    if (std::ranges::count(all_.racy_words, word) == 0) all_.racy_words.push_back(word);
}

std::vector<std::uint64_t> GatheredFindings::take_new_racy_words() {
  std::vector<std::uint64_t> words = std::exchange(all_.racy_words, {});
  std::ranges::sort(words);
  return words;
}

}  // namespace ravel::threads
