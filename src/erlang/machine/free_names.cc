#include "erlang/machine/free_names.h"

#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "erlang/machine/frame.h"
#include "erlang/machine/machine.h"

namespace ravel::erlang {

bool FreeNames::is_counting() const { return !options.recurring || machine.is_starting_system(); }

Term FreeNames::note(Term name) {
  made_.push_back(name);
  made_after_.push_back(record.earlier_events.size());
  return name;
}

// The lowest number from 1 that is not used.
std::uint64_t FreeNames::lowest_free() {
  std::ranges::sort(used_);
  std::uint64_t free = 1;
  for (const std::uint64_t number : used_)
    if (number == free) ++free;
  return free;
}

std::uint64_t FreeNames::number_for(Process& creator) {
  if (is_counting()) return ++creator.change_attributes().references_made;
  // What was made before the test may lie in a process that rests as it was, which is not visited.
  const std::uint64_t first = creator.attributes.references_made;
  used_.clear();
  std::vector<Term> with_many;  // images with more references than are kept
  const auto note = [&](Term name) {
    if (Names::creator_of(name) != creator.pid || Names::is_channel(name)) return;
    if (const std::uint64_t index = Names::index_of(name) & ~Names::kTableMark; index > first)
      used_.push_back(index - first);
  };
  for (const Process* process : machine.processes.changed()) {
    if (process->image.is_none()) continue;
    const Known& known = references_in(process->image);
    if (known.count > kReferencesKept)
      with_many.push_back(process->image);
    else
      for (std::uint32_t i = 0; i < known.count; ++i) note(known.references[i]);
  }
  // One walk at a time: what is known of images is not asked here.
  walk_.begin(Wanted::kReferences);
  for (const Term image : with_many) visit_image(image);
  for (const Process* process : machine.processes.changed())
    if (process->image.is_none()) visit_awake(*process);
  walk_.visit(machine.interpreter.operands());
  visit_rest();
  walk_.end();
  for (const Term name : walk_.found()) note(name);
  return first + lowest_free();
}

// REQUIRES: no walk has begun.
const FreeNames::Known& FreeNames::references_in(Term image) {
  if (known_.empty()) known_.resize(kKnown);
  Known& known = known_[mix(image.bits()) % kKnown];
  if (known.image == image) return known;
  known.image = image;
  walk_.begin(Wanted::kReferences);
  visit_image(image);
  walk_.end();
  known.count = static_cast<std::uint32_t>(walk_.found().size());
  std::copy_n(walk_.found().begin(), std::min<std::size_t>(known.count, kReferencesKept), known.references);
  return known;
}

Term FreeNames::pid_for_child_of(Process& parent) {
  Attributes& attributes = parent.change_attributes();
  if (is_counting()) return note(names.child_pid(parent.pid, ++attributes.children));
  walk_.begin(Wanted::kReferencesAndPids);
  for (const Process* process : machine.processes.changed()) {
    walk_.visit(process->pid);
    if (process->image.is_none()) {
      visit_awake(*process);
    } else {
      visit_image(process->image);
    }
  }
  walk_.visit(machine.interpreter.operands());
  visit_rest();
  walk_.end();
  used_.clear();
  // What was started before the test stays as it is when it rests, and is not visited.
  const std::uint64_t first = attributes.children;
  for (const Term name : walk_.found()) {
    const Term pid = name.is_pid() ? name : Names::creator_of(name);
    if (!names.has_parent(pid) || names.parent_of(pid) != parent.pid) continue;
    if (const std::uint64_t ordinal = names.ordinal_of(pid); ordinal > first)
      used_.push_back(ordinal - first);
  }
  return note(names.child_pid(parent.pid, static_cast<std::uint32_t>(first + lowest_free())));
}

bool FreeNames::is_known_to_others(const Process& process) {
  walk_.begin(Wanted::kReferencesAndPids);
  for (const Process* other : machine.processes.changed()) {
    if (other == &process) continue;
    if (other->image.is_none())
      visit_awake(*other);
    else
      visit_image(other->image);
  }
  visit_rest();
  walk_.end();
  return std::ranges::find(walk_.found(), process.pid) != walk_.found().end();
}

void FreeNames::visit_rest() {
  for (const auto& [name, pid] : machine.registry.entries()) walk_.visit(pid);
  for (const Timer& timer : machine.time.timers()) {
    walk_.visit(timer.reference);
    walk_.visit(timer.target);
    walk_.visit(timer.content);
    walk_.visit(timer.creator);
  }
  for (const Channel& channel : machine.channels.all()) {
    walk_.visit(channel.reference);
    walk_.visit(channel.receiver);
    for (const Signal& signal : channel.signals) {
      walk_.visit(signal.content);
      walk_.visit(signal.subject);
    }
  }
  SharedTerms shared = machine.shared_terms();
  shared.for_each_term([&](Term term) { walk_.visit(term); });
  for (const auto& table : machine.tables.all()) {
    for (const Term term :
         {table->id, table->owner, table->heir, table->heir_data, table->rows, table->deleted_keys})
      walk_.visit(term);
    for (const Fixation& fixation : table->fixations) walk_.visit(fixation.pid);
  }
}

void FreeNames::visit_image(Term image) {
  const ImageParts parts = machine.freezer.parts_of(image);
  for (const Term part : {parts.others, parts.stack, parts.mailbox}) walk_.visit(part);
}

void FreeNames::visit_awake(const Process& process) {
  for (const Term* frame = process.top; frame < process.stack_end(); frame += frame_slots(*frame) + 1)
    walk_.visit(std::span(frame + 1, frame_slots(*frame)));
  walk_.visit(process.frozen_stack);
  walk_.visit(process.arguments);
  for (const Term term : {process.exit_reason, process.exit_origin, process.exit_trace}) walk_.visit(term);
  if (!process.mailbox_image.is_none()) {
    walk_.visit(process.mailbox_image);
  } else {
    for (const Message& message : process.mailbox) {
      walk_.visit(message.content);
      walk_.visit(message.sender);
    }
  }
  if (!process.attributes_image.is_none()) return walk_.visit(process.attributes_image);
  const Attributes& a = process.attributes;
  for (const Term term : {a.group_leader, a.initial_call, a.parent, a.dictionary, a.label, a.other_flags})
    walk_.visit(term);
  walk_.visit(a.links);
  for (const Monitor& monitor : a.monitors) {
    for (const Term term : {monitor.reference, monitor.target, monitor.object, monitor.tag})
      walk_.visit(term);
  }
  for (const Watcher& watcher : a.watchers) {
    for (const Term term : {watcher.reference, watcher.pid, watcher.object, watcher.tag}) walk_.visit(term);
  }
  for (const Alias& alias : a.aliases) walk_.visit(alias.reference);
  for (const FormerLink& link : a.former_links) walk_.visit(link.pid);
}

}  // namespace ravel::erlang
