// Which steps of an execution are told one by one, and which are folded into one row: what all views in text
// have in common.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "story/story_model.h"

namespace ravel {

// Steps in a row, the last one included. One step, or a call: it is told.
struct StoryRow {
  std::size_t first = 0, last = 0;
  bool has_inner = false;                // some are a library's own affair
  bool has_unrelated = false;            // some have nothing to do with the bug
  bool is_left_out = false;              // there are too many, and these are far from what no fold hides
  std::optional<std::size_t> call = {};  // of the execution
  bool says_all = false;                 // nothing is folded, nor are texts

  bool is_fold() const { return is_left_out || (!call && first != last); }
  std::size_t size() const { return last - first + 1; }
};

enum class Folding : std::uint8_t {
  kNever,
  kIfLong,  // what has nothing to do with the bug is told in executions of up to kScreenLines steps
};

// What fits a screen, with a head and an end.
inline constexpr std::size_t kScreenLines = 40;

// Folded are steps that are not relevant, or inner, where several of them come in a row; of a short execution
// only inner ones, where three come in a row. A call that has other steps is a row of its own. No fold hides
// a preemption, the beginning of a loop, a step of the race that makes the difference, or the last step. Of
// more than `rows_max` rows those are left out that are far from all of these and from the start, unless
// nothing is to be folded.
std::vector<StoryRow> rows_of(const StoryExecution& execution, Folding folding,
                              std::size_t rows_max = ~std::size_t{0});

// "12 events of P.3 and P.4 that have nothing to do with the bug".
std::string describe_fold(const Story& story, const StoryExecution& execution, const StoryRow& row);

// The step whose number, actor and place are told of a row that is no fold.
std::size_t main_step(const StoryExecution& execution, const StoryRow& row);

// What a row tells: "receives ok from P.2", "asks P.1 (server): get; answer: 5", or as describe_fold().
std::string describe_row(const Story& story, const StoryExecution& execution, const StoryRow& row);

// Who could have gone on when this step took the turn: "preemption: P.1 could have gone on"; or empty.
std::string describe_preemption(const Story& story, const StoryExecution& execution, std::size_t step);

// Where a step is: "cache.erl:12", or empty.
std::string place_of(const Story& story, const StoryStep& step);

}  // namespace ravel
