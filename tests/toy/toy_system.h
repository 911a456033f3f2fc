// A System small enough to reason about: actors that execute short fixed programs on counters.
//
// Each counter starts at 0. Every operation is one step; the only one that can wait is kTake. An actor's
// program is over after its last operation. The logical name of actor i is P if i is 0, else P.i;
// ids run against the logical order, so that nobody can get away with ordering by id.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/system.h"
#include "tests/toy/numbered_copies.h"

namespace ravel::toy {

enum class Op : std::uint8_t {
  kWrite,    // touches the counter, changes nothing
  kGive,     // adds one
  kTake,     // waits until the counter is positive, then subtracts one
  kChoose,   // a data choice: alternative 0 adds one, alternative 1 does not
  kRequire,  // the bug "assertion" unless the counter is positive
  kSpawn,    // starts actor number `object`
  kAgain,    // goes back to the start of this actor's program
  kRefuse,   // is unsupported
  kEnd,      // ends the execution, also for the others
};

struct Operation {
  Op op = Op::kWrite;
  std::uint32_t object = 0;

  std::string to_string() const;
  friend auto operator<=>(const Operation&, const Operation&) = default;
};

using Program = std::vector<std::vector<Operation>>;  // by actor

std::string to_string(const Program& program);

enum class Rewinding : std::uint8_t { kSnapshots, kResetOnly };
enum class Blocking : std::uint8_t {
  kAvoided,
  kStep
};  // kStep: an actor that must wait has a kBlocks transition

class ToySystem final : public System {
 public:
  struct Options {
    Rewinding rewinding = Rewinding::kSnapshots;
    Blocking blocking = Blocking::kAvoided;
  };

  explicit ToySystem(Program program) : ToySystem(std::move(program), Options{}) {}
  ToySystem(Program program, Options options);

  void reset() override;
  std::span<const Transition> enabled() override;
  Event step(const Transition& transition) override;
  std::optional<Touch> pending(const Transition& transition) override;
  std::optional<ActorId> owner_of(std::uint64_t object) override;
  // Takers of one counter.
  bool operations_block() const override;
  std::vector<ActorId> blocked() override;
  Outcome outcome() const override { return outcome_; }
  bool stops_others() const override { return state_.last_operation.op == Op::kEnd; }
  Bug bug() const override;
  Refusal refusal() const override;
  SystemParts parts() const override {
    const bool saves = options_.rewinding == Rewinding::kSnapshots;
    return {.snapshots = saves,
            .whole_snapshots = saves,
            .fingerprints = true,
            .numbers_states = true,
            .pending = true};
  }
  std::optional<Fingerprint> fingerprint() override;
  std::optional<Snapshot> save() override;
  void restore(Snapshot snapshot) override;
  void release(Snapshot snapshot) override;
  std::optional<MetState> number_state() override;
  void go_to(StateNumber state) override;
  std::uint64_t bytes_of_states() const override { return numbered_.bytes(); }
  ActorName actor_name(ActorId actor) const override;
  std::optional<ActorId> find_actor(const ActorName& name) const override;
  void set_descriptions(Descriptions) override {}
  EventDescription describe_last() override;
  std::string output_so_far() override;

  // All that decides what can happen next, and nothing else. Empty: the last step has ended the execution by
  // a violated kRequire or by kRefuse.
  std::string state_text() const;

  std::size_t snapshots_alive() const { return snapshots_alive_; }
  std::size_t snapshots_alive_max() const { return snapshots_alive_max_; }
  std::uint64_t steps() const { return steps_; }

  // Makes the program misbehave from now on: one actor less is enabled wherever several are.
  void become_nondeterministic() { nondeterministic_ = true; }

 private:
  struct Actor {
    std::uint32_t next = 0;  // index of the pending operation
    bool started = false;
    bool waiting = false;  // has executed its kBlocks step
  };
  struct State {
    std::vector<Actor> actors;
    std::vector<std::uint32_t> counters;
    std::uint32_t last_actor = 0;
    Operation last_operation;
    std::uint32_t failed = 0;  // who violated kRequire
  };

  std::uint32_t index_of(ActorId actor) const;
  ActorId id_of(std::uint32_t index) const;
  const Operation* pending(std::uint32_t index) const;
  void look();
  bool was_spawned(std::uint32_t index) const;

  const Program program_;
  const Options options_;
  State state_;
  Outcome outcome_ = Outcome::kRunning;
  const char* bug_kind_ = "";
  std::vector<Transition> enabled_;
  Touch touch_;
  std::array<Touch, 2> touches_;
  std::vector<State> saved_;
  std::vector<std::uint32_t> free_;
  NumberedCopies<State> numbered_;
  std::size_t snapshots_alive_ = 0;
  std::size_t snapshots_alive_max_ = 0;
  std::uint64_t steps_ = 0;
  bool nondeterministic_ = false;
};

}  // namespace ravel::toy
