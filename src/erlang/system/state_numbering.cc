#include "erlang/system/state_numbering.h"

#include <array>
#include <span>
#include <utility>

#include "erlang/system/state_hashes.h"
#include "erlang/system/state_numbers.h"

namespace ravel::erlang {

StateNumbering::StateNumbering(Machine& machine, NotedRequests& requests, const ErlangOptions& options)
    : machine_(machine), requests_(requests), options_(options) {
  if (options.visited.is_exact()) {
    auto numbers = std::make_unique<StateNumbers>(machine.store);
    machine.freezer.use_images(numbers.get());
    visited_ = std::move(numbers);
  } else {
    visited_ = std::make_unique<StateHashes>(machine.store, options.visited, options.step_memory_max);
  }
  if (!options.machine.symmetric.empty())
    symmetry_.emplace(
        machine, *visited_,
        options.requests_in_state.empty() ? StateSymmetry::Images::kPlain : StateSymmetry::Images::kNoted);
}

void StateNumbering::remember_steps() {
  if (!symmetry_ && !requests_.are_in_state() && !machine_.abstraction.is_open())
    visited_->remember_steps(machine_);
}

std::optional<MetState> StateNumbering::number(Term abstract, Outcome outcome) {
  words_.clear();
  machine_.freezer.save(words_);
  requests_.add_to_state(words_, *visited_);
  std::span<const Term> key = symmetry_ ? symmetry_->representative(words_) : words_;
  std::array<Term, 2> abstract_key;
  if (machine_.abstraction.is_open()) {
    // Where nothing can move any more is never taken for where something can.
    abstract_key = {symmetry_ ? symmetry_->renamed(abstract) : abstract,
                    Term::small(static_cast<std::int64_t>(outcome))};
    key = abstract_key;
  }
  return visited_->number(words_, key);
}

void StateNumbering::go_to(StateNumber state) {
  visited_->words_of(state, words_);
  requests_.take_from_state(words_, *visited_);
  machine_.freezer.restore(words_);
}

std::optional<HashedStates> StateNumbering::inexactness() const {
  std::optional<HashedStates> told = visited_->told();
  if (options_.abstraction.empty()) return told;
  if (!told) told.emplace();
  told->abstraction = options_.abstraction;
  return told;
}

}  // namespace ravel::erlang
