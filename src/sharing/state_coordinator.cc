#include "sharing/state_coordinator.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "base/check.h"
#include "engine/bug_ledger.h"
#include "states/state_search.h"

namespace ravel {

namespace {

constexpr std::uint32_t kNoLimit = ~std::uint32_t{0};

constexpr int kMillisecondsBetweenLooks = 50;
constexpr double kSecondsBetweenMemoryLooks = 0.2;

// A process that had nothing to give away, or too little, is asked again after so many seconds.
constexpr double kSecondsBetweenAsking = 0.01;

// How often a process may learn something by steps by which the one that has the search does not.
constexpr std::uint32_t kUselessWaysMax = 10'000;

// How long the processes have to tell what they have found when the search is stopped.
constexpr double kSecondsToStop = 5;

// By delays, if the search is stopped.
constexpr StratumOrder kSettleAll = {.kind = StratumOrder::Kind::kSettle, .last_rank = SharedStates::kNobody};

// Of memory that a process shares with no other one, as far as it has no file.
std::uint64_t own_bytes(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/statm", process));
  std::uint64_t size = 0, resident = 0, shared = 0;
  if (!(file >> size >> resident >> shared) || resident < shared) return 0;
  return (resident - shared) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void merge_visited(PartFindings& into, const PartFindings& part) {
  StateCounts all = into.result.counts.states.value_or(StateCounts{});
  const StateCounts other = part.result.counts.states.value_or(StateCounts{});
  merge(into, part);
  all.states += other.states;
  all.transitions += other.transitions;
  all.depth = std::max(all.depth, other.depth);
  into.result.counts.states = all;
}

void merge_visited(std::optional<PartFindings>& into, const PartFindings& part) {
  if (into)
    merge_visited(*into, part);
  else
    into = part;
}

}  // namespace

StateCoordinator::StateCoordinator(SharedStates& states, SharedFlags& flags, Options options, Work work)
    : states_(states),
      flags_(flags),
      options_(options),
      work_(std::move(work)),
      start_(clock_.seconds()),
      workers_(options.jobs),
      distance_max_(options.by_levels ? 1 : kNoLimit),
      next_keeping_(start_ + options.keeping.first) {
  if (options.by_delays) strata_.emplace(states, options.delays_max, options.jobs);
}

StateCoordinator::~StateCoordinator() = default;

StateFlags StateCoordinator::flags_of(SharedFlags& flags, std::size_t number) {
  return {.asked = flags[2 * number], .saved = flags[2 * number + 1], .stopped = flags[flags.size() - 1]};
}

void StateCoordinator::add_running(ChildProcess child, std::uint32_t distance, SharedPosition told,
                                   std::optional<PartFindings> begun) {
  position_ = std::move(told);
  begun_ = std::move(begun);
  workers_.front().child.emplace(std::move(child));
  workers_.front().is_at_work = true;
  if (options_.by_levels) distance_max_ = distance + 1;
  if (strata_) strata_->begin(distance);
}

PartFindings StateCoordinator::run() {
  while (!stop_ && !loss_ && !is_done()) {
    give_out();
    if (stop_ || loss_) break;
    ask_for_pieces();
    save_if_due();
    wait();
    look_at_limits();
  }
  if (stop_) stop_workers();
  if (loss_ || (stop_ && is_interruption(*stop_))) keep_stratum();
  for (Worker& worker : workers_) worker.child.reset();
  return total();
}

// ---- The processes ---------------------------------------------------------------------------------------

bool StateCoordinator::has_idle() const {
  return std::ranges::any_of(workers_, [](const Worker& worker) { return !worker.is_at_work; });
}

bool StateCoordinator::is_done() const {
  return waiting_.empty() && (!strata_ || strata_->is_over()) &&
         std::ranges::none_of(workers_,
                              [](const Worker& worker) { return worker.is_at_work || worker.has_rest; });
}

void StateCoordinator::give_out() {
  if (is_saving_) return;
  for (Worker& worker : workers_) {
    if (worker.is_at_work || waiting_.empty() || stop_ || loss_) continue;
    if (!worker.child && !begin_worker(worker)) return;
    StatePiece piece = std::move(waiting_.front());
    waiting_.pop_front();
    order(worker, {.distance_max = distance_max_, .piece = std::move(piece)});
  }
  const bool is_idle = std::ranges::none_of(workers_, [](const Worker& worker) { return worker.is_at_work; });
  if (is_idle && waiting_.empty()) go_further();
}

// All states up to the limit were gone on from.
void StateCoordinator::go_further() {
  if (strata_) return go_through_strata();
  if (std::ranges::none_of(workers_, &Worker::has_rest)) return;
  ++distance_max_;
  for (Worker& worker : workers_)
    if (std::exchange(worker.has_rest, false)) order(worker, {.distance_max = distance_max_});
}

void StateCoordinator::go_through_strata() {
  if (!strata_->go_on()) return;
  const bool begins = strata_->order_for(0).kind == StratumOrder::Kind::kNextStratum;
  if (begins) {
    beginning_ = found_;
    notes_ = std::exchange(next_notes_, {});
    for (Worker& worker : workers_) worker.is_to_tell = worker.child.has_value();
  }
  for (Worker& worker : workers_)
    if (worker.child) order(worker, {.stratum = strata_->order_for(number_of(worker))});
}

void StateCoordinator::order(Worker& worker, StateOrders orders) {
  worker.is_at_work = true;
  worker.is_asked = false;
  worker.ask_from = 0;
  const StateFlags flags = flags_of(flags_, number_of(worker));
  flags.asked = false;
  flags.saved = false;
  if (!worker.child->channel().send(print_state_orders(orders))) lose(worker);
}

bool StateCoordinator::begin_worker(Worker& worker) {
  states_.begin_sharing();
  auto forked = work_.fork();
  if (!forked) {
    problems_.push_back(forked.error().message);
    if (std::ranges::none_of(workers_, [](const Worker& one) { return one.child.has_value(); }))
      stop(Stop::kInterrupted);
    return false;
  }
  if (forked->parent) {
    for (Worker& other : workers_)
      if (other.child) close(other.child->channel().descriptor());
    work_.visit(number_of(worker), visitors_, std::move(*forked->parent));
    _exit(0);
  }
  ++visitors_;
  worker.child.emplace(std::move(*forked->child));
  return true;
}

// If somebody has nothing to do.
void StateCoordinator::ask_for_pieces() {
  if (!waiting_.empty() || is_saving_ || !has_idle()) return;
  for (Worker& worker : workers_) {
    if (!worker.is_at_work || worker.is_asked || now() < worker.ask_from) continue;
    worker.is_asked = true;
    flags_of(flags_, number_of(worker)).asked = true;
  }
}

void StateCoordinator::wait() {
  std::vector<pollfd> descriptors;
  std::vector<Worker*> waited_for;
  double next = kMillisecondsBetweenLooks / 1000.0;
  for (Worker& worker : workers_) {
    if (!worker.is_at_work) continue;
    descriptors.push_back({.fd = worker.child->channel().descriptor(), .events = POLLIN, .revents = 0});
    waited_for.push_back(&worker);
    if (!worker.is_asked && has_idle()) next = std::min(next, std::max(0.001, worker.ask_from - now()));
  }
  if (descriptors.empty()) return;
  if (poll(descriptors.data(), descriptors.size(), static_cast<int>(next * 1000)) <= 0) return;
  for (std::size_t i = 0; i < descriptors.size() && !stop_ && !loss_; ++i)
    if (descriptors[i].revents != 0) receive(*waited_for[i]);
}

void StateCoordinator::receive(Worker& worker) {
  const auto message = worker.child->channel().receive();
  if (!message) return lose(worker);
  auto news = parse_state_news(*message);
  CHECK_MESSAGE(news, "a process of the search does not tell what it should");
  take(worker, std::move(*news));
}

void StateCoordinator::take(Worker& worker, StateNews news) {
  const Stop why = news.found.result.stop;
  const std::optional<Refusal> refusal = news.found.result.refusal;
  hear(worker, news);
  if (news.kind == StateNews::Kind::kNotes) return;
  if (std::exchange(worker.is_asked, false)) worker.ask_from = now() + kSecondsBetweenAsking;
  if (news.kind == StateNews::Kind::kGives) return;
  worker.is_at_work = false;
  worker.has_rest = news.has_rest;
  flags_of(flags_, number_of(worker)).asked = false;
  if (strata_ && news.report) strata_->hear(number_of(worker), std::move(*news.report));
  if (news.kind == StateNews::Kind::kPauses) return;
  end_worker(worker);
  if (news.kind == StateNews::Kind::kLearnt) return learn(news.way);
  if (!news.way.empty()) work_.follow(news.way);
  if (!refusal_) refusal_ = refusal;
  stop(why);
}

// What the process had learnt besides, as by describing a bug, need not be learnt here.
void StateCoordinator::learn(std::span<const std::uint32_t> way) {
  const Followed followed = work_.follow(way);
  if (followed == Followed::kEndsSearch) stop(Stop::kInterrupted);
  if (followed == Followed::kLearnsNothing && ++useless_ways_ > kUselessWaysMax) {
    problems_.emplace_back("processes of the search learn by the same steps what this one does not");
    stop(Stop::kInterrupted);
  }
}

// The process has told all that it has found, and leaves by itself.
void StateCoordinator::end_worker(Worker& worker) {
  worker.child->end();
  worker.child.reset();
  worker.has_rest = false;
  if (worker.found) merge_visited(found_, *std::exchange(worker.found, std::nullopt));
}

void StateCoordinator::lose(Worker& worker) {
  loss_ = worker.child->end();
  worker.child.reset();
}

// ---- To go on later --------------------------------------------------------------------------------------

// Pieces, and what it has visited and found, which comes before anything else is told of it.
void StateCoordinator::hear(Worker& worker, StateNews& news) {
  const bool is_later = is_saving_ && !worker.is_to_tell;
  std::ranges::move(news.pieces, std::back_inserter(worker.later));
  if (!is_later || news.notes) take_later(worker);
  if (news.kind == StateNews::Kind::kGives) return;
  if (strata_)
    hear_of_stratum(worker, news);
  else if (news.notes)
    position_.hear(*news.notes);
  worker.is_to_tell = false;
  take_found(worker, news);
}

// Who comes to its end in a stratum is part of the position of the next one.
void StateCoordinator::hear_of_stratum(Worker& worker, StateNews& news) {
  if (!news.notes) return;
  const bool begins = news.kind == StateNews::Kind::kNotes;
  news.notes->stratum = strata_->stratum() + (begins ? 0 : 1);
  (begins ? notes_ : next_notes_).push_back(std::move(*news.notes));
  if (!begins) return;
  merge_visited(beginning_, news.found);
  worker.is_to_tell = false;
  if (std::ranges::any_of(workers_, &Worker::is_to_tell)) return;
  for (const StateNotes& notes : notes_) position_.hear(notes);
  begun_ = std::exchange(beginning_, std::nullopt);
  sum_up(*begun_, Stop::kInterrupted);
  is_begun_kept_ = false;
}

void StateCoordinator::keep_stratum() {
  if (!strata_ || !begun_ || !work_.keep) return;
  PartFindings all = *begun_;
  // Bugs that were found since are bugs, also if the executions that have shown them are to be run again.
  std::vector<NamedBug> bugs = found_so_far().result.bugs;
  for (NamedBug& bug : bugs) bug.executions = 0;
  BugLedgerOf<NamedStep> ledger(std::move(all.result.bugs));
  ledger.merge(bugs);
  all.result.bugs = ledger.take();
  all.result.counts.seconds = now() - start_;
  all.result.position = position_.print({});
  work_.keep(std::move(all));
}

void StateCoordinator::take_later(Worker& worker) {
  std::ranges::move(std::exchange(worker.later, {}), std::back_inserter(waiting_));
}

// Who has nothing to do has told what it has visited when it came to that.
void StateCoordinator::save_if_due() {
  if (!work_.keep || (!is_saving_ && now() < next_keeping_)) return;
  if (strata_) {
    if (!std::exchange(is_begun_kept_, true)) keep_stratum();
    next_keeping_ = now() + options_.keeping.between;
    return;
  }
  if (!is_saving_) {
    is_saving_ = true;
    for (Worker& worker : workers_) {
      worker.is_to_tell = worker.is_at_work;
      if (worker.is_to_tell) flags_of(flags_, number_of(worker)).saved = true;
    }
  }
  if (is_saving_ && std::ranges::none_of(workers_, &Worker::is_to_tell)) end_saving();
}

void StateCoordinator::end_saving() {
  PartFindings now_found = found_so_far();
  sum_up(now_found, Stop::kInterrupted);
  now_found.result.position = position_.print(waiting_);
  work_.keep(std::move(now_found));
  for (Worker& worker : workers_) take_later(worker);
  is_saving_ = false;
  next_keeping_ = now() + options_.keeping.between;
}

// ---- When it ends ----------------------------------------------------------------------------------------

void StateCoordinator::look_at_limits() {
  if (work_.progress) {
    Counts counts = found_so_far().result.counts;
    if (!counts.states) counts.states.emplace();
    counts.states->states = states_.size();
    counts.seconds = now() - start_;
    counts.bugs = told_.size();
    work_.progress(counts);
  }
  if (options_.interrupt != nullptr && options_.interrupt->load()) stop(Stop::kInterrupted);
  if (options_.seconds && now() - start_ >= *options_.seconds) stop(Stop::kTimeBudget);
  if (!options_.memory || now() < next_memory_look_) return;
  next_memory_look_ = now() + kSecondsBetweenMemoryLooks;
  if (held_bytes() > *options_.memory) stop(Stop::kMemoryBudget);
}

std::uint64_t StateCoordinator::held_bytes() const {
  std::uint64_t bytes = states_.table_bytes() + own_bytes(getpid());
  for (const Worker& worker : workers_)
    if (worker.child) bytes += own_bytes(worker.child->pid());
  return bytes;
}

void StateCoordinator::stop(Stop why) {
  if (!stop_) stop_ = why;
}

// Lets each process tell what it has found.
void StateCoordinator::stop_workers() {
  const double end = now() + kSecondsToStop;
  flags_[flags_.size() - 1] = true;
  is_saving_ = false;
  for (Worker& worker : workers_) take_later(worker);
  if (strata_ && !strata_->is_over())  // what they have run of the stratum is still to be told
    for (Worker& worker : workers_)
      if (worker.child && !worker.is_at_work)
        worker.is_at_work = worker.child->channel().send(print_state_orders({.stratum = kSettleAll}));
  for (Worker& worker : workers_) {
    while (worker.is_at_work && worker.child) {
      pollfd one = {.fd = worker.child->channel().descriptor(), .events = POLLIN, .revents = 0};
      if (poll(&one, 1, static_cast<int>(std::max(0.0, end - now()) * 1000)) <= 0) break;
      const auto message = worker.child->channel().receive();
      auto news = message ? parse_state_news(*message) : std::nullopt;
      if (!news) break;
      hear(worker, *news);
      if (news->kind != StateNews::Kind::kGives && news->kind != StateNews::Kind::kNotes)
        worker.is_at_work = false;
    }
    is_position_whole_ &= !worker.is_at_work;
  }
}

// ---- Results ---------------------------------------------------------------------------------------------

void StateCoordinator::take_found(Worker& worker, StateNews& news) {
  if (work_.heard) work_.heard(news.found, news.looks);
  if (options_.after_bug == AfterBug::kKeepGoing) tell_bugs(news.found);
  worker.found = std::move(news.found);
}

void StateCoordinator::tell_bugs(const PartFindings& found) {
  for (const NamedBug& bug : found.result.bugs)
    if (told_.add(bug) && work_.bug) work_.bug(bug);
}

PartFindings StateCoordinator::found_so_far() const {
  std::optional<PartFindings> all = found_;
  for (const Worker& worker : workers_)
    if (worker.found) merge_visited(all, *worker.found);
  return all.value_or(PartFindings());
}

// What is told of the whole search, if it ends for this reason.
void StateCoordinator::sum_up(PartFindings& all, Stop why) {
  SearchResult& result = all.result;
  Counts& counts = result.counts;
  counts.bugs = result.bugs.size();
  result.stop = why;
  result.refusal = refusal_;
  result.position.reset();
  if (!counts.states) counts.states.emplace();
  counts.states->bytes = states_.table_bytes();
  const bool is_complete = why == Stop::kComplete;
  if (options_.by_levels && !is_complete) counts.states->depth = distance_max_ - 1;
  counts.hashed = states_.told();
  counts.coverage = {};
  counts.coverage.unit = CoverageUnit::kStates;
  counts.coverage.is_complete = is_complete && (!strata_ || strata_->is_exhausted()) &&
                                counts.hashed->omitted < StateSearch::kOmittedMax;
  if (options_.by_levels)
    counts.coverage.bounds = {{.on = BoundOn::kEvents,
                               .completed = static_cast<std::uint32_t>(counts.states->depth),
                               .current = {},
                               .is_exhausted = is_complete}};
  if (strata_)
    counts.coverage.bounds = {{.on = BoundOn::kStrata,
                               .completed = strata_->completed(),
                               .current = strata_->stratum(),
                               .is_exhausted = strata_->is_exhausted()}};
  counts.events_max = counts.states->depth;
  counts.seconds = now() - start_;
}

PartFindings StateCoordinator::total() {
  PartFindings all = found_so_far();
  SearchResult& result = all.result;
  // One process would have ended at the first one.
  if (stop_ == Stop::kFirstBug && result.bugs.size() > 1)
    result.bugs = {*std::ranges::min_element(result.bugs, {}, BugLedgerOf<NamedStep>::simplicity)};
  tell_bugs(all);
  sum_up(all, stop_.value_or(Stop::kComplete));
  if (!strata_ && is_position_whole_ && is_interruption(result.stop) && !position_.is_empty())
    result.position = position_.print(waiting_);
  return all;
}

}  // namespace ravel
