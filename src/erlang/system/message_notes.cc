#include "erlang/system/message_notes.h"

#include <algorithm>

#include "base/check.h"
#include "base/hash.h"
#include "erlang/bif/table_conflicts.h"

namespace ravel::erlang {

bool MessageNotes::takes_as_sent(const Process& process) const {
  if (plain_logging_.is_served_by(machine_, process)) return true;
  const Term name = process.attributes.registered_name;
  return !non_racing_.empty() && name.is_atom() &&
         std::ranges::find(non_racing_, machine_.names.atoms.text(name)) != non_racing_.end();
}

void MessageNotes::note(const Receiver& receiver, std::span<const Touch> footprint) {
  Machine& m = machine_;
  // Whatever is remembered has to be stored, and the nursery is stored as a whole.
  const bool has_terms = !m.record.sent_contents.empty() || !m.record.table_touches.empty();
  if (has_terms && m.faults.current().kind == MachineFault::Kind::kNone) m.freezer.store_state();
  noted_.push_back({.receiver = receiver.who,
                    .image = receiver.image,
                    .sent = static_cast<std::uint32_t>(sent_.size()),
                    .tables = static_cast<std::uint32_t>(tables_.size()),
                    .is_non_racing = receiver.takes_as_sent});
  for (TableTouch touch : m.record.table_touches) {
    if (touch.kind == TableTouch::Kind::kInsert) settle_repeated_insertion(touch, tables_);
    tables_.push_back(touch);
  }
  std::size_t next = 0;
  for (std::uint32_t touch = 0; touch < footprint.size(); ++touch)
    if (is_send(footprint[touch].access))
      sent_.push_back({.touch = touch,
                       .how = static_cast<std::uint8_t>(footprint[touch].access),
                       .content = m.record.sent_contents[next++]});
}

bool MessageNotes::could_take(std::size_t receive, std::size_t send, std::size_t touch) {
  const Noted &receiver = noted_[receive], &sender = noted_[send];
  if (receiver.image.is_none() || receiver.is_non_racing) return false;
  for (std::size_t i = sender.sent;
       i < sent_.size() && (send + 1 == noted_.size() || i < noted_[send + 1].sent); ++i)
    if (sent_[i].touch == touch) return would_take(receiver, sent_[i]);
  CHECK(false);
}

// Equal terms that are stored are the same, and nothing else has a part in the answer.
bool MessageNotes::would_take(const Noted& receive, const Sent& message) {
  const std::uint64_t hash =
      combine(combine(receive.image.bits(), message.content.bits()), receive.receiver.bits());
  TakeAnswer& known = answers_[hash % answers_.size()];
  if (known.receiver == receive.receiver && known.image == receive.image &&
      known.content == message.content && known.how == message.how)
    return known.takes;
  known = {.receiver = receive.receiver,
           .image = receive.image,
           .content = message.content,
           .how = message.how,
           .takes = machine_.would_take(receive.receiver, receive.image, message.content, message.how)};
  return known.takes;
}

std::span<const TableTouch> MessageNotes::table_touches_of(std::size_t event) const {
  const std::size_t end = event + 1 < noted_.size() ? noted_[event + 1].tables : tables_.size();
  return std::span(tables_).subspan(noted_[event].tables, end - noted_[event].tables);
}

bool MessageNotes::conflict_closely(std::size_t earlier, std::size_t later) const {
  return table_touches_conflict(machine_, table_touches_of(earlier), table_touches_of(later));
}

std::uint64_t MessageNotes::close_key(std::size_t event) const {
  std::uint64_t key = 0;
  for (const TableTouch& touch : table_touches_of(event)) {
    key = combine(key, static_cast<std::uint64_t>(touch.kind) << 32 |
                           static_cast<std::uint64_t>(touch.type) << 16 | touch.key_position);
    for (const Term term : {touch.table, touch.process, touch.key, touch.before, touch.after,
                            touch.specification, touch.from, touch.to})
      key = combine(key, term.is_none() ? 1 : Store::hash(term));
  }
  return key;
}

// A timer's message is there at once with channels, too.
void MessageNotes::note_overtaking(std::size_t receive, std::size_t taken) {
  const Noted& at = noted_[receive];
  if (at.image.is_none() || !noted_[taken].receiver.is_pid()) return;
  machine_.faults.assumptions().add(Assumed::kInstantDelivery,
                                    machine_.places_of_image(at.receiver, at.image));
}

void MessageNotes::for_each(Visit visit, void* collector) {
  for (Noted& noted : noted_) {
    visit(collector, &noted.receiver, 1);
    visit(collector, &noted.image, 1);
  }
  for (Sent& sent : sent_)
    if (!sent.content.is_none()) visit(collector, &sent.content, 1);
  for (TableTouch& touch : tables_)
    touch.for_each_term([&](Term& term) {
      if (!term.is_none()) visit(collector, &term, 1);
    });
}

void MessageNotes::note_collected() { std::ranges::fill(answers_, TakeAnswer()); }

}  // namespace ravel::erlang
