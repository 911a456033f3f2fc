#include "story/shiviz.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "story/story_rows.h"
#include "story/story_text.h"

namespace ravel {

namespace {

constexpr const char kOfEvents[] = R"((?<event>.*)\n(?<host>\S*) (?<clock>\{.*\}) (?<place>.*))";
constexpr const char kOfExecutions[] = "^=== (?<trace>.*) ===$";

// By actor, without zeros: most actors have nothing to do with each other.
using Clock = std::map<std::size_t, std::uint32_t>;

std::string in_one_line(std::string_view text) {
  std::string line = cut_characters(text, 200);
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return line;
}

std::string print_clock(const Story& story, const Clock& clock) {
  std::string text;
  for (const auto& [actor, count] : clock)
    text += fmt::format("{}\"{}\":{}", text.empty() ? "" : ", ", story.actors[actor].name, count);
  return "{" + text + "}";
}

std::string print_steps(const Story& story, const StoryExecution& execution) {
  std::string text;
  std::vector<Clock> clocks(execution.steps.size());
  std::map<std::size_t, std::size_t> last_of;
  for (std::size_t i = 0; i < execution.steps.size(); ++i) {
    const StoryStep& step = execution.steps[i];
    Clock& clock = clocks[i];
    const auto join = [&](const Clock& other) {
      for (const auto& [actor, count] : other) clock[actor] = std::max(clock[actor], count);
    };
    if (const auto last = last_of.find(step.actor); last != last_of.end()) join(clocks[last->second]);
    for (const std::size_t cause : step.after) join(clocks[cause]);
    ++clock[step.actor];
    last_of[step.actor] = i;
    const std::string place = place_of(story, step);
    text += fmt::format("{}. {}\n{} {} {}\n", i + 1, in_one_line(step.text), story.actors[step.actor].name,
                        print_clock(story, clock), place.empty() ? "-" : in_one_line(place));
  }
  return text;
}

}  // namespace

std::string print_shiviz(const Story& story) {
  std::string text = kOfEvents;
  text += story.passing
              ? fmt::format("\n{}\n=== {} ===\n", kOfExecutions, story.bug ? "failing" : "execution")
              : "\n\n";
  text += print_steps(story, story.failing);
  if (story.passing) text += "=== passing ===\n" + print_steps(story, *story.passing);
  return text;
}

}  // namespace ravel
