// A program of C or C++ that is searched from here: each of its executions is in a process of its own, or
// there is an explorer of the user's, which has no place in the program's process.

#pragma once

#include <utility>

#include "base/memory.h"
#include "threads/remote/remote_states.h"
#include "threads/remote/remote_system.h"
#include "threads/search/searched_program.h"

namespace ravel::threads {

// The program's process numbers its states, and the search is here.
class StatesOutside final : public StatesOfProgram {
 public:
  StatesOutside(RemoteSystem& system, const NumberingOrder& order) : states_(system, order) {}

  System& system() override { return states_; }
  std::uint64_t replayed() const override { return states_.told().replayed; }
  StateTraits traits() const override { return states_.told().traits; }
  bool has_to_begin_anew() const override { return states_.told().has_to_begin_anew; }
  // This process is not the program's, and has no copies.
  std::size_t knowledge() const override { return 0; }
  void come_back() override {}

 private:
  RemoteStates states_;
};

class OutsideProgram final : public SearchedProgram {
 public:
  // REQUIRES for a search: each execution of the system has a process of its own, or its findings are
  // followed. The system must outlive this object.
  explicit OutsideProgram(RemoteSystem& system, ExplorerNeeds explorer = {})
      : system_(system), explorer_(std::move(explorer)) {
    explorer_.messages = &system;
  }

  System& system() override { return system_; }
  const Configuration& configuration() const override { return system_.configuration(); }
  void configure(const Configuration& configuration) override { system_.set_configuration(configuration); }
  bool has_new_racy_words() const override { return system_.gathered().has_new_racy_words(); }
  std::vector<std::uint64_t> take_new_racy_words() override {
    return system_.gathered().take_new_racy_words();
  }
  bool needs_fairness() const override { return system_.needs_fairness(); }
  LoopUses loop_uses() const override { return system_.loop_uses(); }
  void know(const LoopUses& loops) override { system_.know_loops(loops); }
  Findings findings() override { return system_.findings(); }
  std::optional<Extent> pending_access(ActorId actor) const override { return system_.pending_access(actor); }
  std::uint64_t (*held_memory() const)(std::uint64_t) override { return resident_bytes; }
  RawBug raw_bug() const override { return system_.raw_bug(); }
  RawRefusal raw_refusal() const override {
    return {.message = system_.state().refusal, .stack = system_.state().bug.stack};
  }
  BlockWord block_word(std::uint64_t object) const override {
    const BlockPlace* const place = system_.block_place(object);
    return place == nullptr ? BlockWord{} : BlockWord{.block = &place->block, .offset = place->offset};
  }
  std::optional<std::uint64_t> block_at(std::uint64_t object) const override {
    return system_.block_at(object);
  }
  ExplorerNeeds delaying_explorer() override { return explorer_; }
  std::unique_ptr<Explorer> make_explorer(Strategy& strategy, const Limits& limits, Clock& clock,
                                          const Surroundings& surroundings) override {
    return std::make_unique<Explorer>(system_, strategy, limits, clock, surroundings);
  }
  std::unique_ptr<StatesOfProgram> number_states(const StateStorage& storage, StateTraits known) override {
    if (system_.configuration().isolates) return nullptr;
    return std::make_unique<StatesOutside>(
        system_,
        NumberingOrder{.hash_bits = storage.hash_bits, .filter_bytes = storage.filter_bytes, .known = known});
  }

 private:
  RemoteSystem& system_;
  ExplorerNeeds explorer_;
};

}  // namespace ravel::threads
