// All machines and monitors of an execution: what there is, what may happen next, and one step of it.
//
// The idea: a machine rests before each operation (live_machine.h). A step executes the operation and then
// the code up to the next one: handlers, transitions, entries. Monitors run inside the step of who sends or
// announces, before the send is a pending operation, as in P's checker.
//
// Points where others may go on: before the first state is entered, before `new`, before `send`, before an
// event is taken (of the queue, or in `receive`), before a choice. An event that the state ignores is taken
// and dropped in a step of its own.
//
// Invariants: an image is of the machine or monitor as it was when it rested last, unless it is stale; of a
// stale monitor it is none.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "p/machine/live_machine.h"
#include "p/machine/machine_names.h"
#include "p/machine/operators.h"
#include "p/machine/world_listener.h"
#include "p/program/timers.h"
#include "p/value/print.h"

namespace ravel::p {

// What a step has done that others can notice, in its order.
struct Effect {
  enum class Kind : std::uint8_t {
    kCreated,     // machine `who`
    kBegan,       // machine `who`
    kSent,        // to machine `who`
    kSentInVain,  // to machine `who`, which has halted
    kTook,        // from the queue of machine `who`, at place `message`
    kTookOrNot,   // the same, in a state that would have gone on without
    kFoundNone,   // machine `who` went on without
    kChose,       // machine `who` alone knows
    kMonitorRan,  // monitor `who`
    kFired,       // timer `who`, although it may have had something to take
    kTimePassed,  // so that timer `who` fired
  };
  Kind kind = Kind::kBegan;
  std::uint32_t who = 0;
  std::uint32_t message = 0;
};

// How the program broke a rule.
struct Failure {
  std::string kind = {};
  std::string sentence = {};
  Place place = {};
  std::string where = {};  // the machine or monitor, and its state
  std::optional<std::uint32_t> machine = {};
};

// Which events a machine would have taken: all that a state does not defer, or those of a table.
struct Takes {
  bool is_receive = false;
  StateId state{};
  std::uint32_t table = 0;
};

// An operation of a step, for descriptions.
struct Operation {
  enum class Kind : std::uint8_t { kNone, kStart, kCreate, kSend, kTake, kDrop, kTakeNothing, kChoose };
  Kind kind = Kind::kNone;
  std::uint32_t who = 0;
  std::uint32_t other = 0;  // created, or sent to
  Value event = Value::null();
  Value payload = Value::null();
  Place place = {};
  Takes takes = {};
  bool in_vain = false;
  std::uint32_t fair_choice = 0;  // its number, from 1; 0: it is none
  bool is_of_timer = false;       // which fires
};

// What a step is.
enum class Steps : std::uint8_t {
  kOperations,  // one operation, and the code up to the next one
  // The same, but a machine goes on over `new` and `send`: others move when it has handled its event, waits
  // in a `receive`, or chooses. Not all schedules of the program are among these.
  kHandlers,
};

// When timers fire (p/program/timers.h).
enum class TimersFire : std::uint8_t {
  kAsModelled,   // they are machines like any other
  kWhenAllWait,  // time passes when no machine can do anything else
  kAnyTime,      // from their start on, until they are cancelled
};

class World final : public ValueNames, private ValueRoots {
 public:
  static constexpr std::uint32_t kChoicesMax = 10'000;
  static constexpr std::size_t kCallsMax = 10'000;
  // More, without an operation, is an endless loop.
  static constexpr std::uint64_t kInstructionsMax = 20'000'000;
  // Words of values that one step may make, 2 GiB; they are not collected before the next one.
  static constexpr std::size_t kWordsOfStepMax = std::size_t{1} << 28;

  // `symmetric`: machines of these types are interchangeable, which is watched (opaque_names.cc).
  World(const Code& code, ValueStore& store, Steps steps, TimersFire timers = TimersFire::kAsModelled,
        IdSet<MachineId> symmetric = {});
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // A monitor beside the execution, before it has seen anything, and one that sees an event. Nothing of the
  // execution changes. Nothing: it went well. REQUIRES: no failure().
  LiveMachine monitor_beside(MachineId monitor, std::optional<Failure>& failed);
  std::optional<Failure> show(LiveMachine& monitor, EventId event, Value payload);
  // What a machine has sent or announced, for somebody beside the execution.
  struct Told {
    std::uint32_t who = 0;
    Message message = {};
  };
  // Notes these events; none: nothing.
  void note_told(std::optional<EventSet> events) { noted_events_ = std::move(events); }
  std::vector<Told>& told() { return told_; }

