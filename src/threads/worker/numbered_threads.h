// The threads of the program as a System whose states are numbered.
//
// A state is known by the hash of it (runtime/program_state.h), and kept by how it was come to: from which
// other one, by which step. To go to one is to run these steps again from the beginning; a search that goes
// on where it is need not.
//
// After each step two questions are asked: whether threads race that could not be seen to do so from the way
// to this state alone (runtime/segment_races.h), and whether threads go round and round for ever
// (ThreadsSystem::look_for_circles()).
//
// Cost: a hash for each step; for each state 8 bytes, and what VisitedHashes takes; for going to a state as
// many steps as lead there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "engine/system_wrapper.h"
#include "states/visited_hashes.h"
#include "threads/runtime/threads_system.h"
#include "threads/search/searched_program.h"

namespace ravel::threads {

class NumberedThreads final : public SystemWrapper {
 public:
  // REQUIRES: !storage.is_exact(); the program is configured for a search by states, and stays so.
  // `system` must outlive this object.
  // `known`: traits that an earlier search has found.
  NumberedThreads(ThreadsSystem& system, const StateStorage& storage, StateTraits known = {});
  ~NumberedThreads() override;

  SystemParts parts() const override { return {.numbers_states = true, .pending = true}; }
  void reset() override;
  Event step(const Transition& transition) override;

  // Nothing after go_to().
  std::optional<Fingerprint> fingerprint() override;
  std::optional<MetState> number_state() override;
  void go_to(StateNumber state) override;
  std::uint64_t bytes_of_states() const override;
  std::optional<HashedStates> hashed_states() const override { return visited_->told(); }

  // How many steps were taken again, to go to states.
  std::uint64_t replayed() const { return system_.replayed() - replayed_before_; }
  // What was taken for granted of what a state is.
  StateTraits traits() const { return traits_; }
  // What a state is has turned out to be something else than was taken for granted: that has to be begun
  // anew.
  bool has_to_begin_anew() const;
  // StatesOfProgram::knowledge() and come_back().
  std::size_t knowledge() const;
  void come_back();

 private:
  // How a state was found; packed, since there are many.
  struct Origin {
    std::uint32_t from;
    std::uint32_t actor : 18, alternative : 12, kind : 2;
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static Origin pack(std::uint32_t from, const Transition& transition);

  void look_at_state();
  // Of states in which nobody changes anything: that others who visit states hear of it, and whether one has
  // said so. It is told before the state counts as visited.
  void tell_still(const Hash128& state);
  bool is_still_elsewhere(const Hash128& state) const;

  ThreadsSystem& system_;
  SharedStates* const shared_;  // null: nobody else visits states
  const std::unique_ptr<VisitedHashes> visited_;
  const std::uint64_t replayed_before_;
  const StateTraits traits_;
  std::vector<Origin> origins_;  // by number
  // The present state, if it has a number, and the step from there
  std::uint32_t present_ = kNone;
  Transition last_;
  // What is known of where the last step has led
  std::optional<Hash128> state_;
  bool is_new_ = false;
  std::set<Hash128> stuck_, idle_;  // states in which nobody changes anything: an end, or time may pass
  std::set<std::uint32_t> idle_numbers_;
  std::vector<Transition> way_;
};

}  // namespace ravel::threads
