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
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "erlang/system/visited_states.h"
#include "erlang/term/store.h"
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
  void words_of(StateNumber state, std::vector<Term>& words) override;
  bool keeps(StateNumber state) const override;
  void leave(StateNumber state) override;

  // Without the store, in which there is mostly what will be collected.
  std::uint64_t bytes() const override;
  std::optional<HashedStates> told() const override { return visited_->told(); }
  void for_each_root(Roots::Visit visit, void* collector) override;

 private:
  // A state that is not left.
  struct Kept {
    StateNumber number;
    std::uint32_t count;  // of its words
    std::uint64_t first;  // how many words were kept before them, since the beginning
  };
  const Kept* find(StateNumber state) const;

  Store& store_;
  const std::unique_ptr<VisitedHashes> visited_;
  std::uint32_t size_ = 0;
  std::deque<Kept> kept_;   // in the order of their numbers
  std::deque<Term> words_;  // of those
};

}  // namespace ravel::erlang
