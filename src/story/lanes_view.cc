#include "story/lanes_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "story/story_text.h"

namespace ravel {

namespace {

constexpr std::size_t kColumnsUnknown = 100;
// A lane that is narrower says nothing, and a wider one tears the picture apart.
constexpr std::size_t kLaneMin = 19, kLaneMax = 46;
// A place is told where so much is left for lanes.
constexpr std::size_t kLanesWithPlaceMin = 60;
constexpr std::size_t kPlaceColumnsMax = 24;
// Lines of one cell.
constexpr std::size_t kCellLinesMax = 2;

// Where the first line of a text may end so that it has at most so many columns: after a blank or a mark
// between words if there is one in the second half of the line.
std::size_t end_of_line(std::string_view text, std::size_t columns) {
  constexpr std::string_view kMarks = " ,(/:";
  std::size_t end = 0, mark = 0;
  for (std::size_t used = 0; end < text.size(); ++end) {
    if ((text[end] & 0xc0) != 0x80 && used++ == columns) break;
    if (kMarks.find(text[end]) != std::string_view::npos) mark = end + 1;
  }
  if (end < text.size() && text[end] == ' ') return end;
  return mark > end / 2 ? mark : end;
}

// The text as lines of so many columns. What is too much for them is cut, but not `tail`.
std::vector<std::string> wrapped(std::string_view text, const std::string& tail, std::size_t columns) {
  std::vector<std::string> lines;
  const std::size_t tail_columns = std::min(width(tail), columns - 1);
  while (lines.size() + 1 < kCellLinesMax && width(text) + tail_columns > columns) {
    const std::size_t end = end_of_line(text, columns);
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  lines.push_back(cut_characters(text, columns - tail_columns) + cut_characters(tail, tail_columns));
  return lines;
}

// Which actors have a lane of their own, and how wide lanes are.
struct Layout {
  std::vector<std::size_t> own;     // in the order of lanes
  std::vector<std::size_t> shared;  // together in the last lane
  std::size_t columns = 0;          // of a lane
  std::size_t place_columns = 0;    // 0: places are not told

  std::size_t lanes() const { return own.size() + (shared.empty() ? 0 : 1); }
  // The lane of an actor; nothing if it has none.
  std::optional<std::size_t> lane_of(std::size_t actor) const {
    if (const auto at = std::ranges::find(own, actor); at != own.end())
      return static_cast<std::size_t>(at - own.begin());
    if (std::ranges::find(shared, actor) != shared.end()) return own.size();
    return std::nullopt;
  }
};

class Lanes {
 public:
  Lanes(const Story& story, const StoryExecution& execution, const StoryViewOptions& options)
      : story_(story),
        execution_(execution),
        options_(options),
        rows_(rows_of(execution, options.folding, options.rows_max)) {
    number_columns_ = std::to_string(execution.steps.size()).size();
    for (const StoryStep& step : execution.steps)
      for (const StoryRace& race : step.races)
        if (race.decides) {
          deciding_.insert(static_cast<std::size_t>(&step - execution.steps.data()));
          if (race.with) deciding_.insert(*race.with);
        }
    lay_out();
  }

  std::string tell() {
    if (rows_.empty()) return "";
    tell_heads();
    for (const StoryRow& row : rows_) tell(row);
    tell_waiting();
    tell_legend();
    return std::move(text_);
  }

 private:
  void lay_out() {
    std::map<std::size_t, std::size_t> weight;  // by actor: how much it has to say
    std::size_t places = 0;
    for (const StoryRow& row : rows_) {
      if (row.is_fold()) continue;
      const StoryStep& step = execution_.steps[main_step(execution_, row)];
      weight[step.actor] += deciding_.contains(main_step(execution_, row)) ? 1'000 : 1;
      if (const auto callee = callee_of(row)) ++weight[*callee];
      places = std::max(places, width(place_of(story_, step)));
    }
    if (story_.bug && story_.bug->actor && weight.contains(*story_.bug->actor))
      weight[*story_.bug->actor] += 10'000;
    const std::size_t columns = options_.columns.value_or(kColumnsUnknown);
    const std::size_t used = number_columns_ + 6;
    std::size_t left = columns > used ? columns - used : 0;
    places = std::min(places, kPlaceColumnsMax);
    if (left >= kLanesWithPlaceMin + places) {
      layout_.place_columns = places;
      left -= places;
    }
    const std::size_t room = std::max<std::size_t>(1, left / kLaneMin);
    std::vector<std::size_t> actors;
    for (const auto& [actor, steps] : weight) actors.push_back(actor);
    std::ranges::stable_sort(actors, std::ranges::greater(),
                             [&](std::size_t actor) { return weight[actor]; });
    const std::size_t own = actors.size() <= room ? actors.size() : room - 1;
    layout_.own.assign(actors.begin(), actors.begin() + static_cast<std::ptrdiff_t>(own));
    layout_.shared.assign(actors.begin() + static_cast<std::ptrdiff_t>(own), actors.end());
    std::ranges::sort(layout_.own);
    std::ranges::sort(layout_.shared);
    layout_.columns = std::clamp(left / std::max<std::size_t>(1, layout_.lanes()), std::size_t{8}, kLaneMax);
  }

  void tell_heads() {
    std::string line(number_columns_ + 5, ' ');
    for (const std::size_t actor : layout_.own)
      line += paint(padded(cut_characters(story_.actors[actor].label, layout_.columns - 2), layout_.columns),
                    ink_of(actor), options_.colour);
    if (!layout_.shared.empty())
      line += paint(layout_.own.empty() ? "all" : "others", Ink::kBold, options_.colour);
    add(std::move(line));
  }

  void tell(const StoryRow& row) {
    if (execution_.loop == row.first) note("-- from here on, again and again --", Ink::kYellow);
    const std::string preemption = describe_preemption(story_, execution_, row.first);
    if (!preemption.empty()) note("-- " + preemption + " --", Ink::kYellow);
    if (row.is_fold()) return note("... " + describe_fold(story_, execution_, row) + " ...", Ink::kDim);
    const std::size_t index = main_step(execution_, row);
    std::vector<Cell> cells;
    const auto callee = callee_of(row);
    if (callee && layout_.lane_of(*callee) != layout_.lane_of(execution_.steps[index].actor)) {
      const StoryCall& call = execution_.calls[*row.call];
      cells.push_back(cell_of(execution_.steps[index].actor,
                              fmt::format("asks {}: {}", story_.actors[*callee].name, call.request), ""));
      cells.push_back(cell_of(*callee, "answers: " + call.reply, ""));
    } else {
      const StoryStep& step = execution_.steps[index];
      cells.push_back(
          cell_of(step.actor, describe_row(story_, execution_, row), row.call && callee ? "" : arrows(step)));
    }
    tell(index, cells);
  }

  // Lines in the lane of an actor.
  struct Cell {
    std::size_t actor = 0;
    std::size_t lane = 0;
    std::vector<std::string> lines = {};
  };

  Cell cell_of(std::size_t actor, const std::string& text, const std::string& tail) const {
    const std::size_t lane = *layout_.lane_of(actor);
    const bool is_shared = lane == layout_.own.size();
    return {.actor = actor,
            .lane = lane,
            .lines = wrapped((is_shared ? story_.actors[actor].name + ": " : "") + text, tail,
                             layout_.columns - 2)};
  }

  std::optional<std::size_t> callee_of(const StoryRow& row) const {
    return row.call ? execution_.calls[*row.call].callee : std::nullopt;
  }

  void tell(std::size_t index, const std::vector<Cell>& cells) {
    std::size_t height = 0;
    for (const Cell& cell : cells) height = std::max(height, cell.lines.size());
    for (std::size_t i = 0; i < height; ++i) {
      std::string line = i == 0 ? fmt::format("  {:>{}}{}  ", index + 1, number_columns_,
                                              deciding_.contains(index) ? "*" : " ")
                                : std::string(number_columns_ + 5, ' ');
      for (std::size_t lane = 0; lane < layout_.lanes(); ++lane) {
        const auto cell = std::ranges::find(cells, lane, &Cell::lane);
        const bool has_text = cell != cells.end() && i < cell->lines.size();
        const std::string content = has_text ? cell->lines[i] : line_of_lane(lane, index);
        const std::string full = padded(content, layout_.columns);
        const bool is_coloured = has_text && lane < layout_.own.size();
        line += is_coloured ? paint(full, ink_of(cell->actor), options_.colour) : full;
      }
      const std::string where = place_of(story_, execution_.steps[index]);
      if (i == 0 && layout_.place_columns > 0 && !where.empty())
        line += paint(cut_characters(where, layout_.place_columns), Ink::kDim, options_.colour);
      add(std::move(line));
    }
  }

  // Where a message goes to, and where it comes from.
  static std::string arrows(const StoryStep& step) {
    std::string text;
    for (const StoryMessage& message : step.sends)
      if (message.received) text += fmt::format(" →{}", *message.received + 1);
    if (step.receives) text += fmt::format(" ←{}", *step.receives + 1);
    constexpr std::size_t kArrowsMax = 14;  // columns
    return cut_characters(text, kArrowsMax);
  }

  // What is drawn in the lane of an actor that another one's step comes by.
  std::string line_of_lane(std::size_t lane, std::size_t index) const {
    if (lane >= layout_.own.size()) return "";
    const std::size_t actor = layout_.own[lane];
    const StoryActor& known = story_.actors[actor];
    const bool is_failing = &execution_ == &story_.failing;
    if (is_failing && known.born && index <= *known.born) return "";
    if (is_failing && known.ended && index > *known.ended) return "";
    const StoryStep& step = execution_.steps[index];
    const auto moves = [&](const StoryChoice& choice) {
      return choice.actor == actor && happens_by_itself(choice.kind);
    };
    const bool is_known = is_failing && step.choices_cut == 0 && has_choices();
    return is_known && std::ranges::none_of(step.choices, moves) ? "┆" : "│";
  }

  bool has_choices() const {
    return std::ranges::any_of(execution_.steps, [](const StoryStep& step) { return !step.choices.empty(); });
  }

  void tell_waiting() {
    if (!story_.bug || story_.bug->kind != "deadlock" || &execution_ != &story_.failing) return;
    std::vector<std::string> cells(layout_.lanes());
    for (const StoryWaiting& waiting : execution_.waiting) {
      const auto lane = layout_.lane_of(waiting.actor);
      if (!lane || *lane >= layout_.own.size()) continue;
      std::vector<std::string> names;
      for (const std::size_t actor : waiting.waits_for) names.push_back(story_.actors[actor].name);
      cells[*lane] = names.empty() ? "waits for ever" : fmt::format("waits for {}", fmt::join(names, ", "));
    }
    std::string line(number_columns_ + 5, ' ');
    for (const std::string& cell : cells)
      line += paint(padded(cut_characters(cell, layout_.columns - 2), layout_.columns), Ink::kRed,
                    options_.colour);
    add(std::move(line));
  }

  void tell_legend() {
    std::vector<std::string> words;
    if (!deciding_.empty()) words.emplace_back("* the race that makes the difference");
    if (!layout_.shared.empty()) {
      std::vector<std::string> names;
      for (const std::size_t actor : layout_.shared) names.push_back(story_.actors[actor].label);
      words.push_back(
          fmt::format("{} are {}", layout_.own.empty() ? "all" : "others", fmt::join(names, ", ")));
    }
    if (words.empty()) return;
    text_ += "\n";
    for (const std::string& word : words)
      add(paint(std::string(number_columns_ + 5, ' ') + word, Ink::kDim, options_.colour));
  }

  void note(const std::string& text, Ink ink) {
    add(paint(std::string(number_columns_ + 5, ' ') + text, ink, options_.colour));
  }

  void add(std::string line) {
    while (line.ends_with(' ')) line.pop_back();
    text_ += line + "\n";
  }

  const Story& story_;
  const StoryExecution& execution_;
  const StoryViewOptions& options_;
  const std::vector<StoryRow> rows_;
  std::set<std::size_t> deciding_;
  Layout layout_;
  std::size_t number_columns_ = 0;
  std::string text_;
};

}  // namespace

std::string tell_lanes(const Story& story, const StoryExecution& execution, const StoryViewOptions& options) {
  return Lanes(story, execution, options).tell();
}

}  // namespace ravel
