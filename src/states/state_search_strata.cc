// A search by delays that several processes have parts of (shared_strata.h): it runs chains, and counts what
// they have found when the stratum is settled.

#include <algorithm>

#include "base/check.h"
#include "states/state_search.h"

namespace ravel {

// Who is alone runs chains in the order of one process, so that none is cut.
void StateSearch::search_shared_strata() {
  SharedStrata& strata = *shared_strata_;
  for (;;) {
    strata.begin_round();
    while (!should_stop()) {
      const std::optional<Step> next = strata.next();
      if (!next) break;
      take_of_chain(*next);
    }
    if (is_over_ || !strata.is_alone()) return;
    settle_chains(part_->sharing().states->limit(), Stratum::kSettled);
    if (is_over_) return strata.forget();
    if (!strata.begin_next_alone()) return;
    attend_stratum();
  }
}

Exploration StateSearch::obey(const StratumOrder& order, std::optional<StratumReport>& report) {
  switch (order.kind) {
    case StratumOrder::Kind::kGoOn: shared_strata_->set_base(order.base); return go_on();
    case StratumOrder::Kind::kCheck: report = shared_strata_->check(); return found_so_far();
    case StratumOrder::Kind::kSettle: return settle(order.last_rank);
    case StratumOrder::Kind::kNextStratum: return go_on_in_next_stratum(order.firsts, order.base);
  }
  CHECK(false);
}

void StateSearch::take_of_chain(Step next) {
  SharedStrata& strata = *shared_strata_;
  const StateNumber from{next.state};
  step(from, next.index);
  if (part_->learns()) {
    is_over_ = true;
    return;
  }
  const Outcome outcome = system_.outcome();
  const bool is_running = outcome == Outcome::kRunning;
  const std::optional<MetState> met = states_.number();
  if (!met && is_running) return end_for_memory();
  if (met && !met->is_new) {
    strata.note_visited();
  } else if (met) {
    const auto enabled = is_running ? static_cast<std::uint32_t>(system_.enabled().size()) : 0;
    part_->note_state(enabled);
    ways_.add(!is_running);
    if (is_running) states_.be_in(met->number);
    strata.note_found(met->number, enabled);
    if (!is_running) states_.leave(met->number);
  }
  if (is_running) return note_look(from, next.index);
  if (met && !met->is_new) return;
  const Outcome judged = ends_.judge(outcome);
  const bool is_last =
      judged == Outcome::kUnsupported || (judged == Outcome::kBug && limits_.after_bug == AfterBug::kStop);
  strata.note_end(judged, is_last, next.index);
}

Exploration StateSearch::settle(std::uint64_t last_rank) {
  settle_chains(last_rank, Stratum::kMayBeUnsettled);
  shared_strata_->forget();
  return found_so_far();
}

Exploration StateSearch::go_on_in_next_stratum(std::span<const std::uint64_t> firsts, std::uint64_t base) {
  settle_chains(SharedStates::kNobody, Stratum::kSettled);
  if (is_over_) {
    shared_strata_->forget();
  } else {
    shared_strata_->begin_next(firsts, base);
    attend_stratum();
  }
  if (part_->learns()) is_over_ = true;
  return go_on();
}

void StateSearch::settle_chains(std::uint64_t last_rank, Stratum stratum) {
  for (const SharedStrata::Chain& chain : shared_strata_->chains()) {
    if (chain.rank > last_rank) break;
    const bool has_ended = chain.end != SharedStrata::Chain::End::kOpen;
    const std::span<const SharedStrata::Found> found = shared_strata_->found_by(chain);
    // If the search was stopped another chain may have taken some of them.
    const std::uint64_t own = stratum == Stratum::kSettled ? found.size() : shared_strata_->count_own(chain);
    // A step leads to each state that it has found, and a last one to where it ends, if that is no new state.
    const bool ends_in_new_state = !found.empty() && ways_.origin(found.back().state).is_end != 0;
    counts_.states += own;
    counts_.transitions += own + (has_ended && !ends_in_new_state ? 1 : 0);
    for (const SharedStrata::Found& one : found)
      counts_.depth = std::max<std::uint64_t>(counts_.depth, ways_.origin(one.state).depth);
    if (chain.end != SharedStrata::Chain::End::kOfExecution) continue;
    const std::optional<Stop> why = settle_end(chain);
    end(why);
    if (why) break;  // one process would have ended here
  }
}

// Takes the last step again, if there is something to be told of the end. Why the search is to end now, if it
// is.
std::optional<Stop> StateSearch::settle_end(const SharedStrata::Chain& chain) {
  if (chain.outcome != Outcome::kBug && chain.outcome != Outcome::kUnsupported) return ends_.note_pass();
  const std::span<const SharedStrata::Found> found = shared_strata_->found_by(chain);
  Step last = {.state = found.empty() ? chain.from.state : found.back().state, .index = chain.last_index};
  if (ways_.origin(last.state).is_end != 0) last = ways_.origin(last.state).from;
  step(StateNumber{last.state}, last.index);
  return ends_.note_end(system_.outcome());
}

}  // namespace ravel
