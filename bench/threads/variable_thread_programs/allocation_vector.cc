// A free block is looked for in one critical section and marked in another one; the vector is the variable. Each thread
// asserts before it marks a block that nobody else has done so.
//
// expect: priority_changes=2 variables=1 threads=2 bug assertion --strategy vt --preemptions 2 --variables 2 --threads 3
#include <cassert>
#include <mutex>
#include <thread>

static constexpr int kBlocks = 20;
static std::mutex mutex;
static unsigned long is_taken;  // by block, a bit each

static int find_free_block() {
  const std::lock_guard<std::mutex> lock(mutex);
  for (int block = 0; block < kBlocks; ++block)
    if ((is_taken >> block & 1) == 0) return block;
  return -1;
}

static bool is_block_free(int block) {
  const std::lock_guard<std::mutex> lock(mutex);
  return (is_taken >> block & 1) == 0;
}

static void mark_block_allocated(int block) {
  const std::lock_guard<std::mutex> lock(mutex);
  is_taken |= 1ul << block;
}

static void free_all_blocks() {
  const std::lock_guard<std::mutex> lock(mutex);
  is_taken = 0;
}

static void work() {
  const int block = find_free_block();
  if (block < 0) return;
  assert(is_block_free(block));
  mark_block_allocated(block);
  free_all_blocks();
}

int main() {
  std::thread one(work), other(work);
  one.join();
  other.join();
}
