#include "erlang/machine/machine.h"

#include <algorithm>

#include "base/check.h"
#include "erlang/beam/beam_file.h"
#include "erlang/machine/frame.h"
#include "erlang/term/bits.h"
#include "erlang/term/map.h"
#include "erlang/term/print.h"

namespace ravel::erlang {

Machine::Machine(MachineOptions its_options, ModuleSource& source, std::span<const Builtin> builtins)
    : options_(std::move(its_options)),
      heap(options_.nursery_words),
      store(heap, options_.store_words),
      source_(source),
      builtins_(builtins.begin(), builtins.end()),
      x_(kProgramRegisters + kScratchRegisters, Term::nil()),
      float_registers_(kRegistersMax),
      call_(*this, heap, names, nullptr) {
  CHECK(std::ranges::is_sorted(builtins_, {}, &Builtin::key));
  CHECK(options.clocks == Clocks::kFrozen || options.time != TimePolicy::kAny);
  for (Builtin& builtin : builtins_)
    if (builtin.effect == Effect::kClock) builtin.effect = effect_of_clocks();
  for (const std::string& name : options.atomic_modules) atomic_modules_.push_back(names.atoms.intern(name));
  for (const auto& [replaced, stub] : options.stubs)
    stubs_.emplace_back(names.atoms.intern(replaced), names.atoms.intern(stub));
  shared_terms_ = {.persistent = empty_map(heap),
                   .arrays = empty_map(heap),
                   .files = empty_map(heap),
                   .open_files = empty_map(heap),
                   .monitors_taken_back = empty_map(heap),
                   .trapping_ends = empty_map(heap),
                   .lasting_aliases = empty_map(heap),
                   .environment = empty_map(heap),
                   .code = empty_map(heap)};
  const auto binary = [&](const std::string& text) { return make_binary(heap, text.data(), text.size()); };
  for (const auto& [name, value] : options.environment)
    shared_terms_.environment = map_put(heap, names, shared_terms_.environment, binary(name), binary(value));
  empty_tuple_ = store.intern_object(Kind::kTuple, {});
  literals_.push_back(empty_tuple_);
  find_handlers();
  if (options.marks_execution) marks_ = std::make_unique<ExecutionMarks>();
  make_own_code();
}

Machine::~Machine() = default;

// Where time passes only when nobody can go on, it is the same for all that a step does.
Effect Machine::effect_of_clocks() const {
  if (options.clocks == Clocks::kFrozen) return Effect::kPure;
  return is_time_shared() ? Effect::kOperation : Effect::kLocal;
}

// ---- Running --------------------------------------------------------------------------------------------

void Machine::start(Term module, Term function, std::span<const Term> arguments) {
  CHECK(find_process(names.root_pid()) == nullptr);
  start_root(names.root_pid(), module, function, arguments);
}

void Machine::start_root(Term pid, Term module, Term function, std::span<const Term> arguments) {
  fault_ = {};
  Process& process = new_process(pid);
  process.change_attributes().initial_call =
      heap.tuple({module, function, Term::small(static_cast<std::int64_t>(arguments.size()))});
  prepare_start(process, module, function, arguments);
  unsettled_.push_back(&process);
  settle();
}

// Always the first in the order of the names that can go on; nothing is too early for an `after 0`.
void Machine::prepare_start(Process& process, Term module, Term function, std::span<const Term> arguments) {
  process.pc = apply_code_;
  process.cp = process_end_code_;
  process.rest = Rest::kReady;
  process.arguments = {module, function, heap.list(arguments)};
}

void Machine::prepare_start_fun(Process& process, Term fun, std::span<const Term> arguments) {
  process.pc = apply_fun_code_;
  process.cp = process_end_code_;
  process.rest = Rest::kReady;
  process.arguments = {fun, heap.list(arguments)};
}

void Machine::begin_event(Process& process) {
  event_ = {};
  earlier_events_.clear();
  footprint_.clear();
  sent_contents_.clear();
  table_touches_.clear();
  has_deadline_changed_ = false;
  event_.actor = process.pid;
  event_.place = process.pc;
}

void Machine::step(Process& process) {
  begin_event(process);
  if (!watched_.empty() && process.rest != Rest::kEnding) [[unlikely]]
    note_running_code(process);
  if (process.rest == Rest::kEnding) {
    event_.kind = OperationKind::kEnd;
    event_.value = process.exit_reason;
    end(process);
  } else if (process.rest == Rest::kEnded) {
    event_.kind = OperationKind::kTell;
    tell_next(process);
  } else {
    CHECK(process.rest != Rest::kWaiting);
    if (process.rest == Rest::kMatched) process.pc = process.receive_pc;
    run(process, Grant::kOperation);
  }
  settle();
}

void Machine::block(Process& process) {
  CHECK(process.rest == Rest::kWaiting && !process.has_noticed_block);
  begin_event(process);
  event_.kind = OperationKind::kBlock;
  process.touch();
  process.has_noticed_block = true;
}

void Machine::fire(std::size_t timer) {
  clear_event();
  expire_timer(timer);
  settle();
}

void Machine::clear_event() {
  event_ = {};
  earlier_events_.clear();
  footprint_.clear();
  sent_contents_.clear();
  table_touches_.clear();
  has_deadline_changed_ = false;
}

void Machine::settle() {
  for (std::size_t i = 0; i < unsettled_.size() && fault_.kind == MachineFault::Kind::kNone; ++i) {
    Process& process = *unsettled_[i];
    if (!process.started) {
      process.started = true;
      if (process.rest != Rest::kEnding) run(process, Grant::kLocalOnly);
    } else if (process.rest == Rest::kWaiting || process.rest == Rest::kTimeout ||
               process.rest == Rest::kMatched) {
      look_at_mailbox(process);
    }
  }
  unsettled_.clear();
  if (has_deadline_changed_ && is_time_shared()) note_plain_access(ObjectClass::kTime, 0, access::kRead);
}

void Machine::look_at_mailbox(Process& process) {
  if (process.rest == Rest::kTimeout) note_deadline_change();
  if (process.wakes_on_message) {
    process.wakes_on_message = false;
    run(process, Grant::kLocalOnly);
  } else if (process.receive_pc != nullptr && process.receive_at < process.mailbox.size()) {
    const bool had_matched = process.rest == Rest::kMatched, was_due = process.is_due;
    process.pc = process.receive_pc;
    run(process, Grant::kLocalOnly);
    if (had_matched) process.is_due = was_due;
  }
}

const CodeWord* Machine::resolve_apply(Term module, Term function, std::uint32_t arity) {
  if (!module.is_atom() || !function.is_atom()) {
    call_.badarg();
    return nullptr;
  }
  return export_named(stand_in(module), function, arity).address;
}

namespace {

// The number of elements of a proper list that fits a call, or nothing.
std::optional<std::uint32_t> argument_count(Term list) {
  std::uint32_t count = 0;
  for (; list.is_cons(); list = list.tail())
    if (++count > kArityMax) return std::nullopt;
  return list.is_nil() ? std::optional(count) : std::nullopt;
}

bool is_too_long(Term list) {
  std::uint32_t count = 0;
  for (; list.is_cons(); list = list.tail())
    if (++count > kArityMax) return true;
  return false;
}

}  // namespace

bool Machine::unpack_apply(Term* x) {
  const Term module = x[0], function = x[1], list = x[2];
  const std::optional<std::uint32_t> count = argument_count(list);
  if (!count || !module.is_atom() || !function.is_atom()) {
    call_.fail(is_too_long(list) ? atoms::kSystemLimit : atoms::kBadarg);
    return false;
  }
  unpacked_arity_ = *count;
  x[kUnpackedModule] = module;
  x[kUnpackedFunction] = function;
  std::size_t i = 0;
  for (Term rest = list; rest.is_cons(); rest = rest.tail()) x[i++] = rest.head();
  return true;
}

bool Machine::unpack_apply_fun(Term* x) {
  const Term fun = x[0], list = x[1];
  const std::optional<std::uint32_t> count = argument_count(list);
  if (!count) {
    call_.fail(is_too_long(list) ? atoms::kSystemLimit : atoms::kBadarg);
    return false;
  }
  unpacked_arity_ = *count;
  std::size_t i = 0;
  for (Term rest = list; rest.is_cons(); rest = rest.tail()) x[i++] = rest.head();
  x[i] = fun;
  return true;
}

const CodeWord* Machine::resolve_fun(Term fun, Term* x, std::size_t arity) {
  const auto fail = [&](Term tag, Term value) -> const CodeWord* {
    call_.raise(ErrorClass::kError, heap.tuple({tag, value}));
    return nullptr;
  };
  const auto bad_arity = [&] {
    return fail(atoms::kBadarity, heap.tuple({fun, heap.list(std::span<const Term>(x, arity))}));
  };
  if (is_kind(fun, Kind::kExternalFun)) {
    const Term* object = fun.object();
    if (static_cast<std::size_t>(object[3].small_value()) != arity) return bad_arity();
    return export_named(stand_in(object[1]), object[2], static_cast<std::uint32_t>(arity)).address;
  }
  if (!is_kind(fun, Kind::kFun)) return fail(atoms::kBadfun, fun);
  const Term* object = fun.object();
  if (static_cast<std::size_t>(object[2].small_value()) != arity) return bad_arity();
  const auto entry = static_cast<std::uint32_t>(object[1].small_value());
  if (names.fun(entry).code == 0) find_module(names.fun(entry).module);
  if (names.fun(entry).code == 0) return fail(atoms::kBadfun, fun);
  std::copy_n(object + 3, size_of(object[0]) - 2, x + arity);
  return code_.at(names.fun(entry).code);
}

Term Machine::run_operation(Process& process, const Builtin& builtin, const CodeWord* pc) {
  event_.kind = OperationKind::kBuiltin;
  event_.builtin = &builtin;
  event_.place = pc;
  std::copy_n(x_.begin(), std::min<std::size_t>(builtin.arity, kRecordedArguments), event_.arguments);
  note_run(process);
  const Term result = builtin.function(call_, x_.data());
  event_.result = result;
  if (result.is_none()) event_.reason = call_.exception.reason;
  return result;
}

bool Machine::run_send(Process& process, Term target, Term content, const CodeWord* pc) {
  x_[0] = target;
  x_[1] = content;
  return !run_operation(process, *send_builtin_, pc).is_none();
}

void Machine::note_sent(Term receiver, Term content, std::uint8_t how, Urgency urgency) {
  footprint_.push_back({.object = object_id(ObjectClass::kMailbox, receiver.pid_name()),
                        .access = how,
                        .decides = false,
                        .is_priority = urgency == Urgency::kPriority});
  if (options.message_order == MessageOrder::kNoted)
    note_plain_access(ObjectClass::kMessageOrder, receiver.pid_name(), access::kWrite);
  if (options.notes_messages) sent_contents_.push_back(content);
}

void Machine::note_message(Term owner, std::uint8_t access, std::size_t place) {
  footprint_.push_back({.object = object_id(ObjectClass::kMailbox, owner.pid_name()),
                        .access = access,
                        .decides = false,
                        .message = static_cast<std::uint32_t>(place)});
}

// Whether a receive that takes a message could have gone on without it after a while.
bool Machine::could_expire(const Process& process) const {
  if (process.receive_pc == nullptr) return false;
  const CodeWord* otherwise = process.receive_pc + process.receive_pc[1].pair.low;
  if (is_instruction(otherwise, Op::timeout)) return true;
  if (!is_instruction(otherwise, Op::wait_timeout)) return false;
  const std::uint64_t source = otherwise[1].bits;
  const Term time = (source & 3) != 0   ? Term(source)
                    : (source & 4) != 0 ? process.top[1 + (source >> 3)]
                                        : x_[source >> 3];
  if (!time.is_small() || time.small_value() >= options.after_infinite_ms) return false;
  return options.time != TimePolicy::kIdle || time == Term::small(0) || process.is_due;
}

Term Machine::image_of(Process& process) {
  if (process.image.is_none()) freeze(process);
  return process.image;
}

bool Machine::would_take(Term pid, Term image, Term content, std::uint8_t how) {
  if (probe_ == nullptr) probe_ = std::make_unique<Process>(pid);
  Process& probe = *probe_;
  probe.pid = pid;
  probe.image = probe.attributes_image = probe.mailbox_image = Term::none();
  thaw(probe, image);
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
  const bool had_changed = has_deadline_changed_;
  order_.push_back(&probe);  // a root, while it runs
  look_at_mailbox(probe);
  order_.pop_back();
  has_deadline_changed_ = had_changed;
  CHECK(fault_.kind == MachineFault::Kind::kNone);
  return probe.rest == Rest::kMatched;
}

std::vector<const CodeWord*> Machine::places_of_image(Term pid, Term image) {
  if (probe_ == nullptr) probe_ = std::make_unique<Process>(pid);
  Process& probe = *probe_;
  probe.pid = pid;
  probe.image = probe.attributes_image = probe.mailbox_image = Term::none();
  thaw(probe, image);
  return places_of(probe);
}

void Machine::take_message(Process& process, const CodeWord* pc) {
  const Message message = process.mailbox[process.receive_at];
  event_.kind = OperationKind::kReceive;
  event_.subject = message.sender;
  event_.value = message.content;
  event_.place = pc;
  note_run(process);
  note_message(process.pid, could_expire(process) ? access::kReceiveOrExpire : access::kReceive,
               process.receive_at);
  process.mailbox.remove(process.receive_at);
  process.mailbox_image = Term::none();
  process.receive_pc = nullptr;
  process.receive_at = 0;
  process.timeout = Term::none();
  process.is_due = false;
  process.has_noticed_block = false;
}

void Machine::take_timeout(Process& process, const CodeWord* pc) {
  advance_time(process.due_ms);
  event_.kind = OperationKind::kAfter;
  event_.value = process.timeout;
  event_.place = pc;
  note_run(process);
  note_message(process.pid, access::kExpire, 0);
  process.receive_pc = nullptr;
  process.receive_at = 0;
  process.timeout = Term::none();
}

void Machine::keep_slots(const Term* frame, const CodeWord* cp) {
  kept_slots_.clear();
  if (cp == nullptr) kept_slots_.assign(frame + 1, frame + 1 + frame_slots(frame[0]));
}

void Machine::put_back_slots(Term* frame, const CodeWord* cp) const {
  if (cp == nullptr && running_->receive_pc != nullptr) std::ranges::copy(kept_slots_, frame + 1);
}

const CodeWord* Machine::find_handler(Process& process) {
  for (;;) {
    const Term* end = process.stack_end();
    while (process.top < end) {
      const std::uint64_t slots = frame_slots(process.top[0]);
      for (std::uint64_t i = 1; i <= slots; ++i)
        if (process.top[i].is_catch())
          return code_.at(static_cast<std::uint32_t>(process.top[i].catch_index()));
      process.top += slots + 1;
    }
    if (process.frozen_stack.is_nil()) return nullptr;
    thaw_frame(process);
  }
}

void Machine::end_by_exception(Process& process) {
  const Exception& exception = call_.exception;
  process.rest = Rest::kEnding;
  process.exit_class = exception.error_class;
  process.exit_trace = build_trace(exception.stack_trace);
  process.exit_origin = Term::none();
  process.ends_by_exception = true;
  process.exit_reason = exception.reason;
  if (exception.error_class == ErrorClass::kThrow)
    process.exit_reason = heap.tuple({heap.tuple({atoms::kNocatch, exception.reason}), process.exit_trace});
  if (exception.error_class == ErrorClass::kError)
    process.exit_reason = heap.tuple({exception.reason, process.exit_trace});
  process.reset_stack();
  process.frozen_stack = Term::nil();
}

Process& Machine::take_process(Term pid) {
  Process* process;
  if (spare_.empty()) {
    process = all_.emplace_back(std::make_unique<Process>(pid)).get();
  } else {
    process = spare_.back();
    spare_.pop_back();
    process->pid = pid;
  }
  process->note_changes_in(names.is_below_system(pid) ? &has_system_changed_ : nullptr);
  process->image = process->attributes_image = process->mailbox_image = Term::none();
  if (by_name_.size() < names.pid_count()) by_name_.resize(names.pid_count(), nullptr);
  by_name_[pid.pid_name()] = process;
  return *process;
}

// ---- Roots of the nursery ---------------------------------------------------------------------------------

void Machine::for_each(Visit visit, void* collector) {
  const auto one = [&](Term& term) { visit(collector, &term, 1); };
  const auto all = [&](std::vector<Term>& terms) { visit(collector, terms.data(), terms.size()); };
  visit(collector, x_.data(), live_);
  all(kept_slots_);
  for (Process* process : order_) {
    if (!process->image.is_none() && process != running_) continue;  // holds stored terms only
    for (Term* frame = process->top; frame < process->stack_end(); frame += frame_slots(*frame) + 1)
      visit(collector, frame + 1, frame_slots(*frame));
    all(process->arguments);
    for (Message& message : process->mailbox) {
      one(message.content);
      one(message.sender);
    }
    one(process->timeout);
    one(process->exit_reason);
    one(process->exit_trace);
    Attributes& a = process->attributes;
    for (Term* term :
         {&a.group_leader, &a.initial_call, &a.dictionary, &a.priority, &a.label, &a.other_flags})
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
  all(sent_contents_);
  for (Timer& timer : timers_) {
    one(timer.target);
    one(timer.content);
  }
  for (Channel& channel : channels_)
    for (Signal& signal : channel.signals) one(signal.content);
  one(output_);
  for (Term* term :
       {&shared_terms_.persistent, &shared_terms_.arrays, &shared_terms_.files, &shared_terms_.open_files,
        &shared_terms_.monitors_taken_back, &shared_terms_.trapping_ends, &shared_terms_.lasting_aliases,
        &shared_terms_.environment, &shared_terms_.code})
    one(*term);
  tables.for_each(visit, collector);
  for (TableTouch& touch : table_touches_) touch.for_each_term(one);
  const auto record = [&](EventRecord& event) {
    visit(collector, event.arguments, kRecordedArguments);
    for (Term* term : {&event.subject, &event.object, &event.value, &event.result, &event.reason}) one(*term);
  };
  for (EventRecord& event : earlier_events_) record(event);
  record(event_);
}

}  // namespace ravel::erlang
