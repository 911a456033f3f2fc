#include "threads/worker/google_test.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "threads/worker/output.h"

namespace ravel::threads {

namespace {

constexpr std::string_view kMark = ": Failure\n";

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

// What is the same in all schedules: the expressions, without their values.
std::string claim_of(std::string_view text) {
  std::string claim(take_line(text));
  if (const std::size_t values = claim.find(", actual: "); values != std::string::npos) claim.resize(values);
  if (!claim.ends_with(':')) return claim;
  bool is_first = true;
  while (text.starts_with("  ")) {
    const std::string_view line = take_line(text);
    // Values stand deeper than the expressions that they are of.
    if (line.starts_with("   ") || line.starts_with("  Actual: ")) continue;
    claim += (is_first ? " " : ", ") + std::string(trimmed(line));
    is_first = false;
  }
  return claim;
}

}  // namespace

std::optional<RawBug> parse_failure(std::string_view output) {
  const std::size_t mark = output.rfind(kMark);
  if (mark == std::string_view::npos) return std::nullopt;
  RawBug bug{.kind = "assertion"};
  // "FILE:LINE" or "unknown file".
  const std::size_t newline = output.substr(0, mark).rfind('\n');
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  const std::string_view place = output.substr(begin, mark - begin);
  const std::size_t colon = place.rfind(':');
  if (colon != std::string_view::npos) {
    bug.file = place.substr(0, colon);
    std::from_chars(place.data() + colon + 1, place.data() + place.size(), bug.line);
  }
  std::string_view text = trimmed(output.substr(mark + kMark.size()));
  bug.message = claim_of(text);
  while (!text.empty()) bug.details.emplace_back(take_line(text));
  if (bug.details.size() == 1 && bug.details.front() == bug.message) bug.details.clear();
  return bug;
}

std::optional<RawBug> take_failure() { return parse_failure(take_new_output()); }

}  // namespace ravel::threads
