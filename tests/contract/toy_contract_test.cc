// The toy systems keep the contract of a System, and those that break a promise on purpose are found out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "engine/system_wrapper.h"
#include "tests/contract/contract.h"
#include "tests/toy/message_system.h"
#include "tests/toy/programs.h"
#include "tests/toy/toy_system.h"

namespace ravel::contract {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::StartsWith;
using toy::Act;
using toy::MessageProgram;
using toy::MessageSystem;
using toy::Op;
using toy::ToySystem;

TEST(Contract, CountersKeepIt) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const toy::Program program = toy::random_program(random,
                                                     {{Op::kWrite, 0},
                                                      {Op::kWrite, 1},
                                                      {Op::kGive, 0},
                                                      {Op::kTake, 0},
                                                      {Op::kChoose, 1},
                                                      {Op::kRequire, 1}},
                                                     3, 4);
    SCOPED_TRACE(to_string(program));
    for (const toy::Rewinding rewinding : {toy::Rewinding::kSnapshots, toy::Rewinding::kResetOnly}) {
      ToySystem system(program, {.rewinding = rewinding, .blocking = toy::Blocking::kAvoided});
      EXPECT_THAT(broken_promises(system, {.seed = seed, .executions = 10}), IsEmpty());
    }
  }
}

TEST(Contract, MessagesAndLocksKeepIt) {
  const std::vector<std::vector<Act>> alphabets = {
      {Act::kRead, Act::kWrite, Act::kAdd, Act::kBranch, Act::kClaim, Act::kWriteTwo, Act::kChoose},
      {Act::kSend, Act::kSendTwo, Act::kReceive, Act::kReceiveOr, Act::kWrite},
      {Act::kLock, Act::kUnlock, Act::kPost, Act::kTake, Act::kTryLock, Act::kAdd},
      {Act::kSend, Act::kReceiveOr, Act::kKill, Act::kWrite, Act::kStop},
  };
  for (const std::vector<Act>& acts : alphabets) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      Random random(seed);
      const MessageProgram program = toy::random_message_program(random, acts, 3, 4);
      SCOPED_TRACE(to_string(program));
      MessageSystem system(program);
      EXPECT_THAT(broken_promises(system, {.seed = seed, .executions = 10}), IsEmpty());
    }
  }
}

const toy::Program kTakers = {{{Op::kSpawn, 1}, {Op::kSpawn, 2}, {Op::kGive, 0}, {Op::kTake, 0}},
                              {{Op::kTake, 0}},
                              {{Op::kWrite, 1}, {Op::kGive, 0}}};

TEST(Contract, ASystemThatLeavesOutThatOperationsBlockFails) {
  class Silent final : public SystemWrapper {
   public:
    using SystemWrapper::SystemWrapper;
    bool operations_block() const override { return false; }
  };
  ToySystem system(kTakers);
  Silent silent(system);
  EXPECT_THAT(broken_promises(system), IsEmpty());
  EXPECT_THAT(broken_promises(silent), Contains(StartsWith("operations_block")));
}

TEST(Contract, ASystemThatLiesAboutAFootprintFails) {
  class Liar final : public SystemWrapper {
   public:
    using SystemWrapper::SystemWrapper;
    Event step(const Transition& transition) override {
      const Event event = SystemWrapper::step(transition);
      return {.actor = event.actor, .alternative = event.alternative, .footprint = {}};
    }
  };
  ToySystem system(kTakers);
  Liar liar(system);
  EXPECT_THAT(broken_promises(liar), Contains(StartsWith("footprints")));
}

TEST(Contract, ASystemThatIsNotDeterministicFails) {
  class Moody final : public SystemWrapper {
   public:
    using SystemWrapper::SystemWrapper;
    void reset() override {
      SystemWrapper::reset();
      is_odd_ = !is_odd_;
    }
    std::optional<Fingerprint> fingerprint() override {
      std::optional<Fingerprint> print = SystemWrapper::fingerprint();
      if (print && is_odd_) ++print->low;
      return print;
    }

   private:
    bool is_odd_ = false;
  };
  ToySystem calm(kTakers);
  Moody moody(calm);
  EXPECT_THAT(broken_promises(moody), Contains(StartsWith("determinism")));
}

TEST(Contract, ASystemWhoseSnapshotsForgetFails) {
  class Forgetful final : public SystemWrapper {
   public:
    using SystemWrapper::SystemWrapper;
    void restore(Snapshot) override { SystemWrapper::reset(); }
  };
  ToySystem system(kTakers);
  Forgetful forgetful(system);
  EXPECT_THAT(broken_promises(forgetful), Contains(StartsWith("determinism")));
}

TEST(Contract, ASystemThatTakesTwoStatesForOneFails) {
  // The fourth state takes the number of the third one, and all later ones move up.
  class Numb final : public SystemWrapper {
   public:
    using SystemWrapper::SystemWrapper;
    std::optional<MetState> number_state() override {
      const std::optional<MetState> met = SystemWrapper::number_state();
      if (!met) return met;
      const auto number = static_cast<std::uint32_t>(met->number);
      return MetState{.number = StateNumber{number < 3 ? number : number - 1},
                      .is_new = met->is_new && number != 3};
    }
    void go_to(StateNumber state) override {
      const auto number = static_cast<std::uint32_t>(state);
      SystemWrapper::go_to(StateNumber{number < 3 ? number : number + 1});
    }
  };
  ToySystem system(kTakers);
  Numb numb(system);
  EXPECT_THAT(broken_promises(numb), Contains(StartsWith("equal numbers")));
}

TEST(Contract, ASystemThatGoesToAnotherStateFails) {
  class Astray final : public SystemWrapper {
   public:
    using SystemWrapper::SystemWrapper;
    void go_to(StateNumber) override { SystemWrapper::go_to(StateNumber{0}); }
  };
  ToySystem system(kTakers);
  Astray astray(system);
  EXPECT_THAT(broken_promises(astray), Contains(StartsWith("going to numbers")));
}

TEST(Contract, ASystemThatDoesSomethingElseInAStateThatItWentToFails) {
  class Mute final : public SystemWrapper {
   public:
    using SystemWrapper::SystemWrapper;
    void go_to(StateNumber state) override {
      SystemWrapper::go_to(state);
      has_gone_ = true;
    }
    void reset() override {
      SystemWrapper::reset();
      has_gone_ = false;
    }
    Event step(const Transition& transition) override {
      const Event event = SystemWrapper::step(transition);
      return {.actor = event.actor,
              .alternative = event.alternative,
              .footprint = has_gone_ ? std::span<const Touch>() : event.footprint};
    }

   private:
    bool has_gone_ = false;
  };
  ToySystem system(kTakers);
  Mute mute(system);
  EXPECT_THAT(broken_promises(mute), Contains(StartsWith("equal numbers")));
}

TEST(Contract, ASystemThatTellsActorsInAnotherOrderFails) {
  class Backwards final : public SystemWrapper {
   public:
    using SystemWrapper::SystemWrapper;
    std::span<const Transition> enabled() override {
      const auto all = SystemWrapper::enabled();
      reversed_.assign(all.rbegin(), all.rend());
      return reversed_;
    }

   private:
    std::vector<Transition> reversed_;
  };
  ToySystem system(kTakers);
  Backwards backwards(system);
  EXPECT_THAT(broken_promises(backwards), Contains(StartsWith("order")));
}

}  // namespace
}  // namespace ravel::contract
