// A search that is run in parts by several processes, from the one that has all parts.
//
// The processes are copies of this one, begun when there is a part for them. Each runs a part, in slices;
// when somebody has nothing to do, those that have are asked for a slice at once, and their parts are
// divided. What a slice has found takes effect when it comes, as a whole. A process that dies costs the slice
// that it was at: its part is run again from there.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/part_source.h"
#include "parallel/child_process.h"
#include "parallel/process_share.h"
#include "parallel/shared_atomics.h"
#include "parts/part_messages.h"
#include "parts/part_worker.h"
#include "parts/told_bugs.h"

namespace ravel {

class PartCoordinator {
 public:
  struct Options {
    ProcessShare processes = {};
    std::optional<double> seconds = {};            // from now on
    std::optional<std::uint64_t> executions = {};  // likewise; then there is one process at a time
    AfterBug after_bug = AfterBug::kStop;
    const std::atomic<bool>* interrupt = nullptr;
    KeepingTimes keeping = {};
  };
  // What is told of the search while it runs.
  struct Watch {
    std::function<void(const Counts&)> progress = {};
    std::function<void(const NamedBug&)> bug = {};  // one that is new, or has a simpler schedule
    std::function<void(std::span<const NamedStep>)> discovered =
        {};                                       // PartSlice::Kind::kDiscovered, a refusal
    std::function<void(PartFindings)> keep = {};  // what all have found so far, with the position
  };

  // `flags`: one for each process that there may be ever. References must outlive this object.
  PartCoordinator(PartSource& source, SharedFlags& flags, PartRunning running, Options options, Watch watch);
  ~PartCoordinator();

  // One of the processes, which runs the first part already. `before`: what was found before it was begun,
  // which is among what that process has found.
  void add_running(ChildProcess child, PartFindings before);

  // What was found by an earlier run of the search.
  void add_found(PartFindings before) { found_ = std::move(before); }

  // Runs all parts. What was found, in logical names: with the result of the whole search.
  PartFindings run();
  // What went wrong on the way: sentences without a full stop.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  struct Worker {
    std::optional<ChildProcess> child;
    std::optional<PartNumber> part;
    std::optional<PartFindings> found;  // by this run of the part, up to its last slice
    std::uint64_t unfinished_events = 0;
    bool is_asked = false;  // for a slice, at once
    double asked_at = 0;
    double ask_from = 0;  // in seconds of the clock: not before then
    double heard_at = 0;  // when it was given its part, or has told of it last
  };

  // A run of a part that has ended, in a search whose parts have an order.
  struct EndedRun {
    PartFindings found;
    std::uint64_t unfinished_events = 0;
    bool ends_search = false;
    PartSlice::Kind kind = PartSlice::Kind::kEnded;
    std::vector<NamedStep> last = {};
  };

  double now() { return clock_.seconds(); }
  // Those that there may be now.
  std::span<Worker> workers();
  bool has_idle();
  std::size_t index_of(const Worker& worker) const {
    return static_cast<std::size_t>(&worker - workers_.data());
  }
  void give_out();
  void give(Worker& worker, Part part);
  bool begin_worker(Worker& worker);
  void ask_for_slices();
  void wait();
  void receive(Worker& worker);
  void take_slice(Worker& worker, PartSlice slice);
  void end_part(Worker& worker, const PartSlice& slice, const std::optional<std::string>& position);
  void end_strict_part(Worker& worker, PartSlice slice, const std::optional<std::string>& position);
  void drop_void(Worker& worker);
  void settle();
  void join_neighbours();
  std::uint64_t unfinished_events() const;
  void end_search(const SearchResult& result, PartSlice::Kind kind, std::span<const NamedStep> last);
  SliceAnswer answer(const PartSlice& slice);
  void commit(const PartSlice& slice);
  void lose(Worker& worker);
  void lose_silent_ones();
  void stop(Stop why);
  void stop_workers();
  void tell_bugs(const PartFindings& found, bool is_end = false);
  void end_run(Worker& worker);
  void end_run(Worker& worker, EndedRun run);
  // Of the budget, if there is one.
  std::optional<std::uint64_t> executions_left() const;
  Counts counts() const;
  PartFindings found_so_far() const;
  void describe_whole(SearchResult& result) const;
  void keep_if_due();
  PartFindings total();

  PartSource& source_;
  SharedFlags& flags_;
  const PartRunning running_;
  const Options options_;
  const Watch watch_;
  SteadyClock clock_;
  const double start_;
  std::vector<Worker> workers_;
  std::map<PartNumber, std::uint32_t> losses_;  // how often a part's process has died
  std::optional<PartFindings> found_;           // by runs of parts that have ended, but for those in ended_
  std::multimap<PartPlace, EndedRun> ended_;    // by where they began
  ToldBugs told_;
  std::uint64_t unfinished_events_ = 0;  // of found_
  std::uint64_t executions_before_ = 0;  // found by an earlier run of the search
  double next_keeping_;
  std::optional<Stop> stop_;
  std::optional<Refusal> refusal_;
  std::vector<std::string> problems_;
};

}  // namespace ravel
