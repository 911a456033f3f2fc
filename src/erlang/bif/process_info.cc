// process_info/1,2: what one process may know of another.
//
// What depends on memory management answers as in a process that has just started, so that it is the same in
// every execution. Messages, links and monitors come in the order in which the machine keeps them.
#include <algorithm>
#include <array>

#include "erlang/bif/process_family.h"
#include "erlang/bif/shown_names.h"
#include "erlang/machine/frame.h"
#include "erlang/term/bits.h"
#include "erlang/term/map.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

using atoms::boolean;

constexpr std::int64_t kHeapWords = 233, kStackWords = 12, kMemoryBytes = 2688, kReductions = 0;

struct Subject {
  Call& call;
  Process& process;
  bool is_self;
  Term key = Term::none();  // of {dictionary, Key}
};

Term small(std::size_t value) { return Term::small(static_cast<std::int64_t>(value)); }

void note(const Subject& subject, ObjectClass object_class, std::uint8_t how) {
  subject.call.machine.record.note_plain_access(object_class, subject.process.pid.pid_name(), how);
}

// Asks for what the other one's local code changes: ordered with all its steps, and with messages, which may
// make it run.
void note_local_state(const Subject& subject) {
  if (subject.is_self) return;
  note(subject, ObjectClass::kRun, access::kRead);
  note(subject, ObjectClass::kMailbox, access::kRead);
}

void note_other_flags(const Subject& subject) {
  subject.call.machine.record.note_access(ObjectClass::kFlags, other_flags_payload(subject.process.pid),
                                          access::kRead);
}

Term registered_name(const Subject& s) {
  note(s, ObjectClass::kNameOf, access::kRead);
  const Term name = s.process.attributes.registered_name;
  return name.is_none() ? Term::nil() : name;
}

Term status(const Subject& s) {
  note_local_state(s);
  if (s.is_self) return atoms::kRunning;
  const bool is_in_receive = s.process.rest == Rest::kWaiting || s.process.rest == Rest::kTimeout;
  return is_in_receive ? atoms::kWaiting : atoms::kRunnable;
}

// process_flag(sensitive, true): the process keeps its messages and its dictionary to itself.
bool is_sensitive(const Subject& s) {
  note_other_flags(s);
  return other_flag(s.call.heap, s.call.names, s.process, atoms::kSensitive) == atoms::kTrue;
}

Term messages(const Subject& s) {
  note(s, ObjectClass::kMailbox, access::kRead);
  if (is_sensitive(s)) return Term::nil();
  s.call.machine.faults.show_message_order(s.process);
  std::vector<Term> contents;
  for (const Message& message : s.process.mailbox) contents.push_back(message.content);
  return s.call.heap.list(contents);
}

Term message_queue_len(const Subject& s) {
  note(s, ObjectClass::kMailbox, access::kRead);
  return small(s.process.mailbox.size());
}

// A list of names in their order.
Term in_order(const Subject& s, std::span<const Term> pids) {
  if (pids.size() > 1 && !may_show(s.call, pids, NameUse::kOrder)) return Term::nil();
  return s.call.heap.list(pids);
}

Term links(const Subject& s) {
  note(s, ObjectClass::kLinks, access::kRead);
  return in_order(s, s.process.attributes.links);
}

Term monitors(const Subject& s) {
  note(s, ObjectClass::kLinks, access::kRead);
  note_local_state(s);
  std::vector<Term> entries;
  for (const Monitor& monitor : s.process.attributes.monitors)
    entries.push_back(s.call.heap.tuple({atoms::kProcess, monitor.object}));
  return s.call.heap.list(entries);
}

Term monitored_by(const Subject& s) {
  note(s, ObjectClass::kLinks, access::kRead);
  std::vector<Term> pids;
  for (const Watcher& watcher : s.process.attributes.watchers) {
    s.call.machine.record.note_access(ObjectClass::kWatch, watcher.reference.reference_payload(),
                                      access::kRead);
    s.call.machine.record.note_access(ObjectClass::kLife, watcher.pid.pid_name(), access::kRead);
    if (watcher.taken_back == TakenBack::kNo) pids.push_back(watcher.pid);
  }
  return in_order(s, pids);
}

