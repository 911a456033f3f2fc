#include "threads/worker/inspection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>

#include "threads/protocol/operation.h"
#include "threads/protocol/system_call.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/waits.h"

namespace ravel::threads {

namespace {

const char* kind_of(const SyncObject& object) {
  switch (object.kind) {
    case SyncKind::kMutex: return "mutex ";
    case SyncKind::kSpin: return "spin lock ";
    case SyncKind::kOnce: return "the once of ";
    default: return "";
  }
}

void add_locks(const SyncObject& object, std::vector<HeldLock>& locks) {
  const auto add = [&](const Thread& holder, const char* how) {
    locks.push_back({.holder = static_cast<std::uint32_t>(holder.actor),
                     .what = fmt::format("{}$A{:x};{}", kind_of(object), object.address, how),
                     .locked = object.locked_stack});
  };
  if (object.owner != nullptr) add(*object.owner, object.kind == SyncKind::kReadWrite ? ", for writing" : "");
  for (const Thread* const reader : object.readers) {
    add(*reader, ", for reading");
    locks.back().locked.clear();  // of the last reader only, and it is not known who that was
  }
}

InspectedThread inspect(const Thread& thread) {
  InspectedThread inspected{.actor = static_cast<std::uint32_t>(thread.actor), .stack = thread.pending_stack};
  if (inspected.stack.empty()) inspected.stack = {thread.pending.pc};
  if (scheduler().deadlines().alternatives(thread) > 0) {
    if (thread.stands_back) inspected.waits = "stands back for others, since it only looks";
    return inspected;
  }
  inspected.waits = waits_for(thread);
  for (const Thread* const other : waited_for_by(thread))
    inspected.waits_for.push_back(static_cast<std::uint32_t>(other->actor));
  return inspected;
}

// The kernel says whether memory is there, where a read of our own would be a fault.
class Memory {
 public:
  Memory() : file_(system_call(SYS_open, reinterpret_cast<long>("/proc/self/mem"), O_RDONLY | O_CLOEXEC)) {}
  ~Memory() {
    if (file_ >= 0) system_call(SYS_close, file_);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  std::optional<std::uint64_t> value_of(const AskedMemory& asked) const {
    std::uint64_t value = 0;
    if (file_ < 0 || asked.size == 0 || asked.size > sizeof value || asked.address < kFirstAddress)
      return std::nullopt;
    const long count = system_call(SYS_pread64, file_, reinterpret_cast<long>(&value), asked.size,
                                   static_cast<long>(asked.address));
    return count == static_cast<long>(asked.size) ? std::optional(value) : std::nullopt;
  }

 private:
  const long file_;
};

}  // namespace

Inspection inspection(const InspectionOrder& order) {
  Inspection all;
  for (const Thread* const thread : scheduler().threads().by_name())
    if (thread->state == ThreadState::kWaiting) all.threads.push_back(inspect(*thread));
  for (const SyncObject* const object : scheduler().objects().all()) add_locks(*object, all.locks);
  const Memory memory;
  for (const AskedMemory& asked : order.memory) all.values.push_back(memory.value_of(asked));
  return all;
}

}  // namespace ravel::threads
