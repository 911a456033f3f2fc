// The step that is taken: its number, and what it touches.

#pragma once

#include <cstdint>
#include <vector>

#include "engine/transition.h"

namespace ravel::threads {

class CurrentStep {
 public:
  void begin() {
    ++number_;
    touches_.clear();
  }
  // Since the process began: with beginnings of executions.
  std::uint64_t number() const { return number_; }

  void touch(std::uint64_t object, Access access) {
    touches_.push_back({.object = object, .access = access});
  }
  // The touch of an operation that does nothing else, and never waits but to acquire, whatever it finds.
  void touch_only(std::uint64_t object, Access access) {
    touches_.push_back({.object = object, .access = access, .decides = false});
  }
  const std::vector<Touch>& touches() const { return touches_; }
  void forget_touches() { touches_.clear(); }
  // So that they hardly ever move to another place, whose address threads would leave on their stacks.
  void make_room() { touches_.reserve(1024); }

 private:
  std::uint64_t number_ = 0;
  std::vector<Touch> touches_;
};

}  // namespace ravel::threads
