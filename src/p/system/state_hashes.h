// The states of a test that were visited, as hashes of their content: what a state is cannot be told from
// what is kept of it, and it can be taken for another one.
//
// The idea: values are stored with hashes of 128 bits (ValueStore::Hashes), which depend on nothing that is
// collected; that of a state is the sum of those of its words, each in its place. The words themselves are
// kept until the search has left the state. Where a step that is known leads, the sum follows from the words
// that are others then, and no state is made.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/step_memory.h"
#include "engine/system.h"
#include "p/system/known_steps.h"
#include "states/kept_states.h"
#include "states/summed_hash.h"
#include "states/visited_hashes.h"

namespace ravel::p {

class StateHashes {
 public:
  // Of a store with ValueStore::Hashes::kWide. REQUIRES: !storage.is_exact().
  explicit StateHashes(const StateStorage& storage) : visited_(make_visited_hashes(storage)) {}

  bool is_full() const { return visited_->is_full() || kept_.is_full(); }
  // The state with these words, as World::save() has them, is at hand from now on. What changes is told to
  // those who know steps, if there are any.
  void come_to(std::span<const Value> words, KnownSteps* known);
  // The same of a state that was not left.
  void come_to(StateNumber state, KnownSteps* known);
  std::span<const Value> at_hand() const { return at_hand_; }
  // NumberedStates::number_state(), of the state at hand; it is gone on from as the one with these words.
  // REQUIRES: !is_full().
  MetState number(std::span<const Value> words);
  // The same of the state to which this step leads from the one at hand, which stays there.
  MetState number(const KnownSteps::Found& found);
  // REQUIRES: it was not left.
  void words_of(StateNumber state, std::vector<Value>& words) const { kept_.words_of(state, words); }
  void leave(StateNumber state) { kept_.leave(state); }

  std::uint64_t bytes() const { return visited_->bytes() + kept_.bytes(); }  // without the store
  HashedStates told() const { return visited_->told(); }
  // All values that are kept.
  void for_each(const std::function<void(std::span<const Value>)>& visit);

 private:
  const std::unique_ptr<VisitedHashes> visited_;
  KeptStates<Value> kept_;  // those that are not left
  std::vector<Value> at_hand_, words_;
  std::optional<StateNumber> number_;  // of the state at hand, if that is known
  SummedHash hash_;                    // of it
};

}  // namespace ravel::p
