#include "story/story_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/text.h"
#include "story/story_calls.h"

namespace ravel {

namespace {

// Actors that a folded row names; the others are counted.
constexpr std::size_t kNamesMax = 3;

// What is inside libraries is told step by step in a short execution if there are fewer steps in a row.
constexpr std::size_t kFoldedMin = 3;

std::vector<std::string> names_in(const Story& story, const StoryExecution& execution, const StoryRow& row) {
  std::vector<std::size_t> actors;
  for (std::size_t i = row.first; i <= row.last; ++i)
    if (std::ranges::find(actors, execution.steps[i].actor) == actors.end())
      actors.push_back(execution.steps[i].actor);
  std::vector<std::string> names;
  for (const std::size_t actor : actors) {
    if (names.size() == kNamesMax && actors.size() > kNamesMax + 1) {
      names.push_back(counted(actors.size() - kNamesMax, "other"));
      break;
    }
    names.push_back(story.actors[actor].label);
  }
  return names;
}

std::string in_words(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names.front();
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

// How many rows on both sides of a step that no fold hides are told of a very long execution.
constexpr std::size_t kNearRows = 5;

// Decides step by step, from the first one on.
class RowMaker {
 public:
  RowMaker(const StoryExecution& execution, Folding folding, std::size_t rows_max)
      : execution_(execution),
        steps_(execution.steps),
        folding_(folding),
        rows_max_(std::max<std::size_t>(rows_max, 2)),
        is_long_(steps_.size() > kScreenLines),
        decides_(steps_that_decide(execution)) {}

  std::vector<StoryRow> make() {
    std::vector<StoryRow> rows;
    while (next_ < steps_.size()) {
      rows.push_back(next_row());
      next_ = rows.back().last + 1;
    }
    return folding_ == Folding::kNever || rows.size() <= rows_max_ ? rows : without_far(rows);
  }

 private:
  // Half of them are near to what no fold hides, as far as there is so much; the others are of the start and
  // of the end.
  std::vector<StoryRow> without_far(const std::vector<StoryRow>& rows) const {
    std::vector<bool> is_told(rows.size(), false);
    std::size_t count = 0;
    const auto tell = [&](std::size_t row, std::size_t most) {
      if (is_told[row] || count >= most) return;
      is_told[row] = true;
      ++count;
    };
    for (const bool decides : {true, false}) {
      for (std::size_t i = rows.size(); i-- > 0;) {
        if (decides ? !has_deciding(rows[i]) : !begins_anew(rows[i])) continue;
        tell(i, rows_max_ / 2);
        const std::size_t end = std::min(rows.size(), i + kNearRows + 1);
        for (std::size_t near = i - std::min(i, kNearRows); near < end; ++near) tell(near, rows_max_ / 2);
      }
    }
    const std::size_t with_start = count + (rows_max_ - count) / 2;
    for (std::size_t i = 0; i < rows.size(); ++i) tell(i, with_start);
    for (std::size_t i = rows.size(); i-- > 0;) tell(i, rows_max_);
    std::vector<StoryRow> told;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (is_told[i]) {
        told.push_back(rows[i]);
      } else if (i > 0 && !is_told[i - 1]) {
        told.back().last = rows[i].last;
      } else {
        told.push_back({.first = rows[i].first, .last = rows[i].last, .is_left_out = true});
      }
    }
    return told;
  }

  bool has_deciding(const StoryRow& row) const {
    for (std::size_t i = row.first; i <= row.last; ++i)
      if (decides_[i]) return true;
    return false;
  }

  bool begins_anew(const StoryRow& row) const {
    return steps_[row.first].switched == Switch::kPreemption || row.first == execution_.loop;
  }

  StoryRow next_row() {
    while (call_ < execution_.calls.size() && execution_.calls[call_].first < next_) ++call_;
    StoryRow row;
    row.first = row.last = next_;
    row.says_all = folding_ == Folding::kNever;
    if (begins_told_call(next_, call_)) {
      row.last = execution_.calls[call_].last;
      row.call = call_;
      return row;
    }
    std::size_t call = call_;
    for (std::size_t end = next_; end < steps_.size() && is_folded(end); ++end) {
      if (end > next_ && (steps_[end].switched == Switch::kPreemption || end == execution_.loop)) break;
      while (call < execution_.calls.size() && execution_.calls[call].first < end) ++call;
      if (begins_told_call(end, call)) break;
      row.has_inner = row.has_inner || steps_[end].is_relevant;
      row.has_unrelated = row.has_unrelated || !steps_[end].is_relevant;
      row.last = end;
    }
    if (!is_long_ && row.size() < kFoldedMin) row.last = row.first;
    return row;
  }

  // Whether this call, the next one, begins here, and some of its steps are not folded anyway.
  bool begins_told_call(std::size_t step, std::size_t call) const {
    if (folding_ == Folding::kNever || call == execution_.calls.size()) return false;
    const StoryCall& next = execution_.calls[call];
    if (next.first != step) return false;
    for (std::size_t i = next.first; i <= next.last; ++i)
      if (!is_folded(i)) return true;
    return false;
  }

  bool is_folded(std::size_t step) const {
    if (folding_ == Folding::kNever || decides_[step] || step + 1 == steps_.size()) return false;
    return steps_[step].is_inner || (is_long_ && !steps_[step].is_relevant);
  }

  const StoryExecution& execution_;
  const std::vector<StoryStep>& steps_;
  const Folding folding_;
  const std::size_t rows_max_;
  const bool is_long_;
  const std::vector<bool> decides_;
  std::size_t next_ = 0;
  std::size_t call_ = 0;  // the first call that does not begin before next_
};

const std::string& said_by(const StoryStep& step) { return step.said.empty() ? step.text : step.said; }

}  // namespace

std::vector<StoryRow> rows_of(const StoryExecution& execution, Folding folding, std::size_t rows_max) {
  return RowMaker(execution, folding, rows_max).make();
}

std::string describe_fold(const Story& story, const StoryExecution& execution, const StoryRow& row) {
  if (row.is_left_out) return counted(row.size(), "event") + " not shown";
  const std::string_view what = row.has_inner && row.has_unrelated
                                    ? "inside libraries, or that have nothing to do with the bug"
                                : row.has_inner ? "inside libraries"
                                                : "that have nothing to do with the bug";
  return fmt::format("{} of {} {}", counted(row.size(), "event"), in_words(names_in(story, execution, row)),
                     what);
}

std::string describe_call(const Story& story, const StoryExecution& execution, const StoryCall& call) {
  if (!call.callee) return said_by(execution.steps[call.main]);
  return fmt::format("asks {}: {}; answer: {}", story.actors[*call.callee].label, call.request, call.reply);
}

std::size_t main_step(const StoryExecution& execution, const StoryRow& row) {
  return row.call ? execution.calls[*row.call].main : row.first;
}

std::string describe_row(const Story& story, const StoryExecution& execution, const StoryRow& row) {
  if (row.is_fold()) return describe_fold(story, execution, row);
  if (row.call) return describe_call(story, execution, execution.calls[*row.call]);
  const StoryStep& step = execution.steps[row.first];
  return row.says_all ? step.text : said_by(step);
}

std::string describe_preemption(const Story& story, const StoryExecution& execution, std::size_t step) {
  if (step == 0 || execution.steps[step].switched != Switch::kPreemption) return "";
  return fmt::format("preemption: {} could have gone on",
                     story.actors[execution.steps[step - 1].actor].label);
}

std::string place_of(const Story& story, const StoryStep& step) {
  return step.source ? place(story.sources[*step.source].name, step.line) : "";
}

}  // namespace ravel
