#include "check/shard.h"

#include <algorithm>
#include <charconv>

namespace ravel {

namespace {

constexpr std::uint32_t kShardsMax = 1'000'000;

// Nothing if this is no number from 1.
std::optional<std::uint32_t> number_of(const char* begin, const char* end) {
  std::uint32_t number = 0;
  const auto [stop, problem] = std::from_chars(begin, end, number);
  if (problem != std::errc() || stop != end || number == 0 || number > kShardsMax) return std::nullopt;
  return number;
}

}  // namespace

Result<Shard> parse_shard(const std::string& text) {
  const char* const end = text.data() + text.size();
  const std::size_t slash = std::min(text.find('/'), text.size());
  const char* const middle = text.data() + slash;
  const auto number = number_of(text.data(), middle);
  const auto count = middle == end ? std::nullopt : number_of(middle + 1, end);
  if (!number || !count || *number > *count)
    return Error{"'" + text + "' is no shard; write 2/4 for the second of four"};
  Shard shard;
  shard.number = *number;
  shard.count = *count;
  return shard;
}

ExecutionRange part_of_sample(const Shard& shard, std::uint64_t executions) {
  const std::uint64_t each = executions / shard.count, longer = executions % shard.count;
  const std::uint64_t before = shard.number - 1;
  return {.first = each * before + std::min(before, longer), .count = each + (before < longer ? 1 : 0)};
}

}  // namespace ravel
