#include "story/plain_story.h"

#include <map>

#include "story/story_races.h"
#include "story/story_sources.h"
#include "story/story_text.h"
#include "story/told_execution.h"

namespace ravel {

Story plain_story(const Recording& recording) {
  Story story;
  StorySources sources;
  std::map<ActorName, std::size_t> actors;
  for (const RecordedEvent& event : recording.events) {
    const EventDescription& description = event.description;
    StoryStep& step = story.failing.steps.emplace_back();
    step.actor = actors.try_emplace(event.actor, actors.size()).first->second;
    if (step.actor == story.actors.size())
      story.actors.push_back({.name = event.actor.to_string(), .label = {}});
    StoryActor& actor = story.actors[step.actor];
    if (description.actor.size() > actor.label.size()) actor.label = cut_characters(description.actor);
    step.kind = event.transition.kind;
    step.alternative = event.transition.alternative;
    step.switched = event.switched;
    describe_step(description, sources, step);
  }
  if (recording.lasso && recording.lasso->loop > 0)
    story.failing.loop = recording.events.size() - recording.lasso->loop;
  story.preemptions = recording.preemptions;
  mark_inner(story);
  story.sources = sources.take([](const std::string&) { return Error{"it was not read"}; }, 0);
  return story;
}

}  // namespace ravel