Term dictionary(const Subject& s) {
  note_local_state(s);
  if (is_sensitive(s)) return Term::nil();
  if (!may_list(s.call, s.process.attributes.dictionary)) return Term::nil();
  return map_to_list(s.call.heap, s.process.attributes.dictionary);
}

Term dictionary_value(const Subject& s, Term key) {
  note_local_state(s);
  if (is_sensitive(s)) return atoms::kUndefined;
  const Term value = map_get(s.call.names, s.process.attributes.dictionary, key);
  return value.is_none() ? atoms::kUndefined : value;
}
Term dictionary_entry(const Subject& s) { return dictionary_value(s, s.key); }
// What proc_lib:set_label/1 has set.
Term label(const Subject& s) { return dictionary_value(s, atoms::kProcessLabel); }

Term trap_exit(const Subject& s) {
  note(s, ObjectClass::kFlags, access::kRead);
  return boolean(s.process.attributes.trap_exit);
}

Term garbage_collection(const Subject& s) {
  note_other_flags(s);
  const auto pair = [&](Term name, Term value) { return s.call.heap.tuple({name, value}); };
  const auto flag = [&](Term name) {
    return pair(name, other_flag(s.call.heap, s.call.names, s.process, name));
  };
  const Term entries[] = {flag(atoms::kMaxHeapSize), flag(atoms::kMinBinVheapSize), flag(atoms::kMinHeapSize),
                          flag(atoms::kFullsweepAfter), pair(s.call.atom("minor_gcs"), Term::small(0))};
  return s.call.heap.list(entries);
}

Term garbage_collection_info(const Subject& s) {
  constexpr std::pair<std::string_view, std::int64_t> kEntries[] = {{"old_heap_block_size", 0},
                                                                    {"heap_block_size", kHeapWords},
                                                                    {"mbuf_size", 0},
                                                                    {"recent_size", 0},
                                                                    {"stack_size", kStackWords},
                                                                    {"old_heap_size", 0},
                                                                    {"heap_size", kHeapWords},
                                                                    {"bin_vheap_size", 0},
                                                                    {"bin_vheap_block_size", 46422},
                                                                    {"bin_old_vheap_size", 0},
                                                                    {"bin_old_vheap_block_size", 46422}};
  std::vector<Term> entries;
  for (const auto& [name, value] : kEntries)
    entries.push_back(s.call.heap.tuple({s.call.atom(name), Term::small(value)}));
  return s.call.heap.list(entries);
}

Term current_stacktrace(const Subject& s) {
  note_local_state(s);
  return s.call.machine.traces.current(s.process);
}

// A process that hibernates has no stack: it is in the function that it called.
Term current_location(const Subject& s) {
  const Term frames = current_stacktrace(s);
  if (s.process.wakes_on_message)
    return s.call.heap.tuple({atoms::kErlang, s.call.atom("hibernate"), Term::small(3), Term::nil()});
  return frames.is_cons() ? frames.head() : atoms::kUndefined;
}

Term current_function(const Subject& s) {
  const Term frame = current_location(s);
  if (!is_tuple(frame)) return frame;
  return s.call.heap.tuple({element(frame, 1), element(frame, 2), element(frame, 3)});
}

