#include "erlang/system/state_numbers.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/hash.h"
#include "erlang/machine/process_image.h"
#include "erlang/system/image_nodes.h"

namespace ravel::erlang {

namespace {

// Who a part of an image belongs to, for the order of parts.
std::uint64_t owner_of(Term pid, std::uint64_t part) { return combine(pid.bits(), part); }

}  // namespace

Term StateNumbers::image_of(const ImageParts& parts) {
  const Node node =
      table_.node_of(std::array{node_of(parts.others), node_of(parts.stack), node_of(parts.mailbox)});
  return Term::small(static_cast<std::int64_t>(node));
}

ImageParts StateNumbers::parts_of(Term image) const {
  const std::array<Node, 3> parts = table_.three_of(node_of_numbered_image(image));
  const auto part = [&](std::size_t i) { return Term(table_.word_of(parts[i])); };
  return {.others = part(0), .stack = part(1), .mailbox = part(2)};
}

Term StateNumbers::with_note(const NotedImage& noted) {
  const Node node = table_.node_of(std::array{node_of_numbered_image(noted.image), node_of(noted.note)});
  return Term::small(static_cast<std::int64_t>(node));
}

StateNumbers::NotedImage StateNumbers::without_note(Term image) const {
  std::vector<Node> both;
  table_.append_nodes(node_of_numbered_image(image), 2, both);
  return {.image = Term::small(static_cast<std::int64_t>(both[0])), .note = Term(table_.word_of(both[1]))};
}

// Another state than before, in more than the images: it has no parts yet.
void StateNumbers::begin_frame(std::span<const Term> words) {
  at_hand_.begin(words);
  place_parts();
  nodes_.assign(1 + std::max<std::size_t>(1, owners_.size()), node_of(Term::nil()));
  nodes_.front() = node_of_frame(table_, words);
}

// Where the parts of images stand among the nodes, of which none is known yet.
void StateNumbers::place_parts() {
  owners_.clear();
  for (std::size_t i = 0; i < at_hand_.images(); ++i)
    for (std::uint64_t part = 0; part < kPartsOfImage; ++part)
      owners_.push_back(owner_of(at_hand_.words()[word_of_pid(i)], part));
  order_.place(owners_, place_of_part_);
  part_at_place_.resize(owners_.size());
  for (std::uint32_t i = 0; i < owners_.size(); ++i) part_at_place_[place_of_part_[i]] = i;
}

StateTable::Insertion StateNumbers::insert(std::span<const Term> words) {
  if (!at_hand_.has_frame(words)) begin_frame(words);
  at_hand_.change_images(words, [this](std::size_t part) { node_of_part(part) = at_hand_.parts()[part]; });
  return table_.insert(nodes_);
}

// The same of a state whose images are given by their parts.
StateTable::Insertion StateNumbers::insert(std::span<const Term> words, std::span<const Node> parts) {
  if (!at_hand_.has_frame(words)) begin_frame(words);
  for (std::size_t i = 0; i < parts.size(); ++i) change_part(i, parts[i]);
  return table_.insert(nodes_);
}

void StateNumbers::remember_steps(Machine& machine) { at_hand_.tell(known_.emplace(machine, table_)); }

std::optional<MetState> StateNumbers::number(std::span<const Term> words, std::span<const Term> key) {
  if (table_.is_full()) return std::nullopt;
  if (known_ && last_step_.get()) known_->note(*last_step_.get(), at_hand_.state(), words);
  last_step_.be_at_hand();
  if (order_.is_due(table_.size())) reorder();
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
  recall(numbers_.entry_of(state));
  last_step_.be_at_hand();
  at_hand_.complete_images([this](std::span<const Node> parts) {
    return Term::small(static_cast<std::int64_t>(table_.node_of(parts)));
  });
  words = at_hand_.words();
}

// A state of the table becomes the one that was asked for last; images are missing.
void StateNumbers::recall(Entry entry) {
  const bool has_same_frame = table_.has_same_first_node(entry);
  std::size_t count = at_hand_.words().size();
  if (!has_same_frame)
    count = static_cast<std::size_t>(Term(table_.word_of(table_.first_leaf_of(entry))).small_value());
  const std::size_t images = image_count(count);
  const std::span<const std::size_t> changed =
      table_.recall(entry, 1 + std::max<std::size_t>(1, images * kPartsOfImage), nodes_);
  if (has_same_frame) {
    for (const std::size_t place : changed)
      if (place > 0 && images > 0) change_part(part_at_place_[place - 1], nodes_[place]);
    return;
  }
  at_hand_.begin(nodes_.front(), count);
  place_parts();
  for (std::size_t part = 0; part < owners_.size(); ++part) change_part(part, node_of_part(part));
}

std::optional<StepMemory::Known> StateNumbers::repeat(StateNumber from, std::uint32_t index) {
  if (table_.is_full()) return std::nullopt;
  note_other_state();
  recall(numbers_.entry_of(from));
  const std::optional<KnownSteps::Found> found = known_->find(at_hand_.state(), index);
  if (!found) return std::nullopt;
  const auto [entry, is_new] = insert(found->words, found->parts);
  return StepMemory::Known{.met = {.number = StateNumber{entry}, .is_new = is_new},
                           .enabled = found->enabled};
}

// Enters all states anew, with parts in the order of how many versions they have. The numbers stay.
void StateNumbers::reorder() {
  // States that follow each other mostly have the same words but for images.
  struct Run {
    std::vector<Term> words;
    std::size_t states;
  };
  std::vector<Run> runs;
  std::vector<Node> parts;
  for (std::uint32_t state = 0; state < table_.size(); ++state) {
    recall(state);
    if (runs.empty() || !at_hand_.has_frame(runs.back().words))
      runs.push_back({.words = at_hand_.words(), .states = 0});
    ++runs.back().states;
    parts.insert(parts.end(), at_hand_.parts().begin(), at_hand_.parts().end());
  }
  const auto for_each_state = [&](auto visit) {
    std::span<const Node> rest = parts;
    for (const Run& run : runs)
      for (std::size_t i = 0; i < run.states; ++i) {
        const std::size_t count = image_count(run.words.size()) * kPartsOfImage;
        visit(run.words, rest.first(count));
        rest = rest.subspan(count);
      }
  };
  order_.begin_count();
  for_each_state([&](const std::vector<Term>& words, std::span<const Node> of_state) {
    for (std::size_t i = 0; i < of_state.size(); ++i)
      order_.note(owner_of(words[word_of_pid(i / kPartsOfImage)], i % kPartsOfImage),
                  static_cast<std::uint64_t>(of_state[i]));
  });
  order_.end_count();
  table_.forget_states();
  at_hand_.forget();
  std::uint32_t next = 0;
  for_each_state([&](const std::vector<Term>& words, std::span<const Node> of_state) {
    CHECK(insert(words, of_state).number == next++);
  });
}

std::uint64_t StateNumbers::bytes() const {
  return table_.size() == 0 ? 0
                            : table_.bytes() + store_.words_used() * sizeof(Term) + numbers_.bytes() +
                                  (known_ ? known_->bytes() : 0);
}

void StateNumbers::for_each_root(Roots::Visit visit, void* collector) {
  table_.for_each_word([&](std::uint64_t bits) {
    Term word(bits);
    visit(collector, &word, 1);
  });
}

}  // namespace ravel::erlang
