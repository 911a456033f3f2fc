// The words for what monitors of properties, predicates and explorers say: that a property is violated, and
// that one of them has failed itself.
#pragma once

#include <span>
#include <string>

#include "engine/bug.h"
#include "engine/transition.h"
#include "erlang/machine/machine.h"
#include "erlang/system/exit_bugs.h"
#include "erlang/system/source_places.h"
#include "erlang/system/texts.h"

namespace ravel::erlang {

class PropertyVerdicts {
 public:
  // All must outlive this object.
  PropertyVerdicts(const Machine& machine, const ExitBugs& exit_bugs, const SourcePlaces& places,
                   Texts& texts)
      : machine_(machine), exit_bugs_(exit_bugs), places_(places), texts_(texts) {}

  // `places`: where the process was whose step the monitor has looked at.
  Bug bug_of_violation(const std::string& property, const PropertyMonitors::Verdict& verdict,
                       std::span<const CodeWord* const> places);
  // A mistake of what looks, not of the program. `monitor` is what it is called.
  Refusal refusal_of_failure(const std::string& monitor, const PropertyMonitors::Verdict& verdict);

 private:
  const Machine& machine_;
  const ExitBugs& exit_bugs_;
  const SourcePlaces& places_;
  Texts& texts_;
};

}  // namespace ravel::erlang
