// Steps and bugs in words.

#include <algorithm>

#include "base/check.h"
#include "p/system/p_system.h"

namespace ravel::p {
namespace {

// Without indentation.
std::string source_line(const Sources& sources, Place place) {
  const std::string_view text = sources.text(place.file);
  const std::size_t before = text.substr(0, place.offset).rfind('\n');
  std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find_first_of("\r\n", place.offset), text.size());
  while (begin < end && (text[begin] == ' ' || text[begin] == '\t')) ++begin;
  return std::string(text.substr(begin, end - begin));
}

}  // namespace

std::string PSystem::actor_text(std::uint32_t who) const {
  return world_.names().text(who) + " (" + std::string(program_.machine(world_.live(who).machine).name) + ")";
}

Bug PSystem::bug() const {
  CHECK(outcome_ == Outcome::kBug);
  if (const std::optional<Failure>& failure = world_.failure()) {
    Bug bug;
    bug.kind = failure->kind;
    bug.message = failure->sentence;
    note_place(program_, failure->place, bug);
    if (failure->machine) bug.actor = world_.names().text(*failure->machine);
    bug.details.push_back("in " + failure->where);
    return bug;
  }
  if (is_deadlock()) return deadlock();
  return liveness_.hot_at_end(*hot_spec());
}

// Told once for the places where machines wait, whichever machines they are.
Bug PSystem::deadlock() const {
  const std::vector<std::uint32_t> all = waiting_in_receive();
  const Place place = world_.texts().place_of(world_.live(all.front()));
  Bug bug;
  bug.kind = "deadlock";
  bug.message = "nothing can happen any more, but `receive` waits for an event";
  note_place(program_, place, bug);
  bug.actor = world_.names().text(all.front());
  for (const std::uint32_t who : all)
    bug.details.push_back(actor_text(who) + " in state " +
                          std::string(world_.texts().state_of(world_.live(who))) + " " + waits_for(who));
  return bug;
}

std::string PSystem::waits_for(std::uint32_t who) const {
  const LiveMachine& live = world_.live(who);
  std::string events;
  for (const ReceiveTable::Case& one : code_.receives[code_.instructions[live.pc].a].cases)
    events += (events.empty() ? "" : ", ") + world_.texts().event(index(one.event));
  return "waits for " + events + " at " + program_.sources.describe(world_.texts().place_of(live));
}

Refusal PSystem::refusal() const {
  CHECK(outcome_ == Outcome::kUnsupported);
  const std::optional<Failure>& of_explorer = explorer_.failure();
  const Failure& failure = of_explorer ? *of_explorer : world_.refusal().value();
  return {.message = of_explorer ? "the explorer itself fails: " + failure.sentence : failure.sentence,
          .file = program_.sources.name(failure.place.file),
          .line = program_.sources.line_column(failure.place).line};
}

std::string PSystem::describe(const Operation& operation) const {
  if (operation.is_of_timer) {
    Operation fired = operation;
    fired.is_of_timer = false;
    const std::string what = describe(fired);
    const bool passes = options_.timers == TimersFire::kWhenAllWait;
    return (passes ? "time passes: " + actor_text(operation.who) + " " : "") + "fires" +
           (what.empty() ? "" : " and " + what);
  }
  const auto event = [&] {
    const std::string name = world_.texts().event(operation.event.event_number());
    return operation.payload.is_null() ? name : name + " with " + to_text(operation.payload, world_.texts());
  };
  switch (operation.kind) {
    case Operation::Kind::kNone: return "";
    case Operation::Kind::kStart: return "starts";
    case Operation::Kind::kCreate: return "creates " + actor_text(operation.other);
    case Operation::Kind::kSend:
      return "sends " + event() + " to " + actor_text(operation.other) +
             (operation.in_vain ? ", which has halted" : "");
    case Operation::Kind::kTake: return "takes " + event();
    case Operation::Kind::kDrop: return "takes " + event() + ", and ignores it";
    case Operation::Kind::kTakeNothing: return "finds no event to take";
    case Operation::Kind::kChoose: return "chooses " + to_text(operation.payload, world_.texts());
  }
  CHECK(false);
}

EventDescription PSystem::describe_last() {
  const std::span<const Operation> operations = world_.operations();
  const Operation& last = operations.front();
  EventDescription description;
  description.text = describe(last);
  description.actor =
      last.is_of_timer && options_.timers == TimersFire::kWhenAllWait ? "T" : actor_text(last.who);
  description.file = program_.sources.name(last.place.file);
  description.line = program_.sources.line_column(last.place).line;
  description.source = source_line(program_.sources, last.place);
  for (const Operation& one : operations) {
    if (one.kind == Operation::Kind::kSend)
      description.sent.push_back(world_.texts().event(one.event.event_number()));
    if (&one != &last) description.extra.push_back(describe(one));
  }
  return description;
}

std::vector<WaitingActor> PSystem::waiting() {
  std::vector<WaitingActor> all;
  for (const std::uint32_t who : waiting_in_receive())
    all.push_back({.actor = ActorId{who}, .lines = {waits_for(who)}});
  return all;
}

}  // namespace ravel::p
