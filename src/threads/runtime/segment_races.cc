#include "threads/runtime/segment_races.h"

#include <algorithm>
#include <bit>

namespace ravel::threads {

namespace {

// Longer segments are sorted whenever their length is a power of two: most accesses come again.
constexpr std::size_t kShort = 64;

}  // namespace

void add_to_segment(std::vector<SegmentAccess>& segment, const SegmentAccess& access) {
  if (!segment.empty() && segment.back() == access) return;
  if (segment.size() >= kShort && std::has_single_bit(segment.size())) sort_segment(segment);
  segment.push_back(access);
}

void sort_segment(std::vector<SegmentAccess>& segment) {
  if (segment.size() < 2) return;
  std::ranges::sort(segment);
  segment.erase(std::unique(segment.begin(), segment.end()), segment.end());
}

bool do_conflict(const std::vector<SegmentAccess>& one, const std::vector<SegmentAccess>& other) {
  auto a = one.begin();
  auto b = other.begin();
  while (a != one.end() && b != other.end()) {
    if (a->word != b->word) {
      (a->word < b->word ? a : b)++;
      continue;
    }
    for (auto c = b; c != other.end() && c->word == a->word; ++c)
      if ((a->bytes & c->bytes) != 0 && (a->writes || c->writes) && !(a->is_atomic && c->is_atomic))
        return true;
    ++a;
  }
  return false;
}

Hash128 hash_of(const std::vector<SegmentAccess>& segment) {
  WideHash hash(segment.size());
  for (const SegmentAccess& access : segment)
    hash.add(
        {.high = access.word,
         .low = std::uint64_t{access.bytes} << 2 | std::uint64_t{access.writes} << 1 | access.is_atomic});
  return hash.finish();
}

}  // namespace ravel::threads
