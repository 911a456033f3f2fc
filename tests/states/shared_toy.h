// A toy program whose states several searches in one process visit together.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "engine/system_wrapper.h"
#include "states/kept_states.h"
#include "states/shared_states.h"
#include "tests/toy/toy_system.h"

namespace ravel {

// Numbers the states that are new to all who share them.
class SharedToy final : public SystemWrapper {
 public:
  SharedToy(const toy::Program& program, SharedStates& states)
      : SystemWrapper(toy_), toy_(program), states_(states) {}

  std::optional<MetState> number_state() override {
    const auto met = toy_.number_state();
    if (!met) return std::nullopt;
    const std::string text = toy_.state_text();
    const Hash128 hash{.high = hash_string(text), .low = hash_string("x" + text)};
    if (!states_.insert(hash)) return MetState{.number = kNumberForgotten, .is_new = false};
    return MetState{.number = kept_.add(std::span(&met->number, 1)), .is_new = true};
  }
  void go_to(StateNumber state) override {
    std::vector<StateNumber> own;
    kept_.words_of(state, own);
    toy_.go_to(own.front());
  }
  void leave(StateNumber state) override { kept_.leave(state); }
  std::optional<HashedStates> hashed_states() const override { return states_.told(); }

 private:
  toy::ToySystem toy_;
  SharedStates& states_;
  KeptStates<StateNumber> kept_;
};

}  // namespace ravel
