// A search of which several processes have parts.
//
// A part is a position of a strategy, and a number that says how much of what is left from there is the
// part's own. Of a tree that is a level: of the nodes of its execution the part has those from that one on,
// and all that is still to be run there. Who has given it away has the others. What the part finds out that
// concerns these it notes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "engine/part_source.h"
#include "engine/strategy.h"
#include "engine/system.h"

namespace ravel {

// What processes that run parts of a search know alike from before they parted, in a strategy's own form.
struct CommonGround {
  virtual ~CommonGround() = default;
};

class Divisible {
 public:
  virtual ~Divisible() = default;

  // Why this search can't have parts: a sentence without its end, "what is drawn depends on ...". Empty: it
  // can.
  virtual std::string why_whole() const { return {}; }

  // What copies of this process that are made now will have in common. Null: nothing.
  virtual std::shared_ptr<const CommonGround> common_ground() const { return nullptr; }
  // What this process, which is one of them, has in common with whoever reads or has written positions.
  // REQUIRES: another object of its class has made it.
  virtual void stand_on(std::shared_ptr<const CommonGround>) {}

  // Goes on as a part of the search. `from_level`: of a tree the first level that it has; of a sample how
  // many executions it runs from here on; 0 is all that is left. REQUIRES: it has read the part's position,
  // or nothing has begun; or it had more until now.
  virtual void become_part(std::uint32_t from_level) = 0;
  // Whether it is likely to be faster if others are given parts of what is left, as far as this search, or
  // this part of one, has shown. False also as long as it has not shown enough.
  virtual bool pays_off() const { return true; }
  // What others have to know, in the order in which it was found: what was noted since the last call.
  virtual std::string take_notes() = 0;
  // Who has all parts of a search by this strategy that is at `position`: the strategy's, or that of such a
  // source. Null: it makes no sense for this System. `system`, of which the search is, must outlive the
  // source. Knows what stand_on() has said.
  virtual std::unique_ptr<PartSource> make_source(System& system, std::string position) const = 0;
  // Whether a position is one of a source, and not of the strategy itself.
  virtual bool is_of_source(std::string_view position) const = 0;
};

// Of a strategy that stands in front of another one, has the same positions, and leaves its parts to it.
class DivisibleWrapper : public Divisible {
 public:
  // `wrapped` must outlive this object.
  explicit DivisibleWrapper(Strategy& wrapped) : wrapped_(dynamic_cast<Divisible*>(&wrapped)) {}

  std::string why_whole() const override {
    return wrapped_ != nullptr ? wrapped_->why_whole() : "it goes on from what it has found";
  }
  // REQUIRES for all below: why_whole() is empty.
  std::shared_ptr<const CommonGround> common_ground() const override { return wrapped_->common_ground(); }
  void stand_on(std::shared_ptr<const CommonGround> ground) override {
    wrapped_->stand_on(std::move(ground));
  }
  void become_part(std::uint32_t from_level) override { wrapped_->become_part(from_level); }
  bool pays_off() const override { return wrapped_->pays_off(); }
  std::string take_notes() override { return wrapped_->take_notes(); }
  std::unique_ptr<PartSource> make_source(System& system, std::string position) const override {
    return wrapped_->make_source(system, std::move(position));
  }
  bool is_of_source(std::string_view position) const override { return wrapped_->is_of_source(position); }

 private:
  Divisible* const wrapped_;
};

// Null: its search can't have parts.
inline Divisible* as_divisible(Strategy* strategy) {
  auto* const divisible = dynamic_cast<Divisible*>(strategy);
  return divisible != nullptr && divisible->why_whole().empty() ? divisible : nullptr;
}

}  // namespace ravel
