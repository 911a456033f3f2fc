#include "states/explorer_states.h"

#include <algorithm>

#include "base/hash.h"

namespace ravel {

namespace {

// Of an element of a hash set and of its bucket, roughly.
constexpr std::uint64_t kBytesOfElement = 32;

}  // namespace

// It is added, and taken away again if it was there.
std::uint32_t ExplorerStates::number_of(const ExplorerState& state) {
  const std::size_t words_before = words_.size();
  words_.insert(words_.end(), state.begin(), state.end());
  ends_.push_back(words_.size());
  const auto [place, is_new] = numbers_.insert(static_cast<std::uint32_t>(ends_.size() - 1));
  if (!is_new) {
    words_.resize(words_before);
    ends_.pop_back();
  }
  return *place;
}

ExplorerState ExplorerStates::state_of(std::uint32_t number) const {
  const std::span<const std::uint32_t> words = words_of(number);
  return {words.begin(), words.end()};
}

std::uint64_t ExplorerStates::bytes() const {
  return words_.capacity() * sizeof(words_[0]) + ends_.capacity() * sizeof(ends_[0]) +
         numbers_.size() * kBytesOfElement;
}

std::span<const std::uint32_t> ExplorerStates::words_of(std::uint32_t number) const {
  const std::uint64_t begin = number == 0 ? 0 : ends_[number - 1];
  return std::span(words_).subspan(begin, ends_[number] - begin);
}

std::size_t ExplorerStates::Hash::operator()(std::uint32_t number) const {
  return hash_bytes(std::as_bytes(states->words_of(number)));
}

bool ExplorerStates::Equal::operator()(std::uint32_t a, std::uint32_t b) const {
  return std::ranges::equal(states->words_of(a), states->words_of(b));
}

}  // namespace ravel
