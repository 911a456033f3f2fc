// The part that one process has of a search by strata of a delaying explorer that several processes share;
// delay_strata.h is the search of one.
//
// The idea: one process goes through what was put off to a stratum, one after the other. From each such state
// it takes the next transition, and then what the explorer prescribes, up to a state that was visited before:
// a chain. To which chain a state belongs makes a difference, since the explorer's state goes along. So a
// stratum is what it is because of the order of its chains. Here they are run at the same time, each with its
// place in that order as its rank, and a state belongs to the least rank that has come to it
// (shared_states.h). A chain takes states from later ones, and ends where it meets one of an earlier one.
//
// When all were run, each chain is cut before the first state that was taken from it. What came after that is
// given back, and a chain that has ended at such a state goes on. This is repeated until nothing changes any
// more (deterministic reservations: G. E. Blelloch, J. T. Fineman, P. B. Gibbons, J. Shun, "Internally
// deterministic parallel algorithms can be fast", PPoPP 2012). Then the chains are those of one process: the
// first one is, as nothing is taken from it; and if all before one are, then so is that one, as it ends at
// the first state that was visited in an earlier stratum, or belongs to them. Only then does anything count.
// So whatever is told, but for times, is the same with any number of processes, also of a first bug.
//
// Each round settles one more chain at least; mostly there are two rounds.
//
// Where a step costs nothing although there was a choice, as with the explorer `preemptions`, what follows
// is a tree and no chain. That is not for this class. REQUIRES: DelayCosts::kPlaces.
//
// Memory: 56 bytes for each state that is put off, and its content (the System's), since other processes may
// not know it; 12 for each one found in the stratum, and 28 for each one of the search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "engine/system.h"
#include "explorers/explorer_needs.h"
#include "states/explorer_of_states.h"
#include "states/shared_part.h"
#include "states/shared_position.h"
#include "states/shared_states.h"
#include "states/state_piece.h"
#include "states/stratum_orders.h"
#include "states/system_states.h"
#include "states/ways_to_states.h"

namespace ravel {

class SharedStrata {
 public:
  using Step = WaysToStates::Step;
  static constexpr std::uint64_t kNobody = SharedStates::kNobody;

  struct Found {
    std::uint32_t state = 0;
    std::uint32_t explorer = 0;  // its state there, if something can move
    std::uint32_t enabled = 0;   // how many transitions there are
  };
  struct Chain {
    enum class End : std::uint8_t {
      kOpen,        // it goes on
      kVisited,     // at a state that was visited in an earlier stratum, or by this chain
      kOfEarlier,   // at a state of an earlier chain
      kOfExecution  // with the execution
    };
    std::uint64_t rank = 0;
    Found from = {};                     // `enabled` is not known before it was run
    std::uint32_t place = 0;             // of its first transition, in the order of the explorer
    std::uint32_t first = 0, count = 0;  // which of all found states are its own
    End end = End::kOpen;
    Outcome outcome = Outcome::kRunning;  // kOfExecution: of it,
    bool ends_search = false;             // whether the search is over with it,
    std::uint32_t last_index = 0;         // and its last step
    Hash128 met = {};                     // kOfEarlier: the state
  };

  // References must outlive this object. `states`: the same ones as those of `part`, which keeps ranks.
  SharedStrata(System& system, std::unique_ptr<const DelayingExplorer> explorer, const ExplorerNeeds& needs,
               std::optional<std::uint32_t> delays_max, SharedPart& part, SystemStates& states)
      : system_(system),
        explorer_(system, std::move(explorer), needs),
        delays_max_(delays_max),
        part_(part),
        states_(states) {
    CHECK(explorer_.driver().explorer().costs() == DelayCosts::kPlaces);
  }

  // From the initial state, where the System is.
  void begin(StateNumber initial);
  // That others take part from now on: a stratum ends when all have run their chains.
  void be_with_others() { is_alone_ = false; }
  bool is_alone() const { return is_alone_; }

  // ---- Running chains

