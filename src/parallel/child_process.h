// Copies of this process that work for it. They end when it does, however that happens.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "parallel/channel.h"

namespace ravel {

class ChildProcess {
 public:
  // Of a fork: in the parent the child, in the child the channel to its parent.
  struct Forked;

  ChildProcess(pid_t pid, Channel channel) : pid_(pid), channel_(std::move(channel)) {}
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  // Kills it if it is still there.
  ~ChildProcess();

  const Channel& channel() const { return channel_; }
  pid_t pid() const { return pid_; }
  // Waits for its end, and tells how it came about: "signal 11", "exit status 1".
  std::string end();

 private:
  pid_t pid_;  // 0: it has ended
  Channel channel_;
};

struct ChildProcess::Forked {
  std::optional<ChildProcess> child;
  std::optional<Channel> parent;
};

// For a process in which not every call of the system does as usual.
struct Forking {
  pid_t (*copy)() = nullptr;        // as fork(); null: that does it
  int (*hide)(int file) = nullptr;  // gives a descriptor another number, if it is to have one
};

// What is buffered for stdout and stderr must have been written. A child leaves by _exit().
Result<ChildProcess::Forked> fork_process(const Forking& how = {});

// Makes a copy of this process, in whatever way.
using MakeCopy = std::function<Result<ChildProcess::Forked>()>;
// The usual way. What streams hold is written before, so that the copy does not write it once more.
Result<ChildProcess::Forked> flush_and_fork();

}  // namespace ravel
