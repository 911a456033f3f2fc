#include "p/machine/world.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "p/machine/images.h"

namespace ravel::p {

World::World(const Code& code, ValueStore& store, Steps steps, TimersFire timers, IdSet<MachineId> symmetric)
    : code_(code),
      program_(*code.program),
      store_(store),
      steps_(steps),
      fire_(timers),
      timers_(timers == TimersFire::kAsModelled ? Timers{} : find_timers(*code.program)),
      symmetric_(std::move(symmetric)),
      names_(timers == TimersFire::kWhenAllWait ? MachineNames::Time::kHasAPlace
                                                : MachineNames::Time::kIsNobody) {
  actors_.resize(names_.size());
  reset();
}

void World::reset() {
  for (Actor& actor : actors_) actor = {};
  monitors_.assign(code_.monitors.size(), {});
  monitor_images_.assign(monitors_.size(), Value::none());
  effects_.clear();
  operations_.clear();
  failure_.reset();
  refusal_.reset();
  output_.clear();
  told_.clear();
  for (std::size_t i = 0; i < monitors_.size(); ++i) {
    begin_count();
    begin_monitor(monitors_[i], code_.monitors[i]);
  }
  add_machine(MachineNames::kRoot, code_.main);
}

void World::begin_monitor(LiveMachine& monitor, MachineId machine) {
  monitor.machine = machine;
  monitor.state = program_.machine(machine).start;
  for (const std::uint32_t field : code_.fields[index(machine)])
    monitor.fields.push_back(code_.constants[field]);
  if (!failure_ && enter(monitor)) go_on(monitor);
}

template <class Run>
std::optional<Failure> World::run_beside(LiveMachine& monitor, const Run& run) {
  CHECK(!failure_);
  WorldListener* const listener = std::exchange(listener_, nullptr);
  const std::size_t printed = output_.size();
  begin_count();
  beside_ = &monitor;
  run();
  beside_ = nullptr;
  listener_ = listener;
  output_.resize(printed);
  refusal_.reset();
  return std::exchange(failure_, std::nullopt);
}

LiveMachine World::monitor_beside(MachineId monitor, std::optional<Failure>& failed) {
  LiveMachine live;
  failed = run_beside(live, [&] { begin_monitor(live, monitor); });
  return live;
}

std::optional<Failure> World::show(LiveMachine& monitor, EventId event, Value payload) {
  return run_beside(monitor, [&] {
    if (handle(monitor, event, payload)) go_on(monitor);
  });
}

std::uint32_t World::add_machine(MachineNames::Index who, std::uint32_t bound) {
  if (actors_.size() < names_.size()) actors_.resize(names_.size());
  Actor& actor = actors_[who];
  CHECK(!actor.exists);
  actor = {};
  actor.exists = actor.is_stale = true;
  LiveMachine& live = actor.live;
  live.machine = code_.machines[bound].machine;
  live.state = program_.machine(live.machine).start;
  live.bound = bound;
  live.number = names_.number(who);
  for (const std::uint32_t field : code_.fields[index(live.machine)])
    live.fields.push_back(code_.constants[field]);
  actor.alternatives = 1;
  return who;
}

// --- what may happen

Takes World::takes_of(const LiveMachine& live) const {
  if (live.phase == Phase::kIdle) return {.state = live.state};
  return {.is_receive = true, .table = code_.instructions[live.pc].a};
}

// A `receive` takes `halt`, too.
bool World::would_take(const Takes& takes, Value event) const {
  const EventId id{event.event_number()};
  if (!takes.is_receive) return !code_.defers(takes.state, id);
  return id == kHaltEvent || code_.receives[takes.table].find(id) != nullptr;
}

std::optional<std::size_t> World::first_taken(const LiveMachine& live, const Takes& takes) const {
  for (std::size_t i = 0; i < live.queue.size(); ++i)
    if (would_take(takes, live.queue[i].event)) return i;
  return std::nullopt;
}

std::uint32_t World::count_alternatives(const LiveMachine& live) const {
  switch (live.phase) {
    case Phase::kStarting: return 1;
    case Phase::kHalted: return 0;
    case Phase::kIdle: return has_null_handler(live) || first_taken(live, takes_of(live)) ? 1 : 0;
    case Phase::kAtOperation: break;
  }
  switch (code_.instructions[live.pc].op) {
    case Opcode::kReceive: return first_taken(live, takes_of(live)) ? 1 : 0;
    case Opcode::kChooseBool: return 2;
    case Opcode::kChooseInt: return static_cast<std::uint32_t>(integer_value(live.stack.back()));
    case Opcode::kChooseFrom: return static_cast<std::uint32_t>(size_of(live.stack.back()));
    default: return 1;
  }
}

// --- steps

void World::begin_step(std::uint32_t who) {
  effects_.clear();
  operations_.clear();
  begin_count();
  actors_[who].is_stale = true;
}

void World::step(std::uint32_t who, std::uint32_t alternative) {
  CHECK(alternative < alternatives(who));
  begin_step(who);
  perform(who, alternative);
  while (!failure_ && goes_on(actors_[who].live)) perform(who, 0);
  // After a bug, too: what is left of the machine may be what it is in another state.
  actors_[who].alternatives = count_alternatives(actors_[who].live);
}

// What the state's own code does if it chooses so: choice, send and what comes after it are one step.
void World::fire(std::uint32_t who) {
  CHECK(is_armed(who));
  begin_step(who);
  LiveMachine& live = actors_[who].live;
  const Timer timer = *timer_of(live.state);
  const bool passes = fire_ == TimersFire::kWhenAllWait;
  effects_.push_back({.kind = passes ? Effect::Kind::kTimePassed : Effect::Kind::kFired, .who = who});
  operations_.push_back({.who = who, .place = place_of(live)});
  begin(live, timer.decides, Value::null(), false);
  go_on(live);  // to its choice
  choose(who, timer.fires);
  now() = {.who = who, .place = now().place};
  if (!failure_) {
    operations_.clear();
    perform(who, 0);
  }
  now().is_of_timer = true;
  actors_[who].alternatives = count_alternatives(actors_[who].live);
}

// Whether its next operation belongs to the same step.
bool World::goes_on(const LiveMachine& live) const {
  if (steps_ == Steps::kOperations || !live.is_running()) return false;
  const Opcode op = code_.instructions[live.pc].op;
  return op == Opcode::kNew || op == Opcode::kSend;
}

void World::perform(std::uint32_t who, std::uint32_t alternative) {
  LiveMachine& live = actors_[who].live;
  operations_.push_back({.who = who, .place = place_of(live)});
  switch (live.phase) {
    case Phase::kStarting:
      now().kind = Operation::Kind::kStart;
      effects_.push_back({.kind = Effect::Kind::kBegan, .who = who});
      // What it was created with stands where the payload for its first state does.
      if (enter(live)) go_on(live);
      break;
    case Phase::kIdle: take(who); break;
    case Phase::kAtOperation:
      switch (code_.instructions[live.pc].op) {
        case Opcode::kReceive: take_in_receive(who); break;
        case Opcode::kNew: create(who); break;
        case Opcode::kSend: send(who); break;
        default: choose(who, alternative); break;
      }
      break;
    case Phase::kHalted: CHECK(false);
  }
}

void World::take(std::uint32_t who) {
  LiveMachine& live = actors_[who].live;
  now().takes = takes_of(live);
  const std::optional<std::size_t> at = first_taken(live, now().takes);
  const bool may_go_on = has_null_handler(live);
  if (!at) {
    effects_.push_back({.kind = Effect::Kind::kFoundNone, .who = who});
    now().kind = Operation::Kind::kTakeNothing;
    if (handle(live, kNullEvent, Value::null())) go_on(live);
    return;
  }
  const Message message = live.queue[*at];
  live.queue.erase(live.queue.begin() + static_cast<std::ptrdiff_t>(*at));
  effects_.push_back({.kind = may_go_on ? Effect::Kind::kTookOrNot : Effect::Kind::kTook,
                      .who = who,
                      .message = static_cast<std::uint32_t>(*at)});
  const EventId event{message.event.event_number()};
  const Action* const action = code_.reaction(live.state, event);
  const bool is_dropped = action != nullptr && action->kind == ActionKind::kIgnore;
  now().kind = is_dropped ? Operation::Kind::kDrop : Operation::Kind::kTake;
  now().event = message.event;
  now().payload = message.payload;
  if (handle(live, event, message.payload)) go_on(live);
}

void World::take_in_receive(std::uint32_t who) {
  LiveMachine& live = actors_[who].live;
  now().kind = Operation::Kind::kTake;
  now().takes = takes_of(live);
  const std::size_t at = first_taken(live, now().takes).value();
  const Message message = live.queue[at];
  live.queue.erase(live.queue.begin() + static_cast<std::ptrdiff_t>(at));
  effects_.push_back({.kind = Effect::Kind::kTook, .who = who, .message = static_cast<std::uint32_t>(at)});
  now().event = message.event;
  now().payload = message.payload;
  const EventId event{message.event.event_number()};
  if (listener_ != nullptr) listener_->note_reaction(live, event, Reaction::kInReceive);
  const ReceiveTable::Case* const taken = code_.receives[now().takes.table].find(event);
  if (taken == nullptr) {  // `halt`, which is raised then
    leaving_ = {.event = message.event, .payload = message.payload};
    if (leave(live)) go_on(live);
    return;
  }
  Value payload = message.payload;
  if (taken->unwraps_payload && is_tuple(payload)) payload = tuple_part(payload, 0);
  if (!check_payload(live, taken->parameter, payload)) return;
  live.stack.push_back(payload);
  live.pc = taken->code;
  go_on(live);
}

void World::create(std::uint32_t who) {
  const Instruction& instruction = code_.instructions[actors_[who].live.pc];
  const MachineNames::Index child = names_.child(who, ++actors_[who].live.children);
  const std::uint32_t bound = code_.machines[actors_[who].live.bound].links[instruction.a];
  add_machine(child, bound);  // after which there may be other places for contexts
  LiveMachine& live = actors_[who].live;
  actors_[child].live.carried = live.stack.back();
  effects_.push_back({.kind = Effect::Kind::kCreated, .who = child});
  now().kind = Operation::Kind::kCreate;
  now().other = child;
  now().payload = live.stack.back();
  live.stack.back() = Value::machine(names_.number(child));
  ++live.pc;
  go_on(live);
}

void World::send(std::uint32_t who) {
  LiveMachine& live = actors_[who].live;
  const Value payload = live.stack.back(), event = *(live.stack.end() - 2);
  const MachineNames::Index to = names_.index_of((live.stack.end() - 3)->machine_number());
  live.stack.resize(live.stack.size() - 3);
  ++live.pc;
  Actor& target = actors_[to];
  now().kind = Operation::Kind::kSend;
  now().other = to;
  now().event = event;
  now().payload = payload;
  now().in_vain = target.live.phase == Phase::kHalted;
  effects_.push_back({.kind = now().in_vain ? Effect::Kind::kSentInVain : Effect::Kind::kSent, .who = to});
  if (!now().in_vain) {
    target.is_stale = true;
    target.live.queue.push_back({.event = event, .payload = payload});
    if (to != who) target.alternatives = count_alternatives(target.live);
  }
  go_on(live);
}

void World::choose(std::uint32_t who, std::uint32_t alternative) {
  LiveMachine& live = actors_[who].live;
  now().kind = Operation::Kind::kChoose;
  effects_.push_back({.kind = Effect::Kind::kChose, .who = who});
  switch (code_.instructions[live.pc].op) {
    // What is true is tried first: programs end so, where they say `if ($) done(); else again();`.
    case Opcode::kChooseBool:
      live.stack.push_back(Value::boolean(alternative == 0));
      now().fair_choice = code_.instructions[live.pc].a;
      break;
    case Opcode::kChooseInt: live.stack.back() = Value::small(alternative); break;
    default: live.stack.back() = nth(live.stack.back(), alternative); break;
  }
  now().payload = live.stack.back();
  ++live.pc;
  go_on(live);
}

MachineNames::Index World::name_of(MachineNames::Index parent, std::uint32_t ordinal) {
  const MachineNames::Index index = names_.child(parent, ordinal);
  actors_.resize(names_.size());
  return index;
}

Operation World::next(std::uint32_t who) {
  const LiveMachine& live = actors_[who].live;
  Operation next{.kind = Operation::Kind::kTake, .who = who, .place = place_of(live)};
  if (live.phase == Phase::kStarting) next.kind = Operation::Kind::kStart;
  if (!live.is_running()) return next;
  switch (code_.instructions[live.pc].op) {
    case Opcode::kReceive: break;
    case Opcode::kNew:
      next.kind = Operation::Kind::kCreate;
      next.other = name_of(who, live.children + 1);
      break;
    case Opcode::kSend:
      next.kind = Operation::Kind::kSend;
      next.other = names_.index_of((live.stack.end() - 3)->machine_number());
      break;
    default: next.kind = Operation::Kind::kChoose; break;
  }
  return next;
}

// --- states that are saved

void World::save(std::vector<Value>& words) {
  words.clear();
  for (Actor& actor : actors_) {
    if (actor.exists && actor.is_stale) actor.image = image_of(actor.live, store_, actor.image);
    actor.is_stale = false;
    words.push_back(actor.exists ? actor.image : Value::none());
  }
  while (words.back().is_none()) words.pop_back();
  for (std::size_t i = 0; i < monitors_.size(); ++i) {
    if (monitor_images_[i].is_none()) monitor_images_[i] = image_of(monitors_[i], store_);
    words.push_back(monitor_images_[i]);
  }
}

void World::restore(std::span<const Value> words) {
  const std::size_t machines = words.size() - monitors_.size();
  for (std::size_t i = 0; i < actors_.size(); ++i) {
    Actor& actor = actors_[i];
    const Value image = i < machines ? words[i] : Value::none();
    if (image.is_none()) {
      if (actor.exists) actor = {};
      continue;
    }
    if (actor.exists && !actor.is_stale && actor.image == image) continue;
    actor.exists = true;
    actor.is_stale = false;
    actor.image = image;
    thaw(image, actor.live);
    actor.live.number = names_.number(static_cast<MachineNames::Index>(i));
    actor.alternatives = count_alternatives(actor.live);
  }
  for (std::size_t i = 0; i < monitors_.size(); ++i) {
    const Value image = words[machines + i];
    if (monitor_images_[i] == image) continue;
    monitor_images_[i] = image;
    thaw(image, monitors_[i]);
  }
  failure_.reset();
  refusal_.reset();
  told_.clear();
}

void World::for_each_of(const LiveMachine& live,
                        const std::function<void(std::span<const Value>)>& visit) const {
  visit(live.fields);
  visit(live.stack);
  visit({&live.carried, 1});
  for (const Message& message : live.queue) visit({&message.payload, 1});
}

void World::for_each(const std::function<void(std::span<const Value>)>& visit) {
  visit(code_.constants);
  for (const Actor& actor : actors_) {
    if (!actor.exists) continue;
    for_each_of(actor.live, visit);
    if (!actor.image.is_none()) visit({&actor.image, 1});
  }
  for (const LiveMachine& monitor : monitors_) for_each_of(monitor, visit);
  for (const Value image : monitor_images_)
    if (!image.is_none()) visit({&image, 1});
  for (const Operation& operation : operations_) visit({&operation.payload, 1});
  for (const Told& told : told_) visit({&told.message.payload, 1});
}

void World::collect_if_due(ValueRoots& others) {
  if (!store_.wants_collection()) return;
  class Both final : public ValueRoots {
   public:
    Both(World& world, ValueRoots& rest) : world_(world), rest_(rest) {}
    void for_each(const std::function<void(std::span<const Value>)>& visit) override {
      world_.for_each(visit);
      rest_.for_each(visit);
    }

   private:
    World& world_;
    ValueRoots& rest_;
  } both(*this, others);
  store_.collect(both);
}

// --- names

std::string World::text_of(std::uint32_t who) const {
  return std::string(program_.machine(actors_[who].live.machine).name) + "(" + names_.text(who) + ")";
}

std::string_view World::state_of(const LiveMachine& live) const { return program_.state(live.state).name; }

// Where it stands: the operation, or the state.
Place World::place_of(const LiveMachine& live) const {
  return live.is_running() ? code_.places[live.pc] : program_.state(live.state).place;
}

std::string World::event(std::uint32_t number) const { return std::string(program_.events[number].name); }
std::string World::machine(std::uint32_t number) const { return text_of(names_.index_of(number)); }
std::span<const std::string_view> World::fields(std::uint32_t shape) const {
  return program_.types.fields_of_shape(shape);
}
std::string_view World::type_name(std::uint32_t number) const { return program_.types.at(number)->name; }

}  // namespace ravel::p
