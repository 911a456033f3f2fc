// A test of a P program as a System: its machines as the engine's actors.
//
// P is the main machine, P.1 the first one that it creates. A machine's queue is a mailbox: `send` puts an
// event there at once, and a machine takes the first one that its state does not defer, or that its `receive`
// has a case for. Monitors are objects that are written by whoever sends or announces what they observe.
//
// Bugs are the errors of P's checker: violated assertions, events that nobody handles, what the language
// forbids; that all machines wait and one of them does so inside a handler; and that a spec is hot when
// nothing can happen any more. An execution ends at its first bug.
//
// Timers can be more than machines (POptions::timers). If they fire at any time, firing is alternative 1 of a
// machine whose alternative 0 is to take an event. If they fire when all wait, an actor `T` chooses which.
//
// Cost: a state is some words for each machine, kept once however many states have them (p/value).

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/inspecting.h"
#include "engine/step_memory.h"
#include "engine/system.h"
#include "explorers/explorer_messages.h"
#include "p/machine/world.h"
#include "p/system/explorer_link.h"
#include "p/system/liveness.h"
#include "p/system/state_numbers.h"

namespace ravel::p {

struct POptions {
  Steps steps = Steps::kOperations;
  TimersFire timers = TimersFire::kAsModelled;
  bool ignores_deadlocks = false;  // all wait, and one of them inside a handler
  bool ignores_liveness = false;   // a spec is hot at the end
  // How many words of values are stored between two collections, at least; 0: they are collected before each
  // step (for tests).
  std::size_t words_between_collections = ValueStore::kDefaultWords;
  StateStorage visited = {};                                 // how numbered states are kept
  bool remembers_steps = true;                               // in searches by states, where that is possible
  std::uint64_t step_memory_max = std::uint64_t{256} << 20;  // then, with hashes of states: bytes, as a rule
  // Machines of these types are interchangeable: states that differ in their names only are one.
  IdSet<MachineId> symmetric = {};
};

class PSystem final : public System,
                      public StepMemory,
                      public ExplorerMessages,
                      public Inspecting,
                      private ValueRoots {
 public:
  static constexpr std::size_t kSpecsMax = Liveness::kSpecsMax;  // for propositions()

  // Both must outlive the system. REQUIRES: the program is whole, and the test is one of it.
  PSystem(const Program& program, const TestCase& test, const POptions& options = {});

  void reset() override;
  std::span<const Transition> enabled() override { return enabled_; }
  ravel::Event step(const Transition& transition) override;
  Outcome outcome() const override { return outcome_; }
  bool stops_others() const override { return world_.failure().has_value(); }
  Bug bug() const override;
  Refusal refusal() const override;
  SystemParts parts() const override {
    return {.snapshots = true, .fingerprints = true, .numbers_states = true, .pending = true};
  }
  std::optional<Snapshot> save() override;
  void restore(Snapshot snapshot) override;
  void release(Snapshot snapshot) override;
  // Of the 56-bit hashes of values: two different states agree with a probability of some 2^-56.
  std::optional<Fingerprint> fingerprint() override;
  std::optional<MetState> number_state() override;
  void go_to(StateNumber state) override;
  void leave(StateNumber state) override { numbers_.leave(state); }
  bool remembers_steps() const override { return numbers_.remembers_steps(); }
  std::optional<Known> repeat(StateNumber from, std::uint32_t index) override {
    return numbers_.repeat(from, index);
  }
  std::span<const Transition> enabled_in(StateNumber state) override { return numbers_.enabled_in(state); }
  std::uint64_t bytes_of_states() const override { return numbers_.bytes(); }
  std::optional<HashedStates> hashed_states() const override { return numbers_.hashed(); }
  // Those of liveness.h. REQUIRES: there are at most kSpecsMax specs.
  std::vector<std::string> propositions() const override { return liveness_.propositions(); }
  Letter letter() override { return liveness_.letter(); }
  bool could_take(std::size_t receive, std::size_t send, std::size_t touch) override;
  std::optional<Touch> pending(const Transition& transition) override;
  std::optional<ActorId> owner_of(std::uint64_t object) override;
  ActorName actor_name(ActorId actor) const override;
  std::optional<ActorId> find_actor(const ActorName& name) const override;
  void set_descriptions(Descriptions) override {}
  EventDescription describe_last() override;
  std::vector<WaitingActor> waiting() override;
  std::string output_so_far() override { return world_.output(); }
  std::vector<ActorState> inspect() override;
  std::vector<ExplorerMessage> take_explorer_messages() override { return explorer_.take_messages(); }

  // Liveness::formulas(), unless liveness is ignored; and Liveness::tell().
  std::vector<std::string> liveness_formulas() const;
  void tell_liveness(const std::string& formula, Bug& bug) const { liveness_.tell(formula, bug); }

  const World& world() const { return world_; }

  // For an explorer of the program's own (p_explorer.h).
  ExplorerLink& explorer_link() { return explorer_; }
  // For one that knows nothing of P (ExplorerLink::kInText).
  void tell_explorer_in_text() { explorer_.begin_in_text(); }

  // `listener` hears of all that machines and monitors do from a new beginning on. It must outlive the
  // system.
  void reset_for(WorldListener& listener) {
    world_.listen(&listener);
    numbers_.forget_steps();
    reset();
  }

 private:
  // What could_take() has to know of an event.
  struct Noted {
    std::optional<Takes> takes = {};
    std::size_t sent = 0;  // its first one in sent_
  };
  struct Sent {
    std::uint32_t touch = 0;
    Value event = Value::none();
  };
  struct Saved {
    std::vector<Value> words;
    std::size_t events = 0;
    std::size_t sent = 0;
    std::size_t output = 0;
  };

  void for_each(const std::function<void(std::span<const Value>)>& visit) override;
  void look();
  void list_timers();
  void note_touches();
  bool is_deadlock() const { return !options_.ignores_deadlocks && !waiting_in_receive().empty(); }
  Bug deadlock() const;
  // The spec by which an execution that ends now is wrong; null: there is none.
  const LiveMachine* hot_spec() const { return options_.ignores_liveness ? nullptr : liveness_.find_hot(); }
  // Machines that wait inside a handler.
  std::vector<std::uint32_t> waiting_in_receive() const;
  std::string waits_for(std::uint32_t who) const;
  std::string describe(const Operation& operation) const;
  std::string actor_text(std::uint32_t who) const;

  const Program& program_;
  ValueStore store_;
  const Code code_;
  const POptions options_;
  World world_;
  Outcome outcome_ = Outcome::kRunning;
  std::vector<Transition> enabled_;
  std::vector<std::uint32_t> armed_;  // timers that time may let fire, by alternative
  std::vector<Touch> touches_;
  std::vector<Noted> noted_;  // by event of this execution
  std::vector<Sent> sent_;
  std::vector<Saved> saved_;  // by snapshot
  std::vector<std::uint32_t> free_;
  std::vector<Value> words_;  // of the state at hand
  StateNumbers numbers_;
  const Liveness liveness_;
  ExplorerLink explorer_;
};

}  // namespace ravel::p
