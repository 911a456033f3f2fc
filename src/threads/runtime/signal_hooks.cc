// Signals: masks and handlers are the program's own and are kept here, not by the kernel. A signal from
// outside of the process then runs no code of the program between two steps; the faults by which changed
// memory is found arrive whatever is blocked; and both are put back with the rest of the program's state.
// What the program raises itself is delivered at once.

#include <errno.h>
#include <fmt/format.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>

#include "base/wide_hash.h"
#include "threads/protocol/system_call.h"
#include "threads/runtime/export.h"
#include "threads/runtime/library_use.h"
#include "threads/runtime/misuse.h"
#include "threads/runtime/real.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

constexpr const char kWaits[] =
    "a signal comes from outside of the program, which no schedule controls; call what handles it instead";

// By signal.
struct Actions {
  std::array<struct sigaction, NSIG> of;
};
constinit Actions actions{}, actions_of_start{};
bool are_changed = false;

bool is_signal(int number) { return number > 0 && number < NSIG; }

bool is_ignored_by_default(int number) {
  return number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT;
}

// In the running thread.
void deliver(int number, std::uint64_t pc) {
  use_library(looks_at(LibraryState::kSignals), pc);
  const struct sigaction action = actions.of[static_cast<std::size_t>(number)];
  if (action.sa_handler == SIG_IGN) return;
  if (action.sa_handler == SIG_DFL) {
    if (is_ignored_by_default(number)) return;
    // A trap may be the end of a message of a test library.
    if (number == SIGTRAP) {
      __asm__ volatile("int3");
      return;
    }
    Scheduler& s = scheduler();
    s.fail({.kind = "crash",
            .message = fmt::format("SIG{} is raised in $F{:x};", sigabbrev_np(number), pc),
            .stack = s.recording().stack_of(pc)});
  }
  if ((action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0)
    actions.of[static_cast<std::size_t>(number)] = {}, are_changed = true;
  if ((action.sa_flags & SA_SIGINFO) == 0) return action.sa_handler(number);
  siginfo_t info{};
  info.si_signo = number;
  info.si_code = SI_TKILL;
  action.sa_sigaction(number, &info, nullptr);
}

int raise_here(int number, std::uint64_t pc) {
  if (number == 0) return 0;
  if (sigismember(&current->signal_mask, number) == 1) {
    sigaddset(&current->pending_signals, number);
  } else {
    deliver(number, pc);
  }
  return 0;
}

int change_mask(int how, const sigset_t* set, sigset_t* old, std::uint64_t pc) {
  sigset_t& mask = current->signal_mask;
  if (old != nullptr) *old = mask;
  if (set == nullptr) return 0;
  switch (how) {
    case SIG_BLOCK: sigorset(&mask, &mask, set); break;
    case SIG_SETMASK: mask = *set; break;
    case SIG_UNBLOCK:
      for (int number = 1; number < NSIG; ++number)
        if (sigismember(set, number) == 1) sigdelset(&mask, number);
      break;
    default: return EINVAL;
  }
  for (int number = 1; sigisemptyset(&current->pending_signals) == 0 && number < NSIG; ++number) {
    if (sigismember(&current->pending_signals, number) != 1 || sigismember(&mask, number) == 1) continue;
    sigdelset(&current->pending_signals, number);
    deliver(number, pc);
  }
  return 0;
}

int fail_with(int error) {
  errno = error;
  return -1;
}

}  // namespace

void note_signals_of_start() {
  actions_of_start = actions;
  are_changed = false;
}
void restore_signals() {
  if (are_changed) actions = actions_of_start;
  are_changed = false;
}

// In program_state.cc.
void add_signal_actions(WideHash& hash) {
  if (!are_changed) return;
  for (const struct sigaction& action : actions.of)
    hash.add({.high = reinterpret_cast<std::uint64_t>(action.sa_handler),
              .low = static_cast<std::uint64_t>(action.sa_flags)});
}

RAVEL_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (current == nullptr)
    return real().pthread_sigmask == nullptr ? 0 : real().pthread_sigmask(how, set, old);
  return change_mask(how, set, old, RAVEL_CALLER);
}
RAVEL_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (current == nullptr) return 0;
  const int status = change_mask(how, set, old, RAVEL_CALLER);
  return status == 0 ? 0 : fail_with(status);
}
RAVEL_EXPORT int sigpending(sigset_t* set) noexcept {
  sigemptyset(set);
  if (current != nullptr) *set = current->pending_signals;
  return 0;
}

