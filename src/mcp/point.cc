#include "mcp/point.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ravel::mcp {

namespace {

// How far an execution is followed that need not end.
constexpr std::size_t kEventsBeyond = 100'000;

}  // namespace

Result<std::unique_ptr<Point>> Point::open(const FrontEnds& front_ends, const std::string& ticket,
                                           std::span<const std::string> files, std::size_t steps) {
  auto subject = open_saved(front_ends, ticket, files, {}, Purpose::kReplay);
  if (!subject) return subject.error();
  if (!subject->ticket) return Error{ticket + ": this is a trace; the ticket of a bug is needed."};
  if (steps > subject->steps.size())
    return Error{
        fmt::format("{}: the ticket has {} steps, and not {}.", ticket, subject->steps.size(), steps)};
  auto point = std::unique_ptr<Point>(new Point(std::move(*subject)));
  System& system = point->subject_.system();
  point->recorder_ = std::make_unique<Recorder>(system, steps + kEventsBeyond);
  for (std::size_t i = 0; i < steps; ++i) {
    const NamedStep& step = point->subject_.steps[i];
    const auto actor = system.find_actor(step.actor);
    const Transition wanted{
        .actor = actor.value_or(ActorId{}), .alternative = step.alternative, .kind = step.kind};
    if (!actor || !point->recorder_->running() ||
        std::ranges::find(system.enabled(), wanted) == system.enabled().end())
      return Error{fmt::format("{}: step {} cannot be taken: the program has changed.", ticket, i + 1)};
    point->recorder_->take(wanted);
  }
  return point;
}

std::vector<Choice> Point::choices() const {
  std::vector<Choice> choices;
  for (const Transition& transition : subject_.system().enabled())
    choices.push_back(
        {.actor = name_of(transition.actor), .alternative = transition.alternative, .kind = transition.kind});
  return choices;
}

std::vector<ActorState> Point::states() const {
  Inspecting* const inspecting = subject_.test->inspecting();
  return inspecting == nullptr ? std::vector<ActorState>() : inspecting->inspect();
}

Result<Recording> Point::go_on(const std::optional<Choice>& choice) {
  if (choice) {
    const auto found = std::ranges::find_if(subject_.system().enabled(), [&](const Transition& one) {
      return name_of(one.actor) == choice->actor && one.alternative == choice->alternative &&
             one.kind == choice->kind;
    });
    if (found == subject_.system().enabled().end())
      return Error{fmt::format("{} cannot move here with alternative {}; 'look' lists who can.",
                               choice->actor, choice->alternative)};
    const Transition chosen = *found;
    recorder_->take(chosen);
  }
  while (recorder_->running()) recorder_->take_first();
  return recorder_->finish();
}

}  // namespace ravel::mcp
