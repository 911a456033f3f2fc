// Whether an object of synchronisation is still there: it may have been destroyed, its memory may have been
// freed, or the function or thread may have ended on whose stack it is, while another thread is about to use
// it.
//
// The hooks know each object by its address alone, and touch no memory of it, so that nothing else would
// notice. Each asks before it waits for its turn and once more after that, since the object may have gone
// meanwhile. In the heap a use is noted for the race detector as well: a block that is freed while nothing
// orders that with a use is a race, whatever the order was, by which reduction learns that the other order is
// another trace.
//
// What is not seen: an object on the thread's own stack, in a function of it that has returned.

#pragma once

#include <cstdint>

#include "threads/runtime/heap.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/sync_object.h"

namespace ravel::threads {

// Looks at an object that is destroyed, or whose memory may be no more; ends the execution if so.
void look_closer(SyncObject& object, SyncKind kind, const char* verb, std::uint64_t pc);

// `verb`: "locks", "signals".
[[gnu::always_inline]] inline void check_is_there(SyncObject& object, SyncKind kind, const char* verb,
                                                  std::uint64_t pc) {
  if (object.is_destroyed || scheduler().memory().may_be_gone(object.address)) [[unlikely]]
    look_closer(object, kind, verb, pc);
}

// Called before the thread waits for its turn.
[[gnu::always_inline]] inline SyncObject& object_for(const void* address, SyncKind kind, const char* verb,
                                                     std::uint64_t pc) {
  SyncObject& object = scheduler().object(address, kind);
  check_is_there(object, kind, verb, pc);
  return object;
}

// Called after the wait, and before the thread tells others anything.
[[gnu::always_inline]] inline void begin_use(SyncObject& object, SyncKind kind, const char* verb,
                                             std::uint64_t pc) {
  check_is_there(object, kind, verb, pc);
  if (heap().owns(reinterpret_cast<const void*>(object.address)))
    scheduler().races().note_access(object.address, sizeof(std::uint32_t), AccessKind::kSequentialRead, pc);
}

// A destroyed object is known by what lies there, so that it is seen when another one is made at the same
// place: its constructor, or a static initialiser, need not call anything, but writes zeros.
void mark_destroyed(SyncObject& object);

// "condition variable".
const char* name_of(SyncKind kind);

}  // namespace ravel::threads
