#include "tests/toy/message_system.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/check.h"

namespace ravel::toy {

namespace {

constexpr std::array<const char*, 23> kActNames = {
    "read",       "write",      "add",     "branch",     "claim",  "write2", "send",        "send2",
    "send-first", "send-mixed", "receive", "receive-or", "kill",   "lock",   "unlock",      "post",
    "take",       "try-lock",   "spawn",   "cancel",     "choose", "stop",   "stop-sending"};
// Objects of footprints.
constexpr std::uint64_t variable(std::uint32_t number) { return 100 + number; }
constexpr std::uint64_t lock(std::uint32_t number) { return 200 + number; }
constexpr std::uint64_t semaphore(std::uint32_t number) { return 250 + number; }
constexpr std::uint64_t mailbox(std::uint32_t actor) { return 300 + actor; }
constexpr std::uint64_t life(std::uint32_t actor) { return 400 + actor; }

// As many as programs have.
constexpr std::size_t kVariables = 16, kLocks = 8, kSemaphores = 8;

}  // namespace

std::string Action::to_string() const {
  return std::string(kActNames[static_cast<std::size_t>(act)]) + " " + std::to_string(object) + "," +
         std::to_string(value);
}

std::string to_string(const MessageProgram& program) {
  std::string text;
  for (const auto& actor : program) {
    text += "[";
    for (const Action& action : actor) text += " " + action.to_string() + ";";
    text += " ]";
  }
  return text;
}

MessageSystem::MessageSystem(MessageProgram program) : program_(std::move(program)) { reset(); }

void MessageSystem::reset() {
  state_ = {};
  state_.actors.resize(program_.size());
  state_.variables.assign(kVariables, 0);
  state_.locked.assign(kLocks, false);
  state_.semaphores.assign(kSemaphores, 0);
  for (const auto& actor : program_)
    for (const Action& action : actor)
      if (action.act == Act::kSpawn) state_.actors[action.object].started = false;
  look();
}

const Action* MessageSystem::next_action(std::uint32_t index) const {
  const Actor& actor = state_.actors[index];
  if (!actor.started || actor.ended || actor.next >= program_[index].size()) return nullptr;
  return &program_[index][actor.next];
}

std::size_t MessageSystem::find_message(const Actor& actor, std::uint32_t pattern) const {
  std::size_t i = 0;
  while (i < actor.mailbox.size() && (actor.mailbox[i].value & pattern) == 0) ++i;
  return i;
}

void MessageSystem::touch(std::uint64_t object, Access access, std::uint32_t message) {
  // Only lives, the variable of a branch and what an action waits for decide what it touches.
  const bool decides = object >= life(0) ||
                       (object >= lock(0) && object < mailbox(0) && access != Access::kAcquire &&
                        access != Access::kRelease) ||
                       (object == variable(0) && access == Access::kRead);
  touches_.push_back({.object = object, .access = access, .decides = decides, .message = message});
  Happened& happened = state_.happened.back();
  happened.sent.emplace_back(0, 0);
  if (access == Access::kRead || is_write(access))
    happened.noted.push_back({.object = object, .writes = access != Access::kRead});
}

void MessageSystem::send(std::uint32_t to, std::uint32_t value, bool is_priority) {
  touch(mailbox(to), Access::kSend);
  touches_.back().is_priority = is_priority;
  Happened& happened = state_.happened.back();
  happened.sent.back() = {to, value};
  // A send and a kill of its receiver do not commute; that is noted as with any other object.
  happened.noted.push_back({.object = mailbox(to), .writes = false});
  std::vector<Message>& messages = state_.actors[to].mailbox;
  messages.insert(
      is_priority ? std::ranges::find(messages, false, &Message::is_priority) : messages.end(),
      {.value = value, .sender = happened.actor, .ordinal = happened.ordinal, .is_priority = is_priority});
}

Event MessageSystem::step(const Transition& transition) {
  const auto index = static_cast<std::uint32_t>(transition.actor);
  Actor& actor = state_.actors[index];
  const Action action = *next_action(index);
  state_.happened.push_back({.actor = index,
                             .ordinal = actor.events++,
                             .what = action.to_string(),
                             .noted = {},
                             .pattern = 0,
                             .sent = {}});
  std::string& what = state_.happened.back().what;
  touches_.clear();
  touch(life(index), Access::kRead);
  ++actor.next;
  bool skip = false;
  std::uint32_t* variables = state_.variables.data();
  if (actor.killed) {
    actor.ended = true;
    what = "killed";
  } else {
    switch (action.act) {
      case Act::kRead:
        touch(variable(action.object), Access::kRead);
        what += "=" + std::to_string(variables[action.object]);
        break;
      case Act::kWrite:
        touch(variable(action.object), Access::kWrite);
        variables[action.object] = action.value;
        break;
      case Act::kAdd:
        touch(variable(action.object), Access::kWrite);
        what += "=" + std::to_string(variables[action.object]++);
        break;
      case Act::kBranch:
        touch(variable(0), Access::kRead);
        if (variables[0] % 2 == 0) {
          touch(variable(action.object), Access::kRead);
          what += "=" + std::to_string(variables[action.object]);
        } else {
          touch(variable(1), Access::kWrite);
          ++variables[1];
        }
        break;
      case Act::kClaim:
        touch(variable(0), Access::kRead);
        what += variables[0] == 0 ? " has it" : " fails";
        if (variables[0] != 0) break;
        touch(variable(0), Access::kWrite);
        variables[0] = 1;
        break;
      case Act::kWriteTwo:
        touch(variable(action.object), Access::kWrite);
        touch(variable(action.value), Access::kWrite);
        ++variables[action.object];
        variables[action.value] = action.value;
        break;
      case Act::kSend: send(action.object, action.value); break;
      case Act::kSendTwo:
        send(action.object, action.value);
        send(0, action.value + 1);
        break;
      case Act::kSendFirst: send(action.object, action.value, /*is_priority=*/true); break;
      case Act::kSendMixed:
        send(action.object, action.value, /*is_priority=*/true);
        send(0, action.value + 1);
        break;
      case Act::kReceive:
      case Act::kReceiveOr: {
        state_.happened.back().pattern = action.value;
        const std::size_t place = find_message(actor, action.value);
        if (place == actor.mailbox.size()) {
          touch(mailbox(index), Access::kExpire);
          what += "=none";
          break;
        }
        const Message message = actor.mailbox[place];
        touch(mailbox(index), action.act == Act::kReceive ? Access::kReceive : Access::kReceiveOrExpire,
              static_cast<std::uint32_t>(place));
        actor.mailbox.erase(actor.mailbox.begin() + static_cast<std::ptrdiff_t>(place));
        what += "=" + std::to_string(message.value) + " of " + std::to_string(message.sender) + "." +
                std::to_string(message.ordinal);
        skip = message.value % 2 == 1;
        break;
      }
      case Act::kKill: {
        Actor& other = state_.actors[action.object];
        const bool can_be_killed = next_action(action.object) != nullptr && !other.killed;
        touch(life(action.object), Access::kWrite);
        if (can_be_killed) {
          touch(mailbox(action.object), Access::kWrite);
          other.killed = true;
        }
        break;
      }
      case Act::kLock:
        touch(lock(action.object), Access::kAcquire);
        state_.locked[action.object] = true;
        break;
      case Act::kUnlock:
        touch(lock(action.object), state_.locked[action.object] ? Access::kRelease : Access::kWrite);
        state_.locked[action.object] = false;
        break;
      case Act::kPost:
        touch(semaphore(action.object), Access::kWrite);
        ++state_.semaphores[action.object];
        break;
      case Act::kTake:
        touch(semaphore(action.object), Access::kWrite);
        --state_.semaphores[action.object];
        break;
      case Act::kTryLock:
        if (state_.locked[action.object]) {
          touch(lock(action.object), Access::kRead);
          what += "=busy";
          skip = true;
        } else {
          touch(lock(action.object), Access::kWrite);
          state_.locked[action.object] = true;
        }
        break;
      case Act::kSpawn:
        touch(life(action.object), state_.actors[action.object].started ? Access::kWrite : Access::kCreate);
        state_.actors[action.object].started = true;
        break;
      case Act::kCancel: {
        Actor& other = state_.actors[action.object];
        touch(life(action.object), Access::kWrite);
        if (other.events == 0 && !other.ended) {
          touch(mailbox(action.object), Access::kWrite);
          other.ended = true;
        }
        break;
      }
      case Act::kChoose:
        touch(variable(action.object), Access::kWrite);
        variables[action.object] += transition.alternative;
        what += "=" + std::to_string(transition.alternative);
        break;
      case Act::kStop: state_.is_stopped = true; break;
      case Act::kStopSending:
        send(action.object, action.value);
        state_.is_stopped = true;
        break;
    }
  }
  // Who has ended can be neither killed nor cancelled: its last event is ordered with these.
  if (skip) ++actor.next;
  look();
  return {.actor = transition.actor, .alternative = transition.alternative, .footprint = touches_};
}

// By what others have to do, messages apart.
bool MessageSystem::is_blocked(const Actor& actor, const Action& action) const {
  if (actor.killed) return false;
  return (action.act == Act::kLock && state_.locked[action.object]) ||
         (action.act == Act::kTake && state_.semaphores[action.object] == 0);
}

std::vector<ActorId> MessageSystem::blocked() {
  std::vector<ActorId> all;
  for (std::uint32_t i = 0; i < program_.size(); ++i)
    if (next_action(i) != nullptr && is_blocked(state_.actors[i], *next_action(i))) all.push_back(ActorId{i});
  return all;
}

void MessageSystem::look() {
  enabled_.clear();
  bool waits = false;
  for (std::uint32_t i = 0; i < program_.size(); ++i) {
    const Action* action = next_action(i);
    if (action == nullptr) continue;
    const Actor& actor = state_.actors[i];
    const bool lacks_message = action->act == Act::kReceive && !actor.killed &&
                               find_message(actor, action->value) == actor.mailbox.size();
    if (lacks_message || is_blocked(actor, *action)) {
      waits = true;
      continue;
    }
    enabled_.push_back({.actor = ActorId{i}, .alternative = 0, .kind = TransitionKind::kOperation});
    if (action->act == Act::kChoose && !actor.killed)
      enabled_.push_back({.actor = ActorId{i}, .alternative = 1, .kind = TransitionKind::kOperation});
  }
  if (state_.is_stopped) {
    enabled_.clear();
    outcome_ = Outcome::kFinished;
    return;
  }
  outcome_ = !enabled_.empty() ? Outcome::kRunning : waits ? Outcome::kBug : Outcome::kFinished;
}

Bug MessageSystem::bug() const {
  std::string who;
  for (std::uint32_t i = 0; i < program_.size(); ++i)
    if (next_action(i) != nullptr) who += " " + std::to_string(i) + ":" + next_action(i)->to_string();
  return {
      .kind = "deadlock", .message = "these wait:" + who, .file = "", .line = 0, .actor = {}, .details = {}};
}

std::optional<Snapshot> MessageSystem::save() {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(saved_.size()));
    saved_.emplace_back();
  }
  const std::uint32_t place = free_.back();
  free_.pop_back();
  saved_[place] = state_;
  return Snapshot{place};
}

