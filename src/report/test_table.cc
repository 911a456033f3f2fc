#include "report/test_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "report/summary.h"
#include "report/verdict.h"

namespace ravel {

namespace {

constexpr std::size_t kColumns = 6;
constexpr std::size_t kTitle = 5;  // the last column, as it may be long; empty if no test has one
using Row = std::array<std::string, kColumns>;

std::string verdict_text(const TestReport& tested) {
  const SearchResult& result = tested.result;
  if (!result.bugs.empty()) return counted(result.bugs.size(), "bug");
  return std::string(to_string(verdict_of(tested)));
}

const std::string& title_of(const TestReport& tested) {
  return tested.skipped.empty() ? tested.title : tested.skipped;
}

Ink ink_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass: return Ink::kGreen;
    case Verdict::kBug:
    case Verdict::kError: return Ink::kRed;
    case Verdict::kIncomplete:
    case Verdict::kUnsupported:
    case Verdict::kSkipped: return Ink::kYellow;
  }
  return Ink::kBold;
}

std::string preemptions_text(const SearchResult& result) {
  const Coverage& coverage = result.counts.coverage;
  const Bound* const bound = preemption_bound(coverage);
  const bool is_all =
      coverage.is_complete && std::ranges::all_of(coverage.bounds, [](const Bound& one) {
        return one.is_exhausted || one.on == BoundOn::kEarlyTimeouts || one.on == BoundOn::kFaults;
      });
  if (is_all) return "all";
  return bound != nullptr && bound->completed ? std::to_string(*bound->completed) : "-";
}

// What all numbers are numbers of; empty if tests with strategies of their own count different things.
std::string_view counted_thing(std::span<const TestReport> tested) {
  std::string_view thing;
  for (const TestReport& one : tested) {
    if (!one.skipped.empty()) continue;
    const std::string_view noun = execution_noun(one.result);
    if (!thing.empty() && noun != thing) return {};
    thing = noun;
  }
  return thing.empty() ? "execution" : thing;
}

// "12 tests: 10 pass, 2 have bugs."
std::string sentence(std::span<const TestReport> tested) {
  std::array<std::size_t, 6> count = {};
  for (const TestReport& one : tested) ++count[static_cast<std::size_t>(verdict_of(one))];
  std::string text = counted(tested.size(), "test") + ":";
  const auto add = [&](Verdict verdict, const char* singular, const char* plural) {
    const std::size_t number = count[static_cast<std::size_t>(verdict)];
    if (number > 0) text += (text.back() == ':' ? " " : ", ") + counted(number, singular, plural);
  };
  add(Verdict::kPass, "passes", "pass");
  add(Verdict::kBug, "has a bug", "have bugs");
  add(Verdict::kIncomplete, "is not complete", "are not complete");
  add(Verdict::kUnsupported, "does what no schedule controls", "do what no schedule controls");
  add(Verdict::kSkipped, "is skipped", "are skipped");
  return text + ".\n";
}

}  // namespace

std::string describe_tests(std::span<const TestReport> tested, Colour colour) {
  const std::string_view thing = counted_thing(tested);
  const std::string things = thing.empty() ? "searched" : std::string(thing) + "s";
  std::vector<Row> rows = {{"test", "verdict", things, "preemptions", "time", ""}};
  if (std::ranges::any_of(tested, [](const TestReport& one) { return !title_of(one).empty(); }))
    rows[0][kTitle] = "title";
  for (const TestReport& one : tested) {
    const Counts& counts = one.result.counts;
    const std::uint64_t count = unit_count(counts);
    rows.push_back(
        {one.test, verdict_text(one),
         thing.empty() && one.skipped.empty() ? counted(count, execution_noun(one.result)) : grouped(count),
         one.skipped.empty() ? preemptions_text(one.result) : "-", duration(counts.seconds), title_of(one)});
  }
  std::array<std::size_t, kColumns> columns = {};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < kColumns; ++i) columns[i] = std::max(columns[i], width(row[i]));
  }
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    std::string verdict = padded(row[1], columns[1]);
    if (i > 0) verdict = paint(verdict, ink_of(verdict_of(tested[i - 1])), colour);
    std::string line = fmt::format("{}  {}  {:>{}}  {:>{}}  {:>{}}", padded(row[0], columns[0]), verdict,
                                   row[2], columns[2], row[3], columns[3], row[4], columns[4]);
    if (!row[kTitle].empty()) line += "  " + row[kTitle];
    text += (i == 0 ? paint(line, Ink::kDim, colour) : line) + "\n";
  }
  return text + "\n" + sentence(tested);
}

}  // namespace ravel
