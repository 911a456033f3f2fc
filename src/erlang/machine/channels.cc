// Each pair of processes has a channel, which keeps the order of its signals as the language promises;
// signals of different pairs overtake each other. Messages, exit signals and 'DOWN' go through channels. What
// a process sends to itself, what a timer sends, and requests that wait for an answer are there at once.
#include "erlang/machine/channels.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "erlang/machine/machine.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

bool Channels::are_used() const {
  return options.delivery == Delivery::kChannels && !machine.is_starting_system();
}

void Channels::transmit(Term sender, Term receiver, const Signal& signal) {
  const bool is_instant = !are_used() || sender == receiver || !sender.is_pid() ||
                          sender == names.device_pid() || receiver == names.device_pid();
  if (is_instant) return machine.signals.arrive(sender, receiver, signal);
  Channel& channel = between(sender, receiver);
  channel.is_slow |= machine.mishaps.is_slow(sender);
  record.footprint.push_back(
      {.object = object_id(ObjectClass::kChannel, channel.reference.reference_payload()),
       .access = access::kSend,
       .decides = false});
  if (options.notes_messages) record.sent_contents.push_back(signal.content);
  channel.signals.push_back(signal);
  note_shared_change();
}

Channel& Channels::between(Term sender, Term receiver) {
  std::uint64_t ordinal = 1;
  for (Channel& channel : channels_) {
    if (channel.sender != sender) continue;
    if (channel.receiver == receiver) return channel;
    ++ordinal;
  }
  return channels_.emplace_back(Channel{.reference = Names::make_channel(sender, ordinal),
                                        .sender = sender,
                                        .receiver = receiver,
                                        .signals = {},
                                        .is_slow = false});
}

// The oldest signal, and who takes it off the channel.
Signal Channels::note_taking(const Channel& channel) {
  CHECK(!channel.signals.empty());
  const Signal signal = channel.signals.front();
  record.footprint.push_back(
      {.object = object_id(ObjectClass::kChannel, channel.reference.reference_payload()),
       .access = access::kReceive,
       .decides = false});
  record.event.kind = OperationKind::kSignalArrives;
  record.event.actor = channel.reference;
  record.event.subject = channel.sender;
  record.event.object = channel.receiver;
  record.event.value = signal.content;
  const bool is_exit = signal.kind == Signal::Kind::kExit || signal.kind == Signal::Kind::kAliasExit ||
                       signal.kind == Signal::Kind::kLinkExit;
  record.event.reason = is_exit ? atoms::kExitMessage : Term::none();
  return signal;
}

void Channels::bring(std::size_t index) {
  const Term sender = channels_[index].sender, receiver = channels_[index].receiver;
  const Signal signal = channels_[index].signals.front();
  take_oldest(index);
  machine.signals.arrive(sender, receiver, signal);
}

void Channels::take_oldest(std::size_t index) {
  Channel& channel = channels_[index];
  note_taking(channel);
  channel.signals.erase(channel.signals.begin());
  note_shared_change();
  if (channel.signals.empty()) forget_channels_of_ended(channel.sender);
}

// In the channel, what stays has been sent once more, ahead of what came later.
void Channels::bring_copy(std::size_t index) {
  const Channel& channel = channels_[index];
  const Term sender = channel.sender, receiver = channel.receiver;
  const Signal signal = note_taking(channel);
  record.footprint.push_back(
      {.object = object_id(ObjectClass::kChannel, channel.reference.reference_payload()),
       .access = access::kSend,
       .decides = false,
       .is_priority = true});
  if (options.notes_messages) record.sent_contents.push_back(signal.content);
  machine.signals.arrive(sender, receiver, signal);
}

void Channels::forget_channels_of_ended(Term sender) {
  if (channels_.empty() || machine.processes.find(sender) != nullptr) return;
  const auto gone = std::erase_if(
      channels_, [&](const Channel& channel) { return channel.sender == sender && channel.signals.empty(); });
  if (gone > 0) note_shared_change();
}

Term Channels::freeze(std::vector<Term>& scratch) {
  if (channels_.empty()) return Term::nil();
  std::ranges::sort(channels_, [&](const Channel& a, const Channel& b) {
    return names.compare_references(a.reference, b.reference) < 0;
  });
  scratch.clear();
  for (Channel& channel : channels_) {
    scratch.insert(scratch.end(), {channel.reference, channel.sender, channel.receiver,
                                   Term::small(static_cast<std::int64_t>(channel.signals.size()) << 1 |
                                               (channel.is_slow ? 1 : 0))});
    for (Signal& signal : channel.signals) {
      signal.content = store.intern(signal.content);
      scratch.insert(scratch.end(),
                     {Term::small(static_cast<std::int64_t>(signal.kind) << 1 |
                                  static_cast<std::int64_t>(signal.urgency)),
                      signal.content, signal.subject.is_none() ? Term::nil() : signal.subject});
    }
  }
  return store.intern_object(Kind::kTuple, scratch);
}

void Channels::thaw(Term image) {
  channels_.clear();
  if (image.is_nil()) return;
  const Term* word = image.object() + 1;
  const Term* const end = word + tuple_size(image);
  while (word < end) {
    Channel& channel = channels_.emplace_back(Channel{.reference = word[0],
                                                      .sender = word[1],
                                                      .receiver = word[2],
                                                      .signals = {},
                                                      .is_slow = (word[3].small_value() & 1) != 0});
    const auto count = word[3].small_value() >> 1;
    word += 4;
    for (std::int64_t i = 0; i < count; ++i, word += 3)
      channel.signals.push_back({.kind = static_cast<Signal::Kind>(word[0].small_value() >> 1),
                                 .content = word[1],
                                 .subject = word[2].is_nil() ? Term::none() : word[2],
                                 .urgency = static_cast<Urgency>(word[0].small_value() & 1)});
  }
}

void Channels::for_each_term(Roots::Visit visit, void* collector) {
  for (Channel& channel : channels_)
    for (Signal& signal : channel.signals) visit(collector, &signal.content, 1);
}

}  // namespace ravel::erlang
