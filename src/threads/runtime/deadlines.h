// When waits with a time-out and sleeps end, if time follows deadlines or passes only when nobody can go on;
// deadlines.cc says how. And the virtual clock.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "threads/protocol/messages.h"
#include "threads/runtime/current_step.h"
#include "threads/runtime/loop_waits.h"
#include "threads/runtime/readiness.h"
#include "threads/runtime/step_recording.h"
#include "threads/runtime/thread.h"
#include "threads/runtime/thread_table.h"
#include "threads/runtime/virtual_time.h"

namespace ravel::threads {

class Deadlines {
 public:
  // All references must outlive this object.
  Deadlines(const Configuration& configuration, const ThreadTable& threads, const LoopWaits& loops,
            CurrentStep& step, StepRecording& recording, Discoveries& discoveries)
      : configuration_(configuration),
        threads_(threads),
        loops_(loops),
        step_(step),
        recording_(recording),
        discoveries_(discoveries) {}

  void configure() { count_ = configuration_.follows_deadlines || configuration_.passes_when_idle; }
  void begin_execution() { ticks_ = 0; }

  // ---- the clock, in ticks of a nanosecond

  std::uint64_t ticks() const { return ticks_; }
  void let_pass(std::uint64_t ticks) { ticks_ += ticks; }
  void let_pass_until(std::uint64_t date) { ticks_ = std::max(ticks_, date); }
  // What time it is decides something, in this process's executions: a thread has looked at a clock, or named
  // a date.
  void note_use_of_date() { dates_matter_ = true; }
  bool do_dates_matter() const { return dates_matter_ || configuration_.follows_deadlines; }
  // A thread that has looked at the clock again and again waits for it.
  bool has_polled_clock();
  std::uint64_t next_poll();  // how long it is to wait

  // ---- who can go on

  // Whether waits give up by them.
  bool count() const { return count_; }
  // How many ways to go on there are now: 0, or alternatives from first_alternative().
  std::uint32_t alternatives(const Thread& thread) const {
    const std::uint32_t ways = ways_to_go_on(thread);
    if (!count_) [[likely]]
      return ways;
    return ways > 0 && goes_on_by_time(thread) && !is_due(thread) ? 0 : ways;
  }
  // Where time follows deadlines: whether the thread's next operation makes it later. REQUIRES: it can go on.
  bool moves_time_on(const Thread& thread) const {
    return goes_on_by_time(thread) && thread.deadline > ticks_;
  }

  // ---- a wait of the running thread, where deadlines count

  struct Wait {
    std::uint64_t begin = 0;  // in ticks
    std::uint64_t moves = 0;  // steps of threads before
    bool is_timed = false;    // others have to do with its deadline
    bool lasts = false;       // may end by time alone
  };
  Wait begin_wait(const Operation& operation, const TimeLimit& limit);
  // The operation has gone on with this alternative.
  void end_wait(const Wait& wait, const Operation& operation, std::uint32_t alternative);

  // ---- steps in which time passes

  // Where time passes only when nobody can go on: who waits longest for less, and the step of that. REQUIRES
  // for the second: there is one.
  std::optional<std::uint64_t> next_deadline() const;
  void pass();
  // Where time may pass while threads can go on: what of their waits ends only by time, each date once, the
  // earliest first; and the step to one of them, by its number from 1.
  std::vector<std::uint64_t> dates_to_come() const;
  void pass_early(std::uint32_t number);

 private:
  // Whenever that may be.
  std::uint32_t ways_to_go_on(const Thread& thread) const {
    if (thread.state != ThreadState::kWaiting || loops_.holds_up(thread)) return 0;
    return ways_of_operation(thread);
  }
  // Whether it gives up waiting, or wakes, by a deadline. REQUIRES: there is a way to go on.
  bool goes_on_by_time(const Thread& thread) const;
  bool is_due(const Thread& thread) const;
  // A deadline is something that others have to do with.
  bool are_shared() const { return configuration_.follows_deadlines || configuration_.fires_early; }
  void begin_passing(std::uint64_t date);
  void touch_deadlines();
  void pass_deadline(const Thread& self);
  void touch_awaited(const Operation& operation);

  const Configuration& configuration_;
  const ThreadTable& threads_;
  const LoopWaits& loops_;
  CurrentStep& step_;
  StepRecording& recording_;
  Discoveries& discoveries_;
  bool count_ = false;
  std::uint64_t ticks_ = 0;
  bool dates_matter_ = false;
  std::uint64_t passes_ = 0;  // of all steps those in which time has passed
};

}  // namespace ravel::threads
