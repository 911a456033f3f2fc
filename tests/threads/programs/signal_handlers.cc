// Handlers are the program's own state: each execution begins without those of the one before, a signal that the program raises runs
// them at once, and one that nobody handles is a bug. Test libraries set handlers for all signals that end a process, and a
// stack for them; alarms never come, as time is virtual.
//
// expect: executions=500 pass --strategy random --budget 500x
// expect: bug crash --strategy random -- raise
// expect: refused -- timer
#include <csignal>
#include <initializer_list>
#include <ctime>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> handled{0};
static char other_stack[1 << 16];

static void handle(int number) { handled += number; }
static void handle_with_more(int number, siginfo_t* info, void*) { handled += number + (info->si_signo == number ? 1000 : 0); }

int main(int argc, char** argv) {
  struct sigaction old {};
  assert(sigaction(SIGTERM, nullptr, &old) == 0 && old.sa_handler == SIG_DFL);
  stack_t stack{}, before{};
  stack.ss_sp = other_stack;
  stack.ss_size = sizeof other_stack;
  assert(sigaltstack(&stack, &before) == 0 && before.ss_flags == SS_DISABLE);

  struct sigaction action {};
  action.sa_handler = handle;
  action.sa_flags = SA_ONSTACK;
  for (const int number : {SIGINT, SIGILL, SIGFPE, SIGSEGV, SIGTERM, SIGABRT}) assert(sigaction(number, &action, nullptr) == 0);
  assert(std::signal(SIGTERM, SIG_IGN) == handle);
  assert(raise(SIGTERM) == 0 && handled == 0);
  assert(raise(SIGINT) == 0 && handled == SIGINT);
  action.sa_sigaction = handle_with_more;
  action.sa_flags = SA_SIGINFO | SA_RESETHAND;
  sigaction(SIGUSR1, &action, nullptr);
  handled = 0;

  std::thread thread([] {
    sigset_t mine;
    sigemptyset(&mine);
    sigaddset(&mine, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &mine, nullptr);
    raise(SIGUSR1);
    assert(handled == 0);
    pthread_sigmask(SIG_UNBLOCK, &mine, nullptr);
    assert(handled == SIGUSR1 + 1000);
  });
  (void)handled.load();  // something to choose, so that there are many executions
  thread.join();
  assert(sigaction(SIGUSR1, nullptr, &old) == 0 && old.sa_handler == SIG_DFL);
  assert(kill(getpid(), SIGCHLD) == 0 && kill(getpid(), 0) == 0);

  alarm(1);
  const itimerval soon{{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &soon, nullptr);
  if (argc > 1 && argv[1][0] == 'r') raise(SIGUSR1);
  timer_t timer;
  if (argc > 1) timer_create(CLOCK_REALTIME, nullptr, &timer);
}
