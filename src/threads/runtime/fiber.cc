#include "threads/runtime/fiber.h"

#include <asm/prctl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/check.h"
#include "threads/protocol/system_call.h"
#include "threads/runtime/layout.h"
#include "threads/runtime/mappings.h"
#include "threads/runtime/memory_lines.h"
#include "threads/runtime/real.h"

namespace ravel::threads {

__asm__(R"(
    .text
    .globl ravel_switch_resume
    .hidden ravel_switch_resume
    .type ravel_switch_resume, @function
ravel_switch_resume:
    popq %rax
    jmpq *%rax
    .size ravel_switch_resume, .-ravel_switch_resume

    .globl ravel_fiber_start
    .hidden ravel_fiber_start
    .type ravel_fiber_start, @function
ravel_fiber_start:
    .cfi_startproc
    .cfi_undefined rip
    popq %rax
    xorl %ebp, %ebp
    xorl %ebx, %ebx
    xorl %ecx, %ecx
    xorl %edx, %edx
    xorl %esi, %esi
    xorl %edi, %edi
    xorl %r8d, %r8d
    xorl %r9d, %r9d
    xorl %r10d, %r10d
    xorl %r11d, %r11d
    xorl %r12d, %r12d
    xorl %r13d, %r13d
    xorl %r14d, %r14d
    xorl %r15d, %r15d
    callq *%rax
    ud2
    .cfi_endproc
    .size ravel_fiber_start, .-ravel_fiber_start
)");

extern "C" void ravel_fiber_start();

namespace {

// Whether the kernel lets programs write the FS base themselves (HWCAP2_FSGSBASE).
const bool kWritesFs = (getauxval(AT_HWCAP2) & 2) != 0;

// Below what the parked thread itself uses of its stack.
constexpr std::uint64_t kParkedBytes = 2048;

constexpr std::uint64_t kBeforeParking = 4 * kPageSize;

// How many bytes below what has ever been used of a stack are looked at after each execution.
constexpr std::uint64_t kSeenBelow = 1024;

struct Parked {
  std::uint64_t fs = 0;
  std::uint64_t stack = 0;
  std::atomic<bool> ready = false;
};

void* park(void* argument) {
  auto& parked = *static_cast<Parked*>(argument);
  parked.fs = fs_base();
  parked.stack = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  parked.ready.store(true, std::memory_order_release);
  while (true) system_call(SYS_pause);
}

int lowest_thread_local(dl_phdr_info* info, std::size_t, void* found) {
  auto& lowest = *static_cast<std::uint64_t*>(found);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_TLS || info->dlpi_tls_data == nullptr) continue;
    lowest = std::min(lowest, reinterpret_cast<std::uint64_t>(info->dlpi_tls_data));
  }
  return 0;
}

// How many bytes below the FS base hold thread-local variables: the same for all threads.
std::uint64_t thread_local_bytes() {
  std::uint64_t lowest = fs_base();
  dl_iterate_phdr(lowest_thread_local, &lowest);
  return (fs_base() - lowest + 7) & ~std::uint64_t{7};
}

std::uint64_t locals_bytes = 0;

}  // namespace

std::uint64_t fs_base() {
  std::uint64_t base;
  if (kWritesFs) {
    __asm__ volatile("rdfsbase %0" : "=r"(base));
  } else {
    system_call(SYS_arch_prctl, ARCH_GET_FS, reinterpret_cast<long>(&base));
  }
  return base;
}

void set_fs_base(std::uint64_t base) {
  if (kWritesFs) {
    __asm__ volatile("wrfsbase %0" : : "r"(base) : "memory");
  } else {
    system_call(SYS_arch_prctl, ARCH_SET_FS, static_cast<long>(base));
  }
}

