#include "p/system/p_system.h"

#include <algorithm>

#include "base/check.h"
#include "base/hash.h"

namespace ravel::p {
namespace {

// Objects of footprints: a machine's queue, its life, a monitor, time.
enum class ObjectOf : std::uint8_t { kQueue, kLife, kMonitor, kTime };
constexpr std::uint64_t kObjectKinds = 4;
constexpr std::uint64_t object(ObjectOf kind, std::uint32_t number) {
  return number * kObjectKinds + static_cast<std::uint64_t>(kind);
}

// Where states are kept as hashes, most of what was stored is of no use soon, and a store that stays small
// stays in the caches.
constexpr std::size_t kStoreWordsWithHashes = std::size_t{1} << 20;

std::size_t words_to_collect_after(const POptions& options) {
  return options.visited.is_exact() ? options.words_between_collections
                                    : std::min(options.words_between_collections, kStoreWordsWithHashes);
}

constexpr Touch kTimePasses{.object = object(ObjectOf::kTime, 0), .access = Access::kPass};
constexpr std::uint32_t kFires = 1;  // the alternative of a timer; taking an event is 0

Touch touch_of(const Effect& effect) {
  const auto touch = [&](ObjectOf kind, Access access) {
    return Touch{.object = object(kind, effect.who), .access = access, .message = effect.message};
  };
  switch (effect.kind) {
    case Effect::Kind::kCreated: return touch(ObjectOf::kLife, Access::kCreate);
    case Effect::Kind::kBegan:
    case Effect::Kind::kChose: return touch(ObjectOf::kLife, Access::kRead);
    case Effect::Kind::kSent: return touch(ObjectOf::kQueue, Access::kSend);
    case Effect::Kind::kSentInVain: return touch(ObjectOf::kQueue, Access::kSendInVain);
    case Effect::Kind::kTook: return touch(ObjectOf::kQueue, Access::kReceive);
    case Effect::Kind::kTookOrNot: return touch(ObjectOf::kQueue, Access::kReceiveOrExpire);
    case Effect::Kind::kFoundNone: return touch(ObjectOf::kQueue, Access::kExpire);
    case Effect::Kind::kMonitorRan: return touch(ObjectOf::kMonitor, Access::kWrite);
    // What is in the queue decides whether it could have done something else.
    case Effect::Kind::kFired: return touch(ObjectOf::kQueue, Access::kRead);
    case Effect::Kind::kTimePassed: return kTimePasses;
  }
  CHECK(false);
}

}  // namespace

PSystem::PSystem(const Program& program, const TestCase& test, const POptions& options)
    : program_(program),
      store_(words_to_collect_after(options),
             options.visited.is_exact() ? ValueStore::Hashes::kNarrow : ValueStore::Hashes::kWide),
      code_(compile(program, test, store_)),
      options_(options),
      world_(code_, store_, options.steps, options.timers, options.symmetric),
      numbers_(world_, store_, options.visited),
      liveness_(code_, world_),
      explorer_(program, store_, world_, options.timers) {
  if (options.remembers_steps && options.symmetric.is_empty() && options.timers == TimersFire::kAsModelled)
    numbers_.remember_steps(liveness_, options.step_memory_max);
  look();
}

void PSystem::reset() {
  numbers_.note_other_state();
  world_.reset();
  noted_.clear();
  sent_.clear();
  look();
}

ravel::Event PSystem::step(const Transition& transition) {
  const Transition taken = transition;  // which may be one of enabled_
  if (store_.wants_collection()) numbers_.forget_values();
  world_.collect_if_due(*this);
  const auto who = static_cast<std::uint32_t>(taken.actor);
  numbers_.note_step({.who = who, .alternative = taken.alternative});
  if (explorer_.is_time(taken.actor)) {
    world_.fire(armed_.at(taken.alternative));
  } else if (taken.alternative == kFires && world_.is_armed(who)) {
    world_.fire(who);
  } else {
    world_.step(who, taken.alternative);
  }
  note_touches();
  look();
  return {.actor = taken.actor, .alternative = taken.alternative, .footprint = touches_};
}

void PSystem::note_touches() {
  touches_.clear();
  Noted noted{.sent = sent_.size()};
  std::size_t next = 0;  // operation that may have sent something
  const std::span<const Operation> operations = world_.operations();
  for (const Effect& effect : world_.effects()) {
    const Touch touch = touch_of(effect);
    // A monitor that has seen several events is written once.
    if (effect.kind == Effect::Kind::kMonitorRan && std::ranges::find(touches_, touch) != touches_.end())
      continue;
    touches_.push_back(touch);
    if (is_send(touch.access)) {
      while (operations[next].kind != Operation::Kind::kSend) ++next;
      sent_.push_back(
          {.touch = static_cast<std::uint32_t>(touches_.size() - 1), .event = operations[next++].event});
    }
    if (touch.access == Access::kReceive || touch.access == Access::kReceiveOrExpire ||
        touch.access == Access::kExpire)
      noted.takes = operations.front().takes;
  }
  noted_.push_back(noted);
}

// Brings enabled_ and outcome_ up to date.
void PSystem::look() {
  enabled_.clear();
  if (explorer_.failure()) {
    outcome_ = Outcome::kUnsupported;
    return;
  }
  if (world_.failure()) {
    outcome_ = world_.refusal() ? Outcome::kUnsupported : Outcome::kBug;
    return;
  }
  for (const std::uint32_t who : world_.names().in_order()) {
    if (who >= world_.size() || !world_.exists(who)) continue;
    for (std::uint32_t i = 0; i < world_.alternatives(who); ++i)
      enabled_.push_back({.actor = ActorId{who}, .alternative = i});
    if (options_.timers == TimersFire::kAnyTime && world_.is_armed(who))
      enabled_.push_back({.actor = ActorId{who}, .alternative = kFires});
  }
  if (enabled_.empty() && options_.timers == TimersFire::kWhenAllWait) list_timers();
  outcome_ = !enabled_.empty()                        ? Outcome::kRunning
             : is_deadlock() || hot_spec() != nullptr ? Outcome::kBug
                                                      : Outcome::kFinished;
}

void PSystem::list_timers() {
  armed_.clear();
  for (const std::uint32_t who : world_.names().in_order()) {
    if (who >= world_.size() || !world_.is_armed(who)) continue;
    enabled_.push_back({.actor = ActorId{MachineNames::kTime},
                        .alternative = static_cast<std::uint32_t>(armed_.size()),
                        .kind = TransitionKind::kPasses});
    armed_.push_back(who);
  }
}

std::vector<std::uint32_t> PSystem::waiting_in_receive() const {
  std::vector<std::uint32_t> all;
  for (const std::uint32_t who : world_.names().in_order())
    if (who < world_.size() && world_.exists(who) && world_.live(who).is_running() &&
        world_.alternatives(who) == 0)
      all.push_back(who);
  return all;
}

// --- snapshots

std::optional<Snapshot> PSystem::save() {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(saved_.size()));
    saved_.emplace_back();
  }
  const std::uint32_t place = free_.back();
  free_.pop_back();
  Saved& saved = saved_[place];
  world_.save(saved.words);
  saved.events = noted_.size();
  saved.sent = sent_.size();
  saved.output = world_.output().size();
  return Snapshot{place};
}

