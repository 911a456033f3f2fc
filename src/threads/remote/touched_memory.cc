#include "threads/remote/touched_memory.h"

#include <algorithm>

#include "engine/inspecting.h"

namespace ravel::threads {

namespace {

constexpr std::uint32_t kWordBytes = 8;

bool accesses_memory(OperationKind kind) {
  switch (kind) {
    case OperationKind::kRead:
    case OperationKind::kWrite:
    case OperationKind::kAtomicLoad:
    case OperationKind::kAtomicStore:
    case OperationKind::kAtomicUpdate: return true;
    default: return false;
  }
}

}  // namespace

void TouchedMemory::note(const OperationRecord& record) {
  if (!accesses_memory(record.kind) || record.size == 0 || record.size > kWordBytes) return;
  const auto place = std::ranges::lower_bound(all_, record.address, {}, &AskedMemory::address);
  if (place != all_.end() && place->address == record.address) {
    place->size = std::max(place->size, record.size);
  } else if (all_.size() < kInspectedLinesMax) {
    all_.insert(place, {.address = record.address, .size = record.size});
  }
}

}  // namespace ravel::threads
