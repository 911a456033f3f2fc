#include "story/make_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/assumptions.h"
#include "report/race_text.h"
#include "story/causality.h"
#include "story/story_actors.h"
#include "story/story_calls.h"
#include "story/story_races.h"
#include "story/story_text.h"
#include "story/told_execution.h"

namespace ravel {

namespace {

// What else could have moved at one step: more are counted.
constexpr std::size_t kChoicesMax = 100;
// From this length on the choices of all steps together would be the larger part of a story.
constexpr std::size_t kStepsWithChoicesMax = 20'000;

constexpr std::size_t kSourceBytesMax = 1'000'000;

// A failing execution that is longer has no passing one beside it: nobody compares so many steps.
constexpr std::size_t kComparedStepsMax = 20'000;

StoryBug tell_bug(const Bug& bug, const StoryActors& actors) {
  StoryBug told;
  told.kind = bug.kind;
  std::string kind = bug.kind;
  std::ranges::replace(kind, '_', ' ');
  told.message = cut_characters(bug.message);
  told.title = cut_characters(bug.message.starts_with(kind) ? bug.message : kind + ": " + bug.message, 300);
  told.file = bug.file;
  told.line = bug.line;
  told.actor = actors.find(std::string_view(bug.actor));
  for (const std::string& detail : bug.details) told.details.push_back(cut_characters(detail));
  return told;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    if (!line.empty()) lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

// What the text says after its title, each change as one sentence.
std::vector<std::string> tell_difference(const Explanation& explanation) {
  constexpr std::string_view kTitle = "What makes the difference:", kNext = "and then ";
  std::vector<std::string> sentences;
  for (std::string line : lines_of(describe_explanation(explanation, Colour::kOff))) {
    if (line.starts_with(kTitle)) line.erase(0, std::min(kTitle.size() + 1, line.size()));
    if (line.empty()) continue;
    if (sentences.empty() || line.starts_with(kNext)) {
      sentences.push_back(std::move(line));
    } else {
      sentences.back() += " " + line;
    }
  }
  for (std::string& sentence : sentences) sentence = cut_characters(sentence);
  return sentences;
}

bool is_same_step(const StoryStep& one, const StoryStep& other) {
  return one.actor == other.actor && one.kind == other.kind && one.alternative == other.alternative;
}

// Where the passing execution departs, the failing one had the choice to do so.
void compare(StoryExecution& failing, StoryExecution& passing) {
  const auto [one, other] = std::ranges::mismatch(failing.steps, passing.steps, is_same_step);
  passing.common = static_cast<std::size_t>(one - failing.steps.begin());
  if (one == failing.steps.end() || other == passing.steps.end()) return;
  for (StoryChoice& choice : one->choices) {
    if (choice.actor != other->actor || choice.kind != other->kind ||
        choice.alternative != other->alternative)
      continue;
    choice.leads_to = LeadsTo::kPasses;
    choice.text = other->text;
  }
}

class StoryMaker {
 public:
  StoryMaker(const Observation& failing, const StoryRequest& request)
      : failing_(failing), request_(request), actors_(failing.system(), request.actors) {}

  Story make() {
    const LastEvent last =
        failing_.system().stops_others() ? LastEvent::kStopsOthers : LastEvent::kIsOrdinary;
    const Causality causality(failing_, last);
    tell_failing(causality);
    const std::optional<Explanation> explanation = explain();
    if (explanation) story_.difference = tell_difference(*explanation);
    const std::vector<Race> races = races_to_tell(failing_, causality);
    const bool has_difference = explanation && !explanation->changes.empty();
    add_races(failing_, races, has_difference ? &explanation->changes.front() : nullptr, story_.failing);
    mark_relevant(failing_, causality, story_.bug ? &*story_.bug : nullptr, story_.failing);
    if (has_difference && !explanation->passing.empty()) tell_passing(explanation->passing);
    story_.actors = actors_.take();
    mark_inner(story_);
    note_calls(story_.failing, story_.actors, request_.say_call);
    if (story_.passing) note_calls(*story_.passing, story_.actors, request_.say_call);
    story_.sources = sources_.take(request_.read_source, kSourceBytesMax);
    return std::move(story_);
  }

 private:
  void tell_failing(const Causality& causality) {
    const Recording& recording = failing_.recording();
    story_.front_end = request_.front_end;
    story_.test = request_.test;
    story_.replay = request_.replay;
    story_.preemptions = recording.preemptions;
    for (const std::string& line : lines_of(describe_assumptions(failing_.system().assumed())))
      story_.assumptions.push_back(cut_characters(line));
    story_.failing = tell_execution(failing_, causality, actors_, sources_);
    story_.failing.loop = request_.loop;
    story_.failing.left_out = request_.left_out;
    if (request_.tells_choices && story_.failing.steps.size() <= kStepsWithChoicesMax) look_again();
    note_lives(story_.failing, actors_);
    const std::optional<Bug>& bug = request_.endless_bug ? request_.endless_bug : recording.bug;
    if (!bug) return;
    story_.failing.outcome = bug->kind;
    story_.bug = tell_bug(*bug, actors_);
    note_waiting(*bug, actors_, story_.failing);
  }

  // What only the execution itself can be asked for, step by step.
  void look_again() {
    const bool is_same = run_again(failing_, kChoicesMax, actors_, story_.failing, [this](StoryStep& step) {
      if (!request_.state_changes) return;
      for (const ChangedPart& changed : request_.state_changes()) {
        StoryState& state = step.state.emplace_back();
        if (changed.actor) state.actor = actors_.index_of(*changed.actor);
        state.part = changed.part;
        state.name = cut_characters(changed.name);
        for (const std::string& line : changed.lines) state.lines.push_back(cut_characters(line));
      }
    });
    if (!is_same || !request_.waits_for) return;
    for (const WaitsFor& known : request_.waits_for()) {
      const std::size_t actor = actors_.index_of(known.actor);
      const auto waiting = std::ranges::find(story_.failing.waiting, actor, &StoryWaiting::actor);
      if (waiting == story_.failing.waiting.end()) continue;
      for (const ActorId other : known.others) waiting->waits_for.push_back(actors_.index_of(other));
    }
  }

  std::optional<Explanation> explain() const {
    const Recording& recording = failing_.recording();
    if (request_.why) return request_.why;
    if (!story_.bug || request_.endless_bug || !recording.bug || !request_.explain) return std::nullopt;
    return request_.explain(recording);
  }

  void tell_passing(const std::vector<NamedStep>& steps) {
    if (failing_.length() > kComparedStepsMax) return;
    Observation passing(failing_.system(), request_.events_max);
    passing.run(steps);
    if (passing.finish().outcome != Outcome::kFinished) return;  // it does not pass here
    const Causality causality(passing, LastEvent::kIsOrdinary);
    story_.passing = tell_execution(passing, causality, actors_, sources_);
    compare(story_.failing, *story_.passing);
  }

  const Observation& failing_;
  const StoryRequest& request_;
  StoryActors actors_;
  StorySources sources_;
  Story story_;
};

}  // namespace

Story make_story(const Observation& failing, const StoryRequest& request) {
  return StoryMaker(failing, request).make();
}

}  // namespace ravel
