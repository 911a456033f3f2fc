#include "report/verdict.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "report/check_report.h"

namespace ravel {

bool may_have_missed(const SearchResult& result) {
  const Coverage& coverage = result.counts.coverage;
  return result.stop == Stop::kComplete && coverage.unit != CoverageUnit::kExecutions &&
         !coverage.is_complete;
}

Verdict verdict_of(const SearchResult& result) {
  if (!result.bugs.empty()) return Verdict::kBug;
  switch (result.stop) {
    case Stop::kComplete:
      return result.counts.unfinished == 0 && !may_have_missed(result) ? Verdict::kPass
                                                                       : Verdict::kIncomplete;
    case Stop::kUnsupported: return Verdict::kUnsupported;
    case Stop::kFirstBug: return Verdict::kBug;
    case Stop::kTimeBudget:
    case Stop::kExecutionBudget:
    case Stop::kMemoryBudget:
    case Stop::kTooLong:
    case Stop::kInterrupted: return Verdict::kIncomplete;
  }
  return Verdict::kIncomplete;
}

Verdict verdict_of(const TestReport& tested) {
  return tested.skipped.empty() ? verdict_of(tested.result) : Verdict::kSkipped;
}

Verdict verdict_of(const Replay& replay) {
  switch (replay.outcome) {
    case ReplayOutcome::kSameBug:
    case ReplayOutcome::kAnotherBug: return Verdict::kBug;
    case ReplayOutcome::kNoBug: return Verdict::kPass;
    case ReplayOutcome::kUnsupported: return Verdict::kUnsupported;
  }
  return Verdict::kPass;
}

Verdict overall(std::span<const Verdict> verdicts) {
  for (const Verdict one : {Verdict::kError, Verdict::kBug, Verdict::kUnsupported, Verdict::kIncomplete}) {
    if (std::ranges::count(verdicts, one) > 0) return one;
  }
  return Verdict::kPass;
}

std::string_view to_string(Verdict verdict) {
  static constexpr std::array<std::string_view, 6> kNames = {"pass",       "bug",         "error",
                                                             "incomplete", "unsupported", "skipped"};
  return kNames[static_cast<std::size_t>(verdict)];
}

int exit_status(Verdict verdict) { return verdict == Verdict::kSkipped ? 0 : static_cast<int>(verdict); }

}  // namespace ravel
