// A search of which several processes have parts.
//
// A part is a position of a strategy, and a level: of the nodes of its execution it has those from that one
// on, and all that is still to be run there. Who has given it away has the others. What the part finds out
// that concerns these it notes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/part_source.h"
#include "engine/system.h"

namespace ravel {

class Divisible {
 public:
  virtual ~Divisible() = default;

  // Goes on as a part of the search. REQUIRES: it has read the part's position, or nothing has begun; or it
  // has less levels than that already.
  virtual void become_part(std::uint32_t from_level) = 0;
  // What others have to know, in the order in which it was found: what was noted since the last call.
  virtual std::string take_notes() = 0;
  // Who has all parts of a search by this strategy that is at `position`. `system`, of which the search is,
  // must outlive it.
  virtual std::unique_ptr<PartSource> make_source(System& system, std::string position) const = 0;
};

}  // namespace ravel
