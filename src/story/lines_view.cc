#include "story/lines_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace ravel {

namespace {

// Longer entries stick out instead of pushing every other line to the right.
constexpr std::size_t kActorColumnsMax = 28, kOperationColumnsMax = 56;

// Less source text than this says nothing.
constexpr std::size_t kSourceColumnsMin = 12;

// The lines of the sources, each file split once.
class SourceLines {
 public:
  explicit SourceLines(const Story& story) : story_(story) {}

  // Without indentation; empty if it is not known.
  std::string_view line_of(const StoryStep& step) {
    if (!step.source || step.line == 0) return {};
    const std::vector<std::string_view>& lines = lines_of(*step.source);
    if (step.line > lines.size()) return {};
    std::string_view line = lines[step.line - 1];
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
    return line;
  }

 private:
  const std::vector<std::string_view>& lines_of(std::size_t source) {
    const auto [known, is_new] = lines_.try_emplace(source);
    if (is_new && story_.sources[source].text) {
      const std::string_view text = *story_.sources[source].text;
      for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        known->second.push_back(text.substr(begin, end - begin));
        begin = end + 1;
      }
    }
    return known->second;
  }

  const Story& story_;
  std::map<std::size_t, std::vector<std::string_view>> lines_;
};

class Lines {
 public:
  Lines(const Story& story, const StoryExecution& execution, const StoryViewOptions& options)
      : story_(story),
        execution_(execution),
        options_(options),
        sources_(story),
        shown_(shown_rows(execution, options)) {
    number_columns_ = std::to_string(execution.steps.size()).size();
    for (const StoryRow& row : shown_.rows) {
      if (!row.is_step()) continue;
      const StoryStep& step = execution.steps[row.first];
      actor_columns_ = std::max(actor_columns_, std::min(kActorColumnsMax, width(label_of(step))));
      operation_columns_ = std::max(operation_columns_, std::min(kOperationColumnsMax, width(step.text)));
      place_columns_ = std::max(place_columns_, width(place_of(story, step)));
    }
  }

  std::string tell() {
    for (std::size_t i = 0; i < shown_.rows.size(); ++i) {
      if (shown_.gap_steps > 0 && i == shown_.gap_at)
        note(fmt::format("... {} not shown ...", counted(shown_.gap_steps, "event")), Ink::kDim);
      tell(shown_.rows[i]);
    }
    return std::move(text_);
  }

 private:
  const std::string& label_of(const StoryStep& step) const { return story_.actors[step.actor].label; }

  void tell(const StoryRow& row) {
    if (execution_.loop == row.first) note("-- from here on, again and again --", Ink::kYellow);
    const std::string preemption = describe_preemption(story_, execution_, row.first);
    if (!preemption.empty()) note("-- " + preemption + " --", Ink::kYellow);
    if (row.is_step()) return tell(row.first);
    note("... " + describe_fold(story_, execution_, row) + " ...", Ink::kDim);
  }

  void tell(std::size_t index) {
    const StoryStep& step = execution_.steps[index];
    std::string line = fmt::format("  {:>{}}  ", index + 1, number_columns_);
    line += paint(padded(label_of(step), actor_columns_), ink_of(step.actor), options_.colour);
    line += "  " + padded(step.text, operation_columns_);
    const std::string where = place_of(story_, step);
    const std::size_t used = number_columns_ + std::max(actor_columns_, width(label_of(step))) +
                             place_columns_ + 10 + std::max(operation_columns_, width(step.text));
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
  std::string source_of(const StoryStep& step, std::size_t used) {
    const std::string_view source = sources_.line_of(step);
    if (!options_.columns || used + width(source) <= *options_.columns) return std::string(source);
    if (used + kSourceColumnsMin > *options_.columns) return "";
    return shortened(source, *options_.columns - used);
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
  SourceLines sources_;
  const ShownRows shown_;
  std::size_t number_columns_ = 0, actor_columns_ = 0, operation_columns_ = 0, place_columns_ = 0;
  std::string text_;
};

}  // namespace

ShownRows shown_rows(const StoryExecution& execution, const StoryViewOptions& options) {
  ShownRows shown{.rows = rows_of(execution, options.folding)};
  const std::size_t most = std::max<std::size_t>(2, options.rows_max);
  if (shown.rows.size() <= most) return shown;
  shown.gap_at = most / 2;
  const auto begin = shown.rows.begin() + static_cast<std::ptrdiff_t>(shown.gap_at);
  const auto end = shown.rows.end() - static_cast<std::ptrdiff_t>(most - shown.gap_at);
  shown.gap_steps = end->first - begin->first;
  shown.rows.erase(begin, end);
  return shown;
}

Ink ink_of(std::size_t actor) {
  constexpr std::array kInks = {Ink::kCyan, Ink::kGreen, Ink::kMagenta, Ink::kBlue};
  return kInks[actor % kInks.size()];
}

std::string tell_lines(const Story& story, const StoryExecution& execution, const StoryViewOptions& options) {
  return Lines(story, execution, options).tell();
}

}  // namespace ravel
