#include "front_ends/erlang/told_schedule.h"

#include <algorithm>

namespace ravel::erlang {

bool ToldSchedule::note_names(std::span<const Term> searched, std::span<const Term> told) {
  if (searched.size() != told.size()) return false;
  for (std::size_t i = 0; i < searched.size(); ++i) names_[searched[i].bits()] = told[i];
  return true;
}

std::optional<ActorId> ToldSchedule::told_actor(ActorId actor) const {
  const Term who = searched_.term_of(actor);
  if (const auto named = names_.find(who.bits()); named != names_.end()) return told_.actor_of(named->second);
  if (Names::is_channel(who))
    if (const auto sender = names_.find(Names::creator_of(who).bits()); sender != names_.end())
      return told_.actor_of(Names::make_channel(sender->second, Names::ordinal_of_channel(who)));
  // Of what was there from the start, or of the process that runs the test
  return told_.find_actor(searched_.actor_name(actor));
}

std::optional<std::vector<Transition>> ToldSchedule::operator()(std::span<const Transition> schedule) {
  std::vector<Transition> result;
  names_.clear();
  searched_.reset();
  told_.reset();
  if (!note_names(searched_.names_made_at_start(), told_.names_made_at_start())) return std::nullopt;
  for (Transition transition : schedule) {
    const std::optional<ActorId> actor = told_actor(transition.actor);
    searched_.step(transition);
    if (!actor) return std::nullopt;
    transition.actor = *actor;
    if (std::ranges::count(told_.enabled(), transition) == 0) return std::nullopt;
    told_.step(transition);
    result.push_back(transition);
    if (!note_names(searched_.names_made(), told_.names_made())) return std::nullopt;
  }
  const bool is_same = searched_.outcome() == told_.outcome() &&
                       (searched_.outcome() != Outcome::kBug || searched_.bug().is_same(told_.bug()));
  return is_same ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace ravel::erlang
