#include "erlang/system/known_steps.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "erlang/system/image_nodes.h"
#include "erlang/term/header.h"

namespace ravel::erlang {

namespace {

// Of an object in a footprint.
constexpr int kObjectPayloadBits = 56;
static_assert(kObjectPayloadMask == (std::uint64_t{1} << kObjectPayloadBits) - 1);

// Of Resting, packed.
constexpr std::uint32_t kSimple = 1, kRestShift = 1, kEnabledShift = 4, kReceiveAtShift = 16;

std::uint64_t key(StateTable::Node high, StateTable::Node low) {
  return static_cast<std::uint64_t>(high) << 32 | static_cast<std::uint64_t>(low);
}

// Objects that are no process's, and whose state is in the words before the images.
bool is_of_nobody(ObjectClass kind) {
  switch (kind) {
    case ObjectClass::kName:
    case ObjectClass::kOutput:
    case ObjectClass::kCounter:
    case ObjectClass::kPersistentTerm:
    case ObjectClass::kAtomic:
    case ObjectClass::kFile:
    case ObjectClass::kEnvironment:
    case ObjectClass::kTable:
    case ObjectClass::kTableName:
    case ObjectClass::kTableRow:
    case ObjectClass::kTableRows:
    case ObjectClass::kTableFixing:
    case ObjectClass::kAllTables: return true;
    default: return false;
  }
}

}  // namespace

// ---- The state at hand -----------------------------------------------------------------------------------

KnownSteps::Parts KnownSteps::parts_of(Term image) {
  const auto [others, stack, mailbox] = nodes_of_image(table_, image);
  return {.others = others, .stack = stack, .mailbox = mailbox, .resting = resting(others)};
}

KnownSteps::Resting KnownSteps::resting(Node others) {
  std::optional<std::uint32_t> packed = rests_.find(number(others));
  if (!packed) {
    const RestOfImage rest = rest_of_image(term(others));
    const std::uint32_t enabled = rest.rest == Rest::kWaiting ? 0 : rest.choices;
    const bool is_simple =
        rest.is_plain && rest.receive_at < MailboxParts::kMessagesMax && enabled <= kChoicesMax;
    packed = is_simple
                 ? kSimple | static_cast<std::uint32_t>(rest.rest) << kRestShift | enabled << kEnabledShift |
                       static_cast<std::uint32_t>(rest.receive_at) << kReceiveAtShift
                 : 0;
    rests_.insert(number(others), *packed);
  }
  return {.is_simple = (*packed & kSimple) != 0,
          .rest = static_cast<Rest>(*packed >> kRestShift & 7),
          .receive_at = *packed >> kReceiveAtShift,
          .enabled = *packed >> kEnabledShift & (MailboxParts::kMessagesMax - 1)};
}

void KnownSteps::prepare(const State& at_hand) {
  const auto& [words, parts] = at_hand;
  if (!is_begun_) {
    is_begun_ = true;
    for (const AtHand& process : processes_) process_of_[process.name] = 0;
    processes_.resize(parts.size() / kPartsOfImage);
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      const auto name = static_cast<std::uint32_t>(words[word_of_pid(i)].pid_name());
      if (name >= process_of_.size()) process_of_.resize(name + 1);
      process_of_[name] = static_cast<std::uint32_t>(i + 1);
      processes_[i].name = name;
      processes_[i].is_stale = true;
    }
  }
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    AtHand& process = processes_[i];
    process.changed = 0;
    if (!process.is_stale) continue;
    const auto three = parts.subspan(i * kPartsOfImage, kPartsOfImage);
    static_cast<Parts&>(process) = {
        .others = three[0], .stack = three[1], .mailbox = three[2], .resting = resting(three[0])};
    process.is_stale = false;
  }
}

std::optional<std::size_t> KnownSteps::find_process(std::uint32_t name) const {
  if (name >= process_of_.size() || process_of_[name] == 0) return std::nullopt;
  return process_of_[name] - 1;
}

// A number for what no process owns, and tables. Nothing: time or channels have a part in it, or a process of
// Erlang/OTP's system.
std::optional<std::uint32_t> KnownSteps::environment(std::span<const Term> words) {
  if (words.size() % 2 == 1) return std::nullopt;
  if (words[0] == last_environment_.shared && words[1] == last_environment_.tables)
    return last_environment_.number;
  const std::uint64_t both = key(node_of(words[0]), node_of(words[1]));
  std::optional<std::uint32_t> number = environments_.find(both);
  if (!number) {
    number = is_timeless(words[0]) ? environments_known_++ : kNoPart - 1;
    environments_.insert(both, *number);
  }
  if (*number == kNoPart - 1) number.reset();
  last_environment_ = {.shared = words[0], .tables = words[1], .number = number};
  return number;
}

