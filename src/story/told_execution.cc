#include "story/told_execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "engine/preemption.h"
#include "story/story_text.h"

namespace ravel {

namespace {

// Further lines of one step, and what it touches: more say nothing to a reader.
constexpr std::size_t kLinesMax = 50, kTouchesMax = 50;

bool is_of_mailbox(Access access) {
  switch (access) {
    case Access::kSend:
    case Access::kReceive:
    case Access::kReceiveOrExpire:
    case Access::kExpire:
    case Access::kRemove:
    case Access::kSendInVain: return true;
    default: return false;
  }
}

class Teller {
 public:
  Teller(const Observation& observation, const Causality& causality, StoryActors& actors,
         StorySources& sources)
      : observation_(observation),
        history_(observation.history()),
        causality_(causality),
        actors_(actors),
        sources_(sources) {}

  std::vector<StoryStep> tell() {
    std::vector<StoryStep> steps;
    steps.reserve(observation_.length());
    for (EventId event = 0; event < observation_.length(); ++event) steps.push_back(tell(event));
    return steps;
  }

  // Afterwards, since a message is received after it was sent.
  void connect_messages(std::vector<StoryStep>& steps) const {
    for (EventId event = 0; event < observation_.length(); ++event) {
      const Sent& taken = history_[event].taken;
      if (!history_[event].receives() || taken.event == kNoEvent) continue;
      steps[event].receives = taken.event;
      const std::span<const Sent> sent = observation_.sent_by(taken.event);
      const auto place = static_cast<std::size_t>(std::ranges::find(sent, taken) - sent.begin());
      if (place < steps[taken.event].sends.size()) steps[taken.event].sends[place].received = event;
    }
  }

 private:
  StoryStep tell(EventId event) {
    const RecordedEvent& recorded = observation_.events()[event];
    const EventDescription& description = recorded.description;
    StoryStep step;
    step.actor = actors_.index_of(recorded.transition.actor);
    actors_.see_label(step.actor, description.actor);
    step.text = cut_text(description.text, step.is_cut);
    step.source = sources_.index_of(description.file);
    step.line = description.line;
    for (std::size_t i = 0; i < std::min(kLinesMax, description.extra.size()); ++i)
      step.extra.push_back(cut_text(description.extra[i], step.is_cut));
    if (description.extra.size() > kLinesMax)
      step.extra.push_back(fmt::format("… {} more lines", description.extra.size() - kLinesMax));
    // A place whose text cannot be shown is none of the program.
    step.is_inner = description.is_aside || (!description.file.empty() && description.source.empty());
    step.kind = recorded.transition.kind;
    step.alternative = recorded.transition.alternative;
    step.has_alternatives = !observation_.other_alternatives(event).empty();
    step.switched = recorded.switched;
    step.after = causality_.after(event);
    tell_touches(event, step);
    return step;
  }

  void tell_touches(EventId event, StoryStep& step) {
    const std::span<const Touch> touches = history_.touches(history_[event]);
    std::size_t sent = 0;
    for (const Touch& touch : touches) {
      const std::optional<ActorId> owner = observation_.system().owner_of(touch.object);
      if (is_send(touch.access)) {
        const std::vector<std::string>& values = observation_.events()[event].description.sent;
        StoryMessage& message = step.sends.emplace_back();
        if (owner) message.to = actors_.index_of(*owner);
        if (sent < values.size()) message.text = cut_text(values[sent], step.is_cut);
        ++sent;
      } else if (touch.access == Access::kCreate && owner && !step.spawns) {
        step.spawns = actors_.index_of(*owner);
      }
      if (touch.access == Access::kPass || step.touches.size() == kTouchesMax) continue;
      StoryTouch told{.object = object_text(touch, owner), .is_write = touch.access != Access::kRead};
      const auto same = [&](const StoryTouch& other) { return other.object == told.object; };
      const auto known = std::ranges::find_if(step.touches, same);
      if (known == step.touches.end()) {
        step.touches.push_back(std::move(told));
      } else {
        known->is_write = known->is_write || told.is_write;
      }
    }
  }

