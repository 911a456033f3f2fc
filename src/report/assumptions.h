// What a verdict assumed where that mattered: sentences for readers, with the option that lifts each
// assumption.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/assumption.h"
#include "report/check_report.h"

namespace ravel {

// The places of one assumption, of which there is at least one.
struct AssumptionUse {
  Assumption assumption;
  std::uint64_t places = 0;
  AssumedPlace first;
};

// A use for each assumption that decided something, in the order of the enumeration.
std::vector<AssumptionUse> uses_of(std::span<const AssumedPlace> places);

// "instant_delivery", as results for machines have it.
std::string_view name_of(Assumption assumption);
// "--delivery channels"; empty if no option lifts it.
std::string_view option_against(Assumption assumption);

// A line for each assumption that decided something; empty if none did.
//   A message could have overtaken another one at 2 places (first x.erl:3); --delivery channels tries that.
std::string describe_assumptions(std::span<const AssumedPlace> places);

// The assumptions of several tests together, as far as no bug says more of a test.
std::vector<AssumedPlace> assumed_by(std::span<const TestReport> tested);

}  // namespace ravel
