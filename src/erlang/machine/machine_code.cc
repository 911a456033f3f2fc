// The machine's code: modules, functions by name, built-ins, and what loads them.

#include "erlang/machine/machine.h"

#include <algorithm>

#include "base/check.h"
#include "base/hash.h"
#include "base/reserve.h"
#include "erlang/machine/frame_check.h"
#include "erlang/machine/loader.h"
#include "erlang/machine/loop_check.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

std::uint64_t Machine::name_hash(Term module, Term function, std::uint32_t arity) {
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
    exported.address = exported.own_body =
        emit(builtin.effect == Effect::kOperation ? Op::operation_body : Op::builtin_body, &builtin,
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
  if (installed_release().hibernates_in_place) special(0, "hibernate", emit(Op::hibernate_body, nullptr, 0));
}

std::optional<Op> Machine::special_body(Term module, Term function, std::uint32_t arity) const {
  if (module != atoms::kErlang) return std::nullopt;
  const std::string_view name = names.atoms.text(function);
  if (name == "apply" && arity == 2) return Op::apply_fun_body;
  if (name == "apply" && arity == 3) return Op::apply_body;
  if (name == "hibernate" && (arity == 3 || arity == 0)) return Op::hibernate_body;
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
  if (is_watched(module)) add_trampoline(*exports_.back());
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
    return Error{path + ": a module named " + beam->module_name() +
                 " is loaded already. Give each module once."};
  if (!is_as_compiled(*beam)) {
    if (Status status = check_frames(*beam, path); !status) return status.error();
    if (Status status = check_loops(*beam, path); !status) return status.error();
  }
  Loader loader(*this, *beam);
  auto module = loader.load(std::move(path));
  if (!module) return module.error();
  missing_modules_.erase(name.bits());
  const auto id = static_cast<std::uint64_t>(name.atom_id());
  modules_[id] = first_modules_[id] = *module;
  define(**module);
  return *module;
}

const Module* Machine::loaded_module(Term name) const {
  const auto found = modules_.find(static_cast<std::uint64_t>(name.atom_id()));
  return found == modules_.end() ? nullptr : found->second;
}

const Module* Machine::find_module(Term name) {
  if (const Module* loaded = loaded_module(name)) return loaded;
  if (missing_modules_.contains(name.bits()) || has_changed_code(name)) return nullptr;
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
  // A call loads it as code_server would, so that its function runs before (ravel_code).
  if ((*module)->has_on_load) {
    switch_module(name, *module, nullptr, nullptr, nullptr);
    missing_modules_[name.bits()] = false;
    return nullptr;
  }
  return *module;
}

std::vector<Term> Machine::modules_to_run_on_load() const {
  std::vector<Term> modules;
  for (const auto& module : by_code_)
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
  static constexpr Op kCallBuiltins[] = {
      Op::call_builtin, Op::call_operation, Op::builtin_body, Op::operation_body,
      Op::bif0,         Op::bif1,           Op::bif2,         Op::bif3};
  const auto is_there = [&](Op op) { return handler(op) == handler_there; };
  if (std::ranges::any_of(kCallBuiltins, is_there))
    marks_->add_builtin(static_cast<const Builtin*>(place[1].pointer));
}

const Export* Machine::call_at(const CodeWord* place) const {
  if (code_.index_of(place) < 1) return nullptr;
  const CodeWord* call = place - 1;  // the place is inside the instruction
  return is_instruction(call, Op::call_ext) ? static_cast<const Export*>(call[1].pointer) : nullptr;
}

// Words are looked at, not instructions: what looks like a call has to lead to the entry of a function, too.
std::vector<LocalCall> Machine::local_calls(const Module& module) const {
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
    const CodeWord* const place = code_.at(at);
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

bool Machine::is_exported(Term module, Term function, std::uint32_t arity) {
  const Export* found = find_export(module, function, arity);
  return found != nullptr && found->is_defined;
}

const CodeWord* Machine::load_export(Export& wanted) {
  if (!wanted.is_defined) find_module(wanted.module);
  return wanted.is_defined ? wanted.address : nullptr;
}

}  // namespace ravel::erlang