  std::string object_text(const Touch& touch, std::optional<ActorId> owner) {
    if (owner)
      return (is_of_mailbox(touch.access) ? "mailbox of " : "life of ") +
             actors_[actors_.index_of(*owner)].name;
    return fmt::format("object {}", objects_.try_emplace(touch.object, objects_.size() + 1).first->second);
  }

  const Observation& observation_;
  const History& history_;
  const Causality& causality_;
  StoryActors& actors_;
  StorySources& sources_;
  std::unordered_map<std::uint64_t, std::size_t> objects_;  // in the order of their first touch
};

}  // namespace

std::string outcome_text(const Recording& recording) {
  if (recording.bug) return recording.bug->kind;
  if (recording.refusal) return "unsupported";
  return recording.outcome == Outcome::kFinished ? "finished" : "running";
}

StoryExecution tell_execution(const Observation& observation, const Causality& causality, StoryActors& actors,
                              StorySources& sources) {
  StoryExecution execution;
  execution.outcome = outcome_text(observation.recording());
  Teller teller(observation, causality, actors, sources);
  execution.steps = teller.tell();
  teller.connect_messages(execution.steps);
  for (const WaitingActor& waiting : observation.system().waiting()) {
    StoryWaiting& told = execution.waiting.emplace_back();
    told.actor = actors.index_of(waiting.actor);
    for (const std::string& line : waiting.lines) told.lines.push_back(cut_text(line));
  }
  execution.output = cut_text(observation.recording().output, 10 * kStoryTextMax);
  return execution;
}

void note_lives(const Observation& observation, const StoryExecution& execution, StoryActors& actors) {
  const bool is_over = observation.recording().outcome == Outcome::kFinished;
  std::map<std::size_t, std::size_t> last;  // steps
  for (std::size_t i = 0; i < execution.steps.size(); ++i) {
    const StoryStep& step = execution.steps[i];
    last[step.actor] = i;
    if (step.spawns && !actors[*step.spawns].born) actors[*step.spawns].born = i;
  }
  const auto goes_on = [&](std::size_t actor, std::size_t step) {
    const auto waits = [&](const StoryWaiting& one) { return one.actor == actor; };
    if (std::ranges::any_of(execution.waiting, waits)) return true;
    if (is_over) return false;
    // Who could move at the end is not known any more: so who could before the last step counts.
    if (step + 1 == execution.steps.size()) return !observation.recording().bug.has_value();
    const auto is_it = [&](const StoryChoice& choice) { return choice.actor == actor; };
    return execution.steps.empty() || std::ranges::any_of(execution.steps.back().choices, is_it);
  };
  for (const auto& [actor, step] : last) {
    if (goes_on(actor, step)) continue;
    actors[actor].ended = step;
    actors[actor].end = execution.steps[step].text;
  }
}

void add_choices(const Observation& observation, std::size_t choices_max, StoryActors& actors,
                 StoryExecution& execution) {
  System& system = observation.system();
  system.set_descriptions(Descriptions::kOn);  // as when it was observed
  system.reset();
  for (EventId event = 0; event < observation.length(); ++event) {
    const Transition& taken = observation.events()[event].transition;
    StoryStep& step = execution.steps[event];
    bool is_possible = false;
    for (const Transition& other : system.enabled()) {
      if (other == taken) {
        is_possible = true;
      } else if (step.choices.size() < choices_max) {
        step.choices.push_back(
            {.actor = actors.index_of(other.actor), .kind = other.kind, .alternative = other.alternative});
      } else {
        ++step.choices_cut;
      }
    }
    if (!is_possible) break;  // a program that does not do the same again: what was seen so far is right
    system.step(taken);
  }
  system.set_descriptions(Descriptions::kOff);
  std::map<std::size_t, std::size_t> next;
  for (std::size_t i = execution.steps.size(); i-- > 0;) {
    StoryStep& step = execution.steps[i];
    next[step.actor] = i;
    for (StoryChoice& choice : step.choices)
      if (const auto later = next.find(choice.actor); later != next.end()) choice.next = later->second;
  }
}

}  // namespace ravel
