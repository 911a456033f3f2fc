// What machines and monitors have at hand: states, fields, queues, what they wait for.

#include <algorithm>
#include <map>

#include "p/system/p_system.h"

namespace ravel::p {

namespace {

// The function whose code holds an instruction; null: none does.
const Function* function_at(const Program& program, const Code& code, std::uint32_t pc) {
  const Function* found = nullptr;
  std::uint32_t start = 0;
  for (std::size_t i = 0; i < code.functions.size(); ++i) {
    const std::uint32_t begin = code.functions[i].code;
    if (begin == kNowhere || begin > pc || (found != nullptr && begin < start)) continue;
    found = &program.functions[i];
    start = begin;
  }
  return found;
}

std::string name_of_function(const Function* function) {
  if (function == nullptr) return "a handler";
  return function->name.empty() ? "a handler" : std::string(function->name);
}

// What a machine or monitor of an execution has at hand.
class MachineInspector {
 public:
  // All must outlive this object.
  MachineInspector(const Program& program, const Code& code, const World& world)
      : program_(program), code_(code), world_(world) {}

  ActorState state_of_machine(std::uint32_t who) const;
  void add_fields(const LiveMachine& live, const std::string& prefix, ActorState& state) const;

 private:
  StateLine at(std::string text, Place place) const;
  std::optional<StateLine> waits(std::uint32_t who) const;
  std::vector<StateLine> stack_of(const LiveMachine& live) const;
  StatePart value_part(StateKind kind, std::string name, Value value) const;
  void add_locals(const LiveMachine& live, ActorState& state) const;

  const Program& program_;
  const Code& code_;
  const World& world_;
};

StateLine MachineInspector::at(std::string text, Place place) const {
  return {.text = std::move(text),
          .file = program_.sources.name(place.file),
          .line = program_.sources.line_column(place).line};
}

StatePart MachineInspector::value_part(StateKind kind, std::string name, Value value) const {
  const std::string text = to_text(value, world_.texts(), kInspectedTextMax);
  return {.kind = kind, .name = std::move(name), .lines = {{.text = text.empty() ? "null" : cut_text(text)}}};
}

// Nothing: it can go on.
std::optional<StateLine> MachineInspector::waits(std::uint32_t who) const {
  const LiveMachine& live = world_.live(who);
  if (world_.alternatives(who) > 0) return std::nullopt;
  if (!live.is_running()) {
    const std::string state(world_.texts().state_of(live));
    if (world_.is_armed(who))
      return at("waits until it fires, in state " + state, world_.texts().place_of(live));
    return at("waits for an event, in state " + state, world_.texts().place_of(live));
  }
  std::string events;
  for (const ReceiveTable::Case& one : code_.receives[code_.instructions[live.pc].a].cases)
    events += (events.empty() ? "" : ", ") + world_.texts().event(index(one.event));
  return at("waits for " + events, world_.texts().place_of(live));
}

std::vector<StateLine> MachineInspector::stack_of(const LiveMachine& live) const {
  PartLines lines;
  if (!live.is_running()) {
    lines.add(at("in state " + std::string(world_.texts().state_of(live)), world_.texts().place_of(live)));
    return lines.take();
  }
  const auto add = [&](std::uint32_t pc) {
    lines.add(at(name_of_function(function_at(program_, code_, pc)), code_.places[pc]));
  };
  add(live.pc);
  // A frame goes on after its call.
  for (auto frame = live.frames.rbegin(); frame != live.frames.rend(); ++frame)
    if (frame->pc > 0 && frame->pc <= code_.places.size()) add(frame->pc - 1);
  return lines.take();
}

void MachineInspector::add_fields(const LiveMachine& live, const std::string& prefix,
                                  ActorState& state) const {
  const std::vector<Variable>& fields = program_.machine(live.machine).fields;
  for (std::size_t i = 0; i < std::min(fields.size(), live.fields.size()); ++i)
    state.parts.push_back(
        value_part(StateKind::kFields, prefix + std::string(fields[i].name), live.fields[i]));
}

// Of the function that runs.
void MachineInspector::add_locals(const LiveMachine& live, ActorState& state) const {
  const Function* const function = live.is_running() ? function_at(program_, code_, live.pc) : nullptr;
  if (function == nullptr) return;
  // Cases of `receive` may each have a variable of one name.
  std::map<std::string_view, int> uses;
  for (std::size_t i = 0; i < function->slots.size() && live.base + i < live.stack.size(); ++i) {
    const std::string_view name = function->slots[i].name;
    const int use = ++uses[name];
    if (const Value value = live.stack[live.base + i]; !value.is_none())
      state.parts.push_back(value_part(StateKind::kVariables,
                                       std::string(name) + (use == 1 ? "" : " (" + std::to_string(use) + ")"),
                                       value));
  }
}

ActorState MachineInspector::state_of_machine(std::uint32_t who) const {
  const LiveMachine& live = world_.live(who);
  ActorState state{.actor = ActorId{who}};
  if (auto line = waits(who)) state.parts.push_back({.kind = StateKind::kWaits, .lines = {std::move(*line)}});
  state.parts.push_back({.kind = StateKind::kStack, .lines = stack_of(live)});
  PartLines queue;
  for (const Message& message : live.queue) {
    const std::string payload = to_text(message.payload, world_.texts(), kInspectedTextMax);
    queue.add({.text = cut_text(world_.texts().event(message.event.event_number()) +
                                (payload.empty() ? "" : " with " + payload))});
  }
  if (!live.queue.empty()) state.parts.push_back({.kind = StateKind::kMailbox, .lines = queue.take()});
  state.parts.push_back(
      {.kind = StateKind::kState, .lines = {{.text = std::string(world_.texts().state_of(live))}}});
  add_fields(live, "", state);
  add_locals(live, state);
  return state;
}

}  // namespace

std::vector<ActorState> PSystem::inspect() {
  const MachineInspector inspector(program_, code_, world_);
  std::vector<ActorState> states;
  ActorState specs;
  for (const LiveMachine& monitor : world_.monitors()) {
    const bool is_hot = liveness_.is(monitor, Temperature::kHot),
               is_cold = liveness_.is(monitor, Temperature::kCold);
    specs.parts.push_back(
        {.kind = StateKind::kState,
         .name = liveness_.name_of(monitor),
         .lines = {{.text = std::string(world_.texts().state_of(monitor)) + (is_hot    ? " (hot)"
                                                                             : is_cold ? " (cold)"
                                                                                       : "")}}});
  }
  for (const LiveMachine& monitor : world_.monitors())
    inspector.add_fields(monitor, liveness_.name_of(monitor) + ".", specs);
  if (!specs.parts.empty()) states.push_back(std::move(specs));
  for (const std::uint32_t who : world_.names().in_order())
    if (who < world_.size() && world_.exists(who) && world_.live(who).phase != Phase::kHalted)
      states.push_back(inspector.state_of_machine(who));
  return states;
}

}  // namespace ravel::p
