// Signals that are on their way: what another process sends arrives by an event of its own
// (Delivery::kChannels).
//
// Each pair of processes has a channel, which keeps the order of its signals as the language promises;
// signals of different pairs overtake each other. Messages, exit signals and 'DOWN' go through channels. What
// a process sends to itself, what a timer sends, and requests that wait for an answer are there at once.
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "erlang/machine/machine.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

void Machine::transmit(Term sender, Term receiver, const Signal& signal) {
  const bool is_instant = !has_channels() || sender == receiver || !sender.is_pid() ||
                          sender == names.device_pid() || receiver == names.device_pid();
  if (is_instant) return arrive(sender, receiver, signal);
  Channel& channel = channel_between(sender, receiver);
  footprint_.push_back({.object = object_id(ObjectClass::kChannel, channel.reference.reference_payload()),
                        .access = access::kSend,
                        .decides = false});
  if (options.notes_messages) sent_contents_.push_back(signal.content);
  channel.signals.push_back(signal);
  global_image_ = Term::none();
}

Channel& Machine::channel_between(Term sender, Term receiver) {
  std::uint64_t ordinal = 1;
  for (Channel& channel : channels_) {
    if (channel.sender != sender) continue;
    if (channel.receiver == receiver) return channel;
    ++ordinal;
  }
  return channels_.emplace_back(Channel{.reference = Names::make_channel(sender, ordinal),
                                        .sender = sender,
                                        .receiver = receiver,
                                        .signals = {}});
}

void Machine::bring_signal(std::size_t index) {
  clear_event();
  Channel& channel = channels_[index];
  CHECK(!channel.signals.empty());
  const Signal signal = channel.signals.front();
  const Term sender = channel.sender, receiver = channel.receiver;
  footprint_.push_back({.object = object_id(ObjectClass::kChannel, channel.reference.reference_payload()),
                        .access = access::kReceive,
                        .decides = false});
  channel.signals.erase(channel.signals.begin());
  global_image_ = Term::none();
  event_.kind = OperationKind::kSignalArrives;
  event_.actor = channel.reference;
  event_.subject = sender;
  event_.object = receiver;
  event_.value = signal.content;
  const bool is_exit = signal.kind == Signal::Kind::kExit || signal.kind == Signal::Kind::kAliasExit ||
                       signal.kind == Signal::Kind::kLinkExit;
  event_.reason = is_exit ? atoms::kExitMessage : Term::none();
  if (channel.signals.empty()) forget_channels_of_ended(sender);
  arrive(sender, receiver, signal);
  settle();
}

// Whoever has ended sends nothing more.
void Machine::forget_channels_of_ended(Term sender) {
  if (channels_.empty() || find_process(sender) != nullptr) return;
  const auto gone = std::erase_if(
      channels_, [&](const Channel& channel) { return channel.sender == sender && channel.signals.empty(); });
  if (gone > 0) global_image_ = Term::none();
}

void Machine::arrive(Term sender, Term receiver, const Signal& signal) {
  switch (signal.kind) {
    case Signal::Kind::kMessage: return deliver(receiver, signal.content, sender);
    case Signal::Kind::kAliasMessage:
      return deliver_to_alias(signal.subject, signal.content, sender, signal.urgency);
    case Signal::Kind::kLinkExit: return take_link_exit(sender, receiver, signal.content);
    case Signal::Kind::kExit:
      return take_exit(sender, receiver, signal.content, receiver, Urgency::kOrdinary);
    case Signal::Kind::kAliasExit:
      return take_alias_exit(sender, signal.subject, signal.content, signal.urgency);
    case Signal::Kind::kDown: return take_down(sender, receiver, signal);
  }
}

// A 'DOWN' message: it counts if the watcher has not given up the monitor meanwhile. Whatever becomes of it,
// it touches the same, as at an end without channels.
void Machine::take_down(Term ended, Term watcher, const Signal& signal) {
  note_plain_access(ObjectClass::kMonitor, signal.subject.reference_payload(), access::kRead);
  note_plain_access(ObjectClass::kLinks, watcher.pid_name(), access::kChange);
  note_plain_access(ObjectClass::kAlias, signal.subject.reference_payload(), access::kChange);
  if (const Term seen = map_get(names, shared_terms_.monitors_taken_back, signal.subject); !seen.is_none()) {
    change_shared_terms().monitors_taken_back =
        map_remove(heap, names, shared_terms_.monitors_taken_back, signal.subject);
    return note_sent(watcher, seen == atoms::kTrue ? Term::none() : signal.content, access::kSendInVain,
                     signal.urgency);
  }
  Process* process = find_process(watcher);
  if (process == nullptr) return note_sent(watcher, signal.content, access::kSend, signal.urgency);
  auto& monitors = process->attributes.monitors;
  const auto place = std::ranges::find(monitors, signal.subject, &Monitor::reference);
  CHECK(place != monitors.end());
  forget_monitor(*process, static_cast<std::size_t>(place - monitors.begin()));
  deliver(watcher, signal.content, ended, signal.urgency);
}

void Machine::remember_taken_back(Term monitor, TakenBack how) {
  change_shared_terms().monitors_taken_back = map_put(heap, names, shared_terms_.monitors_taken_back, monitor,
                                                      atoms::boolean(how == TakenBack::kSeen));
}

Term Machine::freeze_channels() {
  if (channels_.empty()) return Term::nil();
  std::ranges::sort(channels_, [&](const Channel& a, const Channel& b) {
    return names.compare_references(a.reference, b.reference) < 0;
  });
  scratch_.clear();
  for (Channel& channel : channels_) {
    scratch_.insert(scratch_.end(), {channel.reference, channel.sender, channel.receiver,
                                     Term::small(static_cast<std::int64_t>(channel.signals.size()))});
    for (Signal& signal : channel.signals) {
      signal.content = store.intern(signal.content);
      scratch_.insert(scratch_.end(),
                      {Term::small(static_cast<std::int64_t>(signal.kind) << 1 |
                                   static_cast<std::int64_t>(signal.urgency)),
                       signal.content, signal.subject.is_none() ? Term::nil() : signal.subject});
    }
  }
  return store.intern_object(Kind::kTuple, scratch_);
}

void Machine::thaw_channels(Term image) {
  channels_.clear();
  if (image.is_nil()) return;
  const Term* word = image.object() + 1;
  const Term* const end = word + tuple_size(image);
  while (word < end) {
    Channel& channel = channels_.emplace_back(
        Channel{.reference = word[0], .sender = word[1], .receiver = word[2], .signals = {}});
    const auto count = word[3].small_value();
    word += 4;
    for (std::int64_t i = 0; i < count; ++i, word += 3)
      channel.signals.push_back({.kind = static_cast<Signal::Kind>(word[0].small_value() >> 1),
                                 .content = word[1],
                                 .subject = word[2].is_nil() ? Term::none() : word[2],
                                 .urgency = static_cast<Urgency>(word[0].small_value() & 1)});
  }
}

}  // namespace ravel::erlang
