// Peterson's lock (G. L. Peterson, "Myths About the Mutual Exclusion Problem", 1981), which two threads take again and again for
// ever. Only a search by states comes to an end with that. Called with an argument, each is polite to itself.
//
// expect: says "No bug in the" pass --strategy states
// expect: says "No bug in the" pass --strategy shortest
// expect: says "nobody else is inside" bug assertion --strategy states -- wrong
// expect: says "there is none with at most" bug assertion --strategy shortest -- wrong
#include <ravel.h>

#include <atomic>
#include <thread>

std::atomic<bool> wants[2];
std::atomic<int> turn, inside;
bool is_wrong;

void work(int self) {
  const int other = 1 - self;
  while (true) {
    wants[self] = true;
    turn = is_wrong ? self : other;
    while (wants[other] && turn == other) {
    }
    ravel_assert(inside.fetch_add(1) == 0, "nobody else is inside");
    inside.fetch_sub(1);
    wants[self] = false;
  }
}

int main(int count, char**) {
  is_wrong = count > 1;
  std::thread other(work, 1);
  work(0);
}
