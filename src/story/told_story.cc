#include "story/told_story.h"

#include <fmt/format.h>

#include <algorithm>

#include "story/lanes_view.h"
#include "story/story_text.h"

namespace ravel {

namespace {

constexpr std::size_t kSentenceColumns = 96;

// "abnormal exit".
std::string headline(const std::string& kind) {
  std::string text = kind;
  std::ranges::replace(text, '_', ' ');
  return text;
}

// The lines of a text, or of a sentence that is broken between words.
std::string indented(std::string_view text, std::string_view indentation) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines += std::string(indentation) + std::string(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string broken(std::string_view sentence, std::string_view indentation) {
  std::string text;
  while (sentence.size() > kSentenceColumns) {
    const std::size_t blank = sentence.rfind(' ', kSentenceColumns);
    if (blank == std::string_view::npos || blank == 0) break;
    text += std::string(indentation) + std::string(sentence.substr(0, blank)) + "\n";
    sentence.remove_prefix(blank + 1);
  }
  return text + std::string(indentation) + std::string(sentence) + "\n";
}

std::string tell_head(const Story& story, const StoryViewOptions& options) {
  const std::string events = counted(story.failing.steps.size() + story.failing.left_out, "event");
  if (!story.bug) {
    const bool is_finished = story.failing.outcome == "finished";
    return paint(is_finished ? "It ends well" : "It goes on", Ink::kGreen, options.colour) +
           fmt::format(" ({}, {})\n", counted(story.preemptions, "preemption"), events);
  }
  const StoryBug& bug = *story.bug;
  std::string text = paint("Bug: " + headline(bug.kind), Ink::kRed, options.colour) +
                     fmt::format(" ({}, {})\n", counted(story.preemptions, "preemption"), events);
  text += "  " + bug.message + "\n";
  const std::string where = place(without_folder(bug.file), bug.line);
  const std::string who = bug.actor ? story.actors[*bug.actor].label : "";
  if (!where.empty()) {
    text += "  at " + where + (who.empty() ? "" : ", in " + who) + "\n";
  } else if (!who.empty()) {
    text += "  in " + who + "\n";
  }
  for (const std::string& detail : bug.details) text += "    " + detail + "\n";
  return text;
}

}  // namespace

std::string tell_steps(const Story& story, StoryForm form, const StoryViewOptions& options) {
  return form == StoryForm::kLanes ? tell_lanes(story, story.failing, options)
                                   : tell_lines(story, story.failing, options);
}

std::string tell_story(const Story& story, StoryForm form, const StoryViewOptions& options) {
  std::string text = paint(story.test, Ink::kBold, options.colour) + "\n\n";
  text += tell_head(story, options) + "\n" + tell_steps(story, form, options);
  if (story.failing.left_out > 0)
    text += fmt::format("  ... and {} more\n", counted(story.failing.left_out, "event"));
  if (!story.failing.output.empty())
    text += "\n  The program printed:\n" + indented(story.failing.output, "    ");
  if (!story.replay.empty()) text += "\n  Replay it with: " + story.replay + "\n";
  if (!story.difference.empty()) {
    text += "\n  " + paint("What makes the difference:", Ink::kBold, options.colour) + "\n";
    for (const std::string& sentence : story.difference) text += broken(sentence, "    ");
  }
  for (const std::string& assumption : story.assumptions) text += "\n" + broken(assumption, "  ");
  return text;
}

}  // namespace ravel
