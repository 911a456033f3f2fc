// System calls write to memory that was not written before in the execution, as the program's own instructions do.
// expect: pass --strategy random --budget 20x
// expect: pass
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cassert>
#include <thread>
#include <vector>

constexpr std::size_t kSize = 1 << 20;  // larger than what is copied in any case
static char input[kSize], parts[kSize], streamed[kSize];
static int ends[1 << 18];
static struct stat status[1 << 14];
static std::vector<char> early(1 << 16);  // a block of the start

int main() {
  std::thread thread([] {});
  thread.join();
  const int file = open("/proc/self/exe", O_RDONLY);
  assert(read(file, input + kSize / 2, 5000) == 5000);
  assert(pread(file, early.data() + 5000, 5000, 100) == 5000);
  const iovec list{.iov_base = parts + kSize / 2, .iov_len = 5000};
  assert(readv(file, &list, 1) == 5000);
  assert(fstat(file, status + (1 << 13)) == 0 && stat("/", status) == 0);
  assert(pipe(ends + (1 << 17)) == 0);
  FILE* const stream = fopen("/proc/self/exe", "r");
  assert(fread(streamed + kSize / 2, 1, 20000, stream) == 20000);
  return 0;
}
