#include "erlang/machine/step_record.h"

#include <utility>

#include "erlang/machine/machine.h"

namespace ravel::erlang {

void StepRecord::clear() {
  event = {};
  earlier_events.clear();
  footprint.clear();
  sent_contents.clear();
  table_touches.clear();
  labels.clear();
  shows = names = is_observed_ = false;
  has_deadline_changed = false;
}

void StepRecord::begin(const Process& process) {
  clear();
  event.actor = process.pid;
  event.place = process.pc;
}

void StepRecord::note_sent(Term receiver, Term content, std::uint8_t how, Urgency urgency) {
  footprint.push_back({.object = object_id(ObjectClass::kMailbox, receiver.pid_name()),
                       .access = how,
                       .decides = false,
                       .is_priority = urgency == Urgency::kPriority});
  if (options.message_order == MessageOrder::kNoted)
    note_plain_access(ObjectClass::kMessageOrder, receiver.pid_name(), access::kWrite);
  if (options.notes_messages) sent_contents.push_back(content);
}

void StepRecord::note_message(Term owner, std::uint8_t access, std::size_t place) {
  footprint.push_back({.object = object_id(ObjectClass::kMailbox, owner.pid_name()),
                       .access = access,
                       .decides = false,
                       .message = static_cast<std::uint32_t>(place)});
}

void StepRecord::note_observed() {
  if (!std::exchange(is_observed_, true)) note_plain_access(ObjectClass::kProbe, 0, access::kWrite);
}

void StepRecord::for_each_term(Roots::Visit visit, void* collector) {
  const auto one = [&](Term& term) { visit(collector, &term, 1); };
  const auto all_of = [&](EventRecord& noted) {
    visit(collector, noted.arguments, kRecordedArguments);
    for (Term* term : {&noted.subject, &noted.object, &noted.value, &noted.result, &noted.reason}) one(*term);
  };
  visit(collector, sent_contents.data(), sent_contents.size());
  visit(collector, labels.data(), labels.size());
  for (TableTouch& touch : table_touches) touch.for_each_term(one);
  for (EventRecord& earlier : earlier_events) all_of(earlier);
  all_of(event);
}

}  // namespace ravel::erlang
