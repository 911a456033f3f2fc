#include "explorers/built_in.h"

#include <algorithm>

#include "base/hash.h"
#include "base/random.h"

namespace ravel {

namespace {

std::uint32_t word_of(ActorId actor) { return static_cast<std::uint32_t>(actor); }

bool contains(std::span<const ActorId> actors, std::uint32_t word) {
  return std::ranges::find(actors, ActorId{word}) != actors.end();
}

}  // namespace

void RoundRobin::note_enabled(ExplorerState& state, ActorId actor, std::optional<ActorId>,
                              const ActorNames& names) const {
  if (std::ranges::find(state, word_of(actor)) != state.end()) return;
  std::size_t place = state.size();
  if (seed_) place = Random(hash_string(names.name_of(actor), *seed_)).below(state.size() + 1);
  state.insert(state.begin() + static_cast<std::ptrdiff_t>(place), word_of(actor));
}

void RoundRobin::note_blocked(ExplorerState& state, ActorId actor) const {
  const auto place = std::ranges::find(state, word_of(actor));
  if (place != state.end()) std::rotate(place, place + 1, state.end());
}

ActorId RoundRobin::next(const ExplorerState& state, std::span<const ActorId> enabled) const {
  return ActorId{*std::ranges::find_if(state, [&](std::uint32_t word) { return contains(enabled, word); })};
}

void RoundRobin::delay(ExplorerState& state, std::span<const ActorId> enabled) const {
  note_blocked(state, next(state, enabled));
}

void RunToCompletion::note_enabled(ExplorerState& state, ActorId actor, std::optional<ActorId>,
                                   const ActorNames&) const {
  state.push_back(word_of(actor));
}

void RunToCompletion::note_blocked(ExplorerState& state, ActorId actor) const {
  std::erase(state, word_of(actor));
}

ActorId RunToCompletion::next(const ExplorerState& state, std::span<const ActorId>) const {
  return ActorId{state.back()};
}

void RunToCompletion::delay(ExplorerState& state, std::span<const ActorId>) const {
  std::rotate(state.begin(), state.end() - 1, state.end());
}

void NoPreemptions::note_move(ExplorerState& state, ActorId actor) const { state = {word_of(actor)}; }

ActorId NoPreemptions::next(const ExplorerState& state, std::span<const ActorId> enabled) const {
  return !state.empty() && contains(enabled, state.front()) ? ActorId{state.front()} : enabled.front();
}

// Actors are in the order of their names; after the last one comes the first.
void NoPreemptions::delay(ExplorerState& state, std::span<const ActorId> enabled) const {
  const auto place = std::ranges::find(enabled, next(state, enabled));
  state = {word_of(place + 1 == enabled.end() ? enabled.front() : *(place + 1))};
}

std::unique_ptr<DelayingExplorer> built_in_explorer(std::string_view name, std::uint64_t seed) {
  if (name == "rr") return std::make_unique<RoundRobin>();
  if (name == "prr") return std::make_unique<RoundRobin>(seed);
  if (name == "rtc") return std::make_unique<RunToCompletion>();
  if (name == kPreemptionsExplorer) return std::make_unique<NoPreemptions>();
  return nullptr;
}

}  // namespace ravel
