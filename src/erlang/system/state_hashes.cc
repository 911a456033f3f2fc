#include "erlang/system/state_hashes.h"

#include <array>

#include "erlang/machine/process_image.h"

namespace ravel::erlang {

Term StateHashes::with_note(const NotedImage& noted) {
  return store_.intern_object(Kind::kTuple, std::array{noted.image, noted.note});
}

StateHashes::NotedImage StateHashes::without_note(Term image) const {
  return {.image = element(image, 1), .note = element(image, 2)};
}

const Hash128& StateHashes::hash_of(std::span<const Term> words) {
  const bool has_as_many = hash_.size() == words.size();
  if (!has_as_many) hash_.begin(words.size());
  words_.resize(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (has_as_many && words[i] == words_[i]) continue;
    words_[i] = words[i];
    hash_.set(i, store_.wide_hash(words[i]));
  }
  return hash_.sum();
}

std::optional<MetState> StateHashes::number(std::span<const Term> words, std::span<const Term> key) {
  if (visited_->is_full() || (parts_ ? parts_->is_full() : kept_.is_full())) return std::nullopt;
  if (parts_) {
    ++taken_;
    forget_if_due(parts_->memory_bytes());
    parts_->come_to(words, last_step_.get());
  }
  last_step_.be_at_hand();
  if (!visited_->insert(parts_ ? parts_->hash() : hash_of(key)))
    return MetState{.number = kNumberForgotten, .is_new = false};
  return MetState{.number = parts_ ? parts_->keep() : kept_.add(words), .is_new = true};
}

void StateHashes::words_of(StateNumber state, std::vector<Term>& words) {
  if (!parts_) return kept_.words_of(state, words);
  parts_->go_to(state);
  last_step_.be_at_hand();
  words = parts_->words();
}

// ---- Steps that are known --------------------------------------------------------------------------------

void StateHashes::remember_steps(Machine& machine) {
  machine_ = &machine;
  parts_ = std::make_unique<StatesInParts>(machine);
  parts_->take_over(kept_);
}

std::optional<StepMemory::Known> StateHashes::repeat(StateNumber from, std::uint32_t index) {
  if (visited_->is_full() || parts_->is_full()) return std::nullopt;
  note_other_state();
  parts_->go_to(from);
  const std::optional<StatesInParts::Found> found = parts_->find(index);
  if (!found) {
    if (parts_->has_given_up()) forget_steps();
    return std::nullopt;
  }
  const bool is_new = visited_->insert(found->hash);
  return StepMemory::Known{
      .met = {.number = is_new ? parts_->keep_found() : kNumberForgotten, .is_new = is_new},
      .enabled = found->enabled};
}

// From now on none is known.
void StateHashes::forget_steps() {
  parts_->give_back(kept_);
  parts_.reset();
}

// The same state stays at hand.
void StateHashes::remember_anew() {
  const std::vector<Term> at_hand = parts_->words();
  const PayOff pay_off = parts_->pay_off();
  forget_steps();
  parts_ = std::make_unique<StatesInParts>(*machine_, pay_off);
  parts_->take_over(kept_);
  if (!at_hand.empty()) parts_->come_to(at_hand, std::nullopt);
  taken_ = 0;
}

// ---- Memory ----------------------------------------------------------------------------------------------

std::uint64_t StateHashes::bytes() const {
  return visited_->bytes() + (parts_ ? parts_->bytes() : kept_.bytes());
}

void StateHashes::for_each_root(Roots::Visit visit, void* collector) {
  visit(collector, words_.data(), words_.size());
  for (Term& word : kept_.words()) visit(collector, &word, 1);
  if (parts_) parts_->for_each_root(visit, collector);
}

// What the store has now are parts, for the most part.
void StateHashes::note_collected() {
  if (parts_) forget_if_due(parts_->memory_bytes() + store_.words_used() * sizeof(Term));
}

}  // namespace ravel::erlang
