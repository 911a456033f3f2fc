#include "report/story.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace ravel {

namespace {

constexpr std::size_t kLinesShown = 400;
constexpr std::size_t kLinesShownOfEndless = 60;

// Longer entries stick out instead of pushing every other line to the right.
constexpr std::size_t kActorColumnsMax = 28;
constexpr std::size_t kOperationColumnsMax = 56;

// Fewer in a row are told one by one.
constexpr std::size_t kLooksMin = 3;

// Less source text than this says nothing.
constexpr std::size_t kSourceColumnsMin = 12;

std::string without_folder(std::string_view file) { return std::string(file.substr(file.rfind('/') + 1)); }

constexpr std::array kActorInks = {Ink::kCyan, Ink::kGreen, Ink::kMagenta, Ink::kBlue};

class Story {
 public:
  Story(const Recording& recording, const StoryOptions& options) : recording_(recording), options_(options) {
    number_columns_ = std::to_string(recording.events.size()).size();
    for (const RecordedEvent& event : recording.events) {
      const std::string& file = event.description.file;
      if (files_.try_emplace(without_folder(file), file).first->second != file) same_names_ = true;
    }
    for (const RecordedEvent& event : recording.events) {
      actor_columns_ = std::max(actor_columns_, std::min(kActorColumnsMax, width(event.description.actor)));
      operation_columns_ =
          std::max(operation_columns_, std::min(kOperationColumnsMax, width(event.description.text)));
      place_columns_ = std::max(place_columns_, width(place_of(event)));
      inks_.try_emplace(event.actor, kActorInks[inks_.size() % kActorInks.size()]);
    }
  }

  std::string tell() {
    const std::vector<Range> lines = lines_to_tell();
    const std::size_t shown = std::max<std::size_t>(2, options_.lines_shown_max);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines.size() > shown && i == shown / 2) {
        const std::size_t behind = i + lines.size() - shown;
        const std::size_t hidden = lines[behind].first - lines[i].first;
        add(paint(fmt::format("  ... {} not shown ...", counted(hidden, "event")), Ink::kDim,
                  options_.colour));
        i = behind;
      }
      if (lines[i].first == lines[i].last) {
        tell(lines[i].first);
      } else {
        tell_looks(lines[i]);
      }
    }
    return std::move(text_);
  }

 private:
  // Positions of events, the last one included.
  struct Range {
    std::size_t first, last;
  };

  std::vector<Range> lines_to_tell() const {
    std::vector<Range> lines;
    const std::size_t count = recording_.events.size();
    for (std::size_t i = 0; i < count;) {
      const std::size_t end = end_of_looks(i);
      if (end - i >= kLooksMin) {
        lines.push_back({i, end - 1});
        i = end;
      } else {
        lines.push_back({i, i});
        ++i;
      }
    }
    return lines;
  }

  // The index after the events of one actor from here on that are asides.
  std::size_t end_of_looks(std::size_t index) const {
    const std::vector<RecordedEvent>& events = recording_.events;
    std::size_t end = index;
    while (end < events.size() && events[end].description.is_aside &&
           events[end].actor == events[index].actor && (end == index || !begins_loop(end)))
      ++end;
    return end;
  }

  void tell_looks(Range range) {
    tell_beginning_of_loop(range.first);
    tell_preemption(range.first);
    std::vector<std::string> files;
    for (std::size_t i = range.first; i <= range.last; ++i) {
      const std::string file = without_folder(recording_.events[i].description.file);
      if (!file.empty() && std::ranges::find(files, file) == files.end()) files.push_back(file);
    }
    const RecordedEvent& event = recording_.events[range.first];
    std::string line = fmt::format("  {:>{}}  ", "..", number_columns_);
    line += paint(padded(event.description.actor, actor_columns_), inks_.at(event.actor), options_.colour);
    line += fmt::format("  only looks, up to event {}", range.last + 1);
    if (!files.empty())
      line += paint(fmt::format(" ({})", fmt::join(files, ", ")), Ink::kDim, options_.colour);
    add(std::move(line));
  }

  std::string place_of(const RecordedEvent& event) const {
    const std::string& file = event.description.file;
    return place(same_names_ ? file : without_folder(file), event.description.line);
  }

  // As much of the source line as fits after what is in the line already.
  std::string source_of(const RecordedEvent& event, std::size_t used) const {
    const std::string& source = event.description.source;
    if (!options_.columns || used + width(source) <= *options_.columns) return source;
    if (used + kSourceColumnsMin > *options_.columns) return "";
    return shortened(source, *options_.columns - used);
  }

  bool begins_loop(std::size_t index) const {
    return recording_.lasso && recording_.lasso->loop > 0 &&
           index + recording_.lasso->loop == recording_.events.size();
  }

  void tell_beginning_of_loop(std::size_t index) {
    if (!begins_loop(index)) return;
    add(paint(fmt::format("{:>{}}  -- from here on, again and again --", "", number_columns_ + 2),
              Ink::kYellow, options_.colour));
  }

  void tell_preemption(std::size_t index) {
    if (recording_.events[index].switched != Switch::kPreemption) return;
    const std::string& who = recording_.events[index - 1].description.actor;
    add(paint(fmt::format("{:>{}}  -- preemption: {} could have gone on --", "", number_columns_ + 2, who),
              Ink::kYellow, options_.colour));
  }

  void tell(std::size_t index) {
    const RecordedEvent& event = recording_.events[index];
    const EventDescription& description = event.description;
    tell_beginning_of_loop(index);
    tell_preemption(index);
    std::string line = fmt::format("  {:>{}}  ", index + 1, number_columns_);
    line += paint(padded(description.actor, actor_columns_), inks_.at(event.actor), options_.colour);
    line += "  " + padded(description.text, operation_columns_);
    const std::string where = place_of(event);
    const std::size_t used = number_columns_ + actor_columns_ + place_columns_ + 10 +
                             std::max(operation_columns_, width(description.text));
    const std::string source = source_of(event, used);
    if (!source.empty()) {
      line += "  " + paint(padded(where, place_columns_) + "  " + source, Ink::kDim, options_.colour);
    } else if (!where.empty()) {
      line += "  " + paint(where, Ink::kDim, options_.colour);
    }
    add(std::move(line));
    for (const std::string& extra : description.extra) {
      add(fmt::format("{:>{}}{}", "", number_columns_ + actor_columns_ + 8, extra));
    }
  }

  void add(std::string line) {
    while (!line.empty() && line.back() == ' ') line.pop_back();
    text_ += line + "\n";
  }

  const Recording& recording_;
  const StoryOptions options_;
  std::size_t number_columns_ = 0;
  std::size_t actor_columns_ = 0;
  std::size_t operation_columns_ = 0;
  std::size_t place_columns_ = 0;
  std::map<ActorName, Ink> inks_;
  std::map<std::string, std::string> files_;  // by name without folder
  bool same_names_ = false;                   // of files in different folders
  std::string text_;
};

}  // namespace

StoryOptions story_options(const Recording& recording, Colour colour, std::optional<std::size_t> columns) {
  const bool is_endless =
      recording.bug && (recording.bug->kind == "event_bound" || recording.bug->kind == "livelock");
  return {.colour = colour,
          .lines_shown_max = is_endless ? kLinesShownOfEndless : kLinesShown,
          .columns = columns};
}

std::string tell_story(const Recording& recording, const StoryOptions& options) {
  return options.told ? *options.told : Story(recording, options).tell();
}

}  // namespace ravel
