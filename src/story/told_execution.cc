#include "story/told_execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

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
    describe_step(description, sources_, step);
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
        if (sent < values.size()) message.text = cut_characters(values[sent], step.is_cut);
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
    for (const std::string& line : waiting.lines) told.lines.push_back(cut_characters(line));
  }
  execution.output = cut_characters(observation.recording().output, 10 * kStoryTextMax);
  return execution;
}

void describe_step(const EventDescription& description, StorySources& sources, StoryStep& step) {
  step.text = cut_characters(description.text, step.is_cut);
  step.source = sources.index_of(description.file);
  step.line = description.line;
  step.code = cut_characters(description.source);
  for (std::size_t i = 0; i < std::min(kLinesMax, description.extra.size()); ++i)
    step.extra.push_back(cut_characters(description.extra[i], step.is_cut));
  if (description.extra.size() > kLinesMax)
    step.extra.push_back(fmt::format("… {} more lines", description.extra.size() - kLinesMax));
  // A place whose text cannot be shown is none of the program.
  step.is_by_library = description.is_by_library;
  step.is_inner = description.is_aside || (!description.file.empty() && description.source.empty());
}

namespace {

// Whether a step is the last thing that its actor does by itself; others may be told of it afterwards.
bool is_end(std::string_view text) {
  constexpr std::array<std::string_view, 4> kEnds = {"ends", "exits with ", "is killed", "halts"};
  for (std::size_t begin = 0; begin < text.size();) {
    const std::string_view rest = text.substr(begin);
    if (std::ranges::any_of(kEnds, [&](std::string_view end) { return rest.starts_with(end); })) return true;
    const std::size_t next = rest.find("; ");  // of several operations in one step
    if (next == std::string_view::npos) break;
    begin += next + 2;
  }
  return false;
}

}  // namespace

void note_lives(const StoryExecution& execution, StoryActors& actors) {
  std::map<std::size_t, std::size_t> last;  // steps
  for (std::size_t i = 0; i < execution.steps.size(); ++i) {
    const StoryStep& step = execution.steps[i];
    last[step.actor] = i;
    if (step.spawns && !actors[*step.spawns].born) actors[*step.spawns].born = i;
    if (actors[step.actor].end.empty() && is_end(step.text)) actors[step.actor].end = step.text;
  }
  for (const auto& [actor, step] : last)
    if (!actors[actor].end.empty()) actors[actor].ended = step;
}

namespace {

// The actors that are named after these words.
std::vector<std::size_t> actors_after(std::string_view line, std::string_view words,
                                      const StoryActors& actors) {
  std::vector<std::size_t> found;
  for (std::size_t at = line.find(words); at != std::string_view::npos; at = line.find(words, at + 1)) {
    const std::string_view rest = line.substr(at + words.size());
    std::string_view name = rest.substr(0, rest.find_first_of(" ,;:"));
    if (const auto actor = actors.find(name)) found.push_back(*actor);
  }
  return found;
}

}  // namespace

void note_waiting(const Bug& bug, const StoryActors& actors, StoryExecution& execution) {
  if (bug.kind != "deadlock") return;
  for (const std::string& line : bug.details) {
    const auto actor = actors.find(std::string_view(line).substr(0, line.find(' ')));
    if (!actor) continue;
    const auto known = std::ranges::find(execution.waiting, *actor, &StoryWaiting::actor);
    StoryWaiting& waiting = known == execution.waiting.end() ? execution.waiting.emplace_back() : *known;
    waiting.actor = *actor;
    if (waiting.lines.empty()) waiting.lines.push_back(cut_characters(line));
    for (const std::string_view words : {"held by ", "the end of "})
      for (const std::size_t other : actors_after(line, words, actors))
        if (std::ranges::find(waiting.waits_for, other) == waiting.waits_for.end())
          waiting.waits_for.push_back(other);
  }
}

namespace {

// Each choice with the step with which its actor goes on.
void connect_choices(StoryExecution& execution) {
  std::map<std::size_t, std::size_t> next;
  for (std::size_t i = execution.steps.size(); i-- > 0;) {
    StoryStep& step = execution.steps[i];
    next[step.actor] = i;
    for (StoryChoice& choice : step.choices)
      if (const auto later = next.find(choice.actor); later != next.end()) choice.next = later->second;
  }
}

}  // namespace

bool run_again(const Observation& observation, std::size_t choices_max, StoryActors& actors,
               StoryExecution& execution, const std::function<void(StoryStep&)>& after_step) {
  System& system = observation.system();
  system.set_descriptions(Descriptions::kOn);  // as when it was observed
  system.reset();
  bool is_same = true;
  for (EventId event = 0; event < observation.length() && is_same; ++event) {
    const Transition& taken = observation.events()[event].transition;
    StoryStep& step = execution.steps[event];
    is_same = false;
    for (const Transition& other : system.enabled()) {
      if (other == taken) {
        is_same = true;
      } else if (step.choices.size() < choices_max) {
        step.choices.push_back(
            {.actor = actors.index_of(other.actor), .kind = other.kind, .alternative = other.alternative});
      } else {
        ++step.choices_cut;
      }
    }
    if (!is_same) break;  // a program that does not do the same again: what was seen so far is right
    system.step(taken);
    after_step(step);
  }
  system.set_descriptions(Descriptions::kOff);
  connect_choices(execution);
  return is_same;
}

}  // namespace ravel
