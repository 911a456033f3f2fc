#include "states/strata_rounds.h"

#include <algorithm>
#include <utility>

namespace ravel {

void StrataRounds::begin(std::uint32_t stratum) {
  stratum_ = stratum;
  kind_ = StratumOrder::Kind::kGoOn;
  base_ = 0;
  completed_ = stratum == 0 ? std::nullopt : std::optional(stratum - 1);
  is_exhausted_ = is_over_ = false;
}

bool StrataRounds::go_on() {
  if (is_over_) return false;
  if (kind_ != StratumOrder::Kind::kCheck) {
    kind_ = StratumOrder::Kind::kCheck;
    std::ranges::fill(reports_, StratumReport());
    return true;
  }
  StratumReport all;
  for (const StratumReport& report : reports_) all.add(report);
  states_.set_limit(all.ends_at);
  if (!all.is_settled()) {
    kind_ = StratumOrder::Kind::kGoOn;
    return true;
  }
  last_rank_ = all.ends_at;
  const bool ends_here = all.ends_at != StratumReport::kNone;
  const bool has_more = std::ranges::any_of(all.runs, [](const StratumRun& run) { return run.put_off > 0; });
  if (!ends_here) completed_ = stratum_;
  is_exhausted_ = !ends_here && !has_more;
  is_over_ = ends_here || !has_more || (delays_max_ && stratum_ >= *delays_max_);
  kind_ = is_over_ ? StratumOrder::Kind::kSettle : StratumOrder::Kind::kNextStratum;
  if (is_over_) return true;
  ++stratum_;
  rank_runs();
  return true;
}

// In the order of those that have put them off.
void StrataRounds::rank_runs() {
  std::vector<std::pair<StratumRun, std::uint64_t*>> runs;
  firsts_.assign(reports_.size(), {});
  for (std::size_t process = 0; process < reports_.size(); ++process) {
    firsts_[process].resize(reports_[process].runs.size());
    for (std::size_t i = 0; i < firsts_[process].size(); ++i)
      runs.emplace_back(reports_[process].runs[i], &firsts_[process][i]);
  }
  std::ranges::sort(runs, {}, [](const auto& one) { return one.first.first; });
  base_ = runs.back().first.first + runs.back().first.count;
  std::uint64_t rank = base_;
  for (const auto& [run, first] : runs) {
    *first = rank;
    rank += run.put_off;
  }
}

StratumOrder StrataRounds::order_for(std::size_t process) const {
  StratumOrder order{.kind = kind_, .base = base_, .last_rank = last_rank_};
  if (kind_ == StratumOrder::Kind::kNextStratum) order.firsts = firsts_[process];
  return order;
}

}  // namespace ravel
