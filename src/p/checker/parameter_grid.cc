#include "p/checker/parameter_grid.h"

#include <algorithm>
#include <map>

#include "base/check.h"

namespace ravel::p {
namespace {

// Calls `visit` with each set of `count` of the numbers below `end`, in their order.
template <typename Visit>
void for_each_subset(std::uint32_t end, std::uint32_t count, Visit visit) {
  std::vector<std::uint32_t> chosen(count);
  for (std::uint32_t i = 0; i < count; ++i) chosen[i] = i;
  while (true) {
    visit(chosen);
    std::uint32_t at = count;
    while (at > 0 && chosen[at - 1] == end - count + at - 1) --at;
    if (at == 0) return;
    ++chosen[at - 1];
    for (std::uint32_t i = at; i < count; ++i) chosen[i] = chosen[i - 1] + 1;
  }
}

}  // namespace

std::vector<Combination> all_combinations(const std::vector<std::uint32_t>& counts) {
  std::vector<Combination> result;
  Combination next(counts.size(), 0);
  while (true) {
    result.push_back(next);
    std::size_t at = 0;
    while (at < counts.size() && ++next[at] == counts[at]) next[at++] = 0;
    if (at == counts.size()) return result;
  }
}

std::vector<Combination> covering(const std::vector<Combination>& allowed, std::uint32_t wise) {
  if (allowed.empty()) return {};
  const auto parameters = static_cast<std::uint32_t>(allowed[0].size());
  CHECK(wise >= 1 && wise <= parameters);
  if (wise == parameters) return allowed;
  // What each combination covers, as numbers of choices.
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
  std::vector<std::vector<std::uint32_t>> covers(allowed.size());
  for (std::size_t i = 0; i < allowed.size(); ++i)
    for_each_subset(parameters, wise, [&](const std::vector<std::uint32_t>& chosen) {
      std::vector<std::uint32_t> choice = chosen;
      for (const std::uint32_t parameter : chosen) choice.push_back(allowed[i][parameter]);
      covers[i].push_back(
          numbers.emplace(std::move(choice), static_cast<std::uint32_t>(numbers.size())).first->second);
    });
  std::vector<bool> is_covered(numbers.size(), false);
  std::vector<Combination> result;
  for (std::size_t missing = numbers.size(); missing > 0;) {
    std::size_t best = 0;
    std::size_t best_gain = 0;
    for (std::size_t i = 0; i < allowed.size(); ++i) {
      const auto is_missing = [&](std::uint32_t choice) { return !is_covered[choice]; };
      const auto gain = static_cast<std::size_t>(std::ranges::count_if(covers[i], is_missing));
      if (gain <= best_gain) continue;
      best = i;
      best_gain = gain;
    }
    for (const std::uint32_t choice : covers[best]) is_covered[choice] = true;
    missing -= best_gain;
    result.push_back(allowed[best]);
  }
  return result;
}

}  // namespace ravel::p
