// What the specs of a test say of liveness: whether one is hot now, the formulas that executions without an
// end have to satisfy, the propositions in these, and the bug if one is violated.
//
// The idea: an execution without an end that is hot again and again gets cold again and again, if each fair
// choice that is made again and again is made in both ways again and again. Places count, not machines: a
// choice that one of several machines makes in the other way is fair. Of choices after the first
// kFairChoicesMax it is not taken for granted.

#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/bug.h"
#include "engine/system.h"
#include "p/machine/world.h"

namespace ravel::p {

// The bug is at this place of the source.
inline void note_place(const Program& program, Place place, Bug& bug) {
  bug.file = program.sources.name(place.file);
  bug.line = program.sources.line_column(place).line;
}

class Liveness {
 public:
  static constexpr std::size_t kSpecsMax = 24;       // two propositions each
  static constexpr std::size_t kFairChoicesMax = 5;  // the same; each makes automata larger

  // Both must outlive this object.
  Liveness(const Code& code, const World& world) : code_(code), program_(*code.program), world_(world) {}

  std::string name_of(const LiveMachine& monitor) const {
    return std::string(program_.machine(monitor.machine).name);
  }
  // Never of a scenario: that it stays as it is is no bug.
  bool is(const LiveMachine& monitor, Temperature temperature) const;
  // The first spec that is hot now.
  const LiveMachine* find_hot() const;
  // That nothing can happen any more and this one is hot.
  Bug hot_at_end(const LiveMachine& monitor) const;

  // hot(Name) and cold(Name) of each spec, for the kind of state that it is in; fair_true(N) and
  // fair_false(N) of the fair choices of the program, for the step that chose so. REQUIRES: there are at most
  // kSpecsMax specs.
  std::vector<std::string> propositions() const;
  Letter letter() const;
  // What Letter::state says of a spec: so many bits, of the first one the lowest.
  static constexpr std::size_t kBitsOfSpec = 2;
  std::uint64_t heat_of(const LiveMachine& monitor) const {
    return is(monitor, Temperature::kHot) ? 1 : is(monitor, Temperature::kCold) ? 2 : 0;
  }

  // Of each spec that has a hot state.
  std::vector<std::string> formulas() const;
  // Makes of the bug that this formula is violated that of the spec, if it is one of formulas().
  // REQUIRES: the present state is one of those that come again and again.
  void tell(const std::string& violated, Bug& bug) const;

 private:
  std::size_t fair_choices() const { return std::min(code_.fair_choices.size(), kFairChoicesMax); }
  bool may_get_hot(const LiveMachine& monitor) const;
  std::string formula(const LiveMachine& monitor) const;

  const Code& code_;
  const Program& program_;
  const World& world_;
};

}  // namespace ravel::p
