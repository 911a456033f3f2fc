#include "erlang/system/step_descriptions.h"

#include <algorithm>

namespace ravel::erlang {

namespace {

// How many operations are told of one step, in a call of an atomic module.
constexpr std::size_t kOperationsTold = 4;

RareEvent mishap_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::kKilled: return RareEvent::kKill;
    case OperationKind::kLost: return RareEvent::kLostMessage;
    case OperationKind::kArrivesTwice: return RareEvent::kDuplicatedMessage;
    default: return RareEvent::kNone;
  }
}

}  // namespace

// Before a step: who acts, and where. (Afterwards the process may be gone.)
void StepDescriptions::begin(const Process& process) {
  last_ = {};
  texts_.choose(texts_.language_of(process));
  last_.actor = texts_.name_of(process.pid);
  if (process.rest == Rest::kEnding) {
    const Bug bug = exit_bugs_.bug_of_exit(process);
    last_.file = bug.file;
    last_.line = bug.line;
    if (!bug.file.empty()) last_.source = places_.line_text(bug.file, bug.line);
    return;
  }
  if (process.rest == Rest::kEnded) return;
  places_.describe_where(process, last_);
  if (process.rest == Rest::kMatched || process.rest == Rest::kTimeout)
    last_.constraint = texts_.constraint_of(process);
}

void StepDescriptions::finish(Term who) {
  last_.text.clear();
  for (const Term content : machine_.record.sent_contents)
    last_.sent.push_back(content.is_none() ? std::string() : texts_.text_of(content));
  const std::span<const EventRecord> earlier = machine_.record.earlier_events;
  for (const EventRecord& event : earlier.first(std::min(earlier.size(), kOperationsTold)))
    last_.text += event_texts_.text_of(event) + "; ";
  if (earlier.size() > kOperationsTold)
    last_.text += std::to_string(earlier.size() - kOperationsTold) + " more operations; ";
  last_.text += event_texts_.text_of(machine_.record.event);
  last_.is_aside = last_.is_aside && earlier.empty() && only_looks(who);
  if (!who.is_pid()) last_.actor = actors_.name_of(actors_.actor_of(who)).to_string();
}

bool StepDescriptions::only_looks(Term who) const {
  if (!who.is_pid() || machine_.record.event.kind != OperationKind::kBuiltin) return false;
  if (machine_.record.event.builtin->effect == Effect::kChoice) return false;
  const std::uint64_t itself = object_id(ObjectClass::kRun, who.pid_name());  // which each operation writes
  return std::ranges::all_of(machine_.record.footprint, [&](const Touched& touched) {
    return touched.access == access::kRead || touched.object == itself;
  });
}

void StepDescriptions::note_rare_event(Term who, Beside beside, std::span<const Touch> footprint) {
  const EventRecord& event = machine_.record.event;
  const RareEvent mishap = mishap_of(event.kind);
  if (mishap != RareEvent::kNone) {
    last_.rare = mishap;
    last_.actor = "the environment";
    last_.constraint.clear();
    last_.is_aside = false;
  }
  if (Names::is_channel(who)) {
    std::vector<std::uint64_t> rivals;
    for (const Channel& channel : machine_.channels.all()) {
      if (channel.receiver == event.object && channel.reference != who && !channel.signals.empty())
        rivals.push_back(object_id(ObjectClass::kChannel, channel.reference.reference_payload()));
    }
    if (overtaking_.note_arrival(footprint, rivals) && mishap == RareEvent::kNone) {
      last_.rare = RareEvent::kOvertakingMessage;
      last_.text += ", overtaking one that was sent before it";
    }
    return;
  }
  if (machine_.options.delivery == Delivery::kChannels) overtaking_.note(who.bits(), footprint);
  const bool is_by_time = event.kind == OperationKind::kTimerFires ||
                          (event.kind == OperationKind::kAfter && event.value != Term::small(0));
  if (!is_by_time || beside == Beside::kNobody) return;
  last_.rare = RareEvent::kEarlyTimeout;
  last_.text += ", early";
}

}  // namespace ravel::erlang
