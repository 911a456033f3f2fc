#include "p/system/state_numbers.h"

#include <algorithm>
#include <array>

#include "base/hash.h"

namespace ravel::p {

StateNumbers::StateNumbers(World& world, ValueStore& store, const StateStorage& visited)
    : world_(world), store_(store), visited_(visited.is_exact() ? nullptr : make_visited_hashes(visited)) {
  if (!world.symmetric().is_empty()) symmetry_.emplace(world_, store_);
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
  if (visited_) return number_hash();
  if (table_.is_full()) return std::nullopt;
  if (symmetry_) return number_by_key();
  const StateTable::Insertion inserted = insert(words_);
  return MetState{.number = StateNumber{inserted.number}, .is_new = inserted.is_new};
}

// The first node is of how many others there are.
StateTable::Insertion StateNumbers::insert(std::span<const Value> words) {
  if (words.size() != numbered_.size()) {
    numbered_.assign(words.size(), Value());
    const std::array<Value, 1> count = {Value::small(static_cast<std::int64_t>(words.size()))};
    nodes_.assign(1, node_of(store_.tuple(count)));
    for (const Value word : words) nodes_.push_back(node_of(word));
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == numbered_[i]) continue;
    nodes_[i + 1] = node_of(words[i]);
    numbered_[i] = words[i];
  }
  return table_.insert(nodes_);
}

// Of the state that is saved.
std::optional<MetState> StateNumbers::number_by_key() {
  if (!numbers_.has_keys()) numbers_.begin(table_.size());
  const std::span<const Value> key = symmetry_->representative(words_);
  const StateTable::Insertion met = insert(key);
  return numbers_.number(met, std::ranges::equal(words_, key), [this] { return insert(words_); });
}

// Of the state that is saved.
std::optional<MetState> StateNumbers::number_hash() {
  if (visited_->is_full() || kept_.is_full()) return std::nullopt;
  const std::span<const Value> words =
      symmetry_ ? symmetry_->representative(words_) : std::span<const Value>(words_);
  WideHash hash(words.size());
  for (const Value word : words) hash.add(ValueStore::wide_hash(word));
  if (!visited_->insert(hash.finish())) return MetState{.number = kNumberForgotten, .is_new = false};
  return MetState{.number = kept_.add(words_), .is_new = true};
}

void StateNumbers::go_to(StateNumber state) {
  if (visited_)
    kept_.words_of(state, words_);
  else
    recall(numbers_.entry_of(state));
  world_.restore(visited_ ? words_ : numbered_);
}

// A state of the table becomes the one that was numbered last.
void StateNumbers::recall(std::uint32_t state) {
  const StateTable::Node first = table_.first_node_of(state);
  const Value count = part(store_.at_place(StateTable::number_of_leaf(first)), 0);
  numbered_.resize(static_cast<std::size_t>(count.small_value()));
  for (const std::size_t place : table_.recall(state, numbered_.size() + 1, nodes_))
    if (place > 0) numbered_[place - 1] = image_at(nodes_[place]);
}

std::uint64_t StateNumbers::bytes() const {
  if (visited_) return visited_->bytes() + kept_.bytes();
  return table_.size() == 0 ? 0 : table_.bytes() + store_.words_used() * sizeof(Word) + numbers_.bytes();
}

void StateNumbers::for_each(const std::function<void(std::span<const Value>)>& visit) {
  for (const Value value : kept_.words()) visit({&value, 1});
  table_.for_each_number([&](std::uint32_t place) {
    const Value image = store_.at_place(place);
    visit({&image, 1});
  });
}

}  // namespace ravel::p
