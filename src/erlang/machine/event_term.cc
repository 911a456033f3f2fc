#include "erlang/machine/event_term.h"

#include <array>
#include <string_view>
#include <vector>

#include "erlang/machine/machine.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

class EventMap {
 public:
  explicit EventMap(Machine& machine) : machine_(machine) {}

  Term atom(std::string_view text) { return machine_.names.atoms.intern(text); }
  void add(std::string_view key, Term value) {
    if (value.is_none()) return;
    pairs_[count_++] = atom(key);
    pairs_[count_++] = value;
  }
  void add_operation(std::string_view name) { add("operation", atom(name)); }
  void add_arguments(const EventRecord& event, std::size_t arity) {
    add("arguments",
        machine_.heap.list(std::span(event.arguments).first(std::min(arity, kRecordedArguments))));
  }
  void add_all(const EventRecord& event);
  Term make() { return map_from_pairs(machine_.heap, machine_.names, std::span(pairs_).first(count_)); }

 private:
  Machine& machine_;
  std::array<Term, 24> pairs_;
  std::size_t count_ = 0;
};

void EventMap::add_all(const EventRecord& event) {
  add("actor", event.actor.is_none() ? atoms::kTime : event.actor);
  switch (event.kind) {
    case OperationKind::kNone: return add_operation("none");
    case OperationKind::kSend:
      add_operation("send");
      add("to", event.subject);
      add("receiver", event.object);
      return add("message", event.value);
    case OperationKind::kReceive:
      add_operation("receive");
      add("from", event.subject);
      return add("message", event.value);
    case OperationKind::kAfter: add_operation("after"); return add("milliseconds", event.value);
    case OperationKind::kBegin: return add_operation("begin");
    case OperationKind::kBlock: return add_operation("block");
    case OperationKind::kEnd: add_operation("end"); return add("reason", event.value);
    case OperationKind::kTell:
      add_operation("tell");
      add("to", event.object);
      return add(event.reason == atoms::kExitMessage ? "reason" : "message", event.value);
    case OperationKind::kTimerFires:
      add_operation("timer");
      add("receiver", event.object);
      return add("message", event.value);
    case OperationKind::kTimePasses: add_operation("time"); return add("milliseconds", event.value);
    case OperationKind::kKilled: return add_operation("kill");
    case OperationKind::kSignalArrives:
    case OperationKind::kLost:
    case OperationKind::kArrivesTwice:
      add_operation(event.kind == OperationKind::kLost           ? "lose"
                    : event.kind == OperationKind::kArrivesTwice ? "duplicate"
                                                                 : "arrive");
      add("from", event.subject);
      add("receiver", event.object);
      return add(event.reason == atoms::kExitMessage ? "reason" : "message", event.value);
    case OperationKind::kCall:
      add_operation("call");
      add("module", event.subject);
      add("function", event.object);
      return add_arguments(event, static_cast<std::size_t>(event.value.small_value()));
    case OperationKind::kBuiltin: break;
  }
  add_operation(event.builtin->name);
  add("module", atom(event.builtin->module));
  add_arguments(event, event.builtin->arity);
  add("result", event.result);
  if (event.result.is_none()) add("raises", event.reason);
}

Term term_of(Machine& machine, const EventRecord& event) {
  EventMap map(machine);
  map.add_all(event);
  return map.make();
}

}  // namespace

Term event_term(Machine& machine) {
  const StepRecord& record = machine.record;
  EventMap map(machine);
  map.add_all(record.event);
  map.add("labels", machine.heap.list(record.labels));
  if (!record.earlier_events.empty()) {
    std::vector<Term> earlier;
    for (const EventRecord& event : record.earlier_events) earlier.push_back(term_of(machine, event));
    map.add("earlier", machine.heap.list(earlier));
  }
  return map.make();
}

}  // namespace ravel::erlang
