// What would happen if certain steps were taken: between two executions of a search, or before the first.
//
// A trial that begins like the one before goes on from where they part, by a snapshot, if the System has
// them. The first trial after another execution does so, too, if that execution begins as the trial before.

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>
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

  // Of what is enabled after these steps, takes out what is not there for the search.
  using Restriction =
      std::function<void(std::span<const Transition> before, std::vector<Transition>& enabled)>;
  void restrict_by(Restriction restriction) { restriction_ = std::move(restriction); }

  // What may be asked of the trial at hand.
  SystemView& view() { return system_; }

  // Takes these steps from the initial state on; false if one can't be taken. The listener is the same for
  // all trials (but for change_listener()), outlives them, and also hears what end() does. The last one is
  // taken with its actor's first alternative if it does not have that one there.
  bool run(std::span<const Transition> steps, TrialListener& listener);

  // From now on the listener is another one, and the next execution keeps nothing.
  void change_listener() {
    drop_after(0);
    listener_ = nullptr;
  }

  // Runs a trial step by step: begin() leads to the initial state, enabled() tells what can happen, take()
  // takes one of these transitions. REQUIRES for begin(): there was no execution yet.
  void begin();
  std::span<const Transition> enabled() { return system_.enabled(); }
  Event take(const Transition& transition) { return system_.step(transition); }

  // For the explorer: its next execution begins with so many events of the execution. Makes these the
  // System's past again, if a trial was another one.
  void end(std::size_t kept);

 private:
  std::size_t common_with_execution() const;
  bool take_all(std::span<const Transition> steps, TrialListener& listener);
  void drop_after(std::size_t length);
  std::span<const Transition> allowed();

  System& system_;
  const std::vector<TakenStep>& execution_;
  std::vector<Transition> tried_;                   // by the last trial
  std::vector<std::optional<Snapshot>> snapshots_;  // before each of these
  Restriction restriction_;
  std::vector<Transition> allowed_;
  TrialListener* listener_ = nullptr;  // of all trials
  bool is_displaced_ = false;          // the System's past is a trial
};

}  // namespace ravel
