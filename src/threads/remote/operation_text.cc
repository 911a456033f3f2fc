#include "threads/remote/operation_text.h"

#include <fmt/format.h>

#include <cerrno>

#include "threads/protocol/library_state.h"

namespace ravel::threads {

namespace {

constexpr std::uint64_t kReadiness = library_word(LibraryState::kReadiness);

constexpr std::uint32_t kNobody = ~0u;

// " (failed)" for calls that tried.
std::string outcome(std::int64_t result) {
  switch (result) {
    case 0: return "";
    case EBUSY: return ": it is taken";
    case EAGAIN: return ": not now";
    case ETIMEDOUT: return ": the time is over";
    case EINTR: return ": without a reason";
    default: return fmt::format(": error {}", result);
  }
}

}  // namespace

std::string number_text(std::uint64_t bits, std::uint32_t size) {
  const unsigned unused = size < 8 ? 64 - 8 * size : 0;
  const auto value = static_cast<std::int64_t>(bits << unused) >> unused;
  constexpr std::int64_t kPlainMax = 1'000'000'000'000;
  if (value > kPlainMax || value < -kPlainMax) return fmt::format("{:#x}", bits);
  return fmt::format("{}", value);
}

std::string operation_text(const OperationRecord& r, const Names& names) {
  const auto what = [&] { return names.address(r.address); };
  const auto who = [&] { return r.subject == kNobody ? std::string("nobody") : names.thread(r.subject); };
  switch (r.kind) {
    case OperationKind::kNone: return "runs";
    case OperationKind::kRead:
      return r.size > 8 ? fmt::format("reads {} ({} bytes)", what(), r.size)
                        : fmt::format("reads {} = {}", what(), number_text(r.after, r.size));
    case OperationKind::kWrite:
      return r.size > 8 ? fmt::format("writes {} ({} bytes)", what(), r.size)
                        : fmt::format("writes {} = {}", what(), number_text(r.after, r.size));
    case OperationKind::kAtomicLoad:
      return fmt::format("loads {} = {}", what(), number_text(r.after, r.size));
    case OperationKind::kAtomicStore:
      return fmt::format("stores {} = {}", what(), number_text(r.after, r.size));
    case OperationKind::kAtomicUpdate:
      if (r.result == EINTR) return fmt::format("fails to exchange {} without a reason", what());
      if (r.result != 0)
        return fmt::format("fails to exchange {}, which is {}", what(), number_text(r.before, r.size));
      return fmt::format("updates {} from {} to {}", what(), number_text(r.before, r.size),
                         number_text(r.after, r.size));
    case OperationKind::kFence: return "passes a fence";
    case OperationKind::kCreate: {
      const std::string function = names.function(r.other);
      return function.empty() ? "creates " + who()
                              : fmt::format("creates {}, which runs {}", who(), function);
    }
    case OperationKind::kJoin: return fmt::format("joins {}", who());
    case OperationKind::kDetach: return fmt::format("detaches {}", who());
    case OperationKind::kEnd: return "ends";
    case OperationKind::kExit: return fmt::format("exits with status {}", r.result & 0xFF);
    case OperationKind::kLock: return "locks mutex " + what();
    case OperationKind::kTryLock: return "tries to lock mutex " + what() + outcome(r.result);
    case OperationKind::kTimedLock: return "locks mutex " + what() + " in some time" + outcome(r.result);
    case OperationKind::kUnlock: return "unlocks mutex " + what();
    case OperationKind::kReadLock: return "locks " + what() + " for reading";
    case OperationKind::kTryReadLock: return "tries to lock " + what() + " for reading" + outcome(r.result);
    case OperationKind::kTimedReadLock:
      return "locks " + what() + " for reading in some time" + outcome(r.result);
    case OperationKind::kWriteLock: return "locks " + what() + " for writing";
    case OperationKind::kTryWriteLock: return "tries to lock " + what() + " for writing" + outcome(r.result);
    case OperationKind::kTimedWriteLock:
      return "locks " + what() + " for writing in some time" + outcome(r.result);
    case OperationKind::kUnlockShared: return "unlocks " + what();
    case OperationKind::kSpinLock: return "locks spin lock " + what();
    case OperationKind::kTrySpinLock: return "tries to lock spin lock " + what() + outcome(r.result);
    case OperationKind::kSpinUnlock: return "unlocks spin lock " + what();
    case OperationKind::kDestroy: return "destroys " + what();
    case OperationKind::kWait:
      return fmt::format("waits on {} and unlocks mutex {}", what(), names.address(r.other));
    case OperationKind::kWake:
      return fmt::format("{} {} and locks mutex {} again",
                         r.result == 0 ? "is woken by" : "gives up waiting on", what(),
                         names.address(r.other));
    case OperationKind::kSignal: return fmt::format("signals {}, which wakes {}", what(), who());
    case OperationKind::kBroadcast: return fmt::format("broadcasts {}, which wakes {}", what(), r.result);
    case OperationKind::kBarrierArrive: return "comes to barrier " + what();
    case OperationKind::kBarrierLeave: return "leaves barrier " + what();
    case OperationKind::kSemaphoreWait:
      return fmt::format("takes from semaphore {}, which leaves {}", what(), r.after);
    case OperationKind::kSemaphoreTry:
    case OperationKind::kSemaphoreTimedWait:
      return "tries to take from semaphore " + what() + outcome(r.result);
    case OperationKind::kSemaphorePost:
      return fmt::format("posts semaphore {}, which makes {}", what(), r.after);
    case OperationKind::kSemaphoreRead: return fmt::format("reads semaphore {} = {}", what(), r.after);
    case OperationKind::kOnce: return "comes to the once of " + what();
    case OperationKind::kOnceDone: return "has done the once of " + what();
    case OperationKind::kFutexWait:
      return fmt::format("{} {} = {}",
                         r.result == 0 ? "waits for a change of" : "does not wait for a change of", what(),
                         number_text(r.before, 4));
    case OperationKind::kFutexWoken:
      return fmt::format("{} {}", r.result == 0 ? "is woken at" : "gives up waiting for", what());
    case OperationKind::kFutexWake: return fmt::format("wakes {} at {}", r.result, what());
    case OperationKind::kYield: return "yields";
    case OperationKind::kSleep: return "sleeps";
    // Operations that make files ready only look, as footprints tell it, so that they commute with each
    // other.
    case OperationKind::kLibraryRead:
      return r.address == kReadiness ? "changes what is ready" : "looks at " + what();
    case OperationKind::kLibraryWrite:
      return r.address == kReadiness ? "asks what is ready" : "changes " + what();
    case OperationKind::kLibraryWait: return "waits for " + what();
    case OperationKind::kAnnotatedBefore: return "says that this happens before what follows " + what();
    case OperationKind::kAnnotatedAfter: return "says that this happens after " + what();
    case OperationKind::kClockRead:
      return fmt::format("reads the clock, which shows {} s", static_cast<double>(r.after) / 1e9);
    case OperationKind::kTimePasses:
      return fmt::format("time passes: {} ms", static_cast<double>(r.after) / 1e6);
    case OperationKind::kPoll:
      return r.result == 0 ? "finds something ready" : "gives up waiting until something is ready";
    case OperationKind::kChoice: return fmt::format("chooses {} of {}", r.result, r.size);
    case OperationKind::kProbe: return fmt::format("shows {} = {}", r.text, r.result);
    case OperationKind::kLabel: return fmt::format("passes the label {}", r.text);
  }
  return "?";
}

}  // namespace ravel::threads