void PSystem::restore(Snapshot snapshot) {
  const Saved& saved = saved_.at(static_cast<std::uint32_t>(snapshot));
  numbers_.note_other_state();
  world_.restore(saved.words);
  noted_.resize(saved.events);
  sent_.resize(saved.sent);
  world_.output().resize(saved.output);
  look();
}

void PSystem::release(Snapshot snapshot) {
  const auto place = static_cast<std::uint32_t>(snapshot);
  saved_[place].words.clear();
  free_.push_back(place);
}

void PSystem::for_each(const std::function<void(std::span<const Value>)>& visit) {
  for (const Saved& saved : saved_) visit(saved.words);
  explorer_.for_each(visit);
  numbers_.for_each(visit);
}

// --- states

std::optional<Fingerprint> PSystem::fingerprint() {
  world_.save(words_);
  std::uint64_t high = words_.size(), low = ~high;
  for (const Value word : words_) {
    const std::uint64_t hash = ValueStore::hash(word);
    high = combine(high, hash);
    low = combine(low, hash);
  }
  if (const std::optional<Failure>& failure = world_.failure()) {
    high = combine(high, failure->place.offset);
    low = combine(low, hash_string(failure->kind + failure->sentence));
  }
  return Fingerprint{.high = high, .low = low};
}

std::optional<MetState> PSystem::number_state() {
  if (world_.failure()) return std::nullopt;
  return numbers_.number();
}

void PSystem::go_to(StateNumber state) {
  numbers_.go_to(state);
  noted_.clear();
  sent_.clear();
  world_.output().clear();
  look();
  CHECK(outcome_ == Outcome::kRunning);
}

std::vector<std::string> PSystem::liveness_formulas() const {
  return options_.ignores_liveness ? std::vector<std::string>() : liveness_.formulas();
}

// --- what may be asked of an execution

bool PSystem::could_take(std::size_t receive, std::size_t send, std::size_t touch) {
  const std::optional<Takes>& takes = noted_.at(receive).takes;
  std::size_t sent = noted_.at(send).sent;
  while (sent_.at(sent).touch != touch) ++sent;
  return world_.would_take(takes.value(), sent_[sent].event);
}

std::optional<Touch> PSystem::pending(const Transition& transition) {
  const auto who = static_cast<std::uint32_t>(transition.actor);
  if (explorer_.is_time(transition.actor)) return kTimePasses;
  if (transition.alternative == kFires && world_.is_armed(who))
    return Touch{.object = object(ObjectOf::kQueue, who), .access = Access::kRead};
  const Operation next = world_.next(who);
  switch (next.kind) {
    case Operation::Kind::kCreate:
      return Touch{.object = object(ObjectOf::kLife, next.other), .access = Access::kCreate};
    case Operation::Kind::kSend:
      return Touch{.object = object(ObjectOf::kQueue, next.other), .access = Access::kSend};
    case Operation::Kind::kTake:
      return Touch{.object = object(ObjectOf::kQueue, who), .access = Access::kReceive};
    default: return Touch{.object = object(ObjectOf::kLife, who), .access = Access::kRead};
  }
}

std::optional<ActorId> PSystem::owner_of(std::uint64_t object) {
  const auto kind = static_cast<ObjectOf>(object % kObjectKinds);
  if (kind == ObjectOf::kMonitor || kind == ObjectOf::kTime) return std::nullopt;
  return ActorId{static_cast<std::uint32_t>(object / kObjectKinds)};
}

ActorName PSystem::actor_name(ActorId actor) const {
  if (explorer_.is_time(actor)) return ActorName('T');
  ActorName name;
  for (const std::uint32_t ordinal : world_.names().path(static_cast<std::uint32_t>(actor)))
    name = name.child(ordinal);
  return name;
}

std::optional<ActorId> PSystem::find_actor(const ActorName& name) const {
  for (std::uint32_t who = 0; who < world_.names().size(); ++who)
    if (actor_name(ActorId{who}) == name) return ActorId{who};
  return std::nullopt;
}

}  // namespace ravel::p
