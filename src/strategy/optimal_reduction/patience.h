// Long work between two executions asks this now and then whether the search is to be given up
// (Strategy::interrupt_by).

#pragma once

#include <cstdint>

namespace ravel::reduction {

class Patience {
 public:
  // Counts so many steps that were compared. True from the moment on in which the search is given up.
  virtual bool ends_after(std::uint64_t steps) = 0;
  bool has_ended() { return ends_after(0); }

 protected:
  ~Patience() = default;
};

}  // namespace ravel::reduction
