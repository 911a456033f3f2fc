// The states of an ErlangSystem that were met: exactly (state_numbers.h) or as hashes (state_hashes.h).
//
// A state is a short sequence of stored terms, in the form of Freezer::save(). It may be stored under another
// one that stands for it, its key: then the states with one key are one, and it is the first of them that is
// kept to go on from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/step_memory.h"
#include "engine/system.h"
#include "erlang/machine/machine.h"
#include "erlang/system/known_steps.h"
#include "erlang/term/heap.h"
#include "erlang/term/term.h"
#include "states/last_step.h"

namespace ravel::erlang {

class VisitedStates {
 public:
  virtual ~VisitedStates() = default;

  // An image together with a stored term that belongs to it in a state, in the place of an image.
  struct NotedImage {
    Term image, note;
  };
  virtual Term with_note(const NotedImage& noted) = 0;
  virtual NotedImage without_note(Term image) const = 0;

  // Nothing if there is no room. `key` is `words`, or at least two stored terms, of which the number of words
  // is not that of a state, or which are a state.
  virtual std::optional<MetState> number(std::span<const Term> words, std::span<const Term> key) = 0;
  // REQUIRES: keeps(state).
  virtual void words_of(StateNumber state, std::vector<Term>& words) = 0;
  virtual bool keeps(StateNumber state) const = 0;
  // NumberedStates::leave().
  virtual void leave(StateNumber state) = 0;

  // ---- StepMemory
  // From now on steps are remembered. REQUIRES: states are their own keys.
  virtual void remember_steps(Machine& machine) = 0;
  virtual bool remembers_steps() const = 0;
  virtual std::optional<StepMemory::Known> repeat(StateNumber from, std::uint32_t index) = 0;
  // The machine takes a step of which something may be known, or is in some other state, none that was
  // numbered or asked for.
  void note_step(const KnownSteps::Step& step) { last_step_.take(step); }
  void note_other_state() { last_step_.forget(); }

  virtual std::uint64_t bytes() const = 0;
  virtual std::optional<HashedStates> told() const = 0;
  virtual void for_each_root(Roots::Visit visit, void* collector) = 0;
  // Stored terms have been freed.
  virtual void note_collected() {}

 protected:
  LastStep<KnownSteps::Step> last_step_;
};

}  // namespace ravel::erlang
