#include "check/story_options.h"

#include <cstdio>

namespace ravel {

namespace {

constexpr std::size_t kEventsShown = 400;
// A livelock shows in its first rounds.
constexpr std::size_t kEventsShownOfEndless = 60;

}  // namespace

StoryOptions story_options(const Recording& recording, Colour colour) {
  const bool is_endless = recording.bug && (recording.bug->kind == "event_bound" || recording.bug->kind == "livelock");
  return {.colour = colour,
          .lines_shown_max = is_endless ? kEventsShownOfEndless : kEventsShown,
          .columns = terminal_columns(stdout)};
}

}  // namespace ravel
