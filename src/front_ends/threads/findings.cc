#include "front_ends/threads/findings.h"

#include <algorithm>
#include <optional>

#include "report/text.h"

namespace ravel::threads {

namespace {

constexpr std::size_t kShownMax = 10;

// To see a longer execution again may take seconds; its findings are told without the callers.
constexpr std::size_t kEventsSeenAgainMax = 10'000;

// The findings of one recorded execution, and the system that has them.
struct SeenAgain {
  std::unique_ptr<RemoteSystem> system;
  Findings findings;
};

std::optional<SeenAgain> see_again(const ProgramCall& call, Configuration configuration,
                                   const RemoteSystem& found_in, const Occurrence& seen,
                                   std::uint64_t events_max) {
  if (seen.schedule.size() > kEventsSeenAgainMax) return std::nullopt;
  configuration.tracked = seen.tracked;
  configuration.isolates = false;
  auto system = RemoteSystem::start(call, configuration);
  if (!system) return std::nullopt;
  record_carefully(**system, name_steps(seen.schedule, found_in), events_max);
  Findings findings = (*system)->findings();
  return SeenAgain{.system = std::move(*system), .findings = std::move(findings)};
}

std::string more(std::size_t count, const char* what) {
  return count <= kShownMax ? "" : counted(count - kShownMax, what) + " not shown";
}

}  // namespace

Recording record_carefully(RemoteSystem& system, std::span<const NamedStep> schedule,
                           std::uint64_t events_max) {
  Recorder recorder(system, events_max);
  for (const NamedStep& step : schedule) {
    const auto actor = system.find_actor(step.actor);
    if (!actor || !recorder.running()) break;
    const Transition transition = {.actor = *actor, .alternative = step.alternative, .kind = step.kind};
    if (std::ranges::find(system.enabled(), transition) == system.enabled().end()) break;
    recorder.take(transition);
  }
  return recorder.finish();
}

std::vector<std::string> describe_findings(const ProgramCall& call, const Configuration& configuration,
                                           RemoteSystem& found_in, const Findings& findings,
                                           std::uint64_t events_max) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(kShownMax, findings.races.size()); ++i) {
    const RaceReport& race = findings.races[i];
    Configuration watching = configuration;
    watching.watched = race.address & ~std::uint64_t{7};
    const auto again = see_again(call, watching, found_in, race.seen, events_max);
    std::string text = found_in.texts().describe_race(race);
    if (again) {
      const auto same = std::ranges::find_if(again->findings.races, [&](const RaceReport& other) {
        return other.pc[0] == race.pc[0] && other.pc[1] == race.pc[1];
      });
      if (same != again->findings.races.end()) text = again->system->texts().describe_race(*same);
    }
    texts.push_back(text);
  }
  texts.push_back(more(findings.races.size(), "more data race"));
  for (std::size_t i = 0; i < std::min(kShownMax, findings.left_behind.size()); ++i) {
    const LeftThread& thread = findings.left_behind[i];
    const auto again = see_again(call, configuration, found_in, thread.seen, events_max);
    std::string text = found_in.texts().describe_left(thread);
    if (again) {
      for (const LeftThread& other : again->findings.left_behind)
        if (const std::string told = again->system->texts().describe_left(other);
            told.starts_with(text.substr(0, text.find(',')) + ","))
          text = told;
    }
    texts.push_back(text);
  }
  texts.push_back(more(findings.left_behind.size(), "more thread that was left behind"));
  std::erase(texts, "");
  return texts;
}

}  // namespace ravel::threads