RAVEL_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* old) noexcept {
  if (!is_signal(number) || (action != nullptr && (number == SIGKILL || number == SIGSTOP)))
    return fail_with(EINVAL);
  use_library({.word = library_word(LibraryState::kSignals), .changes = action != nullptr}, RAVEL_CALLER);
  struct sigaction& own = actions.of[static_cast<std::size_t>(number)];
  const struct sigaction before = own;
  if (action != nullptr) own = *action, are_changed = true;
  if (old != nullptr) *old = before;
  // Writing to a pipe that nobody reads is the program's own doing, but the kernel raises this one.
  if (number == SIGPIPE && action != nullptr && action->sa_handler == SIG_IGN) {
    if (real().sigaction == nullptr) find_real_functions();
    real().sigaction(SIGPIPE, action, nullptr);
  }
  return 0;
}
RAVEL_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  struct sigaction action {
  }, old{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}
RAVEL_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  struct sigaction action {
  }, old{};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_NODEFER;
  return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

// Faults are handled on a stack of ours.
RAVEL_EXPORT int sigaltstack(const stack_t* stack, stack_t* old) noexcept {
  static stack_t before_main{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  stack_t& own = current == nullptr ? before_main : current->signal_stack;
  const stack_t before = own;
  if (stack != nullptr) own = *stack;
  if (old != nullptr) *old = before;
  return 0;
}

RAVEL_EXPORT int raise(int number) noexcept {
  if (!is_signal(number)) return fail_with(EINVAL);
  if (current == nullptr) return static_cast<int>(system_call(SYS_kill, getpid(), number));
  return raise_here(number, RAVEL_CALLER);
}
RAVEL_EXPORT int kill(pid_t process, int number) noexcept {
  if (number != 0 && !is_signal(number)) return fail_with(EINVAL);
  if (current == nullptr) return static_cast<int>(system_call(SYS_kill, process, number));
  if (process != getpid()) refuse_call("kill", "another process is not under control", RAVEL_CALLER);
  return raise_here(number, RAVEL_CALLER);
}
RAVEL_EXPORT int pthread_kill(pthread_t handle, int number) {
  if (current == nullptr) return 0;
  if (number != 0 && !is_signal(number)) return EINVAL;
  const Thread* const thread = scheduler().threads().find(handle);
  if (thread == current) return raise_here(number, RAVEL_CALLER);
  if (number == 0) return thread == nullptr || thread->state == ThreadState::kEnded ? ESRCH : 0;
  refuse_call("pthread_kill", "signals between threads are not under control", RAVEL_CALLER);
}

// Time does not pass by itself, so that an alarm never comes.
RAVEL_EXPORT unsigned alarm(unsigned) noexcept { return 0; }
RAVEL_EXPORT useconds_t ualarm(useconds_t, useconds_t) noexcept { return 0; }
RAVEL_EXPORT int setitimer(__itimer_which_t, const itimerval*, itimerval* old) noexcept {
  if (old != nullptr) *old = {};
  return 0;
}
RAVEL_EXPORT int timer_create(clockid_t, sigevent*, timer_t*) noexcept {
  refuse_call("timer_create", "a timer goes by the real time, which no schedule controls", RAVEL_CALLER);
}

RAVEL_EXPORT int sigwait(const sigset_t*, int*) { refuse_call("sigwait", kWaits, RAVEL_CALLER); }
RAVEL_EXPORT int sigwaitinfo(const sigset_t*, siginfo_t*) {
  refuse_call("sigwaitinfo", kWaits, RAVEL_CALLER);
}
RAVEL_EXPORT int sigtimedwait(const sigset_t*, siginfo_t*, const timespec*) {
  refuse_call("sigtimedwait", kWaits, RAVEL_CALLER);
}
RAVEL_EXPORT int sigsuspend(const sigset_t*) { refuse_call("sigsuspend", kWaits, RAVEL_CALLER); }
RAVEL_EXPORT int pause() { refuse_call("pause", kWaits, RAVEL_CALLER); }

}  // namespace ravel::threads
