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

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/inspecting.h"
#include "engine/system.h"
#include "explorers/explorer_messages.h"
#include "p/machine/world.h"
#include "p/system/state_symmetry.h"
#include "states/kept_states.h"
#include "states/keyed_numbers.h"
#include "states/state_table.h"
#include "states/visited_hashes.h"

namespace ravel::p {

struct POptions {
  Steps steps = Steps::kOperations;
  TimersFire timers = TimersFire::kAsModelled;
  bool ignores_deadlocks = false;  // all wait, and one of them inside a handler
  bool ignores_liveness = false;   // a spec is hot at the end
  // How many words of values are stored between two collections, at least; 0: they are collected before each
  // step (for tests).
  std::size_t words_between_collections = ValueStore::kDefaultWords;
  StateStorage visited = {};  // how numbered states are kept
  // Machines of these types are interchangeable: states that differ in their names only are one.
  IdSet<MachineId> symmetric = {};
};

class PSystem final : public System, public ExplorerMessages, public Inspecting, private ValueRoots {
 public:
  static constexpr std::size_t kSpecsMax = 24;       // two propositions each
  static constexpr std::size_t kFairChoicesMax = 5;  // the same; each makes automata larger

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
  void leave(StateNumber state) override {
    if (visited_) kept_.leave(state);
  }
  std::uint64_t bytes_of_states() const override;
  std::optional<HashedStates> hashed_states() const override {
    return visited_ ? std::optional(visited_->told()) : std::nullopt;
  }
  // hot(Name) and cold(Name) of each spec, for the kind of state that it is in; fair_true(N) and
  // fair_false(N) of the fair choices of the program, for the step that chose so. REQUIRES: there are at most
  // kSpecsMax specs.
  std::vector<std::string> propositions() const override;
  Letter letter() override;
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

  // Of each spec that has a hot state: an execution without an end that is hot again and again gets cold
  // again and again, if each fair choice that is made again and again is made in both ways again and again.
  // Places count, not machines: a choice that one of several machines makes in the other way is fair.
  // Of choices behind the first kFairChoicesMax it is not taken for granted.
  std::vector<std::string> liveness_formulas() const;
  // Makes of the bug that this formula is violated that of the spec, if it is one of liveness_formulas().
  // REQUIRES: the present state is one of those that come again and again.
  void tell_liveness(const std::string& formula, Bug& bug) const;

  const World& world() const { return world_; }

  // For an explorer of the program's own (p_explorer.h), which runs beside the execution. `roots`: its
  // values.
  void begin_explorer(MachineId machine, ValueRoots& roots);
  // For an explorer that knows nothing of P: it is told of the events whose names begin with this word, as
  // text, "eExplorerReady" or "eExplorerFirst Worker(P.2)".
  static constexpr std::string_view kForExplorers = "eExplorer";
  void tell_explorer_in_text();
  void end_explorer();
  LiveMachine new_explorer(MachineId machine);
  Value image_of_explorer(const LiveMachine& live);
  // False if it fails, which is a refusal from the next step on.
  bool show_to_explorer(LiveMachine& live, EventId event, Value payload);
  std::vector<ExplorerMessage> take_explorer_messages() override;
  // What was taken last.
  const Message& told_explorer(std::size_t number) const { return told_.at(number).message; }
  std::string name_of_machine(MachineId machine) const { return std::string(program_.machine(machine).name); }
  // Null of what is no machine.
  Value value_of(ActorId actor) const;
  std::optional<ActorId> actor_of(Value machine) const;
  // REQUIRES: the event carries a named tuple of so many parts.
  Value payload_of(EventId event, std::span<const Value> parts);

  // `listener` hears of all that machines and monitors do from a new beginning on. It must outlive the
  // system.
  void reset_for(WorldListener& listener) {
    world_.listen(&listener);
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
  std::optional<MetState> number_hash();
  StateTable::Insertion insert(std::span<const Value> words);
  std::optional<MetState> number_by_key();
  StateTable::Node node_of(Value image);
  Value image_at(StateTable::Node node) const;
  void recall(std::uint32_t state);
  bool is_time(ActorId actor) const {
    return options_.timers == TimersFire::kWhenAllWait &&
           static_cast<std::uint32_t>(actor) == MachineNames::kTime;
  }
  void note_touches();
  std::string name_of(const LiveMachine& monitor) const {
    return std::string(program_.machine(monitor.machine).name);
  }
  std::size_t fair_choices() const { return std::min(code_.fair_choices.size(), kFairChoicesMax); }
  bool may_get_hot(const LiveMachine& monitor) const;
  std::string liveness_formula(const LiveMachine& monitor) const;
  void note_place(Bug& bug, Place place) const;
  bool is_deadlock() const { return !options_.ignores_deadlocks && !waiting_in_receive().empty(); }
  Bug deadlock() const;
  std::optional<std::size_t> hot_monitor() const;
  bool is(const LiveMachine& monitor, Temperature temperature) const;
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
  ValueRoots* explorer_ = nullptr;  // its values
  std::optional<Failure> explorer_failure_;
  std::vector<Told> told_;
  std::vector<Value> words_;
  // Visited states as hashes of their content, if they are not kept, and those that are not left.
  const std::unique_ptr<VisitedHashes> visited_;
  KeptStates<Value> kept_;
  StateTable table_;             // if they are kept
  std::vector<Value> numbered_;  // the state that was numbered or gone to last; they stay in the table
  std::vector<StateTable::Node> nodes_;  // of it
  // With POptions::symmetric a state is met if one was that differs in names only. The search goes on from
  // the one that was met first.
  std::optional<StateSymmetry> symmetry_;
  KeyedNumbers numbers_;
};

}  // namespace ravel::p
