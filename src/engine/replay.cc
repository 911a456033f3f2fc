#include "engine/replay.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/round_finder.h"

namespace ravel {

namespace {

// How far an execution that need not end is followed after the end of its ticket.
constexpr std::size_t kTimesAsLong = 2, kEventsMore = 20;

// The transition that a step of a ticket names, or why there is none.
struct Match {
  std::optional<Transition> transition;
  std::string problem;
};

Match find_transition(System& system, const NamedStep& step) {
  const std::string name = step.actor.to_string();
  const std::optional<ActorId> actor = system.find_actor(step.actor);
  const auto passes = [](const Transition& one) { return one.kind == TransitionKind::kPasses; };
  if (step.kind == TransitionKind::kPasses && std::ranges::none_of(system.enabled(), passes))
    return {.transition = {}, .problem = "time does not pass here: something else can still happen"};
  if (!actor) return {.transition = {}, .problem = "there is no actor " + name};
  bool enabled = false;
  for (const Transition& transition : system.enabled()) {
    if (transition.actor != *actor) continue;
    enabled = true;
    if (transition.alternative == step.alternative && transition.kind == step.kind) {
      return {.transition = transition, .problem = {}};
    }
  }
  if (!enabled) return {.transition = {}, .problem = name + " can't take a step: it waits, or it has ended"};
  if (step.kind == TransitionKind::kBlocks)
    return {.transition = {}, .problem = name + " does not wait here any more"};
  return {.transition = {},
          .problem = name + " has no alternative " + std::to_string(step.alternative) + " here"};
}

ReplayOutcome judge(const Recording& recording, const Bug& expected) {
  if (recording.refusal) return ReplayOutcome::kUnsupported;
  if (!recording.bug) return ReplayOutcome::kNoBug;
  return same_bug_elsewhere(*recording.bug, expected) ? ReplayOutcome::kSameBug : ReplayOutcome::kAnotherBug;
}

}  // namespace

Replay replay(System& system, const Ticket& ticket, EndlessJudge* endless, GoingOn going_on) {
  Replay result;
  Recorder recorder(system, ticket.events_max);
  std::size_t number = 0;
  RoundFinder rounds;
  const bool looks_for_round = ticket.bug.kind == kLivelock && !ticket.lasso;
  if (!ticket.lasso) endless = nullptr;
  if (looks_for_round) rounds.note(system, std::nullopt);
  if (endless != nullptr) endless->note(system, std::nullopt);
  for (const NotedStep& step : ticket.schedule) {
    ++number;
    if (!recorder.running()) {
      result.divergence = {.step = number, .what = "the execution has already ended"};
      break;
    }
    const Match match = find_transition(system, step.step);
    if (!match.transition) {
      result.divergence = {.step = number, .what = match.problem};
      break;
    }
    recorder.take(*match.transition);
    if (looks_for_round) rounds.note(system, match.transition->actor);
    if (endless != nullptr) endless->note(system, match.transition->actor);
    const std::string& operation = recorder.events().back().description.text;
    if (operation != step.operation && !result.operation_changed) {
      result.operation_changed = {.step = number,
                                  .what = step.step.actor.to_string() + " now does '" + operation +
                                          "', where the ticket says '" + step.operation + "'"};
    }
  }
  if (endless != nullptr && !result.divergence && system.outcome() != Outcome::kUnsupported) {
    result.recording = recorder.finish();
    if (auto bug = endless->judge(system, ticket.lasso->loop)) {
      result.recording.outcome = Outcome::kBug;
      result.recording.bug = std::move(bug);
      result.recording.lasso = ticket.lasso;
    } else if (result.recording.outcome == Outcome::kRunning) {
      result.divergence = {.step = number + 1, .what = "the state that comes next was not there before"};
    }
    if (result.recording.outcome == Outcome::kRunning) result.left_open = LeftOpen::kWithoutLoop;
    result.outcome = judge(result.recording, ticket.bug);
    return result;
  }
  const bool goes_round = rounds.round() && rounds.round()->is_fair;
  if (!result.divergence && recorder.running() && !goes_round) {
    result.divergence = {.step = number + 1, .what = "the schedule is over, but the execution goes on"};
  }
  const bool is_left = going_on == GoingOn::kIsLeft && ticket.bug.kind != "event_bound";
  const std::size_t events_most = ticket.lasso ? 0
                                  : is_left    ? ticket.schedule.size() * kTimesAsLong + kEventsMore
                                               : std::numeric_limits<std::size_t>::max();
  while (recorder.running() && !goes_round && recorder.events().size() < events_most) recorder.take_first();
  result.left_open = ticket.lasso                    ? LeftOpen::kWithoutLoop
                     : is_left && recorder.running() ? LeftOpen::kGoingOn
                                                     : LeftOpen::kNo;
  result.recording = recorder.finish();
  if (result.recording.outcome == Outcome::kRunning && goes_round) {
    result.recording.outcome = Outcome::kBug;
    result.recording.bug = livelock_bug(system, rounds);
  }
  result.outcome = judge(result.recording, ticket.bug);
  return result;
}

}  // namespace ravel
