// What would happen if certain steps were taken: between two executions of a search, or before the first.
//
// A trial that begins like the one before goes on from where they part, by a snapshot, if the System has
// them. The first trial after another execution does so, too, if that execution begins as the trial before.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/system.h"
#include "engine/taken_step.h"

namespace ravel {

// Hears what a trial does.
class TrialListener {
 public:
  virtual ~TrialListener() = default;

  // The trial begins with the first `events` events of the trial before.
  virtual void rewind(std::size_t events) = 0;
  virtual void observe(const Event& event) = 0;
};

class Trials {
 public:
  // `execution`: what the System has done last apart from trials. Both must outlive this object.
  Trials(System& system, const std::vector<TakenStep>& execution) : system_(system), execution_(execution) {}
  // Before the first execution.
  explicit Trials(System& system);
  ~Trials() { drop_after(0); }
  Trials(const Trials&) = delete;
  Trials& operator=(const Trials&) = delete;

  // What may be asked of the trial at hand.
  SystemView& view() { return system_; }

  // Takes these steps from the initial state on; false if one can't be taken. The listener is the same for
  // all trials, outlives them, and also hears what end() does. The last one is taken with its actor's first
  // alternative if it does not have that one there.
  bool run(std::span<const Transition> steps, TrialListener& listener);

  // Runs a trial step by step: begin() leads to the initial state, enabled() tells what can happen, take()
  // takes one of these transitions. REQUIRES for begin(): there was no execution yet.
  void begin();
  std::span<const Transition> enabled() { return system_.enabled(); }
  Event take(const Transition& transition) { return system_.step(transition); }

  // For the explorer: its next execution begins with so many events of the execution. Makes these the
  // System's past again, if a trial was another one.
  void end(std::size_t kept);

 private:
  struct Tried {
    Transition transition;
    std::optional<Snapshot> before;
  };
  std::size_t common_with_execution() const;
  bool take_all(std::span<const Transition> steps, TrialListener& listener);
  void drop_after(std::size_t length);

  System& system_;
  const std::vector<TakenStep>& execution_;
  std::vector<Tried> tried_;           // of the last trial
  TrialListener* listener_ = nullptr;  // of all trials
  bool is_displaced_ = false;          // the System's past is a trial
};

}  // namespace ravel
