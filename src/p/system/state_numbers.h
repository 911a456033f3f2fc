// The states of a test that were visited: each has a number, and the world goes back to it.
//
// If states are kept, each is a row of a table that shares what states have in common (states/state_table.h):
// its leaves are images of machines and monitors. Else they are hashes (state_hashes.h).
//
// With interchangeable machines a state is met if one was that differs in names only. The search goes on from
// the one that was met first.

#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/step_memory.h"
#include "engine/system.h"
#include "p/machine/world.h"
#include "p/system/known_steps.h"
#include "p/system/liveness.h"
#include "p/system/state_hashes.h"
#include "p/system/state_symmetry.h"
#include "states/keyed_numbers.h"
#include "states/last_step.h"
#include "states/state_table.h"
#include "states/variety_order.h"

namespace ravel::p {

class StateNumbers {
 public:
  // The world and the store must outlive this object.
  StateNumbers(World& world, ValueStore& store, const StateStorage& visited);
  StateNumbers(const StateNumbers&) = delete;
  StateNumbers& operator=(const StateNumbers&) = delete;

  // From now on steps are remembered, with hashes of states in about so many bytes at most; or no more.
  // REQUIRES for the former: there are no interchangeable machines, timers that are no machines, or
  // listeners.
  void remember_steps(const Liveness& liveness, std::uint64_t bytes_max);
  void forget_steps() { known_.reset(); }
  // The world takes a step, or is in some other state, none that was numbered or gone to.
  void note_step(const KnownSteps::Step& step) { last_step_.take(step); }
  void note_other_state() { last_step_.forget(); }
  // StepMemory.
  bool remembers_steps() const { return known_ && !known_->has_given_up(); }
  std::optional<StepMemory::Known> repeat(StateNumber from, std::uint32_t index);
  std::span<const Transition> enabled_in(StateNumber state);

  // NumberedStates::number_state(), of the state that the world is in. REQUIRES: it has not failed.
  std::optional<MetState> number();
  // The world is in this state after that. REQUIRES: it was not left.
  void go_to(StateNumber state);
  void leave(StateNumber state) {
    if (hashes_) hashes_->leave(state);
  }
  std::uint64_t bytes() const;
  std::optional<HashedStates> hashed() const {
    return hashes_ ? std::optional(hashes_->told()) : std::nullopt;
  }

  // The store is about to be collected.
  void forget_values() {
    if (symmetry_) symmetry_->forget_values();
    if (known_ && (!hashes_ || is_too_much(store_.words_used() * sizeof(Word) + known_->bytes())))
      known_->forget();
  }
  // All values that are kept.
  void for_each(const std::function<void(std::span<const Value>)>& visit);

 private:
  MetState number_hash();
  std::span<const Value> come_to(StateNumber state);
  KnownSteps* memory() { return remembers_steps() ? &*known_ : nullptr; }
  // Of what is known of steps. If states are kept they take more.
  bool is_too_much(std::uint64_t bytes) const { return hashes_ && bytes > step_memory_max_; }
  std::optional<MetState> number_by_key();
  StateTable::Insertion insert(std::span<const Value> words);
  StateTable::Node node_of(Value image);
  Value image_at(StateTable::Node node) const;
  // Of a word of the state at hand, among its nodes; in the table the first one is of how many words there
  // are.
  std::size_t place_of(std::size_t at) const { return 1 + place_of_word_[at]; }
  std::uint64_t owner_of(std::size_t at, std::size_t count) const;
  void place_words(std::size_t count);
  void reorder();
  void recall(std::uint32_t state);
  void change(std::size_t at, Value word);

  World& world_;
  ValueStore& store_;
  std::vector<Value> words_;           // of the state at hand
  std::optional<StateHashes> hashes_;  // of visited states, if these are not kept; else
  StateTable table_;
  std::vector<Value> numbered_;  // the state that was numbered or gone to last; they stay in the table
  std::vector<StateTable::Node> nodes_;  // of it
  VarietyOrder order_;
  std::vector<std::uint64_t> owners_;  // of its words
  std::vector<std::uint32_t> place_of_word_, word_at_place_;
  std::optional<StateSymmetry> symmetry_;  // if machines are interchangeable
  KeyedNumbers numbers_;
  std::optional<KnownSteps> known_;  // if steps are remembered
  std::uint64_t step_memory_max_ = 0;
  LastStep<KnownSteps::Step> last_step_;
};

}  // namespace ravel::p
