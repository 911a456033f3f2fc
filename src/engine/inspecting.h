// What the actors of an execution have at hand at one of its points: for readers, who see the state of a
// program change step by step.
//
// Whoever runs a program says it in the words of the program's language. Values are cut at a stated length,
// so that an inspection costs no more than the actors that there are times these lengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/actor.h"

namespace ravel {

// Roughly, in bytes: how long the text of one value is at most. What is left out is "..." or "…".
inline constexpr std::size_t kInspectedTextMax = 400;
// How many lines a part has at most, with one that says how many were left out.
inline constexpr std::size_t kInspectedLinesMax = 100;

enum class StateKind : std::uint8_t {
  kWaits,       // what it waits for, if it waits
  kStack,       // where it is: the pending operation first, then the calls around it
  kMailbox,     // what it has got and not taken, in the order in which it lies there
  kState,       // what its loop keeps from message to message; of a machine the state that it is in
  kFields,      // the variables of a machine: a part each
  kDictionary,  // what else it remembers: a part for each key
  kLinks,       // whom it hears of, and by what name others know it
  kLocks,       // what it holds
  kVariables,   // memory that actors share: a part each
};

// "mailbox", as files name it.
std::string_view word_of(StateKind kind);

struct StateLine {
  std::string text;
  std::string file = {};  // empty: it is about no place
  std::uint32_t line = 0;

  friend bool operator==(const StateLine&, const StateLine&) = default;
};
// With its place: "waits in a receive at bank.erl:12".
std::string to_string(const StateLine& line);

struct StatePart {
  StateKind kind = StateKind::kState;
  std::string name = {};  // of a variable, a field, a key; empty where a kind has one part
  std::vector<StateLine> lines = {};

  friend bool operator==(const StatePart&, const StatePart&) = default;
};

struct ActorState {
  std::optional<ActorId> actor = {};    // none: what all share
  std::vector<StatePart> parts = {};    // those that are not empty, by kind
  std::vector<ActorId> waits_for = {};  // whom of the others, where that is known

  friend bool operator==(const ActorState&, const ActorState&) = default;
};

class Inspecting {
 public:
  virtual ~Inspecting() = default;

  // Of the present state of an execution: what all share, if there is anything, then the actors that have
  // begun and not ended, in the order of their names. Nothing that the execution depends on changes.
  // REQUIRES: the last change of state was a step, reset() or restore().
  virtual std::vector<ActorState> inspect() = 0;
};

// "…" in the place of what is too long, between two characters of UTF-8.
std::string cut_text(std::string text, std::size_t bytes_max = kInspectedTextMax);
// Adds a line, or counts it, beyond kInspectedLinesMax, in the last one.
class PartLines {
 public:
  void add(StateLine line);
  std::vector<StateLine> take();

 private:
  std::vector<StateLine> lines_;
  std::size_t left_out_ = 0;
};

}  // namespace ravel
