#include "check/part_pool.h"

#include <utility>

#include "engine/bug_ledger.h"
#include "engine/position.h"
#include "parts/part_coordinator.h"

namespace ravel {

namespace {

// How many executions of a part are run at a time to see what it can give away, and how often that is done:
// so many times at least, and for each part that is wanted.
constexpr std::uint64_t kExecutionsOfSpreading = 100;
constexpr std::size_t kRunsLeast = 50, kRunsForEach = 2;

const Error kNoSense{
    "a part of the search makes no sense for this program: it is damaged, or the program does what is not "
    "under control. Begin anew with 'ravel split'."};

}  // namespace

Result<std::optional<PartSlice>> run_part(const PartedSearch& search, const Part& part,
                                          const PartBudget& budget) {
  auto run = search.run_part ? search.run_part(part, budget)
                             : ravel::run_part(search.running, part, budget, search.interrupt);
  if (!run) return run.error();
  if (!run->makes_sense) return kNoSense;
  return std::move(run->slice);
}

// ---- Beginning -------------------------------------------------------------------------------------------

Result<std::unique_ptr<PartPool>> PartPool::begin(const PartedSearch& search) {
  PositionWriter writer;
  if (!search.running.make_strategy()->write_position(writer)) return kNoSense;
  auto source = search.divisible.make_source(search.system, writer.bytes());
  if (source == nullptr) return kNoSense;
  std::unique_ptr<PartPool> pool(new PartPool(search, std::move(source)));
  pool->take_new_parts(nullptr);
  return pool;
}

Result<std::unique_ptr<PartPool>> PartPool::go_on(const PartedSearch& search, const PartFindings& before) {
  auto source = search.divisible.make_source(search.system, *before.result.position);
  if (source == nullptr) return kNoSense;
  std::unique_ptr<PartPool> pool(new PartPool(search, std::move(source)));
  pool->take_new_parts(nullptr);
  pool->found_ = before;
  pool->found_.result.position.reset();
  pool->has_found_ = true;
  pool->learn(pool->found_);
  // Their tickets were written when the search was made ready.
  for (const NamedBug& bug : before.result.bugs) pool->told_.add(bug);
  return pool;
}

void PartPool::take_new_parts(std::vector<PartNumber>* mine) {
  while (auto part = source_->hand_out()) {
    if (mine != nullptr) mine->push_back(part->number);
    parts_.emplace(part->number, std::move(*part));
  }
}

// ---- What was found --------------------------------------------------------------------------------------

Status PartPool::take(PartSlice slice) {
  if (slice.kind == PartSlice::Kind::kDiscovered) {
    learn(slice.found);
    search_.discovered(slice.last);
    begin_anew();
    return Success{};
  }
  if (!learn(slice.found)) return Success{};
  if (!source_->commit(slice.part, slice.notes)) return kNoSense;
  take_new_parts(nullptr);
  std::optional<std::string> position = std::exchange(slice.found.result.position, std::nullopt);
  note_bugs(slice.found);
  const double seconds = found_.result.counts.seconds + slice.found.result.counts.seconds;
  if (std::exchange(has_found_, true))
    merge(found_, slice.found);
  else
    found_ = slice.found;
  found_.result.counts.seconds = seconds;
  found_.result.counts.executions_estimate.reset();
  end_part(slice, std::move(position));
  return Success{};
}

void PartPool::begin_anew() {
  begins_anew_ = true;
  stop_ = Stop::kInterrupted;
}

// False: the search has to begin anew. What the front end has learned is in what it saves.
bool PartPool::learn(PartFindings& found) {
  if (!search_.learn || !search_.learn(std::exchange(found.news, {}))) return true;
  begin_anew();
  return false;
}

void PartPool::end_part(const PartSlice& slice, std::optional<std::string> position) {
  const SearchResult& result = slice.found.result;
  if (!slice.last.empty()) search_.discovered(slice.last);
  if (result.stop == Stop::kComplete) {
    source_->finish(slice.part, result.counts.coverage.is_complete);
    parts_.erase(slice.part);
    return;
  }
  if (position) {
    parts_.at(slice.part).position = *position;
    source_->keep(slice.part, std::move(*position));
  }
  if (is_interruption(result.stop)) return;
  refusal_ = result.refusal;
  stop_ = result.stop;
}

void PartPool::note_bugs(const PartFindings& found) {
  for (const NamedBug& bug : found.result.bugs)
    if (told_.add(bug)) search_.on_bug(bug);
  if (!found.result.bugs.empty() && search_.running.limits.after_bug == AfterBug::kStop)
    stop_ = Stop::kFirstBug;
}

PartFindings PartPool::total() const {
  PartFindings all = found_;
  SearchResult& result = all.result;
  result.stop = stop_.value_or(source_->is_done() ? Stop::kComplete : Stop::kInterrupted);
  result.refusal = refusal_;
  result.position.reset();
  if (!is_over()) result.position = source_->position();
  result.counts.coverage.is_complete = source_->has_all() && result.stop == Stop::kComplete;
  return all;
}

// ---- More parts ------------------------------------------------------------------------------------------

Status PartPool::spread(std::vector<PartNumber>& mine, std::size_t wanted) {
  const auto is_enough = [&] {
    return mine.empty() || mine.size() >= wanted || is_over() || search_.interrupt;
  };
  std::size_t runs = kRunsLeast + kRunsForEach * wanted;
  while (!is_enough()) {
    if (Status divided = divide(mine, wanted); !divided) return divided;
    if (is_enough() || runs == 0) break;
    if (Status run = run_each(mine, wanted, runs); !run) return run;
  }
  return Success{};
}

// Those that have something to give away.
Status PartPool::divide(std::vector<PartNumber>& mine, std::size_t wanted) {
  const std::size_t count = mine.size();
  for (std::size_t i = 0; i < count && mine.size() < wanted; ++i) {
    const PartSource::Division division = source_->divide(mine[i]);
    if (division.is_damaged) return kNoSense;
    if (!division.from_level) continue;
    parts_.at(mine[i]).from_level = *division.from_level;
    take_new_parts(&mine);
  }
  return Success{};
}

// As many as `runs` allows, which are counted down.
Status PartPool::run_each(std::vector<PartNumber>& mine, std::size_t wanted, std::size_t& runs) {
  const std::vector<PartNumber> now = mine;
  for (const PartNumber part : now) {
    if (mine.size() >= wanted || is_over() || search_.interrupt || runs == 0) break;
    --runs;
    auto slice = run_part(search_, parts_.at(part), {.seconds = {}, .executions = kExecutionsOfSpreading});
    if (!slice) return slice.error();
    if (!*slice) break;  // interrupted
    const PartNumber after = parts_.rbegin()->first + 1;
    if (Status taken = take(std::move(**slice)); !taken) return taken;
    for (auto one = parts_.lower_bound(after); one != parts_.end(); ++one) mine.push_back(one->first);
    if (!has(part)) std::erase(mine, part);
  }
  return Success{};
}

}  // namespace ravel
