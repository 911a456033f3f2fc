// The process ends in a way that nothing in it can catch: the search goes on with a process for each execution.
//
// expect: bug crash
// expect: bug crash --isolate
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>

static std::atomic<int> turn{0};

int main() {
  std::thread other([] { turn = 1; });
  if (turn == 1) syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
  other.join();
}
