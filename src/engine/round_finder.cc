#include "engine/round_finder.h"

#include <algorithm>

namespace ravel {

void RoundFinder::note(System& system, std::optional<ActorId> moved) {
  if (round_ && round_->is_fair) return;
  const std::optional<Fingerprint> print = system.fingerprint();
  if (!print) return;
  const std::size_t now = enabled_.size();
  std::vector<ActorId>& enabled = enabled_.emplace_back();
  for (const Transition& transition : system.enabled()) enabled.push_back(transition.actor);
  moved_.push_back(moved);
  const auto [known, is_new] = known_.try_emplace(*print, now);
  if (is_new) return;
  const Round round{.begin = known->second, .end = now, .is_fair = is_fair(known->second, now)};
  if (!round_ || round.is_fair) round_ = round;
  known->second = now;
}

bool RoundFinder::is_fair(std::size_t begin, std::size_t end) const {
  return std::ranges::all_of(enabled_[begin], [&](ActorId actor) {
    for (std::size_t i = begin; i < end; ++i)
      if (moved_[i + 1] == actor || std::ranges::find(enabled_[i], actor) == enabled_[i].end()) return true;
    return false;
  });
}

std::vector<ActorId> RoundFinder::movers() const {
  std::vector<ActorId> movers;
  for (std::size_t i = round_->begin + 1; i <= round_->end; ++i)
    if (moved_[i] && std::ranges::find(movers, *moved_[i]) == movers.end()) movers.push_back(*moved_[i]);
  return movers;
}

std::string describe_round(const System& system, const std::vector<ActorId>& movers, std::size_t events) {
  std::vector<std::string> names;
  for (const ActorId actor : movers) names.push_back(system.actor_name(actor).to_string());
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string who;
  for (std::size_t i = 0; i < names.size(); ++i)
    who += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
  return who + (names.size() == 1 ? " goes" : " go") + " round, in " + std::to_string(events) +
         (events == 1 ? " event that leads" : " events that lead") + " from a state to itself";
}

Bug livelock_bug(const System& system, const RoundFinder& finder) {
  return {
      .kind = kLivelock,
      .message =
          "the execution goes round for ever: the same state comes again, and whoever could move has moved",
      .file = {},
      .line = 0,
      .actor = {},
      .details = {describe_round(system, finder.movers(), finder.round()->end - finder.round()->begin)}};
}

}  // namespace ravel
