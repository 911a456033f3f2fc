// The calls by which a program opens, copies and closes files: each is the C library's, takes note that it
// was called, and is a use of the table of descriptors, since a new one gets the lowest free number. Whoever
// gets a stream or a folder instead does not see the number: two of those commute.

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
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

#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/check.h"
#include "base/hash.h"
#include "threads/protocol/system_call.h"
#include "threads/runtime/check_failed.h"
#include "threads/runtime/descriptors.h"
#include "threads/runtime/export.h"
#include "threads/runtime/next_function.h"
#include "threads/runtime/open_files.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/system_writes.h"

namespace ravel::threads {

namespace {

// Descriptors of the start are kept from here on, out of the program's way.
constexpr int kKeptFrom = kMessageDescriptor + 1;
constexpr int kStartMax = 256;

bool may_have_changed = false;
int start_end = 0;  // behind the last one that is open at the start; all below it are
int kept_end = 0;
// Those of the start that have a position.
struct Positioned {
  int file;
  long start;
};
std::array<Positioned, kStartMax> positioned{};
std::size_t positioned_count = 0;

// Before a call that makes or ends descriptors; `uses`: what it does besides.
void use_table(FileUse use, std::uint64_t pc, LibraryUses uses = {}) {
  may_have_changed = true;
  if (current == nullptr) return;
  uses.add({.word = library_word(LibraryState::kDescriptors), .changes = use == FileUse::kWrites});
  use_library(uses, pc);
}

int note_new(int file) {
  if (file >= 0) note_open(file, file_word(file), 0, false);
  return file;
}

int note_socket(int file) {
  if (file >= 0) note_open(file, library_word(LibraryState::kSockets), 0, false);
  return file;
}

// `ends`: of one pipe.
int note_pair(int result, const int* ends) {
  if (result != 0) return result;
  note_open(ends[0], file_word(ends[0]), 0, false);
  note_open(ends[1], file_word(ends[0]), 0, false);
  return result;
}

LibraryUses uses_of_opening(int folder, const char* path, int flags) {
  LibraryUses uses;
  if (current == nullptr) return uses;
  add_path(uses, folder, path,
           (flags & O_CREAT) != 0   ? PathUse::kMakes
           : (flags & O_TRUNC) != 0 ? PathUse::kChanges
                                    : PathUse::kLooks);
  if ((flags & O_CREAT) != 0) uses.add(looks_at(LibraryState::kMask));
  return uses;
}

int note_opened(int file, int folder, const char* path, int flags) {
  if (file >= 0 && current != nullptr)
    note_open(file, file_word(file), contents_of(folder, path), (flags & O_ACCMODE) != O_RDONLY);
  return file;
}

bool fills_argument(int command) { return command == F_GETLK || command == F_OFD_GETLK || command == F_GETOWN_EX; }

int flags_of(const char* mode) {
  const int access = strchr(mode, '+') != nullptr ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
  return access | (mode[0] == 'r' ? 0 : O_CREAT) | (mode[0] == 'w' ? O_TRUNC : 0);
}

FILE* note_stream(FILE* stream, const char* path, const char* mode) {
  if (stream != nullptr && current != nullptr) {
    const bool may_write = (flags_of(mode) & O_ACCMODE) != O_RDONLY;
    note_open(fileno_unlocked(stream), reinterpret_cast<std::uint64_t>(stream), contents_of(AT_FDCWD, path),
              may_write);
  }
  return stream;
}

template <class Open>
FILE* open_stream(Open open, const char* path, const char* mode, std::uint64_t pc) {
  use_table(FileUse::kLooks, pc, uses_of_opening(AT_FDCWD, path, flags_of(mode)));
  return note_stream(open(path, mode), path, mode);
}

template <class Open>
FILE* open_stream_again(Open open, const char* path, const char* mode, FILE* stream, std::uint64_t pc) {
  if (current != nullptr) use_stream(stream, FileUse::kWrites, pc);
  use_table(FileUse::kWrites, pc,
            path == nullptr ? LibraryUses{} : uses_of_opening(AT_FDCWD, path, flags_of(mode)));
  FILE* const opened = open(path, mode, stream);
  return path == nullptr ? opened : note_stream(opened, path, mode);
}

FILE* note_nameless(FILE* stream) {
  if (stream != nullptr) note_open(fileno_unlocked(stream), reinterpret_cast<std::uint64_t>(stream), 0, true);
  return stream;
}

// Names that the system chooses differ from run to run: what is there is known by the name that was asked
// for.
template <class Make>
int make_temporary(Make make, char* path, std::uint64_t pc) {
  use_table(FileUse::kWrites, pc);
  const std::uint64_t contents = current == nullptr ? 0 : contents_of(AT_FDCWD, path);
  const int file = make();
  if (file < 0 || current == nullptr) return file;
  note_temporary(path, contents);
  note_open(file, file_word(file), contents, true);
  return file;
}

template <class Copy>
int copy_to(Copy copy, int file, int wanted, std::uint64_t pc) {
  use_table(FileUse::kWrites, pc,
            current == nullptr ? LibraryUses{} : uses_of_descriptor(wanted, FileUse::kWrites));
  const int done = copy();
  if (done >= 0 && done != file) note_copy(file, done);
  return done;
}

}  // namespace

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
  struct stat output {};
  const bool has_output = fstat(STDOUT_FILENO, &output) == 0;
  for (int file = 0; file < start_end; ++file) {
    struct stat status {};
    if (fstat(file, &status) != 0 || !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) continue;
    // Output is kept elsewhere, by whatever number.
    if (has_output && status.st_dev == output.st_dev && status.st_ino == output.st_ino) continue;
    positioned[positioned_count++] = {.file = file, .start = system_call(SYS_lseek, file, 0, SEEK_CUR)};
  }
  may_have_changed = false;
}

