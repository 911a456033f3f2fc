#include "states/shared_strata.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "base/check.h"

namespace ravel {

void SharedStrata::begin(StateNumber initial) {
  explorer_.begin();
  const std::uint32_t explorer = explorer_.arrive();
  chains_.push_back({.from = {.state = static_cast<std::uint32_t>(initial), .explorer = explorer}});
}

// ---- Running chains --------------------------------------------------------------------------------------

std::optional<SharedStrata::Step> SharedStrata::next() {
  while (at_ < chains_.size() && chains_[at_].end != Chain::End::kOpen) ++at_;
  if (at_ == chains_.size() || chains_[at_].rank > shared().limit()) return std::nullopt;
  Chain& chain = chains_[at_];
  const Found& from = chain.count == 0 ? chain.from : found_[chain.first + chain.count - 1];
  states_.go_to(StateNumber{from.state});
  if (chain.count == 0) chain.from.enabled = static_cast<std::uint32_t>(system_.enabled().size());
  explorer_.be_in(from.explorer);
  const std::size_t index = explorer_.choose(chain.count == 0 ? chain.place : 0);
  shared().be_rank(chain.rank);
  return Step{.state = from.state, .index = static_cast<std::uint32_t>(index)};
}

// What a chain has found stands together.
void SharedStrata::note_found(StateNumber state, std::uint32_t enabled) {
  Chain& chain = chains_[at_];
  if (chain.first + chain.count != found_.size()) {
    const auto first = static_cast<std::uint32_t>(found_.size());
    for (std::uint32_t i = 0; i < chain.count; ++i) found_.push_back(Found(found_[chain.first + i]));
    chain.first = first;
  }
  found_.push_back({.state = static_cast<std::uint32_t>(state),
                    .explorer = enabled > 0 ? explorer_.arrive() : 0,
                    .enabled = enabled});
  ++chain.count;
}

void SharedStrata::note_visited() {
  Chain& chain = chains_[at_];
  const std::uint64_t whose = shared().rank_before();
  const bool may_be_given_back = whose >= base_ && whose != chain.rank;
  chain.end = may_be_given_back ? Chain::End::kOfEarlier : Chain::End::kVisited;
  chain.met = shared().last();
}

void SharedStrata::note_end(Outcome outcome, bool ends_search, std::uint32_t index) {
  Chain& chain = chains_[at_];
  chain.end = Chain::End::kOfExecution;
  chain.outcome = outcome;
  chain.ends_search = ends_search;
  chain.last_index = index;
  if (ends_search) shared().lower_limit(chain.rank);
}

// ---- Between rounds and strata ---------------------------------------------------------------------------

StratumReport SharedStrata::check() {
  StratumReport report;
  for (Chain& chain : chains_) report.was_cut |= cut(chain);
  for (Chain& chain : chains_) {
    if (chain.end == Chain::End::kOfEarlier && shared().rank_of(chain.met) > chain.rank)
      chain.end = Chain::End::kOpen;
    if (chain.end == Chain::End::kOpen) report.first_open = std::min(report.first_open, chain.rank);
    if (chain.ends_search) report.ends_at = std::min(report.ends_at, chain.rank);
    if (report.runs.empty() || report.runs.back().first + report.runs.back().count != chain.rank)
      report.runs.push_back({.first = chain.rank});
    StratumRun& run = report.runs.back();
    ++run.count;
    run.put_off += chain.place + 1 < chain.from.enabled ? 1 : 0;
    run.put_off += static_cast<std::uint64_t>(
        std::ranges::count_if(found_by(chain), [](const Found& found) { return found.enabled > 1; }));
  }
  return report;
}

// Before the first state that is not its own any more. False: all are.
bool SharedStrata::cut(Chain& chain) {
  const std::span<const Found> found = found_by(chain);
  const auto lost = std::ranges::find_if_not(found, [&](const Found& one) { return is_own(chain, one); });
  if (lost == found.end()) return false;
  chain.met = part_.hash_of(lost->state);
  chain.end = Chain::End::kOfEarlier;
  chain.ends_search = false;
  chain.count = static_cast<std::uint32_t>(lost - found.begin());
  const std::span<const Found> after = found.subspan(chain.count);
  give_back(after, chain.rank);
  for (const Found& one : after) part_.note_done(one.state);
  return true;
}

std::size_t SharedStrata::count_own(const Chain& chain) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(found_by(chain), [&](const Found& one) { return is_own(chain, one); }));
}

void SharedStrata::give_back(std::span<const Found> found, std::uint64_t rank) {
  for (const Found& one : found) {
    shared().give_back(part_.hash_of(one.state), rank);
    part_.note_given_back(one.state);
  }
}

// One process comes back to the states of a chain from its end to its beginning.
void SharedStrata::begin_next(std::span<const std::uint64_t> firsts, std::uint64_t base) {
  std::vector<Chain> next;
  auto first = firsts.begin();
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    const Chain& chain = chains_[i];
    if (i == 0 || chains_[i - 1].rank + 1 != chain.rank) {
      CHECK(first != firsts.end());
      rank = *first++;
    }
    const std::span<const Found> found = found_by(chain);
    for (std::size_t from_end = 1; from_end <= found.size(); ++from_end)
      put_off(next, rank, found[found.size() - from_end], 1);
    put_off(next, rank, chain.from, chain.place + 1);
  }
  chains_ = std::move(next);
  found_.clear();
  part_.leave_done();
  base_ = base;
  ++stratum_;
}

