// The calls by which a program opens, copies and closes files: each is the C library's, takes note that it
// was called, and is a use of the table of descriptors, since a new one gets the lowest free number. A call
// that gives a stream or a folder instead does not show the number: two of those commute.

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
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

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/check.h"
#include "base/hash.h"
#include "base/wide_hash.h"
#include "threads/protocol/system_call.h"
#include "threads/runtime/check_failed.h"
#include "threads/runtime/descriptors.h"
#include "threads/runtime/export.h"
#include "threads/runtime/next_function.h"
#include "threads/runtime/open_files.h"
#include "threads/runtime/program_files.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/system_writes.h"

namespace ravel::threads {

namespace {

// Descriptors of the start are kept from here on, out of the program's way.
constexpr int kKeptFrom = kMessageDescriptor + 1;
constexpr int kStartMax = 256;

// Descriptors that the program neither sees nor closes.
std::array<int, 4> own_descriptors{};
std::size_t own_count = 0;

bool may_have_changed = false;
int start_end = 0;  // after the last one that is open at the start; all below it are
int kept_end = 0;
// A descriptor of the start that has a position.
struct Positioned {
  int file;
  long start;
};
std::array<Positioned, kStartMax> positioned{};
std::size_t positioned_count = 0;

bool is_own_descriptor(int file) {
  if (current == nullptr) return false;
  if (file >= kMessageDescriptor && file < kept_end) return true;
  return std::find(own_descriptors.begin(), own_descriptors.begin() + static_cast<std::ptrdiff_t>(own_count),
                   file) != own_descriptors.begin() + static_cast<std::ptrdiff_t>(own_count);
}

// Before a call that makes or ends descriptors; `uses`: what else it does.
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

// A later use of the number is a use of what it stands for by itself, or of nothing.
LibraryUses uses_of_closing(int file) {
  LibraryUses uses;
  if (current == nullptr) return uses;
  uses = uses_of_descriptor(file, FileUse::kWrites);
  if (uses.count > 0 && uses.list[0].word != file_word(file)) uses.add({.word = file_word(file)});
  return uses;
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

bool fills_argument(int command) {
  return command == F_GETLK || command == F_OFD_GETLK || command == F_GETOWN_EX;
}

int flags_of(const char* mode) {
  const int exclusive = strchr(mode, 'x') != nullptr ? O_EXCL : 0;
  const int access = strchr(mode, '+') != nullptr ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
  return access | exclusive | (mode[0] == 'r' ? 0 : O_CREAT) | (mode[0] == 'w' ? O_TRUNC : 0);
}

FILE* note_stream(FILE* stream, const char* path, const char* mode) {
  if (stream != nullptr && current != nullptr) {
    const bool may_write = (flags_of(mode) & O_ACCMODE) != O_RDONLY;
    note_open(fileno_unlocked(stream), reinterpret_cast<std::uint64_t>(stream), contents_of(AT_FDCWD, path),
              may_write);
  }
  return stream;
}

constexpr mode_t kStreamMode = 0666;

// The mode without "x": that the file is new was seen to when it was made.
std::array<char, 16> without_exclusion(const char* mode) {
  std::array<char, 16> text{};
  std::size_t length = 0;
  for (; *mode != 0 && length + 1 < text.size(); ++mode)
    if (*mode != 'x') text[length++] = *mode;
  return text;
}

template <class Open>
FILE* open_stream(Open open, const char* path, const char* mode, std::uint64_t pc) {
  use_table(FileUse::kLooks, pc, uses_of_opening(AT_FDCWD, path, flags_of(mode)));
  FILE* stream = nullptr;
  open_program_file(AT_FDCWD, path, flags_of(mode), kStreamMode, [&](const char* there, int) {
    stream = open(there, keeps_files() ? without_exclusion(mode).data() : mode);
    return stream == nullptr ? -1 : 0;
  });
  return note_stream(stream, path, mode);
}

template <class Open>
FILE* open_stream_again(Open open, const char* path, const char* mode, FILE* stream, std::uint64_t pc) {
  if (current != nullptr) use_stream(stream, FileUse::kWrites, pc);
  use_table(FileUse::kWrites, pc,
            path == nullptr ? LibraryUses{} : uses_of_opening(AT_FDCWD, path, flags_of(mode)));
  FILE* opened = nullptr;
  if (path == nullptr) {
    opened = open(path, mode, stream);
  } else {
    open_program_file(AT_FDCWD, path, flags_of(mode), kStreamMode, [&](const char* there, int) {
      opened = open(there, keeps_files() ? without_exclusion(mode).data() : mode, stream);
      return opened == nullptr ? -1 : 0;
    });
  }
  return path == nullptr ? opened : note_stream(opened, path, mode);
}

FILE* note_nameless(FILE* stream) {
  if (stream != nullptr) note_open(fileno_unlocked(stream), reinterpret_cast<std::uint64_t>(stream), 0, true);
  return stream;
}

// The first names that are free, in place of chance. `make`: whether it could be made, 0 or an errno.
template <class Make>
int choose_name(char* path, int suffix, Make make) {
  constexpr std::size_t kPlaces = 6;
  const std::size_t length = strlen(path);
  if (length < kPlaces + static_cast<std::size_t>(suffix)) return EINVAL;
  char* const places = path + length - static_cast<std::size_t>(suffix) - kPlaces;
  if (std::string_view(places, kPlaces) != "XXXXXX") return EINVAL;
  for (std::uint32_t number = 0; number < 1'000'000; ++number) {
    for (std::uint32_t place = kPlaces, left = number; place-- > 0; left /= 26)
      places[place] = static_cast<char>('a' + left % 26);
    const int error = make();
    if (error != EEXIST) return error;
  }
  return EEXIST;
}

int make_numbered_file(char* path, int suffix, int flags) {
  int file = -1;
  const int error = choose_name(path, suffix, [&] {
    const HostPath there = overlay().open_for_writing(AT_FDCWD, path, O_CREAT | O_EXCL | O_RDWR, 0600);
    if (there.error != 0) return there.error;
    file = RAVEL_NEXT(open)(there.path.c_str(), O_RDWR | flags);
    return file < 0 ? errno : 0;
  });
  return error == 0 ? file : end_call(error);
}

// Names that the system chooses differ from run to run, and those that are chosen here depend on the order:
// what is there is known by the name that was asked for.
template <class Make>
int make_temporary(Make make, char* path, int suffix, int flags, std::uint64_t pc) {
  use_table(FileUse::kWrites, pc);
  const std::uint64_t contents = current == nullptr ? 0 : contents_of(AT_FDCWD, path);
  const int file = keeps_files() ? make_numbered_file(path, suffix, flags) : make();
  if (file < 0 || current == nullptr) return file;
  note_temporary(path, contents);
  note_open(file, file_word(file), contents, true);
  return file;
}

template <class Copy>
int copy_to(Copy copy, int file, int wanted, std::uint64_t pc) {
  LibraryUses uses;
  if (wanted >= 0) {
    uses = uses_of_closing(wanted);
    // A later use of that number is a use of what is copied.
    if (current != nullptr)
      for (const LibraryUse& use : uses_of_descriptor(file, FileUse::kWrites).list) uses.add(use);
  }
  use_table(FileUse::kWrites, pc, uses);
  const int done = copy();
  if (done >= 0 && done != file) note_copy(file, done);
  return done;
}

}  // namespace

void keep_descriptor(int file) {
  CHECK(own_count < own_descriptors.size());
  own_descriptors[own_count++] = file;
}

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

int hide_descriptor(int file) {
  const long hidden = system_call(SYS_fcntl, file, F_DUPFD_CLOEXEC, kKeptFrom + start_end);
  CHECK_MESSAGE(hidden >= 0,
                "there are not enough descriptors: programs need a limit of 1024 open files "
                "(ulimit -n)");
  kept_end = std::max(kept_end, static_cast<int>(hidden) + 1);
  system_call(SYS_close, file);
  return static_cast<int>(hidden);
}

bool separate_descriptors(int old_output, int output) {
  struct stat old {};
  if (fstat(old_output, &old) != 0) return false;
  const auto replace = [](int file, int with) {
    return system_call(SYS_dup3, with, file, 0) >= 0 &&
           system_call(SYS_dup3, with, kKeptFrom + file, O_CLOEXEC) >= 0;
  };
  // The last execution may have left other files where these were.
  for (int file = 0; file < start_end; ++file) {
    struct stat status {};
    const bool is_output =
        fstat(kKeptFrom + file, &status) == 0 && status.st_dev == old.st_dev && status.st_ino == old.st_ino;
    if (is_output && !replace(file, output)) return false;
  }
  for (std::size_t i = 0; i < positioned_count; ++i) {
    std::array<char, 32> path{};
    snprintf(path.data(), path.size(), "/proc/self/fd/%d", kKeptFrom + positioned[i].file);
    const long flags = system_call(SYS_fcntl, kKeptFrom + positioned[i].file, F_GETFL);
    const long again = system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path.data()),
                                   (flags & ~(O_CREAT | O_EXCL | O_TRUNC)) | O_CLOEXEC);
    if (again < 0) return false;
    const bool is_replaced = replace(positioned[i].file, static_cast<int>(again));
    system_call(SYS_close, again);
    if (!is_replaced) return false;
  }
  return true;
}

