#include "p/machine/machine_names.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ravel::p {
namespace {

TEST(MachineNames, NumbersDependOnNamesAlone) {
  MachineNames one, other;
  const auto a = one.child(MachineNames::kRoot, 1), b = one.child(a, 2),
             c = one.child(MachineNames::kRoot, 2);
  const auto c2 = other.child(MachineNames::kRoot, 2), a2 = other.child(MachineNames::kRoot, 1);
  const auto b2 = other.child(a2, 2);
  EXPECT_EQ(one.number(a), other.number(a2));
  EXPECT_EQ(one.number(b), other.number(b2));
  EXPECT_EQ(one.number(c), other.number(c2));
  EXPECT_EQ(one.text(b), "P.1.2");
  EXPECT_EQ(one.index_of(one.number(b)), b);
}

TEST(MachineNames, NumbersAreInTheOrderOfNames) {
  MachineNames names;
  for (const std::uint32_t first : {200u, 1u, 7u, 8u, 135u, 136u, 4000u, 9u}) {
    const auto child = names.child(MachineNames::kRoot, first);
    for (const std::uint32_t second : {9u, 1u, 7u}) names.child(child, second);
  }
  EXPECT_TRUE(std::ranges::is_sorted(names.in_order(), {}, [&](auto who) { return names.number(who); }));
  EXPECT_TRUE(std::ranges::is_sorted(names.in_order(), {}, [&](auto who) { return names.path(who); }));
}

TEST(MachineNames, DeepAndWideNamesHaveNumbersOfTheirOwn) {
  MachineNames names;
  auto who = MachineNames::kRoot;
  for (int i = 0; i < 1000; ++i) {
    who = names.child(who, 1);
    names.child(who, 5000 + static_cast<std::uint32_t>(i));
  }
  for (MachineNames::Index i = 0; i < names.size(); ++i) EXPECT_EQ(names.index_of(names.number(i)), i);
}

}  // namespace
}  // namespace ravel::p
