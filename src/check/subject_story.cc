#include "check/subject_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "engine/inspecting.h"
#include "engine/round_finder.h"
#include "engine/state_changes.h"
#include "host/files.h"
#include "host/messages.h"
#include "story/make_story.h"
#include "story/plain_story.h"

namespace ravel {

namespace {

// A story of more steps is not read. What a ticket notes is told to its end, unless it has none.
constexpr std::size_t kStepsMax = 20'000, kEndlessStepsMax = 5'000;

// Rows of a story in a report. Of what goes round for ever fewer are enough.
constexpr std::size_t kRowsMax = 200, kRowsOfEndless = 60;

// For the passing execution: so many times as long as the failing one it may be.
constexpr std::uint64_t kTimesAsLong = 20, kEventsMore = 500;

bool is_endless(const Ticket& ticket) {
  return ticket.lasso || ticket.bug.kind == kLivelock || ticket.bug.kind == "event_bound";
}

std::string in_shell(const std::string& file) {
  const bool is_plain = std::ranges::all_of(file, [](unsigned char c) {
    return std::isalnum(c) != 0 || c >= 0x80 ||
           std::string_view("/._-+:@%,=").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (is_plain) return file;
  std::string quoted = "'";
  for (const char c : file) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

SayCall say_call_of(const FrontEnd& front_end) {
  return [&front_end](const std::string& question, const std::string& answer) {
    return front_end.say_call(question, answer);
  };
}

class SubjectTeller {
 public:
  SubjectTeller(const Subject& subject, const ReportOptions& report) : subject_(subject), report_(report) {}

  ToldSubject tell(const std::string& saved) {
    std::unique_ptr<Observation> observation = follow();
    if (observation->recording().refusal) return {.refusal = observation->recording().refusal};
    ask_subject(subject_, observation->length(), request_);
    if (!saved.empty()) request_.replay = "ravel replay " + in_shell(saved);
    Story story = make_story(*observation, request_);
    return {.story = std::move(story), .observation = std::move(observation)};
  }

 private:
  std::unique_ptr<Observation> follow() {
    if (subject_.trace) return observe(subject_, report_);
    if (subject_.ticket && is_endless(*subject_.ticket)) return follow_endless(*subject_.ticket);
    auto observation = std::make_unique<Observation>(subject_.system(), subject_.events_max);
    take_noted(*observation, subject_.steps.size());
    const std::size_t most = std::max(kStepsMax, subject_.steps.size() + kEventsMore);
    while (observation->running() && observation->length() < most) observation->take_first();
    const Recording& recording = observation->finish();
    if (recording.outcome == Outcome::kRunning)
      remark(fmt::format("the execution goes on; its first {} events are told", observation->length()),
             report_.colour);
    if (subject_.ticket && !(recording.bug && same_bug_elsewhere(*recording.bug, subject_.ticket->bug)))
      remark_gone();
    return observation;
  }

  // How many of the noted steps could be taken.
  std::size_t take_noted(Observation& observation, std::size_t most) {
    std::size_t taken = 0;
    while (taken < most && observation.running()) {
      const auto transition = observation.find(subject_.steps[taken]);
      if (!transition) break;
      observation.take(*transition);
      ++taken;
    }
    return taken;
  }

  // What comes again and again is told once. The bug is there if everything is as the ticket notes it.
  std::unique_ptr<Observation> follow_endless(const Ticket& ticket) {
    const std::size_t length = ticket.schedule.size();
    const bool is_cut_off = ticket.bug.kind == "event_bound";
    const std::size_t most = std::min(length, is_cut_off ? kEndlessStepsMax : std::max(kStepsMax, length));
    auto observation = std::make_unique<Observation>(subject_.system(), length + 1);
    RoundFinder rounds;
    const bool looks_for_round = ticket.bug.kind == kLivelock && !ticket.lasso;
    if (looks_for_round) rounds.note(subject_.system(), std::nullopt);
    for (std::size_t taken = 0; taken < most && observation->running(); ++taken) {
      const auto transition = observation->find(subject_.steps[taken]);
      if (!transition) break;
      observation->take(*transition);
      if (looks_for_round) rounds.note(subject_.system(), transition->actor);
    }
    observation->finish();
    const bool goes_round = !looks_for_round || (rounds.round() && rounds.round()->is_fair);
    if (observation->length() < most || !goes_round || !is_as_noted(*observation, ticket)) {
      remark_gone();
      return observation;
    }
    request_.endless_bug = ticket.bug;
    request_.left_out = length - most;
    if (looks_for_round) request_.loop = rounds.round()->begin;
    if (ticket.lasso && ticket.lasso->loop > 0) request_.loop = length - ticket.lasso->loop;
    if (request_.left_out > 0)
      remark(fmt::format("the execution of this ticket has {} events; its first {} are told", length, most),
             report_.colour);
    return observation;
  }

  bool is_as_noted(const Observation& observation, const Ticket& ticket) const {
    if (!subject_.test->changed().empty() && observation.length() < ticket.schedule.size()) return false;
    for (std::size_t i = 0; i < observation.length(); ++i)
      if (observation.events()[i].description.text != ticket.schedule[i].operation) return false;
    return true;
  }

  void remark_gone() const {
    remark("the bug of this ticket does not happen any more; see 'ravel replay'", report_.colour);
  }

  const Subject& subject_;
  const ReportOptions& report_;
  StoryRequest request_;
};

}  // namespace

ToldSubject tell_subject(const Subject& subject, const std::string& saved, const ReportOptions& report) {
  return SubjectTeller(subject, report).tell(saved);
}

namespace {

// The story of a recorded execution, which the System runs again.
std::optional<Story> run_again(const FrontEnd& front_end, System& system, const Recording& recording,
                               const std::optional<Explanation>& why, StoryForm form) {
  const std::size_t length = recording.events.size();
  Observation observation(system, length + 1);
  for (const NamedStep& step : steps_of(recording)) {
    const auto transition = observation.find(step);
    if (!transition) return std::nullopt;
    observation.take(*transition);
  }
  const Recording& observed = observation.finish();
  StoryRequest request{.front_end = std::string(front_end.name()), .test = ""};
  request.actors = front_end.actor_kind();
  request.read_source = [](const std::string&) { return Error{"it is not needed"}; };
  request.say_call = say_call_of(front_end);
  if (recording.bug && !(observed.bug && observed.bug->is_same(*recording.bug)))
    request.endless_bug = recording.bug;
  if (recording.lasso && recording.lasso->loop > 0) request.loop = length - recording.lasso->loop;
  request.why = why;
  if (request.why) request.why->passing.clear();
  request.tells_choices = form == StoryForm::kLanes;
  return make_story(observation, request);
}

}  // namespace

std::string tell_recording(const FrontEnd& front_end, System* system, const Recording& recording,
                           const std::optional<Explanation>& why, const StoryWish& wish,
                           const StoryLook& look) {
  const std::size_t length = recording.events.size();
  const bool is_endless =
      recording.bug && (recording.bug->kind == "event_bound" || recording.bug->kind == kLivelock);
  const StoryViewOptions view{.colour = look.colour,
                              .columns = look.columns,
                              .folding = wish.folding,
                              .rows_max = is_endless ? kRowsOfEndless : kRowsMax};
  std::optional<Story> story;
  // Where operations block there are no messages, and all of a short execution is told anyway.
  const bool is_told_as_it_is = wish.form == StoryForm::kLines &&
                                (wish.folding == Folding::kNever || length <= kScreenLines) &&
                                system != nullptr && system->operations_block();
  if (system != nullptr && length <= kStepsMax && !recording.refusal && !is_told_as_it_is)
    story = run_again(front_end, *system, recording, why, wish.form);
  if (!story) story = plain_story(recording);
  return tell_steps(*story, wish.form, view);
}

namespace {

// Has the story tell the state of actors, step by step, if that is known.
void ask_for_state(const Subject& subject, StoryRequest& request) {
  Inspecting* const inspecting = subject.test->inspecting();
  if (inspecting == nullptr) return;
  const auto follower = std::make_shared<StateFollower>(*inspecting);
  request.state_changes = [follower] {
    std::vector<ChangedPart> changes;
    for (const StateChange& change : follower->changes()) {
      ChangedPart& part = changes.emplace_back();
      part.actor = change.actor;
      part.part = word_of(change.part.kind);
      part.name = change.part.name;
      for (const StateLine& line : change.part.lines) part.lines.push_back(to_string(line));
    }
    return changes;
  };
  request.waits_for = [follower] {
    std::vector<WaitsFor> all;
    for (const ActorState& actor : follower->present())
      if (actor.actor && !actor.waits_for.empty())
        all.push_back({.actor = *actor.actor, .others = actor.waits_for});
    return all;
  };
}

}  // namespace

void ask_subject(const Subject& subject, std::size_t length, StoryRequest& request) {
  request.front_end = std::string(subject.front_end->name());
  request.actors = subject.front_end->actor_kind();
  request.test = subject.test->title();
  request.read_source = [&subject](const std::string& file) {
    return read_text_file(subject.test->source_path(file));
  };
  request.say_call = say_call_of(*subject.front_end);
  request.events_max = std::min<std::uint64_t>(subject.events_max, kTimesAsLong * length + kEventsMore);
  request.explain = [&subject](const Recording& recording) {
    return subject.test->explain(recording, subject.events_max);
  };
  ask_for_state(subject, request);
}

}  // namespace ravel
