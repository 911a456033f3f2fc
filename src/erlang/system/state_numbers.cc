#include "erlang/system/state_numbers.h"

#include <algorithm>

#include "base/hash.h"
#include "erlang/machine/process_image.h"

namespace ravel::erlang {

namespace {

// Of an image, from 0: what is numbered by itself, and all else of fixed meaning.
constexpr std::size_t kStackElement = 6, kMailboxElement = 7;
constexpr std::array<std::size_t, kFixedImageWords - 2> kOtherElements = {0, 1, 2, 3, 4, 5, 8, 9};

// Which words of a state are images; a last one without a pid in front of it is none.
bool is_image(std::size_t place) {
  return place > kWordsBeforeImages && (place - kWordsBeforeImages) % 2 == 1;
}
std::size_t image_count(std::size_t words) { return (words - kWordsBeforeImages) / 2; }

}  // namespace

// Stack and mailbox change most, and come last: for a new one there is one new pair, where the others are as
// in some other image.
StateTable::Node StateNumbers::node_of_image(Term image) {
  Known& known = by_image_[mix(image.bits()) % kKnown];
  if (known.image == image) return known.node;
  const Term* const words = image.object() + 1;
  Others others;
  for (std::size_t i = 0; i < kOtherElements.size(); ++i) others[i] = words[kOtherElements[i]];
  others.back() = store_.intern_object(
      Kind::kTuple,
      {words + kFixedImageWords, static_cast<std::size_t>(tuple_size(image)) - kFixedImageWords});
  const Node node = table_.node_of(
      std::array{node_of_others(others), node_of(words[kStackElement]), node_of(words[kMailboxElement])});
  known = {.image = image, .node = node};
  by_node_[static_cast<std::uint32_t>(node) / 2 % kKnown] = known;
  return node;
}

StateTable::Node StateNumbers::node_of_others(const Others& others) {
  std::uint64_t hash = 0;
  for (const Term word : others) hash = combine(hash, word.bits());
  KnownOthers& known = by_others_[hash % kKnownOthers];
  if (known.others == others) return known.node;
  part_.clear();
  for (const Term word : others) part_.push_back(node_of(word));
  known = {.others = others, .node = table_.node_of(part_)};
  return known.node;
}

Term StateNumbers::image_of(Node node) {
  Known& known = by_node_[static_cast<std::uint32_t>(node) / 2 % kKnown];
  if (!known.image.is_none() && known.node == node) return known.image;
  part_.clear();
  table_.append_nodes(node, 3, part_);
  const Term stack(table_.word_of(part_[1])), mailbox(table_.word_of(part_[2]));
  const Node others = part_[0];
  part_.clear();
  table_.append_nodes(others, kOtherElements.size() + 1, part_);
  payload_.assign(kFixedImageWords, Term::none());
  payload_[kStackElement] = stack;
  payload_[kMailboxElement] = mailbox;
  for (std::size_t i = 0; i < kOtherElements.size(); ++i)
    payload_[kOtherElements[i]] = Term(table_.word_of(part_[i]));
  const Term registers(table_.word_of(part_.back()));
  payload_.insert(payload_.end(), registers.object() + 1, registers.object() + 1 + tuple_size(registers));
  const Term image = store_.intern_object(Kind::kTuple, payload_);
  known = {.image = image, .node = node};
  by_image_[mix(image.bits()) % kKnown] = known;
  return image;
}

// The first node is of what processes have no part in: how many words there are, the words in front of the
// images, and who there is; it seldom changes. Then comes a node for each image.
std::optional<MetState> StateNumbers::number(std::span<const Term> words) {
  if (table_.is_full()) return std::nullopt;
  const bool has_same_frame = words.size() == last_words_.size();
  bool is_same_frame = has_same_frame;
  nodes_.resize(1 + std::max<std::size_t>(1, image_count(words.size())));
  if (!has_same_frame) std::ranges::fill(nodes_, node_of(Term::nil()));
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (has_same_frame && words[i] == last_words_[i]) continue;
    if (is_image(i)) {
      nodes_[1 + (i - kWordsBeforeImages) / 2] = node_of_image(words[i]);
    } else {
      is_same_frame = false;
    }
  }
  if (!is_same_frame) {
    part_.assign(1, node_of(Term::small(static_cast<std::int64_t>(words.size()))));
    for (std::size_t i = 0; i < words.size(); ++i)
      if (!is_image(i)) part_.push_back(node_of(words[i]));
    nodes_.front() = table_.node_of(part_);
  }
  last_words_.assign(words.begin(), words.end());
  const auto [number, is_new] = table_.insert(nodes_);
  return MetState{.number = StateNumber{number}, .is_new = is_new};
}

void StateNumbers::words_of(StateNumber state, std::vector<Term>& words) {
  const auto number = static_cast<std::uint32_t>(state);
  const auto count = static_cast<std::size_t>(Term(table_.first_word_of(number)).small_value());
  const std::size_t images = image_count(count);
  nodes_.clear();
  table_.append_nodes_of(number, 1 + std::max<std::size_t>(1, images), nodes_);
  frame_.clear();
  table_.append_nodes(nodes_.front(), 1 + count - images, frame_);
  words.clear();
  for (std::size_t i = 0, next = 1; i < count; ++i)
    words.push_back(is_image(i) ? image_of(nodes_[1 + (i - kWordsBeforeImages) / 2])
                                : Term(table_.word_of(frame_[next++])));
  last_words_ = words;
}

std::uint64_t StateNumbers::bytes() const {
  return table_.size() == 0 ? 0 : table_.bytes() + store_.words_used() * sizeof(Term);
}

void StateNumbers::forget_images() {
  std::ranges::fill(by_image_, Known());
  std::ranges::fill(by_node_, Known());
  last_words_.clear();
}

void StateNumbers::for_each_root(Roots::Visit visit, void* collector) {
  table_.for_each_word([&](std::uint64_t bits) {
    Term word(bits);
    visit(collector, &word, 1);
  });
}

}  // namespace ravel::erlang