// In program_state.cc: which are open, which files these are, and where they are read.
void add_descriptors(WideHash& hash) {
  constexpr int kMost = kMessageDescriptor;
  std::array<pollfd, kMost> all{};
  for (int file = 0; file < kMost; ++file) all[static_cast<std::size_t>(file)].fd = file;
  for (std::size_t i = 0; i < positioned_count; ++i)
    if (positioned[i].file != 1 && positioned[i].file != 2)
      hash.add({.high = static_cast<std::uint64_t>(positioned[i].file),
                .low = static_cast<std::uint64_t>(system_call(SYS_lseek, positioned[i].file, 0, SEEK_CUR))});
  if (!may_have_changed) return;
  system_call(SYS_poll, reinterpret_cast<long>(all.data()), kMost, 0);
  for (const pollfd& one : all) {
    const bool is_own = one.fd >= kMessageDescriptor && one.fd < kept_end;
    if (one.fd == 1 || one.fd == 2 || is_own || (one.revents & POLLNVAL) != 0) continue;
    struct stat status {};
    system_call(SYS_fstat, one.fd, reinterpret_cast<long>(&status));
    hash.add({.high = static_cast<std::uint64_t>(one.fd), .low = status.st_ino});
    hash.add({.high = static_cast<std::uint64_t>(system_call(SYS_lseek, one.fd, 0, SEEK_CUR)),
              .low = status.st_dev});
  }
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
  for (std::size_t i = 0; i < positioned_count; ++i)
    system_call(SYS_lseek, positioned[i].file, positioned[i].start, SEEK_SET);
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
  return make_temporary([=] { return RAVEL_NEXT(mkstemp)(path); }, path, 0, 0, RAVEL_CALLER);
}
RAVEL_EXPORT int mkstemp64(char* path) {
  return make_temporary([=] { return RAVEL_NEXT(mkstemp64)(path); }, path, 0, 0, RAVEL_CALLER);
}
RAVEL_EXPORT int mkostemp(char* path, int flags) {
  return make_temporary([=] { return RAVEL_NEXT(mkostemp)(path, flags); }, path, 0, flags, RAVEL_CALLER);
}
RAVEL_EXPORT int mkstemps(char* path, int suffix) {
  return make_temporary([=] { return RAVEL_NEXT(mkstemps)(path, suffix); }, path, suffix, 0, RAVEL_CALLER);
}
RAVEL_EXPORT char* mkdtemp(char* path) noexcept {
  use_table(FileUse::kWrites, RAVEL_CALLER);
  if (!keeps_files()) return RAVEL_NEXT(mkdtemp)(path);
  const std::uint64_t contents = contents_of(AT_FDCWD, path);
  const int error = choose_name(path, 0, [&] {
    const HostPath there = overlay().make(AT_FDCWD, path);
    if (there.error != 0) return there.error;
    if (RAVEL_NEXT(mkdir)(there.path.c_str(), 0700) != 0) return errno;
    overlay().add_made();
    return 0;
  });
  if (end_call(error) != 0) return nullptr;
  note_temporary(path, contents);
  return path;
}
RAVEL_EXPORT DIR* opendir(const char* path) {
  LibraryUses uses;
  if (current != nullptr) add_path(uses, AT_FDCWD, path, PathUse::kLists);
  use_table(FileUse::kLooks, RAVEL_CALLER, uses);
  if (!changes_paths()) return RAVEL_NEXT(opendir)(path);
  const HostPath there = overlay().open_for_reading(AT_FDCWD, path, Follow::kYes);
  errno = there.error;
  return there.error == 0 ? RAVEL_NEXT(opendir)(there.path.c_str()) : nullptr;
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
  // Own descriptors count as none.
  if (is_own_descriptor(file)) return end_call(EBADF);
  use_table(FileUse::kWrites, RAVEL_CALLER, uses_of_closing(file));
  note_open(file, 0, 0, false);
  return RAVEL_NEXT(close)(file);
}
RAVEL_EXPORT int dup(int file) noexcept {
  return copy_to([=] { return RAVEL_NEXT(dup)(file); }, file, -1, RAVEL_CALLER);
}
RAVEL_EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept {
  use_table(FileUse::kWrites, RAVEL_CALLER);
  if (first > last) return end_call(EINVAL);
  if ((flags & CLOSE_RANGE_CLOEXEC) != 0) return 0;  // no other program is ever executed
  const unsigned end = std::min<unsigned>(last, kKeptFrom + kStartMax);
  for (unsigned file = first; file <= end; ++file) {
    if (is_own_descriptor(static_cast<int>(file))) continue;
    if (system_call(SYS_fcntl, file, F_GETFD) < 0) continue;
    use_library(uses_of_closing(static_cast<int>(file)), RAVEL_CALLER);
    note_open(static_cast<int>(file), 0, 0, false);
    system_call(SYS_close, file);
  }
  if (last > end) system_call(SYS_close_range, std::max(first, end + 1), last);
  return 0;
}
RAVEL_EXPORT void closefrom(int first) noexcept {
  close_range(static_cast<unsigned>(std::max(first, 0)), ~0u, 0);
}
RAVEL_EXPORT int dup2(int file, int wanted) noexcept {
  if (is_own_descriptor(wanted)) return end_call(EBADF);
  return copy_to([=] { return RAVEL_NEXT(dup2)(file, wanted); }, file, wanted, RAVEL_CALLER);
}
RAVEL_EXPORT int dup3(int file, int wanted, int flags) noexcept {
  if (is_own_descriptor(wanted)) return end_call(EBADF);
  return copy_to([=] { return RAVEL_NEXT(dup3)(file, wanted, flags); }, file, wanted, RAVEL_CALLER);
}

