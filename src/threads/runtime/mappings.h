// Memory that the program maps itself, as allocators do: a part of its state like the heap.
//
// What an execution maps lies one after the other in a range of its own, at addresses that do not depend on
// earlier executions, and is unmapped when the next one begins. What was mapped before main() is put back
// with the memory image.

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ravel::threads {

// mmap() itself, whose name is the program's to call.
void* map_memory(void* address, std::size_t size, int protection, int flags, int file, off_t offset);
// Memory of the runtime at an address of layout.h, all zeros; its pages take no room before they are used.
// Null: it can't be had there.
void* reserve_at(std::uint64_t address, std::size_t size);

// What was mapped before main(), can be written, and is still there: pairs of addresses, in whole pages.
std::vector<std::pair<std::uint64_t, std::uint64_t>> mappings_of_start();
// Unmaps what the last execution has mapped.
void restore_mappings();

}  // namespace ravel::threads
