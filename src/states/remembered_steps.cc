#include "states/remembered_steps.h"

#include "base/check.h"
#include "base/hash.h"

namespace ravel {

void RememberedSteps::note(std::uint32_t actor, std::uint32_t alternative, std::span<const PartAt> reads,
                           const Effect& effect) {
  CHECK(!reads.empty());
  const std::uint64_t start = key(actor, alternative);
  if (!roots_.find(start)) roots_.insert(start, add_node({.place = reads.front().place}));
  std::uint32_t node = *roots_.find(start);
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (nodes_[node].is_end || nodes_[node].place != reads[i].place) return;
    const std::uint64_t edge = key(node, reads[i].part);
    if (const std::optional<std::uint32_t> next = next_.find(edge)) {
      node = *next;
      continue;
    }
    if (i + 1 < reads.size()) {
      node = add_node({.place = reads[i + 1].place});
    } else {
      node = add_node({.is_end = true,
                       .writes = static_cast<std::uint16_t>(effect.writes.size()),
                       .deliveries = static_cast<std::uint16_t>(effect.deliveries.size()),
                       .first_write = static_cast<std::uint32_t>(writes_.size()),
                       .first_delivery = static_cast<std::uint32_t>(deliveries_.size()),
                       .letter = effect.letter});
      writes_.insert(writes_.end(), effect.writes.begin(), effect.writes.end());
      deliveries_.insert(deliveries_.end(), effect.deliveries.begin(), effect.deliveries.end());
    }
    next_.insert(edge, node);
  }
}

// Contents with the same hash take the keys after it.
RememberedSteps::Message RememberedSteps::message_of(std::uint64_t first, std::uint64_t second) {
  for (std::uint64_t hash = combine(first, second);; ++hash) {
    const std::optional<std::uint32_t> known = known_messages_.find(hash);
    if (!known) {
      const auto number = static_cast<std::uint32_t>(messages_.size());
      messages_.push_back({first, second});
      known_messages_.insert(hash, number);
      return Message{number};
    }
    if (messages_[*known].first == first && messages_[*known].second == second) return Message{*known};
  }
}

std::size_t RememberedSteps::bytes() const {
  return roots_.bytes() + next_.bytes() + delivered_.bytes() + known_messages_.bytes() +
         nodes_.size() * sizeof(Node) + writes_.size() * sizeof(PartAt) +
         deliveries_.size() * sizeof(Delivery) + messages_.size() * sizeof(Content);
}

}  // namespace ravel
