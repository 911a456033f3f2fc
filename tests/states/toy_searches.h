// What the tests of searches by states have in common.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "states/state_search.h"
#include "tests/toy/toy_system.h"

namespace ravel {

inline constexpr StateOrder kOrders[] = {StateOrder::kDepthFirst, StateOrder::kBreadthFirst};

inline const std::vector<toy::Operation> kRichAlphabet = {
    {toy::Op::kWrite, 0},  {toy::Op::kGive, 0},    {toy::Op::kTake, 0},
    {toy::Op::kChoose, 0}, {toy::Op::kRequire, 0}, {toy::Op::kRequire, 1},
    {toy::Op::kChoose, 1}, {toy::Op::kGive, 1},    {toy::Op::kTake, 1}};

// 10^4 states, more than two looks are apart.
inline const toy::Program kLarge(4, std::vector<toy::Operation>(9, {toy::Op::kWrite, 0}));

// A clock that goes on by a second whenever somebody looks.
class TickingClock final : public Clock {
 public:
  double seconds() override { return seconds_ += 1; }

 private:
  double seconds_ = 0;
};

inline std::set<std::string> keys_of(const std::vector<FoundBug>& bugs) {
  std::set<std::string> keys;
  for (const FoundBug& found : bugs) EXPECT_TRUE(keys.insert(found.bug.key()).second);
  return keys;
}

}  // namespace ravel
