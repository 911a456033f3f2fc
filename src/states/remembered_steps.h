// What steps have done, where they were taken before: as long as a step sees the same, it does the same.
//
// The idea: a state is a row of parts, one for each actor or object, and a step reads few of them. Which one
// it reads next follows from what it has read. So its reads are a path in a tree, at the end of which stands
// what it writes; it does the same wherever the parts on this path are the same, whatever the others are.
// (S. Blom, J. van de Pol, M. Weber, "LTSmin: Distributed and Symbolic Reachability", 2010, has the like:
// "transition caching", where the parts that a step may read are known before.)
//
// A message that is put into a mailbox is no read of what lies there. What it makes of a part is remembered
// by itself, so that who sends and who gets it have as many entries as the sum of their parts, not the
// product.
//
// Cost: a look-up for each part that is read, and for each message; 16 to 32 bytes for each that was noted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/flat_map.h"

namespace ravel {

// Whether it pays off to look steps up: as long as enough of them are known.
class PayOff {
 public:
  // Of eight steps that are looked up so many have to be known at least.
  explicit PayOff(std::uint64_t known_of_eight = 1) : known_of_eight_(known_of_eight) {}

  // A step is to be looked up. False: it does not pay off, and never will.
  bool ask() {
    if (!is_over_ && ++asked_ % kTrial == 0) is_over_ = known_ * 8 < asked_ * known_of_eight_;
    return !is_over_;
  }
  void note_known() { ++known_; }
  void end() { is_over_ = true; }
  bool is_over() const { return is_over_; }

 private:
  static constexpr std::uint64_t kTrial = std::uint64_t{1} << 16;

  std::uint64_t known_of_eight_;
  std::uint64_t asked_ = 0, known_ = 0;
  bool is_over_ = false;
};

class RememberedSteps {
 public:
  using Part = std::uint32_t;   // equal ones are equal numbers
  using Place = std::uint32_t;  // of a part, as the owner counts them
  enum class Message : std::uint32_t {};

  // The part at a place: what was read there, or what stands there after the step.
  struct PartAt {
    Place place;
    Part part;
  };
  struct Delivery {
    Place to;
    Message message;
  };
  struct Effect {
    std::span<const PartAt> writes;
    std::span<const Delivery> deliveries;  // to places that are not written, at most one to each
    std::uint64_t letter = 0;              // of the step
  };

  // What an actor's step does, by its alternative, in a state with these parts.
  template <class ReadPart>
  std::optional<Effect> find(std::uint32_t actor, std::uint32_t alternative, ReadPart part_at) const {
    const std::optional<std::uint32_t> root = roots_.find(key(actor, alternative));
    if (!root) return std::nullopt;
    std::uint32_t node = *root;
    while (!nodes_[node].is_end) {
      const std::optional<std::uint32_t> next = next_.find(key(node, part_at(nodes_[node].place)));
      if (!next) return std::nullopt;
      node = *next;
    }
    return effect_of(nodes_[node]);
  }
  // `reads`: in their order, of which there is one at least. Does nothing if it is known, or if steps that
  // read the same first have read something else next.
  void note(std::uint32_t actor, std::uint32_t alternative, std::span<const PartAt> reads,
            const Effect& effect);

  // A number for a message, by two words that say what it is.
  Message message_of(std::uint64_t first, std::uint64_t second);
  struct Content {
    std::uint64_t first, second;
  };
  Content content_of(Message message) const { return messages_[static_cast<std::uint32_t>(message)]; }
  std::span<const Content> messages() const { return messages_; }  // all that have a number
  // Every part that was noted, some of them several times.
  template <class Visit>
  void for_each_part(Visit visit) const {
    next_.for_each([&](std::uint64_t edge, std::uint32_t) { visit(static_cast<Part>(edge)); });
    for (const PartAt& write : writes_) visit(write.part);
    delivered_.for_each([&](std::uint64_t before, Part after) {
      visit(static_cast<Part>(before));
      visit(after);
    });
  }
  // What a message makes of a part.
  std::optional<Part> after(Message message, Part part) const {
    return delivered_.find(key(static_cast<std::uint32_t>(message), part));
  }
  void note_after(Message message, Part before, Part after) {
    delivered_.insert(key(static_cast<std::uint32_t>(message), before), after);
  }

  std::size_t bytes() const;

 private:
  // Of the tree: which place is read next; or, at the end of a path, what is written.
  struct Node {
    bool is_end = false;
    std::uint16_t writes = 0, deliveries = 0;  // how many
    Place place = 0;
    std::uint32_t first_write = 0, first_delivery = 0;
    std::uint64_t letter = 0;
  };

  static std::uint64_t key(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32 | low; }
  Effect effect_of(const Node& end) const {
    return {.writes = std::span(writes_).subspan(end.first_write, end.writes),
            .deliveries = std::span(deliveries_).subspan(end.first_delivery, end.deliveries),
            .letter = end.letter};
  }
  std::uint32_t add_node(const Node& node) {
    nodes_.push_back(node);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }

  FlatMap roots_;  // by actor and alternative
  FlatMap next_;   // by node and part
  FlatMap delivered_;
  FlatMap known_messages_;  // by hash, the first one
  std::vector<Node> nodes_;
  std::vector<PartAt> writes_;
  std::vector<Delivery> deliveries_;
  std::vector<Content> messages_;
};

}  // namespace ravel
