// The one way to read the time, injected so that tests can make it pass.
//
// Only budgets, progress and reports ask for it; nothing that decides which execution comes next may.

#pragma once

namespace ravel {

class Clock {
 public:
  virtual ~Clock() = default;

  // Seconds since some fixed moment; never goes back.
  virtual double seconds() = 0;
};

class SteadyClock final : public Clock {
 public:
  double seconds() override;
};

}  // namespace ravel
