// A search by states of a program of threads, with the operations that are known: by one process, or by
// copies of the program's process (share_states.h).

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/exploration.h"
#include "engine/explorer_loop.h"
#include "engine/search_request.h"
#include "states/shared_states.h"
#include "threads/protocol/search_parts.h"
#include "threads/search/searched_program.h"

namespace ravel::threads {

class VisitStates {
 public:
  // References must outlive the search.
  struct Setting {
    SearchedProgram& program;
    const SearchRequest& request;  // by states
    const SearchJobs& jobs;
    Limits limits = {};
    Clock& clock;
    Surroundings surroundings = {};
    // Whether executions have shown something besides states with which the search has to begin anew.
    std::function<bool()> is_out_of_date = {};
  };
  // `position`: where such a search was; empty: it begins. Null: that makes no sense for this program.
  static std::unique_ptr<VisitStates> make(Setting setting, const std::string& position);

  // Why one process visits the states: a sentence without its end. Empty: several do, if there are several.
  const std::string& why_undivided() const { return why_undivided_; }
  const StatesOfProgram& states() const { return *states_; }

  // What is found, and its position for make(). `counts`: up to the position that it goes on from. Nothing:
  // that makes no sense for this program.
  std::optional<Exploration> run(const Counts& counts);
  // Of several processes: what went wrong on the way, sentences without a full stop.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  VisitStates(Setting setting, const StateTraits& known, std::optional<std::string> place);

  StateOrder order() const;
  std::string why_one_visits() const;
  StateStorage storage() const;
  bool is_pointless() const { return setting_.is_out_of_date() || states_->has_to_begin_anew(); }

  std::optional<Exploration> visit(const Surroundings& surroundings, Exploration so_far);
  void refine(Exploration& exploration) const;

  const Setting setting_;
  const std::optional<std::string> place_;  // where the search goes on among the states
  const std::string why_undivided_;
  std::optional<SharedStates> shared_;
  std::unique_ptr<StatesOfProgram> states_;
  // What was replayed to come to where the search was is none of its own.
  std::uint64_t replayed_before_ = 0, replayed_to_go_on_ = 0;
  std::vector<std::string> problems_;
};

}  // namespace ravel::threads
