// A picture of the Mandelbrot set.
#include "work.h"

static constexpr int kSize = 64;
static int picture[2][kSize][kSize];

int main(int argc, char** argv) {
  return run(argc, argv, [](int t, int) {
    for (int row = 0; row < kSize; ++row)
      for (int column = 0; column < kSize; ++column) {
        const double x = -2 + 2.5 * column / kSize, y = -1.25 + 2.5 * row / kSize;
        double a = 0, b = 0;
        int i = 0;
        for (; i < 200 && a * a + b * b < 4; ++i) {
          const double next = a * a - b * b + x;
          b = 2 * a * b + y;
          a = next;
        }
        picture[t][row][column] = i;
      }
    return static_cast<double>(picture[t][kSize / 2][kSize / 3]);
  });
}
