#include "erlang/system/run_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/check.h"

namespace ravel::erlang {

Result<ProgramRun> run_program(std::span<const std::string> command) {
  CHECK(!command.empty());
  const auto cannot_start = [&](int problem) {
    return Error{command[0] + ": the program cannot be started: " + std::strerror(problem) + "."};
  };
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return cannot_start(errno);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);

  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int problem = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (problem != 0) {
    close(ends[0]);
    return cannot_start(problem);
  }

  ProgramRun run;
  char buffer[4096];
  while (true) {
    const ssize_t size = read(ends[0], buffer, sizeof buffer);
    if (size > 0) {
      run.output.append(buffer, static_cast<std::size_t>(size));
    } else if (size == 0 || errno != EINTR) {
      break;
    }
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  run.exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return run;
}

}  // namespace ravel::erlang
