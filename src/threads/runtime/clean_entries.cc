#include "threads/runtime/clean_entries.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "threads/protocol/system_call.h"
#include "threads/runtime/layout.h"
#include "threads/runtime/thread.h"
#include "threads/runtime/thread_switch.h"

// Where functions begin that have room for a call: the compiler's list.
extern "C" [[gnu::visibility("hidden")]] std::byte* const __start___patchable_function_entries[];
extern "C" [[gnu::visibility("hidden")]] std::byte* const __stop___patchable_function_entries[];
extern "C" [[gnu::visibility("hidden")]] void ravel_clear_below();

namespace ravel::threads {

// As far as frames of the runtime reach below the program's when it waits for its turn. r10 and r11 are no
// arguments, and neither is xmm15.
static_assert(offsetof(Thread, stack_low) == 16 && offsetof(Thread, stack_size) == 24);
__asm__(R"(
    .text
    .globl ravel_clear_below
    .hidden ravel_clear_below
    .type ravel_clear_below, @function
ravel_clear_below:
    .cfi_startproc
    movq _ZN5ravel7threads7currentE(%rip), %r11
    testq %r11, %r11
    jz 2f
    leaq -1024(%rsp), %r10
    subq 16(%r11), %r10
    cmpq 24(%r11), %r10
    jae 2f
    leaq -1024(%rsp), %r10
    pxor %xmm15, %xmm15
1:
    movups %xmm15, (%r10)
    movups %xmm15, 16(%r10)
    movups %xmm15, 32(%r10)
    movups %xmm15, 48(%r10)
    addq $64, %r10
    cmpq %rsp, %r10
    jb 1b
2:
    xorl %r10d, %r10d
    xorl %r11d, %r11d
    ret
    .cfi_endproc
    .size ravel_clear_below, .-ravel_clear_below
)");

namespace {

constexpr std::size_t kCallSize = 5;
using Call = std::array<std::uint8_t, kCallSize>;

Call call_from(const std::byte* place) {
  const auto distance = static_cast<std::int32_t>(reinterpret_cast<std::intptr_t>(ravel_clear_below) -
                                                  reinterpret_cast<std::intptr_t>(place + kCallSize));
  Call call{0xE8};
  std::memcpy(call.data() + 1, &distance, sizeof distance);
  return call;
}

bool protect(std::uint64_t low, std::uint64_t high, int protection) {
  return system_call(SYS_mprotect, static_cast<long>(low), static_cast<long>(high - low), protection) == 0;
}

}  // namespace

void set_clean_entries(bool are_clean) {
  static bool are_clean_now = false;
  if (are_clean == are_clean_now) return;
  constexpr Call kNothing = {0x0F, 0x1F, 0x44, 0x00, 0x00};
  const std::span places(__start___patchable_function_entries, __stop___patchable_function_entries);
  const auto [first, last] = std::ranges::minmax_element(places);
  const std::uint64_t low = reinterpret_cast<std::uint64_t>(*first) & ~(kPageSize - 1);
  const std::uint64_t high =
      (reinterpret_cast<std::uint64_t>(*last) + kCallSize + kPageSize - 1) & ~(kPageSize - 1);
  if (!protect(low, high, PROT_READ | PROT_WRITE | PROT_EXEC)) return;
  for (std::byte* const place : places) {
    const Call call = are_clean ? call_from(place) : kNothing;
    std::memcpy(place, call.data(), kCallSize);
  }
  protect(low, high, PROT_READ | PROT_EXEC);
  are_clean_now = are_clean;
}

}  // namespace ravel::threads
