// Where a search by states is that several processes share, to go on from there.
//
// The idea: as in a position of one process (state_search_position.cc) a state is noted as the step by which
// it was found, in some four bytes, and who goes on takes that step again. No hash is noted: hashes depend
// on numbers that a process gives to names (shared_states.h), and a new process gives others. But a step is a
// place among the transitions that are enabled, whose order depends on names alone.
//
// Each visitor tells its states now and then (state_notes.h). Those that came with a piece are told as states
// of the visitor that has given it.
//
// Invariants of a whole position, if all visitors have told between two steps, and no piece went from one to
// another meanwhile but those that are told as waiting:
//  1. Each state was found by one step of one visitor, which leads back to the initial state.
//  2. Nobody goes on from a state, or one visitor does, or one waiting piece has it.
//  3. A state that was visited, but is not told, follows from one that is open: who goes on finds it again.
// By delays all tell when a stratum begins, when only what earlier ones have visited counts.
//
// Cost: the bytes are kept here until the search ends. Reading takes 36 bytes a state for a while,
// and 16 more for one that is open.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "states/state_notes.h"
#include "states/state_piece.h"

namespace ravel {

// All states of a position as a tree. Parents come before children, and nearer states before others.
struct StateTree {
  struct Node {
    std::uint32_t parent = 0;  // by its number here; the first one is the initial state, and has none
    std::uint32_t index = 0;   // of the step from there, among those that are enabled
  };
  // A state that is to be gone on from, by the steps from the first one on, by a chain of this rank.
  struct Open {
    std::uint32_t state = 0, first = 0;
    std::uint64_t rank = 0;
  };
  struct Look {
    std::uint32_t state = 0, index = 0;
  };
  std::vector<Node> nodes = {};
  std::vector<Open> open = {};   // in the order of their numbers
  std::vector<Look> looks = {};  // steps that only look (looking_steps.h), by the number of the state
  // By delays: the stratum that begins, and its least rank; else 0
  std::uint32_t stratum = 0;
  std::uint64_t base = 0;
};

class SharedPosition {
 public:
  void hear(const StateNotes& notes);
  bool is_empty() const { return visitors_.empty(); }
  // REQUIRES: the invariants. `waiting`: pieces that nobody has.
  std::string print(const std::deque<StatePiece>& waiting) const;

  // Whether a position of a search by states is one of these.
  static bool is_one(std::string_view position) { return position.starts_with('\0'); }
  // Nothing: it is damaged.
  static std::optional<StateTree> read(std::string_view position);

 private:
  struct Visitor {
    std::uint32_t states = 0;
    std::string found, open, looks;
  };
  std::vector<Visitor> visitors_;  // by number
  std::uint32_t stratum_ = 0;
  std::uint64_t base_ = 0;
};

}  // namespace ravel
