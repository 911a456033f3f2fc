// Libraries that are loaded while the program runs: their data would not be put back for the next execution.

#include <dlfcn.h>

#include <string>

#include "threads/runtime/export.h"
#include "threads/runtime/real.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

RAVEL_EXPORT void* dlopen(const char* file, int flags) noexcept {
  // Before main() the data is not copied yet.
  if (current == nullptr || file == nullptr) return (real().dlopen == nullptr ? find_real_functions() : void(), real().dlopen(file, flags));
  // One that is there is put back; finding it changes only how often the loader has counted it.
  if (void* const found = real().dlopen(file, (flags & ~RTLD_NOW) | RTLD_LAZY | RTLD_NOLOAD)) return found;
  scheduler().refuse(std::string("dlopen: ") + file + " would be loaded in the middle of an execution, and not be put back behind it. " +
                         "Link the program with it",
                     RAVEL_CALLER);
}

}  // namespace ravel::threads
