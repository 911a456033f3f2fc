// The calls by which a program opens, copies and closes files: each is the C library's, and takes note that
// it was called.

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdint>

#include "base/check.h"
#include "threads/protocol/system_call.h"
#include "threads/runtime/check_failed.h"
#include "threads/runtime/descriptors.h"
#include "threads/runtime/export.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

// Descriptors of the start are kept from here on, out of the program's way.
constexpr int kKeptFrom = kMessageDescriptor + 1;
constexpr int kStartMax = 256;

bool may_have_changed = false;
int start_end = 0;  // behind the last one that is open at the start; all below it are
int kept_end = 0;
bool input_is_file = false;
long input_start = 0;

template <class Function>
Function next_one(Function& found, const char* name) {
  may_have_changed = true;
  if (found == nullptr) found = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
  CHECK_MESSAGE(found != nullptr, name);
  return found;
}

}  // namespace

// The C library's function of this name, found once.
#define RAVEL_NEXT(name)                                \
  [] {                                                  \
    static constinit decltype(&::name) found = nullptr; \
    return next_one(found, #name);                      \
  }()

void note_descriptors_of_start() {
  for (int file = 0; file < kStartMax; ++file)
    if (system_call(SYS_fcntl, file, F_GETFD) >= 0) start_end = file + 1;
  // Without gaps a new descriptor has the same number in every execution, and is known by it.
  for (int file = 3; file < start_end; ++file) {
    if (system_call(SYS_fcntl, file, F_GETFD) >= 0) continue;
    CHECK(system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/dev/null"), O_RDONLY | O_CLOEXEC) >= 0);
  }
  for (int file = 0; file < start_end; ++file) {
    // A standard stream that is closed stays so.
    if (system_call(SYS_fcntl, file, F_GETFD) < 0) continue;
    CHECK_MESSAGE(system_call(SYS_fcntl, file, F_DUPFD_CLOEXEC, kKeptFrom + file) == kKeptFrom + file,
                  "there are not enough descriptors: programs need a limit of 1024 open files (ulimit -n)");
  }
  kept_end = kKeptFrom + start_end;
  struct stat status {};
  input_is_file = fstat(0, &status) == 0 && S_ISREG(status.st_mode);
  input_start = input_is_file ? system_call(SYS_lseek, 0, 0, SEEK_CUR) : 0;
  may_have_changed = false;
}

void restore_descriptors() {
  if (may_have_changed) {
    may_have_changed = false;
    for (int file = 0; file < start_end; ++file) {
      if (system_call(SYS_dup3, kKeptFrom + file, file, 0) < 0) system_call(SYS_close, file);
    }
    system_call(SYS_close_range, start_end, kMessageDescriptor - 1);
    system_call(SYS_close_range, kept_end, ~0u);
  }
  if (input_is_file) system_call(SYS_lseek, 0, input_start, SEEK_SET);
}

RAVEL_EXPORT int creat(const char* path, mode_t mode) { return RAVEL_NEXT(creat)(path, mode); }
RAVEL_EXPORT int creat64(const char* path, mode_t mode) { return RAVEL_NEXT(creat64)(path, mode); }
RAVEL_EXPORT FILE* fopen(const char* path, const char* mode) { return RAVEL_NEXT(fopen)(path, mode); }
RAVEL_EXPORT FILE* fopen64(const char* path, const char* mode) { return RAVEL_NEXT(fopen64)(path, mode); }
RAVEL_EXPORT FILE* freopen(const char* path, const char* mode, FILE* file) {
  return RAVEL_NEXT(freopen)(path, mode, file);
}
RAVEL_EXPORT FILE* freopen64(const char* path, const char* mode, FILE* file) {
  return RAVEL_NEXT(freopen64)(path, mode, file);
}
RAVEL_EXPORT FILE* tmpfile() { return RAVEL_NEXT(tmpfile)(); }
RAVEL_EXPORT FILE* tmpfile64() { return RAVEL_NEXT(tmpfile64)(); }
RAVEL_EXPORT int mkstemp(char* path) { return RAVEL_NEXT(mkstemp)(path); }
RAVEL_EXPORT int mkstemp64(char* path) { return RAVEL_NEXT(mkstemp64)(path); }
RAVEL_EXPORT int mkostemp(char* path, int flags) { return RAVEL_NEXT(mkostemp)(path, flags); }
RAVEL_EXPORT DIR* opendir(const char* path) { return RAVEL_NEXT(opendir)(path); }
RAVEL_EXPORT DIR* fdopendir(int file) { return RAVEL_NEXT(fdopendir)(file); }
RAVEL_EXPORT int closedir(DIR* folder) { return RAVEL_NEXT(closedir)(folder); }
RAVEL_EXPORT int fclose(FILE* file) { return RAVEL_NEXT(fclose)(file); }
RAVEL_EXPORT int close(int file) { return RAVEL_NEXT(close)(file); }
RAVEL_EXPORT int dup(int file) noexcept { return RAVEL_NEXT(dup)(file); }
RAVEL_EXPORT int dup2(int file, int wanted) noexcept { return RAVEL_NEXT(dup2)(file, wanted); }
RAVEL_EXPORT int dup3(int file, int wanted, int flags) noexcept {
  return RAVEL_NEXT(dup3)(file, wanted, flags);
}
RAVEL_EXPORT int pipe(int* ends) noexcept { return RAVEL_NEXT(pipe)(ends); }
RAVEL_EXPORT int pipe2(int* ends, int flags) noexcept { return RAVEL_NEXT(pipe2)(ends, flags); }
RAVEL_EXPORT int socket(int domain, int type, int protocol) noexcept {
  return RAVEL_NEXT(socket)(domain, type, protocol);
}
RAVEL_EXPORT int socketpair(int domain, int type, int protocol, int* ends) noexcept {
  return RAVEL_NEXT(socketpair)(domain, type, protocol, ends);
}
RAVEL_EXPORT int accept(int file, sockaddr* address, socklen_t* size) {
  return RAVEL_NEXT(accept)(file, address, size);
}
RAVEL_EXPORT int accept4(int file, sockaddr* address, socklen_t* size, int flags) {
  return RAVEL_NEXT(accept4)(file, address, size, flags);
}
RAVEL_EXPORT int eventfd(unsigned value, int flags) noexcept { return RAVEL_NEXT(eventfd)(value, flags); }
RAVEL_EXPORT int epoll_create(int size) noexcept { return RAVEL_NEXT(epoll_create)(size); }
RAVEL_EXPORT int epoll_create1(int flags) noexcept { return RAVEL_NEXT(epoll_create1)(flags); }
RAVEL_EXPORT int timerfd_create(clockid_t clock, int flags) noexcept {
  return RAVEL_NEXT(timerfd_create)(clock, flags);
}
RAVEL_EXPORT int inotify_init() noexcept { return RAVEL_NEXT(inotify_init)(); }
RAVEL_EXPORT int inotify_init1(int flags) noexcept { return RAVEL_NEXT(inotify_init1)(flags); }
RAVEL_EXPORT int memfd_create(const char* name, unsigned flags) noexcept {
  return RAVEL_NEXT(memfd_create)(name, flags);
}
RAVEL_EXPORT int shm_open(const char* name, int flags, mode_t mode) {
  return RAVEL_NEXT(shm_open)(name, flags, mode);
}

// Those with a further argument in some cases, which is passed on in all.
#define RAVEL_OPEN(name)                                    \
  RAVEL_EXPORT int name(const char* path, int flags, ...) { \
    va_list more;                                           \
    va_start(more, flags);                                  \
    const mode_t mode = va_arg(more, mode_t);               \
    va_end(more);                                           \
    return RAVEL_NEXT(name)(path, flags, mode);             \
  }
#define RAVEL_OPENAT(name)                                              \
  RAVEL_EXPORT int name(int folder, const char* path, int flags, ...) { \
    va_list more;                                                       \
    va_start(more, flags);                                              \
    const mode_t mode = va_arg(more, mode_t);                           \
    va_end(more);                                                       \
    return RAVEL_NEXT(name)(folder, path, flags, mode);                 \
  }
#define RAVEL_FCNTL(name)                             \
  RAVEL_EXPORT int name(int file, int command, ...) { \
    va_list more;                                     \
    va_start(more, command);                          \
    void* const argument = va_arg(more, void*);       \
    va_end(more);                                     \
    return RAVEL_NEXT(name)(file, command, argument); \
  }
RAVEL_OPEN(open)
RAVEL_OPEN(open64)
RAVEL_OPENAT(openat)
RAVEL_OPENAT(openat64)
RAVEL_FCNTL(fcntl)
RAVEL_FCNTL(fcntl64)

}  // namespace ravel::threads
