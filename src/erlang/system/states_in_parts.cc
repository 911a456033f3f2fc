#include "erlang/system/states_in_parts.h"

#include <algorithm>
#include <array>

#include "erlang/system/image_nodes.h"

namespace ravel::erlang {

namespace {

// Of what is kept of a state: in front of its parts.
constexpr std::size_t kFrame = 0, kCount = 1, kFirstPart = 2;

StateTable::Node node(std::uint32_t number) { return StateTable::Node{number}; }

}  // namespace

const Hash128& StatesInParts::hash_of(Node part) {
  const std::size_t leaf = StateTable::number_of_leaf(part);
  if (leaf >= hashes_.size()) hashes_.resize(leaf + 1 + leaf / 4);
  Hash128& hash = hashes_[leaf];
  if (hash == Hash128{}) hash = store_.wide_hash(Term(table_.word_of(part)));
  return hash;
}

// As if it was stored.
Hash128 StatesInParts::hash_of_image(std::span<const Node> parts) {
  std::array<Hash128, kPartsOfImage> hashes;
  for (std::size_t i = 0; i < kPartsOfImage; ++i) hashes[i] = hash_of(parts[i]);
  return Store::wide_hash_of(Kind::kTuple, hashes);
}

Term StatesInParts::image_of(std::span<const Node> parts) {
  std::array<Term, kPartsOfImage> terms;
  for (std::size_t i = 0; i < kPartsOfImage; ++i) terms[i] = Term(table_.word_of(parts[i]));
  return store_.intern_object(Kind::kTuple, terms);
}

// Of a state of which no image is known yet.
void StatesInParts::begin_hash() {
  const std::vector<Term>& words = at_hand_.words();
  hash_.begin(words.size());
  for (std::size_t i = 0; i < words.size(); ++i)
    if (!is_image(i)) hash_.set(i, store_.wide_hash(words[i]));
}

// ---- The state at hand -----------------------------------------------------------------------------------

void StatesInParts::come_to(std::span<const Term> words, const std::optional<KnownSteps::Step>& step) {
  if (step) known_.note(*step, at_hand_.state(), words);
  number_.reset();
  if (!at_hand_.has_frame(words)) {
    at_hand_.begin(words);
    frame_.reset();
    begin_hash();
  }
  at_hand_.change_images(words, [&](std::size_t part) {
    const std::size_t place = word_of_image(part / kPartsOfImage);
    hash_.set(place, store_.wide_hash(words[place]));
  });
}

void StatesInParts::go_to(StateNumber state) {
  if (number_ == state) return;
  number_ = state;
  kept_.words_of(state, kept_words_);
  if (frame_ != node(kept_words_[kFrame])) {
    frame_ = node(kept_words_[kFrame]);
    at_hand_.begin(*frame_, kept_words_[kCount]);
    begin_hash();
  }
  for (std::size_t image = 0; image < at_hand_.images(); ++image) {
    const std::size_t first = image * kPartsOfImage;
    bool is_another = false;
    for (std::size_t i = first; i < first + kPartsOfImage; ++i)
      is_another |= at_hand_.change_part(i, node(kept_words_[kFirstPart + i]));
    if (is_another) hash_.set(word_of_image(image), hash_of_image(at_hand_.parts_of(image)));
  }
}

const std::vector<Term>& StatesInParts::words() {
  at_hand_.complete_images([this](std::span<const Node> parts) { return image_of(parts); });
  return at_hand_.words();
}

std::optional<StatesInParts::Found> StatesInParts::find(std::uint32_t index) {
  found_ = known_.find(at_hand_.state(), index);
  if (!found_) return std::nullopt;
  Hash128 hash = hash_.sum();
  const auto replace = [&](std::size_t place, const Hash128& word) {
    hash += SummedHash::at(place, word);
    hash -= hash_.added(place);
  };
  for (std::size_t i = 0; i < kWordsBeforeImages; ++i)
    if (found_->words[i] != at_hand_.words()[i]) replace(i, store_.wide_hash(found_->words[i]));
  for (std::size_t image = 0; image < at_hand_.images(); ++image) {
    const auto parts = found_->parts.subspan(image * kPartsOfImage, kPartsOfImage);
    if (!std::ranges::equal(parts, at_hand_.parts_of(image)))
      replace(word_of_image(image), hash_of_image(parts));
  }
  return Found{.hash = hash, .enabled = found_->enabled};
}

// ---- Kept states -----------------------------------------------------------------------------------------

void StatesInParts::put_together(Node frame, std::size_t count, std::span<const Node> parts) {
  kept_words_.clear();
  kept_words_.push_back(static_cast<std::uint32_t>(frame));
  kept_words_.push_back(static_cast<std::uint32_t>(count));
  for (const Node part : parts) kept_words_.push_back(static_cast<std::uint32_t>(part));
}

StateNumber StatesInParts::keep() {
  if (!frame_) frame_ = node_of_frame(table_, at_hand_.words());
  put_together(*frame_, at_hand_.words().size(), at_hand_.parts());
  number_ = kept_.add(kept_words_);
  return *number_;
}

StateNumber StatesInParts::keep_found() {
  const bool has_same_frame =
      frame_ && std::ranges::equal(found_->words.first(kWordsBeforeImages),
                                   std::span(at_hand_.words()).first(kWordsBeforeImages));
  const Node frame = has_same_frame ? *frame_ : node_of_frame(table_, found_->words);
  put_together(frame, found_->words.size(), found_->parts);
  return kept_.add(kept_words_);
}

void StatesInParts::take_over(KeptStates<Term>& kept) {
  std::vector<Node> parts;
  kept_.take_over(kept, [&](std::span<const Term> words, std::vector<std::uint32_t>& own) {
    parts.clear();
    for (std::size_t image = 0; image < image_count(words.size()); ++image)
      std::ranges::copy(nodes_of_image(table_, words[word_of_image(image)]), std::back_inserter(parts));
    put_together(node_of_frame(table_, words), words.size(), parts);
    own = kept_words_;
  });
}

void StatesInParts::give_back(KeptStates<Term>& kept) {
  number_.reset();
  std::array<Node, kPartsOfImage> parts;
  kept.take_over(kept_, [&](std::span<const std::uint32_t> own, std::vector<Term>& words) {
    words_of_frame(table_, node(own[kFrame]), own[kCount], words);
    for (std::size_t image = 0; image < image_count(words.size()); ++image) {
      std::ranges::transform(own.subspan(kFirstPart + image * kPartsOfImage, kPartsOfImage), parts.begin(),
                             node);
      words[word_of_image(image)] = image_of(parts);
    }
  });
}

std::uint64_t StatesInParts::memory_bytes() const {
  return table_.bytes() + known_.bytes() + hashes_.size() * sizeof(Hash128);
}

void StatesInParts::for_each_root(Roots::Visit visit, void* collector) {
  visit(collector, at_hand_.words().data(), at_hand_.words().size());
  table_.for_each_word([&](std::uint64_t bits) {
    Term word(bits);
    visit(collector, &word, 1);
  });
}

}  // namespace ravel::erlang
