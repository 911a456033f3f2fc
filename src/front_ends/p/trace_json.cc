#include "front_ends/p/trace_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "p/value/object.h"
#include "p/value/ordered_tree.h"
#include "p/value/print.h"
#include "p/value/sequence.h"

namespace ravel::p {

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::map<std::string, std::uint64_t>;

class TraceWriter final : private ValueNames, public WorldListener {
 public:
  TraceWriter(const Program& program, const PSystem& system) : program_(program), world_(system.world()) {}

  // After a reset(), of which it has heard.
  void begin();
  void note_step();
  std::string finish(std::string_view error, std::string_view strategy);

  void note_entered(const LiveMachine& live, StateId state) override {
    hear({.kind = Heard::Kind::kEntered, .state = state}, live);
  }
  void note_left(const LiveMachine& live, StateId target) override {
    hear({.kind = Heard::Kind::kLeft, .state = live.state, .target = target}, live);
  }
  void note_reaction(const LiveMachine&, EventId, Reaction) override {}
  void note_raised(const LiveMachine& live, const Message& message) override {
    hear({.kind = Heard::Kind::kRaised, .state = live.state, .message = message}, live);
  }
  void note_told(const LiveMachine&, EventId) override {}
  void note_observed(const LiveMachine& monitor, const LiveMachine& by, const Message& message) override {
    hear({.kind = Heard::Kind::kObserved, .state = monitor.state, .message = message, .by = by.number},
         monitor);
  }

 private:
  // What a machine or monitor has done inside of a step.
  struct Heard {
    enum class Kind : std::uint8_t { kEntered, kLeft, kRaised, kObserved };
    Kind kind = Kind::kEntered;
    StateId state{};
    StateId target{};  // of kLeft
    Message message{.event = Value::null(), .payload = Value::null()};
    std::uint32_t by = 0;  // of kObserved: the number of the machine that sends or announces
    MachineId machine{};
    std::uint32_t number = 0;   // of the machine; of a monitor none
    std::size_t operation = 0;  // how many operations of the step had begun
    std::size_t output = 0;     // how much was printed
  };
  // As it was when the last step was told.
  struct Known {
    bool exists = false;
    bool has_halted = false;
    StateId state{};
  };
  struct Sent {
    std::string what;  // event and payload
    Clock clock;
  };

  std::string event(std::uint32_t number) const override { return world_.texts().event(number); }
  std::string machine(std::uint32_t number) const override { return name(world_.names().index_of(number)); }
  std::span<const std::string_view> fields(std::uint32_t shape) const override {
    return world_.texts().fields(shape);
  }
  std::string_view type_name(std::uint32_t number) const override { return world_.texts().type_name(number); }
  std::optional<std::string> shown(Value foreign) const override { return world_.texts().shown(foreign); }
  std::string type(std::uint32_t who) const {
    return std::string(program_.machine(world_.live(who).machine).name);
  }
  std::string name(std::uint32_t who) const;
  std::string state_name(StateId state) const { return std::string(program_.state(state).name); }
  Json to_json(Value value) const;
  std::string event_text(Value event, Value payload) const;
  std::string event_text(const Operation& operation) const {
    return event_text(operation.event, operation.payload);
  }

  void add(const char* kind, const std::string& log, Json details, const std::string& who = {});
  void tell(const Operation& operation);
  void tell_taken(const Operation& operation);
  void hear(Heard heard, const LiveMachine& live);
  void tell(const Heard& heard);
  void tell_of_machine(const Heard& heard);
  void tell_of_monitor(const Heard& heard);
  void tell_halt(std::uint32_t who);
  void tell_output(std::size_t end);
  Known& known(std::uint32_t who);

