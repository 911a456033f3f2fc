// A search that begins in this process, and goes on by several if it has not ended soon.
//
// Then a copy of this process goes on with it where it is, as with a part, and this one only has the search,
// in parts (part_coordinator.h). So a search that ends soon costs nothing more, and the copies have in common
// whatever this process has met by then.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/exploration.h"
#include "engine/search_request.h"
#include "engine/strategy.h"
#include "engine/system.h"
#include "parts/part_coordinator.h"
#include "parts/part_findings.h"
#include "parts/part_worker.h"

namespace ravel {

// Why a search can't have parts: a sentence without its end. Empty: it can. REQUIRES: the strategy was made
// for this request.
std::string why_no_parts(const Strategy& strategy, const SearchRequest& request);

class SearchInParts {
 public:
  // References must outlive the search.
  struct Setting {
    System& system;
    Strategy& strategy;   // a Divisible, which may have no parts yet
    PartRunning running;  // of parts: `limits` are those of each; its listener is for copies
    ProcessShare processes = {};
    double seconds_alone = 0.1;      // before it goes on by several processes, if it may
    Limits limits = {};              // of the whole
    Surroundings surroundings = {};  // of the whole; what is kept of it follows
    KeepingTimes keeping = {};
    std::function<void(PartFindings)> keep = {};  // hears where it is, when several processes search
    std::function<void()> begin_copy = {};        // in the copy that goes on with it
    // Whether copies can be made, by what executions have shown up to now. Empty: always.
    std::function<bool()> may_be_copied = {};
    // An execution by which what the front end knows of the program has changed, or that was refused: the
    // last one that counts.
    std::function<void(std::span<const NamedStep>)> discovered = {};
  };
  explicit SearchInParts(Setting setting) : setting_(std::move(setting)) {}

  // What is found. `so_far`: what was found before, with the position from which the strategy goes on, which
  // it has read unless that is one of several parts. Nothing: the position makes no sense for this System.
  std::optional<Exploration> run(const std::optional<Exploration>& so_far);
  // Whether several processes had parts of it, and what their executions have shown besides.
  bool was_divided() const { return total_.has_value(); }
  const PartFindings& total() const { return *total_; }
  // What went wrong on the way: sentences without a full stop.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::optional<Exploration> coordinate(const Exploration& so_far, std::optional<ChildProcess> copy,
                                        SharedFlags& flags);
  void tell_bug(const NamedBug& bug);
  // Whether there can be several processes, and are faster, as far as is known now. A strategy may have parts
  // only from some point on.
  bool pays_off() {
    if (setting_.may_be_copied && !setting_.may_be_copied()) return false;
    const Divisible* const divisible = as_divisible(&setting_.strategy);
    return divisible != nullptr && divisible->pays_off();
  }
  Divisible& divisible() { return *as_divisible(&setting_.strategy); }

  Setting setting_;
  std::optional<PartFindings> total_;
  std::vector<std::string> problems_;
};

}  // namespace ravel
