// A delaying explorer of the user's that is a module in Erlang, a behaviour of lib/ravel_explorer.erl. The
// machine of the program that is explored calls its callbacks, as functions that only compute
// (machine/pure_calls.h), between two steps.
//
// The explorer's state is a term. A search keeps the number that the term has here.
//
// Cost: what is young is stored before each call, and a call (pure_calls.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "explorers/delaying_explorer.h"

namespace ravel::erlang {

class ExplorerCalls;

class ErlangExplorer final : public DelayingExplorer {
 public:
  // The module is open, and `calls` must outlive this object.
  ErlangExplorer(ExplorerCalls& calls, std::string name, std::uint64_t checksum)
      : calls_(calls), name_(std::move(name)), checksum_(checksum) {}

  std::string name() const override { return name_; }
  std::uint64_t checksum() const override { return checksum_; }
  void note_enabled(ExplorerState& state, ActorId actor, std::optional<ActorId> by,
                    const ActorNames& names) const override;
  void note_blocked(ExplorerState& state, ActorId actor) const override;
  void note_message(ExplorerState& state, const ExplorerMessage& message) const override;
  ActorId next(const ExplorerState& state, std::span<const ActorId> enabled) const override;
  void delay(ExplorerState& state, std::span<const ActorId> enabled) const override;

 private:
  ExplorerCalls& calls_;
  const std::string name_;
  const std::uint64_t checksum_;
};

}  // namespace ravel::erlang
