#include "erlang/machine/loaded_code.h"

#include <algorithm>

#include "base/check.h"
#include "base/hash.h"
#include "base/reserve.h"
#include "erlang/machine/frame_check.h"
#include "erlang/machine/loader.h"
#include "erlang/machine/loop_check.h"
#include "erlang/machine/machine.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

LoadedCode::LoadedCode(Machine& its_machine, ModuleSource& source, std::span<const Builtin> builtins)
    : MachinePart(its_machine),
      source_(source),
      builtins_(builtins.begin(), builtins.end()),
      handlers_(Interpreter::find_handlers()) {
  CHECK(std::ranges::is_sorted(builtins_, {}, &Builtin::key));
  for (Builtin& builtin : builtins_) {
    if (builtin.effect == Effect::kClock) {
      builtin.effect = VirtualTime::effect_of_clocks(options);
    } else if (builtin.effect == Effect::kShown) {
      builtin.effect = options.observes ? Effect::kOperation : Effect::kLocal;
    }
  }
  for (const auto& [replaced, stub] : options.stubs)
    stubs_.emplace_back(names.atoms.intern(replaced), names.atoms.intern(stub));
  if (options.marks_execution) marks_ = std::make_unique<ExecutionMarks>();
  make_own_code();
}

std::uint64_t LoadedCode::name_hash(Term module, Term function, std::uint32_t arity) {
  return combine(combine(module.bits(), function.bits()), arity);
}

CodeArea::CodeArea() {
  const Reserved got = reserve(kReservedWords * sizeof(CodeWord));
  base_ = static_cast<CodeWord*>(got.address);
  base_[0].bits = got.bytes / sizeof(CodeWord);  // index 0 is no place: how many words there are stands there
}

CodeArea::~CodeArea() { release(base_, kReservedWords * sizeof(CodeWord)); }

