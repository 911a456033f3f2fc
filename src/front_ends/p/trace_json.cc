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

class TraceWriter final : private ValueNames {
 public:
  TraceWriter(const Program& program, const PSystem& system) : program_(program), world_(system.world()) {}

  void begin();
  void note_step();
  std::string finish(std::string_view error, std::string_view strategy);

 private:
  // As it was when the last step was told.
  struct Known {
    bool exists = false;
    bool has_started = false;
    bool has_halted = false;
    StateId state{};
  };
  struct Sent {
    std::string what;  // event and payload
    Clock clock;
  };

  std::string event(std::uint32_t number) const override { return world_.event(number); }
  std::string machine(std::uint32_t number) const override { return name(world_.names().index_of(number)); }
  std::span<const std::string_view> fields(std::uint32_t shape) const override {
    return world_.fields(shape);
  }
  std::string type(std::uint32_t who) const {
    return std::string(program_.machine(world_.live(who).machine).name);
  }
  std::string name(std::uint32_t who) const;
  std::string state_name(StateId state) const { return std::string(program_.state(state).name); }
  Json to_json(Value value) const;
  std::string event_text(const Operation& operation) const;

  void add(const char* kind, const std::string& log, Json details, const std::string& who = {});
  void tell(const Operation& operation);
  void tell_taken(const Operation& operation);
  void tell_machine(std::uint32_t who);
  void tell_monitor(std::size_t place);
  void tell_output();
  Known& known(std::uint32_t who);

  const Program& program_;
  const World& world_;
  std::vector<std::uint32_t> created_;  // in their order
  std::vector<Known> known_;            // by machine
  std::vector<StateId> monitors_;
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
          is_tuple(value) ? std::to_string(i) : std::string(world_.fields(tuple_shape(value))[i]);
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

std::string TraceWriter::event_text(const Operation& operation) const {
  const std::string text = event(operation.event.event_number());
  return operation.payload.is_null() ? text
                                     : text + " with payload (" + to_text(operation.payload, *this) + ")";
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
    monitors_.push_back(StateId{~std::uint32_t{0}});
    tell_monitor(monitors_.size() - 1);
  }
  created_.push_back(MachineNames::kRoot);
  known(MachineNames::kRoot).exists = true;
  const std::string main = name(MachineNames::kRoot);
  add("CreateStateMachine", main + " was created by the test.", {{"id", main}}, main);
}

void TraceWriter::note_step() {
  for (const Operation& operation : world_.operations()) {
    tell(operation);
    if (&operation == &world_.operations().front()) tell_output();
  }
  for (std::size_t i = 0; i < monitors_.size(); ++i) tell_monitor(i);
  tell_machine(world_.operations().front().who);
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

// What has become of a machine in a step.
void TraceWriter::tell_machine(std::uint32_t who) {
  Known& before = known(who);
  const LiveMachine& live = world_.live(who);
  const std::string id = name(who), now = state_name(live.state);
  const auto enters = [&](const std::string& state, bool is_entry) {
    add("StateTransition", id + (is_entry ? " enters" : " exits") + " state '" + state + "'.",
        {{"id", id}, {"state", state}, {"isEntry", is_entry}}, id);
  };
  if (before.has_started && before.state != live.state) {
    const std::string old = state_name(before.state);
    add("GotoState", fmt::format("{} is transitioning from state '{}' to state '{}'.", id, old, now),
        {{"id", id}, {"startState", old}, {"endState", now}}, id);
    enters(old, false);
  }
  if (live.phase != Phase::kStarting && (!before.has_started || before.state != live.state))
    enters(now, true);
  const bool has_halted = live.phase == Phase::kHalted;
  if (has_halted && !before.has_halted)
    add("Halt", fmt::format("{} halted with {} events in its inbox.", id, sent_[who].size()),
        {{"id", id}, {"haltInboxSize", sent_[who].size()}}, id);
  before = {.exists = true,
            .has_started = live.phase != Phase::kStarting,
            .has_halted = has_halted,
            .state = live.state};
}

void TraceWriter::tell_monitor(std::size_t place) {
  const LiveMachine& monitor = world_.monitors()[place];
  if (monitors_[place] == monitor.state) return;
  const std::string name(program_.machine(monitor.machine).name);
  const auto tell = [&](StateId which, bool is_entry) {
    const State& state = program_.state(which);
    Json details = {{"monitor", name}, {"state", std::string(state.name)}, {"isEntry", is_entry}};
    std::string temperature;
    if (state.temperature != Temperature::kWarm) {
      const bool is_hot = state.temperature == Temperature::kHot;
      details["isInHotState"] = is_hot;
      temperature = is_hot ? "hot " : "cold ";
    }
    add("MonitorStateTransition",
        fmt::format("{} {} {}state '{}'.", name, is_entry ? "enters" : "exits", temperature, state.name),
        std::move(details), name);
  };
  if (monitors_[place] != StateId{~std::uint32_t{0}}) tell(monitors_[place], false);
  tell(monitor.state, true);
  monitors_[place] = monitor.state;
}

void TraceWriter::tell_output() {
  const std::string& output = world_.output();
  while (told_output_ < output.size()) {
    const std::size_t end = std::min(output.find('\n', told_output_), output.size());
    add("Print", output.substr(told_output_, end - told_output_), Json::object());
    told_output_ = end + 1;
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
  system.reset();
  TraceWriter writer(program, system);
  writer.begin();
  for (const Transition& transition : found.transitions) {
    system.step(transition);
    writer.note_step();
  }
  return writer.finish(error, strategy);
}

}  // namespace ravel::p
