#include "erlang/machine/free_names.h"

#include <algorithm>
#include <vector>

#include "erlang/machine/frame.h"
#include "erlang/machine/machine.h"

namespace ravel::erlang {

namespace {

// The lowest number from 1 that is not among these.
std::uint64_t lowest_beside(std::vector<std::uint64_t>& used) {
  std::ranges::sort(used);
  std::uint64_t free = 1;
  for (const std::uint64_t number : used)
    if (number == free) ++free;
  return free;
}

}  // namespace

bool FreeNames::is_counting() const { return !options.recurring || machine.is_starting_system(); }

std::uint64_t FreeNames::number_for(Process& creator) {
  Attributes& attributes = creator.change_attributes();
  if (is_counting()) return ++attributes.references_made;
  NameWalk walk(heap, store, Wanted::kReferences);
  visit_all(walk);
  std::vector<std::uint64_t> used;
  for (const Term name : walk.found())
    if (Names::creator_of(name) == creator.pid && !Names::is_channel(name))
      used.push_back(Names::index_of(name) & ~Names::kTableMark);
  return lowest_beside(used);
}

Term FreeNames::pid_for_child_of(Process& parent) {
  Attributes& attributes = parent.change_attributes();
  if (is_counting()) return note(names.child_pid(parent.pid, ++attributes.children));
  NameWalk walk(heap, store, Wanted::kReferencesAndPids);
  visit_all(walk);
  std::vector<std::uint64_t> used;
  for (const Term name : walk.found()) {
    const Term pid = name.is_pid() ? name : Names::creator_of(name);
    if (names.has_parent(pid) && names.parent_of(pid) == parent.pid) used.push_back(names.ordinal_of(pid));
  }
  // What was started before the test stays as it is when it rests, and is not visited.
  const std::uint64_t first = attributes.children;
  std::erase_if(used, [&](std::uint64_t ordinal) { return ordinal <= first; });
  for (std::uint64_t& ordinal : used) ordinal -= first;
  return note(names.child_pid(parent.pid, static_cast<std::uint32_t>(first + lowest_beside(used))));
}

void FreeNames::visit_all(NameWalk& walk) const {
  walk.visit(machine.interpreter.operands());
  for (const Process* process : machine.processes.changed()) visit(*process, walk);
  for (const auto& [name, pid] : machine.registry.entries()) walk.visit(pid);
  for (const Timer& timer : machine.time.timers()) {
    walk.visit(timer.reference);
    walk.visit(timer.target);
    walk.visit(timer.content);
    walk.visit(timer.creator);
  }
  for (const Channel& channel : machine.channels.all()) {
    walk.visit(channel.reference);
    walk.visit(channel.receiver);
    for (const Signal& signal : channel.signals) {
      walk.visit(signal.content);
      walk.visit(signal.subject);
    }
  }
  SharedTerms shared = machine.shared_terms();
  shared.for_each_term([&](Term term) { walk.visit(term); });
  for (const auto& table : machine.tables.all()) {
    for (const Term term :
         {table->id, table->owner, table->heir, table->heir_data, table->rows, table->deleted_keys})
      walk.visit(term);
    for (const Fixation& fixation : table->fixations) walk.visit(fixation.pid);
  }
}

void FreeNames::visit(const Process& process, NameWalk& walk) const {
  walk.visit(process.pid);
  if (!process.image.is_none()) return walk.visit(process.image);
  for (const Term* frame = process.top; frame < process.stack_end(); frame += frame_slots(*frame) + 1)
    walk.visit(std::span(frame + 1, frame_slots(*frame)));
  walk.visit(process.frozen_stack);
  walk.visit(process.arguments);
  for (const Term term : {process.exit_reason, process.exit_origin, process.exit_trace}) walk.visit(term);
  if (!process.mailbox_image.is_none()) {
    walk.visit(process.mailbox_image);
  } else {
    for (const Message& message : process.mailbox) {
      walk.visit(message.content);
      walk.visit(message.sender);
    }
  }
  if (!process.attributes_image.is_none()) return walk.visit(process.attributes_image);
  const Attributes& a = process.attributes;
  for (const Term term : {a.group_leader, a.initial_call, a.parent, a.dictionary, a.label, a.other_flags})
    walk.visit(term);
  walk.visit(a.links);
  for (const Monitor& monitor : a.monitors) {
    for (const Term term : {monitor.reference, monitor.target, monitor.object, monitor.tag}) walk.visit(term);
  }
  for (const Watcher& watcher : a.watchers) {
    for (const Term term : {watcher.reference, watcher.pid, watcher.object, watcher.tag}) walk.visit(term);
  }
  for (const Alias& alias : a.aliases) walk.visit(alias.reference);
  for (const FormerLink& link : a.former_links) walk.visit(link.pid);
}

}  // namespace ravel::erlang
