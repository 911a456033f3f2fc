#include "threads/runtime/signals.h"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <array>

#include "base/check.h"
#include "threads/protocol/system_call.h"
#include "threads/runtime/failing_point.h"
#include "threads/runtime/real.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/shadow_pieces.h"
#include "threads/runtime/watchdog.h"

namespace ravel::threads {

namespace {

constexpr std::size_t kStackSize = 1 << 16;
// An access so little below a stack, or to the page that guards it, is an overflow.
constexpr std::uint64_t kBelowStack = 1 << 16;

const char* name_of(int signal) {
  switch (signal) {
    case SIGSEGV: return "SIGSEGV: invalid access to memory";
    case SIGBUS: return "SIGBUS: invalid access to memory";
    case SIGFPE: return "SIGFPE: invalid arithmetic, such as a division by zero";
    case SIGILL: return "SIGILL: invalid instruction";
    case SIGTRAP: return "SIGTRAP: trap";
    default: return "SIGABRT";
  }
}

TrapReader read_trap = nullptr;

// The handler returns into who drives the threads.
void return_to_outside(void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  registers[REG_RSP] = reinterpret_cast<greg_t>(scheduler().outside());
  registers[REG_RIP] = reinterpret_cast<greg_t>(&ravel_switch_resume);
}

// The thread that runs is given up where it is.
void handle(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  if (signal == SIGSEGV && (scheduler().image().handle_fault(address) || map_piece_of_shadow(address)))
    return;
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto pc = static_cast<std::uint64_t>(registers[REG_RIP]);
  if (current == nullptr || !in_program) {
    // Not the program's: let it happen again without this handler.
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    real().sigaction(signal, &standard, nullptr);
    return;
  }
  in_program = false;
  Thread& thread = *current;
  const bool is_overflow =
      signal == SIGSEGV && address - (thread.stack_low - kBelowStack) < kBelowStack + kPageSize;
  std::optional<RawBug> failure;
  if (signal == SIGTRAP && scheduler().configuration().kind == TestKind::kGoogleTest) {
    failure = read_trap();
    if (!failure) {
      in_program = true;
      return;
    }
    failure->stack = scheduler().recording().stack_of(pc);
  }
  RawBug bug{.kind = is_overflow ? "stack_overflow" : "crash",
             .message = is_overflow && is_own_code(pc) ? "the stack of the thread overflows"
                        : is_overflow ? fmt::format("the stack of the thread overflows in $F{:x};", pc)
                                      : fmt::format("{} in $F{:x};", name_of(signal), pc),
             .stack = scheduler().recording().stack_of(pc)};
  if (!is_overflow && (signal == SIGSEGV || signal == SIGBUS))
    bug.details.push_back(address < kPageSize ? fmt::format("the address is {:#x}: a null pointer", address)
                                              : fmt::format("the address is {:#x}", address));
  give_up(failure ? std::move(*failure) : std::move(bug), context);
}

}  // namespace

void give_up(RawBug bug, void* context) {
  ravel_failing_point();
  scheduler().ending().end_with(bug, static_cast<std::uint32_t>(current->actor));
  return_to_outside(context);
}
void give_up(std::string refusal, std::uint64_t pc, void* context) {
  scheduler().ending().refuse(refusal, pc);
  return_to_outside(context);
}

void catch_faults(TrapReader reader) {
  read_trap = reader;
  static std::array<char, kStackSize> stack;
  stack_t alternative{};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  CHECK(system_call(SYS_sigaltstack, reinterpret_cast<long>(&alternative), 0) == 0);
  struct sigaction action {};
  action.sa_sigaction = handle;
  // While one fault is handled, the first write to a watched page is another one.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP})
    CHECK(real().sigaction(signal, &action, nullptr) == 0);
}

}  // namespace ravel::threads