void MessageSystem::restore(Snapshot snapshot) {
  state_ = saved_.at(static_cast<std::uint32_t>(snapshot));
  look();
}

void MessageSystem::release(Snapshot snapshot) { free_.push_back(static_cast<std::uint32_t>(snapshot)); }

std::string MessageSystem::state_text() const {
  std::string text = state_.is_stopped ? "stopped " : "";
  for (const Actor& actor : state_.actors) {
    text += "[" + std::to_string(actor.next);
    // Whether it has begun decides whether it can be cancelled.
    for (const bool flag : {actor.events > 0, actor.started, actor.killed, actor.ended, actor.skips})
      text += flag ? "+" : "-";
    for (const Message& message : actor.mailbox)
      text += (message.is_priority ? " !" : " ") + std::to_string(message.value);
    text += "]";
  }
  for (const std::uint32_t variable : state_.variables) text += " " + std::to_string(variable);
  for (const bool is_locked : state_.locked) text += is_locked ? " L" : " .";
  for (const std::uint32_t semaphore : state_.semaphores) text += " " + std::to_string(semaphore);
  return text;
}

std::optional<MetState> MessageSystem::number_state() { return numbered_.number(state_text(), state_); }

// What has happened is that of an execution that has led there.
void MessageSystem::go_to(StateNumber state) {
  state_ = numbered_.copy_of(state);
  look();
  CHECK(outcome_ == Outcome::kRunning);
}

