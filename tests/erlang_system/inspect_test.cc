// What processes have at hand. That to ask for it changes nothing, ways_test.cc shows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/erlang_system/ways.h"

namespace ravel::erlang {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr char kFile[] = "tests/erlang_system/programs/inspected.erl";

// A program after the steps that it takes if nobody is preempted, and what its actors have then.
class Inspected {
 public:
  explicit Inspected(const std::string& test)
      : program_(open_program({project_file(kFile)})),
        system_(start_program(*program_, "inspected:" + test, {},
                              {.reductions_per_step_max = 3'000'000, .time = TimePolicy::kAny})) {
    while (system_->outcome() == Outcome::kRunning) {
      const Transition first = system_->enabled().front();
      system_->step(first);
    }
    EXPECT_EQ(system_->bug().kind, "deadlock") << system_->bug().message;
    states_ = system_->inspect();
  }

  const StatePart* find(const std::string& actor, StateKind kind, const std::string& name = "") const {
    for (const ActorState& state : states_)
      for (const StatePart& part : state.parts)
        if (state.actor && system_->actor_name(*state.actor).to_string() == actor && part.kind == kind &&
            part.name == name)
          return &part;
    return nullptr;
  }
  // The texts of its lines, with a comma between; "" if it is not there.
  std::string text(const std::string& actor, StateKind kind, const std::string& name = "") const {
    std::string text;
    if (const StatePart* const part = find(actor, kind, name))
      for (const StateLine& line : part->lines) text += (text.empty() ? "" : ", ") + line.text;
    return text;
  }
  std::string asked(const std::string& actor) const {
    std::string names;
    for (const ActorState& state : states_)
      if (state.actor && system_->actor_name(*state.actor).to_string() == actor)
        for (const ActorId other : state.waits_for) names += system_->actor_name(other).to_string();
    return names;
  }

 private:
  std::unique_ptr<Program> program_;
  std::unique_ptr<ErlangSystem> system_;
  std::vector<ActorState> states_;
};

TEST(Inspect, TellsTheStateOfServersOfEachBehaviour) {
  const Inspected program("servers");
  EXPECT_EQ(program.text("P.1", StateKind::kState), "#{value => 5}");
  EXPECT_EQ(program.text("P.2", StateKind::kState), "{down,[pushed,data]}");
  EXPECT_EQ(program.text("P.3", StateKind::kState), "{inspected,false,handled}");
  EXPECT_THAT(program.text("P.1", StateKind::kLinks), StartsWith("registered as server"));
  EXPECT_THAT(program.text("P.1", StateKind::kStack), StartsWith("gen_server:loop/"));
  EXPECT_THAT(program.text("P.1", StateKind::kWaits), StartsWith("waits in a receive of gen_server:loop/"));
  EXPECT_EQ(program.text("P", StateKind::kState), "");
}

TEST(Inspect, TellsWhoseAnswerIsWaitedForAndTheStateBeforeACallback) {
  const Inspected program("call");
  EXPECT_EQ(program.text("P", StateKind::kWaits), "waits for the answer of P.2 (outer)");
  EXPECT_EQ(program.asked("P"), "P.2");
  EXPECT_EQ(program.text("P.2", StateKind::kWaits), "waits for the answer of P.1 (inner)");
  EXPECT_EQ(program.asked("P.2"), "P.1");
  EXPECT_EQ(program.text("P.2", StateKind::kState, "before the callback"), "{asks,<P.1>}");
  EXPECT_EQ(program.text("P.1", StateKind::kState), "deaf");
  EXPECT_EQ(program.asked("P.1"), "");
}

TEST(Inspect, TellsMailboxDictionaryStackAndLinks) {
  const Inspected program("plain");
  EXPECT_EQ(program.text("P", StateKind::kMailbox), "{later,1}, {later,2}");
  EXPECT_EQ(program.text("P", StateKind::kDictionary, "colour"), "{green,1}");
  EXPECT_EQ(program.find("P", StateKind::kDictionary, "$ancestors"), nullptr);
  EXPECT_EQ(program.text("P", StateKind::kWaits), "waits in a receive for now");
  EXPECT_EQ(program.text("P", StateKind::kStack), "inspected:wait_for_now/0");
  const StateLine& place = program.find("P", StateKind::kStack)->lines.front();
  EXPECT_THAT(place.file, HasSubstr("inspected.erl"));
  EXPECT_EQ(place.line, 36u);
  EXPECT_EQ(program.text("P", StateKind::kLinks),
            "traps exits, linked with P.1 (child), monitors P.1 (child)");
  EXPECT_EQ(program.text("P.1", StateKind::kLinks), "registered as child, linked with P, monitored by P");
  EXPECT_EQ(program.text("P.1", StateKind::kStack), "a fun of inspected:plain/0");
}

TEST(Inspect, CutsWhatWouldBeTooLong) {
  const Inspected program("long");
  for (const char* const key : {"doubled", "text"}) {
    const std::string text = program.text("P", StateKind::kDictionary, key);
    EXPECT_GT(text.size(), 50u) << key;
    EXPECT_LT(text.size(), 2 * kInspectedTextMax) << key;
  }
  const StatePart* const mailbox = program.find("P", StateKind::kMailbox);
  ASSERT_NE(mailbox, nullptr);
  EXPECT_EQ(mailbox->lines.size(), kInspectedLinesMax);
  EXPECT_EQ(mailbox->lines.back().text, "… and 201 more");
}

}  // namespace
}  // namespace ravel::erlang
