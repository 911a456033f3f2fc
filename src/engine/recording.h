// One execution written down for humans and for tickets: what a search never does, and a replay always.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/actor.h"
#include "engine/bug.h"
#include "engine/lasso.h"
#include "engine/system.h"
#include "engine/transition.h"

namespace ravel {

// Whether the step took the turn from an actor that could have gone on.
enum class Switch : std::uint8_t { kNone, kFree, kPreemption };

struct RecordedEvent {
  ActorName actor;
  Transition transition;
  Switch switched = Switch::kNone;
  EventDescription description;
};

struct Recording {
  std::vector<RecordedEvent> events;
  std::uint32_t preemptions = 0;
  Outcome outcome = Outcome::kRunning;  // an execution that came to the event bound counts as kBug
  std::optional<Bug> bug;
  std::optional<Lasso> lasso = {};  // if the execution has no end, and the bug is of that
  std::optional<Refusal> refusal;
  std::string output;  // what the program printed
};

// What few systems do.
struct RareEventCounts {
  std::uint32_t early_timeouts = 0, overtaking_messages = 0, spurious_wake_ups = 0;
  std::uint32_t kills = 0, lost_messages = 0, duplicated_messages = 0;
};
RareEventCounts count_rare_events(const Recording& recording);

// Executes one execution from the initial state, one step at a time.
class Recorder {
 public:
  Recorder(System& system, std::uint64_t events_max);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  bool running() const;
  const std::vector<RecordedEvent>& events() const { return recording_.events; }

  // The event's footprint is valid until the next step. REQUIRES: running(), and `transition` is enabled.
  Event take(Transition transition);
  // Goes on with the previous actor if that is enabled, else with the first one. REQUIRES: running().
  Event take_first() { return take(first_choice()); }
  Transition first_choice() const;
  // REQUIRES: called once.
  Recording finish();

 private:
  System& system_;
  const std::uint64_t events_max_;
  Recording recording_;
};

// Executes `schedule`, which an explorer has found on this very System object, and nothing more.
Recording record(System& system, std::span<const Transition> schedule, std::uint64_t events_max);

}  // namespace ravel
