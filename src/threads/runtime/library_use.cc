#include "threads/runtime/library_use.h"

#include <span>

#include "threads/runtime/scheduler.h"

namespace ravel::threads {

void use_library(LibraryUse use, std::uint64_t pc) {
  LibraryUses uses;
  uses.add(use);
  use_library(uses, pc);
}

void use_library(const LibraryUses& uses, std::uint64_t pc) {
  if (current == nullptr || !in_program) return;
  current->note_change();  // even if it only prints
  if (uses.count > 0) scheduler().memory().use_library({uses.list.data(), uses.count}, pc);
}

}  // namespace ravel::threads
