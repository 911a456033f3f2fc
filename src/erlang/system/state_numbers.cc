#include "erlang/system/state_numbers.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_set>

#include "base/check.h"
#include "base/hash.h"
#include "erlang/machine/process_image.h"

namespace ravel::erlang {

namespace {

// Which words of a state are images; a last one without a pid in front of it is none.
bool is_image(std::size_t place) {
  return place > kWordsBeforeImages && (place - kWordsBeforeImages) % 2 == 1;
}
std::size_t image_count(std::size_t words) { return (words - kWordsBeforeImages) / 2; }

StateTable::Node node_of_image(Term image) {
  return StateTable::Node{static_cast<std::uint32_t>(image.small_value())};
}

}  // namespace

Term StateNumbers::image_of(const ImageParts& parts) {
  const Node node =
      table_.node_of(std::array{node_of(parts.others), node_of(parts.stack), node_of(parts.mailbox)});
  return Term::small(static_cast<std::int64_t>(node));
}

ImageParts StateNumbers::parts_of(Term image) const {
  const std::array<Node, 3> parts = table_.three_of(node_of_image(image));
  const auto part = [&](std::size_t i) { return Term(table_.word_of(parts[i])); };
  return {.others = part(0), .stack = part(1), .mailbox = part(2)};
}

Term StateNumbers::with_note(const NotedImage& noted) {
  const Node node = table_.node_of(std::array{node_of_image(noted.image), node_of(noted.note)});
  return Term::small(static_cast<std::int64_t>(node));
}

StateNumbers::NotedImage StateNumbers::without_note(Term image) const {
  std::vector<Node> both;
  table_.append_nodes(node_of_image(image), 2, both);
  return {.image = Term::small(static_cast<std::int64_t>(both[0])), .note = Term(table_.word_of(both[1]))};
}

// Where the image of each process stands among the nodes. `words`: the state, of which the pids count.
void StateNumbers::place_images(std::span<const Term> words) {
  const std::size_t count = image_count(words.size());
  const auto variety = [&](std::size_t image) {
    const auto known = variety_.find(words[kWordsBeforeImages + 2 * image].bits());
    return known == variety_.end() ? 0 : known->second;
  };
  std::vector<std::size_t> images(count);
  std::iota(images.begin(), images.end(), 0);
  std::ranges::stable_sort(images, {}, variety);
  place_of_image_.resize(count);
  for (std::size_t i = 0; i < count; ++i) place_of_image_[images[i]] = static_cast<std::uint32_t>(1 + i);
}

// The first node is of what processes have no part in: how many words there are, the words in front of the
// images, and who there is; it seldom changes. Then comes a node for each image.
StateTable::Insertion StateNumbers::insert(std::span<const Term> words) {
  const bool has_same_size = words.size() == last_words_.size();
  bool is_same_frame = has_same_size;
  for (std::size_t i = 0; i < words.size() && is_same_frame; ++i)
    is_same_frame = is_image(i) || words[i] == last_words_[i];
  if (!is_same_frame) {
    nodes_.assign(1 + std::max<std::size_t>(1, image_count(words.size())), node_of(Term::nil()));
    part_.assign(1, node_of(Term::small(static_cast<std::int64_t>(words.size()))));
    for (std::size_t i = 0; i < words.size(); ++i)
      if (!is_image(i)) part_.push_back(node_of(words[i]));
    nodes_.front() = table_.node_of(part_);
    place_images(words);
  }
  for (std::size_t i = kWordsBeforeImages + 1; i < words.size(); i += 2)
    if (!is_same_frame || words[i] != last_words_[i])
      nodes_[place_of_image_[(i - kWordsBeforeImages) / 2]] = node_of_image(words[i]);
  last_words_.assign(words.begin(), words.end());
  return table_.insert(nodes_);
}

std::optional<MetState> StateNumbers::number(std::span<const Term> words, std::span<const Term> key) {
  if (table_.is_full()) return std::nullopt;
  if (table_.size() >= next_count_) reorder();
  if (numbers_.has_keys() || !std::ranges::equal(words, key)) return number_by_key(words, key);
  const auto [entry, is_new] = insert(words);
  return MetState{.number = StateNumber{entry}, .is_new = is_new};
}

std::optional<MetState> StateNumbers::number_by_key(std::span<const Term> words, std::span<const Term> key) {
  if (!numbers_.has_keys()) numbers_.begin(table_.size());
  const StateTable::Insertion met = insert(key);
  return numbers_.number(met, std::ranges::equal(words, key), [&] { return insert(words); });
}

void StateNumbers::words_of(StateNumber state, std::vector<Term>& words) {
  words_of_entry(numbers_.entry_of(state), words);
}

void StateNumbers::words_of_entry(Entry number, std::vector<Term>& words) {
  const auto count = static_cast<std::size_t>(Term(table_.first_word_of(number)).small_value());
  const std::size_t images = image_count(count);
  const Node frame = nodes_.empty() ? Node{} : nodes_.front();
  nodes_.clear();
  table_.append_nodes_of(number, 1 + std::max<std::size_t>(1, images), nodes_);
  const bool has_same_frame = nodes_.front() == frame && last_words_.size() == count;
  words.resize(count);
  if (has_same_frame) {
    for (std::size_t i = 0; i < count; ++i)
      if (!is_image(i)) words[i] = last_words_[i];
  } else {
    frame_.clear();
    table_.append_nodes(nodes_.front(), 1 + count - images, frame_);
    for (std::size_t i = 0, next = 1; i < count; ++i)
      if (!is_image(i)) words[i] = Term(table_.word_of(frame_[next++]));
    place_images(words);
  }
  for (std::size_t i = 0; i < images; ++i)
    words[kWordsBeforeImages + 2 * i + 1] =
        Term::small(static_cast<std::int64_t>(nodes_[place_of_image_[i]]));
  last_words_ = words;
}

// Enters all states anew, with the processes in the order of how many images they have. The numbers stay.
void StateNumbers::reorder() {
  next_count_ = next_count_ >= kLastCount ? kNever : next_count_ * kCountFactor;
  std::unordered_set<std::uint64_t> seen;
  std::vector<std::vector<Term>> states(table_.size());
  for (std::uint32_t state = 0; state < states.size(); ++state) words_of_entry(state, states[state]);
  variety_.clear();
  for (const std::vector<Term>& words : states)
    for (std::size_t i = kWordsBeforeImages; i + 1 < words.size(); i += 2)
      if (seen.insert(combine(words[i].bits(), words[i + 1].bits())).second) ++variety_[words[i].bits()];
  table_.forget_states();
  last_words_.clear();
  for (std::uint32_t state = 0; state < states.size(); ++state) CHECK(insert(states[state]).number == state);
}

std::uint64_t StateNumbers::bytes() const {
  return table_.size() == 0 ? 0 : table_.bytes() + store_.words_used() * sizeof(Term) + numbers_.bytes();
}

void StateNumbers::for_each_root(Roots::Visit visit, void* collector) {
  table_.for_each_word([&](std::uint64_t bits) {
    Term word(bits);
    visit(collector, &word, 1);
  });
}

}  // namespace ravel::erlang
