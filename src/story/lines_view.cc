#include "story/lines_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ravel {

namespace {

// Longer entries stick out instead of pushing every other line to the right.
constexpr std::size_t kActorColumnsMax = 28, kOperationColumnsMax = 56;

// Less source text than this says nothing.
constexpr std::size_t kSourceColumnsMin = 12;

class Lines {
 public:
  Lines(const Story& story, const StoryExecution& execution, const StoryViewOptions& options)
      : story_(story),
        execution_(execution),
        options_(options),
        rows_(rows_of(execution, options.folding, options.rows_max)) {
    number_columns_ = std::to_string(execution.steps.size()).size();
    for (const StoryRow& row : rows_) {
      if (row.is_fold()) continue;
      const StoryStep& step = execution.steps[main_step(execution, row)];
      const std::size_t text_columns = width(describe_row(story, execution, row));
      actor_columns_ = std::max(actor_columns_, std::min(kActorColumnsMax, width(label_of(step))));
      operation_columns_ = std::max(operation_columns_, std::min(kOperationColumnsMax, text_columns));
      place_columns_ = std::max(place_columns_, width(place_of(story, step)));
    }
  }

  std::string tell() {
    for (const StoryRow& row : rows_) tell(row);
    return std::move(text_);
  }

 private:
  const std::string& label_of(const StoryStep& step) const { return story_.actors[step.actor].label; }

  void tell(const StoryRow& row) {
    if (execution_.loop == row.first) note("-- from here on, again and again --", Ink::kYellow);
    const std::string preemption = describe_preemption(story_, execution_, row.first);
    if (!preemption.empty()) note("-- " + preemption + " --", Ink::kYellow);
    const std::string text = describe_row(story_, execution_, row);
    if (!row.is_fold()) return tell(main_step(execution_, row), text);
    note("... " + text + " ...", Ink::kDim);
  }

  void tell(std::size_t index, const std::string& text) {
    const StoryStep& step = execution_.steps[index];
    std::string line = fmt::format("  {:>{}}  ", index + 1, number_columns_);
    line += paint(padded(label_of(step), actor_columns_), ink_of(step.actor), options_.colour);
    line += "  " + padded(text, operation_columns_);
    const std::string where = place_of(story_, step);
    const std::size_t used = number_columns_ + std::max(actor_columns_, width(label_of(step))) +
                             place_columns_ + 10 + std::max(operation_columns_, width(text));
    const std::string source = source_of(step, used);
    if (!source.empty()) {
      line += "  " + paint(padded(where, place_columns_) + "  " + source, Ink::kDim, options_.colour);
    } else if (!where.empty()) {
      line += "  " + paint(where, Ink::kDim, options_.colour);
    }
    add(std::move(line));
    for (const std::string& extra : step.extra)
      add(fmt::format("{:>{}}{}", "", number_columns_ + actor_columns_ + 8, extra));
  }

  // As much of the source line as fits after what is in the line already.
  std::string source_of(const StoryStep& step, std::size_t used) const {
    if (!options_.columns || used + width(step.code) <= *options_.columns) return step.code;
    if (used + kSourceColumnsMin > *options_.columns) return "";
    return shortened(step.code, *options_.columns - used);
  }

  void note(const std::string& text, Ink ink) {
    add(paint(fmt::format("{:>{}}{}", "", number_columns_ + 4, text), ink, options_.colour));
  }

  void add(std::string line) {
    while (line.ends_with(' ')) line.pop_back();
    text_ += line + "\n";
  }

  const Story& story_;
  const StoryExecution& execution_;
  const StoryViewOptions& options_;
  const std::vector<StoryRow> rows_;
  std::size_t number_columns_ = 0, actor_columns_ = 0, operation_columns_ = 0, place_columns_ = 0;
  std::string text_;
};

}  // namespace

Ink ink_of(std::size_t actor) {
  constexpr std::array kInks = {Ink::kCyan, Ink::kGreen, Ink::kMagenta, Ink::kBlue};
  return kInks[actor % kInks.size()];
}

std::string tell_lines(const Story& story, const StoryExecution& execution, const StoryViewOptions& options) {
  return Lines(story, execution, options).tell();
}

}  // namespace ravel
