// Runs the code of machines and monitors: events find their handlers, states are left and entered, and
// instructions are executed, up to the next operation of a machine, the end of its handler, or a bug.
//
// Monitors run inside the step of who sends or announces, before the send is a pending operation, as in P's
// checker. They, too, are run here.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "p/machine/machines.h"
#include "p/machine/opaque_names.h"
#include "p/machine/operators.h"
#include "p/machine/world_listener.h"
#include "p/machine/world_texts.h"

namespace ravel::p {

// How the program broke a rule.
struct Failure {
  std::string kind = {};
  std::string sentence = {};
  Place place = {};
  std::string where = {};  // the machine or monitor, and its state
  std::optional<std::uint32_t> machine = {};
};

// What a machine has sent or announced, for somebody beside the execution.
struct Told {
  std::uint32_t who = 0;
  Message message = {};
};

class Interpreter {
 public:
  static constexpr std::uint32_t kChoicesMax = 10'000;
  static constexpr std::size_t kCallsMax = 10'000;
  // More, without an operation, is an endless loop.
  static constexpr std::uint64_t kInstructionsMax = 20'000'000;
  // Words of values that one step may make, 2 GiB; they are not collected before the next one.
  static constexpr std::size_t kWordsOfStepMax = std::size_t{1} << 28;

  // What it works with. All must outlive it.
  struct Parts {
    const Code& code;
    ValueStore& store;
    const Moves& moves;
    Machines& machines;
    const WorldTexts& texts;
    const OpaqueNames& opaque;
    std::vector<Effect>& effects;  // where monitors that have run are added
  };
  explicit Interpreter(const Parts& parts);
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // Forgets what the execution has printed, told and done wrong; or all that except what it has printed.
  void reset();
  void forget_failure();

  // A step begins, or a monitor: from here on its instructions and values are counted.
  void begin_count() {
    instructions_left_ = kInstructionsMax;
    has_called_foreign_ = false;
    words_before_ = store_.words_used();
  }

  // Each of these runs a machine until it rests before its next operation, or has failed. It enters its
  // first state; ...
  void start(LiveMachine& live);
  // ... it has taken this event in its state, or has found none (kNullEvent); ...
  void take(LiveMachine& live, EventId event, Value payload);
  // ... it has taken this message in a `receive` of this table; ...
  void take_in_receive(LiveMachine& live, std::uint32_t table, const Message& message);
  // ... it does this at rest; ...
  void call(LiveMachine& live, FunctionId function);
  // ... it goes on where it is.
  void go_on(LiveMachine& live);

  // A monitor of the execution begins.
  void begin_monitor(LiveMachine& monitor, MachineId machine);
  // A monitor beside the execution, before it has seen anything, and one that sees an event. Nothing of the
  // execution changes. Nothing: it went well. REQUIRES: no failure().
  LiveMachine monitor_beside(MachineId monitor, std::optional<Failure>& failed);
  std::optional<Failure> show(LiveMachine& monitor, EventId event, Value payload);

  // Hears of all that follows; null: nobody does.
  void listen(WorldListener* listener) { listener_ = listener; }
  // Notes these events when machines tell them; none: nothing.
  void note_told(std::optional<EventSet> events) { noted_events_ = std::move(events); }
  std::vector<Told>& told() { return told_; }

  const std::optional<Failure>& failure() const { return failure_; }
  // What is not supported, and was met.
  const std::optional<Failure>& refusal() const { return refusal_; }
  // Since begin_count().
  bool has_called_foreign() const { return has_called_foreign_; }
  std::string& output() { return output_; }
  const std::string& output() const { return output_; }

 private:
  enum class Pause : std::uint8_t { kOperation, kReturned, kLeft, kFailed };
  // How a handler was left.
  struct Leaving {
    bool is_goto = false;
    StateId target{};
    Value event = Value::null();
    Value payload = Value::null();
  };

  template <class Run>
  std::optional<Failure> run_beside(LiveMachine& monitor, const Run& run);

  // Handlers (handlers.cc). What returns a bool: whether there is a function to run now.
  bool after_function(LiveMachine& live);
  bool leave(LiveMachine& live);
  bool handle(LiveMachine& live, EventId event, Value payload);
  bool begin_transition(LiveMachine& live, StateId target, Value payload);
  bool after_exit(LiveMachine& live);
  bool enter(LiveMachine& live);
  bool begin(LiveMachine& live, FunctionId function, Value payload, bool unwraps);
  void halt(LiveMachine& live);
  bool check_payload(LiveMachine& live, const Type* parameter, Value payload);

  // Code (interpreter.cc).
  Pause execute(LiveMachine& live);
  // False if the code since begin_count() has no end, or is too large; then it failed.
  bool is_within_bounds(LiveMachine& live);
  bool prepare_send(LiveMachine& live, bool has_payload);
  void run_monitors(LiveMachine& live, Value event, Value payload);
  std::optional<std::uint32_t> choices(LiveMachine& live);  // none: it failed
  // On the stack: arguments, and what was chosen so far. Whether it has a result; none: it failed.
  std::optional<bool> call_foreign(LiveMachine& live, FunctionId function);
  Value payload_or_default(Value event, bool has_payload, std::vector<Value>& stack) const;
  std::string formatted(const Expression& format, std::span<const Value> arguments) const;
  bool is_monitor(const LiveMachine& live) const { return &live == beside_ || machines_.has_monitor(live); }
  void fail(LiveMachine& live, std::string kind, std::string sentence);
  void refuse(LiveMachine& live, std::string sentence);
  // Whether there is a reason, which then was told.
  bool is_refused(LiveMachine& live, std::optional<std::string> why);

  const Code& code_;
  const Program& program_;
  ValueStore& store_;
  const Moves& moves_;
  Machines& machines_;
  const WorldTexts& texts_;
  const OpaqueNames& opaque_;
  std::vector<Effect>& effects_;
  Leaving leaving_;
  const LiveMachine* beside_ = nullptr;  // the monitor that runs beside the execution, while it does
  WorldListener* listener_ = nullptr;
  std::optional<EventSet> noted_events_;
  std::vector<Told> told_;
  std::uint64_t instructions_left_ = 0;
  std::size_t words_before_ = 0;
  bool has_called_foreign_ = false;
  std::optional<Failure> failure_;
  std::optional<Failure> refusal_;
  std::string output_;
};

}  // namespace ravel::p
