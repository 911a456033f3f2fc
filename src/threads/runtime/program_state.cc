#include "threads/runtime/program_state.h"

#include <stdio.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "threads/runtime/heap.h"
#include "threads/runtime/memory_lines.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/segment_races.h"

namespace ravel::threads {

// In once_hooks.cc, signal_hooks.cc, library_state_hooks.cc and descriptor_hooks.cc.
void add_keys(WideHash& hash);
void add_signal_actions(WideHash& hash);
void add_time_buffers(WideHash& hash);
void add_descriptors(WideHash& hash);

namespace {

// What a part is, as the first block of its hash.
enum class Part : std::uint64_t { kPage, kObject, kThread, kStack, kLocals, kSegment, kHeapEnd, kRest };

WideHash begin(Part part, std::uint64_t where) {
  WideHash hash(0);
  hash.add({.high = static_cast<std::uint64_t>(part), .low = where});
  return hash;
}

// REQUIRES: whole words.
void add_memory(WideHash& hash, const void* memory, std::uint64_t size) {
  const auto* words = static_cast<const std::uint64_t*>(memory);
  std::uint64_t count = size / sizeof(std::uint64_t);
  for (; count >= 2; count -= 2, words += 2) hash.add({.high = words[0], .low = words[1]});
  if (count != 0) hash.add({.high = words[0], .low = ~std::uint64_t{0}});
}

std::uint64_t number_of(const Thread* thread) {
  return thread == nullptr ? 0 : 1 + static_cast<std::uint64_t>(thread->actor);
}
std::uint64_t address_of(const SyncObject* object) { return object == nullptr ? 0 : object->address; }

// The red zone of the function that has switched is not in use: it has called others. Before it lie what the
// switch has pushed (fiber.h).
constexpr std::uint64_t kPushed = 16, kRedZone = 128;

// Where streams of the output have what was printed, and where they are in it.
struct Range {
  std::uint64_t low = 0, high = 0;
};
std::array<Range, 4> printing() {
  std::array<Range, 4> ranges{};
  std::size_t count = 0;
  for (const FILE* const stream : {stdout, stderr}) {
    const auto low = reinterpret_cast<std::uint64_t>(&stream->_IO_read_ptr);
    ranges[count++] = {.low = low, .high = reinterpret_cast<std::uint64_t>(&stream->_IO_buf_base)};
    ranges[count++] = {.low = reinterpret_cast<std::uint64_t>(stream->_IO_buf_base),
                       .high = reinterpret_cast<std::uint64_t>(stream->_IO_buf_end)};
  }
  return ranges;
}

// And which exceptions trap, of both units for floating-point numbers; not which there were.
std::uint64_t rounding() {
  constexpr std::uint32_t kFlags = 0x3F;
  std::uint32_t vector = 0;
  std::uint16_t control = 0;
  __asm__ volatile("stmxcsr %0" : "=m"(vector));
  __asm__ volatile("fnstcw %0" : "=m"(control));
  return std::uint64_t{vector & ~kFlags} << 16 | control;
}

}  // namespace

Hash128 ProgramState::hash() {
  sum_ = {};
  add_data();
  add_heap();
  add_objects();
  for (Thread* const thread : scheduler_.threads().by_name()) {
    sort_segment(thread->segment);
    add_thread(*thread);
  }
  add_rest();
  return sum_;
}

Hash128 ProgramState::hash_of_data() {
  sum_ = {};
  add_data();
  add_heap();
  return sum_;
}

// As add_page(), with zeros where what was printed is.
void ProgramState::add_printing_aside(std::uint64_t low, const void* memory, std::uint64_t size) {
  std::array<std::byte, kPageSize> masked;
  bool is_masked = false;
  for (const Range& range : printing()) {
    const std::uint64_t from = std::max(range.low, low), to = std::min(range.high, low + size);
    if (from >= to) continue;
    if (!is_masked) std::memcpy(masked.data(), memory, size);
    is_masked = true;
    std::memset(masked.data() + (from - low), 0, to - from);
  }
  add_page(low, is_masked ? masked.data() : memory, size);
}

void ProgramState::add_page(std::uint64_t low, const void* memory, std::uint64_t size) {
  std::unique_ptr<Page>& known = pages_[low];
  if (known == nullptr) known = std::make_unique<Page>();
  Page& page = *known;
  if (page.size != size || std::memcmp(page.words, memory, size) != 0) {
    page.size = size;
    std::memcpy(page.words, memory, size);
    WideHash hash = begin(Part::kPage, low);
    add_memory(hash, page.words, size);
    page.hash = hash.finish();
  }
  add(page.hash);
}

void ProgramState::add_data() {
  scheduler_.image().visit_written([this](std::uint64_t low, const std::uint64_t* copy, std::uint64_t size) {
    const auto* const memory = reinterpret_cast<const void*>(low);
    if (std::memcmp(memory, copy, size) != 0) add_printing_aside(low, memory, size);
  });
}

void ProgramState::add_heap() {
  heap().visit_used([this](std::uint64_t low, std::uint64_t high) {
    WideHash end = begin(Part::kHeapEnd, high);
    add(end.finish());
    for (std::uint64_t page = low; page < high; page += kPageSize)
      add_printing_aside(page, reinterpret_cast<const void*>(page), std::min(kPageSize, high - page));
  });
}

// An object that nobody has, and nobody waits for, is as one that was never used.
void ProgramState::add_objects() {
  for (const SyncObject* const object : scheduler_.objects().present()) {
    if (object->owner == nullptr && object->count == 0 && object->generation == 0 && !object->is_done &&
        !object->is_destroyed && object->waiters.empty() && object->readers.empty())
      continue;
    WideHash hash = begin(Part::kObject, object->address);
    hash.add({.high = number_of(object->owner), .low = object->count});
    hash.add({.high = object->generation,
              .low = std::uint64_t{object->is_done} << 1 | std::uint64_t{object->is_destroyed}});
    for (const Thread* const waiter : object->waiters) hash.add({.high = 1, .low = number_of(waiter)});
    Hash128 readers;  // in any order
    for (const Thread* const reader : object->readers) {
      WideHash one(number_of(reader));
      readers.low += one.finish().low;
    }
    hash.add(readers);
    add(hash.finish());
  }
}

void ProgramState::add_thread(const Thread& thread) {
  const std::uint64_t number = number_of(&thread);
  const Deadlines& deadlines = scheduler_.deadlines();
  // As far as it is away, if that is all that counts.
  const auto date = [&](std::uint64_t ticks) {
    if (ticks >= kAtAnyTime || deadlines.do_dates_matter()) return ticks;
    return ticks <= deadlines.ticks() ? 0 : ticks - deadlines.ticks();
  };
  WideHash hash = begin(Part::kThread, number);
  hash.add({.high = static_cast<std::uint64_t>(thread.state) | std::uint64_t{thread.is_detached} << 8 |
                    std::uint64_t{thread.is_joined} << 9 | std::uint64_t{thread.is_woken} << 10 |
                    std::uint64_t{thread.has_moved} << 11 | std::uint64_t{thread.children} << 16,
            .low = thread.number});
  const Operation& operation = thread.pending;
  if (thread.state == ThreadState::kWaiting) {
    hash.add({.high = static_cast<std::uint64_t>(operation.kind) | std::uint64_t{operation.expires} << 8 |
                      std::uint64_t{operation.is_spurious} << 9 | std::uint64_t{operation.size} << 16,
              .low = operation.address});
    hash.add({.high = operation.other, .low = operation.pc});
    hash.add({.high = address_of(operation.object), .low = address_of(operation.second)});
    hash.add({.high = number_of(operation.thread), .low = date(thread.deadline)});
    hash.add({.high = reinterpret_cast<std::uint64_t>(thread.stack), .low = thread.poll_ticks});
  } else {
    hash.add({.high = reinterpret_cast<std::uint64_t>(thread.result), .low = 0});
  }
  for (const AtThreadEnd& end : thread.at_end)
    hash.add({.high = reinterpret_cast<std::uint64_t>(end.function),
              .low = reinterpret_cast<std::uint64_t>(end.argument)});
  hash.add({.high = thread.at_end.size(), .low = thread.specific.size()});
  for (const void* const value : thread.specific)
    hash.add({.high = 0, .low = reinterpret_cast<std::uint64_t>(value)});
  add_memory(hash, &thread.signal_mask, sizeof thread.signal_mask);
  add_memory(hash, &thread.pending_signals, sizeof thread.pending_signals);
  hash.add({.high = reinterpret_cast<std::uint64_t>(thread.signal_stack.ss_sp),
            .low = thread.signal_stack.ss_size});
  add(hash.finish());

  WideHash segment = begin(Part::kSegment, number);
  segment.add(hash_of(thread.segment));
  if (!thread.segment.empty()) add(segment.finish());

  const Slot& place = thread.place;
  const std::vector<std::uint64_t>& initial = place.initial_locals();
  const auto* const locals = reinterpret_cast<const void*>(place.locals_low());
  const std::uint64_t bytes = initial.size() * sizeof(std::uint64_t);
  if (std::memcmp(locals, initial.data(), bytes) != 0) {
    WideHash of_locals = begin(Part::kLocals, number);
    add_memory(of_locals, locals, bytes);
    add(of_locals.finish());
  }

  // The main thread's stack outlives it.
  if (thread.state == ThreadState::kEnded && thread.slot != 0) return;
  const std::uint64_t high = thread.stack_low + thread.stack_size;
  const auto top = reinterpret_cast<std::uint64_t>(thread.stack);
  WideHash stack = begin(Part::kStack, number);
  add_memory(stack, reinterpret_cast<const void*>(top), kPushed);
  // A thread on a stack that the program has made, in other memory, has left an unknown part of its own.
  const bool is_elsewhere = top - thread.stack_low >= thread.stack_size;
  const std::uint64_t low = is_elsewhere ? lowest_used(thread.stack_low + kPageSize, high)
                                         : std::min(top + kPushed + kRedZone, high);
  add_memory(stack, reinterpret_cast<const void*>(low), high - low);
  add(stack.finish());
}

void ProgramState::add_rest() {
  WideHash hash = begin(Part::kRest, scheduler_.quiet());
  const Deadlines& deadlines = scheduler_.deadlines();
  hash.add({.high = scheduler_.random_state, .low = deadlines.do_dates_matter() ? deadlines.ticks() : 0});
  hash.add({.high = rounding(), .low = scheduler_.at_exit.size()});
  for (const AtThreadEnd& end : scheduler_.at_exit)
    hash.add({.high = reinterpret_cast<std::uint64_t>(end.function),
              .low = reinterpret_cast<std::uint64_t>(end.argument)});
  add_keys(hash);
  add_signal_actions(hash);
  add_time_buffers(hash);
  add_descriptors(hash);
  add(hash.finish());
}

}  // namespace ravel::threads
