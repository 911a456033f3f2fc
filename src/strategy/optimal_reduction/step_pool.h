// The steps that a reduction remembers: those of its wakeup trees, of which there may be very many, and those
// that it has explored. Equal ones are kept once, so that a branch of a tree is a few numbers.

#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "strategy/history/history.h"

namespace ravel {

// What a receive did. A step of another kind has taken nothing.
enum class Choice : std::uint8_t { kNothing, kMessage, kExpiry, kAny };

// Which step of an actor it is, in all executions in which its actor has done the same before.
struct StepName {
  EventName event;
  std::uint32_t alternative = 0;
  Choice choice = Choice::kNothing;
  EventName sender = {};    // of the message
  std::uint32_t touch = 0;  // of the sender

  friend bool operator==(const StepName&, const StepName&) = default;
};

struct Step {
  StepName name;
  std::uint64_t close_key = 0;  // of its coarse touches, if it has any
  bool ends_all = false;        // the step depends on everything
  std::vector<Touch> touches;
  TouchSummary summary = TouchSummary::of(touches);
};

class StepPool {
 public:
  // The number of a step, which is in use once more.
  std::uint32_t use(const StepName& name, std::uint64_t close_key, bool ends_all,
                    std::span<const Touch> touches);
  // The same number, in use once more.
  std::uint32_t use_again(std::uint32_t number) {
    ++entries_[number].uses;
    return number;
  }
  // One use less. The number means nothing after the last one.
  void drop(std::uint32_t number);
  const Step& operator[](std::uint32_t number) const { return entries_[number].step; }

  // Renames each step that is in use; false as soon as `rename` says so. REQUIRES: different steps stay
  // different.
  template <class Rename>
  bool rename(Rename rename) {
    for (Entry& entry : entries_)
      if (entry.uses > 0 && !rename(entry.step.name)) return false;
    link_all(buckets_.size());
    return true;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Entry {
    Step step;
    std::uint64_t hash = 0;
    std::uint32_t uses = 0;
    std::uint32_t next = kNone;  // in its bucket
  };
  void link(std::uint32_t number);
  void link_all(std::size_t buckets);

  std::deque<Entry> entries_;           // also those that are not in use, for their storage
  std::vector<std::uint32_t> spare_;    // the numbers of these
  std::vector<std::uint32_t> buckets_;  // a power of two, the first entry of each
};

}  // namespace ravel
