// Time, as far as the machine has one (TimePolicy), in milliseconds since the start: timers, when an `after`
// or a timer may fire, and what clocks show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "erlang/machine/builtin.h"
#include "erlang/machine/machine_options.h"
#include "erlang/machine/machine_part.h"
#include "erlang/machine/process.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

enum class TimerMessage : std::uint8_t {
  kPlain,    // send_after: the message as it is
  kTimeout,  // start_timer: {timeout, Reference, Message}
};

struct Timer {
  Term reference;
  Term target;  // pid or registered name
  Term content;
  Term creator;
  TimerMessage form = TimerMessage::kPlain;
  std::int64_t due_ms = 0;
  bool never_fires = false;  // MachineOptions::after_infinite_ms
};

class VirtualTime final : public MachinePart {
 public:
  static constexpr std::int64_t kEpochNs = 1'700'000'000'000'000'000;  // what clocks show at the start

  explicit VirtualTime(Machine& its_machine) : MachinePart(its_machine) {}

  std::int64_t now_ms() const { return now_ms_; }
  // The deadline of what is set now, and notes that.
  std::int64_t deadline_in(std::int64_t milliseconds);
  std::int64_t time_left(const Timer& timer);
  // The earliest one of a pending `after` or timer.
  std::optional<std::int64_t> earliest_deadline() const;
  // May what has this deadline fire? `earliest` is earliest_deadline(); only with kDeadlines.
  bool may_fire(std::int64_t due_ms, std::optional<std::int64_t> earliest) const {
    switch (options.time) {
      case TimePolicy::kAny: return true;
      case TimePolicy::kDeadlines: return due_ms == earliest;
      case TimePolicy::kIdle: return due_ms <= now_ms_;
    }
    return false;
  }
  // Whether the time for which a process waits is over. REQUIRES: it is in a receive.
  bool is_due(const Process& process) const {
    return options.time == TimePolicy::kIdle && process.timeout.is_small() && process.due_ms <= now_ms_;
  }
  // Something with this deadline fires.
  void advance(std::int64_t due_ms);
  // Time passes, as a step of its own. REQUIRES: TimePolicy::kIdle, and earliest_deadline() is this one.
  void pass(std::int64_t due_ms);
  // Whether time can move on while somebody can go on.
  bool is_shared() const { return is_shared_with(options); }
  // How much the clocks show since the start: an operation reads it.
  std::int64_t clock_ns();
  // Whether some process may know what time it is. Else states that differ in nothing but that are equal, and
  // come again (MachineOptions::recurring): the present stays as it is, and deadlines come nearer.
  bool is_known() const { return !options.recurring || is_known_; }
  // What a built-in touches that reads a clock.
  static Effect effect_of_clocks(const MachineOptions& options);

  std::span<const Timer> timers() const { return timers_; }  // in order of creation
  void add_timer(const Timer& timer);
  bool remove_timer(Term reference);
  const Timer* find_timer(Term reference) const;
  // Takes a timer off the list and delivers its message; notes the event.
  void expire_timer(std::size_t index);
  // Cancels the timers that are aimed at the pid of a process that ends.
  void end_timers_of(Term pid);

  Term freeze_timers(std::vector<Term>& scratch);
  Term freeze_now() const { return Term::small(is_known_ ? now_ms_ : -1 - now_ms_); }
  void thaw(Term timers, Term now);
  void for_each_term(Roots::Visit visit, void* collector);  // everything young

 private:
  static bool is_shared_with(const MachineOptions& options) {
    return options.time == TimePolicy::kDeadlines || options.fires_early;
  }
  bool is_aimed_at_nobody(const Timer& timer) const;

  std::vector<Timer> timers_;
  void bring_nearer(std::int64_t milliseconds);

  std::int64_t now_ms_ = 0;
  bool is_known_ = false;
};

}  // namespace ravel::erlang
