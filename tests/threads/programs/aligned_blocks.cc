// expect: pass
// expect: bug double_free -- twice
// Blocks of all alignments behind blocks of all sizes are found by what frees them, and by what tells about them.
#include <malloc.h>

#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <stdlib.h>
#include <cstring>
#include <vector>

int main(int argc, char**) {
  std::vector<void*> blocks;
  for (std::size_t alignment = 16; alignment <= 4096; alignment *= 2) {
    for (std::size_t size = 1; size <= 256; size += 15) {
      blocks.push_back(std::malloc(size));
      void* const block = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
      assert(block != nullptr && reinterpret_cast<std::uintptr_t>(block) % alignment == 0);
      assert(malloc_usable_size(block) >= size);
      std::memset(block, 0xFF, size);
      blocks.push_back(block);
    }
  }
  for (void* const block : blocks) std::free(block);
  if (argc > 1) std::free(blocks[3]);
}