  // Hears of all that follows; null: nobody does.
  void listen(WorldListener* listener) { listener_ = listener; }

  void reset();
  // How many alternatives the next step of this machine has; 0: it waits, or has halted.
  std::uint32_t alternatives(std::uint32_t who) const { return actors_[who].alternatives; }
  // REQUIRES: alternative < alternatives(who).
  void step(std::uint32_t who, std::uint32_t alternative);
  // Whether it is a timer that was started, not cancelled, and may fire as far as it is asked.
  bool is_armed(std::uint32_t who) const {
    return actors_[who].exists && actors_[who].live.phase == Phase::kIdle &&
           timer_of(actors_[who].live.state) != nullptr;
  }
  // It chooses to fire, sends what it sends then, and goes to its next state: in one step.
  // REQUIRES: is_armed(who).
  void fire(std::uint32_t who);

  // How many machines there may be: those that the names know.
  std::size_t size() const { return actors_.size(); }
  const MachineNames& names() const { return names_; }
  // Of the machine that this one creates as its how-many-th, whether it has ever done so or not.
  MachineNames::Index name_of(MachineNames::Index parent, std::uint32_t ordinal);
  const IdSet<MachineId>& symmetric() const { return symmetric_; }
  bool exists(std::uint32_t who) const { return actors_[who].exists; }
  const LiveMachine& live(std::uint32_t who) const { return actors_[who].live; }
  const std::vector<LiveMachine>& monitors() const { return monitors_; }

  std::span<const Effect> effects() const { return effects_; }
  // Of the last step.
  std::span<const Operation> operations() const { return operations_; }
  // The operation that comes next, as far as it is known: kind and objects.
  Operation next(std::uint32_t who);
  const std::optional<Failure>& failure() const { return failure_; }
  // What is not supported, and was met.
  const std::optional<Failure>& refusal() const { return refusal_; }
  bool would_take(const Takes& takes, Value event) const;
  std::string& output() { return output_; }
  const std::string& output() const { return output_; }

  // The state: an image for each machine (none: it does not exist), then one for each monitor.
  void save(std::vector<Value>& words);
  void restore(std::span<const Value> words);

  // Frees values, if that is worth its cost. `others`: what is still used, except by this execution.
  void collect_if_due(ValueRoots& others);

  // Of a machine or monitor, as messages call it: Client(P.2)
  std::string text_of(std::uint32_t who) const;
  std::string_view state_of(const LiveMachine& live) const;
  Place place_of(const LiveMachine& live) const;
  std::string event(std::uint32_t number) const override;
  std::string machine(std::uint32_t number) const override;
  std::span<const std::string_view> fields(std::uint32_t shape) const override;
  std::string_view type_name(std::uint32_t number) const override;
  std::optional<std::string> shown(Value foreign) const override;

 private:
  struct Actor {
    bool exists = false;
    bool is_stale = false;  // the image is
    std::uint32_t alternatives = 0;
    Value image = Value::none();
    LiveMachine live = {};
  };
  enum class Pause : std::uint8_t { kOperation, kReturned, kLeft, kFailed };
  // How a handler was left.
  struct Leaving {
    bool is_goto = false;
    StateId target{};
    Value event = Value::null();
    Value payload = Value::null();
  };

  void for_each(const std::function<void(std::span<const Value>)>& visit) override;
  void for_each_of(const LiveMachine& live, const std::function<void(std::span<const Value>)>& visit) const;

