#include "engine/state_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ravel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr ActorId kFirst{0}, kSecond{1};

StatePart part(StateKind kind, const std::string& text, const std::string& name = "") {
  return {.kind = kind, .name = name, .lines = {{.text = text}}};
}

TEST(StateChanges, TellWhatIsNewWhatIsOtherAndWhatIsGone) {
  const std::vector<ActorState> before = {
      {.actor = kFirst,
       .parts = {part(StateKind::kMailbox, "a"), part(StateKind::kDictionary, "1", "x"),
                 part(StateKind::kDictionary, "2", "y")}}};
  const std::vector<ActorState> after = {
      {.actor = kFirst,
       .parts = {part(StateKind::kDictionary, "1", "x"), part(StateKind::kDictionary, "3", "y")}},
      {.actor = kSecond, .parts = {part(StateKind::kStack, "f/0")}}};
  EXPECT_THAT(state_changes(before, after),
              ElementsAre(StateChange{.actor = kFirst, .part = part(StateKind::kDictionary, "3", "y")},
                          StateChange{.actor = kSecond, .part = part(StateKind::kStack, "f/0")},
                          StateChange{.actor = kFirst, .part = {.kind = StateKind::kMailbox}}));
  EXPECT_THAT(state_changes(after, after), IsEmpty());
}

TEST(StateChanges, OfWhatAllShareHaveNoActor) {
  const std::vector<ActorState> after = {{.parts = {part(StateKind::kVariables, "7", "balance")}}};
  EXPECT_THAT(state_changes({}, after),
              ElementsAre(StateChange{.part = part(StateKind::kVariables, "7", "balance")}));
}

class Counting final : public Inspecting {
 public:
  std::vector<ActorState> inspect() override {
    return {{.actor = kFirst, .parts = {part(StateKind::kState, std::to_string(++asked_ / 2))}}};
  }

 private:
  int asked_ = 0;
};

TEST(StateChanges, AreFollowedFromTheBeginning) {
  Counting system;
  StateFollower follower(system);
  const auto state = [](const std::string& text) {
    return StateChange{.actor = kFirst, .part = part(StateKind::kState, text)};
  };
  EXPECT_THAT(follower.changes(), ElementsAre(state("0")));
  EXPECT_THAT(follower.changes(), ElementsAre(state("1")));
  EXPECT_THAT(follower.changes(), IsEmpty());
  EXPECT_EQ(follower.present().front().parts.front(), part(StateKind::kState, "1"));
}

TEST(Inspecting, CutsTextsBetweenCharacters) {
  EXPECT_EQ(cut_text("four", 4), "four");
  EXPECT_EQ(cut_text("fünf", 2), "f…");
  EXPECT_EQ(cut_text("fünf", 3), "fü…");
}

TEST(Inspecting, CountsLinesThatAreTooMany) {
  PartLines lines;
  for (int i = 0; i < 250; ++i) lines.add({.text = std::to_string(i)});
  const std::vector<StateLine> taken = lines.take();
  ASSERT_EQ(taken.size(), kInspectedLinesMax);
  EXPECT_EQ(taken[98].text, "98");
  EXPECT_EQ(taken.back().text, "… and 151 more");
  EXPECT_THAT(lines.take(), IsEmpty());
}

}  // namespace
}  // namespace ravel
