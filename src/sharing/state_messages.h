// What the process that has a search by states and those that visit the states tell each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parts/part_findings.h"
#include "states/state_notes.h"
#include "states/state_piece.h"
#include "states/stratum_orders.h"

namespace ravel {

// To one who visits states: go on, from the states of a piece or from those that you have; or, by delays, do
// what is ordered.
struct StateOrders {
  std::uint32_t distance_max = 0;  // SharedPart::limit_distance()
  std::optional<StatePiece> piece = {};
  StratumOrder stratum = {};
};
std::string print_state_orders(const StateOrders& orders);
// REQUIRES: print_state_orders() has made the message.
StateOrders parse_state_orders(std::string_view message);

// From one who visits states.
struct StateNews {
  enum class Kind : std::uint8_t {
    kGives,   // the piece, which may be empty, and goes on
    kNotes,   // what it has found and visited so far, and goes on
    kPauses,  // there is nothing to go on from, but what the limit of distance forbids; awaits orders
    // Has learnt something by taking the steps of `way`, and ends: `pieces` are what is left to it
    kLearnt,
    kEnds,  // for another reason: the result's `stop`
  };
  Kind kind = Kind::kGives;
  std::vector<StatePiece> pieces = {};
  bool has_rest = false;                // kPauses: there are states beyond the limit
  std::vector<std::uint32_t> way = {};  // kLearnt, kEnds: the last steps, by their places among the enabled
  std::optional<StratumReport> report = {};  // kPauses: if it was to check
  PartFindings found = {};                   // since it was begun; not with kGives, as what follows
  std::string looks = {};                    // LookingSteps::take_notes()
  std::optional<StateNotes> notes =
      {};  // as of `found`; by delays only of a stratum that begins, or with kLearnt
};
std::string print_state_news(const StateNews& news);
// Nothing: it is damaged.
std::optional<StateNews> parse_state_news(std::string_view message);

}  // namespace ravel