#define RAVEL_MAKES(result, note, name, parameters, arguments, exceptions) \
  RAVEL_EXPORT result name parameters exceptions {                         \
    use_table(FileUse::kWrites, RAVEL_CALLER);                             \
    return note;                                                           \
  }
#define RAVEL_MAKES_ONE(name, parameters, arguments, exceptions) \
  RAVEL_MAKES(int, note_new(RAVEL_NEXT(name) arguments), name, parameters, arguments, exceptions)
#define RAVEL_MAKES_TWO(name, parameters, arguments)                                                        \
  RAVEL_MAKES(int, (let_system_write(ends, 2 * sizeof *ends), note_pair(RAVEL_NEXT(name) arguments, ends)), \
              name, parameters, arguments, noexcept)
RAVEL_MAKES_TWO(pipe, (int* ends), (ends))
RAVEL_MAKES_TWO(pipe2, (int* ends, int flags), (ends, flags))
RAVEL_MAKES_TWO(socketpair, (int domain, int type, int protocol, int* ends), (domain, type, protocol, ends))
RAVEL_MAKES(int, note_socket(RAVEL_NEXT(socket)(domain, type, protocol)), socket,
            (int domain, int type, int protocol), , noexcept)

#define RAVEL_ACCEPTS(name, parameters, arguments)                      \
  RAVEL_EXPORT int name parameters {                                    \
    use_descriptor(file, FileUse::kReads, RAVEL_CALLER);                \
    wait_until_ready(file, POLLIN, RAVEL_CALLER);                       \
    use_table(FileUse::kWrites, RAVEL_CALLER);                          \
    let_system_write({{address, room_of(size)}, {size, sizeof *size}}); \
    return note_socket(RAVEL_NEXT(name) arguments);                     \
  }
