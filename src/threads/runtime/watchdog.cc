#include "threads/runtime/watchdog.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "threads/protocol/system_call.h"
#include "threads/runtime/heap_limit.h"
#include "threads/runtime/real.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/signals.h"

namespace ravel::threads {

namespace {

// How many ticks within one step are too many. They are far apart enough to cost nothing, and their number is
// large enough that no test that is worth exploring computes as long between two operations.
constexpr int kTicksMax = 20;
constexpr suseconds_t kMicrosecondsPerTick = 100'000;

std::uint64_t step_seen = 0;
std::uint64_t taken_seen = 0;
int ticks_seen = 0;

// Where a loop is interrupted is chance; the function that it is in is not, as far as can be known.
void handle_tick(int, siginfo_t*, void* context) {
  if (current == nullptr || !in_program) return;
  Scheduler& s = scheduler();
  // A thread that allocates comes to the limit of the heap.
  if (s.step().number() != step_seen || heap_taken() != taken_seen) {
    step_seen = s.step().number();
    taken_seen = heap_taken();
    ticks_seen = 0;
    return;
  }
  if (++ticks_seen < kTicksMax) return;
  const auto pc = static_cast<std::uint64_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  // The runtime is not interrupted in its own work; it will be over at one of the next ticks.
  if (is_own_code(pc)) return;
  in_program = false;
  const std::vector<std::uint64_t> stack = full_stack_of(pc);
  RawBug bug{
      .kind = "no_progress",
      .message = fmt::format(
          "the thread computes in $F{:x}; without end: {} seconds of processor time without an operation", pc,
          kTicksMax * kMicrosecondsPerTick / 1'000'000),
      .stack = stack};
  bug.details.push_back(
      "if it waits for another thread, it must do so by an operation: the memory may be atomic, or volatile");
  ticks_seen = 0;
  give_up(std::move(bug), context);
}

// A thread that is found twice in the system call of the same step will stay there: the others stand still
// meanwhile.
constexpr time_t kSecondsPerLook = 5;
std::optional<std::uint64_t> waiting_step;

void tick_every(timeval interval, __itimer_which clock) {
  const itimerval timer{.it_interval = interval, .it_value = interval};
  CHECK(system_call(SYS_setitimer, clock, reinterpret_cast<long>(&timer), 0) == 0);
}

// Interrupted calls are made again, from the instruction, or have just returned.
bool is_at_system_call(std::uint64_t pc) {
  constexpr std::array<unsigned char, 2> kInstruction = {0x0F, 0x05};
  const auto* const code = reinterpret_cast<const unsigned char*>(pc);
  return std::equal(kInstruction.begin(), kInstruction.end(), code) ||
         std::equal(kInstruction.begin(), kInstruction.end(), code - 2);
}

void look_for_waiting(int, siginfo_t*, void* context) {
  const auto pc = static_cast<std::uint64_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  if (current == nullptr || !in_program || !is_at_system_call(pc)) {
    waiting_step.reset();
    return;
  }
  if (std::exchange(waiting_step, scheduler().step().number()) != scheduler().step().number()) return;
  in_program = false;
  Dl_info place{};
  const bool has_name =
      dladdr(reinterpret_cast<void*>(pc), &place) != 0 && place.dli_sname != nullptr && !is_own_code(pc);
  waiting_step.reset();
  // The execution is run again to be told, where nobody wants to wait as long.
  tick_every({.tv_sec = 0, .tv_usec = kMicrosecondsPerTick}, ITIMER_REAL);
  give_up(fmt::format(
              "{}: this system call has not come back for {} seconds; what it waits for is not under control",
              has_name ? place.dli_sname : "a function of the system", kSecondsPerLook),
          pc, context);
}

}  // namespace

bool is_own_code(std::uint64_t pc) {
  static const char own = 0;
  Dl_info here{}, there{};
  return dladdr(&own, &here) != 0 && dladdr(reinterpret_cast<void*>(pc), &there) != 0 &&
         here.dli_fbase == there.dli_fbase;
}

void start_watchdog() {
  struct sigaction action {};
  action.sa_sigaction = handle_tick;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigemptyset(&action.sa_mask);
  CHECK(real().sigaction(SIGVTALRM, &action, nullptr) == 0);
  action.sa_sigaction = look_for_waiting;
  CHECK(real().sigaction(SIGALRM, &action, nullptr) == 0);
  tick_every({.tv_sec = kSecondsPerLook, .tv_usec = 0}, ITIMER_REAL);
  tick_every({.tv_sec = 0, .tv_usec = kMicrosecondsPerTick}, ITIMER_VIRTUAL);
}

}  // namespace ravel::threads
