// The explorers that everybody has, by name (A. Desai, S. Qadeer, S. A. Seshia, "Systematic testing of
// asynchronous reactive programs", FSE 2015, section 6).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "explorers/delaying_explorer.h"

namespace ravel {

inline constexpr std::string_view kUsualExplorer = "rtc";
inline constexpr std::string_view kPreemptionsExplorer = "preemptions";

// Round robin: a queue. The first one that can move goes on; who blocks goes to the tail, and so does who is
// delayed. New actors come to the tail, or, with a seed, to a random place, which depends on the seed and on
// the actor's name.
class RoundRobin final : public DelayingExplorer {
 public:
  explicit RoundRobin(std::optional<std::uint64_t> seed = {}) : seed_(seed) {}

  std::string name() const override { return seed_ ? "prr" : "rr"; }
  void note_enabled(ExplorerState& state, ActorId actor, std::optional<ActorId> by,
                    const ActorNames& names) const override;
  void note_blocked(ExplorerState& state, ActorId actor) const override;
  ActorId next(const ExplorerState& state, std::span<const ActorId> enabled) const override;
  void delay(ExplorerState& state, std::span<const ActorId> enabled) const override;

 private:
  const std::optional<std::uint64_t> seed_;
};

// Run to completion: a stack of those who can move. Who has become able to move goes on top, so that the
// receiver of the newest message runs next; who is delayed goes to the bottom.
class RunToCompletion final : public DelayingExplorer {
 public:
  std::string name() const override { return "rtc"; }
  void note_enabled(ExplorerState& state, ActorId actor, std::optional<ActorId> by,
                    const ActorNames& names) const override;
  void note_blocked(ExplorerState& state, ActorId actor) const override;
  ActorId next(const ExplorerState& state, std::span<const ActorId> enabled) const override;
  void delay(ExplorerState& state, std::span<const ActorId> enabled) const override;
};

// Who moved last goes on, as long as it can; then whoever can, in the order of names. What it costs to let
// another one move is a preemption: iterative context bounding (M. Musuvathi, S. Qadeer, "Iterative context
// bounding for systematic testing of multithreaded programs", PLDI 2007).
class NoPreemptions final : public DelayingExplorer {
 public:
  std::string name() const override { return std::string(kPreemptionsExplorer); }
  DelayCosts costs() const override { return DelayCosts::kPreemptions; }
  void note_move(ExplorerState& state, ActorId actor) const override;
  void note_enabled(ExplorerState&, ActorId, std::optional<ActorId>, const ActorNames&) const override {}
  void note_blocked(ExplorerState&, ActorId) const override {}
  ActorId next(const ExplorerState& state, std::span<const ActorId> enabled) const override;
  void delay(ExplorerState& state, std::span<const ActorId> enabled) const override;
};

// Whose delays are those of the paper: for all strategies with explorers.
inline constexpr std::array<std::string_view, 3> kDelayingExplorers = {"rr", "rtc", "prr"};
inline constexpr std::array<std::string_view, 4> kBuiltInExplorers = {"rr", "rtc", "prr",
                                                                      kPreemptionsExplorer};

// Null if there is none of this name. `seed` is for those who make random choices.
std::unique_ptr<DelayingExplorer> built_in_explorer(std::string_view name, std::uint64_t seed);

}  // namespace ravel
