#include "parallel/child_process.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

namespace ravel {

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)), channel_(std::move(other.channel_)) {}

ChildProcess::~ChildProcess() {
  if (pid_ == 0) return;
  kill(pid_, SIGKILL);
  end();
}

std::string ChildProcess::end() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
  return WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                             : fmt::format("exit status {}", WEXITSTATUS(status));
}

Result<ChildProcess::Forked> fork_process(const Forking& how) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{fmt::format("no process could be started: {}", std::strerror(errno))};
  if (how.hide != nullptr)
    for (int& end : ends) end = how.hide(end);
  const pid_t parent = getpid();
  const pid_t pid = how.copy == nullptr ? fork() : how.copy();
  if (pid < 0) {
    close(ends[0]), close(ends[1]);
    return Error{fmt::format("no process could be started: {}", std::strerror(errno))};
  }
  ChildProcess::Forked forked;
  if (pid > 0) {
    close(ends[1]);
    forked.child.emplace(pid, Channel(ends[0]));
    return forked;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it has ended in between
  // Ctrl-C comes to all of them; the parent says what becomes of that.
  signal(SIGINT, SIG_IGN);
  close(ends[0]);
  forked.parent.emplace(ends[1]);
  return forked;
}

Result<ChildProcess::Forked> flush_and_fork() {
  std::fflush(nullptr);
  return fork_process();
}

}  // namespace ravel