RAVEL_ACCEPTS(accept, (int file, sockaddr* address, socklen_t* size), (file, address, size))
RAVEL_ACCEPTS(accept4, (int file, sockaddr* address, socklen_t* size, int flags),
              (file, address, size, flags))
RAVEL_MAKES_ONE(eventfd, (unsigned value, int flags), (value, flags), noexcept)
RAVEL_MAKES_ONE(epoll_create, (int size), (size), noexcept)
RAVEL_MAKES_ONE(epoll_create1, (int flags), (flags), noexcept)
RAVEL_MAKES_ONE(timerfd_create, (clockid_t clock, int flags), (clock, flags), noexcept)
RAVEL_MAKES_ONE(inotify_init, (), (), noexcept)
RAVEL_MAKES_ONE(inotify_init1, (int flags), (flags), noexcept)
RAVEL_MAKES_ONE(memfd_create, (const char* name, unsigned flags), (name, flags), noexcept)

#define RAVEL_CREAT(name)                                                                          \
  RAVEL_EXPORT int name(const char* path, mode_t mode) {                                           \
    constexpr int kFlags = O_CREAT | O_TRUNC | O_WRONLY;                                           \
    use_table(FileUse::kWrites, RAVEL_CALLER, uses_of_opening(AT_FDCWD, path, kFlags));            \
    const int file = open_program_file(AT_FDCWD, path, kFlags, mode, [&](const char* there, int) { \
      return RAVEL_NEXT(name)(there, mode);                                                        \
    });                                                                                            \
    return note_opened(file, AT_FDCWD, path, kFlags);                                              \
  }
