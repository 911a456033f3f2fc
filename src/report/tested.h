// One test of a check, and what its search has found.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/exploration.h"
#include "engine/race.h"
#include "engine/recording.h"
#include "engine/remark.h"

namespace ravel {

struct Tested {
  std::string test;
  std::string title = {};  // what the suite calls it, or empty
  std::string skipped = {};  // why the suite itself skips it; then there was no search
  Exploration exploration;
  std::optional<OrphanDescription> orphan = {};  // the first one of exploration.unreceived
  std::vector<std::string> warnings = {};  // what is no bug and still worth telling: sentences without a full stop
  Remarks left_behind = {};   // processes that wait when the test is over
  Remarks handled_ends = {};  // abnormal ends of processes that were no bugs
  std::vector<std::string> tickets;  // by bug: the file that replays it, or empty
  std::vector<RareEventCounts> rare_events = {};  // by bug, for the first ones: what few systems do, in the schedule that shows it
  std::vector<std::optional<Explanation>> explanations = {};  // by bug, for the first ones: why it happens, if that was looked for
};

}  // namespace ravel
