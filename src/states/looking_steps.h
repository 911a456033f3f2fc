// Steps that only look (polling_loops.h), between states that several processes have visited and that are
// known by their hashes: whether there is a loop of them in which somebody waits for ever.
//
// Each process notes its own, and one adds them all. Actors are noted by their names, since their numbers are
// each process's own.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/wide_hash.h"
#include "engine/system.h"
#include "fair_cycles/search.h"

namespace ravel {

class LookingSteps {
 public:
  // Such a transition of a state, by its place among the enabled ones. `enabled`: all of them.
  void note(const Hash128& from, std::uint32_t index, std::span<const Transition> enabled, const Hash128& to,
            const System& system);

  // What was noted since the last call, for another process.
  std::string take_notes();
  // False: they are damaged.
  bool add(std::string_view notes);

  // Whether there is a loop of them that is fair to all.
  bool has_loop(fair_cycles::Fairness fairness) const;

 private:
  struct Step {
    Hash128 from, to;
    std::uint32_t label = 0;
  };
  std::uint32_t label_of(const std::string& text);

  std::vector<Step> steps_;
  // The place of who moves, then the names of all who are sure to move.
  std::vector<std::string> labels_;
  std::map<std::string, std::uint32_t> known_labels_;
  std::size_t told_ = 0;  // of the steps
};

}  // namespace ravel
