#include "front_ends/threads/bug_recorder.h"

#include <algorithm>

#include "check/ticket_writer.h"
#include "front_ends/threads/findings.h"
#include "front_ends/threads/program_note.h"
#include "front_ends/threads/program_tests.h"
#include "host/messages.h"

namespace ravel::threads {

RecordedBug& BugRecorder::record(RemoteSystem& system, const Configuration& configuration,
                                 const RawFoundBug& raw, const NamedBug& found) {
  Configuration recorded_with = configuration;
  recorded_with.tracked = raw.tracked;
  recorded_with.watched = raw.bug.watched;
  recorded_with.is_fair = raw.is_fair;
  auto known = std::ranges::find_if(known_, [&](const Known& one) {
    return one.schedule == found.schedule && one.configuration == recorded_with;
  });
  const bool is_new = known == known_.end();
  if (is_new)
    known = known_.insert(
        known_.end(),
        {.configuration = std::move(recorded_with), .schedule = found.schedule, .recorded = {}});
  RecordedBug& recorded = known->recorded;
  const NamedBug before = std::move(recorded.bug);
  recorded.bug = found;
  if (is_new) {
    record(*known, system, raw);
  } else if (recorded.recording.bug) {
    recorded.bug.bug = before.bug;
    recorded.bug.variables = before.variables;
  } else {
    // The process may tell more of addresses than when it searched.
    recorded.bug.bug = system.texts().translate(raw.bug);
  }
  return recorded;
}

void BugRecorder::record(Known& known, RemoteSystem& system, const RawFoundBug& raw) {
  RecordedBug& recorded = known.recorded;
  NamedBug& bug = recorded.bug;
  recorded.configuration = known.configuration;
  bug.bug = system.texts().translate(raw.bug);
  if (auto replayer = RemoteSystem::start(call_, known.configuration))
    recorded.recording = record_carefully(**replayer, known.schedule, events_max_);
  if (!recorded.recording.bug) {
    remark("the schedule of '" + bug.bug.message +
               "' did not lead there again: the program depends on more than its schedule",
           report_.colour);
    return;
  }
  bug.bug = *recorded.recording.bug;
  if (bug.bounds && !bug.bounds->objects.empty())
    bug.variables = name_objects(known.configuration, known.schedule, bug.bounds->objects);
}

// Objects are those of the execution, which is run again up to the event before its last: after that the
// process may be gone.
std::vector<NamedVariable> BugRecorder::name_objects(Configuration configuration,
                                                     const std::vector<NamedStep>& schedule,
                                                     const std::vector<std::uint64_t>& objects) const {
  configuration.isolates = false;
  auto system = RemoteSystem::start(call_, configuration);
  if (!system) return {};
  (*system)->reset();
  for (std::size_t i = 0; i + 1 < schedule.size(); ++i) {
    const auto actor = (*system)->find_actor(schedule[i].actor);
    if (!actor || (*system)->outcome() != Outcome::kRunning) return {};
    (*system)->step({.actor = *actor, .alternative = schedule[i].alternative, .kind = schedule[i].kind});
  }
  std::vector<NamedVariable> named;
  for (const std::uint64_t object : objects) named.push_back((*system)->variable_at(object));
  return named;
}

Status BugRecorder::write_ticket(RecordedBug& recorded) const {
  if (!recorded.ticket.empty()) return Success{};
  Configuration replayed = recorded.configuration;
  replayed.isolates = false;  // for one execution a process is enough
  const auto path = ravel::write_ticket({.folder = folder_,
                                         .front_end = kFrontEndName,
                                         .test = file_name(call_),
                                         .program = print_program_note(note_program(call_, replayed)),
                                         .events_max = events_max_},
                                        recorded.recording, *recorded.recording.bug);
  if (!path) return path.error();
  recorded.ticket = *path;
  return Success{};
}

}  // namespace ravel::threads