KnownSteps::Part KnownSteps::read(Place place) {
  const std::uint32_t name = place / kPartsOfProcess;
  const auto part = static_cast<PartOf>(place % kPartsOfProcess);
  const std::optional<std::size_t> at = find_process(name);
  if (!at) return part == PartOf::kLife ? kGone : kNoPart;
  const AtHand& process = processes_[*at];
  switch (part) {
    case PartOf::kLife: return process.resting.is_simple ? kLives : kUncertain;
    case PartOf::kOthers: return number(process.others);
    case PartOf::kStack: return number(process.stack);
    case PartOf::kMailbox: return number(process.mailbox);
    case PartOf::kMessage:
      return static_cast<Part>(mailboxes_.message_in(process.mailbox, process.resting.receive_at));
    case PartOf::kOwnNames: return own_names_elsewhere(name);
  }
  CHECK(false);
}

void KnownSteps::know_names(AtHand& process) {
  const std::array<Node, kPartsOfImage> parts = {process.others, process.stack, process.mailbox};
  if (process.named == parts) return;
  process.named = parts;
  process.names.clear();
  for (const Node part : parts) {
    const std::span<const ReferencesInParts::Name> names = references_.of(part);
    process.names.insert(process.names.end(), names.begin(), names.end());
  }
}

// The references of a process that others hold, or its own mailbox, as bits; kNoPart: there are some with a
// large number. What no process owns is read anyway.
KnownSteps::Part KnownSteps::own_names_elsewhere(std::uint32_t name) {
  Part all = 0;
  for (AtHand& process : processes_) {
    if (process.name != name) know_names(process);
    const std::span<const ReferencesInParts::Name> held =
        process.name == name ? references_.of(process.mailbox) : process.names;
    for (const auto& [creator, index] : held) {
      if (creator != name) continue;
      if (index == ReferencesInParts::kLarge) return kNoPart;
      all |= Part{1} << index;
    }
  }
  return all;
}

// ---- Looking at messages ---------------------------------------------------------------------------------

std::uint32_t KnownSteps::waiting(Node others, Node stack) {
  const std::uint64_t both = key(others, stack);
  if (const std::optional<std::uint32_t> known = waiting_.find(both)) return *known;
  waiting_.insert(both, waiting_known_);
  return waiting_known_++;
}

std::optional<KnownSteps::Node> KnownSteps::after_look(Node others, Node stack, Message message) {
  const std::optional<Part> after = steps_.after(message, waiting(others, stack));
  return after ? std::optional(Node{*after}) : std::nullopt;
}

// False if something else is known.
bool KnownSteps::note_look(Node others, Node stack, Message message, Node after) {
  steps_.note_after(message, waiting(others, stack), number(after));
  return after_look(others, stack, message) == after;
}

// Of a process that has looked at no message yet. False if it is not known what it finds.
bool KnownSteps::look_through(Parts& process) {
  const std::uint32_t messages = mailboxes_.count(process.mailbox).value_or(MailboxParts::kMessagesMax);
  if (messages == MailboxParts::kMessagesMax) return false;
  for (std::uint32_t i = 0; i < messages && process.resting.rest == Rest::kWaiting; ++i) {
    const std::optional<Node> after =
        after_look(process.others, process.stack, mailboxes_.message_in(process.mailbox, i));
    if (!after) return false;
    process.others = *after;
    process.resting = resting(*after);
  }
  if (process.resting.rest != Rest::kWaiting) return true;
  const std::optional<std::uint32_t> rested = found_nothing_.find(key(process.others, process.stack));
  if (!rested) return false;
  process.others = Node{*rested};
  process.resting = resting(process.others);
  return true;
}

// ---- What is known ---------------------------------------------------------------------------------------

KnownSteps::Parts& KnownSteps::change(std::size_t process) {
  if (processes_[process].changed == 0) {
    changed_.push_back({.process = process, .after = processes_[process]});
    processes_[process].changed = static_cast<std::uint32_t>(changed_.size());
  }
  return changed_[processes_[process].changed - 1].after;
}

void KnownSteps::forget() {
  steps_ = {};
  mailboxes_.forget();
  references_.forget();
  touches_ = {};
  for (FlatMap* const map : {&rests_, &found_nothing_, &waiting_, &environments_}) *map = {};
}

