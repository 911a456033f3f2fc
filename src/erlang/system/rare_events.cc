// What few systems do, in the story of an execution: timeouts before their time, messages that overtake
// others.
#include <algorithm>

#include "erlang/system/erlang_system.h"

namespace ravel::erlang {

namespace {

RareEvent mishap_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::kKilled: return RareEvent::kKill;
    case OperationKind::kLost: return RareEvent::kLostMessage;
    case OperationKind::kArrivesTwice: return RareEvent::kDuplicatedMessage;
    default: return RareEvent::kNone;
  }
}

}  // namespace

void ErlangSystem::note_rare_event(Term who, bool could_others_go_on) {
  const EventRecord& event = machine_->record.event;
  const RareEvent mishap = mishap_of(event.kind);
  if (mishap != RareEvent::kNone) {
    last_.rare = mishap;
    last_.actor = "the environment";
    last_.constraint.clear();
    last_.is_aside = false;
  }
  if (Names::is_channel(who)) {
    std::vector<std::uint64_t> rivals;
    for (const Channel& channel : machine_->channels.all()) {
      if (channel.receiver == event.object && channel.reference != who && !channel.signals.empty())
        rivals.push_back(object_id(ObjectClass::kChannel, channel.reference.reference_payload()));
    }
    if (overtaking_.note_arrival(footprint_, rivals) && mishap == RareEvent::kNone) {
      last_.rare = RareEvent::kOvertakingMessage;
      last_.text += ", overtaking one that was sent before it";
    }
    return;
  }
  if (options_.machine.delivery == Delivery::kChannels) overtaking_.note(who.bits(), footprint_);
  const bool is_by_time = event.kind == OperationKind::kTimerFires ||
                          (event.kind == OperationKind::kAfter && event.value != Term::small(0));
  if (!is_by_time || !could_others_go_on) return;
  last_.rare = RareEvent::kEarlyTimeout;
  last_.text += ", early";
}

}  // namespace ravel::erlang
