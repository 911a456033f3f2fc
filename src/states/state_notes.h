// What a visitor of a search by states that several processes share tells of its states, for a position of
// the search (shared_position.h). A visitor is such a process, from its beginning to its end.
//
// Its states are known by the numbers that it has given them. How each was found never changes, and is told
// once; which ones are open, that is, are to be gone on from, is told as it is now. By delays that is told
// when a stratum begins, with the rank of each state's chain (shared_strata.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/position.h"
#include "states/state_piece.h"

namespace ravel {

struct StateNotes {
  std::uint32_t visitor = 0;  // its number among all
  std::uint32_t states = 0;   // how many it has numbered
  // As StateNotesWriter puts them: how each state was found that was not told before; all that are open; and
  // the steps not told before that only look (looking_steps.h)
  std::string found = {}, open = {}, looks = {};
  // By delays: the stratum that begins, and its least rank
  std::uint32_t stratum = 0;
  std::uint64_t base = 0;

  // No state is open.
  void close_all();

  friend bool operator==(const StateNotes&, const StateNotes&) = default;
};

std::string print_state_notes(const StateNotes& notes);
// Nothing: they are damaged.
std::optional<StateNotes> parse_state_notes(std::string_view bytes);

class StateNotesWriter {
 public:
  // What a state begins with in StateNotes::found: one of these, or from the last one on how many numbers
  // before it the other state has.
  static constexpr std::uint64_t kOfPiece = 0, kInitial = 1, kGivenBack = 2, kNotByDistance = 2;

  // The next state was found from the one `distance` numbers before it, by the step at this index; ...
  void put_found(std::uint32_t distance, std::uint32_t index) {
    found_.put(std::uint64_t{distance} + kNotByDistance);
    found_.put(index);
  }
  // ... is the initial one; or was visited, but counts as visited no more.
  void put_initial() { found_.put(kInitial); }
  void put_given_back() { found_.put(kGivenBack); }
  // The next states came with a piece: what states_of_piece() says.
  void put_piece(std::string_view states) {
    found_.put(kOfPiece);
    found_.put_position(states);
  }
  // The first ones of a piece: so many.
  static std::string states_of_piece(const StatePiece& piece, std::uint32_t count);
  // In the order of their numbers, each state that is open, with the first step to take from there, and the
  // rank.
  void put_open(std::uint32_t state, std::uint32_t first, std::uint64_t rank = 0);
  void put_look(std::uint32_t state, std::uint32_t index) {
    looks_.put(state);
    looks_.put(index);
  }
  // REQUIRES: it was not called before.
  StateNotes take(std::uint32_t visitor, std::uint32_t states);

 private:
  struct Run {
    std::uint32_t begin = 0, end = 0;
  };
  struct Partly {
    std::uint32_t state = 0, first = 0;
    std::uint64_t rank = 0;
  };

  PositionWriter found_, looks_;
  std::vector<Run> open_;       // by all their steps
  std::vector<Partly> partly_;  // by some
};

}  // namespace ravel
