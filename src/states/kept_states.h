// The states that a search by states has not left, where of all others only hashes are kept: each is a
// sequence of words, which a System goes back to.
//
// Searches leave states at either end of their order, so that these are two queues, of states and of words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "base/check.h"
#include "engine/system.h"

namespace ravel {

// Word: a term or value of the System's language.
template <class Word>
class KeptStates {
 public:
  bool is_full() const { return StateNumber{next_} == kNumberForgotten; }
  std::size_t size() const { return kept_.size(); }
  // Its number is the next one. REQUIRES: !is_full().
  StateNumber add(std::span<const Word> words) { return put(StateNumber{next_++}, words); }
  // Takes all states of another one, which has none then, under their numbers. make(words, own_words) says
  // what is kept of them here. REQUIRES: this one has none.
  template <class Other, class Make>
  void take_over(KeptStates<Other>& other, Make make) {
    CHECK(kept_.empty());
    next_ = other.next_;
    std::vector<Other> words;
    std::vector<Word> own_words;
    while (!other.kept_.empty()) {
      const StateNumber number = other.kept_.front().number;
      other.words_of(number, words);
      other.leave_first();
      own_words.clear();
      make(std::span<const Other>(words), own_words);
      put(number, own_words);
    }
  }
  bool has(StateNumber state) const { return find(state) != nullptr; }
  // REQUIRES: has(state).
  void words_of(StateNumber state, std::vector<Word>& words) const {
    const Kept* const kept = find(state);
    CHECK(kept != nullptr);
    const auto first = words_.begin() + static_cast<std::ptrdiff_t>(kept->first - kept_.front().first);
    words.assign(first, first + kept->count);
  }
  // NumberedStates::leave().
  void leave(StateNumber state) {
    CHECK(!kept_.empty());
    if (kept_.back().number == state) {
      words_.resize(words_.size() - kept_.back().count);
      kept_.pop_back();
    } else {
      CHECK(kept_.front().number == state);
      leave_first();
    }
  }
  std::uint64_t bytes() const { return kept_.size() * sizeof(Kept) + words_.size() * sizeof(Word); }
  // Those of all kept states.
  std::deque<Word>& words() { return words_; }

 private:
  template <class Other>
  friend class KeptStates;

  struct Kept {
    StateNumber number;
    std::uint32_t count;  // of its words
    std::uint64_t first;  // how many words were kept before them, since the beginning
  };
  StateNumber put(StateNumber number, std::span<const Word> words) {
    const std::uint64_t first = kept_.empty() ? 0 : kept_.back().first + kept_.back().count;
    kept_.push_back({.number = number, .count = static_cast<std::uint32_t>(words.size()), .first = first});
    words_.insert(words_.end(), words.begin(), words.end());
    return number;
  }
  void leave_first() {
    words_.erase(words_.begin(), words_.begin() + kept_.front().count);
    kept_.pop_front();
  }
  const Kept* find(StateNumber state) const {
    if (kept_.empty()) return nullptr;
    for (const Kept* const end : {&kept_.back(), &kept_.front()})
      if (end->number == state) return end;
    const auto place = std::ranges::lower_bound(kept_, state, {}, &Kept::number);
    return place == kept_.end() || place->number != state ? nullptr : &*place;
  }

  std::uint32_t next_ = 0;  // number
  std::deque<Kept> kept_;   // in the order of their numbers
  std::deque<Word> words_;
};

}  // namespace ravel
