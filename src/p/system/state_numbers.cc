#include "p/system/state_numbers.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/hash.h"

namespace ravel::p {
namespace {

// Of eight steps so many have to be known for this to pay off.
constexpr std::uint64_t kKnownOfEight = 1, kKnownOfEightWithHashes = 4;

}  // namespace

StateNumbers::StateNumbers(World& world, ValueStore& store, const StateStorage& visited)
    : world_(world), store_(store) {
  if (!visited.is_exact()) hashes_.emplace(visited);
  if (!world.symmetric().is_empty()) symmetry_.emplace(world_, store_);
}

void StateNumbers::remember_steps(const Liveness& liveness, std::uint64_t bytes_max) {
  known_.emplace(world_, store_, liveness, PayOff(hashes_ ? kKnownOfEightWithHashes : kKnownOfEight));
  step_memory_max_ = bytes_max;
}

// A leaf of the table is an object by its place: an image, or for a machine that does not exist the tuple
// without parts.
StateTable::Node StateNumbers::node_of(Value image) {
  return StateTable::node_of_number(store_.place_of(image.is_none() ? store_.tuple({}) : image));
}
Value StateNumbers::image_at(StateTable::Node node) const {
  const Value object = store_.at_place(StateTable::number_of_leaf(node));
  return words_of(object) == 0 ? Value::none() : object;
}

std::optional<MetState> StateNumbers::number() {
  world_.save(words_);
  if (hashes_ ? hashes_->is_full() : table_.is_full()) return std::nullopt;
  if (remembers_steps() && last_step_.get()) {
    if (is_too_much(known_->bytes())) known_->forget();
    known_->note(*last_step_.get(), hashes_ ? hashes_->at_hand() : numbered_, words_);
  }
  last_step_.be_at_hand();
  if (hashes_) return number_hash();
  if (order_.is_due(table_.size())) reorder();
  if (symmetry_) return number_by_key();
  const StateTable::Insertion inserted = insert(words_);
  return MetState{.number = StateNumber{inserted.number}, .is_new = inserted.is_new};
}

// Machines are told by their index, monitors by their number.
std::uint64_t StateNumbers::owner_of(std::size_t at, std::size_t count) const {
  return at < count - world_.monitors().size() ? at : ~std::uint64_t{0} - (count - 1 - at);
}

void StateNumbers::place_words(std::size_t count) {
  owners_.resize(count);
  for (std::size_t i = 0; i < count; ++i) owners_[i] = owner_of(i, count);
  order_.place(owners_, place_of_word_);
  word_at_place_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) word_at_place_[place_of_word_[i]] = i;
}

// The first node is of how many others there are.
StateTable::Insertion StateNumbers::insert(std::span<const Value> words) {
  if (words.size() != numbered_.size()) {
    numbered_.assign(words.size(), Value());
    const std::array<Value, 1> count = {Value::small(static_cast<std::int64_t>(words.size()))};
    nodes_.assign(1 + words.size(), node_of(Value::none()));
    nodes_.front() = node_of(store_.tuple(count));
    place_words(words.size());
    if (known_) known_->begin(words.size());
  }
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] != numbered_[i]) change(i, words[i]);
  return table_.insert(nodes_);
}

void StateNumbers::change(std::size_t at, Value word) {
  nodes_[place_of(at)] = node_of(word);
  numbered_[at] = word;
  if (known_) known_->note_change(at);
}

// Of the state that is saved.
std::optional<MetState> StateNumbers::number_by_key() {
  if (!numbers_.has_keys()) numbers_.begin(table_.size());
  const std::span<const Value> key = symmetry_->representative(words_);
  const StateTable::Insertion met = insert(key);
  return numbers_.number(met, std::ranges::equal(words_, key), [this] { return insert(words_); });
}

// Of the state that is saved.
MetState StateNumbers::number_hash() {
  hashes_->come_to(symmetry_ ? symmetry_->representative(words_) : words_, memory());
  return hashes_->number(words_);
}

