#include "erlang/beam/md5.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ravel::erlang {
namespace {

// floor(2^32 * |sin(i + 1)|), as RFC 1321 lists them.
constexpr std::array<std::uint32_t, 64> kSines = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

// Sixteen steps; `mix` is the round's function of b, c and d, `from` says which word a step takes.
template <std::size_t kRound, typename Mix, typename From>
inline void add_round(std::array<std::uint32_t, 4>& words, const std::uint32_t* x, Mix mix, From from) {
  constexpr int kShifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  auto [a, b, c, d] = words;
  for (std::uint32_t i = 0; i < 16; ++i) {
    const std::uint32_t sum = a + mix(b, c, d) + kSines[kRound * 16 + i] + x[from(i) % 16];
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, kShifts[kRound][i % 4]);
  }
  words = {a, b, c, d};
}

void add_block(std::array<std::uint32_t, 4>& words, const std::uint8_t* block) {
  std::uint32_t x[16];
  for (std::uint32_t i = 0; i < 16; ++i) {
    x[i] = static_cast<std::uint32_t>(block[4 * i]) | static_cast<std::uint32_t>(block[4 * i + 1]) << 8 |
           static_cast<std::uint32_t>(block[4 * i + 2]) << 16 |
           static_cast<std::uint32_t>(block[4 * i + 3]) << 24;
  }
  using Word = std::uint32_t;
  const std::array<Word, 4> before = words;
  add_round<0>(
      words, x, [](Word b, Word c, Word d) { return (b & c) | (~b & d); }, [](Word i) { return i; });
  add_round<1>(
      words, x, [](Word b, Word c, Word d) { return (b & d) | (c & ~d); }, [](Word i) { return 5 * i + 1; });
  add_round<2>(
      words, x, [](Word b, Word c, Word d) { return b ^ c ^ d; }, [](Word i) { return 3 * i + 5; });
  add_round<3>(
      words, x, [](Word b, Word c, Word d) { return c ^ (b | ~d); }, [](Word i) { return 7 * i; });
  for (std::size_t i = 0; i < 4; ++i) words[i] += before[i];
}

}  // namespace

void md5_update(Md5State& state, std::span<const std::uint8_t> bytes) {
  std::size_t pending = state.length % 64;
  state.length += bytes.size();
  if (pending != 0) {
    const std::size_t taken = std::min(bytes.size(), 64 - pending);
    std::copy_n(bytes.begin(), taken, state.pending.begin() + static_cast<std::ptrdiff_t>(pending));
    bytes = bytes.subspan(taken);
    pending += taken;
    if (pending < 64) return;
    add_block(state.words, state.pending.data());
  }
  while (bytes.size() >= 64) {
    add_block(state.words, bytes.data());
    bytes = bytes.subspan(64);
  }
  // What is after the pending bytes stays zero, so that equal inputs leave equal states.
  state.pending.fill(0);
  std::copy(bytes.begin(), bytes.end(), state.pending.begin());
}

Md5Digest md5_final(Md5State state) {
  const std::uint64_t bits = state.length * 8;
  static constexpr std::array<std::uint8_t, 64> kPadding = {0x80};
  const std::size_t pending = state.length % 64;
  md5_update(state, std::span(kPadding).first(pending < 56 ? 56 - pending : 120 - pending));
  std::array<std::uint8_t, 8> length;
  for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<std::uint8_t>(bits >> (8 * i));
  md5_update(state, length);

  Md5Digest digest;
  for (std::size_t i = 0; i < 16; ++i)
    digest[i] = static_cast<std::uint8_t>(state.words[i / 4] >> (8 * (i % 4)));
  return digest;
}

Md5Digest md5(std::span<const std::uint8_t> bytes) {
  Md5State state;
  md5_update(state, bytes);
  return md5_final(state);
}

}  // namespace ravel::erlang
