// The inner loop of the explorer, for a System of any type: whoever knows the type gets steps without virtual
// calls.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/check.h"
#include "engine/explorer.h"
#include "engine/preemption.h"

namespace ravel {

inline constexpr const char kNondeterminism[] =
    "the program under test did not do the same thing twice: nondeterminism that is not under control";

// How many more messages lie in mailboxes after this event than before it.
inline std::int32_t unreceived_by(Footprint footprint) {
  std::int32_t more = 0;
  for (const Touch& touch : footprint) {
    if (touch.access == Access::kSend) ++more;
    if (touch.access == Access::kReceive || touch.access == Access::kReceiveOrExpire ||
        touch.access == Access::kRemove)
      --more;
  }
  return more;
}

template <class KnownSystem>
Explorer::Ending Explorer::execute_on(KnownSystem& system) {
  while (system.outcome() == Outcome::kRunning) {
    if (schedule_.size() >= next_look_) [[unlikely]] {
      if (const std::optional<Ending> ending = look_at_length()) return *ending;
    }
    if (should_stop()) return Ending::kStopped;

    const std::span<const Transition> enabled = system.enabled();
    CHECK_MESSAGE(!enabled.empty(), "a running system has an enabled transition");
    CHECK_MESSAGE(expected_enabled_ == 0 || enabled.size() == expected_enabled_, kNondeterminism);
    expected_enabled_ = 0;
    Point point{.enabled = enabled,
                .depth = schedule_.size(),
                .previous = std::nullopt,
                .preemptions = preemptions(),
                .system = &system};
    if (!schedule_.empty()) point.previous = schedule_.back().transition.actor;

    const Decision decision =
        planned_.empty() ? strategy_.choose(point) : Decision::take(planned_step(enabled), Return::kNever);
    if (decision.abandons()) return Ending::kAbandoned;
    CHECK(decision.index() < enabled.size());
    if (decision.may_return() != Return::kNever || !snapshots_.empty())
      keep_or_release_snapshot(enabled.size(), decision.may_return());

    const Transition transition = enabled[decision.index()];
    const bool preempted = preempts(point.previous, enabled, transition.actor);
    schedule_.push_back({.transition = transition,
                         .index = static_cast<std::uint32_t>(decision.index()),
                         .enabled = static_cast<std::uint32_t>(enabled.size()),
                         .preemptions = point.preemptions + (preempted ? 1 : 0),
                         .unreceived = schedule_.empty() ? 0 : schedule_.back().unreceived});
    const Event event = system.step(transition);
    schedule_.back().unreceived += unreceived_by(event.footprint);
    ++exploration_.counts.events;
    strategy_.observe(event);
  }
  CHECK_MESSAGE(expected_enabled_ == 0, kNondeterminism);
  return Ending::kOutcome;
}

}  // namespace ravel
