#include "engine/actor.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace ravel {
namespace {

TEST(ActorName, PrintsAndParsesBack) {
  for (const char* text : {"P", "P.1", "P.1.2", "P.1.t2", "S.3.m10.1", "P.4294967295"}) {
    const Result<ActorName> name = ActorName::parse(text);
    ASSERT_TRUE(name) << text;
    EXPECT_EQ(name->to_string(), text);
  }
  Random random(5);
  for (int i = 0; i < 1000; ++i) {
    ActorName name(static_cast<char>('A' + random.below(26)));
    for (std::uint64_t depth = random.below(6); depth > 0; --depth) {
      name = name.child(static_cast<std::uint32_t>(1 + random.below(1000)),
                        random.chance(1, 2) ? '\0' : static_cast<char>('a' + random.below(26)));
    }
    EXPECT_EQ(*ActorName::parse(name.to_string()), name);
  }
}

TEST(ActorName, RefusesEverySecondSpelling) {
  for (const char* text : {"", "p", "P.", "P.0", "P.01", ".1", "P1", "P.1.", "P..1", "P.t", "P.tt1", "P.1x",
                           "P.-1", "P. 1", "P.4294967296", "PP"}) {
    EXPECT_FALSE(ActorName::parse(text)) << text;
  }
}

TEST(ActorName, OrdersParentsBeforeChildrenAndChildrenByNumber) {
  std::vector<std::string> texts = {"P.1.t1", "P.10", "P.2", "P", "P.1", "P.t1", "P.1.1"};
  std::vector<ActorName> names;
  for (const std::string& text : texts) names.push_back(*ActorName::parse(text));
  std::ranges::sort(names);
  std::vector<std::string> sorted;
  for (const ActorName& name : names) sorted.push_back(name.to_string());
  EXPECT_EQ(sorted, (std::vector<std::string>{"P", "P.1", "P.1.1", "P.1.t1", "P.2", "P.10", "P.t1"}));
}

}  // namespace
}  // namespace ravel
