#include "dap/debuggee.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "check/replay_subject.h"

namespace ravel::dap {

namespace {

namespace fs = std::filesystem;

std::string canonical(const std::string& path) {
  std::error_code problem;
  const fs::path found = fs::canonical(path, problem);
  return problem ? std::string() : found.string();
}

std::string file_name(const std::string& path) { return fs::path(path).filename().string(); }

std::vector<Transition> schedule_of(const Recording& recording) {
  std::vector<Transition> schedule;
  for (const RecordedEvent& event : recording.events) schedule.push_back(event.transition);
  return schedule;
}

std::string title_of(StateKind kind) {
  std::string title(word_of(kind));
  title.front() = static_cast<char>(title.front() - 'a' + 'A');
  return title;
}

std::string text_of(const StatePart& part) {
  std::string text;
  for (const StateLine& line : part.lines) text += (text.empty() ? "" : ", ") + to_string(line);
  return text;
}

// A part without a name has a variable for each line.
void add_variables(const StatePart& part, std::vector<Variable>& variables) {
  const std::string word(word_of(part.kind));
  if (!part.name.empty() || part.lines.size() == 1) {
    const bool counts =
        part.kind == StateKind::kMailbox || part.kind == StateKind::kLinks || part.kind == StateKind::kLocks;
    variables.push_back({.name = !part.name.empty() ? part.name
                                 : counts           ? "1"
                                                    : word,
                         .value = text_of(part)});
    return;
  }
  for (std::size_t i = 0; i < part.lines.size(); ++i)
    variables.push_back({.name = std::to_string(i + 1), .value = to_string(part.lines[i])});
}

std::string text_of(const RecordedEvent& event) {
  std::string text = event.description.actor + " " + event.description.text;
  for (const std::string& more : event.description.extra) text += "; " + more;
  return text;
}

std::vector<std::string> remarks_of(const Subject& subject, const Replay& replayed) {
  std::vector<std::string> remarks;
  if (const auto changed = subject.test->changed(); !changed.empty())
    remarks.push_back(fmt::format("Since this ticket was written {} {} changed.", fmt::join(changed, ", "),
                                  changed.size() == 1 ? "has" : "have"));
  if (replayed.divergence)
    remarks.push_back(fmt::format("The schedule could be followed up to step {}: then {}.",
                                  replayed.divergence->step, replayed.divergence->what));
  if (replayed.outcome == ReplayOutcome::kAnotherBug) remarks.push_back("Another bug happens now.");
  if (replayed.outcome == ReplayOutcome::kNoBug) remarks.push_back("The bug does not happen any more.");
  if (replayed.recording.refusal)
    remarks.push_back("No schedule controls what the program does: " + replayed.recording.refusal->message +
                      ".");
  return remarks;
}

}  // namespace

Result<std::unique_ptr<Debuggee>> Debuggee::open(const FrontEnds& front_ends, const std::string& ticket,
                                                 std::span<const std::string> files) {
  auto subject = open_saved(front_ends, ticket, files, {}, Purpose::kReplay);
  if (!subject) return subject.error();
  if (!subject->ticket)
    return Error{ticket + ": this is a trace. The debugger goes through the execution of a ticket."};
  if (subject->test->inspecting() == nullptr)
    return Error{ticket + ": programs of this kind do not tell what their actors have at hand."};
  auto replayed = replay_subject(*subject, ticket);
  if (!replayed) return replayed.error();
  std::vector<std::string> remarks = remarks_of(*subject, *replayed);
  return std::unique_ptr<Debuggee>(
      new Debuggee(std::move(*subject), std::move(replayed->recording), std::move(remarks)));
}

Debuggee::Debuggee(Subject subject, Recording recording, std::vector<std::string> remarks)
    : subject_(std::move(subject)),
      recording_(std::move(recording)),
      remarks_(std::move(remarks)),
      timeline_(std::make_unique<Timeline>(subject_.system(), schedule_of(recording_))) {}

std::vector<Breakpoint> Debuggee::set_breakpoints(const std::string& path,
                                                  std::span<const std::uint32_t> lines) {
  const std::string own = canonical(path);
  // A file that is not here is one that the program was compiled from elsewhere.
  const auto is_of_file = [&](const std::string& event_path) {
    return own.empty() ? file_name(event_path) == file_name(path) : event_path == own;
  };
  std::erase_if(breakpoints_, [&](const auto& one) { return is_of_file(one.first); });
  std::vector<Breakpoint> set;
  for (const std::uint32_t line : lines) {
    Breakpoint& breakpoint = set.emplace_back(Breakpoint{.line = line});
    for (const RecordedEvent& event : recording_.events) {
      if (event.description.line != line || event.description.file.empty()) continue;
      const SourcePlace place = place_of(event.description.file, line);
      const std::string& known = place.path.empty() ? place.name : place.path;
      if (!is_of_file(known)) continue;
      breakpoints_.emplace(known, line);
      breakpoint.is_met = true;
    }
  }
  return set;
}

// Before a step at a line that has one.
bool Debuggee::is_breakpoint(std::size_t position) const {
  if (position >= recording_.events.size() || breakpoints_.empty()) return false;
  const EventDescription& next = recording_.events[position].description;
  if (next.file.empty()) return false;
  const SourcePlace place = place_of(next.file, next.line);
  return breakpoints_.contains({place.path.empty() ? place.name : place.path, next.line});
}

Result<Stop> Debuggee::move_to(std::size_t position, StopReason reason, std::optional<Number> thread) {
  states_.reset();
  frames_.clear();
  variables_.clear();
  if (!timeline_->go_to(position))
    return Error{fmt::format("step {} could not be taken again: the program does not do twice the same",
                             timeline_->position() + 1)};
  Stop stop = stop_here(reason);
  if (thread) stop.thread = *thread;
  return stop;
}

// At the end it is the bug, or the end, that it stops for.
Result<Stop> Debuggee::end_or(std::size_t position, StopReason reason, std::optional<Number> thread) {
  if (position < length()) return move_to(position, reason, thread);
  return move_to(length(), recording_.bug ? StopReason::kBug : StopReason::kEnd);
}

Stop Debuggee::stop_here(StopReason reason) const {
  Stop stop{.reason = reason};
  const RecordedEvent* const next = next_event();
  const std::optional<ActorId> actor =
      next != nullptr ? std::optional(next->transition.actor) : actor_at_end();
  if (actor) stop.thread = static_cast<Number>(*actor) + 1;
  if (reason == StopReason::kBug) stop.text = recording_.bug->message;
  if (reason == StopReason::kEnd)
    stop.text = recording_.refusal ? recording_.refusal->message : "the execution has ended";
  return stop;
}

Result<Stop> Debuggee::begin() { return move_to(0, StopReason::kEntry); }

Result<Stop> Debuggee::go_on() {
  std::size_t position = std::min(this->position() + 1, length());
  while (position < length() && !is_breakpoint(position)) ++position;
  return end_or(position, StopReason::kBreakpoint, {});
}

Result<Stop> Debuggee::go_back() {
  std::size_t position = this->position();
  while (position > 0)
    if (is_breakpoint(--position)) return move_to(position, StopReason::kBreakpoint);
  return move_to(0, StopReason::kEntry);
}

Result<Stop> Debuggee::step(Number thread) {
  const std::optional<ActorId> actor = actor_of(thread);
  for (std::size_t at = position(); at < length(); ++at) {
    if (at > position() && is_breakpoint(at)) return move_to(at, StopReason::kBreakpoint);
    if (actor && recording_.events[at].transition.actor == *actor)
      return end_or(at + 1, StopReason::kStep, thread);
  }
  return end_or(length(), StopReason::kStep, thread);
}

Result<Stop> Debuggee::step_any() {
  return end_or(std::min(position() + 1, length()), StopReason::kStep, {});
}

Result<Stop> Debuggee::step_back(Number thread) {
  const std::optional<ActorId> actor = actor_of(thread);
  for (std::size_t at = position(); at-- > 0;)
    if (actor && recording_.events[at].transition.actor == *actor)
      return move_to(at, StopReason::kStep, thread);
  return move_to(0, StopReason::kEntry);
}

const RecordedEvent* Debuggee::next_event() const {
  return position() < recording_.events.size() ? &recording_.events[position()] : nullptr;
}

const RecordedEvent* Debuggee::next_event_of(ActorId actor) const {
  for (std::size_t at = position(); at < recording_.events.size(); ++at)
    if (recording_.events[at].transition.actor == actor) return &recording_.events[at];
  return nullptr;
}

// Whose bug it is, else who has moved last.
std::optional<ActorId> Debuggee::actor_at_end() const {
  if (recording_.bug)
    if (const auto name = ActorName::parse(recording_.bug->actor))
      if (const auto actor = subject_.system().find_actor(*name)) return actor;
  if (recording_.events.empty()) return std::nullopt;
  return recording_.events.back().transition.actor;
}

std::optional<ActorId> Debuggee::actor_of(Number thread) const {
  if (thread < 1 || thread > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return static_cast<ActorId>(thread - 1);
}

// As the last event before calls it, or the first one after.
std::string Debuggee::name_of(ActorId actor) const {
  for (std::size_t at = position(); at-- > 0;)
    if (recording_.events[at].transition.actor == actor) return recording_.events[at].description.actor;
  if (const RecordedEvent* const next = next_event_of(actor)) return next->description.actor;
  return subject_.system().actor_name(actor).to_string();
}

SourcePlace Debuggee::place_of(const std::string& file, std::uint32_t line) const {
  if (file.empty()) return {};
  const auto [known, is_new] = paths_.try_emplace(file);
  if (is_new) known->second = canonical(subject_.test->source_path(file));
  return {.name = file_name(file), .path = known->second, .line = line};
}

const std::vector<ActorState>& Debuggee::states() {
  if (!states_) states_ = subject_.test->inspecting()->inspect();
  return *states_;
}

const ActorState* Debuggee::state_of(std::optional<ActorId> actor) {
  const auto found = std::ranges::find(states(), actor, &ActorState::actor);
  return found == states().end() ? nullptr : &*found;
}

// Also who moves next, or has made the bug, if that is nobody who can be inspected.
std::vector<ThreadName> Debuggee::threads() {
  std::vector<ThreadName> all;
  const auto add = [&](ActorId actor) {
    all.push_back({.id = static_cast<Number>(actor) + 1, .name = name_of(actor)});
  };
  for (const ActorState& state : states())
    if (state.actor) add(*state.actor);
  const Number here = stop_here(StopReason::kStep).thread;
  if (std::ranges::find(all, here, &ThreadName::id) == all.end() && !recording_.events.empty())
    add(static_cast<ActorId>(here - 1));
  return all;
}

std::optional<std::vector<StackFrame>> Debuggee::stack(Number thread) {
  const auto known = threads();
  if (std::ranges::find(known, thread, &ThreadName::id) == known.end()) return std::nullopt;
  const ActorId actor = static_cast<ActorId>(thread - 1);
  std::vector<StackFrame> frames;
  const auto add = [&](std::string name, const std::string& file, std::uint32_t line) {
    frames_.push_back(actor);
    frames.push_back(
        {.id = static_cast<Number>(frames_.size()), .name = std::move(name), .place = place_of(file, line)});
  };
  if (const ActorState* const state = state_of(actor))
    for (const StatePart& part : state->parts)
      if (part.kind == StateKind::kStack)
        for (const StateLine& line : part.lines) add(line.text, line.file, line.line);
  if (!frames.empty()) return frames;
  if (const RecordedEvent* const next = next_event_of(actor)) {
    add(next->description.text, next->description.file, next->description.line);
  } else if (is_at_end() && recording_.bug) {
    add(recording_.bug->message, recording_.bug->file, recording_.bug->line);
  } else {
    add("has ended", "", 0);
  }
  return frames;
}

Scope Debuggee::add_scope(std::string name, std::vector<Variable> variables) {
  const std::size_t size = variables.size();
  variables_.push_back(std::move(variables));
  return {.name = std::move(name), .reference = static_cast<Number>(variables_.size()), .size = size};
}

void Debuggee::add_scopes(const ActorState& state, const std::string& only_name, std::vector<Scope>& scopes) {
  std::vector<std::pair<std::string, std::vector<Variable>>> groups;
  for (const StatePart& part : state.parts) {
    if (part.kind == StateKind::kStack) continue;
    const std::string name = only_name.empty() ? title_of(part.kind) : only_name;
    if (groups.empty() || groups.back().first != name) groups.emplace_back(name, std::vector<Variable>());
    add_variables(part, groups.back().second);
  }
  for (auto& [name, variables] : groups) scopes.push_back(add_scope(name, std::move(variables)));
}

std::vector<Variable> Debuggee::step_variables() const {
  std::vector<Variable> variables = {
      {.name = "taken", .value = fmt::format("{} of {} steps", position(), length())}};
  if (position() > 0)
    variables.push_back({.name = "last", .value = text_of(recording_.events[position() - 1])});
  if (const RecordedEvent* const next = next_event()) {
    variables.push_back({.name = "next", .value = text_of(*next)});
  } else if (recording_.bug) {
    variables.push_back({.name = "bug", .value = recording_.bug->message});
  }
  return variables;
}

std::optional<std::vector<Scope>> Debuggee::scopes(Number frame) {
  if (frame < 1 || frame > static_cast<Number>(frames_.size())) return std::nullopt;
  std::vector<Scope> scopes;
  if (const ActorState* const state = state_of(frames_[static_cast<std::size_t>(frame - 1)]))
    add_scopes(*state, "", scopes);
  if (const ActorState* const shared = state_of(std::nullopt)) add_scopes(*shared, "Shared", scopes);
  scopes.push_back(add_scope("Step", step_variables()));
  return scopes;
}

std::optional<std::vector<Variable>> Debuggee::variables(Number reference) const {
  if (reference < 1 || reference > static_cast<Number>(variables_.size())) return std::nullopt;
  return variables_[static_cast<std::size_t>(reference - 1)];
}

std::optional<std::string> Debuggee::value_of(const std::string& name, Number frame) {
  const auto find_in = [&](const ActorState* state) -> std::optional<std::string> {
    if (state == nullptr) return std::nullopt;
    for (const StatePart& part : state->parts)
      if (part.kind != StateKind::kStack && (part.name.empty() ? word_of(part.kind) : part.name) == name)
        return text_of(part);
    return std::nullopt;
  };
  const bool has_frame = frame >= 1 && frame <= static_cast<Number>(frames_.size());
  const ActorState* const own = has_frame ? state_of(frames_[static_cast<std::size_t>(frame - 1)]) : nullptr;
  const auto value = find_in(own);
  return value ? value : find_in(state_of(std::nullopt));
}

std::string Debuggee::take_output() {
  const std::string now = subject_.system().output_so_far();
  if (now.size() <= output_.size() || !now.starts_with(output_)) return {};
  std::string more = now.substr(output_.size());
  output_ = now;
  return more;
}

}  // namespace ravel::dap
