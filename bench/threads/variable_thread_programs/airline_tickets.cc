// Tickets are sold by one thread each until one of them finds that there are too many; the main thread looks for that only
// after it has started the next sale.
//
// expect: priority_changes=0 variables=0 threads=2 bug assertion --strategy vt --preemptions 2 --variables 2 --threads 3
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

static constexpr int kIssued = 10, kSeats = 9;
static std::atomic<int> sold{0};
static std::atomic<bool> sales_stopped{false};

int main() {
  std::vector<std::thread> sales;
  for (int i = 0; i < kIssued; ++i) {
    sales.emplace_back([] {
      if (++sold > kSeats) sales_stopped = true;
    });
    if (sales_stopped) {
      --sold;
      break;
    }
  }
  for (std::thread& sale : sales) sale.join();
  assert(sold <= kSeats);
}
