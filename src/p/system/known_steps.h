// What steps of a test have done before (states/remembered_steps.h): its states are rows of images, and an
// image is a part by its place in the store.
//
// A step reads the image of the machine that moves and those of the monitors that see what it says; what it
// sends is put into queues. So nothing is known of steps that create a machine, call foreign functions or
// fail.
//
// Cost: 30 to 60 bytes for each combination of images that a step has read. Where most steps are new, all is
// forgotten.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/flat_map.h"
#include "engine/system.h"
#include "engine/transition.h"
#include "p/machine/world.h"
#include "p/system/liveness.h"
#include "states/remembered_steps.h"

namespace ravel::p {

class KnownSteps {
 public:
  struct Step {
    std::uint32_t who = 0;
    std::uint32_t alternative = 0;
  };
  // Another word of a state.
  struct Change {
    std::size_t at;
    Value word;
  };
  struct Found {
    std::span<const Change> changes;
    std::uint32_t enabled = 0;
    std::uint64_t letter = 0;  // of the step
  };

  // All must outlive this object.
  KnownSteps(const World& world, const ValueStore& store, const Liveness& liveness, const PayOff& pay_off)
      : world_(world), store_(store), liveness_(liveness), pay_off_(pay_off) {}

  // The state at hand, as Machines::save() has it, is another one: all of it, or this word.
  void begin(std::size_t words) { facts_at_hand_.assign(words, kNotKnown); }
  void note_change(std::size_t at) { facts_at_hand_[at] = kNotKnown; }

  // What is enabled in the state at hand.
  std::span<const Transition> enabled_in(std::span<const Value> words);
  // What a step does in the state at hand, by its place among the enabled ones. Nothing: it is not known, or
  // nothing is enabled after it. Valid until the next call.
  std::optional<Found> find(std::span<const Value> words, std::uint32_t index);
  // Letter::state of the state at hand.
  std::uint64_t letter_of(std::span<const Value> words);

  // The world has just taken this step, between these states.
  void note(const Step& step, std::span<const Value> before, std::span<const Value> after);

  // All values of which something is known: they have to stay stored.
  void for_each(const std::function<void(std::span<const Value>)>& visit) const;
  void forget() {
    steps_ = {};
    facts_ = {};
  }
  // Too few steps were known: nothing is any more.
  bool has_given_up() const { return pay_off_.is_over(); }
  std::size_t bytes() const { return steps_.bytes() + facts_.bytes(); }

 private:
  using Part = RememberedSteps::Part;
  using Place = RememberedSteps::Place;
  static constexpr std::uint32_t kNotKnown = ~std::uint32_t{0};
  static constexpr Place kMonitor = Place{1} << 31;  // and its number; of a machine: its index

  std::size_t machines(std::span<const Value> words) const { return words.size() - world_.monitors().size(); }
  std::size_t at(Place place, std::span<const Value> words) const {
    return (place & kMonitor) != 0 ? machines(words) + (place & ~kMonitor) : place;
  }
  Part part_of(Value image) const { return store_.place_of(image); }
  std::uint32_t alternatives_of(Value image);
  std::uint32_t heat_of(Value image);
  std::optional<Step> step_of(std::span<const Value> words, std::uint32_t index);
  void list_alternatives(std::span<const Value> words);
  bool read_and_write(const Step& step, std::span<const Value> before, std::span<const Value> after);

  const World& world_;
  const ValueStore& store_;
  const Liveness& liveness_;
  RememberedSteps steps_;
  FlatMap facts_;  // of images: by kind of fact and part
  PayOff pay_off_;
  // Of the state at hand: of each machine how many alternatives it has, of each monitor its heat.
  std::vector<std::uint32_t> facts_at_hand_;
  std::uint32_t enabled_ = 0;  // all alternatives, once they are known
  std::vector<Transition> transitions_;
  std::vector<Change> changes_;
  std::vector<RememberedSteps::PartAt> reads_, writes_;
  std::vector<RememberedSteps::Delivery> deliveries_;
};

}  // namespace ravel::p
