// What the processes that share a search by delays (shared_strata.h) do next, whenever nobody of them runs
// chains: of the process that has the search.
//
// All run their chains; all check them; both again, until a check changes nothing. Then what they have found
// is that of one process, and is made to count. What they have put off are the chains of the next stratum,
// with ranks in the order of those that have put them off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "states/shared_states.h"
#include "states/stratum_orders.h"

namespace ravel {

class StrataRounds {
 public:
  // `states` must outlive this object.
  StrataRounds(SharedStates& states, std::optional<std::uint32_t> delays_max, std::size_t processes)
      : states_(states), delays_max_(delays_max), reports_(processes) {}

  // In the midst of this stratum, where all run their chains.
  void begin(std::uint32_t stratum);
  // What a process has told of its part when it was to check it.
  void hear(std::size_t process, StratumReport report) { reports_[process] = std::move(report); }
  // Nobody runs chains, and nobody has any that it is to be given: what comes next? False: nothing, the
  // search is over.
  bool go_on();
  // What this process is to do then.
  StratumOrder order_for(std::size_t process) const;

  std::uint32_t stratum() const { return stratum_; }
  // The stratum of which nothing is left; and whether nothing at all is.
  std::optional<std::uint32_t> completed() const { return completed_; }
  bool is_exhausted() const { return is_exhausted_; }
  bool is_over() const { return is_over_; }

 private:
  void rank_runs();

  SharedStates& states_;
  const std::optional<std::uint32_t> delays_max_;
  std::vector<StratumReport> reports_;              // by process: the last ones
  std::vector<std::vector<std::uint64_t>> firsts_;  // likewise: StratumOrder::firsts
  StratumOrder::Kind kind_ = StratumOrder::Kind::kGoOn;
  std::uint64_t base_ = 0, last_rank_ = SharedStates::kNobody;
  std::uint32_t stratum_ = 0;
  std::optional<std::uint32_t> completed_;
  bool is_exhausted_ = false, is_over_ = false;
};

}  // namespace ravel
