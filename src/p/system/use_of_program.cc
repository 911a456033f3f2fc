#include "p/system/use_of_program.h"

namespace ravel::p {

void UseOfProgram::note_reaction(const LiveMachine& live, EventId event, Reaction) {
  EventSet& events = handled_[index(live.state)];
  if (!events.contains(event)) events.add(event);
}

void UseOfProgram::add_told(EventId event) {
  if (!told_.contains(event)) told_.add(event);
}

}  // namespace ravel::p