void restore_descriptors() {
  forget_open_files();
  if (may_have_changed) {
    may_have_changed = false;
    for (int file = 0; file < start_end; ++file) {
      if (system_call(SYS_dup3, kKeptFrom + file, file, 0) < 0) system_call(SYS_close, file);
    }
    system_call(SYS_close_range, start_end, kMessageDescriptor - 1);
    system_call(SYS_close_range, kept_end, ~0u);
  }
  for (std::size_t i = 0; i < positioned_count; ++i) system_call(SYS_lseek, positioned[i].file, positioned[i].start, SEEK_SET);
}

RAVEL_EXPORT FILE* fopen(const char* path, const char* mode) {
  return open_stream(RAVEL_NEXT(fopen), path, mode, RAVEL_CALLER);
}
RAVEL_EXPORT FILE* fopen64(const char* path, const char* mode) {
  return open_stream(RAVEL_NEXT(fopen64), path, mode, RAVEL_CALLER);
}
RAVEL_EXPORT FILE* freopen(const char* path, const char* mode, FILE* stream) {
  return open_stream_again(RAVEL_NEXT(freopen), path, mode, stream, RAVEL_CALLER);
}
RAVEL_EXPORT FILE* freopen64(const char* path, const char* mode, FILE* stream) {
  return open_stream_again(RAVEL_NEXT(freopen64), path, mode, stream, RAVEL_CALLER);
}
RAVEL_EXPORT FILE* tmpfile() {
  use_table(FileUse::kLooks, RAVEL_CALLER);
  return note_nameless(RAVEL_NEXT(tmpfile)());
}
RAVEL_EXPORT FILE* tmpfile64() {
  use_table(FileUse::kLooks, RAVEL_CALLER);
  return note_nameless(RAVEL_NEXT(tmpfile64)());
}
RAVEL_EXPORT int fclose(FILE* stream) {
  if (current != nullptr) {
    use_stream(stream, FileUse::kWrites, RAVEL_CALLER);
    note_open(fileno_unlocked(stream), 0, 0, false);
  }
  use_table(FileUse::kLooks, RAVEL_CALLER);
  return RAVEL_NEXT(fclose)(stream);
}
RAVEL_EXPORT int mkstemp(char* path) {
  return make_temporary([=] { return RAVEL_NEXT(mkstemp)(path); }, path, RAVEL_CALLER);
}
RAVEL_EXPORT int mkstemp64(char* path) {
  return make_temporary([=] { return RAVEL_NEXT(mkstemp64)(path); }, path, RAVEL_CALLER);
}
RAVEL_EXPORT int mkostemp(char* path, int flags) {
  return make_temporary([=] { return RAVEL_NEXT(mkostemp)(path, flags); }, path, RAVEL_CALLER);
}
RAVEL_EXPORT DIR* opendir(const char* path) {
  LibraryUses uses;
  if (current != nullptr) add_path(uses, AT_FDCWD, path, PathUse::kLists);
  use_table(FileUse::kLooks, RAVEL_CALLER, uses);
  return RAVEL_NEXT(opendir)(path);
}
RAVEL_EXPORT DIR* fdopendir(int file) {
  use_table(FileUse::kLooks, RAVEL_CALLER);
  return RAVEL_NEXT(fdopendir)(file);
}
RAVEL_EXPORT int closedir(DIR* folder) {
  use_table(FileUse::kLooks, RAVEL_CALLER);
  return RAVEL_NEXT(closedir)(folder);
}
RAVEL_EXPORT int close(int file) {
  use_table(FileUse::kWrites, RAVEL_CALLER,
            current == nullptr ? LibraryUses{} : uses_of_descriptor(file, FileUse::kWrites));
  note_open(file, 0, 0, false);
  return RAVEL_NEXT(close)(file);
}
RAVEL_EXPORT int dup(int file) noexcept {
  return copy_to([=] { return RAVEL_NEXT(dup)(file); }, file, -1, RAVEL_CALLER);
}
RAVEL_EXPORT int dup2(int file, int wanted) noexcept {
  return copy_to([=] { return RAVEL_NEXT(dup2)(file, wanted); }, file, wanted, RAVEL_CALLER);
}
RAVEL_EXPORT int dup3(int file, int wanted, int flags) noexcept {
  return copy_to([=] { return RAVEL_NEXT(dup3)(file, wanted, flags); }, file, wanted, RAVEL_CALLER);
}

