#include "erlang/machine/machine.h"

#include <algorithm>

#include "base/check.h"
#include "erlang/term/bits.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

Machine::Machine(MachineOptions its_options, ModuleSource& source, std::span<const Builtin> builtins)
    : options_(std::move(its_options)),
      heap(options_.nursery_words),
      store(heap, options_.store_words, options_.store_hashes),
      code(*this, source, builtins) {
  CHECK(options.clocks == Clocks::kFrozen || options.time != TimePolicy::kAny);
  shared_terms_.for_each_term([&](Term& term) { term = empty_map(heap); });
  const auto binary = [&](const std::string& text) { return make_binary(heap, text.data(), text.size()); };
  for (const auto& [name, value] : options.environment)
    shared_terms_.environment = map_put(heap, names, shared_terms_.environment, binary(name), binary(value));
}

Machine::~Machine() = default;

// ---- Running --------------------------------------------------------------------------------------------

void Machine::start(Term module, Term function, std::span<const Term> arguments) {
  CHECK(processes.find(names.root_pid()) == nullptr);
  mishaps.begin();
  start_root(names.root_pid(), module, function, arguments);
}

void Machine::start_root(Term pid, Term module, Term function, std::span<const Term> arguments) {
  faults.clear();
  Process& process = processes.make(pid);
  process.change_attributes().initial_call =
      heap.tuple({module, function, Term::small(static_cast<std::int64_t>(arguments.size()))});
  interpreter.prepare_start(process, module, function, arguments);
  processes.add_unsettled(process);
  settle();
}

void Machine::step(Process& process, std::uint32_t choice) {
  record.begin(process);
  interpreter.set_choice(choice);
  if (run_time_code.are_any_watched() && process.rest != Rest::kEnding) [[unlikely]]
    run_time_code.note_running_code(process);
  if (process.rest == Rest::kEnding) {
    record.event.kind = OperationKind::kEnd;
    record.event.value = process.exit_reason;
    endings.end(process);
  } else if (process.rest == Rest::kEnded) {
    record.event.kind = OperationKind::kTell;
    endings.tell_next(process);
  } else {
    CHECK(process.rest != Rest::kWaiting);
    if (process.rest == Rest::kMatched) process.pc = process.receive_pc;
    const bool begins = !process.started;
    process.started = true;
    if (begins) record.event.kind = OperationKind::kBegin;
    interpreter.run(process, begins ? Interpreter::Grant::kBeginning : Interpreter::Grant::kOperation);
  }
  settle();
}

void Machine::block(Process& process) {
  CHECK(process.rest == Rest::kWaiting && !process.has_noticed_block);
  record.begin(process);
  record.event.kind = OperationKind::kBlock;
  process.touch();
  process.has_noticed_block = true;
}

void Machine::fire(std::size_t timer) {
  record.clear();
  time.expire_timer(timer);
  settle();
}

void Machine::settle() {
  for (std::size_t i = 0; i < processes.unsettled().size() && !faults.has_one(); ++i) {
    Process& process = *processes.unsettled()[i];
    if (!process.started) {
      if (options.steps == Steps::kReceives && !is_starting_system()) continue;  // by a step of its own
      process.started = true;
      if (process.rest != Rest::kEnding) interpreter.run(process, Interpreter::Grant::kLocalOnly);
    } else if (process.rest == Rest::kWaiting || process.rest == Rest::kTimeout ||
               process.rest == Rest::kMatched) {
      look_at_mailbox(process);
    }
  }
  processes.clear_unsettled();
  if (record.has_deadline_changed && time.is_shared())
    record.note_plain_access(ObjectClass::kTime, 0, access::kRead);
}

void Machine::look_at_mailbox(Process& process) {
  if (process.rest == Rest::kTimeout) record.note_deadline_change();
  if (process.wakes_on_message) {
    process.wakes_on_message = false;
    interpreter.run(process, Interpreter::Grant::kLocalOnly);
  } else if (process.receive_pc != nullptr && process.receive_at < process.mailbox.size()) {
    const bool had_matched = process.rest == Rest::kMatched, was_due = process.is_due;
    process.pc = process.receive_pc;
    interpreter.run(process, Interpreter::Grant::kLocalOnly);
    if (had_matched) process.is_due = was_due;
  }
}

Term Machine::image_of(Process& process) {
  if (process.image.is_none()) freezer.freeze(process);
  return process.image;
}

Process& Machine::thawed_probe(Term pid, Term image) {
  if (probe_ == nullptr) probe_ = std::make_unique<Process>(pid);
  Process& probe = *probe_;
  probe.pid = pid;
  probe.image = probe.attributes_image = probe.mailbox_image = Term::none();
  freezer.thaw(probe, image);
  return probe;
}

bool Machine::would_take(Term pid, Term image, Term content, std::uint8_t how) {
  Process& probe = thawed_probe(pid, image);
  if (probe.receive_pc == nullptr || content.is_none()) return false;
  if (how == access::kSendInVain) {
    const auto& monitors = probe.attributes.monitors;
    if (std::ranges::find(monitors, element(content, 2), &Monitor::reference) == monitors.end()) return false;
  }
  probe.mailbox.clear();
  probe.mailbox.add({.content = content, .sender = pid}, Urgency::kOrdinary);
  probe.touch();
  probe.rest = Rest::kWaiting;
  probe.receive_at = 0;
  const bool had_changed = record.has_deadline_changed;
  processes.push(probe);
  look_at_mailbox(probe);
  processes.pop();
  record.has_deadline_changed = had_changed;
  CHECK(!faults.has_one());
  return probe.rest == Rest::kMatched;
}

std::vector<const CodeWord*> Machine::places_of_image(Term pid, Term image) {
  return traces.places_of(thawed_probe(pid, image));
}

void Machine::bring_signal(std::size_t channel) {
  record.clear();
  channels.bring(channel);
  settle();
}

void Machine::kill(Process& process) {
  record.begin(process);
  mishaps.kill(process);
  settle();
}

void Machine::lose_signal(std::size_t channel) {
  record.clear();
  mishaps.lose(channel);
}

void Machine::duplicate_signal(std::size_t channel) {
  record.clear();
  mishaps.duplicate(channel);
  settle();
}

void Machine::end_mishaps() {
  record.clear();
  mishaps.end();
}

void Machine::note_otp_started() {
  is_starting_otp_ = false;
  code.use_stubs(true);
}

std::uint64_t Machine::next_unique_integer() {
  record.note_plain_access(ObjectClass::kCounter, 0, access::kWrite);
  return ++change_shared_terms().unique_integers;
}

void Machine::collect_store_if_due(Roots& saved) {
  freezer.collect_store_if_due(starting_point_.words, saved);
}

// Roots of the nursery.
void Machine::for_each(Visit visit, void* collector) {
  interpreter.for_each_term(visit, collector);
  processes.for_each_term(visit, collector, interpreter.running());
  time.for_each_term(visit, collector);
  channels.for_each_term(visit, collector);
  device.for_each_term(visit, collector);
  shared_terms_.for_each_term([&](Term& term) { visit(collector, &term, 1); });
  tables.for_each(visit, collector);
  record.for_each_term(visit, collector);
  pure_calls.for_each_term(visit, collector);
  property_monitors.for_each_term(visit, collector);
  told_explorer.for_each_term(visit, collector);
}

}  // namespace ravel::erlang