// If there are transitions left from there.
void SharedStrata::put_off(std::vector<Chain>& next, std::uint64_t& rank, const Found& from,
                           std::uint32_t place) {
  if (place < from.enabled)
    next.push_back({.rank = rank++, .from = from, .place = place});
  else
    part_.note_done(from.state);
}

// Nothing was taken from any chain.
bool SharedStrata::begin_next_alone() {
  const StratumReport report = check();
  CHECK(report.is_settled() && report.runs.size() == 1);
  completed_ = stratum_;
  is_exhausted_ = report.runs.front().put_off == 0;
  if (is_exhausted_ || (delays_max_ && stratum_ >= *delays_max_)) {
    forget();
    return false;
  }
  const std::uint64_t base = report.runs.front().first + report.runs.front().count;
  begin_next(std::span(&base, 1), base);
  return true;
}

void SharedStrata::forget() {
  chains_.clear();
  found_.clear();
}

std::uint64_t SharedStrata::bytes() const {
  return chains_.capacity() * sizeof(Chain) + found_.capacity() * sizeof(Found) + explorer_.states().bytes();
}

// ---- To go on later --------------------------------------------------------------------------------------

StateNotes SharedStrata::take_notes() {
  std::vector<const Chain*> chains;
  for (const Chain& chain : chains_) chains.push_back(&chain);
  std::ranges::sort(chains, {}, [](const Chain* chain) { return chain->from.state; });
  StateNotesWriter writer;
  for (const Chain* const chain : chains) writer.put_open(chain->from.state, chain->place, chain->rank);
  StateNotes notes = part_.take_notes(std::move(writer));
  notes.stratum = stratum_;
  notes.base = base_;
  return notes;
}

void SharedStrata::note_again(StateNumber state, std::uint32_t enabled, const StateTree::Open* open) {
  if (of_piece_.empty()) explorer_.begin();
  const std::uint32_t explorer = enabled > 0 ? explorer_.arrive() : 0;
  of_piece_.push_back(explorer);
  if (open != nullptr)
    taken_.push_back({.rank = open->rank,
                      .from = {.state = static_cast<std::uint32_t>(state), .explorer = explorer},
                      .place = open->first});
}

// Nobody else has chains, so their ranks follow each other.
bool SharedStrata::begin_again(const StateTree& tree) {
  end_piece(true);
  stratum_ = tree.stratum;
  base_ = tree.base;
  if (stratum_ == 0 || base_ == 0 || chains_.empty()) return false;
  completed_ = stratum_ - 1;
  std::uint64_t rank = base_;
  return std::ranges::all_of(chains_,
                             [&](const Chain& chain) { return chain.place > 0 && chain.rank == rank++; });
}

// ---- Pieces ----------------------------------------------------------------------------------------------

StatePiece SharedStrata::give() {
  std::vector<const Chain*> chains;
  const std::uint64_t limit = shared().limit();
  const auto is_untouched = [limit](const Chain& chain) {
    return chain.end == Chain::End::kOpen && chain.count == 0 && chain.rank <= limit;
  };
  for (std::size_t i = at_ + 1; i < chains_.size(); ++i)
    if (is_untouched(chains_[i])) chains.push_back(&chains_[i]);
  if (chains.size() < SharedPart::kLeastToGive) return {};
  chains.erase(chains.begin(), chains.begin() + static_cast<std::ptrdiff_t>(chains.size() / 2));
  const std::uint64_t first = chains.front()->rank;
  StatePiece piece = piece_of(chains);
  if (!SharedPart::is_worth(piece, chains.size())) return {};
  for (const Chain* const chain : chains) part_.note_done(chain->from.state);
  std::erase_if(chains_, [&](const Chain& chain) { return chain.rank >= first && is_untouched(chain); });
  return piece;
}

StatePiece SharedStrata::rest() {
  std::vector<const Chain*> chains;
  for (const Chain& chain : chains_) {
    give_back(found_by(chain), chain.rank);
    chains.push_back(&chain);
  }
  return piece_of(std::move(chains));
}

StatePiece SharedStrata::piece_of(std::vector<const Chain*> chains) {
  std::ranges::sort(chains, {}, [](const Chain* chain) { return chain->from.state; });
  std::vector<std::uint32_t> states;
  for (const Chain* const chain : chains) states.push_back(chain->from.state);
  StatePiece piece = part_.piece_to(states);
  auto chain = chains.begin();
  for (StatePiece::Node& node : piece.nodes) {
    if (!node.is_open) continue;
    node.first = (*chain)->place;
    node.rank = (*chain)->rank;
    ++chain;
  }
  return piece;
}

bool SharedStrata::repeat(std::uint32_t parent, std::uint32_t index) {
  return explorer_.choose_index(of_piece_[parent], index);
}

void SharedStrata::note_in_piece(StateNumber state, const StatePiece::Node& node) {
  if (node.parent == StatePiece::kInitial) explorer_.begin();
  const std::uint32_t explorer = explorer_.arrive();
  of_piece_.push_back(explorer);
  if (!node.is_open) return;
  taken_.push_back({.rank = node.rank,
                    .from = {.state = static_cast<std::uint32_t>(state), .explorer = explorer},
                    .place = node.first});
}

void SharedStrata::end_piece(bool is_taken) {
  of_piece_.clear();
  if (!is_taken) return taken_.clear();
  chains_.insert(chains_.end(), taken_.begin(), taken_.end());
  taken_.clear();
  std::ranges::sort(chains_, {}, &Chain::rank);
  at_ = 0;
}

}  // namespace ravel