Term initial_call(const Subject& s) { return s.process.attributes.initial_call; }
Term parent(const Subject& s) {
  const Term pid = s.process.attributes.parent;
  return pid.is_none() ? atoms::kUndefined : pid;
}
Term group_leader(const Subject& s) {
  note(s, ObjectClass::kLeader, access::kRead);
  return s.process.attributes.group_leader;
}
Term priority(const Subject& s) {
  note_other_flags(s);
  return s.process.attributes.priority;
}
// Whether some message of the process may be a priority message. A message to an alias may end that, so
// messages count, too.
Term priority_messages(const Subject& s) {
  note(s, ObjectClass::kLinks, access::kRead);
  note(s, ObjectClass::kMailbox, access::kRead);
  note_local_state(s);
  const Attributes& attributes = s.process.attributes;
  const auto is_active = [](const Alias& alias) {
    return alias.urgency == Urgency::kPriority && alias.mode != kSpent;
  };
  const auto is_urgent = [](const Monitor& monitor) { return monitor.urgency == Urgency::kPriority; };
  return boolean(!attributes.priority_links.empty() || std::ranges::any_of(attributes.aliases, is_active) ||
                 std::ranges::any_of(attributes.monitors, is_urgent));
}
Term last_calls(const Subject& s) {
  note_other_flags(s);
  const Term length = other_flag(s.call.heap, s.call.names, s.process, atoms::kSaveCalls);
  return length == Term::small(0) ? atoms::kFalse : Term::nil();
}
// How many `catch` and `try` the process is within.
Term catchlevel(const Subject& s) {
  note_local_state(s);
  std::size_t count = 0;
  const auto is_catch = [](Term slot) { return slot.is_catch(); };
  const auto add = [&](const Term* slots, std::uint64_t number) {
    count += static_cast<std::size_t>(std::count_if(slots, slots + number, is_catch));
  };
  for (const Term* frame = s.process.top; frame < s.process.stack_end(); frame += frame_slots(*frame) + 1)
    add(frame + 1, frame_slots(*frame));
  for (Term frozen = s.process.frozen_stack; frozen.is_boxed(); frozen = frozen.object()[2])
    add(frozen.object() + 3, size_of(frozen.header()) - 2);
  return small(count);
}
Term backtrace(const Subject& s) { return make_binary(s.call.heap, "", 0); }

// A flag that process_flag/2 keeps under the name of the item.
template <const Term& kFlag>
Term flag(const Subject& s) {
  note_other_flags(s);
  return other_flag(s.call.heap, s.call.names, s.process, kFlag);
}
template <std::int64_t kValue>
Term constant(const Subject&) {
  return Term::small(kValue);
}
Term empty(const Subject&) { return Term::nil(); }

// A process starts with the heap that it asks for.
Term heap_words(const Subject& s) { return flag<atoms::kMinHeapSize>(s); }

struct Item {
  Term name;
  Term (*value)(const Subject&);
};

constexpr Item kItems[] = {
    {atoms::kRegisteredName, registered_name},
    {atoms::kCurrentFunction, current_function},
    {atoms::kInitialCall, initial_call},
    {atoms::kStatus, status},
    {atoms::kMessages, messages},
    {atoms::kMessageQueueLen, message_queue_len},
    {atoms::kLinks, links},
    {atoms::kMonitors, monitors},
    {atoms::kMonitoredBy, monitored_by},
    {atoms::kDictionary, dictionary},
    {atoms::kTrapExit, trap_exit},
    {atoms::kErrorHandler, flag<atoms::kErrorHandler>},
    {atoms::kHeapSize, heap_words},
    {atoms::kStackSize, constant<kStackWords>},
    {atoms::kMemory, constant<kMemoryBytes>},
    {atoms::kGarbageCollection, garbage_collection},
    {atoms::kGroupLeader, group_leader},
    {atoms::kReductions, constant<kReductions>},
    {atoms::kPriority, priority},
    {atoms::kTrace, constant<0>},
    {atoms::kBinary, empty},
    {atoms::kSequentialTraceToken, empty},
    {atoms::kCatchlevel, catchlevel},
    {atoms::kBacktrace, backtrace},
    {atoms::kLastCalls, last_calls},
    {atoms::kTotalHeapSize, heap_words},
    {atoms::kSuspending, empty},
    {atoms::kMinHeapSize, flag<atoms::kMinHeapSize>},
    {atoms::kMinBinVheapSize, flag<atoms::kMinBinVheapSize>},
    {atoms::kMaxHeapSize, flag<atoms::kMaxHeapSize>},
    {atoms::kCurrentLocation, current_location},
    {atoms::kCurrentStacktrace, current_stacktrace},
    {atoms::kMessageQueueData, flag<atoms::kMessageQueueData>},
    {atoms::kGarbageCollectionInfo, garbage_collection_info},
    {atoms::kMagicRef, empty},
    {atoms::kFullsweepAfter, flag<atoms::kFullsweepAfter>},
    {atoms::kParent, parent},
};

// What process_info/1 tells, in this order.
constexpr Term kUsualItems[] = {
    atoms::kRegisteredName,  atoms::kCurrentFunction, atoms::kInitialCall, atoms::kStatus,
    atoms::kMessageQueueLen, atoms::kLinks,           atoms::kDictionary,  atoms::kTrapExit,
    atoms::kErrorHandler,    atoms::kPriority,        atoms::kGroupLeader, atoms::kTotalHeapSize,
    atoms::kHeapSize,        atoms::kStackSize,       atoms::kReductions,  atoms::kGarbageCollection,
    atoms::kSuspending};

