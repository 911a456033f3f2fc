#include "erlang/machine/machine.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "base/hash.h"
#include "erlang/beam/beam_file.h"
#include "erlang/machine/frame.h"
#include "erlang/machine/frame_check.h"
#include "erlang/machine/loader.h"
#include "erlang/machine/loop_check.h"
#include "erlang/term/map.h"
#include "erlang/term/print.h"

namespace ravel::erlang {

std::uint64_t Machine::name_hash(Term module, Term function, std::uint32_t arity) {
  return combine(combine(module.bits(), function.bits()), arity);
}

// ---- Code -----------------------------------------------------------------------------------------------

CodeArea::CodeArea() {
  void* p = mmap(nullptr, kReservedWords * sizeof(CodeWord), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(p != MAP_FAILED);
  base_ = static_cast<CodeWord*>(p);
}

CodeArea::~CodeArea() { munmap(base_, kReservedWords * sizeof(CodeWord)); }

CodeWord* CodeArea::append(std::uint32_t words) {
  CHECK(words < kReservedWords - size_);
  CodeWord* result = base_ + size_;
  size_ += words;
  return result;
}

const char* op_name(Op op) {
  static constexpr const char* kNames[] = {
#define INSTRUCTION(name, sentence) #name,
#include "erlang/machine/instructions.def"
#undef INSTRUCTION
  };
  return kNames[static_cast<std::size_t>(op)];
}

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
  CHECK(options.clocks == Clocks::kFrozen || options.time == TimePolicy::kDeadlines);
  for (Builtin& builtin : builtins_)
    if (builtin.effect == Effect::kClock)
      builtin.effect = options.clocks == Clocks::kVirtual ? Effect::kOperation : Effect::kPure;
  for (const std::string& name : options.atomic_modules) atomic_modules_.push_back(names.atoms.intern(name));
  for (const auto& [replaced, stub] : options.stubs)
    stubs_.emplace_back(names.atoms.intern(replaced), names.atoms.intern(stub));
  shared_terms_ = {.persistent = empty_map(heap), .arrays = empty_map(heap), .files = empty_map(heap),
                   .open_files = empty_map(heap), .monitors_taken_back = empty_map(heap), .trapping_ends = empty_map(heap),
                   .lasting_aliases = empty_map(heap), .environment = empty_map(heap)};
  empty_tuple_ = store.intern_object(Kind::kTuple, {});
  literals_.push_back(empty_tuple_);
  find_handlers();
  if (options.marks_execution) marks_ = std::make_unique<ExecutionMarks>();
  make_own_code();
}

Machine::~Machine() = default;

// The few instructions that belong to no module, and the exports of built-ins.
void Machine::make_own_code() {
  const auto emit = [&](Op op, const void* operand, std::uint32_t a) {
    CodeWord* place = code_.append(2);
    place[0].bits = 0;
    place[0].op.handler = handler(op);
    place[0].op.a = static_cast<std::uint16_t>(a);
    place[1].pointer = operand;
    if (marks_ != nullptr) {
      marks_->add(code_.index_of(place), handler(op));
      place[0].op.handler = handler(Op::first_run);
    }
    return static_cast<const CodeWord*>(place);
  };
  process_end_code_ = emit(Op::process_end, nullptr, 0);
  underflow_code_ = emit(Op::underflow, nullptr, 0);
  wake_up_code_ = emit(Op::wake_up, nullptr, 0);
  apply_code_ = emit(Op::apply_body, nullptr, 0);
  apply_fun_code_ = emit(Op::apply_fun_body, nullptr, 0);
  const auto own_row = [&](std::string_view name, std::uint32_t arity) {
    return &own_rows_.emplace_back(Builtin{"erlang", name, arity, Effect::kLocal, nullptr});
  };
  apply_builtin_ = own_row("apply", 3);
  apply_fun_builtin_ = own_row("apply", 2);
  hibernate_builtin_ = own_row("hibernate", 3);
  for (const Builtin& builtin : builtins_) {
    Export& exported = export_at(
        export_index(names.atoms.intern(builtin.module), names.atoms.intern(builtin.name), builtin.arity));
    exported.builtin = &builtin;
    exported.is_defined = true;
    exported.address = emit(builtin.effect == Effect::kOperation ? Op::operation_body : Op::builtin_body, &builtin,
                            builtin.arity);
  }
  send_builtin_ = find_builtin(atoms::kErlang, atoms::kSend, 2);  // traces call `!` so
  const auto special = [&](std::uint32_t arity, std::string_view name, const CodeWord* code) {
    Export& exported = export_at(export_index(atoms::kErlang, names.atoms.intern(name), arity));
    exported.address = code;
    exported.is_defined = true;
  };
  special(3, "apply", apply_code_);
  special(2, "apply", apply_fun_code_);
  special(3, "hibernate", emit(Op::hibernate_body, nullptr, 3));
}

std::optional<Op> Machine::special_body(Term module, Term function, std::uint32_t arity) const {
  if (module != atoms::kErlang) return std::nullopt;
  const std::string_view name = names.atoms.text(function);
  if (name == "apply" && arity == 2) return Op::apply_fun_body;
  if (name == "apply" && arity == 3) return Op::apply_body;
  if (name == "hibernate" && arity == 3) return Op::hibernate_body;
  return std::nullopt;
}

const Builtin* Machine::find_builtin(Term module, Term function, std::uint32_t arity) const {
  const Export* found = find_export(module, function, arity);
  return found == nullptr ? nullptr : found->builtin;
}

const Builtin* Machine::missing_builtin(Term module, Term function, std::uint32_t arity) {
  const BuiltinFunction refused = [](Call& call, const Term*) {
    call.machine.refuse("a guard function of a newer Erlang/OTP, which is not supported yet");
    return Term::none();
  };
  const std::string& module_text = own_names_.emplace_back(names.atoms.text(module));
  const std::string& function_text = own_names_.emplace_back(names.atoms.text(function));
  return &own_rows_.emplace_back(Builtin{module_text, function_text, arity, Effect::kRefused, refused});
}

const Export* Machine::find_export(Term module, Term function, std::uint32_t arity) const {
  const auto bucket = export_index_.find(name_hash(module, function, arity));
  if (bucket == export_index_.end()) return nullptr;
  for (const std::uint32_t index : bucket->second) {
    const Export& one = *exports_[index];
    if (one.module == module && one.function == function && one.arity == arity) return &one;
  }
  return nullptr;
}

std::uint32_t Machine::export_index(Term module, Term function, std::uint32_t arity) {
  std::vector<std::uint32_t>& bucket = export_index_[name_hash(module, function, arity)];
  for (const std::uint32_t index : bucket) {
    const Export& one = *exports_[index];
    if (one.module == module && one.function == function && one.arity == arity) return index;
  }
  auto made = std::make_unique<Export>();
  made->module = module;
  made->function = function;
  made->arity = arity;
  made->stub[0].bits = 0;
  made->stub[0].op.handler = handler(Op::load_export);
  made->stub[1].pointer = made.get();
  made->address = made->stub;
  exports_.push_back(std::move(made));
  bucket.push_back(static_cast<std::uint32_t>(exports_.size() - 1));
  return bucket.back();
}

Export& Machine::export_named(Term module, Term function, std::uint32_t arity) {
  Export*& recent = recent_exports_[name_hash(module, function, arity) % kRecentExports];
  if (recent == nullptr || recent->module != module || recent->function != function || recent->arity != arity)
    recent = &export_at(export_index(module, function, arity));
  return *recent;
}

Term Machine::intern_literal(Term literal) { return store.intern(literal); }

const std::uint8_t* Machine::keep_string(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint8_t>& kept = strings_.emplace_back(bytes.begin(), bytes.end());
  kept.resize(kept.size() + 8);  // readers look at whole words
  return kept.data();
}

Result<const Module*> Machine::load_module(std::span<const std::uint8_t> file, std::string path) {
  auto beam = read_beam(file, path);
  if (!beam) return beam.error();
  const Term name = names.atoms.intern(beam->module_name());
  if (loaded_module(name) != nullptr)
    return Error{path + ": a module named " + beam->module_name() + " is loaded already. Give each module once."};
  if (Status status = check_frames(*beam, path); !status) return status.error();
  if (Status status = check_loops(*beam, path); !status) return status.error();
  Loader loader(*this, *beam);
  auto module = loader.load(std::move(path));
  if (!module) return module.error();
  missing_modules_.erase(name.bits());
  return static_cast<const Module*>(*module);
}

const Module* Machine::loaded_module(Term name) const {
  const auto found = modules_.find(static_cast<std::uint64_t>(name.atom_id()));
  return found == modules_.end() ? nullptr : found->second.get();
}

const Module* Machine::find_module(Term name) {
  if (const Module* loaded = loaded_module(name)) return loaded;
  if (missing_modules_.contains(name.bits())) return nullptr;
  std::string path;
  const auto bytes = source_.find_module(names.atoms.text(name), path);
  if (!bytes) {
    missing_modules_[name.bits()] = true;
    return nullptr;
  }
  auto module = load_module(*bytes, path);
  if (!module) {
    load_error_ = module.error().message;
    refuse("its module cannot be loaded: " + load_error_);
    return nullptr;
  }
  if ((*module)->has_on_load)
    refuse("its module " + std::string(names.atoms.text(name)) +
           " has an on_load function, which would run in the middle of the test: name its file on the command line, and it "
           "runs before");
  return *module;
}

std::vector<Term> Machine::modules_to_run_on_load() const {
  std::vector<Term> modules;
  for (const Module* module : by_code_)
    if (module->has_on_load) modules.push_back(module->name);
  return modules;
}

bool Machine::is_instruction(const CodeWord* place, Op op) const {
  if (place->op.handler == handler(op)) return true;
  if (marks_ == nullptr) return false;
  const std::int32_t* pending = marks_->pending_handler(code_.index_of(place));
  return pending != nullptr && *pending == handler(op);
}

void Machine::run_first_time(const CodeWord* place) {
  const std::uint32_t index = code_.index_of(place);
  const std::int32_t handler_there = marks_->take(index);
  code_.at(index)->op.handler = handler_there;
  static constexpr Op kCallBuiltins[] = {Op::call_builtin, Op::call_operation, Op::builtin_body, Op::operation_body,
                                         Op::bif0,         Op::bif1,           Op::bif2,         Op::bif3};
  const auto is_there = [&](Op op) { return handler(op) == handler_there; };
  if (std::ranges::any_of(kCallBuiltins, is_there)) marks_->add_builtin(static_cast<const Builtin*>(place[1].pointer));
}

const Export* Machine::call_at(const CodeWord* place) const {
  if (code_.index_of(place) < 1) return nullptr;
  const CodeWord* call = place - 1;  // the place is inside the instruction
  return is_instruction(call, Op::call_ext) ? static_cast<const Export*>(call[1].pointer) : nullptr;
}

bool Machine::is_exported(Term module, Term function, std::uint32_t arity) {
  const Export* found = find_export(module, function, arity);
  return found != nullptr && found->is_defined;
}

const CodeWord* Machine::load_export(Export& wanted) {
  if (!wanted.is_defined) find_module(wanted.module);
  return wanted.is_defined ? wanted.address : nullptr;
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
  if (process.rest == Rest::kEnding) {
    event_.kind = OperationKind::kEnd;
    event_.value = process.exit_reason;
    end(process);
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
    } else if (process.rest == Rest::kWaiting || process.rest == Rest::kTimeout) {
      look_at_mailbox(process);
    }
  }
  unsettled_.clear();
  if (has_deadline_changed_ && options.time == TimePolicy::kDeadlines)
    note_plain_access(ObjectClass::kTime, 0, access::kRead);
}

