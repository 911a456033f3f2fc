// The calls by which a program asks the system for something that other threads do not change, or whose
// changes are not explored: each is the C library's, with the system allowed to write the answer
// (system_writes.h).

#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/statfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include <cstdarg>

#include "threads/runtime/export.h"
#include "threads/runtime/next_function.h"
#include "threads/runtime/system_writes.h"

namespace ravel::threads {

// `output`: where the system writes to, and how much.
#define RAVEL_FILLS(output, result, name, parameters, arguments, exceptions) \
  RAVEL_EXPORT result name parameters exceptions {                           \
    let_system_write output;                                                 \
    return RAVEL_NEXT(name) arguments;                                       \
  }
// A call that fills what its last parameter points to.
#define RAVEL_FILLS_IT(result, name, parameters, arguments, exceptions) \
  RAVEL_FILLS((it, sizeof *it), result, name, parameters, arguments, exceptions)

// --- the system ---
RAVEL_FILLS_IT(int, uname, (utsname * it), (it), noexcept)
RAVEL_FILLS_IT(int, sysinfo, (struct sysinfo * it), (it), noexcept)
RAVEL_FILLS_IT(int, statfs, (const char* path, struct statfs* it), (path, it), noexcept)
RAVEL_FILLS_IT(int, statfs64, (const char* path, struct statfs64* it), (path, it), noexcept)
RAVEL_FILLS((text, size), int, ttyname_r, (int file, char* text, std::size_t size), (file, text, size),
            noexcept)
RAVEL_FILLS((pages, (size + kPageSize - 1) / kPageSize), int, mincore,
            (void* start, std::size_t size, unsigned char* pages), (start, size, pages), noexcept)
RAVEL_FILLS_IT(int, adjtimex, (timex * it), (it), noexcept)

// --- the process ---
RAVEL_FILLS_IT(int, getrusage, (__rusage_who_t who, rusage* it), (who, it), noexcept)
RAVEL_FILLS_IT(clock_t, times, (tms * it), (it), noexcept)
RAVEL_FILLS_IT(int, getrlimit, (__rlimit_resource_t what, rlimit* it), (what, it), noexcept)
RAVEL_FILLS_IT(int, getrlimit64, (__rlimit_resource_t what, rlimit64* it), (what, it), noexcept)
RAVEL_FILLS_IT(int, prlimit, (pid_t process, __rlimit_resource what, const rlimit* limit, rlimit* it),
               (process, what, limit, it), noexcept)
RAVEL_FILLS_IT(int, prlimit64, (pid_t process, __rlimit_resource what, const rlimit64* limit, rlimit64* it),
               (process, what, limit, it), noexcept)
RAVEL_FILLS((groups, static_cast<std::size_t>(std::max(room, 0)) * sizeof *groups), int, getgroups,
            (int room, gid_t* groups), (room, groups), noexcept)
RAVEL_FILLS(({{real, sizeof *real}, {effective, sizeof *effective}, {saved, sizeof *saved}}), int, getresuid,
            (uid_t * real, uid_t* effective, uid_t* saved), (real, effective, saved), noexcept)
RAVEL_FILLS(({{real, sizeof *real}, {effective, sizeof *effective}, {saved, sizeof *saved}}), int, getresgid,
            (gid_t * real, gid_t* effective, gid_t* saved), (real, effective, saved), noexcept)
RAVEL_FILLS((set, size), int, sched_getaffinity, (pid_t process, std::size_t size, cpu_set_t* set),
            (process, size, set), noexcept)
RAVEL_FILLS((set, size), int, pthread_getaffinity_np, (pthread_t thread, std::size_t size, cpu_set_t* set),
            (thread, size, set), noexcept)
RAVEL_FILLS_IT(int, sched_getparam, (pid_t process, sched_param* it), (process, it), noexcept)
RAVEL_FILLS_IT(int, sched_rr_get_interval, (pid_t process, timespec* it), (process, it), noexcept)
RAVEL_FILLS((name, size), int, pthread_getname_np, (pthread_t thread, char* name, std::size_t size),
            (thread, name, size), )

RAVEL_EXPORT int prctl(int what, ...) noexcept {
  va_list more;
  va_start(more, what);
  unsigned long arguments[4];
  for (unsigned long& argument : arguments) argument = va_arg(more, unsigned long);
  va_end(more);
  constexpr std::size_t kAnswerMax = 64;
  let_system_write(reinterpret_cast<const void*>(arguments[0]), kAnswerMax);
  return RAVEL_NEXT(prctl)(what, arguments[0], arguments[1], arguments[2], arguments[3]);
}

// --- clocks that are not virtual ---
RAVEL_FILLS_IT(int, clock_getres, (clockid_t clock, timespec* it), (clock, it), noexcept)
RAVEL_FILLS_IT(int, getitimer, (__itimer_which_t which, itimerval* it), (which, it), noexcept)
RAVEL_FILLS_IT(int, timerfd_gettime, (int file, itimerspec* it), (file, it), noexcept)
RAVEL_FILLS_IT(int, timerfd_settime, (int file, int flags, const itimerspec* time, itimerspec* it),
               (file, flags, time, it), noexcept)

// --- attributes of files ---
RAVEL_FILLS((value, size), ssize_t, getxattr,
            (const char* path, const char* name, void* value, std::size_t size), (path, name, value, size),
            noexcept)
RAVEL_FILLS((value, size), ssize_t, lgetxattr,
            (const char* path, const char* name, void* value, std::size_t size), (path, name, value, size),
            noexcept)
RAVEL_FILLS((value, size), ssize_t, fgetxattr, (int file, const char* name, void* value, std::size_t size),
            (file, name, value, size), noexcept)
RAVEL_FILLS((list, size), ssize_t, listxattr, (const char* path, char* list, std::size_t size),
            (path, list, size), noexcept)
RAVEL_FILLS((list, size), ssize_t, llistxattr, (const char* path, char* list, std::size_t size),
            (path, list, size), noexcept)
RAVEL_FILLS((list, size), ssize_t, flistxattr, (int file, char* list, std::size_t size), (file, list, size),
            noexcept)

// --- queues and shared memory of other processes ---
RAVEL_FILLS(({{text, size}, {priority, sizeof *priority}}), ssize_t, mq_receive,
            (mqd_t queue, char* text, std::size_t size, unsigned* priority), (queue, text, size, priority), )
RAVEL_FILLS_IT(int, mq_getattr, (mqd_t queue, mq_attr* it), (queue, it), noexcept)
RAVEL_FILLS_IT(int, mq_setattr, (mqd_t queue, const mq_attr* wanted, mq_attr* it), (queue, wanted, it),
               noexcept)
RAVEL_FILLS((message, size + sizeof(long)), ssize_t, msgrcv,
            (int queue, void* message, std::size_t size, long type, int flags),
            (queue, message, size, type, flags), )
RAVEL_FILLS_IT(int, msgctl, (int queue, int what, msqid_ds* it), (queue, what, it), noexcept)
RAVEL_FILLS_IT(int, shmctl, (int memory, int what, shmid_ds* it), (memory, what, it), noexcept)

}  // namespace ravel::threads