  // Steps.
  Operation& now() { return operations_.back(); }
  std::uint32_t count_alternatives(const LiveMachine& live) const;
  std::optional<std::size_t> first_taken(const LiveMachine& live, const Takes& takes) const;
  Takes takes_of(const LiveMachine& live) const;
  bool has_null_handler(const LiveMachine& live) const {
    return code_.reaction(live.state, kNullEvent) != nullptr;
  }
  std::uint32_t add_machine(MachineNames::Index who, std::uint32_t bound);
  void begin_step(std::uint32_t who);
  void begin_monitor(LiveMachine& monitor, MachineId machine);
  template <class Run>
  std::optional<Failure> run_beside(LiveMachine& monitor, const Run& run);
  void perform(std::uint32_t who, std::uint32_t alternative);
  // Null unless it is the state of a timer that is started, and timers are no machines like others.
  const Timer* timer_of(StateId state) const {
    return timers_.known.empty() ? nullptr : timers_.of_state(state);
  }
  bool goes_on(const LiveMachine& live) const;
  void begin_count() {
    instructions_left_ = kInstructionsMax;
    words_before_ = store_.words_used();
  }
  // False if the code since begin_count() has no end, or is too large; then it failed.
  bool is_within_bounds(LiveMachine& live);
  void take(std::uint32_t who);
  void take_in_receive(std::uint32_t who);
  void create(std::uint32_t who);
  void send(std::uint32_t who);
  void choose(std::uint32_t who, std::uint32_t alternative);

  // Handlers. What returns a bool: whether there is a function to run now.
  void go_on(LiveMachine& live);
  bool after_function(LiveMachine& live);
  bool leave(LiveMachine& live);
  bool handle(LiveMachine& live, EventId event, Value payload);
  bool begin_transition(LiveMachine& live, StateId target, Value payload);
  bool after_exit(LiveMachine& live);
  bool enter(LiveMachine& live);
  bool begin(LiveMachine& live, FunctionId function, Value payload, bool unwraps);
  void halt(LiveMachine& live);
  bool check_payload(LiveMachine& live, const Type* parameter, Value payload);

  // Names of machines that are interchangeable (opaque_names.cc).
  std::optional<std::uint32_t> symmetric_in(Value value) const;
  bool may_use_names(LiveMachine& live, std::span<const Value> values, const char* use);
  bool may_list(LiveMachine& live, Value collection);
  bool may_format(LiveMachine& live, std::span<const Value> values);

  // Code (interpreter.cc).
  Pause execute(LiveMachine& live);
  bool prepare_send(LiveMachine& live, bool has_payload);
  void run_monitors(LiveMachine& live, Value event, Value payload);
  std::optional<std::uint32_t> choices(LiveMachine& live);  // none: it failed
  bool is_monitor(const LiveMachine& live) const {
    return &live == beside_ || (&live >= monitors_.data() && &live < monitors_.data() + monitors_.size());
  }
  // On the stack: arguments, and what was chosen so far. Whether it has a result; none: it failed.
  std::optional<bool> call_foreign(LiveMachine& live, FunctionId function);
  Value payload_or_default(Value event, bool has_payload, std::vector<Value>& stack) const;
  std::string formatted(const Expression& format, std::span<const Value> arguments) const;
  void fail(LiveMachine& live, std::string kind, std::string sentence);
  void refuse(LiveMachine& live, std::string sentence);
  bool fits(Value value, const Type* type) const;
  const EventSet& received_by(Value machine) const;

  const Code& code_;
  const Program& program_;
  ValueStore& store_;
  const Steps steps_;
  const TimersFire fire_;
  const Timers timers_;  // none, if they are machines like others
  const IdSet<MachineId> symmetric_;
  MachineNames names_;
  std::vector<Actor> actors_;          // by index of the name
  std::vector<LiveMachine> monitors_;  // by place in Code::monitors
  std::vector<Value> monitor_images_;
  std::vector<Effect> effects_;
  std::vector<Operation> operations_;
  Leaving leaving_;
  const LiveMachine* beside_ = nullptr;  // the monitor that runs beside the execution, while it does
  std::optional<EventSet> noted_events_;
  std::vector<Told> told_;
  WorldListener* listener_ = nullptr;
  std::uint64_t instructions_left_ = 0;
  std::size_t words_before_ = 0;
  std::optional<Failure> failure_;
  std::optional<Failure> refusal_;
  std::string output_;
};

}  // namespace ravel::p
