// What the process that has a search in parts and those that run the parts tell each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/named_step.h"
#include "engine/part_source.h"
#include "parts/part_findings.h"

namespace ravel {

// To one who runs parts: a part to run, or, with no part, that nothing is left.
std::string print_part(const std::optional<Part>& part);
// Nothing: there is nothing more to do. REQUIRES: print_part() has made the message.
std::optional<Part> parse_part(std::string_view message);

// The answer to a slice: how the part goes on.
enum class GoOnWith : std::uint8_t {
  kAll,   // as it is
  kLess,  // with what is left from a level on
  kNone,  // not at all
};
struct SliceAnswer {
  GoOnWith how = GoOnWith::kAll;
  std::uint32_t from_level = 0;
};
std::string print_answer(const SliceAnswer& answer);
SliceAnswer parse_answer(std::string_view message);

// Where a part is, from one who runs it.
struct PartSlice {
  enum class Kind : std::uint8_t {
    kGoesOn,  // waits for the answer
    kEnded,
    kDiscovered,  // the front end has ended it: what it has found out shows in the execution `last`
  };
  Kind kind = Kind::kGoesOn;
  PartNumber part = 0;
  std::string notes = {};
  bool may_give = true;                 // Divisible::pays_off()
  std::uint64_t unfinished_events = 0;  // of this run of the part: Explorer::unfinished_events()
  PartFindings found = {};              // by this run of the part so far, with its position
  std::vector<NamedStep> last = {};     // the execution with which it ended, if that is of interest
};
std::string print_slice(const PartSlice& slice);
// Nothing: it is damaged.
std::optional<PartSlice> parse_slice(std::string_view message);

}  // namespace ravel