std::optional<KnownSteps::Found> KnownSteps::find(const State& at_hand, std::uint32_t index) {
  if (!pay_off_.ask()) {
    forget();
    return std::nullopt;
  }
  const std::optional<std::uint32_t> here = environment(at_hand.words);
  if (!here) return std::nullopt;
  prepare(at_hand);
  std::size_t mover = 0;
  for (; mover < processes_.size(); ++mover) {
    const Resting& rest = processes_[mover].resting;
    if (!rest.is_simple) return std::nullopt;
    if (index < rest.enabled) break;
    index -= rest.enabled;
  }
  if (mover == processes_.size()) return std::nullopt;
  const auto effect = steps_.find(processes_[mover].name, *here << kChoiceBits | index,
                                  [this](Place place) { return read(place); });
  if (!effect) return std::nullopt;
  changed_.clear();
  words_.assign(at_hand.words.begin(), at_hand.words.end());
  parts_.assign(at_hand.parts.begin(), at_hand.parts.end());
  return apply(mover, *effect) ? found() : std::nullopt;
}

bool KnownSteps::apply(std::size_t mover, const RememberedSteps::Effect& effect) {
  Parts& own = change(mover);
  if (!mailboxes_.count(own.mailbox)) return false;
  if (own.resting.rest == Rest::kMatched)
    own.mailbox = mailboxes_.without(own.mailbox, own.resting.receive_at);
  for (const auto& [place, part] : effect.writes) {
    if (place == kShared || place == kTables) {
      words_[place - kShared] = term(Node{part});
    } else if (static_cast<PartOf>(place % kPartsOfProcess) == PartOf::kOthers) {
      own.others = Node{part};
      own.resting = resting(own.others);
    } else {
      own.stack = Node{part};
    }
  }
  for (const RememberedSteps::Delivery& delivery : effect.deliveries) {
    const std::optional<std::size_t> at = find_process(delivery.to);
    if (!at) return false;
    Parts& receiver = change(*at);
    if (!mailboxes_.count(receiver.mailbox)) return false;
    if (is_touch(delivery.message) || receiver.resting.rest == Rest::kWaiting) {
      const std::optional<Node> after = after_look(receiver.others, receiver.stack, delivery.message);
      if (!after) return false;
      receiver.others = *after;
      receiver.resting = resting(*after);
    }
    for (const Message message : messages_of(delivery.message))
      receiver.mailbox = mailboxes_.with(receiver.mailbox, message);
  }
  Parts& moved = change(mover);
  return moved.resting.rest != Rest::kWaiting || look_through(moved);
}

// The words after the step.
std::optional<KnownSteps::Found> KnownSteps::found() {
  if (!environment(words_)) return std::nullopt;
  std::uint32_t enabled = 0;
  for (const AtHand& process : processes_)
    if (process.changed == 0) {
      if (!process.resting.is_simple) return std::nullopt;
      enabled += process.resting.enabled;
    }
  for (const auto& [process, after] : changed_) {
    if (!after.resting.is_simple) return std::nullopt;
    enabled += after.resting.enabled;
    std::ranges::copy(std::array{after.others, after.stack, after.mailbox},
                      parts_.begin() + static_cast<std::ptrdiff_t>(process * kPartsOfImage));
  }
  if (enabled == 0) return std::nullopt;
  pay_off_.note_known();
  return Found{{.words = words_, .parts = parts_}, enabled};
}

// ---- Noting ----------------------------------------------------------------------------------------------

KnownSteps::Contact& KnownSteps::Contacts::of(std::uint32_t name) {
  const auto known = std::ranges::find(all, name, &Contact::name);
  return known != all.end() ? *known : all.emplace_back(Contact{.name = name});
}