void StateNumbers::go_to(StateNumber state) {
  if (!hashes_)
    recall(numbers_.entry_of(state));
  else if (remembers_steps())
    hashes_->come_to(state, memory());
  else
    hashes_->words_of(state, words_);
  last_step_.be_at_hand();
  world_.restore(!hashes_ ? numbered_ : remembers_steps() ? hashes_->at_hand() : words_);
}

// A state of the table becomes the one that was numbered last.
void StateNumbers::recall(std::uint32_t state) {
  std::size_t words = numbered_.size();
  if (!table_.has_same_first_node(state)) {
    const Value count = part(store_.at_place(StateTable::number_of_leaf(table_.first_leaf_of(state))), 0);
    words = static_cast<std::size_t>(count.small_value());
  }
  if (words != numbered_.size()) {
    place_words(words);
    if (known_) known_->begin(words);
  }
  numbered_.resize(words);
  for (const std::size_t place : table_.recall(state, words + 1, nodes_)) {
    if (place == 0) continue;
    const std::size_t at = word_at_place_[place - 1];
    numbered_[at] = image_at(nodes_[place]);
    if (known_) known_->note_change(at);
  }
}

// Enters all states anew, in an order that has become better. The numbers stay.
void StateNumbers::reorder() {
  const std::vector<Value> at_hand = words_, numbered = numbered_;
  std::vector<std::vector<Value>> states(table_.size());
  for (std::uint32_t state = 0; state < states.size(); ++state) {
    recall(state);
    states[state] = numbered_;
  }
  order_.begin_count();
  for (const std::vector<Value>& words : states)
    for (std::size_t i = 0; i < words.size(); ++i) order_.note(owner_of(i, words.size()), words[i].bits());
  order_.end_count();
  table_.forget_states();
  numbered_.clear();
  for (std::uint32_t state = 0; state < states.size(); ++state) CHECK(insert(states[state]).number == state);
}

// The words of this state, which is at hand from now on.
std::span<const Value> StateNumbers::come_to(StateNumber state) {
  note_other_state();
  if (hashes_) {
    hashes_->come_to(state, memory());
    return hashes_->at_hand();
  }
  recall(numbers_.entry_of(state));
  return numbered_;
}

std::span<const Transition> StateNumbers::enabled_in(StateNumber state) {
  return known_->enabled_in(come_to(state));
}

std::optional<StepMemory::Known> StateNumbers::repeat(StateNumber from, std::uint32_t index) {
  if (hashes_ ? hashes_->is_full() : table_.is_full()) return std::nullopt;
  const std::optional<KnownSteps::Found> found = known_->find(come_to(from), index);
  if (!found) return std::nullopt;
  // Formulas are for states that are kept.
  if (hashes_) return StepMemory::Known{.met = hashes_->number(*found), .enabled = found->enabled};
  for (const KnownSteps::Change& changed : found->changes)
    if (numbered_[changed.at] != changed.word) change(changed.at, changed.word);
  const StateTable::Insertion inserted = table_.insert(nodes_);
  return StepMemory::Known{.met = {.number = StateNumber{inserted.number}, .is_new = inserted.is_new},
                           .enabled = found->enabled,
                           .letter = {.state = known_->letter_of(numbered_), .step = found->letter}};
}

std::uint64_t StateNumbers::bytes() const {
  const std::uint64_t memory = known_ ? known_->bytes() : 0;
  if (hashes_) return hashes_->bytes() + memory;
  if (table_.size() == 0) return 0;
  return table_.bytes() + store_.words_used() * sizeof(Word) + numbers_.bytes() + memory;
}

void StateNumbers::for_each(const std::function<void(std::span<const Value>)>& visit) {
  if (hashes_) hashes_->for_each(visit);
  if (known_) known_->for_each(visit);
  table_.for_each_number([&](std::uint32_t place) {
    const Value image = store_.at_place(place);
    visit({&image, 1});
  });
}

}  // namespace ravel::p