std::optional<Touch> MessageSystem::pending(const Transition& transition) {
  const Action* const action = next_action(static_cast<std::uint32_t>(transition.actor));
  if (action == nullptr ||
      (action->act != Act::kRead && action->act != Act::kWrite && action->act != Act::kAdd))
    return std::nullopt;
  return Touch{.object = variable(action->object),
               .access = action->act == Act::kRead ? Access::kRead : Access::kWrite};
}

bool MessageSystem::could_take(std::size_t receive, std::size_t send, std::size_t touch) {
  const Happened &one = state_.happened.at(receive), &other = state_.happened.at(send);
  const auto [to, value] = other.sent.at(touch);
  CHECK(to == one.actor && value != 0);
  return (value & one.pattern) != 0;
}

bool MessageSystem::operations_block() const {
  const auto waits = [](const Action& action) {
    return action.act == Act::kLock || action.act == Act::kTake;
  };
  return std::ranges::any_of(
      program_, [&](const std::vector<Action>& actor) { return std::ranges::any_of(actor, waits); });
}

std::optional<ActorId> MessageSystem::owner_of(std::uint64_t object) {
  for (std::uint32_t i = 0; i < program_.size(); ++i)
    if (object == mailbox(i) || object == life(i)) return ActorId{i};
  return std::nullopt;
}

