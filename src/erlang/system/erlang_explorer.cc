#include "erlang/system/erlang_explorer.h"

#include "erlang/system/explorer_calls.h"

namespace ravel::erlang {

namespace {

// The state of an explorer that was told nothing yet is the first one that was numbered.
constexpr std::uint32_t kInitial = 0;

std::uint32_t number_in(const ExplorerState& state) { return state.empty() ? kInitial : state.front(); }

// Of which no actor has the number.
constexpr ActorId kNobody{~std::uint32_t{0}};

}  // namespace

void ErlangExplorer::note_enabled(ExplorerState& state, ActorId actor, std::optional<ActorId> by,
                                  const ActorNames&) const {
  const auto next = calls_.tell("enabled", number_in(state), [&](std::vector<Term>& arguments) {
    arguments.push_back(calls_.explored_actor(actor));
    arguments.push_back(by ? calls_.explored_actor(*by) : atoms::kUndefined);
  });
  state.assign(1, next);
}

void ErlangExplorer::note_blocked(ExplorerState& state, ActorId actor) const {
  const auto next = calls_.tell("blocked", number_in(state), [&](std::vector<Term>& arguments) {
    arguments.push_back(calls_.explored_actor(actor));
  });
  state.assign(1, next);
}

void ErlangExplorer::note_message(ExplorerState& state, const ExplorerMessage& message) const {
  if (!calls_.takes_messages()) return;
  const auto next = calls_.tell("message", number_in(state), [&](std::vector<Term>& arguments) {
    arguments.push_back(calls_.explored_actor(message.from));
    arguments.push_back(calls_.heard(message.number));
  });
  state.assign(1, next);
}

void ErlangExplorer::delay(ExplorerState& state, std::span<const ActorId> enabled) const {
  const auto next = calls_.tell("delay", number_in(state), [&](std::vector<Term>& arguments) {
    arguments.push_back(calls_.explored_actors(enabled));
  });
  state.assign(1, next);
}

ActorId ErlangExplorer::next(const ExplorerState& state, std::span<const ActorId> enabled) const {
  const std::size_t place = calls_.ask(number_in(state), enabled);
  return place == 0 ? kNobody : enabled[place - 1];
}

}  // namespace ravel::erlang
