// The states of an ErlangSystem that were met, as hashes of their content: what a state is cannot be told
// from what is kept of it, and it can be taken for another one.
//
// The idea: terms are stored with hashes of 128 bits (Store::Hashes), which depend on nothing that is
// collected; that of a state is made of those of its words. The words themselves are kept until the search
// has left the state, and with them the stored terms, which are collected then.
//
// Cost: what VisitedHashes takes for each state, and its words for each one that is not left.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "erlang/system/visited_states.h"
#include "erlang/term/store.h"
#include "states/kept_states.h"
#include "states/visited_hashes.h"

namespace ravel::erlang {

class StateHashes final : public VisitedStates {
 public:
  // Of a store with Store::Hashes::kWide. REQUIRES: !storage.is_exact().
  StateHashes(Store& store, const StateStorage& storage)
      : store_(store), visited_(make_visited_hashes(storage)) {}

  Term with_note(const NotedImage& noted) override;
  NotedImage without_note(Term image) const override;

  std::optional<MetState> number(std::span<const Term> words, std::span<const Term> key) override;
  void words_of(StateNumber state, std::vector<Term>& words) override { kept_.words_of(state, words); }
  bool keeps(StateNumber state) const override { return kept_.has(state); }
  void leave(StateNumber state) override { kept_.leave(state); }

  // Without the store, in which there is mostly what will be collected.
  std::uint64_t bytes() const override { return visited_->bytes() + kept_.bytes(); }
  std::optional<HashedStates> told() const override { return visited_->told(); }
  void for_each_root(Roots::Visit visit, void* collector) override;

 private:
  Store& store_;
  const std::unique_ptr<VisitedHashes> visited_;
  KeptStates<Term> kept_;
};

}  // namespace ravel::erlang
