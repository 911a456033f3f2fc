// Says more of a bug that was found: a shorter schedule, one with fewer preemptions, and which race decides
// about it.

#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/named_step.h"
#include "engine/race.h"
#include "engine/recording.h"
#include "p/system/p_system.h"

namespace ravel::p {

class Explainer {
 public:
  // Program and test must outlive this. `interrupt` ends what takes long.
  Explainer(const Program& program, const TestCase& test, const POptions& options, std::uint64_t events_max,
            const std::atomic<bool>& interrupt);

  // The shortest schedule that leads to this bug, if that is found among the nearest states.
  std::optional<std::vector<NamedStep>> shorten(const Recording& recording) const;
  // A schedule of the same trace with fewer preemptions and the same bug.
  std::optional<std::vector<NamedStep>> simplify(const Recording& recording) const;
  // Nothing if the execution is too long for that, or has no end.
  std::optional<Explanation> explain(const Recording& recording) const;

 private:
  // Of an execution that is tried in the place of one of so many events: most have no end.
  std::uint64_t long_enough(std::size_t events) const;

  const Program& program_;
  const TestCase& test_;
  const POptions options_;
  const std::uint64_t events_max_;
  const std::atomic<bool>& interrupt_;
};

}  // namespace ravel::p
