#include "engine/search_result.h"

#include <algorithm>
#include <utility>

#include "engine/system.h"

namespace ravel {

namespace {

// A found bug without its schedule.
template <class To, class From>
FoundBugOf<To> without_schedule(const FoundBugOf<From>& found) {
  return {.bug = found.bug,
          .schedule = {},
          .preemptions = found.preemptions,
          .executions = found.executions,
          .first_execution = found.first_execution,
          .bounds = found.bounds,
          .variables = found.variables,
          .lasso = found.lasso};
}

template <class To, class From>
SearchResultOf<To> without_schedules(const SearchResultOf<From>& from) {
  SearchResultOf<To> to = {.strategy = from.strategy,
                           .counts = from.counts,
                           .stop = from.stop,
                           .bugs = {},
                           .refusal = from.refusal,
                           .unreceived = {},
                           .assumed = from.assumed,
                           .promise = from.promise,
                           .position = from.position};
  for (const FoundBugOf<From>& found : from.bugs) to.bugs.push_back(without_schedule<To>(found));
  if (const auto& unreceived = from.unreceived)
    to.unreceived = UnreceivedMessagesOf<To>{.schedule = {},
                                             .messages = unreceived->messages,
                                             .executions = unreceived->executions,
                                             .is_complete = unreceived->is_complete};
  return to;
}

}  // namespace

Counts sum(const Counts& before, const Counts& later) {
  Counts counts = later;
  counts.executions += before.executions;
  counts.redundant += before.redundant;
  counts.abandoned += before.abandoned;
  counts.cut_off += before.cut_off;
  counts.unfinished += before.unfinished;
  counts.unfair += before.unfair;
  counts.events += before.events;
  counts.events_max = std::max(counts.events_max, before.events_max);
  counts.erroneous += before.erroneous;
  return counts;
}

SearchResult name_result(const Exploration& exploration, const System& system, const System* of_lassos) {
  SearchResult result = without_schedules<NamedStep>(exploration);
  for (std::size_t i = 0; i < result.bugs.size(); ++i)
    result.bugs[i].schedule =
        name_steps(exploration.bugs[i].schedule,
                   exploration.bugs[i].lasso && of_lassos != nullptr ? *of_lassos : system);
  if (result.unreceived) result.unreceived->schedule = name_steps(exploration.unreceived->schedule, system);
  return result;
}

std::optional<Exploration> find_result(const SearchResult& result, System& system) {
  Exploration exploration = without_schedules<Transition>(result);
  const auto find = [&](std::vector<Transition>& schedule, const std::vector<NamedStep>& steps) {
    FoundSteps found = find_steps(system, steps);
    schedule = std::move(found.transitions);
    return !found.missing;
  };
  for (std::size_t i = 0; i < exploration.bugs.size(); ++i)
    if (!find(exploration.bugs[i].schedule, result.bugs[i].schedule)) return std::nullopt;
  if (exploration.unreceived && !find(exploration.unreceived->schedule, result.unreceived->schedule))
    return std::nullopt;
  return exploration;
}

}  // namespace ravel
