// Signals: masks are kept, but have no effect, since the faults by which changed memory is found must always arrive; waiting for a
// signal from outside is not under control.

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "threads/runtime/export.h"
#include "threads/runtime/misuse.h"
#include "threads/runtime/real.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

constexpr const char kWaits[] = "a signal comes from outside of the program, which no schedule controls; call what handles it instead";

bool is_kept(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP || signal == SIGVTALRM;
}

int change_mask(int how, const sigset_t* set, sigset_t* old) {
  sigset_t& mask = current->signal_mask;
  if (old != nullptr) *old = mask;
  if (set == nullptr) return 0;
  switch (how) {
    case SIG_BLOCK: sigorset(&mask, &mask, set); return 0;
    case SIG_SETMASK: mask = *set; return 0;
    case SIG_UNBLOCK:
      for (int signal = 1; signal < NSIG; ++signal)
        if (sigismember(set, signal) == 1) sigdelset(&mask, signal);
      return 0;
    default: return EINVAL;
  }
}

}  // namespace

RAVEL_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (current == nullptr) return real().pthread_sigmask == nullptr ? 0 : real().pthread_sigmask(how, set, old);
  return change_mask(how, set, old);
}
RAVEL_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  const int status = pthread_sigmask(how, set, old);
  if (status == 0) return 0;
  errno = status;
  return -1;
}

// A handler of the program for a fault would never be called: the fault is a bug, and ends the execution.
RAVEL_EXPORT int sigaction(int signal, const struct sigaction* action, struct sigaction* old) noexcept {
  if (real().sigaction == nullptr) find_real_functions();
  if (!is_kept(signal)) return real().sigaction(signal, action, old);
  if (old != nullptr) *old = {};
  return 0;
}
RAVEL_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  struct sigaction action {}, old{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

RAVEL_EXPORT int sigwait(const sigset_t*, int*) { refuse_call("sigwait", kWaits, RAVEL_CALLER); }
RAVEL_EXPORT int sigwaitinfo(const sigset_t*, siginfo_t*) { refuse_call("sigwaitinfo", kWaits, RAVEL_CALLER); }
RAVEL_EXPORT int sigtimedwait(const sigset_t*, siginfo_t*, const timespec*) { refuse_call("sigtimedwait", kWaits, RAVEL_CALLER); }
RAVEL_EXPORT int sigsuspend(const sigset_t*) { refuse_call("sigsuspend", kWaits, RAVEL_CALLER); }
RAVEL_EXPORT int pause() { refuse_call("pause", kWaits, RAVEL_CALLER); }

}  // namespace ravel::threads
