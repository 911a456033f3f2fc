// Multiplication of matrices.
#include "work.h"

static constexpr int kSize = 64;
static double a[2][kSize][kSize], b[2][kSize][kSize], c[2][kSize][kSize];

int main(int argc, char** argv) {
  for (int t = 0; t < 2; ++t)
    for (int i = 0; i < kSize; ++i)
      for (int j = 0; j < kSize; ++j) a[t][i][j] = (i * j) % 7, b[t][i][j] = (i + j) % 5;
  return run(argc, argv, [](int t, int round) {
    for (int i = 0; i < kSize; ++i)
      for (int j = 0; j < kSize; ++j) {
        double sum = round;
        for (int k = 0; k < kSize; ++k) sum += a[t][i][k] * b[t][k][j];
        c[t][i][j] = sum;
      }
    return c[t][kSize - 1][kSize - 1];
  });
}
