#include "threads/runtime/memory_lines.h"

#include <immintrin.h>

#include <cstring>

namespace ravel::threads {

namespace {

const bool kHasAvx2 = __builtin_cpu_supports("avx2") != 0;

constexpr std::size_t kWordsPerLine = kLineSize / sizeof(std::uint64_t);

bool put_back_rest(std::uint64_t* to, const std::uint64_t* from, std::size_t i, std::size_t count) {
  bool has_changed = false;
  for (; i < count; ++i) {
    has_changed = has_changed || to[i] != from[i];
    to[i] = from[i];
  }
  return has_changed;
}

// Two lines at a time.
[[gnu::target("avx2")]] bool put_back_wide(std::uint64_t* to, const std::uint64_t* from, std::size_t count) {
  bool has_changed = false;
  std::size_t i = 0;
  for (; i + 2 * kWordsPerLine <= count; i += 2 * kWordsPerLine) {
    const auto* const is = reinterpret_cast<const __m256i*>(to + i);
    const auto* const was = reinterpret_cast<const __m256i*>(from + i);
    __m256i difference = _mm256_setzero_si256();
    for (int part = 0; part < 4; ++part)
      difference = _mm256_or_si256(
          difference, _mm256_xor_si256(_mm256_loadu_si256(is + part), _mm256_loadu_si256(was + part)));
    if (_mm256_testz_si256(difference, difference) != 0) [[likely]]
      continue;
    has_changed = true;
    std::memcpy(to + i, from + i, 2 * kLineSize);
  }
  return put_back_rest(to, from, i, count) || has_changed;
}

[[gnu::target("avx2")]] std::uint64_t lowest_used_wide(std::uint64_t low, std::uint64_t high) {
  for (; low < high; low += kLineSize) {
    const auto* const line = reinterpret_cast<const __m256i*>(low);
    const __m256i all = _mm256_or_si256(line[0], line[1]);
    if (_mm256_testz_si256(all, all) == 0) break;
  }
  return low;
}

bool put_back_narrow(std::uint64_t* to, const std::uint64_t* from, std::size_t count) {
  bool has_changed = false;
  std::size_t i = 0;
  for (; i + kWordsPerLine <= count; i += kWordsPerLine) {
    const auto* const is = reinterpret_cast<const __m128i*>(to + i);
    const auto* const was = reinterpret_cast<const __m128i*>(from + i);
    __m128i difference = _mm_setzero_si128();
    for (int part = 0; part < 4; ++part)
      difference =
          _mm_or_si128(difference, _mm_xor_si128(_mm_loadu_si128(is + part), _mm_loadu_si128(was + part)));
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(difference, _mm_setzero_si128())) == 0xFFFF) [[likely]]
      continue;
    has_changed = true;
    std::memcpy(to + i, from + i, kLineSize);
  }
  return put_back_rest(to, from, i, count) || has_changed;
}

std::uint64_t lowest_used_narrow(std::uint64_t low, std::uint64_t high) {
  for (; low < high; low += kLineSize) {
    const auto* const line = reinterpret_cast<const __m128i*>(low);
    const __m128i all = _mm_or_si128(_mm_or_si128(line[0], line[1]), _mm_or_si128(line[2], line[3]));
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_setzero_si128())) != 0xFFFF) break;
  }
  return low;
}

}  // namespace

bool put_back(std::uint64_t* to, const std::uint64_t* from, std::size_t count) {
  return kHasAvx2 ? put_back_wide(to, from, count) : put_back_narrow(to, from, count);
}

std::uint64_t lowest_used(std::uint64_t low, std::uint64_t high) {
  return kHasAvx2 ? lowest_used_wide(low, high) : lowest_used_narrow(low, high);
}

}  // namespace ravel::threads