// Calls with a further argument in some cases, which is passed on in all.
#define RAVEL_OPEN(name)                                                                              \
  RAVEL_EXPORT int name(const char* path, int flags, ...) {                                           \
    va_list more;                                                                                     \
    va_start(more, flags);                                                                            \
    const mode_t mode = va_arg(more, mode_t);                                                         \
    va_end(more);                                                                                     \
    use_table(FileUse::kWrites, RAVEL_CALLER, uses_of_opening(AT_FDCWD, path, flags));                \
    const int file = open_program_file(AT_FDCWD, path, flags, mode, [&](const char* there, int now) { \
      return RAVEL_NEXT(name)(there, now, mode);                                                      \
    });                                                                                               \
    return note_opened(file, AT_FDCWD, path, flags);                                                  \
  }
#define RAVEL_OPENAT(name)                                                                          \
  RAVEL_EXPORT int name(int folder, const char* path, int flags, ...) {                             \
    va_list more;                                                                                   \
    va_start(more, flags);                                                                          \
    const mode_t mode = va_arg(more, mode_t);                                                       \
    va_end(more);                                                                                   \
    use_table(FileUse::kWrites, RAVEL_CALLER, uses_of_opening(folder, path, flags));                \
    const int file = open_program_file(folder, path, flags, mode, [&](const char* there, int now) { \
      return RAVEL_NEXT(name)(folder, there, now, mode);                                            \
    });                                                                                             \
    return note_opened(file, folder, path, flags);                                                  \
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
