// Many accesses of one thread to memory that another one can see, and nothing else.
#include <cstdio>
#include <cstdlib>

static int values[4096];

int main(int argc, char** argv) {
  const long rounds = argc > 1 ? std::atol(argv[1]) : 1000;
  for (long round = 0; round < rounds; ++round)
    for (int i = 1; i < 4096; ++i) values[i] = values[i - 1] + static_cast<int>(round);
  std::printf("%d\n", values[4095]);
}
