// A run of a strategy on a program of threads, by copies of the program's process if it lasts
// (parts/search_in_parts.h).
//
// A part ends with the execution that shows something by which the pass is pointless, as a new race; so does
// the run then. What else the executions of a copy have shown is told to this process before the run ends.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/exploration.h"
#include "engine/search_request.h"
#include "engine/strategy.h"
#include "parallel/process_share.h"
#include "parts/part_findings.h"
#include "threads/protocol/search_parts.h"
#include "threads/search/search_listeners.h"
#include "threads/search/searched_program.h"

namespace ravel::threads {

class RunInParts {
 public:
  // References must outlive the run.
  struct Setting {
    SearchedProgram& program;  // has copies
    const SearchJobs& jobs;
    ProcessShare processes = {};
    KeepingTimes keeping = {};
    Strategy& strategy;
    std::function<std::unique_ptr<Strategy>()> make_strategy = {};  // one like that, for another part
    Limits limits = {};
    Surroundings surroundings = {};  // as one process has it, whose listener is `raw`
    RawBugs& raw;
    bool adapts = false;  // ends at a new race
  };
  explicit RunInParts(Setting setting) : setting_(std::move(setting)) {}

  // As Explorer::run(). Nothing: the position makes no sense for this program.
  std::optional<Exploration> run(const Exploration& so_far);
  // The execution that has shown what makes the run pointless, if a copy has run it.
  const std::vector<Transition>& last() const { return last_; }
  // Why the run could not go on, if its processes came to an end: a sentence without a full stop.
  const std::string& problem() const { return problem_; }

 private:
  void learn(const std::vector<std::string>& news);
  void keep(PartFindings now);

  const Setting setting_;
  std::vector<Transition> last_;
  std::string problem_;
};

}  // namespace ravel::threads
