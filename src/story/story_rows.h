// Which steps of an execution are told one by one, and which are folded into one row: what all views in text
// have in common.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "story/story_model.h"

namespace ravel {

// Steps in a row, the last one included. One step: it is told.
struct StoryRow {
  std::size_t first = 0, last = 0;
  bool has_inner = false;      // some are a library's own affair
  bool has_unrelated = false;  // some have nothing to do with the bug

  bool is_step() const { return first == last; }
  std::size_t size() const { return last - first + 1; }
};

enum class Folding : std::uint8_t {
  kNever,
  kIfLong,  // an execution of more steps than kScreenLines
};

// What fits a screen, with a head and an end.
inline constexpr std::size_t kScreenLines = 40;

// Folded are steps that are not relevant, or inner, where several of them come in a row. No row hides a
// preemption, the beginning of a loop, a step of the race that makes the difference, or the last step.
std::vector<StoryRow> rows_of(const StoryExecution& execution, Folding folding);

// "12 events of P.3 and P.4 that have nothing to do with the bug".
std::string describe_fold(const Story& story, const StoryExecution& execution, const StoryRow& row);

// Who could have gone on when this step took the turn: "preemption: P.1 could have gone on"; or empty.
std::string describe_preemption(const Story& story, const StoryExecution& execution, std::size_t step);

// Where a step is: "cache.erl:12", or empty.
std::string place_of(const Story& story, const StoryStep& step);

}  // namespace ravel
