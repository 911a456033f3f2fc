#include "engine/coverage.h"

namespace ravel {

namespace {

// In the order of their numbers.
enum class Kind : std::uint8_t {
  kAllSchedules,
  kAllTraces,
  kMessageTraces,
  kPreemptionBound,
  kPreemptionBoundTraces,
  kVariableBound,
  kDelayBound,
  kSample,
};

bool is_met(const Bound* bound) { return bound != nullptr && !bound->is_exhausted; }

}  // namespace

std::uint8_t kind_number(const Coverage& coverage) {
  const auto number = [](Kind kind) { return static_cast<std::uint8_t>(kind); };
  if (coverage.unit == CoverageUnit::kExecutions) return number(Kind::kSample);
  const bool is_traces = coverage.unit == CoverageUnit::kTraces;
  if (coverage.bound(BoundOn::kOtherRaces) != nullptr) return number(Kind::kMessageTraces);
  if (is_met(coverage.bound(BoundOn::kPreemptions)))
    return number(is_traces ? Kind::kPreemptionBoundTraces : Kind::kPreemptionBound);
  if (is_met(coverage.bound(BoundOn::kDelays))) return number(Kind::kDelayBound);
  if (coverage.bound(BoundOn::kVariables) != nullptr) return number(Kind::kVariableBound);
  return number(is_traces ? Kind::kAllTraces : Kind::kAllSchedules);
}

std::optional<Coverage> coverage_of_kind(std::uint64_t number, std::optional<std::uint32_t> completed) {
  const auto bounded = [&](CoverageUnit unit, BoundOn on) {
    return all_of(unit, {{.on = on, .completed = completed}});
  };
  const auto all = [&](CoverageUnit unit) {
    if (!completed) return all_of(unit);
    return all_of(unit, {{.on = BoundOn::kPreemptions, .completed = completed, .is_exhausted = true}});
  };
  if (number > static_cast<std::uint64_t>(Kind::kSample)) return std::nullopt;
  switch (static_cast<Kind>(number)) {
    case Kind::kAllSchedules: return all(CoverageUnit::kSchedules);
    case Kind::kAllTraces: return all(CoverageUnit::kTraces);
    case Kind::kMessageTraces:
      return all_of(CoverageUnit::kTraces, {{.on = BoundOn::kOtherRaces, .completed = 0}});
    case Kind::kPreemptionBound: return bounded(CoverageUnit::kSchedules, BoundOn::kPreemptions);
    case Kind::kPreemptionBoundTraces: return bounded(CoverageUnit::kTraces, BoundOn::kPreemptions);
    case Kind::kVariableBound: {
      Coverage coverage = all(CoverageUnit::kSchedules);
      coverage.bounds.push_back({.on = BoundOn::kVariables});
      return coverage;
    }
    case Kind::kDelayBound: return bounded(CoverageUnit::kSchedules, BoundOn::kDelays);
    case Kind::kSample: break;
  }
  return Coverage{};
}

}  // namespace ravel