#define RAVEL_MAKES(result, note, name, parameters, arguments, exceptions) \
  RAVEL_EXPORT result name parameters exceptions {                         \
    use_table(FileUse::kWrites, RAVEL_CALLER);                             \
    return note;                                                           \
  }
#define RAVEL_MAKES_ONE(name, parameters, arguments, exceptions) \
  RAVEL_MAKES(int, note_new(RAVEL_NEXT(name) arguments), name, parameters, arguments, exceptions)
#define RAVEL_MAKES_TWO(name, parameters, arguments) \
  RAVEL_MAKES(int, (let_system_write(ends, 2 * sizeof *ends), note_pair(RAVEL_NEXT(name) arguments, ends)), name, parameters, \
              arguments, noexcept)
RAVEL_MAKES_TWO(pipe, (int* ends), (ends))
RAVEL_MAKES_TWO(pipe2, (int* ends, int flags), (ends, flags))
RAVEL_MAKES_TWO(socketpair, (int domain, int type, int protocol, int* ends), (domain, type, protocol, ends))
RAVEL_MAKES(int, note_socket(RAVEL_NEXT(socket)(domain, type, protocol)), socket, (int domain, int type, int protocol), ,
            noexcept)

#define RAVEL_ACCEPTS(name, parameters, arguments)       \
  RAVEL_EXPORT int name parameters {                     \
    use_descriptor(file, FileUse::kReads, RAVEL_CALLER); \
    wait_until_ready(file, POLLIN, RAVEL_CALLER);        \
    use_table(FileUse::kWrites, RAVEL_CALLER);           \
    let_system_write({{address, room_of(size)},          \
                      {size, sizeof *size}});            \
    return note_socket(RAVEL_NEXT(name) arguments);      \
  }
