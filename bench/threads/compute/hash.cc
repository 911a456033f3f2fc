// SHA-256 of a buffer.
#include "work.h"

#include <cmath>

static constexpr int kBytes = 1 << 14;
static unsigned char buffer[2][kBytes];
static std::uint32_t constants[64], state[2][8];

static std::uint32_t rotated(std::uint32_t x, int by) { return x >> by | x << (32 - by); }

int main(int argc, char** argv) {
  // The first bits of the fractional parts of cube roots; of primes in the standard, which makes no difference to the cost.
  for (int i = 0; i < 64; ++i) constants[i] = static_cast<std::uint32_t>(std::fmod(std::cbrt(2.0 + i), 1.0) * 4294967296.0);
  return run(argc, argv, [](int t, int round) {
    for (int i = 0; i < kBytes; ++i) buffer[t][i] = static_cast<unsigned char>(i * 31 + round);
    for (int i = 0; i < 8; ++i) state[t][i] = constants[i];
    for (int block = 0; block < kBytes; block += 64) {
      std::uint32_t w[64];
      for (int i = 0; i < 16; ++i) {
        const unsigned char* const p = &buffer[t][block + 4 * i];
        w[i] = std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
      }
      for (int i = 16; i < 64; ++i)
        w[i] = w[i - 16] + (rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
               (rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ w[i - 2] >> 10);
      std::uint32_t* const s = state[t];
      std::uint32_t a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
      for (int i = 0; i < 64; ++i) {
        const std::uint32_t one = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + w[i];
        const std::uint32_t other = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + other;
      }
      s[0] += a, s[1] += b, s[2] += c, s[3] += d, s[4] += e, s[5] += f, s[6] += g, s[7] += h;
    }
    return static_cast<double>(state[t][0]);
  });
}
