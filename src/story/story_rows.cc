#include "story/story_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/text.h"

namespace ravel {

namespace {

// Actors that a folded row names; the others are counted.
constexpr std::size_t kNamesMax = 3;

std::vector<bool> steps_that_decide(const StoryExecution& execution) {
  std::vector<bool> decide(execution.steps.size(), false);
  for (std::size_t i = 0; i < execution.steps.size(); ++i)
    for (const StoryRace& race : execution.steps[i].races) {
      if (!race.decides) continue;
      decide[i] = true;
      if (race.with) decide[*race.with] = true;
    }
  return decide;
}

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

}  // namespace

std::vector<StoryRow> rows_of(const StoryExecution& execution, Folding folding) {
  const std::vector<StoryStep>& steps = execution.steps;
  const bool folds = folding == Folding::kIfLong && steps.size() > kScreenLines;
  const std::vector<bool> decide = steps_that_decide(execution);
  const auto is_folded = [&](std::size_t i) {
    return folds && (!steps[i].is_relevant || steps[i].is_inner) && !decide[i] && i + 1 < steps.size();
  };
  std::vector<StoryRow> rows;
  for (std::size_t i = 0; i < steps.size();) {
    std::size_t end = i;
    StoryRow row{.first = i, .last = i};
    while (end < steps.size() && is_folded(end) &&
           (end == i || (steps[end].switched != Switch::kPreemption && end != execution.loop))) {
      row.has_inner = row.has_inner || steps[end].is_relevant;
      row.has_unrelated = row.has_unrelated || !steps[end].is_relevant;
      row.last = end++;
    }
    rows.push_back(row);
    i = row.last + 1;
  }
  return rows;
}

std::string describe_fold(const Story& story, const StoryExecution& execution, const StoryRow& row) {
  const std::string_view what = row.has_inner && row.has_unrelated
                                    ? "inside libraries, or that have nothing to do with the bug"
                                : row.has_inner ? "inside libraries"
                                                : "that have nothing to do with the bug";
  return fmt::format("{} of {} {}", counted(row.size(), "event"), in_words(names_in(story, execution, row)),
                     what);
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
