// A search by states that several processes share, from the one that has the search.
//
// Who visits states has those that it was the first to come to (states/shared_states.h), and gives some away
// when somebody else has nothing to do (state_worker.h). It is over when nobody has any. By delays, all wait
// for each other then, and go on as states/strata_rounds.h says.
//
// What a process learns by a step, as the name of a new process, it numbers by itself; hashes of states would
// then mean different things in different processes. So it comes to an end there. The process that has the
// search takes the same steps, and so learns the same thing, and the next process that it makes has it from
// its beginning and goes on with what was left.
//
// A process that dies leaves states that count as visited, and nobody knows which: then the search begins
// anew, and with it the set of visited states.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "check/state_messages.h"
#include "parallel/child_process.h"
#include "parts/part_coordinator.h"
#include "parts/told_bugs.h"
#include "states/shared_states.h"
#include "states/strata_rounds.h"

namespace ravel {

class StateCoordinator {
 public:
  struct Options {
    std::size_t jobs = 2;
    bool by_levels = false;  // SharedPart::Sharing::by_levels
    bool by_delays = false;  // StateSearch::share_by_delays(),
    std::optional<std::uint32_t> delays_max = {};
    std::optional<double> seconds = {};        // from now on
    std::optional<std::uint64_t> memory = {};  // bytes that all processes may hold together
    AfterBug after_bug = AfterBug::kStop;
    const std::atomic<bool>* interrupt = nullptr;
  };
  // What comes of steps that another process has taken.
  enum class Followed : std::uint8_t { kLearnsNothing, kLearns, kEndsSearch };
  // What it needs of the search.
  struct Work {
    // In a copy of this process, which is to be number `number`: visits states, and does not come back.
    std::function<void(std::size_t number, Channel channel)> visit = {};
    // Takes these steps in this process.
    std::function<Followed(std::span<const std::uint32_t> way)> follow = {};
    // What a process has found so far, before anything is told of it; and where it has only looked.
    std::function<void(const PartFindings&, std::string_view looks)> heard = {};
    std::function<void(const Counts&)> progress = {};
    std::function<void(const NamedBug&)> bug = {};  // one that is new, or has a simpler schedule
  };

  // The flags: of each process whether it is asked for a piece, and then whether all are to stop. References
  // must outlive this object.
  StateCoordinator(SharedStates& states, SharedFlags& flags, Options options, Work work);
  ~StateCoordinator();

  // The first process, which is at work already, at this distance from the initial state, or in this stratum.
  void add_running(ChildProcess child, std::uint32_t distance);

  // Until all states were visited or something ends it. What was found, in logical names.
  PartFindings run();
  // What went wrong on the way: sentences without a full stop.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  struct Worker {
    std::optional<ChildProcess> child;
    std::optional<PartFindings> found;  // since it was begun, when it paused last
    bool is_at_work = false;
    bool has_rest = false;  // states beyond the limit of distance
    bool is_asked = false;
    double ask_from = 0;  // in seconds of the clock: not before then
  };

  double now() { return clock_.seconds(); }
  std::size_t number_of(const Worker& worker) const {
    return static_cast<std::size_t>(&worker - workers_.data());
  }
  bool has_idle() const;
  bool is_done() const;
  void give_out();
  void go_further();
  void go_through_strata();
  void order(Worker& worker, StateOrders orders);
  bool begin_worker(Worker& worker);
  void ask_for_pieces();
  void wait();
  void receive(Worker& worker);
  void take(Worker& worker, StateNews news);
  void take_found(Worker& worker, StateNews& news);
  void end_worker(Worker& worker);
  void learn(std::span<const std::uint32_t> way);
  void lose(Worker& worker);
  void begin_anew();
  void look_at_limits();
  std::uint64_t held_bytes() const;
  void stop(Stop why);
  void stop_workers();
  void tell_bugs(const PartFindings& found);
  PartFindings found_so_far() const;
  PartFindings total();

  SharedStates& states_;
  SharedFlags& flags_;
  const Options options_;
  const Work work_;
  SteadyClock clock_;
  const double start_;
  std::vector<Worker> workers_;
  std::deque<StatePiece> waiting_;  // that nobody has
  std::uint32_t distance_max_;
  std::optional<StrataRounds> strata_;  // by delays
  std::optional<PartFindings> found_;   // by processes that have ended
  ToldBugs told_;
  std::uint32_t losses_ = 0, useless_ways_ = 0;
  double next_memory_look_ = 0;
  std::optional<Stop> stop_;
  std::optional<Refusal> refusal_;
  std::vector<std::string> problems_;
};

}  // namespace ravel
