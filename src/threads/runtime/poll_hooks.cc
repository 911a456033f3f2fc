// The calls that wait for one of several open files: poll(), select(), epoll_wait() and their family. Each
// waits as an operation, and is then made with no time to wait. A time-out is virtual, as everywhere.

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>

#include <algorithm>
#include <cstdint>

#include "threads/runtime/export.h"
#include "threads/runtime/next_function.h"
#include "threads/runtime/open_files.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/system_writes.h"

extern "C" {
int __poll_chk(pollfd* list, nfds_t count, int milliseconds, std::size_t room);
int __ppoll_chk(pollfd* list, nfds_t count, const timespec* time, const sigset_t* mask, std::size_t room);
}

namespace ravel::threads {

namespace {

// Rounded up: only whether it is some time matters.
long milliseconds_of(const timespec* time) {
  return time == nullptr ? -1 : time->tv_sec * 1000 + (time->tv_nsec + 999'999) / 1'000'000;
}

int poll_within(pollfd* list, nfds_t count, long milliseconds, std::uint64_t pc) {
  let_system_write(list, count * sizeof *list);
  wait_until_ready({.list = list, .count = count}, milliseconds, pc);
  return RAVEL_NEXT(poll)(list, count, 0);
}

// Whom select() names, as poll() does.
struct Selected {
  static constexpr int kMax = FD_SETSIZE;
  pollfd list[kMax];
  std::size_t count = 0;

  Selected(int end, const fd_set* reads, const fd_set* writes, const fd_set* excepts) {
    for (int file = 0; file < std::min(end, kMax); ++file) {
      const auto wanted = [&](const fd_set* set, int event) {
        return set != nullptr && FD_ISSET(file, set) ? event : 0;
      };
      // select() calls it readable or writable, too, when the other end is closed.
      const int events = wanted(reads, POLLIN) | wanted(writes, POLLOUT) | wanted(excepts, POLLPRI);
      if (events != 0) list[count++] = {.fd = file, .events = static_cast<short>(events), .revents = 0};
    }
  }
};

int select_within(int end, fd_set* reads, fd_set* writes, fd_set* excepts, long milliseconds,
                  std::uint64_t pc) {
  for (fd_set* const set : {reads, writes, excepts}) let_system_write(set, sizeof *set);
  Selected selected(end, reads, writes, excepts);
  wait_until_ready({.list = selected.list, .count = selected.count}, milliseconds, pc);
  timeval at_once{};
  return RAVEL_NEXT(select)(end, reads, writes, excepts, &at_once);
}

int wait_for_events(int set, epoll_event* events, int room, long milliseconds, std::uint64_t pc) {
  let_system_write(events, static_cast<std::size_t>(std::max(room, 0)) * sizeof *events);
  while (true) {
    pollfd one{.fd = set, .events = POLLIN, .revents = 0};
    wait_until_ready({.list = &one, .count = 1}, milliseconds, pc);
    const int done = RAVEL_NEXT(epoll_wait)(set, events, room, 0);
    // The set may call itself ready before it has looked.
    if (done != 0 || milliseconds >= 0) return done;
  }
}

}  // namespace

RAVEL_EXPORT int poll(pollfd* list, nfds_t count, int milliseconds) {
  if (current == nullptr) return RAVEL_NEXT(poll)(list, count, milliseconds);
  return poll_within(list, count, milliseconds, RAVEL_CALLER);
}
RAVEL_EXPORT int __poll_chk(pollfd* list, nfds_t count, int milliseconds, std::size_t room) {
  if (current == nullptr) return RAVEL_NEXT(__poll_chk)(list, count, milliseconds, room);
  return poll_within(list, count, milliseconds, RAVEL_CALLER);
}
RAVEL_EXPORT int ppoll(pollfd* list, nfds_t count, const timespec* time, const sigset_t* mask) {
  if (current == nullptr) return RAVEL_NEXT(ppoll)(list, count, time, mask);
  return poll_within(list, count, milliseconds_of(time), RAVEL_CALLER);
}
RAVEL_EXPORT int __ppoll_chk(pollfd* list, nfds_t count, const timespec* time, const sigset_t* mask,
                             std::size_t room) {
  if (current == nullptr) return RAVEL_NEXT(__ppoll_chk)(list, count, time, mask, room);
  return poll_within(list, count, milliseconds_of(time), RAVEL_CALLER);
}
RAVEL_EXPORT int select(int end, fd_set* reads, fd_set* writes, fd_set* excepts, timeval* time) {
  if (current == nullptr) return RAVEL_NEXT(select)(end, reads, writes, excepts, time);
  const long milliseconds = time == nullptr ? -1 : time->tv_sec * 1000 + (time->tv_usec + 999) / 1000;
  return select_within(end, reads, writes, excepts, milliseconds, RAVEL_CALLER);
}
RAVEL_EXPORT int pselect(int end, fd_set* reads, fd_set* writes, fd_set* excepts, const timespec* time,
                         const sigset_t* mask) {
  if (current == nullptr) return RAVEL_NEXT(pselect)(end, reads, writes, excepts, time, mask);
  return select_within(end, reads, writes, excepts, milliseconds_of(time), RAVEL_CALLER);
}
RAVEL_EXPORT int epoll_wait(int set, epoll_event* events, int room, int milliseconds) {
  if (current == nullptr) return RAVEL_NEXT(epoll_wait)(set, events, room, milliseconds);
  return wait_for_events(set, events, room, milliseconds, RAVEL_CALLER);
}
RAVEL_EXPORT int epoll_pwait(int set, epoll_event* events, int room, int milliseconds, const sigset_t* mask) {
  if (current == nullptr) return RAVEL_NEXT(epoll_pwait)(set, events, room, milliseconds, mask);
  return wait_for_events(set, events, room, milliseconds, RAVEL_CALLER);
}
RAVEL_EXPORT int epoll_pwait2(int set, epoll_event* events, int room, const timespec* time,
                              const sigset_t* mask) {
  if (current == nullptr) return RAVEL_NEXT(epoll_pwait2)(set, events, room, time, mask);
  return wait_for_events(set, events, room, milliseconds_of(time), RAVEL_CALLER);
}
RAVEL_EXPORT int epoll_ctl(int set, int what, int file, epoll_event* event) noexcept {
  use_descriptor(set, FileUse::kWrites, RAVEL_CALLER);
  return RAVEL_NEXT(epoll_ctl)(set, what, file, event);
}

}  // namespace ravel::threads
