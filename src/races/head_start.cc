#include "races/head_start.h"

#include <algorithm>
#include <utility>

#include "engine/transition.h"

namespace ravel {

namespace {

// How many steps an actor may be ahead.
constexpr std::size_t kStepsMax = 20;

class HeadStartSearch {
 public:
  HeadStartSearch(const Observation& failing, std::uint64_t events_max)
      : failing_(failing), system_(failing.system()), events_max_(events_max) {
    for (const RecordedEvent& event : failing.events()) schedule_.push_back(event.transition);
  }

  std::optional<HeadStart> run(std::size_t executions_max, std::size_t& tried) {
    for (std::size_t event = failing_.bug_event().value_or(schedule_.size()); event-- > 0;) {
      for (const ActorId actor : others_at(event)) {
        if (tried >= executions_max) return std::nullopt;
        ++tried;
        const std::size_t most = passes(event, actor, kStepsMax);
        if (most == 0) continue;
        std::size_t fewest = 1;
        for (; passes(event, actor, fewest) == 0 && fewest < most; ++fewest) ++tried;
        if (auto found = told(event, fewest)) return found;
      }
    }
    return std::nullopt;
  }

 private:
  std::optional<Transition> next_of(ActorId actor) const {
    const auto found = std::ranges::find_if(system_.enabled(), [&](const Transition& each) {
      return each.actor == actor && happens_by_itself(each.kind);
    });
    return found == system_.enabled().end() ? std::nullopt : std::optional(*found);
  }

  void go_to(std::size_t event) {
    system_.reset();
    system_.follow(std::span(schedule_).first(event));
  }

  // Who could go on instead before the event.
  std::vector<ActorId> others_at(std::size_t event) {
    system_.set_descriptions(Descriptions::kOff);
    go_to(event);
    std::vector<ActorId> actors;
    for (const Transition& transition : system_.enabled())
      if (transition.actor != schedule_[event].actor && happens_by_itself(transition.kind) &&
          std::ranges::count(actors, transition.actor) == 0)
        actors.push_back(transition.actor);
    return actors;
  }

  // How many steps the actor was ahead, at most `steps`, if the execution passes; else 0. How it began is in
  // beginning_ then, without what follows by itself.
  std::size_t passes(std::size_t event, ActorId actor, std::size_t steps) {
    system_.set_descriptions(Descriptions::kOff);
    go_to(event);
    beginning_.assign(schedule_.begin(), schedule_.begin() + static_cast<std::ptrdiff_t>(event));
    while (beginning_.size() < event + steps) {
      const auto next = next_of(actor);
      if (!next) break;
      beginning_.push_back(*next);
      system_.step(*next);
    }
    const std::size_t ahead = beginning_.size() - event;
    const auto rest = std::span(schedule_).subspan(event);
    const auto followed = rest.first(system_.follow(rest));
    beginning_.insert(beginning_.end(), followed.begin(), followed.end());
    system_.run_on(beginning_.back().actor, GoOn::kWithLast, events_max_);
    return system_.outcome() == Outcome::kFinished ? ahead : 0;
  }

  // Of the execution that passed last, with so many steps ahead. Nothing: it does not pass if it is looked
  // at.
  std::optional<HeadStart> told(std::size_t event, std::size_t steps) {
    Observation passing(system_, events_max_);
    for (const Transition& transition : beginning_) {
      const bool is_enabled = passing.running() && std::ranges::count(system_.enabled(), transition) > 0;
      if (!is_enabled) return std::nullopt;
      passing.take(transition);
    }
    while (passing.running()) passing.take_first();
    const auto ahead = static_cast<EventId>(event + steps - 1);
    HeadStart found;
    const Recording& recording = passing.finish();
    if (recording.outcome != Outcome::kFinished) return std::nullopt;
    found.passing = steps_of(recording);
    found.change = {.kind = RaceKind::kOrder,
                    .event = failing_.ref_of(static_cast<EventId>(event)),
                    .did = failing_.events()[event].description,
                    .other = passing.ref_of(ahead),
                    .other_did = passing.events()[ahead].description,
                    .message = {},
                    .value = {},
                    .kept = ahead};
    return found;
  }

  const Observation& failing_;
  System& system_;
  const std::uint64_t events_max_;
  std::vector<Transition> schedule_;
  std::vector<Transition> beginning_;
};

}  // namespace

std::optional<HeadStart> find_head_start(const Observation& failing, std::uint64_t events_max,
                                         std::size_t executions_max, std::size_t& tried) {
  return HeadStartSearch(failing, events_max).run(executions_max, tried);
}

}  // namespace ravel
