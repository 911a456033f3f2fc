// The threads of OpenMP are made and wait for each other inside of its library: the program is refused by that name, before it does anything.
//
// compile: -fopenmp
// expect: says "OpenMP" refused
// expect: says "OpenMP" refused --isolate

#include <cassert>

int main() {
  int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 4; ++i) sum += i;
  assert(sum == 6);
}
