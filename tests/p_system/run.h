// Short ways to run programs of P in tests. A text is the file `t.p`.

#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "engine/explorer.h"
#include "p/checker/check.h"
#include "p/system/p_system.h"

namespace ravel::p {

struct Opened {
  CheckedSources sources;
  std::unique_ptr<PSystem> system;
};

// Its only test, or the one of that name. REQUIRES: the program is accepted.
Opened opened(std::string_view text, std::string_view test = "", const POptions& options = {});

// All executions, by a strategy of the catalogue; or all states (in a System that has numbered none).
struct Searched {
  Exploration exploration;
  // The states in which executions ended without a bug: of each machine and monitor its state and fields, and
  // what is left in its queue, in whatever order.
  std::set<std::string> ends;
  std::uint64_t repeated = 0;  // steps that were known, and not taken
};
Searched search(PSystem& system, std::string_view strategy);
Searched search_states(PSystem& system);
// The same, without some orders of independent steps.
Searched search_states_reduced(PSystem& system);
// The same, and whether each spec gets cold again and again where executions do not end.
Searched search_states_for_liveness(PSystem& system);
// Executions, without snapshots.
Searched search_by_replay(PSystem& system, std::string_view strategy);

// How it ends in a search of all executions: "passes", or "line: kind: message" of its first bug.
std::string verdict(std::string_view text, std::string_view test = "");

// The same of a machine with these fields whose first state does that when it is entered. The statements are
// line 2.
std::string verdict_of(std::string_view statements, std::string_view fields = "");

}  // namespace ravel::p
