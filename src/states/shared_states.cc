#include "states/shared_states.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "base/check.h"

namespace ravel {

namespace {

constexpr const char kNoAddressSpace[] =
    "there is no address space for the states that several processes visit";

// Of address space for an area: for more states than have a number, or as much as there is.
constexpr std::size_t kAreaBytes = std::size_t{256} << 30, kLeastBytes = std::size_t{1} << 24;

// Where address space is limited, an area may have one part in so many of it.
constexpr std::size_t kShareOfLimit = 16;

// What is moved before the memory that it has left is given back.
constexpr std::size_t kBytesPerStretch = std::size_t{8} << 20;

void* map_shared(std::size_t bytes) {
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

std::size_t bytes_of_area() {
  rlimit limit{};
  const bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  if (!is_limited) return kAreaBytes;
  std::size_t bytes = kAreaBytes;
  while (bytes > kLeastBytes && bytes > limit.rlim_cur / kShareOfLimit) bytes /= 2;
  return bytes;
}

// Pages that are read as zeros from now on.
void free_pages(void* address, std::size_t bytes) {
  if (bytes > 0) CHECK(madvise(address, bytes, MADV_REMOVE) == 0);
}

}  // namespace

SharedStates::SharedStates(std::size_t processes, std::size_t slots)
    : count_(processes), first_slots_(slots) {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
  CHECK(processes > 0 && slots > 0);
  void* const heads = map_shared(sizeof(Process) * (1 + count_));
  CHECK_MESSAGE(heads != nullptr, "out of memory");
  static_assert(sizeof(Head) <= sizeof(Process));
  head_ = new (heads) Head{};
  processes_ = static_cast<Process*>(heads) + 1;
  for (std::size_t i = 0; i < count_; ++i) new (processes_ + i) Process{};
  std::size_t bytes = bytes_of_area();
  for (Slot*& area : areas_) {
    void* memory = nullptr;
    while ((memory = map_shared(bytes)) == nullptr && bytes > kLeastBytes) bytes /= 2;
    CHECK_MESSAGE(memory != nullptr, kNoAddressSpace);
    area = static_cast<Slot*>(memory);  // all zero
  }
  room_ = bytes / sizeof(Slot);
  head_->capacity = first_slots_;
  head_->limit = kNobody;
}

SharedStates::~SharedStates() {
  munmap(head_, sizeof(Process) * (1 + count_));
  for (Slot* const area : areas_) munmap(area, room_ * sizeof(Slot));
  for (Rank* const ranks : ranks_)
    if (ranks != nullptr) munmap(ranks, room_ * sizeof(Rank));
}

void SharedStates::keep_ranks() {
  CHECK(size() == 0);
  for (Rank*& ranks : ranks_) {
    ranks = static_cast<Rank*>(map_shared(room_ * sizeof(Rank)));
    CHECK_MESSAGE(ranks != nullptr, kNoAddressSpace);
  }
}

std::uint64_t SharedStates::size() const {
  std::uint64_t size = 0;
  for (std::size_t i = 0; i < count_; ++i) size += process(i).inserted.load(std::memory_order_relaxed);
  return size;
}

std::uint64_t SharedStates::table_bytes() const {
  return head_->capacity.load(std::memory_order_relaxed) * bytes_of_slot();
}

std::uint64_t SharedStates::bytes() const { return own_ == 0 ? table_bytes() : 0; }

HashedStates SharedStates::told() const {
  constexpr int kBits = 8 * sizeof(Hash128);
  const auto states = static_cast<double>(size());
  return {.hash_bits = kBits, .filter_bits = 0, .omitted = std::ldexp(states * states, -(kBits + 1))};
}

bool SharedStates::is_due_to_grow() const {
  return size() >= head_->capacity.load(std::memory_order_relaxed) / 4 * 3;
}

bool SharedStates::has_room() const {
  const std::size_t capacity = head_->capacity.load(std::memory_order_relaxed);
  return larger(capacity) + kOverhang <= room_ || !is_due_to_grow();
}

// Either the one who moves slots sees that somebody is inside, or that one sees that they are moved.
void SharedStates::go_in() {
  std::atomic<std::uint32_t>& is_inside = process(own_).is_inside;
  for (;;) {
    is_inside.store(1, std::memory_order_seq_cst);
    if (head_->is_moving.load(std::memory_order_seq_cst) == 0) return;
    is_inside.store(0, std::memory_order_release);
    while (head_->is_moving.load(std::memory_order_acquire) != 0) sched_yield();
  }
}

std::uint64_t SharedStates::low_of(const Slot& slot) {
  std::uint64_t low = 0;
  while ((low = slot.low.load(std::memory_order_acquire)) == 0) sched_yield();
  return low;
}

// REQUIRES: this process is inside. Null: it is not there.
const SharedStates::Slot* SharedStates::find(const Hash128& state) const {
  const Slot* slot = areas_[head_->area.load(std::memory_order_relaxed)] +
                     place_of_hash(state.high, head_->capacity.load(std::memory_order_relaxed));
  std::uint64_t high = 0;
  for (; (high = slot->high.load(std::memory_order_acquire)) != 0; ++slot)
    if (high == state.high && low_of(*slot) == state.low) return slot;
  return nullptr;
}

bool SharedStates::contains(Hash128 state) {
  if (repeats_) return false;
  go_in();
  const Slot* const slot = find(kept(state));
  const bool is_there =
      slot != nullptr && (!keeps_ranks() || rank_at(slot).load(std::memory_order_relaxed) <= rank_);
  go_out();
  return is_there;
}

bool SharedStates::insert(Hash128 state) {
  last_ = state;
  if (repeats_) return true;
  state = kept(state);
  go_in();
  const std::size_t capacity = head_->capacity.load(std::memory_order_relaxed);
  Slot* const first = areas_[head_->area.load(std::memory_order_relaxed)];
  Slot* slot = first + place_of_hash(state.high, capacity);
  bool is_new = false;
  for (;; ++slot) {
    CHECK(slot < first + capacity + kOverhang);
    std::uint64_t high = slot->high.load(std::memory_order_acquire);
    if (high == 0 && slot->high.compare_exchange_strong(high, state.high, std::memory_order_acq_rel)) {
      if (keeps_ranks()) rank_at(slot).store(rank_, std::memory_order_relaxed);
      slot->low.store(state.low, std::memory_order_release);
      is_new = true;
      break;
    }
    if (high == state.high && low_of(*slot) == state.low) break;
  }
  rank_before_ = is_new ? kNobody : keeps_ranks() ? take(slot) : 0;
  go_out();
  if (!is_new) return rank_before_ > rank_;
  std::atomic<std::uint64_t>& inserted = process(own_).inserted;
  const std::uint64_t count = inserted.load(std::memory_order_relaxed) + 1;
  inserted.store(count, std::memory_order_relaxed);
  if (count % kInsertionsPerLook == 0) grow_if_due();
  return true;
}

// Whom it belonged to before.
std::uint64_t SharedStates::take(const Slot* slot) {
  Rank& rank = rank_at(slot);
  std::uint64_t before = rank.load(std::memory_order_relaxed);
  while (before > rank_ && !rank.compare_exchange_weak(before, rank_, std::memory_order_relaxed)) {
  }
  return before;
}

std::uint64_t SharedStates::rank_of(Hash128 state) {
  go_in();
  const Slot* const slot = find(kept(state));
  CHECK(slot != nullptr);
  const std::uint64_t rank = rank_at(slot).load(std::memory_order_relaxed);
  go_out();
  return rank;
}

void SharedStates::give_back(Hash128 state, std::uint64_t rank) {
  go_in();
  const Slot* const slot = find(kept(state));
  CHECK(slot != nullptr);
  rank_at(slot).compare_exchange_strong(rank, kNobody, std::memory_order_relaxed);
  go_out();
}

void SharedStates::lower_limit(std::uint64_t rank) {
  std::uint64_t before = limit();
  while (before > rank && !head_->limit.compare_exchange_weak(before, rank, std::memory_order_relaxed)) {
  }
}

void SharedStates::grow_if_due() {
  if (!is_due_to_grow() || !has_room()) return;
  std::uint32_t nobody = 0;
  if (!head_->is_moving.compare_exchange_strong(nobody, 1, std::memory_order_seq_cst)) return;
  for (std::size_t i = 0; i < count_; ++i)
    while (process(i).is_inside.load(std::memory_order_seq_cst) != 0) sched_yield();
  if (is_due_to_grow()) move_to_larger();
  head_->is_moving.store(0, std::memory_order_release);
}

// REQUIRES: nobody is inside.
void SharedStates::move_to_larger() {
  const std::uint32_t area = head_->area.load(std::memory_order_relaxed);
  const std::size_t capacity = head_->capacity.load(std::memory_order_relaxed), next = larger(capacity);
  Slot *const from = areas_[area], *const to = areas_[1 - area];
  constexpr std::size_t kStretch = kBytesPerStretch / sizeof(Slot);
  const std::size_t end = capacity + kOverhang;
  for (std::size_t begin = 0; begin < end; begin += kStretch) {
    const std::size_t stop = std::min(end, begin + kStretch);
    for (std::size_t i = begin; i < stop; ++i) {
      const std::uint64_t high = from[i].high.load(std::memory_order_relaxed);
      if (high == 0) continue;
      Slot* slot = to + place_of_hash(high, next);
      while (slot->high.load(std::memory_order_relaxed) != 0) ++slot;
      CHECK(slot < to + next + kOverhang);
      slot->high.store(high, std::memory_order_relaxed);
      slot->low.store(from[i].low.load(std::memory_order_relaxed), std::memory_order_relaxed);
      if (keeps_ranks())
        ranks_[1 - area][slot - to].store(ranks_[area][i].load(std::memory_order_relaxed),
                                          std::memory_order_relaxed);
    }
    free_pages(from + begin, (stop - begin) * sizeof(Slot));
    if (keeps_ranks()) free_pages(ranks_[area] + begin, (stop - begin) * sizeof(Rank));
  }
  head_->capacity.store(next, std::memory_order_relaxed);
  head_->area.store(1 - area, std::memory_order_relaxed);
}

void SharedStates::clear() {
  for (Slot* const area : areas_) free_pages(area, room_ * sizeof(Slot));
  for (Rank* const ranks : ranks_)
    if (ranks != nullptr) free_pages(ranks, room_ * sizeof(Rank));
  for (std::size_t i = 0; i < count_; ++i) process(i).inserted = 0, process(i).is_inside = 0;
  head_->is_moving = 0;
  head_->area = 0;
  head_->capacity = first_slots_;
  head_->limit = kNobody;
  is_shared_ = false;
}

}  // namespace ravel
