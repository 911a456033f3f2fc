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
// To be able to go on later, now and then all are asked what they have visited since they told last. They go
// on at once; but no piece is given to anybody until all have told, so that each state is told as one that
// somebody is to go on from, or nobody (states/shared_position.h). By delays all tell when a stratum begins.
//
// A process that dies leaves states that count as visited, and nobody knows which: then this search is over,
// and another one goes on from what was told last, or begins anew, and with it the set of visited states.
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
#include "parallel/child_process.h"
#include "parts/part_coordinator.h"
#include "parts/told_bugs.h"
#include "sharing/state_messages.h"
#include "sharing/state_worker.h"
#include "states/shared_position.h"
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
    KeepingTimes keeping = {};
    const std::atomic<bool>* interrupt = nullptr;
  };
  // What comes of steps that another process has taken.
  enum class Followed : std::uint8_t { kLearnsNothing, kLearns, kEndsSearch };
  // What it needs of the search.
  struct Work {
    // In a copy of this process, which is to be number `number`: visits states, and does not come back.
    std::function<void(std::size_t number, std::uint32_t visitor, Channel channel)> visit = {};
    MakeCopy fork = flush_and_fork;
    // Takes these steps in this process.
    std::function<Followed(std::span<const std::uint32_t> way)> follow = {};
    // What a process has found so far, before anything is told of it; and where it has only looked.
    std::function<void(const PartFindings&, std::string_view looks)> heard = {};
    std::function<void(const Counts&)> progress = {};
    std::function<void(const NamedBug&)> bug = {};  // one that is new, or has a simpler schedule
    // Now and then: what was found so far, with a position. Null: nobody wants to know.
    std::function<void(PartFindings)> keep = {};
  };

  // The flags: StateFlags of each process (flags_of()). References must outlive this object.
  StateCoordinator(SharedStates& states, SharedFlags& flags, Options options, Work work);
  ~StateCoordinator();

  static std::size_t flag_count(std::size_t jobs) { return 2 * jobs + 1; }
  // Of the process of this number.
  static StateFlags flags_of(SharedFlags& flags, std::size_t number);

  // The first process, which is at work already, at this distance from the initial state, or in this stratum.
  // `told`: what it has told before, as visitor 0.
  // By delays `begun`: what was found then.
  void add_running(ChildProcess child, std::uint32_t distance, SharedPosition told,
                   std::optional<PartFindings> begun);

  // Until all states were visited or something ends it. What was found, in logical names, with a position if
  // something has ended it.
  PartFindings run();
  // How a process has ended in the midst of the search: then what run() returns is not all that was visited.
  const std::optional<std::string>& loss() const { return loss_; }
  // What went wrong on the way: sentences without a full stop.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  struct Worker {
    std::optional<ChildProcess> child;
    std::optional<PartFindings> found;  // since it was begun, when it paused last
    bool is_at_work = false;
    bool has_rest = false;  // states beyond the limit of distance
    bool is_asked = false;
    double ask_from = 0;                 // in seconds of the clock: not before then
    bool is_to_tell = false;             // what it has visited, before the search is saved
    std::vector<StatePiece> later = {};  // what it gave since it told that, and before the search was saved
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
  void hear(Worker& worker, StateNews& news);
  void hear_of_stratum(Worker& worker, StateNews& news);
  void keep_stratum();
  void take_later(Worker& worker);
  void save_if_due();
  void end_saving();
  void look_at_limits();
  std::uint64_t held_bytes() const;
  void stop(Stop why);
  void stop_workers();
  void tell_bugs(const PartFindings& found);
  PartFindings found_so_far() const;
  void sum_up(PartFindings& all, Stop why);
  PartFindings total();

  SharedStates& states_;
  SharedFlags& flags_;
  const Options options_;
  const Work work_;
  SteadyClock clock_;
  const double start_;
  std::vector<Worker> workers_;
  std::deque<StatePiece> waiting_;  // that nobody has
  SharedPosition position_;
  // By delays: what was found when the stratum of the position began; the same of the one that begins, and
  // what was told for its position and for that of the next one.
  std::optional<PartFindings> begun_, beginning_;
  std::vector<StateNotes> notes_, next_notes_;
  bool is_begun_kept_ = false;
  bool is_saving_ = false, is_position_whole_ = true;
  std::uint32_t visitors_ = 1;
  std::uint32_t distance_max_;
  double next_keeping_;
  std::optional<StrataRounds> strata_;  // by delays
  std::optional<PartFindings> found_;   // by processes that have ended
  ToldBugs told_;
  std::uint32_t useless_ways_ = 0;
  std::optional<std::string> loss_;
  double next_memory_look_ = 0;
  std::optional<Stop> stop_;
  std::optional<Refusal> refusal_;
  std::vector<std::string> problems_;
};

}  // namespace ravel
