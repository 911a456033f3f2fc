// The memory that described operations have touched, whose values an inspection asks for.
#pragma once

#include <vector>

#include "threads/protocol/inspection.h"
#include "threads/protocol/messages.h"

namespace ravel::threads {

class TouchedMemory {
 public:
  // An operation took place. What is larger than a word is left out, and what is more than can be inspected.
  void note(const OperationRecord& record);
  void clear() { all_.clear(); }
  const std::vector<AskedMemory>& all() const { return all_; }  // by address

 private:
  std::vector<AskedMemory> all_;
};

}  // namespace ravel::threads
