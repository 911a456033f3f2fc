#include "erlang/system/state_at_hand.h"

namespace ravel::erlang {

bool StateAtHand::has_frame(std::span<const Term> words) const {
  if (words.size() != words_.size()) return false;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (!is_image(i) && words[i] != words_[i]) return false;
  return true;
}

void StateAtHand::begin(std::span<const Term> words) {
  words_.assign(words.begin(), words.end());
  for (std::size_t i = 0; i < words_.size(); ++i)
    if (is_image(i)) words_[i] = Term::none();
  begin_parts();
}

void StateAtHand::begin(Node frame, std::size_t count) {
  words_of_frame(table_, frame, count, words_);
  begin_parts();
}

void StateAtHand::begin_parts() {
  parts_.assign(image_count(words_.size()) * kPartsOfImage, Node{~std::uint32_t{0}});
  if (known_ != nullptr) known_->begin();
}

StateTable::Node node_of_frame(StateTable& table, std::span<const Term> words) {
  std::vector<StateTable::Node> nodes;
  nodes.push_back(table.node_of_word(Term::small(static_cast<std::int64_t>(words.size())).bits()));
  for (std::size_t i = 0; i < words.size(); ++i)
    if (!is_image(i)) nodes.push_back(table.node_of_word(words[i].bits()));
  return table.node_of(nodes);
}

void words_of_frame(const StateTable& table, StateTable::Node frame, std::size_t count,
                    std::vector<Term>& words) {
  std::vector<StateTable::Node> nodes;
  table.append_nodes(frame, 1 + count - image_count(count), nodes);
  words.resize(count);
  for (std::size_t i = 0, next = 1; i < count; ++i)
    words[i] = is_image(i) ? Term::none() : Term(table.word_of(nodes[next++]));
}

}  // namespace ravel::erlang
