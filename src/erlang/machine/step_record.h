// What the last step did: its events for the story, and its footprint.
//
// Every part of the machine writes here while a step runs; the System reads it afterwards.
#pragma once

#include <cstdint>
#include <vector>

#include "erlang/machine/event_record.h"
#include "erlang/machine/process.h"
#include "erlang/machine/signals.h"
#include "erlang/machine/table_touch.h"
#include "erlang/term/heap.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

struct MachineOptions;

struct Touched {
  std::uint64_t object;
  std::uint8_t access;        // engine's Access
  bool decides = true;        // whether what is found there may change what the operation touches next
  bool is_priority = false;   // of what is sent
  std::uint32_t message = 0;  // the place in the mailbox, if one is taken out
};

struct StepRecord {
  explicit StepRecord(const MachineOptions& its_options) : options(its_options) {}

  EventRecord event;
  // The operations of the step before that one: there are some only in calls of an atomic module.
  std::vector<EventRecord> earlier_events;
  std::vector<Touched> footprint;
  // What was sent, for each touch of the footprint with access::kSend; if options.notes_messages. Stored
  // terms after a state was saved.
  std::vector<Term> sent_contents;
  std::vector<TableTouch> table_touches;  // closer than pairs; see there
  std::vector<Term> labels;               // that the step passed (probes.h); stored likewise
  // Whether a probe was changed or a label was passed, and whether a name was registered or given back.
  bool shows = false, names = false;
  bool has_deadline_changed = false;

  void clear();
  void begin(const Process& process);  // clears it for a step of this process

  void note_access(ObjectClass object_class, std::uint64_t payload, std::uint8_t access) {
    footprint.push_back({.object = object_id(object_class, payload), .access = access});
  }
  // Notes the access of an operation that touches the same objects whatever it finds there.
  void note_plain_access(ObjectClass object_class, std::uint64_t payload, std::uint8_t access) {
    footprint.push_back({.object = object_id(object_class, payload), .access = access, .decides = false});
  }
  // What an operation does to a mailbox; `content` of what it puts in, `place` of what it takes out.
  void note_sent(Term receiver, Term content, std::uint8_t how = access::kSend,
                 Urgency urgency = Urgency::kOrdinary);
  void note_message(Term owner, std::uint8_t access, std::size_t place);
  // A step of a process itself.
  void note_run(const Process& process) {
    note_plain_access(ObjectClass::kRun, process.pid.pid_name(), access::kWrite);
  }
  TableTouch& note_table_touch(const TableTouch& touch) { return table_touches.emplace_back(touch); }
  // A step of those that something observes (property_monitors.h), if it is not noted yet.
  void note_observed();
  // A deadline is set, cancelled or looked at: noted when the step is over.
  void note_deadline_change() { has_deadline_changed = true; }

  void for_each_term(Roots::Visit visit, void* collector);  // everything young

 private:
  bool is_observed_ = false;
  const MachineOptions& options;
};

}  // namespace ravel::erlang
