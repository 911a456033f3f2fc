// Who gives away the parts of a search, and takes what comes back of them (Divisible is the other side).
//
// A part is run in slices. At the end of each it tells what it has noted and what is left of it, which is
// committed at once, as a whole or not at all. So of a part that is lost only its last slice is run again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/coverage.h"

namespace ravel {

using PartNumber = std::uint64_t;
// Where parts are begun: compared as words are.
using PartPlace = std::vector<std::uint64_t>;

struct Part {
  PartNumber number = 0;
  std::uint32_t from_level = 0;  // Divisible::become_part(), in the strategy's own sense
  std::string position;
  std::optional<std::uint64_t> executions_max = {};  // that this run of it may have; nothing: any number
};

class PartSource {
 public:
  virtual ~PartSource() = default;

  // The first part that nobody has. Nothing: all are given away, or done.
  virtual std::optional<Part> hand_out() = 0;
  virtual bool has_waiting() const = 0;
  virtual bool is_done() const = 0;

  // For all below: the part was handed out.

  // Takes what a part has noted; false if that makes no sense for this System.
  virtual bool commit(PartNumber part, std::string_view notes) = 0;
  // What is left of a part. Its notes up to there were committed.
  virtual void keep(PartNumber part, std::string position) = 0;
  // Nothing is left of it. `has_all`: it is sure that it has left nothing out.
  virtual void finish(PartNumber part, bool has_all) = 0;
  // Whether all parts that were finished, also in earlier processes, were sure of that.
  virtual bool has_all() const = 0;

  struct Division {
    std::optional<std::uint32_t> from_level =
        {};                   // from there on the part has what is left; or none was given
    bool is_damaged = false;  // what was kept makes no sense for this System
  };
  // Takes something away from a part, which becomes parts of their own, if it has some to give. Call it after
  // keep(), before the part has gone on.
  virtual Division divide(PartNumber part) = 0;
  // Nobody runs it any more: it waits to be handed out, to go on from what was kept last.
  virtual void take_back(PartNumber part) = 0;

  // All that is left, to go on from in another process: what Divisible::make_source() takes.
  virtual std::string position() const = 0;
  // The bounds of the whole search, if parts do not know them.
  virtual std::optional<std::vector<Bound>> bounds() const { return std::nullopt; }

  // How many executions the whole search is likely to have, after so many. `of_parts`: what parts make of it.
  virtual std::optional<double> executions_estimate(std::uint64_t, std::optional<double> of_parts) const {
    return of_parts;
  }

  // ---- In which order one process would find what parts find

  // Of a part that was handed out: where it was begun, in that order. Empty: there is no such order.
  virtual PartPlace beginning_of(PartNumber) const { return {}; }

  // Where what is left begins: between two such places nothing more is found.
  virtual std::vector<PartPlace> left() const { return {}; }

  // Whether a search that ends early has to end where one process would: all that comes before is run, and
  // what comes later does not count. The rest is for such a source.
  virtual bool is_strict() const { return false; }
  // What was found by parts that were begun before there, or there, and have ended, is what one process
  // finds. position() goes on after that, and after what the first part has been kept at.
  virtual PartPlace settled_before() const { return {}; }
  // Whether the part is the first one that is left, and right so far.
  virtual bool is_first(PartNumber) const { return false; }
  // Whether nothing that the part may find counts: it is to be taken back.
  virtual bool is_void(PartNumber) const { return false; }
  // The places of parts that have ended, whose findings do not count: since the last call.
  virtual std::vector<PartPlace> take_void() { return {}; }
  // The part has ended, and the search with it: what comes later does not count.
  virtual void end_search_at(PartNumber) {}
};

}  // namespace ravel