CodeWord* CodeArea::append(std::uint32_t words) {
  CHECK_MESSAGE(words < base_[0].bits - size_,
                "the modules of the program have no room: the limit on address space is too low (ulimit -v)");
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

// The few instructions that belong to no module, and the exports of built-ins.
void LoadedCode::make_own_code() {
  const auto emit = [&](Op op, const void* operand, std::uint32_t a) {
    CodeWord* place = area_.append(2);
    place[0].bits = 0;
    place[0].op.handler = handler(op);
    place[0].op.a = static_cast<std::uint16_t>(a);
    place[1].pointer = operand;
    if (marks_ != nullptr) {
      marks_->add(area_.index_of(place), handler(op));
      place[0].op.handler = handler(Op::first_run);
    }
    return static_cast<const CodeWord*>(place);
  };
  own_.process_end = emit(Op::process_end, nullptr, 0);
  own_.underflow = emit(Op::underflow, nullptr, 0);
  own_.wake_up = emit(Op::wake_up, nullptr, 0);
  own_.apply = emit(Op::apply_body, nullptr, 0);
  own_.apply_fun = emit(Op::apply_fun_body, nullptr, 0);
  const auto own_row = [&](std::string_view name, std::uint32_t arity) {
    return &own_rows_.emplace_back(Builtin{"erlang", name, arity, Effect::kLocal, nullptr});
  };
  own_.apply_row = own_row("apply", 3);
  own_.apply_fun_row = own_row("apply", 2);
  own_.hibernate_row = own_row("hibernate", 3);
  for (const Builtin& builtin : builtins_) {
    Export& exported = export_at(
        export_index(names.atoms.intern(builtin.module), names.atoms.intern(builtin.name), builtin.arity));
    exported.builtin = &builtin;
    exported.is_defined = true;
    exported.address = exported.own_body =
        emit(is_operation(builtin.effect) ? Op::operation_body : Op::builtin_body, &builtin, builtin.arity);
  }
  own_.send_row = find_builtin(atoms::kErlang, atoms::kSend, 2);  // traces call `!` so
  const auto special = [&](std::uint32_t arity, std::string_view name, const CodeWord* code) {
    Export& exported = export_at(export_index(atoms::kErlang, names.atoms.intern(name), arity));
    exported.address = code;
    exported.is_defined = true;
  };
  special(3, "apply", own_.apply);
  special(2, "apply", own_.apply_fun);
  special(3, "hibernate", emit(Op::hibernate_body, nullptr, 3));
  if (installed_release().hibernates_in_place) special(0, "hibernate", emit(Op::hibernate_body, nullptr, 0));
}

std::optional<Op> LoadedCode::special_body(Term module, Term function, std::uint32_t arity) const {
  if (module != atoms::kErlang) return std::nullopt;
  const std::string_view name = names.atoms.text(function);
  if (name == "apply" && arity == 2) return Op::apply_fun_body;
  if (name == "apply" && arity == 3) return Op::apply_body;
  if (name == "hibernate" && (arity == 3 || arity == 0)) return Op::hibernate_body;
  return std::nullopt;
}

const Builtin* LoadedCode::find_builtin(Term module, Term function, std::uint32_t arity) const {
  const Export* found = find_export(module, function, arity);
  return found == nullptr ? nullptr : found->builtin;
}

const Builtin* LoadedCode::missing_builtin(Term module, Term function, std::uint32_t arity) {
  const BuiltinFunction refused = [](Call& call, const Term*) {
    call.machine.faults.refuse("a guard function of a newer Erlang/OTP, which is not supported yet");
    return Term::none();
  };
  const std::string& module_text = own_names_.emplace_back(names.atoms.text(module));
  const std::string& function_text = own_names_.emplace_back(names.atoms.text(function));
  return &own_rows_.emplace_back(Builtin{module_text, function_text, arity, Effect::kRefused, refused});
}

const Export* LoadedCode::find_export(Term module, Term function, std::uint32_t arity) const {
  const auto bucket = export_index_.find(name_hash(module, function, arity));
  if (bucket == export_index_.end()) return nullptr;
  for (const std::uint32_t index : bucket->second) {
    const Export& one = *exports_[index];
    if (one.module == module && one.function == function && one.arity == arity) return &one;
  }
  return nullptr;
}

std::uint32_t LoadedCode::export_index(Term module, Term function, std::uint32_t arity) {
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
  if (machine.run_time_code.is_watched(module)) machine.run_time_code.add_trampoline(*exports_.back());
  return bucket.back();
}

Export& LoadedCode::export_named(Term module, Term function, std::uint32_t arity) {
  Export*& recent = recent_exports_[name_hash(module, function, arity) % kRecentExports];
  if (recent == nullptr || recent->module != module || recent->function != function || recent->arity != arity)
    recent = &export_at(export_index(module, function, arity));
  return *recent;
}

const std::uint8_t* LoadedCode::keep_string(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint8_t>& kept = strings_.emplace_back(bytes.begin(), bytes.end());
  kept.resize(kept.size() + 8);  // readers look at whole words
  return kept.data();
}

Result<const Module*> LoadedCode::load_module(std::span<const std::uint8_t> file, std::string path) {
  auto beam = read_beam(file, path);
  if (!beam) return beam.error();
  const Term name = names.atoms.intern(beam->module_name());
  if (loaded_module(name) != nullptr)
    return Error{path + ": a module named " + beam->module_name() +
                 " is loaded already. Give each module once."};
  if (!is_as_compiled(*beam)) {
    if (Status status = check_frames(*beam, path); !status) return status.error();
    if (Status status = check_loops(*beam, path); !status) return status.error();
  }
  Loader loader(machine, *beam);
  auto module = loader.load(std::move(path));
  if (!module) return module.error();
  missing_modules_.erase(name.bits());
  const auto id = static_cast<std::uint64_t>(name.atom_id());
  modules_[id] = first_modules_[id] = *module;
  machine.run_time_code.define(**module);
  return *module;
}

const Module* LoadedCode::loaded_module(Term name) const {
  const auto found = modules_.find(static_cast<std::uint64_t>(name.atom_id()));
  return found == modules_.end() ? nullptr : found->second;
}

const Module* LoadedCode::find_module(Term name) {
  if (const Module* loaded = loaded_module(name)) return loaded;
  if (missing_modules_.contains(name.bits()) || machine.run_time_code.has_changed_code(name)) return nullptr;
  std::string path;
  const auto bytes = source_.find_module(names.atoms.text(name), path);
  if (!bytes) {
    missing_modules_[name.bits()] = true;
    return nullptr;
  }
  auto module = load_module(*bytes, path);
  if (!module) {
    load_error_ = module.error().message;
    machine.faults.refuse("its module cannot be loaded: " + load_error_);
    return nullptr;
  }
  // A call loads it as code_server would, so that its function runs before (ravel_code).
  if ((*module)->has_on_load) {
    machine.run_time_code.switch_module(name, *module, nullptr, nullptr, nullptr);
    missing_modules_[name.bits()] = false;
    return nullptr;
  }
  return *module;
}

std::vector<Term> LoadedCode::modules_to_run_on_load() const {
  std::vector<Term> modules;
  for (const auto& module : by_code_)
    if (module->has_on_load) modules.push_back(module->name);
  return modules;
}

bool LoadedCode::is_instruction(const CodeWord* place, Op op) const {
  if (place->op.handler == handler(op)) return true;
  if (marks_ == nullptr) return false;
  const std::int32_t* pending = marks_->pending_handler(area_.index_of(place));
  return pending != nullptr && *pending == handler(op);
}

void LoadedCode::run_first_time(const CodeWord* place) {
  const std::uint32_t index = area_.index_of(place);
  const std::int32_t handler_there = marks_->take(index);
  area_.at(index)->op.handler = handler_there;
  static constexpr Op kCallBuiltins[] = {
      Op::call_builtin, Op::call_operation, Op::builtin_body, Op::operation_body,
      Op::bif0,         Op::bif1,           Op::bif2,         Op::bif3};
  const auto is_there = [&](Op op) { return handler(op) == handler_there; };
  if (std::ranges::any_of(kCallBuiltins, is_there))
    marks_->add_builtin(static_cast<const Builtin*>(place[1].pointer));
}

const Export* LoadedCode::call_at(const CodeWord* place) const {
  if (area_.index_of(place) < 1) return nullptr;
  const CodeWord* call = place - 1;  // the place is inside the instruction
  return is_instruction(call, Op::call_ext) ? static_cast<const Export*>(call[1].pointer) : nullptr;
}

// Words are looked at, not instructions: what looks like a call has to lead to the entry of a function, too.
std::vector<LocalCall> LoadedCode::local_calls(const Module& module) const {
  std::vector<LocalCall> calls;
  std::vector<std::pair<const void*, std::uint32_t>> own;  // exports
  const auto function_at = [&](std::uint32_t index) -> const LoadedFunction* {
    const auto next = std::ranges::upper_bound(module.functions, index, {}, &LoadedFunction::start);
    return next == module.functions.begin() ? nullptr : &*std::prev(next);
  };
  for (const auto& [name, arity] : module.exports) {
    const auto function = std::ranges::find_if(
        module.functions, [&](const LoadedFunction& one) { return one.name == name && one.arity == arity; });
    if (function != module.functions.end())
      own.emplace_back(find_export(module.name, name, arity), function->start);
  }
  std::ranges::sort(own);
  constexpr std::uint32_t kHeadWords = 3;  // of function_clause, in front of a function's entry
  for (std::uint32_t at = module.begin; at + 1 < module.end; ++at) {
    const CodeWord* const place = area_.at(at);
    const auto is = [&](Op op) { return is_instruction(place, op); };
    if (is(Op::call) || is(Op::call_only) || is(Op::call_last)) {
      const std::uint32_t to = at + static_cast<std::uint32_t>(place[1].pair.low);
      const LoadedFunction* const function =
          to < module.begin || to >= module.end ? nullptr : function_at(to);
      if (function != nullptr && to == function->start + kHeadWords) calls.push_back({at, function->start});
    } else if (is(Op::call_ext) || is(Op::call_ext_only) || is(Op::call_ext_last)) {
      const auto found = std::ranges::lower_bound(own, std::pair(place[1].pointer, std::uint32_t{0}));
      if (found != own.end() && found->first == place[1].pointer) calls.push_back({at, found->second});
    }
  }
  return calls;
}

bool LoadedCode::is_exported(Term module, Term function, std::uint32_t arity) {
  const Export* found = find_export(module, function, arity);
  return found != nullptr && found->is_defined;
}

const CodeWord* LoadedCode::load_export(Export& wanted) {
  if (!wanted.is_defined) find_module(wanted.module);
  return wanted.is_defined ? wanted.address : nullptr;
}

CodePlace LoadedCode::describe_place(const CodeWord* place) const {
  CodePlace result;
  if (place == nullptr || !area_.contains(place)) return result;
  const std::uint32_t index = area_.index_of(place);
  const auto module = std::ranges::upper_bound(by_code_, index, {}, [](const auto& m) { return m->begin; });
  if (module == by_code_.begin() || index >= (*std::prev(module))->end) return result;
  const Module& holder = **std::prev(module);
  const auto function =
      std::ranges::upper_bound(holder.functions, index, {}, [](const LoadedFunction& f) { return f.start; });
  if (function == holder.functions.begin()) return result;
  const LoadedFunction& found = *std::prev(function);
  result.module = &holder;
  result.function = found.name;
  result.arity = found.arity;
  const auto mark =
      std::ranges::upper_bound(holder.lines, index, {}, [](const LineMark& l) { return l.start; });
  if (mark != holder.lines.begin() && std::prev(mark)->start >= found.start && std::prev(mark)->line != 0) {
    result.line = std::prev(mark)->line;
    result.file = holder.files[std::prev(mark)->file];
    result.file_term = holder.file_terms[std::prev(mark)->file];
  }
  return result;
}

const Module* LoadedCode::add_module(std::unique_ptr<Module> module, std::span<const Term> literals) {
  literals_.insert(literals_.end(), literals.begin(), literals.end());
  module->version = static_cast<std::uint32_t>(by_code_.size() + 1);
  return by_code_.emplace_back(std::move(module)).get();
}

const Module* LoadedCode::first_module(Term name) const {
  const auto found = first_modules_.find(static_cast<std::uint64_t>(name.atom_id()));
  return found == first_modules_.end() ? nullptr : found->second;
}

void LoadedCode::set_current(Term name, const Module* module) {
  const auto id = static_cast<std::uint64_t>(name.atom_id());
  if (module == nullptr) {
    modules_.erase(id);
  } else {
    modules_[id] = module;
  }
}

bool LoadedCode::is_missing(Term name) const { return missing_modules_.contains(name.bits()); }

bool LoadedCode::waits_for_on_load(Term name) const {
  const auto missing = missing_modules_.find(name.bits());
  return missing != missing_modules_.end() && !missing->second;
}

bool LoadedCode::is_stub(Term module) const {
  return std::ranges::any_of(stubs_, [&](const auto& entry) { return entry.second == module; });
}

LoadedCode::Mark LoadedCode::mark() const {
  Mark mark{.exports = {},
            .missing_modules = missing_modules_,
            .code = area_.size(),
            .modules = by_code_.size(),
            .literals = literals_.size(),
            .own_rows = own_rows_.size(),
            .own_names = own_names_.size(),
            .strings = strings_.size()};
  for (const auto& one : exports_)
    mark.exports.push_back({.address = one->address, .is_defined = one->is_defined});
  return mark;
}

void LoadedCode::return_to(const Mark& mark) {
  load_error_.clear();
  for (std::size_t i = exports_.size(); i-- > mark.exports.size(); exports_.pop_back()) {
    const Export& last = *exports_[i];
    const auto bucket = export_index_.find(name_hash(last.module, last.function, last.arity));
    bucket->second.pop_back();  // a bucket is in the order of the indices
    if (bucket->second.empty()) export_index_.erase(bucket);
  }
  std::ranges::fill(recent_exports_, nullptr);
  for (std::size_t i = 0; i < exports_.size(); ++i) {
    exports_[i]->address = mark.exports[i].address;
    exports_[i]->is_defined = mark.exports[i].is_defined;
    exports_[i]->is_watched = false;
  }
  // What the state at the start says of modules has been applied (RunTimeCode::apply); the others are those
  // found since.
  for (; by_code_.size() > mark.modules; by_code_.pop_back()) {
    const auto id = static_cast<std::uint64_t>(by_code_.back()->name.atom_id());
    for (auto* table : {&modules_, &first_modules_})
      if (const auto found = table->find(id); found != table->end() && found->second == by_code_.back().get())
        table->erase(found);
  }
  missing_modules_ = mark.missing_modules;
  area_.shrink_to(mark.code);
  if (marks_ != nullptr) marks_->forget_from(mark.code);
  literals_.resize(mark.literals);
  own_rows_.resize(mark.own_rows);
  own_names_.resize(mark.own_names);
  strings_.resize(mark.strings);
}

}  // namespace ravel::erlang
