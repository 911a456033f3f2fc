// The threads of the program in this process as a System of the engine.
//
// States can't be saved: an execution starts from the beginning by putting back memory, which is cheap.

#pragma once

#include <string>
#include <vector>

#include "engine/system.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

class ThreadsSystem final : public System {
 public:
  explicit ThreadsSystem(Scheduler& scheduler) : scheduler_(scheduler) {}

  void reset() override;
  std::span<const Transition> enabled() override { return enabled_; }
  Event step(const Transition& transition) override;
  std::optional<Touch> pending(const Transition& transition) override;
  Outcome outcome() const override { return scheduler_.outcome(); }
  // With program counters and addresses as numbers; whoever knows the symbols makes sentences of it.
  Bug bug() const override;
  Refusal refusal() const override { return {.message = scheduler_.refusal(), .file = {}, .line = 0}; }

  std::optional<Snapshot> save() override { return std::nullopt; }
  void restore(Snapshot) override;
  void release(Snapshot) override {}

  ActorName actor_name(ActorId actor) const override { return scheduler_.actor_name(actor); }
  std::optional<ActorId> find_actor(const ActorName& name) const override { return scheduler_.find_actor(name); }

  void set_descriptions(Descriptions descriptions) override {
    scheduler_.set_recording(descriptions == Descriptions::kOn);
  }
  EventDescription describe_last() override { return {}; }
  std::string output_so_far() override { return {}; }

 private:
  void list_enabled();
  void note_schedule();

  Scheduler& scheduler_;
  std::vector<Transition> enabled_;
  std::vector<Transition> schedule_;  // of this execution
  std::size_t noted_ = 0;             // races and threads left behind
};

}  // namespace ravel::threads
