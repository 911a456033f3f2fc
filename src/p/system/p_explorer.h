// A delaying explorer that is a spec of the program (explorers/delaying_explorer.h).
//
//   event eExplorerEnabled: (who: machine, by: machine);  // `who` can move now, after a step of `by`
//   event eExplorerBlocked: machine;                      // it can't move any more
//   event eExplorerDelay: machine;                        // it would be next, and is to be delayed
//   spec Mine observes eExplorerEnabled, eExplorerBlocked, eExplorerDelay, ... { var order: seq[machine]; ...
//   }
//
// The first machine of `order` that can move is the next one. All other events that the spec observes are
// what the program tells it. What is no machine, as time, or nobody, is null.
//
// The idea: the spec runs beside the program. It is no part of the program's state; what it is itself is one
// value, and the explorer's state is the number of that value.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "explorers/delaying_explorer.h"
#include "p/system/p_system.h"

namespace ravel::p {

// What there is to know of a spec that is an explorer.
struct ExplorerSpec {
  MachineId machine{};
  std::uint32_t order = 0;  // place of the field
  // Those that it observes
  std::optional<EventId> enabled = {}, blocked = {}, delay = {};
};

// Whether the spec observes one of the events that are for explorers.
bool is_explorer(const Program& program, MachineId machine);
// Names of all specs that are explorers.
std::vector<std::string> explorers_of(const Program& program);
// The error says what is missing, without a place and without a full stop.
Result<ExplorerSpec> explorer_named(const Program& program, std::string_view name);

class PExplorer final : public DelayingExplorer, private ValueRoots {
 public:
  // `system` must outlive the explorer, and has no other one. A failure of the explorer's own code is a
  // refusal of the system.
  PExplorer(PSystem& system, const ExplorerSpec& spec);
  ~PExplorer() override;

  std::string name() const override;
  void note_enabled(ExplorerState& state, ActorId actor, std::optional<ActorId> by,
                    const ActorNames& names) const override;
  void note_blocked(ExplorerState& state, ActorId actor) const override;
  void note_message(ExplorerState& state, const ExplorerMessage& message) const override;
  ActorId next(const ExplorerState& state, std::span<const ActorId> enabled) const override;
  void delay(ExplorerState& state, std::span<const ActorId> enabled) const override;

 private:
  void for_each(const std::function<void(std::span<const Value>)>& visit) override { visit(images_); }
  LiveMachine live_in(const ExplorerState& state) const;
  // Nothing if the spec does not observe it.
  void show(ExplorerState& state, std::optional<EventId> event, Value payload) const;
  std::uint32_t number_of(Value image) const;

  ExplorerLink& link_;
  const ExplorerSpec spec_;
  // Of what it was: by number, and the other way round
  mutable std::vector<Value> images_;
  mutable std::unordered_map<Word, std::uint32_t> numbers_;
};

}  // namespace ravel::p
