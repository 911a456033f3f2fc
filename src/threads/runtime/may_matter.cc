// The questions that code asks which the compiler's plugin has checked: whether an access to watched memory
// may matter (compiler/insert_checks.cc).
//
// Who asks expects that no register is changed but rax (the answer), rcx, rdx, rsi, rdi, r8 and the flags. So
// this file is compiled with options of its own, and nothing in it calls anything.

#include <cstdint>

#include "threads/runtime/export.h"
#include "threads/runtime/repeated_access.h"

namespace ravel::threads {

namespace {

// What is too rare for the fast path matters.
template <std::uint32_t kSize, AccessKind kKind>
[[gnu::always_inline]] inline int may_matter(const void* pointer) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  Thread* const self = current;
  if (self == nullptr) [[unlikely]]
    return 0;
  if (!is_in_one_cell<kSize>(address)) return 1;
  if (writes(kKind)) {
    if (address - self->stack_low >= self->stack_size) {
      if (self->writes_noted < kWritesNoted) return 1;
      self->note_change();
    } else if (self->loop.mutex != nullptr) {
      return 1;
    }
  }
  return is_repeated<kSize, kKind>(*self, address) ? 0 : 1;
}

}  // namespace

#define RAVEL_QUESTIONS(size)                                          \
  RAVEL_EXPORT_PLAIN int ravel_may_matter_read##size(const void* p) {  \
    return may_matter<size, AccessKind::kRead>(p);                     \
  }                                                                    \
  RAVEL_EXPORT_PLAIN int ravel_may_matter_write##size(const void* p) { \
    return may_matter<size, AccessKind::kWrite>(p);                    \
  }

RAVEL_QUESTIONS(1)
RAVEL_QUESTIONS(2)
RAVEL_QUESTIONS(4)
RAVEL_QUESTIONS(8)
RAVEL_QUESTIONS(16)

}  // namespace ravel::threads