constexpr Item kDictionaryEntry = {atoms::kDictionary, dictionary_entry};
constexpr Item kLabelItem = {atoms::kLabel, label};
constexpr Item kPriorityMessagesItem = {atoms::kPriorityMessages, priority_messages};
constexpr Item kAsyncDistItem = {atoms::kAsyncDist, flag<atoms::kAsyncDist>};

const Item* find_item(Term name) {
  if (installed_release().has_process_labels) {
    if (is_tuple_of(name, 2) && element(name, 1) == atoms::kDictionary) return &kDictionaryEntry;
    if (name == atoms::kLabel) return &kLabelItem;
    if (name == atoms::kAsyncDist) return &kAsyncDistItem;
  }
  if (name == atoms::kPriorityMessages && installed_release().has_priority_messages)
    return &kPriorityMessagesItem;
  const auto item = std::ranges::find(kItems, name, &Item::name);
  return item == std::end(kItems) ? nullptr : item;
}

// What the device answers: enough for io's own curiosity.
Term device_item(Call& call, const Item& item) {
  Term value = Term::nil();
  if (item.name == atoms::kRegisteredName) value = atoms::kUser;
  if (item.name == atoms::kStatus) value = atoms::kWaiting;
  if (item.name == atoms::kMessageQueueLen) value = Term::small(0);
  if (item.name == atoms::kTrapExit) value = atoms::kTrue;
  if (item.name == atoms::kPriorityMessages) value = atoms::kFalse;
  if (item.name == atoms::kGroupLeader) value = call.names.device_pid();
  if (item.name == atoms::kPriority) value = atoms::kNormal;
  return call.heap.tuple({item.name, value});
}

// The process asked for; null if it is gone. REQUIRES: pid.is_pid().
Process* find_subject(Call& call, Term pid) {
  call.machine.record.note_access(ObjectClass::kLife, pid.pid_name(), access::kRead);
  return call.machine.processes.find_alive(pid);
}

// `asked`: the item's name, or {dictionary, Key}.
Term tell(Call& call, Process* process, const Item& item, Term asked) {
  if (process == nullptr && !is_tuple(asked)) return device_item(call, item);
  if (process == nullptr) return call.heap.tuple({asked, atoms::kUndefined});
  const Subject subject{call, *process, process == &call.self(),
                        is_tuple(asked) ? element(asked, 2) : Term::none()};
  return call.heap.tuple({asked, item.value(subject)});
}

}  // namespace

Term process_info_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_pid()) return call.badarg();
  Process* process = find_subject(call, arguments[0]);
  if (process == nullptr && arguments[0] != call.names.device_pid()) return atoms::kUndefined;
  std::vector<Term> answers;
  for (const Term name : kUsualItems) {
    const Term answer = tell(call, process, *find_item(name), name);
    // Here, and only here, a process without a name says nothing about it.
    if (name != atoms::kRegisteredName || !element(answer, 2).is_nil()) answers.push_back(answer);
  }
  return call.heap.list(answers);
}

Term process_info_2(Call& call, const Term* arguments) {
  const bool is_one = arguments[1].is_atom() || is_tuple(arguments[1]);
  const auto names = is_one ? std::vector<Term>{arguments[1]} : proper_list(arguments[1]);
  if (!names) return call.badarg();
  std::vector<const Item*> items;
  for (const Term name : *names) items.push_back(find_item(name));
  if (std::ranges::find(items, nullptr) != items.end() || !arguments[0].is_pid()) return call.badarg();
  Process* process = find_subject(call, arguments[0]);
  if (process == nullptr && arguments[0] != call.names.device_pid()) return atoms::kUndefined;
  if (is_one) {
    const Term answer = tell(call, process, *items.front(), arguments[1]);
    return arguments[1] == atoms::kRegisteredName && element(answer, 2).is_nil() ? Term::nil() : answer;
  }
  std::vector<Term> answers;
  for (std::size_t i = 0; i < items.size(); ++i)
    answers.push_back(tell(call, process, *items[i], (*names)[i]));
  return call.heap.list(answers);
}

}  // namespace ravel::erlang
