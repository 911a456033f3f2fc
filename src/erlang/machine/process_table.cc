#include "erlang/machine/process_table.h"

#include <algorithm>

#include "base/check.h"
#include "erlang/machine/frame.h"
#include "erlang/machine/machine.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

Process* ProcessTable::spare_or_new(Term pid) {
  Process* process;
  if (spare_.empty()) {
    process = all_.emplace_back(std::make_unique<Process>(pid)).get();
  } else {
    process = spare_.back();
    spare_.pop_back();
    process->pid = pid;
  }
  process->note_changes_in(names.is_below_system(pid) ? &has_system_changed_ : nullptr);
  if (by_name_.size() < names.pid_count()) by_name_.resize(names.pid_count(), nullptr);
  return process;
}

Process& ProcessTable::make(Term pid) {
  Process* const process = spare_or_new(pid);
  process->reset_stack();
  process->touch();
  process->rest = Rest::kReady;
  process->started = false;
  process->pc = process->cp = process->after_pc = nullptr;
  process->arguments.clear();
  process->exit_reason = process->exit_origin = process->timeout = Term::none();
  process->exit_trace = process->frozen_stack = Term::nil();
  process->exit_class = ErrorClass::kExit;
  process->ends_by_exception = false;
  process->mailbox.clear();
  process->receive_at = 0;
  process->receive_pc = nullptr;
  process->wakes_on_message = process->has_noticed_block = false;
  process->is_top_frozen = process->has_frozen_frame = false;
  Attributes& attributes = process->attributes;
  attributes = Attributes{};
  attributes.group_leader = names.device_pid();
  attributes.initial_call = attributes.parent = Term::none();
  attributes.dictionary = empty_map(heap);
  process->image = process->attributes_image = process->mailbox_image = Term::none();
  CHECK(by_name_[pid.pid_name()] == nullptr);
  by_name_[pid.pid_name()] = process;
  put_in_order(*process);
  return *process;
}

Process& ProcessTable::take(Term pid) {
  Process* const process = spare_or_new(pid);
  process->image = process->attributes_image = process->mailbox_image = Term::none();
  by_name_[pid.pid_name()] = process;
  return *process;
}

void ProcessTable::put_in_order(Process& process) {
  const auto is_before = [&](const Process* a, Term pid) { return names.compare_pids(a->pid, pid) < 0; };
  const auto place = std::lower_bound(order_.begin(), order_.end(), process.pid, is_before);
  if (place == order_.end() || *place != &process) order_.insert(place, &process);
}

void ProcessTable::remove(Process& process) {
  CHECK(by_name_[process.pid.pid_name()] == &process);
  by_name_[process.pid.pid_name()] = nullptr;
  order_.erase(std::ranges::find(order_, &process));
  forget_unsettled(process);
  spare_.push_back(&process);
}

void ProcessTable::add_unsettled(Process& process) {
  if (std::ranges::find(unsettled_, &process) == unsettled_.end()) unsettled_.push_back(&process);
}

void ProcessTable::forget_unsettled(const Process& process) { std::erase(unsettled_, &process); }

void ProcessTable::restore(std::span<const std::span<const Term>> images, std::size_t resting) {
  next_order_.clear();
  for (const std::span<const Term> pairs : images) {
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
      Process* process = find_even_ended(pairs[i]);
      if (process == nullptr) process = &take(pairs[i]);
      if (process->image != pairs[i + 1]) machine.freezer.thaw(*process, pairs[i + 1]);
      process->is_kept = true;
      next_order_.push_back(process);
    }
  }
  for (Process* process : std::span(order_).first(order_.size() - resting)) {
    if (process->is_kept) continue;
    by_name_[process->pid.pid_name()] = nullptr;
    spare_.push_back(process);
  }
  for (Process* process : next_order_) process->is_kept = false;
  next_order_.insert(next_order_.end(), order_.end() - static_cast<std::ptrdiff_t>(resting), order_.end());
  order_.swap(next_order_);
}

void ProcessTable::forget_spare_images() {
  for (Process* process : spare_)
    process->image = process->attributes_image = process->mailbox_image = Term::none();
}

void ProcessTable::for_each_term(Roots::Visit visit, void* collector, const Process* running) {
  for (Process* process : order_)
    if (process->image.is_none() || process == running)  // else it holds stored terms only
      visit_terms(*process, visit, collector);
}

void ProcessTable::visit_terms(Process& process, Roots::Visit visit, void* collector) {
  const auto one = [&](Term& term) { visit(collector, &term, 1); };
  for (Term* frame = process.top; frame < process.stack_end(); frame += frame_slots(*frame) + 1)
    visit(collector, frame + 1, frame_slots(*frame));
  visit(collector, process.arguments.data(), process.arguments.size());
  for (Message& message : process.mailbox) {
    one(message.content);
    one(message.sender);
  }
  one(process.timeout);
  one(process.exit_reason);
  one(process.exit_trace);
  Attributes& a = process.attributes;
  for (Term* term : {&a.group_leader, &a.initial_call, &a.dictionary, &a.priority, &a.label, &a.other_flags})
    one(*term);
  for (Monitor& monitor : a.monitors) {
    one(monitor.object);
    one(monitor.tag);
  }
  for (Watcher& watcher : a.watchers) {
    one(watcher.object);
    one(watcher.tag);
  }
}

}  // namespace ravel::erlang
