// Hands every call on to a strategy and notes the trace of each execution that it completes as new.

#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "engine/strategy_wrapper.h"
#include "tests/toy/message_system.h"

namespace ravel::toy {

class TraceCounter final : public StrategyWrapper {
 public:
  TraceCounter(Strategy& strategy, MessageSystem& system) : StrategyWrapper(strategy), system_(system) {}

  Novelty end_execution(Outcome outcome) override {
    const Novelty novelty = StrategyWrapper::end_execution(outcome);
    if (outcome != Outcome::kRunning && novelty == Novelty::kNew) ++traces[system_.trace()];
    return novelty;
  }

  std::map<std::string, std::uint64_t> traces;

 private:
  MessageSystem& system_;
};

}  // namespace ravel::toy
