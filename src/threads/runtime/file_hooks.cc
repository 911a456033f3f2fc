// The calls by which a program reads, writes and looks at open files: each is the C library's, and a use of
// it.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>

#include "threads/runtime/export.h"
#include "threads/runtime/machine_names.h"
#include "threads/runtime/misuse.h"
#include "threads/runtime/next_function.h"
#include "threads/runtime/open_files.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/system_writes.h"

// What the compiler calls with checks of sizes.
extern "C" {
ssize_t __read_chk(int file, void* bytes, std::size_t size, std::size_t room);
ssize_t __recv_chk(int file, void* bytes, std::size_t size, std::size_t room, int flags);
ssize_t __recvfrom_chk(int file, void* bytes, std::size_t size, std::size_t room, int flags, sockaddr* from,
                       socklen_t* length);
ssize_t __pread_chk(int file, void* bytes, std::size_t size, off_t offset, std::size_t room);
ssize_t __pread64_chk(int file, void* bytes, std::size_t size, off64_t offset, std::size_t room);
}

namespace ravel::threads {

namespace {

// A thread that reads or writes again and again in vain waits.
ssize_t note_vain(ssize_t done, int file, std::uint64_t pc) {
  if (done <= 0 && current != nullptr) scheduler().fairness().note_look(file_word(file), pc);
  return done;
}

void note_receiver(const msghdr& message) {
  machine_names().note_other(static_cast<const sockaddr*>(message.msg_name), message.msg_namelen);
}

}  // namespace

// Calls that wait until there is something to read, or room for what is written.
#define RAVEL_TRANSFER_INTO(output, use, event, name, parameters, arguments) \
  RAVEL_EXPORT ssize_t name parameters {                                     \
    use_descriptor(file, FileUse::use, RAVEL_CALLER);                        \
    wait_until_ready(file, event, RAVEL_CALLER);                             \
    let_system_write output;                                                 \
    return note_vain(RAVEL_NEXT(name) arguments, file, RAVEL_CALLER);        \
  }
#define RAVEL_TRANSFER(use, event, name, parameters, arguments) \
  RAVEL_TRANSFER_INTO((nullptr, 0), use, event, name, parameters, arguments)
RAVEL_TRANSFER_INTO((bytes, size), kReads, POLLIN, read, (int file, void* bytes, std::size_t size),
                    (file, bytes, size))
RAVEL_TRANSFER_INTO((bytes, size), kReads, POLLIN, __read_chk,
                    (int file, void* bytes, std::size_t size, std::size_t room), (file, bytes, size, room))
RAVEL_TRANSFER_INTO((parts, count), kReads, POLLIN, readv, (int file, const iovec* parts, int count),
                    (file, parts, count))
RAVEL_TRANSFER_INTO((bytes, size), kReads, POLLIN, recv, (int file, void* bytes, std::size_t size, int flags),
                    (file, bytes, size, flags))
RAVEL_TRANSFER_INTO((bytes, size), kReads, POLLIN, __recv_chk,
                    (int file, void* bytes, std::size_t size, std::size_t room, int flags),
                    (file, bytes, size, room, flags))
RAVEL_TRANSFER_INTO(({{bytes, size}, {from, room_of(length)}, {length, sizeof *length}}), kReads, POLLIN,
                    recvfrom,
                    (int file, void* bytes, std::size_t size, int flags, sockaddr* from, socklen_t* length),
                    (file, bytes, size, flags, from, length))
RAVEL_TRANSFER_INTO(({{bytes, size}, {from, room_of(length)}, {length, sizeof *length}}), kReads, POLLIN,
                    __recvfrom_chk,
                    (int file, void* bytes, std::size_t size, std::size_t room, int flags, sockaddr* from,
                     socklen_t* length),
                    (file, bytes, size, room, flags, from, length))
RAVEL_TRANSFER_INTO((message), kReads, POLLIN, recvmsg, (int file, msghdr* message, int flags),
                    (file, message, flags))
RAVEL_TRANSFER(kWrites, POLLOUT, write, (int file, const void* bytes, std::size_t size), (file, bytes, size))
RAVEL_TRANSFER(kWrites, POLLOUT, writev, (int file, const iovec* parts, int count), (file, parts, count))
RAVEL_TRANSFER(kWrites, POLLOUT, send, (int file, const void* bytes, std::size_t size, int flags),
               (file, bytes, size, flags))

// Where the caller may say to whom.
RAVEL_EXPORT ssize_t sendto(int file, const void* bytes, std::size_t size, int flags, const sockaddr* to,
                            socklen_t length) {
  machine_names().note_other(to, length);
  use_descriptor(file, FileUse::kWrites, RAVEL_CALLER);
  wait_until_ready(file, POLLOUT, RAVEL_CALLER);
  return note_vain(RAVEL_NEXT(sendto)(file, bytes, size, flags, to, length), file, RAVEL_CALLER);
}
RAVEL_EXPORT ssize_t sendmsg(int file, const msghdr* message, int flags) {
  note_receiver(*message);
  use_descriptor(file, FileUse::kWrites, RAVEL_CALLER);
  wait_until_ready(file, POLLOUT, RAVEL_CALLER);
  return note_vain(RAVEL_NEXT(sendmsg)(file, message, flags), file, RAVEL_CALLER);
}

// Several messages at once.
RAVEL_EXPORT int recvmmsg(int file, mmsghdr* messages, unsigned count, int flags, timespec* time) {
  use_descriptor(file, FileUse::kReads, RAVEL_CALLER);
  wait_until_ready(file, POLLIN, RAVEL_CALLER);
  let_system_write({{messages, count * sizeof *messages}, {time, sizeof *time}});
  for (unsigned i = 0; i < count; ++i) let_system_write(&messages[i].msg_hdr);
  return static_cast<int>(
      note_vain(RAVEL_NEXT(recvmmsg)(file, messages, count, flags, time), file, RAVEL_CALLER));
}
RAVEL_EXPORT int sendmmsg(int file, mmsghdr* messages, unsigned count, int flags) {
  for (unsigned i = 0; i < count; ++i) note_receiver(messages[i].msg_hdr);
  use_descriptor(file, FileUse::kWrites, RAVEL_CALLER);
  wait_until_ready(file, POLLOUT, RAVEL_CALLER);
  let_system_write(messages, count * sizeof *messages);
  return static_cast<int>(note_vain(RAVEL_NEXT(sendmmsg)(file, messages, count, flags), file, RAVEL_CALLER));
}

// From one file to another, from and to positions that they may be given.
#define RAVEL_COPIES(output, from, to, name, parameters, arguments, exceptions) \
  RAVEL_EXPORT ssize_t name parameters exceptions {                             \
    use_descriptor(from, FileUse::kReads, RAVEL_CALLER);                        \
    use_descriptor(to, FileUse::kWrites, RAVEL_CALLER);                         \
    wait_until_ready(from, POLLIN, RAVEL_CALLER);                               \
    wait_until_ready(to, POLLOUT, RAVEL_CALLER);                                \
    let_system_write output;                                                    \
    return note_vain(RAVEL_NEXT(name) arguments, from, RAVEL_CALLER);           \
  }
RAVEL_COPIES((start, sizeof *start), from, to, sendfile, (int to, int from, off_t* start, std::size_t size),
             (to, from, start, size), noexcept)
RAVEL_COPIES((start, sizeof *start), from, to, sendfile64,
             (int to, int from, off64_t* start, std::size_t size), (to, from, start, size), noexcept)
RAVEL_COPIES(({{start, sizeof *start}, {end, sizeof *end}}), from, to, copy_file_range,
             (int from, off64_t* start, int to, off64_t* end, std::size_t size, unsigned flags),
             (from, start, to, end, size, flags), )
RAVEL_COPIES(({{start, sizeof *start}, {end, sizeof *end}}), from, to, splice,
             (int from, off64_t* start, int to, off64_t* end, std::size_t size, unsigned flags),
             (from, start, to, end, size, flags), )

// The lock is one of the open file, so another thread may have it by another one. The system would stop all
// threads then.
RAVEL_EXPORT int flock(int file, int what) noexcept {
  use_descriptor(file, FileUse::kWrites, RAVEL_CALLER);
  if (current == nullptr || (what & LOCK_NB) != 0) return RAVEL_NEXT(flock)(file, what);
  const int done = RAVEL_NEXT(flock)(file, what | LOCK_NB);
  if (done == 0 || errno != EWOULDBLOCK) return done;
  refuse_call("flock", "the lock is taken, and who waits for it is not under control", RAVEL_CALLER);
}

// Inside the C library these do not call the functions above.
RAVEL_EXPORT int eventfd_read(int file, eventfd_t* value) {
  return ::read(file, value, sizeof *value) == sizeof *value ? 0 : -1;
}
RAVEL_EXPORT int eventfd_write(int file, eventfd_t value) {
  return ::write(file, &value, sizeof value) == sizeof value ? 0 : -1;
}

// `output`: where the system writes to, and how much.
#define RAVEL_DESCRIPTOR_CALL_INTO(output, use, result, name, parameters, arguments, exceptions) \
  RAVEL_EXPORT result name parameters exceptions {                                               \
    use_descriptor(file, FileUse::use, RAVEL_CALLER);                                            \
    let_system_write output;                                                                     \
    return RAVEL_NEXT(name) arguments;                                                           \
  }
#define RAVEL_DESCRIPTOR_CALL(use, result, name, parameters, arguments, exceptions) \
  RAVEL_DESCRIPTOR_CALL_INTO((nullptr, 0), use, result, name, parameters, arguments, exceptions)
RAVEL_DESCRIPTOR_CALL_INTO((bytes, size), kReads, ssize_t, pread,
                           (int file, void* bytes, std::size_t size, off_t offset),
                           (file, bytes, size, offset), )
RAVEL_DESCRIPTOR_CALL_INTO((bytes, size), kReads, ssize_t, pread64,
                           (int file, void* bytes, std::size_t size, off64_t offset),
                           (file, bytes, size, offset), )
RAVEL_DESCRIPTOR_CALL_INTO((bytes, size), kReads, ssize_t, __pread_chk,
                           (int file, void* bytes, std::size_t size, off_t offset, std::size_t room),
                           (file, bytes, size, offset, room), )
RAVEL_DESCRIPTOR_CALL_INTO((bytes, size), kReads, ssize_t, __pread64_chk,
                           (int file, void* bytes, std::size_t size, off64_t offset, std::size_t room),
                           (file, bytes, size, offset, room), )
RAVEL_DESCRIPTOR_CALL_INTO((parts, count), kReads, ssize_t, preadv,
                           (int file, const iovec* parts, int count, off_t offset),
                           (file, parts, count, offset), )
RAVEL_DESCRIPTOR_CALL_INTO((parts, count), kReads, ssize_t, preadv64,
                           (int file, const iovec* parts, int count, off64_t offset),
                           (file, parts, count, offset), )
RAVEL_DESCRIPTOR_CALL_INTO((parts, count), kReads, ssize_t, preadv2,
                           (int file, const iovec* parts, int count, off_t offset, int flags),
                           (file, parts, count, offset, flags), )
RAVEL_DESCRIPTOR_CALL_INTO((parts, count), kReads, ssize_t, preadv64v2,
                           (int file, const iovec* parts, int count, off64_t offset, int flags),
                           (file, parts, count, offset, flags), )
RAVEL_DESCRIPTOR_CALL_INTO((entries, size), kReads, ssize_t, getdents64,
                           (int file, void* entries, std::size_t size), (file, entries, size), noexcept)
RAVEL_DESCRIPTOR_CALL(kWrites, ssize_t, pwritev, (int file, const iovec* parts, int count, off_t offset),
                      (file, parts, count, offset), )
RAVEL_DESCRIPTOR_CALL(kWrites, ssize_t, pwritev64, (int file, const iovec* parts, int count, off64_t offset),
                      (file, parts, count, offset), )
RAVEL_DESCRIPTOR_CALL(kWrites, ssize_t, pwritev2,
                      (int file, const iovec* parts, int count, off_t offset, int flags),
                      (file, parts, count, offset, flags), )
RAVEL_DESCRIPTOR_CALL(kWrites, ssize_t, pwritev64v2,
                      (int file, const iovec* parts, int count, off64_t offset, int flags),
                      (file, parts, count, offset, flags), )
RAVEL_DESCRIPTOR_CALL(kWrites, ssize_t, pwrite, (int file, const void* bytes, std::size_t size, off_t offset),
                      (file, bytes, size, offset), )
RAVEL_DESCRIPTOR_CALL(kWrites, ssize_t, pwrite64,
                      (int file, const void* bytes, std::size_t size, off64_t offset),
                      (file, bytes, size, offset), )
RAVEL_DESCRIPTOR_CALL(kWrites, off_t, lseek, (int file, off_t offset, int from), (file, offset, from),
                      noexcept)
RAVEL_DESCRIPTOR_CALL(kWrites, off64_t, lseek64, (int file, off64_t offset, int from), (file, offset, from),
                      noexcept)
RAVEL_DESCRIPTOR_CALL(kWrites, int, ftruncate, (int file, off_t size), (file, size), noexcept)
RAVEL_DESCRIPTOR_CALL(kWrites, int, ftruncate64, (int file, off64_t size), (file, size), noexcept)
RAVEL_DESCRIPTOR_CALL_INTO((status, sizeof *status), kLooks, int, fstat, (int file, struct stat* status),
                           (file, status), noexcept)
RAVEL_DESCRIPTOR_CALL_INTO((status, sizeof *status), kLooks, int, fstat64, (int file, struct stat64* status),
                           (file, status), noexcept)
RAVEL_DESCRIPTOR_CALL_INTO((status, sizeof *status), kLooks, int, fstatfs, (int file, struct statfs* status),
                           (file, status), noexcept)
RAVEL_DESCRIPTOR_CALL_INTO((status, sizeof *status), kLooks, int, fstatfs64,
                           (int file, struct statfs64* status), (file, status), noexcept)
RAVEL_DESCRIPTOR_CALL_INTO(({{address, room_of(length)}, {length, sizeof *length}}), kLooks, int, getsockname,
                           (int file, sockaddr* address, socklen_t* length), (file, address, length),
                           noexcept)
RAVEL_DESCRIPTOR_CALL_INTO(({{address, room_of(length)}, {length, sizeof *length}}), kLooks, int, getpeername,
                           (int file, sockaddr* address, socklen_t* length), (file, address, length),
                           noexcept)
// What an error was is told once.
RAVEL_DESCRIPTOR_CALL_INTO(({{value, room_of(length)}, {length, sizeof *length}}), kWrites, int, getsockopt,
                           (int file, int level, int name, void* value, socklen_t* length),
                           (file, level, name, value, length), noexcept)
RAVEL_DESCRIPTOR_CALL(kWrites, int, setsockopt,
                      (int file, int level, int name, const void* value, socklen_t length),
                      (file, level, name, value, length), noexcept)
RAVEL_DESCRIPTOR_CALL(kWrites, int, shutdown, (int file, int how), (file, how), noexcept)

// Names of sockets.
RAVEL_EXPORT int bind(int file, const sockaddr* address, socklen_t size) noexcept {
  machine_names().note_own(address, size);
  use_descriptor(file, FileUse::kWrites, RAVEL_CALLER);
  const int done = RAVEL_NEXT(bind)(file, address, size);
  if (done == 0) machine_names().note_chosen(file);
  return done;
}
RAVEL_EXPORT int listen(int file, int waiting) noexcept {
  use_descriptor(file, FileUse::kWrites, RAVEL_CALLER);
  const int done = RAVEL_NEXT(listen)(file, waiting);
  if (done == 0) machine_names().note_chosen(file);
  return done;
}
RAVEL_EXPORT int connect(int file, const sockaddr* address, socklen_t size) {
  machine_names().note_other(address, size);
  use_descriptor(file, FileUse::kWrites, RAVEL_CALLER);
  return RAVEL_NEXT(connect)(file, address, size);
}

RAVEL_EXPORT int ioctl(int file, unsigned long request, ...) noexcept {
  va_list more;
  va_start(more, request);
  void* const argument = va_arg(more, void*);
  va_end(more);
  use_descriptor(file, FileUse::kWrites, RAVEL_CALLER);
  // Most requests say how much they write; older requests write less than this.
  constexpr std::size_t kOldMax = 256;
  let_system_write(argument, std::max<std::size_t>(_IOC_SIZE(request), kOldMax));
  return RAVEL_NEXT(ioctl)(file, request, argument);
}

// A folder stream has its buffer after itself.
#define RAVEL_READS_FOLDER(result, name)                                                           \
  RAVEL_EXPORT result* name(DIR* folder) {                                                         \
    use_library({.word = reinterpret_cast<std::uint64_t>(folder), .changes = true}, RAVEL_CALLER); \
    let_system_write(folder, malloc_usable_size(folder));                                          \
    return RAVEL_NEXT(name)(folder);                                                               \
  }
RAVEL_READS_FOLDER(dirent, readdir)
RAVEL_READS_FOLDER(dirent64, readdir64)

}  // namespace ravel::threads
