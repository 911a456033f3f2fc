// What a verdict assumed is told where it mattered, with the number of places and the option that lifts it.

#include "report/assumptions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/json_results.h"
#include "report/summary.h"

namespace ravel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

AssumedPlace at(Assumption assumption, std::uint32_t line) {
  return {.assumption = assumption, .file = "x.erl", .line = line};
}

SearchResult pass_that_assumes(std::vector<AssumedPlace> places) {
  SearchResult exploration;
  exploration.strategy = "some strategy";
  exploration.counts.executions = 1;
  exploration.assumed = std::move(places);
  return exploration;
}

TEST(Assumptions, NothingIsSaidWhereNothingWasDecided) { EXPECT_EQ(describe_assumptions({}), ""); }

TEST(Assumptions, OnePlaceIsNamedAndOfSeveralTheFirst) {
  const AssumedPlace one[] = {at(Assumption::kInstantDelivery, 3)};
  EXPECT_EQ(describe_assumptions(one),
            "A message could have overtaken another one at x.erl:3; --delivery channels tries that.\n");
  const AssumedPlace two[] = {at(Assumption::kInstantDelivery, 3), at(Assumption::kInstantDelivery, 2)};
  EXPECT_EQ(describe_assumptions(two),
            "A message could have overtaken another one at 2 places (first x.erl:3); --delivery channels "
            "tries that.\n");
}

TEST(Assumptions, AnUnknownPlaceIsCounted) {
  const AssumedPlace unknown[] = {{.assumption = Assumption::kOneSeed, .file = "", .line = 0}};
  EXPECT_THAT(describe_assumptions(unknown),
              HasSubstr("Random numbers came from one seed at 1 place; --rand-seed"));
}

TEST(Assumptions, EachHasALineOfItsOwnAndANameForMachines) {
  std::vector<AssumedPlace> places;
  for (int i = static_cast<int>(kLastAssumption); i >= 0; --i)
    places.push_back(at(static_cast<Assumption>(i), 1));
  const std::vector<AssumptionUse> uses = uses_of(places);
  ASSERT_EQ(uses.size(), static_cast<std::size_t>(kLastAssumption) + 1);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    EXPECT_EQ(uses[i].assumption, static_cast<Assumption>(i));
    EXPECT_NE(name_of(uses[i].assumption), "");
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(name_of(uses[i].assumption), name_of(uses[j].assumption));
  }
  const std::string text = describe_assumptions(places);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(text, '\n')), uses.size());
}

TEST(Assumptions, APassTellsThemAndABugDoesNot) {
  SearchResult exploration = pass_that_assumes({at(Assumption::kOneSeed, 7)});
  EXPECT_THAT(summarize(exploration), HasSubstr("\nRandom numbers came from one seed at x.erl:7"));
  exploration.bugs.push_back({});
  exploration.stop = Stop::kFirstBug;
  EXPECT_THAT(summarize(exploration), Not(HasSubstr("one seed")));
}

TEST(Assumptions, SeveralTestsTellEachPlaceOnce) {
  std::vector<TestReport> tests(3);
  tests[0].result = pass_that_assumes({at(Assumption::kOneSeed, 1), at(Assumption::kOneSeed, 2)});
  tests[1].result = pass_that_assumes({at(Assumption::kOneSeed, 2), at(Assumption::kOneEnvironment, 2)});
  tests[2].result = pass_that_assumes({at(Assumption::kOneSeed, 9)});
  tests[2].result.bugs.push_back({});
  EXPECT_THAT(assumed_by(tests), ElementsAre(at(Assumption::kOneSeed, 1), at(Assumption::kOneSeed, 2),
                                             at(Assumption::kOneEnvironment, 2)));
}

TEST(Assumptions, ResultsForMachinesHaveThem) {
  const SearchResult exploration =
      pass_that_assumes({at(Assumption::kAtomicEnds, 5), at(Assumption::kAtomicEnds, 6)});
  const auto json = nlohmann::json::parse(json_results(exploration, {}));
  EXPECT_EQ(json.at("assumptions").dump(),
            R"([{"file":"x.erl","kind":"atomic_ends","line":5,"option":"--ends stepwise","places":2}])");
}

}  // namespace
}  // namespace ravel
