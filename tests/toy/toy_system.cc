#include "tests/toy/toy_system.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"
#include "base/hash.h"

namespace ravel::toy {

namespace {

// The lives of actors are objects from here on.
constexpr std::uint64_t kLives = 1'000'000;

}  // namespace

std::string Operation::to_string() const {
  static constexpr std::array<const char*, 9> kNames = {"write", "give",  "take",   "choose", "require",
                                                        "spawn", "again", "refuse", "end"};
  return std::string(kNames[static_cast<std::size_t>(op)]) + " " + std::to_string(object);
}

std::string to_string(const Program& program) {
  std::string text;
  for (const auto& actor : program) {
    text += "[";
    for (const Operation& operation : actor) text += " " + operation.to_string();
    text += " ]";
  }
  return text;
}

ToySystem::ToySystem(Program program, Options options) : program_(std::move(program)), options_(options) {
  reset();
}

void ToySystem::reset() {
  std::size_t counters = 0;
  std::vector<bool> spawned(program_.size(), false);
  for (const auto& actor : program_) {
    for (const Operation& operation : actor) {
      if (operation.op == Op::kSpawn) {
        spawned[operation.object] = true;
      } else {
        counters = std::max<std::size_t>(counters, operation.object + 1);
      }
    }
  }
  state_ = {};
  state_.counters.assign(counters, 0);
  state_.actors.resize(program_.size());
  for (std::size_t i = 0; i < program_.size(); ++i) state_.actors[i].started = !spawned[i];
  look();
}

std::span<const Transition> ToySystem::enabled() {
  std::span<const Transition> all = enabled_;
  if (nondeterministic_ && all.size() > 1) return all.first(all.size() - 1);
  return all;
}

std::optional<Touch> ToySystem::pending(const Transition& transition) {
  const std::uint32_t index = index_of(transition.actor);
  const Operation& operation = program_[index][state_.actors[index].next];
  if (operation.op == Op::kSpawn)
    return Touch{.object = kLives + operation.object, .access = Access::kCreate};
  return Touch{.object = operation.object,
               .access = operation.op == Op::kRequire ? Access::kRead : Access::kWrite};
}

Event ToySystem::step(const Transition& transition) {
  CHECK(std::ranges::find(enabled_, transition) != enabled_.end());
  ++steps_;
  const std::uint32_t index = index_of(transition.actor);
  Actor& actor = state_.actors[index];
  const Operation operation = program_[index][actor.next];
  state_.last_actor = index;
  state_.last_operation = operation;
  const bool is_first = actor.next == 0;
  touch_ = {.object = operation.object, .access = Access::kWrite};
  if (transition.kind == TransitionKind::kBlocks) {
    actor.waiting = true;
    touch_.access = Access::kRead;
  } else {
    actor.waiting = false;
    ++actor.next;
    switch (operation.op) {
      case Op::kWrite: break;
      case Op::kGive: ++state_.counters[operation.object]; break;
      case Op::kTake: --state_.counters[operation.object]; break;
      case Op::kChoose: state_.counters[operation.object] += 1 - transition.alternative; break;
      case Op::kRequire:
        touch_.access = Access::kRead;
        if (state_.counters[operation.object] == 0) state_.failed = index + 1;
        break;
      case Op::kSpawn:
        state_.actors[operation.object].started = true;
        touch_ = {.object = kLives + operation.object, .access = Access::kCreate};
        break;
      case Op::kAgain: actor.next = 0; break;
      case Op::kRefuse:
      case Op::kEnd: break;
    }
  }
  look();
  // Who was spawned begins after that.
  touches_ = {touch_, Touch{.object = kLives + index, .access = Access::kRead}};
  const std::size_t count = is_first && was_spawned(index) ? 2 : 1;
  return {.actor = transition.actor,
          .alternative = transition.alternative,
          .footprint = {touches_.data(), count}};
}

bool ToySystem::was_spawned(std::uint32_t index) const {
  const auto spawns_it = [&](const Operation& operation) {
    return operation.op == Op::kSpawn && operation.object == index;
  };
  return std::ranges::any_of(program_,
                             [&](const auto& actor) { return std::ranges::any_of(actor, spawns_it); });
}

// Brings enabled_ and outcome_ up to date with state_.
void ToySystem::look() {
  enabled_.clear();
  bool waiting = false;
  for (std::uint32_t i = 0; i < program_.size(); ++i) {
    const Operation* operation = pending(i);
    if (operation == nullptr) continue;
    if (operation->op == Op::kTake && state_.counters[operation->object] == 0) {
      waiting = true;
      if (options_.blocking == Blocking::kStep && !state_.actors[i].waiting) {
        enabled_.push_back({.actor = id_of(i), .alternative = 0, .kind = TransitionKind::kBlocks});
      }
      continue;
    }
    enabled_.push_back({.actor = id_of(i), .alternative = 0, .kind = TransitionKind::kOperation});
    if (operation->op == Op::kChoose) {
      enabled_.push_back({.actor = id_of(i), .alternative = 1, .kind = TransitionKind::kOperation});
    }
  }
  outcome_ = !enabled_.empty() ? Outcome::kRunning : waiting ? Outcome::kBug : Outcome::kFinished;
  bug_kind_ = waiting ? "deadlock" : "";
  if (state_.failed != 0) {
    outcome_ = Outcome::kBug;
    bug_kind_ = "assertion";
    enabled_.clear();
  } else if (state_.last_operation.op == Op::kRefuse) {
    outcome_ = Outcome::kUnsupported;
    enabled_.clear();
  } else if (stops_others()) {
    outcome_ = Outcome::kFinished;
    enabled_.clear();
  }
}

const Operation* ToySystem::pending(std::uint32_t index) const {
  const Actor& actor = state_.actors[index];
  if (!actor.started || actor.next >= program_[index].size()) return nullptr;
  return &program_[index][actor.next];
}

Bug ToySystem::bug() const {
  CHECK(outcome_ == Outcome::kBug);
  Bug bug{.kind = bug_kind_, .message = {}, .file = "toy.txt", .line = 0, .actor = {}, .details = {}};
  if (state_.failed != 0) {
    bug.message = state_.last_operation.to_string() + " does not hold";
    bug.line = state_.last_actor + 1;
    bug.actor = actor_name(id_of(state_.failed - 1)).to_string();
  } else {
    bug.message = "every actor that has not ended waits";
    for (std::uint32_t i = 0; i < program_.size(); ++i) {
      if (pending(i) != nullptr) bug.details.push_back(actor_name(id_of(i)).to_string() + " waits");
    }
  }
  return bug;
}

Refusal ToySystem::refusal() const {
  CHECK(outcome_ == Outcome::kUnsupported);
  return {.message = "refuse is not supported", .file = "toy.txt", .line = state_.last_actor + 1};
}

std::optional<Snapshot> ToySystem::save() {
  if (options_.rewinding == Rewinding::kResetOnly) return std::nullopt;
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(saved_.size()));
    saved_.emplace_back();
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  saved_[slot] = state_;
  snapshots_alive_max_ = std::max(snapshots_alive_max_, ++snapshots_alive_);
  return Snapshot{slot};
}

