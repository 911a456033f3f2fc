// The states that a search by states has not left, where of all others only hashes are kept (state_hashes.h)
// and steps are remembered (known_steps.h): as numbers of their parts.
//
// The idea: what is known of steps is told in numbers of parts, so that each part that was met keeps its
// number, and its term, as long as that memory lives. A known step then leads to a state of which nothing
// has to be stored: its hash is that of the state at hand but for the images that are others, and that of an
// image follows from its parts'. Nothing in it depends on numbers, which each process gives by itself.
//
// Cost: 4 bytes for each part of a state that is not left; for each part its stored term, and 35 bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/wide_hash.h"
#include "engine/system.h"
#include "erlang/machine/machine.h"
#include "erlang/system/known_steps.h"
#include "erlang/system/state_at_hand.h"
#include "erlang/term/heap.h"
#include "erlang/term/store.h"
#include "states/kept_states.h"
#include "states/state_table.h"
#include "states/summed_hash.h"

namespace ravel::erlang {

class StatesInParts {
 public:
  // Of a machine whose images are stored, with Store::Hashes::kWide. It must outlive this object.
  explicit StatesInParts(Machine& machine, const PayOff& so_far = PayOff(kKnownOfEight))
      : store_(machine.store), known_(machine, table_, so_far) {
    at_hand_.tell(known_);
  }

  // The state with these words is at hand from now on. `step`: by which the machine has just come to it from
  // the one that was at hand, if that may be noted.
  void come_to(std::span<const Term> words, const std::optional<KnownSteps::Step>& step);
  // The same of a state that is kept.
  void go_to(StateNumber state);
  // Of the state at hand, with all its images. Roots of the store, as are those of for_each_root().
  const std::vector<Term>& words();
  // SummedHash of the hashes of its words.
  const Hash128& hash() const { return hash_.sum(); }

  // What a step does, by its place among those that are enabled in the state at hand, which stays there.
  struct Found {
    Hash128 hash;
    std::uint32_t enabled = 0;
  };
  std::optional<Found> find(std::uint32_t index);

  // Keeps the state at hand, or the one that was found last. REQUIRES: !is_full().
  StateNumber keep();
  StateNumber keep_found();
  bool is_full() const { return kept_.is_full(); }
  bool has(StateNumber state) const { return kept_.has(state); }
  std::size_t size() const { return kept_.size(); }  // how many are kept
  void leave(StateNumber state) { kept_.leave(state); }
  // Takes all states that are kept as words, which has none then; and gives them back.
  void take_over(KeptStates<Term>& kept);
  void give_back(KeptStates<Term>& kept);

  bool has_given_up() const { return known_.has_given_up(); }
  const PayOff& pay_off() const { return known_.pay_off(); }
  std::uint64_t bytes() const { return memory_bytes() + kept_.bytes(); }
  std::uint64_t memory_bytes() const;  // without states that are kept
  void for_each_root(Roots::Visit visit, void* collector);

 private:
  // To keep a state in parts costs more than to hash its words, so that more steps have to be known than
  // where all states are kept.
  static constexpr std::uint64_t kKnownOfEight = 4;

  using Node = StateTable::Node;

  const Hash128& hash_of(Node part);
  Hash128 hash_of_image(std::span<const Node> parts);
  Term image_of(std::span<const Node> parts);
  void begin_hash();
  void put_together(Node frame, std::size_t count, std::span<const Node> parts);
  StateNumber keep_put_together();

  Store& store_;
  StateTable table_;  // of parts and frames
  KnownSteps known_;
  StateAtHand at_hand_{table_};
  std::optional<StateNumber> number_;  // of the state at hand, if it is kept
  std::optional<Node> frame_;          // of it, if it is known
  SummedHash hash_;                    // of it
  std::optional<KnownSteps::Found> found_;
  std::vector<Hash128> hashes_;  // by number of leaf; zero: not known yet
  // Of each state: its frame, how many words it has, and the parts of its images.
  KeptStates<std::uint32_t> kept_;
  std::vector<std::uint32_t> kept_words_;
};

}  // namespace ravel::erlang
