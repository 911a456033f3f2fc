#include "erlang/system/state_numbers.h"

#include <algorithm>

#include "base/hash.h"
#include "erlang/machine/process_image.h"

namespace ravel::erlang {

namespace {

// Of an image, the words of fixed meaning, and one tuple of the others.
constexpr std::size_t kPartWords = kFixedImageWords + 1;

}  // namespace

StateTable::Node StateNumbers::node_of_image(Term image) {
  Known& known = by_image_[mix(image.bits()) % kKnown];
  if (known.image == image) return known.node;
  const std::span<const Term> words(image.object() + 1, static_cast<std::size_t>(tuple_size(image)));
  const Term rest = store_.intern_object(Kind::kTuple, words.subspan(kFixedImageWords));
  part_.clear();
  for (const Term word : words.first(kFixedImageWords)) part_.push_back(table_.node_of_word(word.bits()));
  part_.push_back(table_.node_of_word(rest.bits()));
  const Node node = table_.node_of(part_);
  known = {.image = image, .node = node};
  by_node_[static_cast<std::uint32_t>(node) / 2 % kKnown] = known;
  return node;
}

Term StateNumbers::image_of(Node node) {
  Known& known = by_node_[static_cast<std::uint32_t>(node) / 2 % kKnown];
  if (!known.image.is_none() && known.node == node) return known.image;
  part_.clear();
  table_.append_nodes(node, kPartWords, part_);
  payload_.clear();
  for (const Node part : part_) payload_.push_back(Term(table_.word_of(part)));
  const Term rest = payload_.back();
  payload_.pop_back();
  payload_.insert(payload_.end(), rest.object() + 1, rest.object() + 1 + tuple_size(rest));
  const Term image = store_.intern_object(Kind::kTuple, payload_);
  known = {.image = image, .node = node};
  by_image_[mix(image.bits()) % kKnown] = known;
  return image;
}

std::optional<MetState> StateNumbers::number(std::span<const Term> words) {
  if (table_.is_full()) return std::nullopt;
  // How many words there are tells how many nodes.
  const auto word = [&](Term term) { return table_.node_of_word(term.bits()); };
  nodes_.clear();
  nodes_.push_back(word(Term::small(static_cast<std::int64_t>(words.size()))));
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_image = i > kWordsBeforeImages && (i - kWordsBeforeImages) % 2 == 1;
    nodes_.push_back(is_image ? node_of_image(words[i]) : word(words[i]));
  }
  const auto [number, is_new] = table_.insert(nodes_);
  return MetState{.number = StateNumber{number}, .is_new = is_new};
}

void StateNumbers::words_of(StateNumber state, std::vector<Term>& words) {
  const auto number = static_cast<std::uint32_t>(state);
  const auto count =
      static_cast<std::size_t>(Term(table_.word_of(table_.first_node_of(number))).small_value());
  nodes_.clear();
  table_.append_nodes_of(number, count + 1, nodes_);
  words.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_image = i > kWordsBeforeImages && (i - kWordsBeforeImages) % 2 == 1;
    words.push_back(is_image ? image_of(nodes_[i + 1]) : Term(table_.word_of(nodes_[i + 1])));
  }
}

std::uint64_t StateNumbers::bytes() const {
  return table_.size() == 0 ? 0 : table_.bytes() + store_.words_used() * sizeof(Term);
}

void StateNumbers::forget_images() {
  std::ranges::fill(by_image_, Known());
  std::ranges::fill(by_node_, Known());
}

void StateNumbers::for_each_root(Roots::Visit visit, void* collector) {
  table_.for_each_word([&](std::uint64_t bits) {
    Term word(bits);
    visit(collector, &word, 1);
  });
}

}  // namespace ravel::erlang
