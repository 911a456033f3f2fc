#include "threads/runtime/library_use.h"

#include <span>

#include "threads/runtime/scheduler.h"

namespace ravel::threads {

void use_library(LibraryUse use, std::uint64_t pc) {
  if (current != nullptr && in_program) scheduler().use_library({&use, 1}, pc);
}

void use_library(const LibraryUses& uses, std::uint64_t pc) {
  if (current != nullptr && in_program && uses.count > 0)
    scheduler().use_library({uses.list.data(), uses.count}, pc);
}

}  // namespace ravel::threads
