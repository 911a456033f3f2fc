#include "p/machine/world.h"

#include <utility>

#include "base/check.h"
#include "p/machine/images.h"
#include "p/machine/operators.h"

namespace ravel::p {

World::World(const Code& code, ValueStore& store, Steps steps, TimersFire timers, IdSet<MachineId> symmetric)
    : code_(code),
      store_(store),
      fire_(timers),
      moves_(code, steps, timers),
      machines_(code, store, moves_,
                timers == TimersFire::kWhenAllWait ? MachineNames::Time::kHasAPlace
                                                   : MachineNames::Time::kIsNobody),
      texts_(code, store, machines_),
      opaque_(code, machines_, std::move(symmetric)),
      interpreter_({.code = code,
                    .store = store,
                    .moves = moves_,
                    .machines = machines_,
                    .texts = texts_,
                    .opaque = opaque_,
                    .effects = effects_}) {
  reset();
}

void World::reset() {
  machines_.reset();
  effects_.clear();
  operations_.clear();
  interpreter_.reset();
  for (std::size_t i = 0; i < machines_.monitors().size(); ++i) {
    interpreter_.begin_count();
    interpreter_.begin_monitor(machines_.change_monitor(i), code_.monitors[i]);
  }
  machines_.add(MachineNames::kRoot, code_.main);
}

void World::begin_step() {
  effects_.clear();
  operations_.clear();
  interpreter_.begin_count();
}

void World::step(std::uint32_t who, std::uint32_t alternative) {
  CHECK(alternative < alternatives(who));
  begin_step();
  perform(who, alternative);
  while (!failure() && moves_.is_in_same_step(machines_.live(who))) perform(who, 0);
  // After a bug, too: what is left of the machine may be what it is in another state.
  machines_.settle(who);
}

// What the state's own code does if it chooses so: choice, send and what comes after it are one step.
void World::fire(std::uint32_t who) {
  CHECK(is_armed(who));
  begin_step();
  LiveMachine& live = machines_.change(who);
  const Timer timer = *moves_.timer_of(live.state);
  const bool passes = fire_ == TimersFire::kWhenAllWait;
  effects_.push_back({.kind = passes ? Effect::Kind::kTimePassed : Effect::Kind::kFired, .who = who});
  operations_.push_back({.who = who, .place = texts_.place_of(live)});
  interpreter_.call(live, timer.decides);  // to its choice
  choose(who, timer.fires);
  now() = {.who = who, .place = now().place};
  if (!failure()) {
    operations_.clear();
    perform(who, 0);
  }
  now().is_of_timer = true;
  machines_.settle(who);
}

void World::perform(std::uint32_t who, std::uint32_t alternative) {
  LiveMachine& live = machines_.change(who);
  operations_.push_back({.who = who, .place = texts_.place_of(live)});
  switch (live.phase) {
    case Phase::kStarting:
      now().kind = Operation::Kind::kStart;
      effects_.push_back({.kind = Effect::Kind::kBegan, .who = who});
      // What it was created with stands where the payload for its first state does.
      interpreter_.start(live);
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
  LiveMachine& live = machines_.change(who);
  now().takes = moves_.takes(live);
  const std::optional<std::size_t> at = moves_.first_taken(live, now().takes);
  const bool may_go_on = moves_.has_null_handler(live);
  if (!at) {
    effects_.push_back({.kind = Effect::Kind::kFoundNone, .who = who});
    now().kind = Operation::Kind::kTakeNothing;
    interpreter_.take(live, kNullEvent, Value::null());
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
  interpreter_.take(live, event, message.payload);
}

void World::take_in_receive(std::uint32_t who) {
  LiveMachine& live = machines_.change(who);
  now().kind = Operation::Kind::kTake;
  now().takes = moves_.takes(live);
  const std::size_t at = moves_.first_taken(live, now().takes).value();
  const Message message = live.queue[at];
  live.queue.erase(live.queue.begin() + static_cast<std::ptrdiff_t>(at));
  effects_.push_back({.kind = Effect::Kind::kTook, .who = who, .message = static_cast<std::uint32_t>(at)});
  now().event = message.event;
  now().payload = message.payload;
  interpreter_.take_in_receive(live, now().takes.table, message);
}

void World::create(std::uint32_t who) {
  LiveMachine& before = machines_.change(who);
  const Instruction& instruction = code_.instructions[before.pc];
  const std::uint32_t bound = code_.machines[before.bound].links[instruction.a];
  const MachineNames::Index child = machines_.name_of(who, ++before.children);
  machines_.add(child, bound);
  LiveMachine& live = machines_.change(who);  // which may be in another place now
  machines_.change(child).carried = live.stack.back();
  effects_.push_back({.kind = Effect::Kind::kCreated, .who = child});
  now().kind = Operation::Kind::kCreate;
  now().other = child;
  now().payload = live.stack.back();
  live.stack.back() = Value::machine(machines_.names().number(child));
  ++live.pc;
  interpreter_.go_on(live);
}

void World::send(std::uint32_t who) {
  LiveMachine& live = machines_.change(who);
  const Value payload = live.stack.back(), event = *(live.stack.end() - 2);
  const MachineNames::Index to = machines_.index_of(*(live.stack.end() - 3));
  live.stack.resize(live.stack.size() - 3);
  ++live.pc;
  now().kind = Operation::Kind::kSend;
  now().other = to;
  now().event = event;
  now().payload = payload;
  now().in_vain = machines_.live(to).phase == Phase::kHalted;
  effects_.push_back({.kind = now().in_vain ? Effect::Kind::kSentInVain : Effect::Kind::kSent, .who = to});
  if (!now().in_vain) {
    machines_.change(to).queue.push_back({.event = event, .payload = payload});
    if (to != who) machines_.settle(to);
  }
  interpreter_.go_on(live);
}

void World::choose(std::uint32_t who, std::uint32_t alternative) {
  LiveMachine& live = machines_.change(who);
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
  interpreter_.go_on(live);
}

LiveMachine World::at_rest(Value image) const {
  LiveMachine live;
  thaw(image, live);
  return live;
}

Operation World::next(std::uint32_t who) {
  const LiveMachine& live = machines_.live(who);
  Operation next{.kind = Operation::Kind::kTake, .who = who, .place = texts_.place_of(live)};
  if (live.phase == Phase::kStarting) next.kind = Operation::Kind::kStart;
  if (!live.is_running()) return next;
  switch (code_.instructions[live.pc].op) {
    case Opcode::kReceive: break;
    case Opcode::kNew:
      next.kind = Operation::Kind::kCreate;
      next.other = machines_.name_of(who, live.children + 1);
      break;
    case Opcode::kSend:
      next.kind = Operation::Kind::kSend;
      next.other = machines_.index_of(*(live.stack.end() - 3));
      break;
    default: next.kind = Operation::Kind::kChoose; break;
  }
  return next;
}

void World::restore(std::span<const Value> words) {
  machines_.restore(words);
  interpreter_.forget_failure();
}

void World::for_each(const std::function<void(std::span<const Value>)>& visit) {
  visit(code_.constants);
  machines_.for_each(visit);
  for (const Operation& operation : operations_) visit({&operation.payload, 1});
  for (const Told& told : interpreter_.told()) visit({&told.message.payload, 1});
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

}  // namespace ravel::p
