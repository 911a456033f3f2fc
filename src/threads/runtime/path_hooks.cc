// The calls by which a program looks at what lies at a path, and changes it: each is the C library's, a use
// of what it keeps, and goes to the files of this execution (runtime/overlay.h).

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include <array>

#include "threads/protocol/system_call.h"
#include "threads/runtime/export.h"
#include "threads/runtime/next_function.h"
#include "threads/runtime/open_files.h"
#include "threads/runtime/program_files.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/system_writes.h"

// What the compiler calls with checks of sizes.
extern "C" {
ssize_t __readlink_chk(const char* path, char* text, std::size_t size, std::size_t room) noexcept;
ssize_t __readlinkat_chk(int folder, const char* path, char* text, std::size_t size,
                         std::size_t room) noexcept;
char* __realpath_chk(const char* path, char* text, std::size_t room) noexcept;
}

namespace ravel::threads {

namespace {

// What is at `from` gets the name `to`.
void use_two_paths(int from_folder, const char* from, PathUse use, int to_folder, const char* to,
                   std::uint64_t pc) {
  if (current == nullptr) return;
  LibraryUses uses;
  add_path(uses, from_folder, from, use);
  add_path(uses, to_folder, to, PathUse::kMakes);
  use_library(uses, pc);
}

// Before what is there gets another name, or none: of a folder or a link that changes where other paths lead.
PathUse use_of_unnaming(int folder, const char* path) {
  if (current == nullptr || path == nullptr || path[0] == 0) return PathUse::kMakes;
  const int error = errno;
  struct stat status {};
  const auto look = [&](const char* found) {
    return static_cast<int>(system_call(SYS_newfstatat, folder, reinterpret_cast<long>(found),
                                        reinterpret_cast<long>(&status), AT_SYMLINK_NOFOLLOW));
  };
  const int done = changes_paths() ? call_with(overlay().look(folder, path, Follow::kNo), look) : look(path);
  errno = error;
  return done == 0 && (S_ISDIR(status.st_mode) || S_ISLNK(status.st_mode)) ? PathUse::kMakesFolder
                                                                           : PathUse::kMakes;
}

Follow follow_of(int flags) { return follows_unless((flags & AT_SYMLINK_NOFOLLOW) != 0); }

// A path that is empty means the descriptor.
bool is_named(const char* path) { return path != nullptr && path[0] != 0; }

char* real_path(const char* path, char* text) {
  const HostPath found = overlay().canonical(AT_FDCWD, path, Follow::kYes);
  errno = found.error != 0 ? found.error : ENOENT;
  if (found.error != 0 || !overlay().is_there(found.path)) return nullptr;
  if (text == nullptr) return strdup(found.path.c_str());
  return strcpy(text, found.path.c_str());
}

std::array<char, NAME_MAX + 16> shared_memory(const char* name) {
  std::array<char, NAME_MAX + 16> path{};
  snprintf(path.data(), path.size(), "/dev/shm/%s", name + strspn(name, "/"));
  return path;
}

}  // namespace

// `output`: where the system writes to, and how much.
#define RAVEL_LOOKS_AT(output, folder, path, follow, result, name, parameters, arguments) \
  RAVEL_EXPORT result name parameters noexcept {                                          \
    use_path(folder, path, PathUse::kLooks, RAVEL_CALLER);                                \
    let_system_write output;                                                              \
    if (!changes_paths() || !is_named(path)) return RAVEL_NEXT(name) arguments;           \
    return call_with(overlay().look(folder, path, follow),                                \
                     [&](const char* path) { return RAVEL_NEXT(name) arguments; });       \
  }
#define RAVEL_CHANGES(folder, path, follow, result, name, parameters, arguments)    \
  RAVEL_EXPORT result name parameters noexcept {                                    \
    use_path(folder, path, PathUse::kChanges, RAVEL_CALLER);                        \
    if (!keeps_files() || !is_named(path)) return RAVEL_NEXT(name) arguments;       \
    return call_with(overlay().change(folder, path, follow),                        \
                     [&](const char* path) { return RAVEL_NEXT(name) arguments; }); \
  }
#define RAVEL_MAKES_AT(folder, path, name, parameters, arguments)                             \
  RAVEL_EXPORT int name parameters noexcept {                                                 \
    use_path(folder, path, PathUse::kMakesFolder, RAVEL_CALLER);                              \
    if (!keeps_files() || !is_named(path)) return RAVEL_NEXT(name) arguments;                 \
    const int done = call_with(overlay().make(folder, path),                                  \
                               [&](const char* path) { return RAVEL_NEXT(name) arguments; }); \
    if (done == 0) overlay().add_made();                                                      \
    return done;                                                                              \
  }
#define RAVEL_REMOVES(folder, path, what, name, parameters, arguments)        \
  RAVEL_EXPORT int name parameters noexcept {                                 \
    use_path(folder, path, use_of_unnaming(folder, path), RAVEL_CALLER);      \
    if (!keeps_files() || !is_named(path)) return RAVEL_NEXT(name) arguments; \
    return end_call(overlay().remove(folder, path, what));                    \
  }

// The names of parameters are those of what call_with() finds.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

RAVEL_LOOKS_AT((status, sizeof *status), AT_FDCWD, path, Follow::kYes, int, stat,
               (const char* path, struct stat* status), (path, status))
RAVEL_LOOKS_AT((status, sizeof *status), AT_FDCWD, path, Follow::kYes, int, stat64,
               (const char* path, struct stat64* status), (path, status))
RAVEL_LOOKS_AT((status, sizeof *status), AT_FDCWD, path, Follow::kNo, int, lstat,
               (const char* path, struct stat* status), (path, status))
RAVEL_LOOKS_AT((status, sizeof *status), AT_FDCWD, path, Follow::kNo, int, lstat64,
               (const char* path, struct stat64* status), (path, status))
RAVEL_LOOKS_AT((status, sizeof *status), folder, path, follow_of(flags), int, fstatat,
               (int folder, const char* path, struct stat* status, int flags), (folder, path, status, flags))
RAVEL_LOOKS_AT((status, sizeof *status), folder, path, follow_of(flags), int, fstatat64,
               (int folder, const char* path, struct stat64* status, int flags),
               (folder, path, status, flags))
RAVEL_LOOKS_AT((status, sizeof *status), folder, path, follow_of(flags), int, statx,
               (int folder, const char* path, int flags, unsigned wanted, struct statx* status),
               (folder, path, flags, wanted, status))
RAVEL_LOOKS_AT((nullptr, 0), AT_FDCWD, path, Follow::kYes, int, access, (const char* path, int wanted),
               (path, wanted))
RAVEL_LOOKS_AT((nullptr, 0), folder, path, follow_of(flags), int, faccessat,
               (int folder, const char* path, int wanted, int flags), (folder, path, wanted, flags))
RAVEL_LOOKS_AT((text, size), AT_FDCWD, path, Follow::kNo, ssize_t, readlink,
               (const char* path, char* text, std::size_t size), (path, text, size))
RAVEL_LOOKS_AT((text, size), AT_FDCWD, path, Follow::kNo, ssize_t, __readlink_chk,
               (const char* path, char* text, std::size_t size, std::size_t room), (path, text, size, room))
RAVEL_LOOKS_AT((text, size), folder, path, Follow::kNo, ssize_t, readlinkat,
               (int folder, const char* path, char* text, std::size_t size), (folder, path, text, size))
RAVEL_LOOKS_AT((text, size), folder, path, Follow::kNo, ssize_t, __readlinkat_chk,
               (int folder, const char* path, char* text, std::size_t size, std::size_t room),
               (folder, path, text, size, room))

RAVEL_CHANGES(AT_FDCWD, path, Follow::kYes, int, truncate, (const char* path, off_t size), (path, size))
RAVEL_CHANGES(AT_FDCWD, path, Follow::kYes, int, truncate64, (const char* path, off64_t size), (path, size))
RAVEL_CHANGES(AT_FDCWD, path, Follow::kYes, int, chmod, (const char* path, mode_t mode), (path, mode))
RAVEL_CHANGES(folder, path, follow_of(flags), int, fchmodat,
              (int folder, const char* path, mode_t mode, int flags), (folder, path, mode, flags))
RAVEL_CHANGES(AT_FDCWD, path, Follow::kYes, int, chown, (const char* path, uid_t user, gid_t group),
              (path, user, group))
RAVEL_CHANGES(AT_FDCWD, path, Follow::kNo, int, lchown, (const char* path, uid_t user, gid_t group),
              (path, user, group))
RAVEL_CHANGES(folder, path, follow_of(flags), int, fchownat,
              (int folder, const char* path, uid_t user, gid_t group, int flags),
              (folder, path, user, group, flags))
RAVEL_CHANGES(folder, path, follow_of(flags), int, utimensat,
              (int folder, const char* path, const timespec* times, int flags), (folder, path, times, flags))
RAVEL_CHANGES(AT_FDCWD, path, Follow::kYes, int, utimes, (const char* path, const timeval* times),
              (path, times))
RAVEL_CHANGES(AT_FDCWD, path, Follow::kYes, int, utime, (const char* path, const utimbuf* times),
              (path, times))

RAVEL_MAKES_AT(AT_FDCWD, path, mkdir, (const char* path, mode_t mode), (path, mode))
RAVEL_MAKES_AT(folder, path, mkdirat, (int folder, const char* path, mode_t mode), (folder, path, mode))
RAVEL_MAKES_AT(AT_FDCWD, path, mkfifo, (const char* path, mode_t mode), (path, mode))
RAVEL_MAKES_AT(AT_FDCWD, path, mknod, (const char* path, mode_t mode, dev_t device), (path, mode, device))
RAVEL_MAKES_AT(AT_FDCWD, path, symlink, (const char* to, const char* path), (to, path))
RAVEL_MAKES_AT(folder, path, symlinkat, (const char* to, int folder, const char* path), (to, folder, path))

#pragma GCC diagnostic pop

RAVEL_REMOVES(AT_FDCWD, path, Overlay::Removes::kFile, unlink, (const char* path), (path))
RAVEL_REMOVES(folder, path, (flags & AT_REMOVEDIR) != 0 ? Overlay::Removes::kFolder : Overlay::Removes::kFile,
              unlinkat, (int folder, const char* path, int flags), (folder, path, flags))
RAVEL_REMOVES(AT_FDCWD, path, Overlay::Removes::kBoth, remove, (const char* path), (path))
RAVEL_REMOVES(AT_FDCWD, path, Overlay::Removes::kFolder, rmdir, (const char* path), (path))

RAVEL_EXPORT int rename(const char* from, const char* to) noexcept {
  use_two_paths(AT_FDCWD, from, use_of_unnaming(AT_FDCWD, from), AT_FDCWD, to, RAVEL_CALLER);
  return keeps_files() ? end_call(overlay().rename(AT_FDCWD, from, AT_FDCWD, to, true))
                       : RAVEL_NEXT(rename)(from, to);
}
RAVEL_EXPORT int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  use_two_paths(from_folder, from, use_of_unnaming(from_folder, from), to_folder, to, RAVEL_CALLER);
  return keeps_files() ? end_call(overlay().rename(from_folder, from, to_folder, to, true))
                       : RAVEL_NEXT(renameat)(from_folder, from, to_folder, to);
}
RAVEL_EXPORT int renameat2(int from_folder, const char* from, int to_folder, const char* to,
                           unsigned flags) noexcept {
  use_two_paths(from_folder, from, use_of_unnaming(from_folder, from), to_folder, to, RAVEL_CALLER);
  if (!keeps_files()) return RAVEL_NEXT(renameat2)(from_folder, from, to_folder, to, flags);
  // To exchange both names is what few file systems can do, too.
  if ((flags & ~RENAME_NOREPLACE) != 0) return end_call(EINVAL);
  return end_call(overlay().rename(from_folder, from, to_folder, to, flags == 0));
}
RAVEL_EXPORT int link(const char* from, const char* to) noexcept {
  use_two_paths(AT_FDCWD, from, PathUse::kChanges, AT_FDCWD, to, RAVEL_CALLER);
  return keeps_files() ? end_call(overlay().link(AT_FDCWD, from, AT_FDCWD, to, Follow::kNo))
                       : RAVEL_NEXT(link)(from, to);
}
RAVEL_EXPORT int linkat(int from_folder, const char* from, int to_folder, const char* to,
                        int flags) noexcept {
  use_two_paths(from_folder, from, PathUse::kChanges, to_folder, to, RAVEL_CALLER);
  if (!keeps_files() || !is_named(from)) return RAVEL_NEXT(linkat)(from_folder, from, to_folder, to, flags);
  return end_call(
      overlay().link(from_folder, from, to_folder, to, follows_unless((flags & AT_SYMLINK_FOLLOW) == 0)));
}

RAVEL_EXPORT char* realpath(const char* path, char* text) noexcept {
  use_path(AT_FDCWD, path, PathUse::kLooks, RAVEL_CALLER);
  return changes_paths() && is_named(path) ? real_path(path, text) : RAVEL_NEXT(realpath)(path, text);
}
RAVEL_EXPORT char* __realpath_chk(const char* path, char* text, std::size_t room) noexcept {
  use_path(AT_FDCWD, path, PathUse::kLooks, RAVEL_CALLER);
  return changes_paths() && is_named(path) ? real_path(path, text)
                                           : RAVEL_NEXT(__realpath_chk)(path, text, room);
}
RAVEL_EXPORT char* canonicalize_file_name(const char* path) noexcept { return realpath(path, nullptr); }

// In the C library, the path is put together and opened.
RAVEL_EXPORT int shm_open(const char* name, int flags, mode_t mode) {
  return ::open(shared_memory(name).data(), flags | O_CLOEXEC | O_NOFOLLOW, mode);
}
RAVEL_EXPORT int shm_unlink(const char* name) { return ::unlink(shared_memory(name).data()); }

}  // namespace ravel::threads
