// Memory that a system call writes to.
//
// What an execution has not written yet may be write-protected (memory_image.h). The program's own write
// faults, and goes on; that of the system does not fault but fails, with EFAULT. To make such a call again
// would not do: it may have taken what it could not deliver, such as a message or a connection. So each call
// that makes the system write says before where it may.

#pragma once

#include <stdio.h>
#include <stdio_ext.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "threads/runtime/layout.h"
#include "threads/runtime/scheduler.h"

namespace ravel::threads {

// Before the call. Elsewhere than in the program's threads it does nothing.
inline void let_system_write(const void* bytes, std::size_t size) {
  if (current == nullptr || bytes == nullptr || size == 0) return;
  const auto low = reinterpret_cast<std::uint64_t>(bytes);
  if (low - current->stack_low < current->stack_size) return;
  for (std::uint64_t page = low & ~(kPageSize - 1); page < low + size; page += kPageSize)
    scheduler().image().handle_fault(page);
}
inline void let_system_write(const iovec* parts, int count) {
  for (int i = 0; i < count; ++i) let_system_write(parts[i].iov_base, parts[i].iov_len);
}

struct SystemWrite {
  const void* bytes;
  std::size_t size;
};
inline void let_system_write(std::initializer_list<SystemWrite> all) {
  for (const SystemWrite& each : all) let_system_write(each.bytes, each.size);
}

// What is received, from whom, and what comes with it.
inline void let_system_write(const msghdr* message) {
  if (current == nullptr || message == nullptr) return;
  let_system_write(message, sizeof *message);
  let_system_write(message->msg_name, message->msg_namelen);
  let_system_write(message->msg_iov, static_cast<int>(message->msg_iovlen));
  let_system_write(message->msg_control, message->msg_controllen);
}
// The size of room whose length the call changes.
inline std::size_t room_of(const socklen_t* room) { return room == nullptr ? 0 : *room; }

// A stream reads into its buffer, which may be of the time before main(), or the program's own.
inline void let_system_fill(FILE* stream) {
  if (current == nullptr || __freadable(stream) == 0) return;
  let_system_write(stream->_IO_buf_base,
                   static_cast<std::size_t>(stream->_IO_buf_end - stream->_IO_buf_base));
}

// A call of which nothing is known: any argument may be an address, and any other one the size of what is
// there.
inline void let_system_write_anywhere(std::span<const long> arguments) {
  constexpr long kSizeMax = 1 << 26;
  long size = kPageSize;
  for (const long argument : arguments)
    if (argument < kSizeMax) size = std::max(size, argument);
  for (const long argument : arguments) {
    if (argument < static_cast<long>(kPageSize)) continue;
    let_system_write(reinterpret_cast<const void*>(argument), static_cast<std::size_t>(size));
  }
}

}  // namespace ravel::threads
