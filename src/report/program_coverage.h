// Which parts of a program a search has come to: states of machines, reactions to events, events.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ravel {

struct ProgramPart {
  enum class Kind : std::uint8_t { kState, kReaction, kEvent, kScenario };
  Kind kind = Kind::kState;
  std::string machine = {};  // empty: of an event
  std::string state = {};    // of a state or reaction
  std::string event = {};    // of a reaction or event
  std::string file = {};
  std::uint32_t line = 0;
  // The state was entered, the event handled there, or sent, raised or announced; the scenario was in a cold
  // state.
  bool is_covered = false;
};

// Parts of one machine are neighbours.
using ProgramCoverage = std::vector<ProgramPart>;

// How many of each kind are covered, and which are not: some lines. `is_complete`: nothing is left to search.
std::string describe(const ProgramCoverage& coverage, bool is_complete);

// "state", "reaction", "event", "scenario"
const char* name_of(ProgramPart::Kind kind);

}  // namespace ravel
