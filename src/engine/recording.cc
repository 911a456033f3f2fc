#include "engine/recording.h"

#include <utility>

#include "base/check.h"
#include "engine/preemption.h"

namespace ravel {

Recorder::Recorder(System& system, std::uint64_t events_max) : system_(system), events_max_(events_max) {
  system_.set_descriptions(Descriptions::kOn);
  system_.reset();
}

Recorder::~Recorder() { system_.set_descriptions(Descriptions::kOff); }

bool Recorder::running() const {
  return system_.outcome() == Outcome::kRunning && recording_.events.size() < events_max_;
}

Event Recorder::take(Transition transition) {
  CHECK(running());
  std::optional<ActorId> previous;
  if (!recording_.events.empty()) previous = recording_.events.back().transition.actor;
  Switch switched = Switch::kNone;
  if (previous && *previous != transition.actor) {
    switched = preempts(previous, system_.enabled(), transition.actor) ? Switch::kPreemption : Switch::kFree;
  }
  if (switched == Switch::kPreemption) ++recording_.preemptions;
  const Event event = system_.step(transition);
  recording_.events.push_back({.actor = system_.actor_name(transition.actor),
                               .transition = transition,
                               .switched = switched,
                               .description = system_.describe_last()});
  return event;
}

Transition Recorder::first_choice() const {
  std::optional<Transition> first;
  for (const Transition& transition : system_.enabled()) {
    if (!happens_by_itself(transition.kind)) continue;
    if (!first) first = transition;
    if (recording_.events.empty()) break;
    if (transition.actor == recording_.events.back().transition.actor) return transition;
  }
  CHECK(first.has_value());
  return *first;
}

Recording Recorder::finish() {
  recording_.outcome = system_.outcome();
  if (recording_.outcome == Outcome::kRunning && recording_.events.size() >= events_max_) {
    recording_.outcome = Outcome::kBug;
    recording_.bug = event_bound_bug(events_max_);
  } else if (recording_.outcome == Outcome::kBug) {
    recording_.bug = system_.bug();
  } else if (recording_.outcome == Outcome::kUnsupported) {
    recording_.refusal = system_.refusal();
  }
  recording_.output = system_.output_so_far();
  return std::move(recording_);
}

RareEventCounts count_rare_events(const Recording& recording) {
  RareEventCounts counts;
  for (const RecordedEvent& event : recording.events) {
    switch (event.description.rare) {
      case RareEvent::kNone: break;
      case RareEvent::kEarlyTimeout: ++counts.early_timeouts; break;
      case RareEvent::kOvertakingMessage: ++counts.overtaking_messages; break;
      case RareEvent::kSpuriousWakeUp: ++counts.spurious_wake_ups; break;
      case RareEvent::kKill: ++counts.kills; break;
      case RareEvent::kLostMessage: ++counts.lost_messages; break;
      case RareEvent::kDuplicatedMessage: ++counts.duplicated_messages; break;
    }
  }
  return counts;
}

Recording record(System& system, std::span<const Transition> schedule, std::uint64_t events_max) {
  Recorder recorder(system, events_max);
  for (const Transition& transition : schedule) recorder.take(transition);
  return recorder.finish();
}

}  // namespace ravel
