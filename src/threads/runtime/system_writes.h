// Memory that a system call writes to.
//
// What an execution has not written yet may be write-protected (memory_image.h). The program's own write faults, and goes on; that
// of the system does not fault but fails, with EFAULT.

#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>

#include "threads/runtime/layout.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

// Before the call. Elsewhere than in the program's threads it does nothing.
inline void let_system_write(const void* bytes, std::size_t size) {
  if (current == nullptr || bytes == nullptr || size == 0) return;
  const auto low = reinterpret_cast<std::uint64_t>(bytes);
  if (low - current->stack_low < current->stack_size) return;
  for (std::uint64_t page = low & ~(kPageSize - 1); page < low + size; page += kPageSize) scheduler().handle_fault(page);
}
inline void let_system_write(const iovec* parts, int count) {
  for (int i = 0; i < count; ++i) let_system_write(parts[i].iov_base, parts[i].iov_len);
}

}  // namespace ravel::threads