void ToySystem::restore(Snapshot snapshot) {
  state_ = saved_.at(static_cast<std::uint32_t>(snapshot));
  look();
}

std::vector<ActorId> ToySystem::blocked() {
  std::vector<ActorId> all;
  for (std::uint32_t i = 0; i < program_.size(); ++i) {
    const Operation* const operation = pending(i);
    if (operation != nullptr && operation->op == Op::kTake && state_.counters[operation->object] == 0)
      all.push_back(id_of(i));
  }
  return all;
}

std::optional<ActorId> ToySystem::owner_of(std::uint64_t object) {
  return object < kLives ? std::nullopt : std::optional(id_of(static_cast<std::uint32_t>(object - kLives)));
}

bool ToySystem::operations_block() const {
  const auto waits = [](const Operation& operation) { return operation.op == Op::kTake; };
  return std::ranges::any_of(
      program_, [&](const std::vector<Operation>& actor) { return std::ranges::any_of(actor, waits); });
}

std::optional<Fingerprint> ToySystem::fingerprint() {
  std::uint64_t hash = 0;
  for (const Actor& actor : state_.actors)
    hash = combine(hash, actor.next * 4 + (actor.started ? 2 : 0) + (actor.waiting ? 1 : 0));
  for (const std::uint32_t counter : state_.counters) hash = combine(hash, counter);
  // Which operation ended the execution; others leave nothing.
  if (enabled_.empty()) hash = combine(hash, state_.failed + 1);
  return Fingerprint{.high = hash, .low = combine(hash, 1)};
}

std::string ToySystem::state_text() const {
  if (state_.failed != 0 || outcome_ == Outcome::kUnsupported) return "";
  std::string text = stops_others() ? "ended " : "";
  for (const Actor& actor : state_.actors)
    text += !actor.started ? "- " : std::to_string(actor.next) + (actor.waiting ? "w " : " ");
  for (const std::uint32_t counter : state_.counters) text += " =" + std::to_string(counter);
  return text;
}

std::optional<MetState> ToySystem::number_state() {
  const std::string text = state_text();
  if (text.empty()) return std::nullopt;
  return numbered_.number(text, state_);
}

void ToySystem::go_to(StateNumber state) {
  state_ = numbered_.copy_of(state);
  state_.last_actor = 0;
  state_.last_operation = {};
  look();
  CHECK(outcome_ == Outcome::kRunning);
}

void ToySystem::release(Snapshot snapshot) {
  CHECK(snapshots_alive_ > 0);
  --snapshots_alive_;
  free_.push_back(static_cast<std::uint32_t>(snapshot));
}

std::uint32_t ToySystem::index_of(ActorId actor) const {
  return static_cast<std::uint32_t>(program_.size() - 1) - static_cast<std::uint32_t>(actor);
}

ActorId ToySystem::id_of(std::uint32_t index) const {
  return ActorId{static_cast<std::uint32_t>(program_.size() - 1) - index};
}

ActorName ToySystem::actor_name(ActorId actor) const {
  const std::uint32_t index = index_of(actor);
  return index == 0 ? ActorName() : ActorName().child(index);
}

std::optional<ActorId> ToySystem::find_actor(const ActorName& name) const {
  for (std::uint32_t i = 0; i < program_.size(); ++i) {
    if (actor_name(id_of(i)) == name) return id_of(i);
  }
  return std::nullopt;
}

EventDescription ToySystem::describe_last() {
  const std::string name = actor_name(id_of(state_.last_actor)).to_string();
  return {.text = state_.last_operation.to_string(),
          .actor = name + " (actor " + std::to_string(state_.last_actor) + ")",
          .file = "toy.txt",
          .line = state_.last_actor + 1,
          .source = "source of " + state_.last_operation.to_string(),
          .extra = {}};
}

std::string ToySystem::output_so_far() { return ""; }

}  // namespace ravel::toy
