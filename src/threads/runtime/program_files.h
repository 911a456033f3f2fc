// What the hooks ask of the overlay, for the program's calls.

#pragma once

#include <errno.h>
#include <fcntl.h>

#include "threads/runtime/overlay.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

// Constructors that run once, in front of all executions, see the host's files.
inline bool keeps_files() { return current != nullptr && overlay().is_on(); }
// Paths are not what they are for the system.
inline bool changes_paths() { return keeps_files() && overlay().has_changes(); }

inline Follow follows_unless(bool not_so) { return not_so ? Follow::kNo : Follow::kYes; }

// As the C library ends a call.
inline int end_call(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

// `call` gets the path for the system, if there is one.
template <class Call>
auto call_with(const HostPath& found, Call call) -> decltype(call("")) {
  if (found.error == 0) return call(found.path.c_str());
  errno = found.error;
  return static_cast<decltype(call(""))>(-1);
}

// Opens what `path` is to the program: `open` gets the path for the system, and flags.
template <class Open>
int open_program_file(int folder, const char* path, int flags, mode_t mode, Open open) {
  if (!keeps_files() || path == nullptr || (flags & O_TMPFILE) == O_TMPFILE) return open(path, flags);
  const bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
  if (writes && (flags & O_PATH) == 0)
    return call_with(overlay().open_for_writing(folder, path, flags, mode),
                     [&](const char* found) { return open(found, flags & ~O_EXCL); });
  if (!overlay().has_changes()) return open(path, flags);
  return call_with(overlay().open_for_reading(folder, path, follows_unless((flags & O_NOFOLLOW) != 0)),
                   [&](const char* found) { return open(found, flags); });
}

}  // namespace ravel::threads
