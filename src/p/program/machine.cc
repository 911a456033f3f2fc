#include "p/program/machine.h"

#include <algorithm>

namespace ravel::p {

const Action* State::action(EventId event) const {
  const auto at = std::ranges::lower_bound(actions, event, {}, &Action::event);
  return at != actions.end() && at->event == event ? &*at : nullptr;
}

}  // namespace ravel::p