  const Program& program_;
  const World& world_;
  std::vector<std::uint32_t> created_;               // in their order
  std::vector<Known> known_;                         // by machine
  std::vector<Heard> heard_;                         // since the last step
  std::map<std::uint32_t, std::vector<Sent>> sent_;  // what was sent to a machine and not taken
  std::map<std::string, Clock> clocks_;
  std::size_t told_output_ = 0;
  Json all_ = Json::array();
};

std::string TraceWriter::name(std::uint32_t who) const {
  const auto place = std::ranges::find(created_, who);
  return fmt::format("{}({})", type(who), place - created_.begin() + 1);
}

TraceWriter::Known& TraceWriter::known(std::uint32_t who) {
  if (who >= known_.size()) known_.resize(who + 1);
  return known_[who];
}

Json TraceWriter::to_json(Value value) const {
  if (value.is_null() || value.is_none()) return nullptr;
  if (value.is_boolean()) return value.truth();
  if (is_integer(value)) return integer_value(value);
  if (is_float(value)) return float_value(value);
  if (is_tuple(value) || is_named_tuple(value)) {
    Json parts = Json::object();
    for (std::size_t i = 0; i < tuple_size(value); ++i) {
      const std::string field =
          is_tuple(value) ? std::to_string(i) : std::string(world_.texts().fields(tuple_shape(value))[i]);
      parts[field] = to_json(tuple_part(value, i));
    }
    return parts;
  }
  if (is_map(value)) {
    Json entries = Json::object();
    const std::vector<Value> keys = ordered::keys(value), values = ordered::values(value);
    for (std::size_t i = 0; i < keys.size(); ++i) entries[to_text(keys[i], *this)] = to_json(values[i]);
    return entries;
  }
  if (is_seq(value) || is_set(value)) {
    Json elements = Json::array();
    for (const Value one : is_seq(value) ? seq::elements(value) : ordered::keys(value))
      elements.push_back(to_json(one));
    return elements;
  }
  return to_text(value, *this);
}

std::string TraceWriter::event_text(Value what, Value payload) const {
  const std::string text = event(what.event_number());
  return payload.is_null() ? text : text + " with payload (" + to_text(payload, *this) + ")";
}

// `who` is whose clock goes on; empty: nobody's.
void TraceWriter::add(const char* kind, const std::string& log, Json details, const std::string& who) {
  Json whole = {{"log", log}};
  whole.update(details);
  if (!who.empty()) {
    Clock& clock = clocks_[who];
    ++clock[who];
    whole["clock"] = clock;
  }
  all_.push_back({{"type", kind}, {"details", std::move(whole)}});
}

void TraceWriter::begin() {
  for (const LiveMachine& monitor : world_.monitors()) {
    const std::string name(program_.machine(monitor.machine).name);
    add("CreateMonitor", name + " was created.", {{"monitor", name}}, name);
    for (const Heard& heard : heard_)
      if (heard.machine == monitor.machine) tell(heard);
  }
  heard_.clear();
  created_.push_back(MachineNames::kRoot);
  known(MachineNames::kRoot).exists = true;
  const std::string main = name(MachineNames::kRoot);
  add("CreateStateMachine", main + " was created by the test.", {{"id", main}}, main);
}

void TraceWriter::note_step() {
  std::size_t begun = 0;
  auto heard = heard_.begin();
  for (const Operation& operation : world_.operations()) {
    tell(operation);
    ++begun;
    for (; heard != heard_.end() && heard->operation <= begun; ++heard) {
      tell_output(heard->output);
      tell(*heard);
    }
  }
  tell_output(world_.output().size());
  tell_halt(world_.operations().front().who);
  heard_.clear();
}

void TraceWriter::hear(Heard heard, const LiveMachine& live) {
  heard.machine = live.machine;
  heard.number = live.number;
  heard.operation = world_.operations().size();
  heard.output = world_.output().size();
  heard_.push_back(heard);
}

void TraceWriter::tell(const Heard& heard) {
  if (program_.machine(heard.machine).is_monitor()) {
    tell_of_monitor(heard);
  } else {
    tell_of_machine(heard);
  }
}

void TraceWriter::tell(const Operation& operation) {
  const std::string who = name(operation.who);
  const std::string state = state_name(known(operation.who).state);
  switch (operation.kind) {
    case Operation::Kind::kCreate: {
      created_.push_back(operation.other);
      known(operation.other) = {.exists = true};
      const std::string other = name(operation.other);
      add("CreateStateMachine", other + " was created by " + who + ".",
          {{"id", other}, {"creatorName", who}, {"creatorType", type(operation.who)}}, other);
      return;
    }
    case Operation::Kind::kSend: {
      const std::string target = name(operation.other);
      Json details = {{"sender", who},
                      {"state", state},
                      {"event", event(operation.event.event_number())},
                      {"target", target},
                      {"isTargetHalted", operation.in_vain}};
      if (!operation.payload.is_null()) details["payload"] = to_json(operation.payload);
      add("SendEvent",
          fmt::format("'{}' in state '{}' sent event '{}' to '{}'{}.", who, state, event_text(operation),
                      target, operation.in_vain ? " which has halted" : ""),
          std::move(details), who);
      if (!operation.in_vain)
        sent_[operation.other].push_back({.what = event_text(operation), .clock = clocks_[who]});
      return;
    }
    case Operation::Kind::kTake:
    case Operation::Kind::kDrop: return tell_taken(operation);
    case Operation::Kind::kTakeNothing:
      return add("DefaultEventHandler", who + " is executing the default handler in state '" + state + "'.",
                 {{"id", who}, {"state", state}}, who);
    case Operation::Kind::kNone:
    case Operation::Kind::kStart:
    case Operation::Kind::kChoose: return;
  }
}

void TraceWriter::tell_taken(const Operation& operation) {
  std::vector<Sent>& queue = sent_[operation.who];
  const auto sent = std::ranges::find(queue, event_text(operation), &Sent::what);
  CHECK(sent != queue.end());
  const Clock clock = std::move(sent->clock);
  queue.erase(sent);
  if (operation.kind == Operation::Kind::kDrop) return;
  const std::string who = name(operation.who);
  for (const auto& [other, ticks] : clock) {
    std::uint64_t& mine = clocks_[who][other];
    mine = std::max(mine, ticks);
  }
  const std::string state = state_name(known(operation.who).state);
  Json details = {{"id", who}, {"event", event(operation.event.event_number())}, {"state", state}};
  const bool is_receive = operation.takes.is_receive;
  if (is_receive) details["wasBlocked"] = true;
  if (!operation.payload.is_null()) details["payload"] = to_json(operation.payload);
  add(is_receive ? "ReceiveEvent" : "DequeueEvent",
      fmt::format("'{}' dequeued event '{}'{} in state '{}'.", who, event_text(operation),
                  is_receive ? " and unblocked" : "", state),
      std::move(details), who);
}

void TraceWriter::tell_of_machine(const Heard& heard) {
  const std::uint32_t who = world_.names().index_of(heard.number);
  const std::string id = name(who), state = state_name(heard.state);
  const auto tell = [&](const char* how, bool is_entry) {
    add("StateTransition", fmt::format("{} {} state '{}'.", id, how, state),
        {{"id", id}, {"state", state}, {"isEntry", is_entry}}, id);
  };
  switch (heard.kind) {
    case Heard::Kind::kEntered: known(who).state = heard.state; return tell("enters", true);
    case Heard::Kind::kLeft: {
      const std::string target = state_name(heard.target);
      add("GotoState", fmt::format("{} is transitioning from state '{}' to state '{}'.", id, state, target),
          {{"id", id}, {"startState", state}, {"endState", target}}, id);
      return tell("exits", false);
    }
    case Heard::Kind::kRaised: {
      const Message& message = heard.message;
      Json details = {{"id", id}, {"event", event(message.event.event_number())}, {"state", state}};
      if (!message.payload.is_null()) details["payload"] = to_json(message.payload);
      return add("RaiseEvent",
                 fmt::format("'{}' raised event '{}' in state '{}'.", id,
                             event_text(message.event, message.payload), state),
                 std::move(details), id);
    }
    case Heard::Kind::kObserved: return;
  }
}

void TraceWriter::tell_of_monitor(const Heard& heard) {
  const std::string name(program_.machine(heard.machine).name), state = state_name(heard.state);
  Json details = {{"monitor", name}, {"state", state}};
  if (heard.kind == Heard::Kind::kEntered || heard.kind == Heard::Kind::kLeft) {
    const bool is_entry = heard.kind == Heard::Kind::kEntered;
    details["isEntry"] = is_entry;
    std::string temperature;
    if (const Temperature of = program_.state(heard.state).temperature; of != Temperature::kWarm) {
      details["isInHotState"] = of == Temperature::kHot;
      temperature = of == Temperature::kHot ? "hot " : "cold ";
    }
    return add("MonitorStateTransition",
               fmt::format("{} {} {}state '{}'.", name, is_entry ? "enters" : "exits", temperature, state),
               std::move(details), name);
  }
  const std::string what = event_text(heard.message.event, heard.message.payload);
  const bool is_raised = heard.kind == Heard::Kind::kRaised;
  if (!is_raised) details["sender"] = this->name(world_.names().index_of(heard.by));
  details["event"] = event(heard.message.event.event_number());
  if (!heard.message.payload.is_null()) details["payload"] = to_json(heard.message.payload);
  add(is_raised ? "MonitorRaiseEvent" : "MonitorProcessEvent",
      is_raised ? fmt::format("Monitor '{}' raised event '{}' in state '{}'.", name, what, state)
                : fmt::format("{} is processing event '{}' in state '{}'.", name, what, state),
      std::move(details), name);
}

void TraceWriter::tell_halt(std::uint32_t who) {
  Known& before = known(who);
  const bool has_halted = world_.live(who).phase == Phase::kHalted;
  const std::string id = name(who);
  if (has_halted && !before.has_halted)
    add("Halt", fmt::format("{} halted with {} events in its inbox.", id, sent_[who].size()),
        {{"id", id}, {"haltInboxSize", sent_[who].size()}}, id);
  before.has_halted = has_halted;
}

void TraceWriter::tell_output(std::size_t end) {
  const std::string& output = world_.output();
  while (told_output_ < end) {
    const std::size_t line_end = std::min(output.find('\n', told_output_), output.size());
    add("Print", output.substr(told_output_, line_end - told_output_), Json::object());
    told_output_ = line_end + 1;
  }
}

std::string TraceWriter::finish(std::string_view error, std::string_view strategy) {
  add("AssertionFailure", std::string(error), {{"error", error}});
  add("StrategyDescription", fmt::format("Found bug using '{}' strategy.", strategy),
      {{"strategy", strategy}});
  return all_.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string trace_json(const Program& program, const TestCase& test, const POptions& options,
                       std::span<const NamedStep> steps, std::string_view error, std::string_view strategy) {
  PSystem system(program, test, options);
  const FoundSteps found = find_steps(system, steps);
  CHECK(!found.missing);
  TraceWriter writer(program, system);
  system.reset_for(writer);
  writer.begin();
  for (const Transition& transition : found.transitions) {
    system.step(transition);
    writer.note_step();
  }
  return writer.finish(error, strategy);
}

}  // namespace ravel::p
