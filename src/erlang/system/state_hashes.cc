#include "erlang/system/state_hashes.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "erlang/machine/process_image.h"

namespace ravel::erlang {

Term StateHashes::with_note(const NotedImage& noted) {
  return store_.intern_object(Kind::kTuple, std::array{noted.image, noted.note});
}

StateHashes::NotedImage StateHashes::without_note(Term image) const {
  return {.image = element(image, 1), .note = element(image, 2)};
}

std::optional<MetState> StateHashes::number(std::span<const Term> words, std::span<const Term> key) {
  if (visited_->is_full() || StateNumber{size_} == kNumberForgotten) return std::nullopt;
  WideHash hash(key.size());
  for (const Term word : key) hash.add(store_.wide_hash(word));
  if (!visited_->insert(hash.finish())) return MetState{.number = kNumberForgotten, .is_new = false};
  const StateNumber number{size_++};
  const std::uint64_t first = kept_.empty() ? 0 : kept_.back().first + kept_.back().count;
  kept_.push_back({.number = number, .count = static_cast<std::uint32_t>(words.size()), .first = first});
  words_.insert(words_.end(), words.begin(), words.end());
  return MetState{.number = number, .is_new = true};
}

const StateHashes::Kept* StateHashes::find(StateNumber state) const {
  if (kept_.empty()) return nullptr;
  if (kept_.back().number == state) return &kept_.back();
  const auto place = std::ranges::lower_bound(kept_, state, {}, &Kept::number);
  return place == kept_.end() || place->number != state ? nullptr : &*place;
}

bool StateHashes::keeps(StateNumber state) const { return find(state) != nullptr; }

void StateHashes::words_of(StateNumber state, std::vector<Term>& words) {
  const Kept* const kept = find(state);
  CHECK(kept != nullptr);
  const auto first = words_.begin() + static_cast<std::ptrdiff_t>(kept->first - kept_.front().first);
  words.assign(first, first + kept->count);
}

void StateHashes::leave(StateNumber state) {
  CHECK(!kept_.empty());
  if (kept_.back().number == state) {
    words_.resize(words_.size() - kept_.back().count);
    kept_.pop_back();
  } else {
    CHECK(kept_.front().number == state);
    words_.erase(words_.begin(), words_.begin() + kept_.front().count);
    kept_.pop_front();
  }
}

std::uint64_t StateHashes::bytes() const {
  return visited_->bytes() + kept_.size() * sizeof(Kept) + words_.size() * sizeof(Term);
}

void StateHashes::for_each_root(Roots::Visit visit, void* collector) {
  for (Term& word : words_) visit(collector, &word, 1);
}

}  // namespace ravel::erlang
