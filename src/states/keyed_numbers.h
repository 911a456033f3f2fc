// Numbers of states that are looked up by keys: two states are one if their keys are, as with symmetry, where
// the key is the state that stands for them.
//
// A StateTable has the keys and those states that are no keys of their own. So what it numbers are entries,
// and numbers of states are kept beside it, from the first state on that has another key; before that they
// are the entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "engine/system.h"
#include "states/state_table.h"

namespace ravel {

class KeyedNumbers {
 public:
  // Whether some state has had another key.
  bool has_keys() const { return has_keys_; }
  // From now on there are such states. So far each of the table's entries was a state.
  void begin(std::size_t entries) {
    has_keys_ = true;
    number_of_.resize(entries);
    std::iota(number_of_.begin(), number_of_.end(), 0);
    entry_of_ = number_of_;
  }

  // `key`: what the table has said to the state's key. `insert_state` gives the state itself to the table; it
  // is called if the key is new and is not the state. REQUIRES: has_keys().
  template <class InsertState>
  MetState number(const StateTable::Insertion& key, bool is_state, InsertState insert_state) {
    if (!key.is_new) return {.number = StateNumber{number_of_[key.number]}, .is_new = false};
    const auto number = static_cast<std::uint32_t>(entry_of_.size());
    number_of_.push_back(number);
    std::uint32_t own = key.number;
    if (!is_state) {
      const StateTable::Insertion state = insert_state();
      own = state.number;
      if (!state.is_new) {  // it was met, under another key
        number_of_[key.number] = number_of_[own];
        return {.number = StateNumber{number_of_[own]}, .is_new = false};
      }
      number_of_.push_back(number);
    }
    entry_of_.push_back(own);
    return {.number = StateNumber{number}, .is_new = true};
  }

  // The table's entry of the state itself.
  std::uint32_t entry_of(StateNumber state) const {
    const auto number = static_cast<std::uint32_t>(state);
    return has_keys_ ? entry_of_[number] : number;
  }

  std::size_t bytes() const { return (number_of_.size() + entry_of_.size()) * sizeof(std::uint32_t); }

 private:
  bool has_keys_ = false;
  std::vector<std::uint32_t> number_of_;  // by entry, of a key or a state
  std::vector<std::uint32_t> entry_of_;   // by number
};

}  // namespace ravel
