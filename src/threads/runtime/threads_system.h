// The threads of the program in this process as a System of the engine.
//
// States can't be saved: an execution starts from the beginning by putting back memory, which is cheap.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/check.h"
#include "engine/system.h"
#include "threads/runtime/program_state.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

class ThreadsSystem final : public System {
 public:
  explicit ThreadsSystem(Scheduler& scheduler) : scheduler_(scheduler) {}

  void reset() override;
  std::span<const Transition> enabled() override { return std::span(enabled_).first(enabled_count_); }
  // Defined here, to be inlined into the loop of the search (engine/explorer_loop.h).
  [[gnu::always_inline]] Event step(const Transition& transition) override {
    schedule_.push_back(transition);
    const bool is_early = scheduler_.recording().is_on() && is_early_timeout(transition);
    take(transition);
    if (is_early) [[unlikely]]
      scheduler_.recording().record().is_early = true;
    if (scheduler_.loops().heads().has_new()) [[unlikely]]
      run_again();
    if (scheduler_.discoveries().count() != noted_) [[unlikely]]
      note_schedule();
    list_enabled();
    if (looks_for_circles_) [[unlikely]]
      look_for_circles_aside();
    return {.actor = transition.actor,
            .alternative = transition.alternative,
            .footprint = scheduler_.step().touches()};
  }
  std::optional<Touch> pending(const Transition& transition) override;
  std::vector<ActorId> blocked() override;
  bool operations_block() const override { return true; }
  Outcome outcome() const override { return scheduler_.ending().outcome(); }
  bool stops_others() const override { return outcome() != Outcome::kRunning && !is_stuck_; }
  // The bug with program counters and addresses as numbers; a caller that knows the symbols makes sentences
  // of it.
  Bug bug() const override;
  bool is_bug(const Bug& known) const override;
  Refusal refusal() const override {
    return {.message = scheduler_.ending().refusal(), .file = {}, .line = 0};
  }

  SystemParts parts() const override { return {.pending = true}; }
  std::optional<Snapshot> save() override { return std::nullopt; }
  void restore(Snapshot) override;
  void release(Snapshot) override {}

  ActorName actor_name(ActorId actor) const override { return scheduler_.actors().name_of(actor); }
  std::optional<ActorId> find_actor(const ActorName& name) const override {
    return scheduler_.actors().find(name);
  }

  // ---- for a search by states (worker/numbered_threads.h)

  // look_for_circles() is called from outside alone. REQUIRES: reset() follows.
  void set_numbered(bool is_numbered) { is_numbered_ = is_numbered; }
  const std::vector<Transition>& schedule() const { return schedule_; }
  // What was executed is this, from the beginning of an execution. REQUIRES: it can be.
  void replay(std::span<const Transition> schedule);
  // Whether nobody will ever change anything, or end, however threads go on: they look at what is there,
  // again and again. Then time may pass, if somebody waits for that, besides what is enabled; else the
  // execution has ended in a deadlock.
  void look_for_circles();
  // Lists that time may pass, besides what is enabled. REQUIRES: somebody waits for that, or looks at the
  // clock again and again.
  void list_passing_as_well();
  ProgramState& state() { return state_; }
  const ProgramState& state() const { return state_; }
  // Looks whether segments of threads conflict, one of which has grown in the last step, and if so, whether
  // that is a data race, which may end the execution as a bug. `threads_before`: how many there were.
  void look_at_segments(std::size_t threads_before);
  // How many steps were taken again.
  std::uint64_t replayed() const { return replayed_; }

  void set_descriptions(Descriptions descriptions) override {
    scheduler_.recording().turn(descriptions != Descriptions::kOff);
  }
  EventDescription describe_last() override { return {}; }
  std::string output_so_far() override { return {}; }

 private:
  [[gnu::always_inline]] void take(const Transition& transition) {
    if (transition.kind == TransitionKind::kPasses) [[unlikely]]
      return scheduler_.pass_time();
    if (transition.kind == TransitionKind::kEarly) [[unlikely]]
      return scheduler_.pass_time_early(transition.alternative);
    Thread* const thread = scheduler_.threads().of(transition.actor);
    CHECK(thread != nullptr);
    scheduler_.run(*thread, transition.alternative);
  }
  // What was executed, up to and with the last step.
  void run_again();
  void list_enabled() {
    enabled_count_ = 0;
    if (scheduler_.ending().outcome() != Outcome::kRunning) return;
    list(false);
    if (enabled_count_ == 0) [[unlikely]]
      list_those_who_stand_back();
    if (looks_again_) [[unlikely]]
      look_again();
  }
  void list(bool those_who_stand_back) {
    make_room(scheduler_.threads().by_name().size());
    Transition* next = enabled_.data() + enabled_count_;
    for (const Thread* const thread : scheduler_.threads().by_name()) {
      if (thread->stands_back != those_who_stand_back) continue;
      if (thread->gate != nullptr) [[likely]] {
        // Without a branch: whether it is enabled cannot be predicted.
        *next = thread->transition;
        next += *thread->gate == nullptr;
        continue;
      }
      if (thread->state == ThreadState::kWaiting) next = list_alternatives(*thread, next);
    }
    enabled_count_ = static_cast<std::size_t>(next - enabled_.data());
  }
  // Lists the ways of a thread at `next`. After them there is room for one way of each thread.
  Transition* list_alternatives(const Thread& thread, Transition* next);
  void make_room(std::size_t transitions) {
    if (enabled_.size() < enabled_count_ + transitions) [[unlikely]]
      enabled_.resize(enabled_count_ + transitions);
  }
  void list_those_who_stand_back();
  bool list_passing();
  void list_early();
  void look_again();
  void end_if_all_is_spurious();
  bool goes_on_by_time(const Transition& transition) const;
  bool is_early_timeout(const Transition& transition);
  void end_stuck();
  void note_schedule();
  void look_for_circles_aside();
  bool goes_on_by_looks(bool passes);
  void end_in_circles();
  bool may_be_look(const Transition& transition) const;
  bool does_step_look(const Transition& transition);

  Scheduler& scheduler_;
  std::vector<Transition> enabled_;  // the first `enabled_count_` of them
  std::size_t enabled_count_ = 0;
  std::vector<Transition> schedule_;  // of this execution
  std::uint32_t noted_ = 0;           // races and threads that were noted
  bool looks_again_ = false;          // at what is enabled
  bool is_stuck_ = false;             // the execution has ended because nobody can go on
  bool is_numbered_ = false, looks_for_circles_ = false;
  std::uint64_t replayed_ = 0;
  // In the last search for circles: what threads have looked at, and whether at the clock.
  std::map<ActorId, std::vector<WaitingLoop::Read>> looks_;
  bool reads_clock_ = false;
  ProgramState state_{scheduler_};
};

}  // namespace ravel::threads