// As the footprint has it.
std::optional<KnownSteps::Contacts> KnownSteps::contacts(std::uint32_t mover) const {
  Contacts contacts;
  std::size_t taken = 0;
  for (const Touched& touched : machine_.record.footprint) {
    const auto kind = static_cast<ObjectClass>(touched.object >> kObjectPayloadBits);
    const std::uint64_t payload = touched.object & kObjectPayloadMask;
    if (is_of_nobody(kind)) continue;
    const bool is_of_reference =
        kind == ObjectClass::kAlias || kind == ObjectClass::kMonitor || kind == ObjectClass::kWatch;
    const std::uint64_t whose = is_of_reference ? payload >> Names::kReferenceIndexBits : payload;
    if (kind == ObjectClass::kLinks) {  // who is linked was asked whether it lives
      if (touched.access == access::kRead) return std::nullopt;
      continue;
    }
    const auto name = static_cast<std::uint32_t>(whose);
    switch (kind) {
      case ObjectClass::kRun:
        if (name != mover) return std::nullopt;
        break;
      case ObjectClass::kMailbox:
        if (name == mover && touched.access == access::kChange) {
          contacts.reads_own_mailbox = true;
        } else if (name == mover) {
          if (touched.access != access::kReceive || ++taken > 1) return std::nullopt;
        } else {
          if (touched.access != access::kSend || touched.is_priority) return std::nullopt;
          ++contacts.of(name).messages;
        }
        break;
      case ObjectClass::kLife:
        if (touched.access != access::kRead) return std::nullopt;
        if (name != mover) contacts.of(name).is_asked = true;
        break;
      case ObjectClass::kAlias:
      case ObjectClass::kMonitor:
      case ObjectClass::kWatch:
        if (name != mover)
          contacts.of(name).reads_others = true;
        else
          contacts.may_change_watched = true;
        break;
      default: return std::nullopt;
    }
  }
  for (const Term name : machine_.free_names.made()) {
    if (!name.is_reference() || Names::creator_of(name).pid_name() != mover) return std::nullopt;
    contacts.makes_names = true;
  }
  return contacts;
}

// Those whom the mover has watched, and watches no more: that it did is part of what is read of it. False if
// anybody else has changed.
bool KnownSteps::add_changed(Contacts& contacts, std::size_t mover, std::span<const Term> before,
                             std::span<const Term> after) const {
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    if (i == mover || before[word_of_image(i)] == after[word_of_image(i)]) continue;
    if (contacts.may_change_watched) contacts.of(processes_[i].name);
    if (std::ranges::find(contacts.all, processes_[i].name, &Contact::name) == contacts.all.end())
      return false;
  }
  return true;
}

void KnownSteps::note(const Step& step, const State& at_hand, std::span<const Term> after) {
  if (has_given_up()) return;
  const std::span<const Term> before = at_hand.words;
  const std::optional<std::uint32_t> here = environment(before);
  if (!here || *here >> (32 - kChoiceBits) != 0 || before.size() != after.size() || !environment(after))
    return;
  prepare(at_hand);
  for (std::size_t i = 0; i < processes_.size(); ++i)
    if (before[word_of_pid(i)] != after[word_of_pid(i)]) return;
  const auto name = static_cast<std::uint32_t>(step.who.pid_name());
  const std::optional<std::size_t> mover = find_process(name);
  if (!mover || machine_.names.pid_count() > kNamesMax) return;
  std::optional<Contacts> others = contacts(name);
  if (!others || !add_changed(*others, *mover, before, after)) return;
  reads_.clear();
  writes_.clear();
  deliveries_.clear();
  const auto read_also = [&](std::uint32_t whose, PartOf part) {
    reads_.push_back({.place = place(whose, part), .part = read(place(whose, part))});
  };
  for (const Place place : {kShared, kTables})
    if (before[place - kShared] != after[place - kShared])
      writes_.push_back({.place = place, .part = number(node_of(after[place - kShared]))});
  if (!note_mover(processes_[*mover], parts_of(after[word_of_image(*mover)]))) return;
  if (others->reads_own_mailbox) read_also(name, PartOf::kMailbox);
  if (others->makes_names) read_also(name, PartOf::kOwnNames);
  if (others->makes_names && reads_.back().part == kNoPart) return;
  for (const Contact& contact : others->all) {
    if (contact.reads_others) read_also(contact.name, PartOf::kOthers);
    if (contact.is_asked) read_also(contact.name, PartOf::kLife);
    if (contact.is_asked && reads_.back().part == kUncertain) return;
  }
  const std::uint32_t alternative = *here << kChoiceBits | step.alternative;
  const auto known = steps_.find(name, alternative, [this](Place place) { return read(place); });
  for (const Contact& contact : others->all)
    if (!note_contact(contact, after,
                      known ? known->deliveries : std::span<const RememberedSteps::Delivery>()))
      return;
  if (!known) steps_.note(name, alternative, reads_, {.writes = writes_, .deliveries = deliveries_});
}