RAVEL_ACCEPTS(accept, (int file, sockaddr* address, socklen_t* size), (file, address, size))
RAVEL_ACCEPTS(accept4, (int file, sockaddr* address, socklen_t* size, int flags), (file, address, size, flags))
RAVEL_MAKES_ONE(eventfd, (unsigned value, int flags), (value, flags), noexcept)
RAVEL_MAKES_ONE(epoll_create, (int size), (size), noexcept)
RAVEL_MAKES_ONE(epoll_create1, (int flags), (flags), noexcept)
RAVEL_MAKES_ONE(timerfd_create, (clockid_t clock, int flags), (clock, flags), noexcept)
RAVEL_MAKES_ONE(inotify_init, (), (), noexcept)
RAVEL_MAKES_ONE(inotify_init1, (int flags), (flags), noexcept)
RAVEL_MAKES_ONE(memfd_create, (const char* name, unsigned flags), (name, flags), noexcept)
RAVEL_MAKES_ONE(shm_open, (const char* name, int flags, mode_t mode), (name, flags, mode), )

#define RAVEL_CREAT(name)                                                               \
  RAVEL_EXPORT int name(const char* path, mode_t mode) {                                \
    constexpr int kFlags = O_CREAT | O_TRUNC | O_WRONLY;                                \
    use_table(FileUse::kWrites, RAVEL_CALLER, uses_of_opening(AT_FDCWD, path, kFlags)); \
    return note_opened(RAVEL_NEXT(name)(path, mode), AT_FDCWD, path, kFlags);           \
  }
// Those with a further argument in some cases, which is passed on in all.
#define RAVEL_OPEN(name)                                                               \
  RAVEL_EXPORT int name(const char* path, int flags, ...) {                            \
    va_list more;                                                                      \
    va_start(more, flags);                                                             \
    const mode_t mode = va_arg(more, mode_t);                                          \
    va_end(more);                                                                      \
    use_table(FileUse::kWrites, RAVEL_CALLER, uses_of_opening(AT_FDCWD, path, flags)); \
    return note_opened(RAVEL_NEXT(name)(path, flags, mode), AT_FDCWD, path, flags);    \
  }
#define RAVEL_OPENAT(name)                                                                \
  RAVEL_EXPORT int name(int folder, const char* path, int flags, ...) {                   \
    va_list more;                                                                         \
    va_start(more, flags);                                                                \
    const mode_t mode = va_arg(more, mode_t);                                             \
    va_end(more);                                                                         \
    use_table(FileUse::kWrites, RAVEL_CALLER, uses_of_opening(folder, path, flags));      \
    return note_opened(RAVEL_NEXT(name)(folder, path, flags, mode), folder, path, flags); \
  }
#define RAVEL_FCNTL(name)                                                                              \
  RAVEL_EXPORT int name(int file, int command, ...) {                                                  \
    va_list more;                                                                                      \
    va_start(more, command);                                                                           \
    void* const argument = va_arg(more, void*);                                                        \
    va_end(more);                                                                                      \
    if (command != F_DUPFD && command != F_DUPFD_CLOEXEC) {                                            \
      use_descriptor(file, FileUse::kWrites, RAVEL_CALLER);                                            \
      if (fills_argument(command)) let_system_write(argument, sizeof(struct flock));                   \
      return RAVEL_NEXT(name)(file, command, argument);                                                \
    }                                                                                                  \
    return copy_to([=] { return RAVEL_NEXT(name)(file, command, argument); }, file, -1, RAVEL_CALLER); \
  }
RAVEL_CREAT(creat)
RAVEL_CREAT(creat64)
RAVEL_OPEN(open)
RAVEL_OPEN(open64)
RAVEL_OPENAT(openat)
RAVEL_OPENAT(openat64)
RAVEL_FCNTL(fcntl)
RAVEL_FCNTL(fcntl64)

}  // namespace ravel::threads