ActorName MessageSystem::actor_name(ActorId actor) const {
  const auto index = static_cast<std::uint32_t>(actor);
  return index == 0 ? ActorName() : ActorName().child(index);
}

std::optional<ActorId> MessageSystem::find_actor(const ActorName& name) const {
  for (std::uint32_t i = 0; i < program_.size(); ++i)
    if (actor_name(ActorId{i}) == name) return ActorId{i};
  return std::nullopt;
}

std::string MessageSystem::trace() const {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> by_event;
  for (const Happened& event : state_.happened) by_event[{event.actor, event.ordinal}] = event.what;
  for (std::size_t j = 0; j < state_.happened.size(); ++j) {
    const Happened& later = state_.happened[j];
    for (std::size_t i = 0; i < j; ++i) {
      const Happened& earlier = state_.happened[i];
      if (earlier.actor == later.actor) continue;
      const bool stops = later.what.starts_with("stop");
      const bool depends = stops || std::ranges::any_of(later.noted, [&](const Noted& one) {
                             return std::ranges::any_of(earlier.noted, [&](const Noted& other) {
                               return one.object == other.object && (one.writes || other.writes);
                             });
                           });
      if (depends)
        by_event[{later.actor, later.ordinal}] +=
            " after " + std::to_string(earlier.actor) + "." + std::to_string(earlier.ordinal);
    }
  }
  std::string text;
  for (auto& [event, what] : by_event) {
    // The order in which the earlier ones are listed says nothing.
    const std::size_t first = what.find(" after ");
    if (first != std::string::npos) {
      std::vector<std::string> parts;
      std::size_t at = first;
      while (at != std::string::npos) {
        const std::size_t next = what.find(" after ", at + 1);
        parts.push_back(what.substr(at, next == std::string::npos ? next : next - at));
        at = next;
      }
      std::ranges::sort(parts);
      what.resize(first);
      for (const std::string& part : parts) what += part;
    }
    text += std::to_string(event.first) + "." + std::to_string(event.second) + " " + what + "\n";
  }
  return text;
}

MessageProgram random_message_program(Random& random, const std::vector<Act>& acts, std::uint32_t actors,
                                      std::uint32_t operations) {
  MessageProgram program(actors);
  for (std::uint32_t i = 0; i < actors; ++i) {
    for (std::uint32_t j = 0; j < operations; ++j) {
      Action action{.act = acts[random.below(acts.size())], .object = 0, .value = 0};
      switch (action.act) {
        case Act::kSend:
        case Act::kSendTwo:
        case Act::kSendFirst:
        case Act::kSendMixed:
        case Act::kKill:
        case Act::kCancel:
        case Act::kStopSending:
          action.object = static_cast<std::uint32_t>((i + 1 + random.below(actors - 1)) % actors);
          action.value = 1 + static_cast<std::uint32_t>(random.below(3));
          break;
        case Act::kReceive:
        case Act::kReceiveOr: action.value = 1 + static_cast<std::uint32_t>(random.below(3)); break;
        case Act::kSpawn:
          if (i + 1 == actors) {
            action.act = Act::kRead;
          } else {
            action.object = i + 1;
          }
          break;
        default: {
          // Variable 0 decides what a branch or a claim does; without them there is none that decides
          // anything.
          const bool is_steered =
              std::ranges::any_of(acts, [](Act act) { return act == Act::kBranch || act == Act::kClaim; });
          action.object = static_cast<std::uint32_t>(random.below(3)) + (is_steered ? 0 : 1);
          action.value = static_cast<std::uint32_t>(random.below(3)) + (is_steered ? 0 : 1);
        }
      }
      program[i].push_back(action);
    }
  }
  return program;
}

}  // namespace ravel::toy
