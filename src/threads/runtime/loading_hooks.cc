// Libraries that are loaded while the program runs: their data would not be put back for the next execution.

#include <dlfcn.h>
#include <sys/syscall.h>

#include <map>
#include <string>

#include "base/check.h"
#include "threads/protocol/system_call.h"
#include "threads/runtime/export.h"
#include "threads/runtime/real.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

namespace {

// Whether it could be loaded at all: programs ask for libraries that may be there or not. A process of its
// own tries.
bool can_be_loaded(const char* file, int flags) {
  static auto* const known = new std::map<std::string, bool>;
  const auto [entry, is_new] = known->try_emplace(file);
  if (!is_new) return entry->second;
  const int child = scheduler().make_child();
  CHECK_MESSAGE(child >= 0, "a process could not be made");
  if (child == 0) {
    const bool is_there = real().dlopen(file, flags) != nullptr;
    while (true) system_call(SYS_exit_group, is_there ? 0 : 1);
  }
  int status = 0;
  while (system_call(SYS_wait4, child, reinterpret_cast<long>(&status)) != child) {
  }
  return entry->second = status == 0;
}

}  // namespace

RAVEL_EXPORT void* dlopen(const char* file, int flags) noexcept {
  // Before main() the data is not copied yet.
  if (current == nullptr || file == nullptr)
    return (real().dlopen == nullptr ? find_real_functions() : void(), real().dlopen(file, flags));
  // A library that is there is put back; finding it changes only how often the loader has counted it.
  if (void* const found = real().dlopen(file, (flags & ~RTLD_NOW) | RTLD_LAZY | RTLD_NOLOAD)) return found;
  if (!can_be_loaded(file, flags)) return real().dlopen(file, flags);
  scheduler().refuse(std::string("dlopen: ") + file +
                         " would be loaded in the middle of an execution, and not be put back behind it. " +
                         "Link the program with it",
                     RAVEL_CALLER);
}

}  // namespace ravel::threads
