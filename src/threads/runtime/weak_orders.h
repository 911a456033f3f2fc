// Where the program asks for less than sequential consistency, which is what is explored, and that could make
// a difference.
//
// An outcome that sequential consistency does not allow is a cycle of accesses, by the order in each thread
// and by who reads from whom and overwrites whom. Coherence rules out those through one word, and a release
// that an acquire reads from is in the order of both threads. So there are two threads, one that accesses x
// and then y, and one that accesses y and then x, while nothing orders them; and from the second access of
// each to the first one of the other leads a piece that synchronisation does not order: the later one of the
// two writes, or the pair is no release and acquire, or both read what a third thread writes (Shasha and
// Snir, "Efficient and correct execution of parallel programs that share memory", 1988). A flag that one
// thread stores by a release and another one awaits by an acquire is no such place, nor is a counter by
// itself. Which operations are in such a cycle is told; longer cycles through more threads are told if two of
// these are like that.

#pragma once

#include <cstdint>

namespace ravel::threads {

// Some operation has asked for less: from then on all atomic operations are noted.
extern bool has_weak_orders;

struct AtomicUse {
  std::uint64_t word = 0;  // the address of the atomic object
  std::uint64_t pc = 0;
  std::uint32_t thread = 0;  // number of the thread
  bool writes = false;
  bool acquires = false, releases = false, is_sequential = false;
};

// Before RaceDetector::note_meetings().
void note_atomic_use(const AtomicUse& use);
void forget_atomic_uses();

}  // namespace ravel::threads
