#include "report/assumptions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "report/text.h"

namespace ravel {

namespace {

struct Row {
  Assumption assumption;
  std::string_view name;
  std::string_view sentence;  // in front of the places
  std::string_view option;    // empty: there is none
  std::string_view rest;      // after the option, or after the places
};

constexpr auto kRows = std::to_array<Row>({
    {Assumption::kInstantDelivery, "instant_delivery", "A message could have overtaken another one",
     "--delivery channels", " tries that"},
    {Assumption::kAtomicEnds, "atomic_ends", "Several were told of a process's end in one step",
     "--ends stepwise", " tells one after the other"},
    {Assumption::kOneSeed, "one_seed", "Random numbers came from one seed", "--rand-seed N",
     " takes another one"},
    {Assumption::kOneEnvironment, "one_environment",
     "A variable was read that this environment does not have", "--env NAME=VALUE", " sets it"},
    {Assumption::kTimeoutsWait, "timeouts_wait", "A timeout could have fired while others could go on",
     "--early 1", " tries that"},
    {Assumption::kStartsOnce, "starts_once",
     "What happens while an application starts or stops came in one order", "--starts explored",
     " tries others"},
    {Assumption::kSequentialConsistency, "sequential_consistency",
     "Threads met at atomic operations that ask for less than sequential consistency", "",
     "what weaker orders allow was not tried"},
});

constexpr const Row& row_of(Assumption assumption) { return kRows[static_cast<std::size_t>(assumption)]; }

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kRows.size(); ++i)
    if (static_cast<std::size_t>(kRows[i].assumption) != i) return false;
  return kRows.size() == static_cast<std::size_t>(kLastAssumption) + 1;
}
static_assert(is_in_order(), "row_of() takes the assumption for the index of its row");

// "at x.erl:3", "at 2 places (first x.erl:3)".
std::string where(const AssumptionUse& use) {
  const std::string first = place(use.first.file, use.first.line);
  if (use.places == 1) return first.empty() ? "at 1 place" : "at " + first;
  return fmt::format("at {}{}", counted(use.places, "place"),
                     first.empty() ? "" : fmt::format(" (first {})", first));
}

}  // namespace

std::vector<AssumptionUse> uses_of(std::span<const AssumedPlace> places) {
  std::vector<AssumptionUse> uses;
  for (const Row& row : kRows) {
    const auto first = std::ranges::find(places, row.assumption, &AssumedPlace::assumption);
    if (first == places.end()) continue;
    const auto number = std::ranges::count(places, row.assumption, &AssumedPlace::assumption);
    uses.push_back(
        {.assumption = row.assumption, .places = static_cast<std::uint64_t>(number), .first = *first});
  }
  return uses;
}

std::string_view name_of(Assumption assumption) { return row_of(assumption).name; }

std::string_view option_against(Assumption assumption) { return row_of(assumption).option; }

std::string describe_assumptions(std::span<const AssumedPlace> places) {
  std::string text;
  for (const AssumptionUse& use : uses_of(places)) {
    const Row& row = row_of(use.assumption);
    text += fmt::format("{} {}; {}{}.\n", row.sentence, where(use), row.option, row.rest);
  }
  return text;
}

std::vector<AssumedPlace> assumed_by(std::span<const TestReport> tested) {
  std::vector<AssumedPlace> places;
  for (const TestReport& one : tested)
    if (one.result.bugs.empty()) add_places(places, one.result.assumed);
  return places;
}

}  // namespace ravel
