// A fast Fourier transform.
#include "work.h"

#include <cmath>
#include <utility>

static constexpr int kSize = 2048;
static double re[2][kSize], im[2][kSize], cosine[kSize], sine[kSize];

int main(int argc, char** argv) {
  for (int i = 0; i < kSize; ++i) {
    cosine[i] = std::cos(2 * 3.14159265358979 * i / kSize);
    sine[i] = std::sin(2 * 3.14159265358979 * i / kSize);
  }
  return run(argc, argv, [](int t, int round) {
    for (int i = 0; i < kSize; ++i) re[t][i] = (i + round) % 17, im[t][i] = 0;
    for (int i = 1, j = 0; i < kSize; ++i) {
      int bit = kSize >> 1;
      for (; (j & bit) != 0; bit >>= 1) j ^= bit;
      j ^= bit;
      if (i < j) std::swap(re[t][i], re[t][j]), std::swap(im[t][i], im[t][j]);
    }
    for (int length = 2; length <= kSize; length *= 2) {
      const int half = length / 2, step = kSize / length;
      for (int begin = 0; begin < kSize; begin += length)
        for (int i = 0; i < half; ++i) {
          const int low = begin + i, high = low + half;
          const double x = re[t][high] * cosine[i * step] + im[t][high] * sine[i * step];
          const double y = im[t][high] * cosine[i * step] - re[t][high] * sine[i * step];
          re[t][high] = re[t][low] - x, im[t][high] = im[t][low] - y;
          re[t][low] += x, im[t][low] += y;
        }
    }
    return re[t][1];
  });
}