// What it reads and writes of itself, and what it finds in its mailbox then.
bool KnownSteps::note_mover(const AtHand& before, const Parts& after) {
  const auto read_own = [&](PartOf part) {
    reads_.push_back({.place = place(before.name, part), .part = read(place(before.name, part))});
  };
  if (!before.resting.is_simple || !after.resting.is_simple) return false;
  const std::optional<std::uint32_t> messages = mailboxes_.count(before.mailbox);
  if (!messages) return false;
  read_own(PartOf::kOthers);
  read_own(PartOf::kStack);
  Node mailbox = before.mailbox;
  if (before.resting.rest == Rest::kMatched) {
    if (before.resting.receive_at >= *messages) return false;
    read_own(PartOf::kMessage);
    mailbox = mailboxes_.without(mailbox, before.resting.receive_at);
  }
  if (mailbox != after.mailbox) return false;  // it has sent itself something
  Node others = after.others;
  if (is_in_untimed_receive(after.resting.rest)) {
    const auto looked_at = [&](std::uint32_t so_many) {
      return node_of(looking_image(term(after.others), so_many, machine_.store));
    };
    others = looked_at(0);
    const bool has_matched = after.resting.rest == Rest::kMatched;
    const std::uint32_t last = has_matched ? after.resting.receive_at + 1 : after.resting.receive_at;
    if (last > *mailboxes_.count(mailbox)) return false;
    for (std::uint32_t i = 0; i < last; ++i) {
      const Node next = has_matched && i + 1 == last ? after.others : looked_at(i + 1);
      if (!note_look(looked_at(i), after.stack, mailboxes_.message_in(mailbox, i), next)) return false;
    }
    if (!has_matched) {
      const std::uint64_t found_nothing = key(looked_at(last), after.stack);
      found_nothing_.insert(found_nothing, number(after.others));
      if (found_nothing_.find(found_nothing) != number(after.others)) return false;
    }
  }
  writes_.push_back({.place = place(before.name, PartOf::kOthers), .part = number(others)});
  writes_.push_back({.place = place(before.name, PartOf::kStack), .part = number(after.stack)});
  return true;
}

std::span<const KnownSteps::Message> KnownSteps::messages_of(const Message& what) const {
  if (!is_touch(what)) return {&what, 1};
  return touches_[static_cast<std::uint32_t>(what) & ~kTouch];
}

// `known`: what was noted of the same step in other states.
bool KnownSteps::note_contact(const Contact& contact, std::span<const Term> after,
                              std::span<const RememberedSteps::Delivery> known) {
  const std::optional<std::size_t> at = find_process(contact.name);
  if (!at) return contact.messages == 0;
  const AtHand& before = processes_[*at];
  const Parts parts = parts_of(after[word_of_image(*at)]);
  const std::optional<std::uint32_t> had = mailboxes_.count(before.mailbox),
                                     has = mailboxes_.count(parts.mailbox);
  if (!before.resting.is_simple || !parts.resting.is_simple || before.stack != parts.stack || !had || !has ||
      *has < *had)
    return false;
  Node mailbox = before.mailbox;
  std::vector<Message> messages;
  for (std::uint32_t i = *had; i < *has; ++i) {
    messages.push_back(mailboxes_.message_in(parts.mailbox, i));
    mailbox = mailboxes_.with(mailbox, messages.back());
  }
  if (mailbox != parts.mailbox) return false;
  const bool only_gets_a_message = !contact.reads_others && !contact.is_asked && contact.messages == 1 &&
                                   messages.size() == 1 &&
                                   is_same_but_for_look(term(before.others), term(parts.others));
  if (only_gets_a_message) return note_message(before, parts, messages.front());
  const auto same = std::ranges::find(known, contact.name, &RememberedSteps::Delivery::to);
  if (!known.empty() && same == known.end()) return false;
  Message touch{};
  if (same != known.end()) {
    touch = same->message;
    if (!is_touch(touch) || !std::ranges::equal(messages_of(touch), messages)) return false;
  } else {
    touch = Message{kTouch | static_cast<std::uint32_t>(touches_.size())};
    touches_.push_back(messages);
  }
  deliveries_.push_back({.to = contact.name, .message = touch});
  return note_look(before.others, before.stack, touch, parts.others);
}

bool KnownSteps::note_message(const AtHand& before, const Parts& after, Message message) {
  deliveries_.push_back({.to = before.name, .message = message});
  if (before.resting.rest != Rest::kWaiting) return before.others == after.others;
  return note_look(before.others, before.stack, message, after.others);
}

std::size_t KnownSteps::bytes() const {
  return steps_.bytes() + mailboxes_.bytes() + references_.bytes() + rests_.bytes() + found_nothing_.bytes() +
         waiting_.bytes() + environments_.bytes();
}

}  // namespace ravel::erlang
