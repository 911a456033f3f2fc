// Turns the steps of a System into calls of a delaying explorer, and its answers into an order of all
// transitions of a point: the one at place i is taken with i delays, or as DelayCosts says.
//
// The order: the actor that the explorer names, with its alternatives in their order; after as many delays as
// there are of these, who it names then; and so on. Timeouts that fire early and faults come last, as they
// never happen unless somebody asks for them. What the explorer never names comes after what it does, so that
// no search leaves anything out because of an explorer that is not sound; complaints() tells.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/system.h"
#include "explorers/delaying_explorer.h"
#include "explorers/explorer_needs.h"

namespace ravel {

class ExplorerDriver {
 public:
  explicit ExplorerDriver(std::unique_ptr<const DelayingExplorer> explorer, const ExplorerNeeds& needs = {})
      : explorer_(std::move(explorer)),
        messages_(needs.messages),
        complaints_(needs.complaints != nullptr ? needs.complaints : std::make_shared<ExplorerComplaints>()) {
  }

  const DelayingExplorer& explorer() const { return *explorer_; }

  // The next point is one before which nobody has moved: `state` is empty there.
  void begin();
  // Tells the explorer what the step that choose() has told last has changed, and what the program has said.
  void arrive(ExplorerState& state, std::span<const Transition> enabled, const SystemView& system);
  // Which transition is at this place of the order; then `state` is what it is when that one is taken.
  // REQUIRES: it was as arrive() has left it, at this point; place < enabled.size().
  std::size_t choose(ExplorerState& state, std::span<const Transition> enabled, std::uint32_t place,
                     const SystemView& system);

  // How many delays the transition at this place costs: that at place 0 none, and each at most one more than
  // that before it. REQUIRES: `state` is as arrive() has left it, at this point.
  std::uint32_t cost_of(const ExplorerState& state, std::span<const Transition> enabled, std::uint32_t place);

  // What the explorer has done wrong: sentences without a full stop, each once.
  std::vector<std::string> complaints() const { return {complaints_->begin(), complaints_->end()}; }
  // What complaints() had before the search was interrupted.
  void complain_again(std::string text) { complaints_->insert(std::move(text)); }

 private:
  void list_actors(std::span<const Transition> enabled, std::vector<ActorId>& actors) const;
  bool is_marked(ActorId actor) const;
  void mark(std::span<const ActorId> actors);
  void unmark(ActorId actor) { marks_[static_cast<std::size_t>(actor)] = 0; }
  std::optional<std::size_t> find(std::span<const Transition> enabled, ActorId actor, std::uint32_t& place);
  void complain(const char* what, ActorId actor, const SystemView& system);

  const std::unique_ptr<const DelayingExplorer> explorer_;
  std::vector<ActorId> before_, now_;  // who can move by itself: at the point of choose(), and after it
  std::optional<ActorId> moved_;
  std::vector<std::uint64_t> marks_;  // by actor: a set is what has the current mark
  std::uint64_t mark_ = 0;
  ExplorerMessages* const messages_;  // or null
  const std::shared_ptr<ExplorerComplaints> complaints_;
};

}  // namespace ravel