void Slot::make_main() {
  low_ = kStackBase;
  high_ = kStackBase + kStackSlotSize - kPageSize;
  void* const got = reserve_at(kStackBase, kStackSlotSize);
  CHECK_MESSAGE(got != nullptr, "there is no memory for a stack");
  mprotect(got, kPageSize, PROT_NONE);
  fs_ = fs_base();
  locals_bytes = thread_local_bytes();
  note_thread_locals();
}

void Slot::make_parked(std::uint32_t number) {
  const std::uint64_t base = kStackBase + number * kStackSlotSize;
  void* const got = reserve_at(base, kStackSlotSize);
  CHECK_MESSAGE(got != nullptr, "there is no memory for a stack");
  mprotect(got, kPageSize, PROT_NONE);
  const std::uint64_t before = fs_base();
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, reinterpret_cast<void*>(base + kPageSize), kStackSlotSize - kPageSize);
  sigset_t all, old;
  sigfillset(&all);
  // The first write to a watched page is a fault here, too.
  sigdelset(&all, SIGSEGV);
  real().pthread_sigmask(SIG_SETMASK, &all, &old);
  Parked parked;
  pthread_t thread;
  const int status = real().pthread_create(&thread, &attributes, park, &parked);
  real().pthread_sigmask(SIG_SETMASK, &old, nullptr);
  CHECK_MESSAGE(status == 0, "a thread could not be made");
  while (!parked.ready.load(std::memory_order_acquire)) system_call(SYS_sched_yield);
  CHECK(fs_base() == before);
  fs_ = parked.fs;
  low_ = base + kPageSize;
  high_ = (parked.stack - kParkedBytes) & ~(kPageSize - 1);
  // What the C library did before it called park() may have reached deeper.
  std::memset(reinterpret_cast<void*>(high_ - kBeforeParking), 0, kBeforeParking);
  note_thread_locals();
}

void Slot::note_thread_locals() {
  locals_low_ = fs_ - locals_bytes;
  const auto* const words = reinterpret_cast<const std::uint64_t*>(locals_low_);
  locals_.assign(words, words + locals_bytes / sizeof(std::uint64_t));
}

// Pages that calls have jumped over, by a large array that they did not fill, are not seen from above. That a
// page is there does not say that it was used: to look at it is enough.
void Slot::note_deepest_page() {
  std::vector<unsigned char> is_there((high_ - stack_used_ - low_) / kPageSize);
  if (mincore(reinterpret_cast<void*>(low_), is_there.size() * kPageSize, is_there.data()) != 0) return;
  for (std::size_t page = 0; page < is_there.size(); ++page) {
    if ((is_there[page] & 1) == 0) continue;
    const std::uint64_t first = low_ + page * kPageSize;
    const std::uint64_t used = lowest_used(first, first + kPageSize);
    if (used == first + kPageSize) continue;
    stack_used_ = high_ - used;
    return;
  }
}

void* Slot::fresh_stack(void (*entry)()) const {
  auto* top = reinterpret_cast<std::uint64_t*>(high_);
  *--top = 0;
  *--top = 0;  // so that the entry finds the stack aligned as after a call
  *--top = reinterpret_cast<std::uint64_t>(entry);
  *--top = reinterpret_cast<std::uint64_t>(ravel_fiber_start);
  return top;
}

void Slot::restore() {
  ++restores_;
  if ((restores_ & (restores_ - 1)) == 0) note_deepest_page();  // whenever there are twice as many
  std::memcpy(reinterpret_cast<void*>(locals_low_), locals_.data(), locals_.size() * sizeof(std::uint64_t));
  // Whether a call was deeper than ever before is seen right below, unless it has jumped over that, see
  // note_deepest_page().
  while (true) {
    const std::uint64_t known = high_ - stack_used_;
    const std::uint64_t used =
        lowest_used(std::max(known - kSeenBelow, std::min(low_ + kPageSize, known)), known);
    if (used == known) break;
    stack_used_ = high_ - used;
  }
  std::memset(reinterpret_cast<void*>(high_ - stack_used_), 0, stack_used_);
}

}  // namespace ravel::threads
