#include "p/system/state_hashes.h"

#include "p/value/store.h"

namespace ravel::p {

void StateHashes::come_to(std::span<const Value> words, KnownSteps* known) {
  number_.reset();
  const bool has_as_many = hash_.size() == words.size();
  if (!has_as_many) {
    hash_.begin(words.size());
    at_hand_.resize(words.size());
    if (known != nullptr) known->begin(words.size());
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (has_as_many && words[i] == at_hand_[i]) continue;
    at_hand_[i] = words[i];
    hash_.set(i, ValueStore::wide_hash(words[i]));
    if (known != nullptr) known->note_change(i);
  }
}

void StateHashes::come_to(StateNumber state, KnownSteps* known) {
  if (number_ == state) return;
  kept_.words_of(state, words_);
  come_to(words_, known);
  number_ = state;
}

MetState StateHashes::number(std::span<const Value> words) {
  if (!visited_->insert(hash_.sum())) return {.number = kNumberForgotten, .is_new = false};
  return {.number = kept_.add(words), .is_new = true};
}

MetState StateHashes::number(const KnownSteps::Found& found) {
  Hash128 hash = hash_.sum();
  for (const KnownSteps::Change& changed : found.changes) {
    if (changed.word == at_hand_[changed.at]) continue;
    hash += SummedHash::at(changed.at, ValueStore::wide_hash(changed.word));
    hash -= hash_.added(changed.at);
  }
  if (!visited_->insert(hash)) return {.number = kNumberForgotten, .is_new = false};
  words_.assign(at_hand_.begin(), at_hand_.end());
  for (const KnownSteps::Change& changed : found.changes) words_[changed.at] = changed.word;
  return {.number = kept_.add(words_), .is_new = true};
}

void StateHashes::for_each(const std::function<void(std::span<const Value>)>& visit) {
  visit(at_hand_);
  for (const Value value : kept_.words()) visit({&value, 1});
}

}  // namespace ravel::p
