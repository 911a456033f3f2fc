// Who gives away the parts of a search, and takes what comes back of them (Divisible is the other side).
//
// A part is run in slices. At the end of each it tells what it has noted and what is left of it, which is
// committed at once, as a whole or not at all. So of a part that is lost only its last slice is run again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ravel {

using PartNumber = std::uint64_t;

struct Part {
  PartNumber number = 0;
  std::uint32_t from_level = 0;  // Divisible::become_part()
  std::string position;
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
};

}  // namespace ravel
