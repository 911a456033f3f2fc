#include "ui/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/ticket.h"
#include "races/races.h"

namespace ravel {

namespace {

constexpr std::string_view kDoesNotHappenAgain = "The execution does not happen again as it did.";

std::size_t common_steps(const Observation& one, const Observation& other) {
  const std::size_t length = std::min(one.length(), other.length());
  std::size_t common = 0;
  while (common < length &&
         one.step_of(static_cast<EventId>(common)) == other.step_of(static_cast<EventId>(common)))
    ++common;
  return common;
}

// Lets others go on as long as they can.
void run_without(Observation& observation, const ActorName& actor) {
  std::optional<ActorId> last;
  while (observation.running()) {
    const System& system = observation.system();
    const std::span<const Transition> enabled = observation.system().enabled();
    const Transition* next = nullptr;
    for (const Transition& transition : enabled) {
      if (system.actor_name(transition.actor) == actor) continue;
      if (next == nullptr || transition.actor == last) next = &transition;
      if (transition.actor == last) break;
    }
    if (next == nullptr) return;
    last = next->actor;
    observation.take(*next);
  }
}

}  // namespace

WhatIf::WhatIf(const Subject& subject, std::unique_ptr<Observation> first, std::string told, Tell tell)
    : subject_(subject), tell_(std::move(tell)) {
  branches_.push_back({.observation = std::move(first), .told = std::move(told)});
}

Status WhatIf::check_room() const {
  if (branches_.size() < kBranchesMax) return Success{};
  return Error{fmt::format(
      "{} executions are kept already, and no more are. Save what matters, and begin anew.", kBranchesMax)};
}

std::string WhatIf::actor_of(std::size_t branch, std::size_t step) const {
  return at(branch).events()[step].description.actor;
}

Result<std::size_t> WhatIf::keep(std::size_t parent, std::string change,
                                 std::unique_ptr<Observation> observation) {
  observation->finish();
  std::string told = tell_(*observation);
  const std::size_t common = common_steps(at(parent), *observation);
  branches_.push_back({.parent = parent,
                       .common = common,
                       .change = std::move(change),
                       .observation = std::move(observation),
                       .told = std::move(told)});
  return branches_.size() - 1;
}

Result<std::size_t> WhatIf::choose(std::size_t branch, std::size_t step, const NamedStep& instead) {
  if (Status room = check_room(); !room) return room.error();
  if (step > at(branch).length()) return Error{"This execution has no such step."};
  auto observation = std::make_unique<Observation>(subject_.system(), subject_.events_max);
  for (const NamedStep& taken : steps(branch, step)) {
    const auto transition = observation->running() ? observation->find(taken) : std::nullopt;
    if (!transition) return Error{std::string(kDoesNotHappenAgain)};
    observation->take(*transition);
  }
  const auto transition = observation->running() ? observation->find(instead) : std::nullopt;
  if (!transition) return Error{fmt::format("{} cannot do that here.", instead.actor.to_string())};
  observation->take(*transition);
  const std::string who = observation->events().back().description.actor;
  const std::string what = observation->events().back().description.text;
  observation->run({});
  return keep(branch, who + " " + what, std::move(observation));
}

Result<std::size_t> WhatIf::roll_back(std::size_t branch, std::size_t step) {
  if (Status room = check_room(); !room) return room.error();
  const Observation& from = at(branch);
  if (step >= from.length()) return Error{"This execution has no such step."};
  auto observation = std::make_unique<Observation>(subject_.system(), subject_.events_max);
  for (std::size_t i = 0; i < from.length() && observation->running(); ++i) {
    const auto event = static_cast<EventId>(i);
    if (i == step || (i > step && from.history().precedes(static_cast<EventId>(step), event))) continue;
    // What does not follow from the step can happen without it, except what others keep from moving.
    if (const auto transition = observation->find(from.step_of(event))) observation->take(*transition);
  }
  run_without(*observation, from.step_of(static_cast<EventId>(step)).actor);
  observation->run({});
  return keep(branch, fmt::format("step {} of {} is rolled back", step + 1, actor_of(branch, step)),
              std::move(observation));
}

Result<std::size_t> WhatIf::vary(std::size_t branch, std::size_t one, std::size_t other) {
  if (Status room = check_room(); !room) return room.error();
  if (one >= at(branch).length() || other >= at(branch).length())
    return Error{"This execution has no such step."};
  // The System knows the races of its last execution only.
  Observation again(subject_.system(), subject_.events_max);
  again.run(steps(branch, at(branch).length()));
  again.finish();
  if (again.length() != at(branch).length()) return Error{std::string(kDoesNotHappenAgain)};
  const auto is_between = [](const Race& race, std::size_t event, std::size_t second) {
    if (race.event != event) return false;
    return race.kind == RaceKind::kMessage ? race.message.event == second
                                           : race.kind == RaceKind::kOrder && race.later == second;
  };
  const std::vector<Race> races = find_races(again);
  const auto race = std::ranges::find_if(races, [&](const Race& found) {
    return is_between(found, one, other) || is_between(found, other, one);
  });
  if (race == races.end())
    return Error{
        fmt::format("Steps {} and {} are no race: one of them always comes first, or it does not "
                    "matter which one does.",
                    one + 1, other + 1)};
  std::string change = race->kind == RaceKind::kMessage
                           ? fmt::format("{} takes the message of step {} instead",
                                         actor_of(branch, race->event), race->message.event + 1)
                           : fmt::format("step {} comes before step {}", race->later + 1, race->event + 1);
  auto observation = std::make_unique<Observation>(subject_.system(), subject_.events_max);
  observation->run(steps_of_variant(again, *race));
  return keep(branch, std::move(change), std::move(observation));
}

Result<std::size_t> WhatIf::add(std::size_t branch, std::span<const NamedStep> steps, std::string change) {
  if (Status room = check_room(); !room) return room.error();
  auto observation = std::make_unique<Observation>(subject_.system(), subject_.events_max);
  observation->run(steps);
  return keep(branch, std::move(change), std::move(observation));
}

std::vector<NamedStep> WhatIf::steps(std::size_t branch, std::size_t count) const {
  CHECK(count <= at(branch).length());
  std::vector<NamedStep> steps;
  for (std::size_t i = 0; i < count; ++i) steps.push_back(at(branch).step_of(static_cast<EventId>(i)));
  return steps;
}

std::string WhatIf::saved_text(std::size_t branch) const {
  const Observation& observation = at(branch);
  const Recording& recording = observation.recording();
  if (!recording.bug) return print_trace(full_trace(subject_, observation));
  Ticket ticket = make_ticket(recording, subject_.events_max);
  ticket.front_end = std::string(subject_.front_end->name());
  ticket.program = subject_.test->note();
  return print_ticket(ticket);
}

}  // namespace ravel
