// A process that visits states together with others (state_coordinator.h).
#pragma once

#include <atomic>
#include <functional>
#include <optional>

#include "parallel/channel.h"
#include "sharing/state_messages.h"
#include "states/state_search.h"

namespace ravel {

// Set by the process that has the search. `asked`: another process has nothing to do; `saved`: it is to tell
// what it has visited; `stopped`: the search ends.
struct StateFlags {
  std::atomic<bool>& asked;
  std::atomic<bool>& saved;
  std::atomic<bool>& stopped;
};

class StateWorker {
 public:
  using Save = std::function<PartFindings(const Exploration&)>;

  // References must outlive this object. `stop`: what ends the search of this process,
  // Surroundings::interrupt. `looking`: SharedPart::Sharing::looking.
  StateWorker(Channel channel, StateFlags flags, std::atomic<bool>& stop, LookingSteps* looking, Save save)
      : channel_(std::move(channel)), flags_(flags), stop_(stop), looking_(looking), save_(std::move(save)) {}

  // Does what it is told until nothing is left, and ends the process.
  [[noreturn]] void serve(StateSearch& search);
  // The same of a search that was under way when the process was made, and has found this since.
  [[noreturn]] void serve(StateSearch& search, Exploration found);
  // SharedPart::Sharing::attend.
  void attend(StateSearch& search);
  // What it has visited and found so far. Also SharedPart::Sharing::attend_stratum.
  void tell_notes(StateSearch& search);

 private:
  void tell(const StateNews& news);
  void give(StateSearch& search);
  void tell(StateSearch& search, Exploration found, StateOrders orders, std::optional<StratumReport> report);

  Channel channel_;
  const StateFlags flags_;
  std::atomic<bool>& stop_;
  LookingSteps* const looking_;
  const Save save_;
};

}  // namespace ravel
