// The states of a test that were visited: each has a number, and the world goes back to it.
//
// If states are kept, each is a row of a table that shares what states have in common (states/state_table.h):
// its leaves are images of machines and monitors. If only hashes of them are kept, those that were not left
// are there as they are (states/kept_states.h).
//
// With interchangeable machines a state is met if one was that differs in names only. The search goes on from
// the one that was met first.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/system.h"
#include "p/machine/world.h"
#include "p/system/state_symmetry.h"
#include "states/kept_states.h"
#include "states/keyed_numbers.h"
#include "states/state_table.h"
#include "states/visited_hashes.h"

namespace ravel::p {

class StateNumbers {
 public:
  // The world and the store must outlive this object.
  StateNumbers(World& world, ValueStore& store, const StateStorage& visited);
  StateNumbers(const StateNumbers&) = delete;
  StateNumbers& operator=(const StateNumbers&) = delete;

  // NumberedStates::number_state(), of the state that the world is in. REQUIRES: it has not failed.
  std::optional<MetState> number();
  // The world is in this state after that. REQUIRES: it was not left.
  void go_to(StateNumber state);
  void leave(StateNumber state) {
    if (visited_) kept_.leave(state);
  }
  std::uint64_t bytes() const;
  std::optional<HashedStates> hashed() const {
    return visited_ ? std::optional(visited_->told()) : std::nullopt;
  }

  // The store is about to be collected.
  void forget_values() {
    if (symmetry_) symmetry_->forget_values();
  }
  // All values that are kept.
  void for_each(const std::function<void(std::span<const Value>)>& visit);

 private:
  std::optional<MetState> number_hash();
  std::optional<MetState> number_by_key();
  StateTable::Insertion insert(std::span<const Value> words);
  StateTable::Node node_of(Value image);
  Value image_at(StateTable::Node node) const;
  void recall(std::uint32_t state);

  World& world_;
  ValueStore& store_;
  std::vector<Value> words_;  // of the state at hand
  // Visited states as hashes of their content, if they are not kept, and those that are not left.
  const std::unique_ptr<VisitedHashes> visited_;
  KeptStates<Value> kept_;
  StateTable table_;             // if they are kept
  std::vector<Value> numbered_;  // the state that was numbered or gone to last; they stay in the table
  std::vector<StateTable::Node> nodes_;    // of it
  std::optional<StateSymmetry> symmetry_;  // if machines are interchangeable
  KeyedNumbers numbers_;
};

}  // namespace ravel::p
