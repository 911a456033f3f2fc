// The bugs of an execution that goes on after them: a process has failed, and what others do belongs to the
// trace (ErlangOptions::AfterFailure).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/bug.h"
#include "engine/system.h"

namespace ravel::erlang {

class NotedFailures {
 public:
  // `events`: after how many events of this execution it has happened.
  void note(Bug bug, std::uint32_t events);
  // To where so many had been noted in this execution.
  void go_back_to(std::uint32_t count) { noted_.resize(count); }

  bool exist() const { return !noted_.empty(); }
  std::uint32_t count() const { return static_cast<std::uint32_t>(noted_.size()); }
  // REQUIRES for these: exist().
  const Bug& first() const { return bugs_[noted_.front().bug]; }
  std::size_t events_to_first() const { return noted_.front().events; }

  // All but the first one.
  std::vector<LaterBug> later() const;

 private:
  struct Noted {
    std::uint32_t bug, events;  // of bugs_
  };
  std::vector<Noted> noted_;  // of this execution
  std::vector<Bug> bugs_;     // the distinct ones of all executions
};

}  // namespace ravel::erlang