void Machine::look_at_mailbox(Process& process) {
  if (process.rest == Rest::kTimeout) note_deadline_change();
  if (process.wakes_on_message) {
    process.wakes_on_message = false;
    process.pc = wake_up_code_;
    run(process, Grant::kLocalOnly);
  } else if (process.receive_pc != nullptr && process.receive_at < process.mailbox.size()) {
    process.pc = process.receive_pc;
    run(process, Grant::kLocalOnly);
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

void Machine::note_sent(Term receiver, Term content, std::uint8_t how) {
  footprint_.push_back(
      {.object = object_id(ObjectClass::kMailbox, receiver.pid_name()), .access = how, .decides = false});
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
  return time.is_small() && time.small_value() < options.after_infinite_ms;
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
  probe.mailbox.assign(1, {.content = content, .sender = pid});
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

void Machine::take_message(Process& process, const CodeWord* pc) {
  const Message message = process.mailbox[process.receive_at];
  event_.kind = OperationKind::kReceive;
  event_.subject = message.sender;
  event_.value = message.content;
  event_.place = pc;
  note_run(process);
  note_message(process.pid, could_expire(process) ? access::kReceiveOrExpire : access::kReceive, process.receive_at);
  process.mailbox.erase(process.mailbox.begin() + static_cast<std::ptrdiff_t>(process.receive_at));
  process.mailbox_image = Term::none();
  process.receive_pc = nullptr;
  process.receive_at = 0;
  process.timeout = Term::none();
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
        if (process.top[i].is_catch()) return code_.at(static_cast<std::uint32_t>(process.top[i].catch_index()));
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
    for (Term* term : {&a.group_leader, &a.initial_call, &a.dictionary, &a.priority, &a.label, &a.other_flags}) one(*term);
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
  for (Term* term : {&shared_terms_.persistent, &shared_terms_.arrays, &shared_terms_.files, &shared_terms_.open_files,
                     &shared_terms_.monitors_taken_back, &shared_terms_.trapping_ends, &shared_terms_.lasting_aliases,
                     &shared_terms_.environment})
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
