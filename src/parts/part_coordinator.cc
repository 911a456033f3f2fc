#include "parts/part_coordinator.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <set>
#include <utility>

#include "base/check.h"

namespace ravel {

namespace {

constexpr int kMillisecondsBetweenLooks = 50;

// A part that had nothing to give away is asked again after so many seconds, and after more if telling where
// it is takes long.
constexpr double kSecondsBetweenAsking = 0.01;
constexpr double kShareOfAsking = 10;
// One that did not want to give anything away, as that would not pay off, is asked later.
constexpr double kSecondsAfterRefusal = 0.1;

// A part whose process was lost so many times without having come further is given up, and with it the
// search.
constexpr std::uint32_t kLossesMax = 5;

// A process of which nothing is heard for so many seconds hangs: it tells where it is every second, between
// two executions.
constexpr double kSecondsOfSilence = 600;

// So many runs of parts that have ended are kept apart before neighbours become one.
constexpr std::size_t kRunsToJoin = 256;

// How long the processes have to tell where they are when the search is stopped.
constexpr double kSecondsToStop = 5;

}  // namespace

// ---- The processes ---------------------------------------------------------------------------------------

PartCoordinator::PartCoordinator(PartSource& source, SharedFlags& flags, PartRunning running, Options options,
                                 Watch watch)
    : source_(source),
      flags_(flags),
      running_(std::move(running)),
      options_(options),
      watch_(std::move(watch)),
      start_(clock_.seconds()),
      workers_(options.processes.most),
      next_keeping_(start_ + options.keeping.first) {}

PartCoordinator::~PartCoordinator() = default;

void PartCoordinator::add_running(ChildProcess child, PartFindings before) {
  const auto part = source_.hand_out();
  CHECK(part.has_value());
  workers_.front().child.emplace(std::move(child));
  workers_.front().part = part->number;
  workers_.front().heard_at = now();
  workers_.front().found = std::move(before);
}

PartFindings PartCoordinator::run() {
  executions_before_ = counts().executions;
  while (!stop_ && !source_.is_done()) {
    if (executions_left() == 0)
      stop(Stop::kExecutionBudget);
    else
      give_out();
    if (stop_) break;
    ask_for_slices();
    wait();
    lose_silent_ones();
    settle();
    if (unfinished_events() > running_.limits.unfinished_events_max) stop(Stop::kTooLong);
    if (watch_.progress) watch_.progress(counts());
    keep_if_due();
    if (options_.interrupt != nullptr && options_.interrupt->load()) stop(Stop::kInterrupted);
    if (options_.seconds && now() - start_ >= *options_.seconds) stop(Stop::kTimeBudget);
  }
  if (stop_ && is_interruption(*stop_)) stop_workers();
  for (Worker& worker : workers_) worker.child.reset();
  return total();
}

std::span<PartCoordinator::Worker> PartCoordinator::workers() {
  return std::span(workers_).first(options_.executions ? 1 : options_.processes.now());
}

bool PartCoordinator::has_idle() {
  return std::ranges::any_of(workers(), [](const Worker& worker) { return !worker.part; });
}

void PartCoordinator::give_out() {
  for (Worker& worker : workers()) {
    if (worker.part || !source_.has_waiting()) continue;
    if (!worker.child && !begin_worker(worker)) return;
    give(worker, *source_.hand_out());
  }
}

void PartCoordinator::give(Worker& worker, Part part) {
  part.executions_max = executions_left();
  worker.part = part.number;
  worker.heard_at = now();
  if (!worker.child->channel().send(print_part(part))) lose(worker);
}

// A copy of this process, which runs parts from now on.
bool PartCoordinator::begin_worker(Worker& worker) {
  auto forked = running_.fork();
  if (!forked) {
    problems_.push_back(forked.error().message);
    if (std::ranges::none_of(workers_, [](const Worker& one) { return one.child.has_value(); }))
      stop(Stop::kInterrupted);
    return false;
  }
  if (forked->parent) {
    for (Worker& other : workers_)
      if (other.child) close(other.child->channel().descriptor());
    PartWorker(running_, std::move(*forked->parent), flags_[index_of(worker)]).serve();
  }
  worker.child.emplace(std::move(*forked->child));
  return true;
}

// If somebody has nothing to do.
void PartCoordinator::ask_for_slices() {
  if (source_.has_waiting() || !has_idle()) return;
  for (Worker& worker : workers_) {
    if (!worker.part || worker.is_asked || now() < worker.ask_from) continue;
    worker.is_asked = true;
    worker.asked_at = now();
    flags_[index_of(worker)] = true;
  }
}

void PartCoordinator::wait() {
  std::vector<pollfd> descriptors;
  std::vector<Worker*> asked;
  double next = kMillisecondsBetweenLooks / 1000.0;
  for (Worker& worker : workers_) {
    if (!worker.part) continue;
    descriptors.push_back({.fd = worker.child->channel().descriptor(), .events = POLLIN, .revents = 0});
    asked.push_back(&worker);
    if (!worker.is_asked && has_idle()) next = std::min(next, std::max(0.001, worker.ask_from - now()));
  }
  if (poll(descriptors.data(), descriptors.size(), static_cast<int>(next * 1000)) <= 0) return;
  for (std::size_t i = 0; i < descriptors.size() && !stop_; ++i)
    if (descriptors[i].revents != 0) receive(*asked[i]);
}

void PartCoordinator::receive(Worker& worker) {
  const auto message = worker.child->channel().receive();
  if (!message) return lose(worker);
  auto slice = parse_slice(*message);
  CHECK_MESSAGE(slice && slice->part == worker.part, "a part does not tell what it should");
  take_slice(worker, std::move(*slice));
}

// ---- Slices ----------------------------------------------------------------------------------------------

void PartCoordinator::take_slice(Worker& worker, PartSlice slice) {
  const bool goes_on = slice.kind == PartSlice::Kind::kGoesOn;
  worker.heard_at = now();
  commit(slice);
  if (!source_.is_strict()) tell_bugs(slice.found);
  const bool stops = !slice.found.result.bugs.empty() && options_.after_bug == AfterBug::kStop;
  if (stops && !source_.is_strict()) stop(Stop::kFirstBug);
  std::optional<std::string> position = std::exchange(slice.found.result.position, std::nullopt);
  worker.found = slice.found;
  worker.unfinished_events = slice.unfinished_events;
  if (!goes_on && source_.is_strict()) return end_strict_part(worker, std::move(slice), position);
  if (!goes_on) return end_part(worker, slice, position);
  losses_.erase(slice.part);
  source_.keep(slice.part, std::move(*position));
  if (source_.is_void(slice.part)) return drop_void(worker);
  const double began = std::exchange(worker.is_asked, false) ? worker.asked_at : now();
  const SliceAnswer answer = stop_ ? SliceAnswer{.how = GoOnWith::kNone} : this->answer(slice);
  if (!worker.child->channel().send(print_answer(answer))) return lose(worker);
  const double between = slice.may_give ? kSecondsBetweenAsking : kSecondsAfterRefusal;
  worker.ask_from = now() + std::max(between, kShareOfAsking * (now() - began));
  if (answer.how == GoOnWith::kLess) worker.ask_from = now();
}

void PartCoordinator::commit(const PartSlice& slice) {
  const bool is_right = source_.commit(slice.part, slice.notes);
  CHECK_MESSAGE(is_right, "what a part has noted makes no sense: nondeterminism that is not under control");
}

SliceAnswer PartCoordinator::answer(const PartSlice& slice) {
  if (!slice.may_give || source_.has_waiting() || !has_idle()) return {};
  const PartSource::Division division = source_.divide(slice.part);
  CHECK_MESSAGE(!division.is_damaged, "a part makes no sense: nondeterminism that is not under control");
  if (!division.from_level) return {};
  return {.how = GoOnWith::kLess, .from_level = *division.from_level};
}

// The process is free again.
void PartCoordinator::drop_void(Worker& worker) {
  const PartNumber part = *worker.part;
  worker.found.reset();
  if (!worker.child->channel().send(print_answer({.how = GoOnWith::kNone}))) return lose(worker);
  end_run(worker);
  source_.take_back(part);
}

void PartCoordinator::end_part(Worker& worker, const PartSlice& slice,
                               const std::optional<std::string>& position) {
  const SearchResult& result = slice.found.result;
  end_run(worker);
  if (slice.kind == PartSlice::Kind::kEnded && result.stop == Stop::kComplete)
    return source_.finish(slice.part, result.counts.coverage.is_complete);
  if (position && slice.kind == PartSlice::Kind::kEnded) {
    source_.keep(slice.part, *position);
    source_.take_back(slice.part);
  }
  end_search(result, slice.kind, slice.last);
}

void PartCoordinator::end_search(const SearchResult& result, PartSlice::Kind kind,
                                 std::span<const NamedStep> last) {
  if (!last.empty() && watch_.discovered) watch_.discovered(last);
  if (kind == PartSlice::Kind::kDiscovered) return stop(Stop::kInterrupted);
  refusal_ = result.refusal;
  // By now somebody may have interrupted a search that was about to end.
  if (source_.is_strict()) stop_.reset();
  stop(result.stop);
}

// What ends the search may come after what others have not found yet.
void PartCoordinator::end_strict_part(Worker& worker, PartSlice slice,
                                      const std::optional<std::string>& position) {
  const Stop why = slice.found.result.stop;
  const bool has_discovered = slice.kind == PartSlice::Kind::kDiscovered;
  if (why == Stop::kComplete && !has_discovered) {
    end_run(worker);
    source_.finish(slice.part, slice.found.result.counts.coverage.is_complete);
  } else if (position && !has_discovered) {
    end_run(worker);
    source_.keep(slice.part, *position);
    source_.take_back(slice.part);
    stop(why);
  } else {
    if (position) source_.keep(slice.part, *position);
    end_run(worker, {.found = {}, .ends_search = true, .kind = slice.kind, .last = std::move(slice.last)});
    source_.end_search_at(slice.part);
  }
}

// Puts what is known to be right to what was found before, in its order.
void PartCoordinator::settle() {
  if (!source_.is_strict()) return join_neighbours();
  for (const PartPlace& place : source_.take_void()) ended_.erase(place);
  const PartPlace settled = source_.settled_before();
  while (!ended_.empty() && ended_.begin()->first <= settled) {
    const EndedRun run = std::move(ended_.begin()->second);
    ended_.erase(ended_.begin());
    if (found_)
      append(*found_, run.found);
    else
      found_ = run.found;
    unfinished_events_ += run.unfinished_events;
    tell_bugs(*found_);
    if (!run.ends_search) continue;
    ended_.clear();
    end_search(run.found.result, run.kind, run.last);
  }
}

// Where nothing more is found between two runs, they are one.
void PartCoordinator::join_neighbours() {
  if (ended_.size() < kRunsToJoin) return;
  const std::vector<PartPlace> places = source_.left();
  const std::set<PartPlace> left(places.begin(), places.end());
  for (auto run = ended_.begin(), next = std::next(run); next != ended_.end();) {
    const auto between = left.lower_bound(run->first);
    if (between != left.end() && *between <= next->first) {
      run = next++;
      continue;
    }
    append(run->second.found, std::move(next->second.found));
    run->second.unfinished_events += next->second.unfinished_events;
    next = ended_.erase(next);
  }
}

void PartCoordinator::end_run(Worker& worker) { end_run(worker, EndedRun{}); }

void PartCoordinator::end_run(Worker& worker, EndedRun run) {
  const PartPlace place = source_.beginning_of(*worker.part);
  worker.part.reset();
  worker.is_asked = false;
  worker.ask_from = 0;
  flags_[index_of(worker)] = false;
  if (!worker.found) return;
  run.found = std::move(*worker.found);
  run.unfinished_events = worker.unfinished_events;
  worker.found.reset();
  if (!place.empty()) {
    ended_.emplace(place, std::move(run));
    return;
  }
  unfinished_events_ += run.unfinished_events;
  if (found_)
    merge(*found_, run.found);
  else
    found_ = std::move(run.found);
}

// As far as what was found counts by now.
std::uint64_t PartCoordinator::unfinished_events() const {
  std::uint64_t events = unfinished_events_;
  if (!source_.is_strict())
    for (const auto& [place, run] : ended_) events += run.unfinished_events;
  for (const Worker& worker : workers_)
    if (worker.found && (!source_.is_strict() || source_.is_first(*worker.part)))
      events += worker.unfinished_events;
  return events;
}

void PartCoordinator::lose(Worker& worker) {
  const PartNumber part = *worker.part;
  const std::string how = worker.child->end();
  worker.child.reset();
  end_run(worker);
  source_.take_back(part);
  const std::uint32_t losses = ++losses_[part];
  if (losses == 1) return;
  problems_.push_back(fmt::format(
      "a process of the search came to an end {} times at the same part of it ({})", losses, how));
  if (losses >= kLossesMax) stop(Stop::kInterrupted);
}

void PartCoordinator::lose_silent_ones() {
  for (Worker& worker : workers_) {
    if (!worker.part || now() - worker.heard_at < kSecondsOfSilence) continue;
    kill(worker.child->pid(), SIGKILL);
    lose(worker);
  }
}

void PartCoordinator::stop(Stop why) {
  if (!stop_) stop_ = why;
}

// Lets each part tell where it is, so that nothing is lost.
void PartCoordinator::stop_workers() {
  const double end = now() + kSecondsToStop;
  for (std::size_t i = 0; i < workers_.size(); ++i)
    if (workers_[i].part) flags_[i] = true;
  for (Worker& worker : workers_) {
    if (!worker.part) continue;
    pollfd one = {.fd = worker.child->channel().descriptor(), .events = POLLIN, .revents = 0};
    const double left = std::max(0.0, end - now());
    if (poll(&one, 1, static_cast<int>(left * 1000)) > 0) receive(worker);
  }
}

// ---- Results ---------------------------------------------------------------------------------------------

// Those that are new or have a simpler schedule; in the end also those that have another one.
void PartCoordinator::tell_bugs(const PartFindings& found, bool is_end) {
  for (const NamedBug& bug : found.result.bugs)
    if ((is_end ? told_.add_last(bug) : told_.add(bug)) && watch_.bug) watch_.bug(bug);
}

std::optional<std::uint64_t> PartCoordinator::executions_left() const {
  if (!options_.executions) return std::nullopt;
  return *options_.executions - std::min(*options_.executions, counts().executions - executions_before_);
}

Counts PartCoordinator::counts() const {
  Counts all;
  if (found_) all = found_->result.counts;
  for (const auto& [place, run] : ended_) all = sum(all, run.found.result.counts);
  for (const Worker& worker : workers_)
    if (worker.found) all = sum(all, worker.found->result.counts);
  all.bugs = told_.size();
  return all;
}

// In the order of one process, where there is one.
PartFindings PartCoordinator::found_so_far() const {
  std::optional<PartFindings> all = found_;
  std::multimap<PartPlace, const PartFindings*> runs;
  if (!source_.is_strict())
    for (const auto& [place, run] : ended_) runs.emplace(place, &run.found);
  for (const Worker& worker : workers_)
    if (worker.found && (!source_.is_strict() || source_.is_first(*worker.part)))
      runs.emplace(source_.beginning_of(*worker.part), &*worker.found);
  for (const auto& [place, found] : runs) {
    if (!all)
      all = *found;
    else if (place.empty())
      merge(*all, *found);
    else
      append(*all, *found);
  }
  return all.value_or(PartFindings());
}

// What parts do not know.
void PartCoordinator::describe_whole(SearchResult& result) const {
  Counts& counts = result.counts;
  // A part that has come to its end says what the whole search says there.
  if (source_.is_strict() && result.stop != Stop::kComplete) counts.coverage.bounds.clear();
  if (const auto bounds = source_.bounds()) counts.coverage.bounds = *bounds;
  counts.executions_estimate = source_.executions_estimate(counts.executions, counts.executions_estimate);
}

void PartCoordinator::keep_if_due() {
  if (!watch_.keep || now() < next_keeping_) return;
  PartFindings all = found_so_far();
  all.result.stop = Stop::kInterrupted;
  all.result.counts.seconds = now() - start_;
  all.result.counts.coverage.is_complete = false;
  all.result.position = source_.position();
  describe_whole(all.result);
  watch_.keep(std::move(all));
  next_keeping_ = now() + options_.keeping.between;
}

PartFindings PartCoordinator::total() {
  settle();
  PartFindings all = found_so_far();
  tell_bugs(all, true);
  SearchResult& result = all.result;
  result.stop = stop_.value_or(Stop::kComplete);
  result.refusal = refusal_;
  result.position.reset();
  if (stop_ && is_interruption(*stop_)) result.position = source_.position();
  result.counts.coverage.is_complete = source_.has_all() && result.stop == Stop::kComplete;
  result.counts.seconds = now() - start_;
  describe_whole(result);
  if (result.stop == Stop::kComplete) result.counts.executions_estimate.reset();
  return all;
}

}  // namespace ravel
