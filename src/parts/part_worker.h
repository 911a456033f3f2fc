// A process that runs parts of a search which another one has (part_coordinator.h).
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "base/clock.h"
#include "engine/divisible.h"
#include "engine/exploration.h"
#include "engine/explorer.h"
#include "engine/strategy.h"
#include "parallel/channel.h"
#include "parallel/child_process.h"
#include "parts/part_messages.h"

namespace ravel {

// What a part is run with. References must outlive the worker.
struct PartRunning {
  System& system;
  Limits limits = {};  // of one part; its time is not limited
  Listener* listener = nullptr;
  std::function<std::unique_ptr<Strategy>()> make_strategy = {};
  std::shared_ptr<const CommonGround> ground = nullptr;  // of the processes that run parts
  std::function<PartFindings(const Exploration&)> save = {};
  std::uint64_t (*held_memory)(std::uint64_t bytes) = nullptr;
  // For a System whose type is known to whoever searches it; else it is an Explorer.
  std::function<std::unique_ptr<Explorer>(Strategy&, const Limits&, Clock&, const Surroundings&)>
      make_explorer = {};
  std::function<void()> begin_part = {};  // before a part is run in this process
  MakeCopy fork = flush_and_fork;         // of copies that can run parts

  std::unique_ptr<Explorer> explorer_of(Strategy& strategy, const Limits& limits_of_run, Clock& clock,
                                        const Surroundings& surroundings) const;
};

class PartWorker {
 public:
  // `keep_now`: Surroundings::keep_now.
  PartWorker(PartRunning running, Channel channel, std::atomic<bool>& keep_now);

  // Runs parts until nothing is left, and ends the process.
  [[noreturn]] void serve();

  // ---- for an explorer that is under way already, and goes on as a part
  void take(PartNumber part, Strategy& strategy, const Explorer& explorer);
  // Surroundings::keep and Surroundings::interrupt of such an explorer.
  void tell_slice(const Exploration& now);
  std::atomic<bool>& stop() { return stop_; }
  // It has ended.
  void tell_end(const Exploration& found, const Explorer& explorer);

 private:
  void run(const Part& part);
  void begin(PartNumber part, Strategy& strategy);
  void tell(const PartSlice& slice);

  PartRunning running_;
  Channel channel_;
  std::atomic<bool>& keep_now_;
  std::atomic<bool> stop_ = false;  // of the part
  PartNumber part_ = 0;
  Divisible* divisible_ = nullptr;  // the strategy of the part
  const Explorer* explorer_ = nullptr;
};

}  // namespace ravel