  // What belongs to a smaller rank was visited in an earlier stratum.
  void set_base(std::uint64_t rank) { base_ = rank; }
  // Begins with the first one.
  void begin_round() { at_ = 0; }
  // The step to take next; the System is in the state. Nothing: no chain goes on.
  std::optional<Step> next();
  // Where it has led: to a state that belongs to this chain now, and in which so many transitions are
  // enabled; to one that does not, or is met by it again; or to an end.
  void note_found(StateNumber state, std::uint32_t enabled);
  void note_visited();
  void note_end(Outcome outcome, bool ends_search, std::uint32_t index);

  // ---- Between rounds and strata, when nobody runs chains

  // Cuts chains, and lets others go on.
  StratumReport check();
  const std::vector<Chain>& chains() const { return chains_; }
  std::span<const Found> found_by(const Chain& chain) const {
    return std::span(found_).subspan(chain.first, chain.count);
  }
  // How many of these still belong to the chain.
  std::size_t count_own(const Chain& chain) const;
  // Chains of the next stratum. `firsts`: the ranks of what each run of the report has put off, from this one
  // on. `base`: set_base().
  void begin_next(std::span<const std::uint64_t> firsts, std::uint64_t base);
  // The same for who is alone. False: there is no next stratum, or it has too many delays.
  bool begin_next_alone();
  // Nothing is left.
  void forget();

  // The number of delays that is being tried, or was tried last; that of which nothing is left; and whether
  // nothing is left at all. Of a process that was alone all the time.
  std::uint32_t stratum() const { return stratum_; }
  std::optional<std::uint32_t> completed() const { return completed_; }
  bool is_exhausted() const { return is_exhausted_; }

  // ---- To go on later

  // What is told of all states when a stratum has begun, and none of its chains has. REQUIRES: it is so.
  StateNotes take_notes();
  // That a search goes on from where others were: each state again, in the order of a StateTree. The System
  // is in the state that was found again last; how many transitions are enabled there. `open`: null if it is
  // not.
  void note_again(StateNumber state, std::uint32_t enabled, const StateTree::Open* open);
  // All were found; the stratum of the tree begins. False: its chains are not those of a stratum.
  bool begin_again(const StateTree& tree);

  // ---- Pieces

  // About half of the chains that were not begun, after the one at hand. Empty: as with SharedPart::give().
  StatePiece give();
  // All chains, from their beginning: what they have found is given back.
  StatePiece rest();
  bool has_rest() const { return !chains_.empty(); }
  // A piece is taken: each of its nodes but the initial state is one step after another one, whose number in
  // the piece is `parent`. False: there is no such step.
  void begin_piece() { of_piece_.clear(), taken_.clear(); }
  bool repeat(std::uint32_t parent, std::uint32_t index);
  void note_in_piece(StateNumber state, const StatePiece::Node& node);
  void end_piece(bool is_taken);

  std::vector<std::string> complaints() const { return explorer_.driver().complaints(); }
  std::uint64_t bytes() const;

 private:
  SharedStates& shared() const { return *part_.sharing().states; }
  bool cut(Chain& chain);
  bool is_own(const Chain& chain, const Found& found) const {
    return shared().rank_of(part_.hash_of(found.state)) == chain.rank;
  }
  void give_back(std::span<const Found> found, std::uint64_t rank);
  StatePiece piece_of(std::vector<const Chain*> chains);
  void put_off(std::vector<Chain>& next, std::uint64_t& rank, const Found& from, std::uint32_t place);

  System& system_;
  ExplorerOfStates explorer_;
  const std::optional<std::uint32_t> delays_max_;
  SharedPart& part_;
  SystemStates& states_;
  std::vector<Chain> chains_;  // by rank
  std::vector<Found> found_;   // by all of them
  std::size_t at_ = 0;         // the chain at hand
  std::uint64_t base_ = 0;
  std::uint32_t stratum_ = 0;
  std::optional<std::uint32_t> completed_;
  bool is_alone_ = true, is_exhausted_ = false;
  std::vector<std::uint32_t> of_piece_;  // the explorer's states in the nodes
  std::vector<Chain> taken_;             // from there
};

}  // namespace ravel
