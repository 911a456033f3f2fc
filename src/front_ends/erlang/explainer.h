// Says more of a bug that was found: a simpler schedule of the same trace, and which race decides about it.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/race.h"
#include "engine/recording.h"
#include "erlang/system/erlang_system.h"
#include "races/explain.h"
#include "races/observation.h"

namespace ravel::erlang {

// Of an execution that may have no end, when a bug of a search by states is explained.
inline constexpr std::uint64_t kEventsToExplain = 500;

class Explainer {
 public:
  // The program must outlive this. What it needs is started when it is first asked.
  Explainer(Program& program, const TestName& test, const ErlangOptions& options, std::uint64_t events_max);

  // A schedule of the same trace with fewer preemptions and the same bug.
  std::optional<std::vector<NamedStep>> simplify(const Recording& recording);
  // What an execution without preemptions takes for granted: for searches that do not compare executions.
  std::vector<AssumedPlace> assumed_by_first_execution();
  // In which executions are run again to be told. Null: it cannot be started.
  System* shown() { return start() ? system_.get() : nullptr; }
  // Nothing if the execution is too long for that, or has no end.
  std::optional<Explanation> explain(const Recording& recording);

 private:
  bool start();

  Program& program_;
  const TestName test_;
  ErlangOptions options_;
  const std::uint64_t events_max_;
  std::unique_ptr<ErlangSystem> system_;
};

}  // namespace ravel::erlang
