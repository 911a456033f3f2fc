// Where the runtime puts things in the address space, the same in every process.
//
// Stacks and heap blocks of a thread lie in a slot that follows from the thread's logical name, so that an
// address does not depend on what other threads did before. The ranges differ in their low 40 bits, also from
// those in which Linux puts executables and libraries without randomisation, because the shadow of an address
// is computed from these.

#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel::threads {

inline constexpr std::uint64_t kArenaBase = 0x2000'0000'0000;
inline constexpr std::uint64_t kArenaSize = std::uint64_t{1} << 36;

// What the runtime knows of threads, by slot, and of objects of synchronisation: threads that wait have the
// addresses of these on their stacks, and so in their states.
inline constexpr std::uint64_t kThreadsBase = 0x2100'0000'0000;
inline constexpr std::uint64_t kObjectsBase = 0x2200'0000'0000;
inline constexpr std::size_t kObjectPlaces = std::size_t{1} << 18;

inline constexpr std::uint64_t kShadowBase = 0x1000'0000'0000;
inline constexpr unsigned kShadowBits = 40;
inline constexpr std::uint64_t kShadowMask = (std::uint64_t{1} << kShadowBits) - 1;

// A program with more threads in one execution is refused.
inline constexpr std::uint32_t kSlotsMax = 4096;
// Threads that the main thread makes have the slot of their number; those made by others get one of the rest
// by hash.
inline constexpr std::uint32_t kDirectSlots = 3072;

inline constexpr std::uint64_t kHeapBase = 0x6010'0000'0000;
inline constexpr std::uint64_t kHeapSlotSize = std::uint64_t{1} << 26;
inline constexpr std::uint64_t kStackBase = 0x6060'0000'0000;
inline constexpr std::uint64_t kStackSlotSize = std::uint64_t{1} << 23;
inline constexpr std::uint64_t kArgumentsBase = 0x606A'0000'0000;
inline constexpr std::uint64_t kLargeBase = 0x6070'0000'0000;
inline constexpr std::uint64_t kLargeSize = std::uint64_t{1} << 39;

inline constexpr std::uint64_t kMappingsBase = 0x60F0'0000'0000;
inline constexpr std::uint64_t kMappingsSize = std::uint64_t{0xC} << 32;

inline constexpr std::size_t kPageSize = 4096;

}  // namespace ravel::threads
