#include "threads/worker/numbered_threads.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "states/shared_states.h"

namespace ravel::threads {

namespace {

// What stands for a state in which nobody changes anything, beside the state itself.
Hash128 mark_of(const Hash128& state) {
  return {.high = state.high ^ 0x9e3779b97f4a7c15u, .low = state.low ^ 0xc2b2ae3d27d4eb4fu};
}

// All ends of the program by itself are one state.
constexpr Hash128 kFinished = {.high = 1, .low = 1};

StateTraits traits_now() {
  return {.dates_matter = scheduler().deadlines().do_dates_matter(),
          .stacks_are_shared = scheduler().races().are_stacks_shared(),
          .loop_heads = scheduler().loops().heads().all()};
}

// What was found out in another process holds here, too.
StateTraits traits_with(const StateTraits& known) {
  if (known.dates_matter) scheduler().deadlines().note_use_of_date();
  if (known.stacks_are_shared) scheduler().races().note_shared_stacks();
  scheduler().loops().heads().know(known.loop_heads);
  return traits_now();
}

}  // namespace

NumberedThreads::NumberedThreads(ThreadsSystem& system, const StateStorage& storage, StateTraits known)
    : SystemWrapper(system),
      system_(system),
      shared_(storage.shared),
      visited_(make_visited_hashes(storage)),
      replayed_before_(system.replayed()),
      traits_(traits_with(known)) {
  system_.set_numbered(true);
  scheduler().races().set_collecting(true);
}

NumberedThreads::~NumberedThreads() {
  system_.set_numbered(false);
  scheduler().races().set_collecting(false);
}

// Asked after every step.
bool NumberedThreads::has_to_begin_anew() const {
  return scheduler().loops().heads().all().size() != traits_.loop_heads.size() ||
         scheduler().deadlines().do_dates_matter() != traits_.dates_matter ||
         scheduler().races().are_stacks_shared() != traits_.stacks_are_shared;
}

std::size_t NumberedThreads::knowledge() const {
  return scheduler().actors().all().size() + (has_to_begin_anew() ? 1 : 0);
}

void NumberedThreads::come_back() {
  if (present_ != kNone) go_to(StateNumber{present_});
}

void NumberedThreads::tell_still(const Hash128& state) {
  if (shared_ != nullptr && shared_->has_room()) shared_->insert(mark_of(state));
}

bool NumberedThreads::is_still_elsewhere(const Hash128& state) const {
  return shared_ != nullptr && shared_->contains(mark_of(state));
}

void NumberedThreads::reset() {
  system_.reset();
  present_ = kNone;
  last_ = {};
  system_.look_at_segments(0);
  look_at_state();
}

Event NumberedThreads::step(const Transition& transition) {
  const std::size_t threads_before = scheduler().threads().count();
  const Event event = system_.step(transition);
  last_ = transition;
  if (outcome() == Outcome::kRunning || outcome() == Outcome::kFinished)
    system_.look_at_segments(threads_before);
  look_at_state();
  return event;
}

void NumberedThreads::look_at_state() {
  state_.reset();
  is_new_ = false;
  if (outcome() == Outcome::kFinished) {
    state_ = kFinished;
  } else if (outcome() == Outcome::kRunning || (outcome() == Outcome::kBug && !stops_others())) {
    state_ = system_.state().hash();
  }
  if (!state_) return;
  is_new_ = !visited_->contains(*state_);
  if (outcome() != Outcome::kRunning) return;
  const bool is_idle = idle_.contains(*state_);
  if (is_new_ || stuck_.contains(*state_) || (!is_idle && is_still_elsewhere(*state_))) {
    const std::size_t enabled_before = enabled().size();
    system_.look_for_circles();
    const bool is_stuck = outcome() != Outcome::kRunning, lets_time_pass = enabled().size() > enabled_before;
    if (is_stuck) stuck_.insert(*state_);
    if (lets_time_pass) idle_.insert(*state_);
    if (is_new_ && (is_stuck || lets_time_pass)) tell_still(*state_);
  } else if (is_idle) {
    system_.list_passing_as_well();
  }
}

std::optional<Fingerprint> NumberedThreads::fingerprint() {
  if (!state_) return std::nullopt;
  return Fingerprint{.high = state_->high, .low = state_->low};
}

std::optional<MetState> NumberedThreads::number_state() {
  if (!state_) return std::nullopt;
  if (is_new_ && (visited_->is_full() || origins_.size() >= kNone - 1)) return std::nullopt;
  // What several processes share says whose state it was, and another one may have come to it meanwhile.
  if (is_new_ || shared_ != nullptr) is_new_ = visited_->insert(*state_);
  if (!is_new_) {
    present_ = kNone;
    return MetState{.number = kNumberForgotten, .is_new = false};
  }
  is_new_ = false;
  origins_.push_back(pack(present_, last_));
  present_ = static_cast<std::uint32_t>(origins_.size() - 1);
  if (idle_.contains(*state_)) idle_numbers_.insert(present_);
  return MetState{.number = StateNumber{present_}, .is_new = true};
}

NumberedThreads::Origin NumberedThreads::pack(std::uint32_t from, const Transition& transition) {
  const auto actor = static_cast<std::uint32_t>(transition.actor);
  const auto kind = static_cast<std::uint32_t>(transition.kind);
  CHECK_MESSAGE(actor < 1u << 18 && transition.alternative < 1u << 12 && kind < 4,
                "a step of a thread is not one of those that a search by states can note");
  return {.from = from, .actor = actor, .alternative = transition.alternative, .kind = kind};
}

void NumberedThreads::go_to(StateNumber state) {
  const auto number = static_cast<std::uint32_t>(state);
  way_.clear();
  for (std::uint32_t at = number; origins_[at].from != kNone; at = origins_[at].from)
    way_.push_back({.actor = static_cast<ActorId>(origins_[at].actor),
                    .alternative = origins_[at].alternative,
                    .kind = static_cast<TransitionKind>(origins_[at].kind)});
  std::ranges::reverse(way_);
  system_.replay(way_);
  state_.reset();
  is_new_ = false;
  present_ = number;
  if (idle_numbers_.contains(number)) system_.list_passing_as_well();
}

std::uint64_t NumberedThreads::bytes_of_states() const {
  return visited_->bytes() + origins_.capacity() * sizeof(Origin) + system_.state().bytes();
}

}  // namespace ravel::threads
