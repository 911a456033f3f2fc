#include "threads/runtime/process_state.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>

#include "threads/protocol/system_call.h"
#include "threads/runtime/export.h"
#include "threads/runtime/library_use.h"
#include "threads/runtime/next_function.h"
#include "threads/runtime/program_files.h"
#include "threads/runtime/system_writes.h"

extern "C" char* __getcwd_chk(char* text, std::size_t size, std::size_t room) noexcept;

namespace ravel::threads {

namespace {

bool may_have_changed = false;
std::array<char, PATH_MAX> folder{};
mode_t mask = 0;

// Rounding, and which exceptions there were, of both units for floating-point numbers.
struct FloatingPoint {
  std::uint32_t vector = 0;
  std::uint16_t control = 0;
};
FloatingPoint floating_point;

int call(long number, long argument) {
  may_have_changed = true;
  const long result = system_call(number, argument);
  if (result >= 0) return static_cast<int>(result);
  errno = static_cast<int>(-result);
  return -1;
}

// The name of a folder of the overlay. `given`: null if the C library has allocated it.
char* as_program_has_it(char* found, char* given, std::size_t size) {
  if (found == nullptr || !changes_paths()) return found;
  const std::string name = overlay().program_path(found);
  if (name == found) return found;
  if (given == nullptr) {
    ::free(found);
    return strdup(name.c_str());
  }
  if (name.size() < size) return strcpy(given, name.c_str());
  errno = ERANGE;
  return nullptr;
}

}  // namespace

void note_process_state() {
  if (system_call(SYS_getcwd, reinterpret_cast<long>(folder.data()), static_cast<long>(folder.size())) < 0)
    folder[0] = 0;
  mask = static_cast<mode_t>(system_call(SYS_umask, 022));
  system_call(SYS_umask, static_cast<long>(mask));
  __asm__ volatile("stmxcsr %0" : "=m"(floating_point.vector));
  __asm__ volatile("fnstcw %0" : "=m"(floating_point.control));
  may_have_changed = false;
}

void restore_process_state() {
  __asm__ volatile("fnclex\n\tfldcw %0" : : "m"(floating_point.control));
  __asm__ volatile("ldmxcsr %0" : : "m"(floating_point.vector));
  if (!may_have_changed) return;
  may_have_changed = false;
  if (folder[0] != 0) system_call(SYS_chdir, reinterpret_cast<long>(folder.data()));
  system_call(SYS_umask, static_cast<long>(mask));
}

RAVEL_EXPORT int chdir(const char* path) noexcept {
  use_library(changes(LibraryState::kFolder), RAVEL_CALLER);
  if (!changes_paths()) return call(SYS_chdir, reinterpret_cast<long>(path));
  return call_with(overlay().look(AT_FDCWD, path, Follow::kYes),
                   [](const char* found) { return call(SYS_chdir, reinterpret_cast<long>(found)); });
}
RAVEL_EXPORT int fchdir(int file) noexcept {
  use_library(changes(LibraryState::kFolder), RAVEL_CALLER);
  return call(SYS_fchdir, file);
}
RAVEL_EXPORT char* getcwd(char* text, std::size_t size) noexcept {
  use_library(looks_at(LibraryState::kFolder), RAVEL_CALLER);
  let_system_write(text, size);
  return as_program_has_it(RAVEL_NEXT(getcwd)(text, size), text, size);
}
RAVEL_EXPORT char* __getcwd_chk(char* text, std::size_t size, std::size_t room) noexcept {
  use_library(looks_at(LibraryState::kFolder), RAVEL_CALLER);
  let_system_write(text, size);
  return as_program_has_it(RAVEL_NEXT(__getcwd_chk)(text, size, room), text, size);
}
RAVEL_EXPORT mode_t umask(mode_t wanted) noexcept {
  use_library(changes(LibraryState::kMask), RAVEL_CALLER);
  return static_cast<mode_t>(call(SYS_umask, static_cast<long>(wanted)));
}

}  // namespace ravel::threads
