// The states of an ErlangSystem that were met, as hashes of their content: what a state is cannot be told
// from what is kept of it, and it can be taken for another one.
//
// The idea: terms are stored with hashes of 128 bits (Store::Hashes), which depend on nothing that is
// collected; that of a state is the sum of those of its words, each in its place. The words themselves are
// kept until the search has left the state, and with them the stored terms, which are collected then.
//
// Where steps are remembered, states that are not left are kept in parts (states_in_parts.h). When that takes
// too much memory, what is known of steps is forgotten, and only parts of these states stay; but not before
// as many steps were taken as there are such states. Hashes are the same ones either way.
//
// Cost: what VisitedHashes takes for each state, and its words for each one that is not left.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "erlang/system/states_in_parts.h"
#include "erlang/system/visited_states.h"
#include "erlang/term/store.h"
#include "states/kept_states.h"
#include "states/summed_hash.h"
#include "states/visited_hashes.h"

namespace ravel::erlang {

class StateHashes final : public VisitedStates {
 public:
  // Of a store with Store::Hashes::kWide. `step_memory_max`: bytes, as a rule. REQUIRES: !storage.is_exact().
  StateHashes(Store& store, const StateStorage& storage, std::uint64_t step_memory_max)
      : store_(store), step_memory_max_(step_memory_max), visited_(make_visited_hashes(storage)) {}

  Term with_note(const NotedImage& noted) override;
  NotedImage without_note(Term image) const override;

  std::optional<MetState> number(std::span<const Term> words, std::span<const Term> key) override;
  void words_of(StateNumber state, std::vector<Term>& words) override;
  bool keeps(StateNumber state) const override { return parts_ ? parts_->has(state) : kept_.has(state); }
  void leave(StateNumber state) override { parts_ ? parts_->leave(state) : kept_.leave(state); }

  void remember_steps(Machine& machine) override;
  bool remembers_steps() const override { return parts_ != nullptr; }
  std::optional<StepMemory::Known> repeat(StateNumber from, std::uint32_t index) override;

  // Without the store, in which there is mostly what will be collected.
  std::uint64_t bytes() const override;
  std::optional<HashedStates> told() const override { return visited_->told(); }
  void for_each_root(Roots::Visit visit, void* collector) override;
  void note_collected() override;

 private:
  const Hash128& hash_of(std::span<const Term> words);
  void forget_if_due(std::uint64_t bytes) {
    if (bytes > step_memory_max_ && taken_ >= parts_->size()) remember_anew();
  }
  void forget_steps();
  void remember_anew();

  Store& store_;
  const std::uint64_t step_memory_max_;
  std::uint64_t taken_ = 0;  // steps, since the memory has begun
  const std::unique_ptr<VisitedHashes> visited_;
  std::unique_ptr<StatesInParts> parts_;  // while steps are remembered; else
  KeptStates<Term> kept_;
  std::vector<Term> words_;  // whose hash was asked for last
  SummedHash hash_;          // of these
  Machine* machine_ = nullptr;
};

}  // namespace ravel::erlang
