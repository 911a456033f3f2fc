#include "erlang/machine/loader.h"

#include <algorithm>
#include <cstring>

#include "erlang/machine/machine.h"
#include "erlang/term/big_integer.h"
#include "erlang/term/external_format.h"

namespace ravel::erlang {

namespace {

// Functions of OTP that talk to its code server, file server, init or output processes are replaced by the
// machine's own (src/erlang/lib), of the same name and arity.
struct Redirect {
  std::string_view module, function;
  std::uint32_t arity;
  std::string_view to_module;
};
constexpr Redirect kRedirects[] = {
    {"Elixir.ExUnit.CaptureLog", "add_capture", 2, "ravel_elixir_logger"},
    {"Elixir.ExUnit.CaptureLog", "remove_capture", 1, "ravel_elixir_logger"},
    {"Elixir.ExUnit.CaptureServer", "log_capture_off", 1, "ravel_elixir_logger"},
    {"Elixir.ExUnit.CaptureServer", "log_capture_on", 1, "ravel_elixir_logger"},
    {"Elixir.Logger", "configure", 1, "ravel_elixir_logger"},
    {"Elixir.Logger", "flush", 0, "ravel_elixir_logger"},
    {"code", "call", 1, "ravel_code"},
    {"code", "ensure_loaded", 1, "ravel_code"},
    {"code", "ensure_modules_loaded", 1, "ravel_otp"},
    {"code", "load_file", 1, "ravel_code"},
    {"code_server", "get_mode", 0, "ravel_code"},  // these three since OTP 26, without a request
    {"code_server", "is_loaded", 1, "ravel_code"},
    {"code_server", "is_sticky", 1, "ravel_code"},
    {"erts_code_purger", "purge", 1, "ravel_code"},
    {"erts_code_purger", "soft_purge", 1, "ravel_code"},
    {"erl_prim_loader", "request", 1, "ravel_file"},
    {"erl_features", "configurable", 0, "ravel_otp"},
    {"erl_features", "keywords", 0, "ravel_otp"},
    {"erl_features", "keywords", 1, "ravel_otp"},
    {"erl_signal_handler", "start", 0, "ravel_kernel"},
    {"file", "call", 2, "ravel_file"},
    {"file", "consult", 1, "ravel_file"},
    {"inet", "gethostname", 0, "ravel_inet"},
    {"inet_db", "db_get", 1, "ravel_inet"},
    {"init", "request", 1, "ravel_init"},
    {"io", "execute_request", 2, "ravel_io"},  // up to OTP 23
    {"io", "execute_request", 3, "ravel_io"},
    {"kernel", "init", 1, "ravel_kernel"},
    {"logger_config", "allow", 1, "ravel_logger"},
    {"logger_config", "allow", 2, "ravel_logger"},
    {"logger_config", "exist", 2, "ravel_logger"},
    {"logger_config", "get", 2, "ravel_logger"},
    {"logger_config", "get", 3, "ravel_logger"},
    {"logger_h_common", "filesync", 2, "ravel_logger"},
    {"logger_h_common", "log", 2, "ravel_logger"},
    {"logger_h_common", "removing_handler", 1, "ravel_logger"},
    {"logger_h_common", "start", 2, "ravel_logger"},
    {"logger_olp", "cast", 2, "ravel_logger"},
    {"logger_olp", "set_opts", 2, "ravel_logger"},
    {"logger_sup", "init", 1, "ravel_logger"},
    {"erlang", "load_module", 2, "ravel_code"},
    {"supervisor", "default_hibernate_after", 1, "ravel_otp"},  // since OTP 28
    // Common Test's servers.
    {"ct_util", "get_testdata", 1, "ravel_ct_server"},
    {"ct_util", "get_testdata", 2, "ravel_ct_server"},
    {"ct_util", "set_testdata", 1, "ravel_ct_server"},
    {"ct_util", "set_testdata_async", 1, "ravel_ct_server"},
    {"ct_util", "update_testdata", 2, "ravel_ct_server"},
    {"ct_util", "update_testdata", 3, "ravel_ct_server"},
    {"ct_util", "delete_testdata", 1, "ravel_ct_server"},
    {"ct_util", "match_delete_testdata", 1, "ravel_ct_server"},
    {"ct_util", "read_suite_data", 1, "ravel_ct_server"},
    {"ct_util", "save_suite_data", 2, "ravel_ct_server"},
    {"ct_util", "save_suite_data", 3, "ravel_ct_server"},
    {"ct_util", "save_suite_data_async", 1, "ravel_ct_server"},
    {"ct_util", "save_suite_data_async", 2, "ravel_ct_server"},
    {"ct_util", "save_suite_data_async", 3, "ravel_ct_server"},
    {"ct_util", "delete_suite_data", 0, "ravel_ct_server"},
    {"ct_util", "delete_suite_data", 1, "ravel_ct_server"},
    {"ct_util", "match_delete_suite_data", 1, "ravel_ct_server"},
    {"ct_util", "silence_connections", 1, "ravel_ct_server"},
    {"ct_util", "reset_silent_connections", 0, "ravel_ct_server"},
    {"ct_util", "get_overridden_silenced_connections", 0, "ravel_ct_server"},
    {"ct_util", "mark_process", 0, "ravel_ct_server"},
    {"ct_util", "mark_process", 1, "ravel_ct_server"},
    {"ct_util", "set_verbosity", 1, "ravel_ct_server"},
    {"ct_util", "get_verbosity", 1, "ravel_ct_server"},
    {"ct_util", "get_mode", 0, "ravel_ct_server"},
    {"ct_util", "remaining_test_procs", 0, "ravel_ct_server"},
    {"ct_config", "call", 1, "ravel_ct_server"},
    {"ct_config", "set_config", 3, "ravel_ct_server"},
    {"ct_config", "get_all_config", 0, "ravel_ct_server"},
    {"ct_config", "lookup_name", 1, "ravel_ct_server"},
    {"ct_config", "lookup_key", 1, "ravel_ct_server"},
    {"ct_config", "release_allocated", 0, "ravel_ct_server"},
    {"ct_config", "get_key_from_name", 1, "ravel_ct_server"},
    {"ct_config", "associate_int", 3, "ravel_ct_server"},
    {"ct_hooks_lock", "request", 0, "ravel_ct_server"},
    {"ct_hooks_lock", "release", 0, "ravel_ct_server"},
    {"ct_hooks_lock", "start", 1, "ravel_ct_server"},
    {"ct_hooks_lock", "stop", 1, "ravel_ct_server"},
    {"ct_event", "notify", 1, "ravel_ct_server"},
    {"ct_event", "sync_notify", 1, "ravel_ct_server"},
    {"ct_event", "notify", 2, "ravel_ct_server"},
    {"ct_event", "sync_notify", 2, "ravel_ct_server"},
    {"ct", "send_html_comment", 1, "ravel_ct_server"},
    {"ct", "sleep", 1, "ravel_ct_server"},
    {"ct", "break", 1, "ravel_ct_server"},
    {"ct", "break", 2, "ravel_ct_server"},
    {"ct_logs", "log", 3, "ravel_ct_server"},
    {"ct_logs", "tc_log", 3, "ravel_ct_server"},
    {"ct_logs", "tc_log", 4, "ravel_ct_server"},
    {"ct_logs", "tc_log", 5, "ravel_ct_server"},
    {"ct_logs", "tc_log", 6, "ravel_ct_server"},
    {"ct_logs", "tc_print", 3, "ravel_ct_server"},
    {"ct_logs", "tc_print", 4, "ravel_ct_server"},
    {"ct_logs", "tc_print", 5, "ravel_ct_server"},
    {"ct_logs", "tc_pal", 3, "ravel_ct_server"},
    {"ct_logs", "tc_pal", 4, "ravel_ct_server"},
    {"ct_logs", "tc_pal", 5, "ravel_ct_server"},
    {"ct_logs", "tc_log_async", 3, "ravel_ct_server"},
    {"ct_logs", "tc_log_async", 5, "ravel_ct_server"},
    {"ct_logs", "init_tc", 1, "ravel_ct_server"},
    {"ct_logs", "end_tc", 1, "ravel_ct_server"},
    {"ct_logs", "set_stylesheet", 2, "ravel_ct_server"},
    {"ct_logs", "clear_stylesheet", 1, "ravel_ct_server"},
    {"ct_logs", "get_log_dir", 0, "ravel_ct_server"},
    {"ct_logs", "get_log_dir", 1, "ravel_ct_server"},
    {"ct_logs", "register_groupleader", 2, "ravel_ct_server"},
    {"ct_logs", "unregister_groupleader", 1, "ravel_ct_server"},
    {"test_server", "timetrap", 1, "ravel_ct_server"},
    {"test_server", "timetrap_cancel", 0, "ravel_ct_server"},
    {"test_server", "timetrap_cancel", 1, "ravel_ct_server"},
    {"test_server", "get_timetrap_info", 0, "ravel_ct_server"},
    {"test_server", "adjusted_sleep", 1, "ravel_ct_server"},
    {"test_server", "comment", 1, "ravel_ct_server"},
    {"test_server", "make_priv_dir", 0, "ravel_ct_server"},
    {"test_server", "capture_start", 0, "ravel_ct_server"},
    {"test_server", "capture_stop", 0, "ravel_ct_server"},
    {"test_server", "capture_get", 0, "ravel_ct_server"},
    {"test_server", "format", 3, "ravel_ct_server"},
    {"test_server", "timetrap_scale_factor", 0, "ravel_ct_server"},
    {"erlang", "memory", 0, "ravel_otp"},
    {"erlang", "memory", 1, "ravel_otp"},
    {"rand", "default_seed", 0, "ravel_otp"},
};

// {file, Name} of a stack trace. The names of files are UTF-8 in the module, and lists of characters there.
Term file_term(Heap& heap, std::string_view file) {
  std::vector<Term> characters;
  for (std::size_t i = 0; i < file.size();) {
    const auto byte = static_cast<unsigned char>(file[i]);
    const int length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    std::uint32_t code = length == 1 ? byte : byte & (0xFF >> (length + 1));
    for (int k = 1; k < length && i + static_cast<std::size_t>(k) < file.size(); ++k)
      code = code << 6 | (static_cast<unsigned char>(file[i + static_cast<std::size_t>(k)]) & 0x3F);
    characters.push_back(Term::small(code));
    i += static_cast<std::size_t>(length);
  }
  return heap.tuple({atoms::kFile, heap.list(characters)});
}

std::vector<const Redirect*> redirects_of(std::string_view module) {
  std::vector<const Redirect*> found;
  for (const Redirect& row : kRedirects)
    if (row.module == module) found.push_back(&row);
  return found;
}

}  // namespace

Result<const Module*> Loader::load(std::string path) {
  module_ = std::make_unique<Module>();
  module_->path = std::move(path);
  for (const std::string& text : file_.atoms) atoms_.push_back(machine_.names.atoms.intern(text));
  module_->name = atoms_[1];
  std::copy(file_.md5.begin(), file_.md5.end(), module_->md5);
  if (Status status = decode_literals(); !status) return status.error();
  for (const Import& import : file_.imports) {
    // A stub may call what it stands in for.
    const Term called = atom(import.module_atom);
    const Term module = machine_.code.is_stub(module_->name) ? called : machine_.code.stand_in(called);
    const std::uint32_t index = machine_.code.export_index(module, atom(import.function_atom), import.arity);
    imports_.push_back(&machine_.code.export_at(index));
  }
  make_lambdas();
  make_records();
  labels_.assign(file_.label_instructions.size(), 0);
  out_.reserve(file_.operands.size() + file_.instructions.size());
  translate();
  module_->files = file_.lines.files;
  for (const std::string& file : module_->files) {
    module_->file_terms.push_back(machine_.store.intern(file_term(machine_.heap, file)));
    literals_.push_back(module_->file_terms.back());
  }
  module_->attributes = file_.attributes;
  module_->compile_info = file_.compile_info;
  place();
  return machine_.code.add_module(std::move(module_), literals_);
}

Status Loader::decode_literals() {
  for (std::size_t i = 0; i < file_.literals.size(); ++i) {
    auto literal = decode_external(machine_.heap, machine_.names, file_.literal(i));
    if (!literal)
      return Error{file_.module_name() + ".beam: literal " + std::to_string(i) + ": " +
                   literal.error().message + "; the file is corrupted. Compile it again."};
    literals_.push_back(machine_.store.intern(*literal));
  }
  return Success{};
}

void Loader::make_lambdas() {
  for (const Lambda& lambda : file_.lambdas) {
    std::uint8_t uniq[16];
    std::copy(file_.md5.begin(), file_.md5.end(), uniq);
    const std::uint32_t index = machine_.names.fun_entry(module_->name, lambda.index, uniq);
    FunEntry& entry = machine_.names.fun(index);
    entry.name = atom(lambda.function_atom);
    entry.old_uniq = lambda.old_uniq;
    entry.free_count = lambda.free_count;
    entry.arity = lambda.arity - lambda.free_count;
    lambdas_.push_back(index);
  }
}

void Loader::make_records() {
  for (const NativeRecord& record : file_.records) {
    std::vector<Term> parts = {module_->name, atom(record.name_atom), atoms::boolean(record.is_exported)};
    for (const NativeRecord::Field& field : record.fields) parts.push_back(atom(field.name_atom));
    RecordDefinition& made = module_->records.emplace_back();
    made.name = parts[1];
    made.definition = machine_.store.intern(machine_.heap.tuple(parts));
    literals_.push_back(made.definition);
    for (const NativeRecord::Field& field : record.fields)
      made.defaults.push_back(field.standard.kind == OperandKind::kUnsigned ? Term::none()
                                                                            : constant(field.standard));
  }
}

void Loader::translate() {
  const bool is_marked = machine_.code.execution_marks() != nullptr;
  const std::string_view module_text = machine_.names.atoms.text(module_->name);
  const std::vector<const Redirect*> redirects = redirects_of(module_text);
  std::size_t next_function = 0;
  for (std::size_t i = 0; i < file_.instructions.size();) {
    if (next_function < file_.functions.size() && file_.functions[next_function].first_instruction == i) {
      const erlang::Function& function = file_.functions[next_function++];
      function_ = atom(function.function_atom);
      arity_ = function.arity;
      module_->functions.push_back(
          {.start = static_cast<std::uint32_t>(out_.size()), .name = function_, .arity = arity_});
      const std::string_view function_text = machine_.names.atoms.text(function_);
      const bool is_installed = origin_ == Origin::kInstalled;
      const Builtin* builtin =
          is_installed ? machine_.code.find_builtin(module_->name, function_, arity_) : nullptr;
      const auto is_of_this = [&](const Redirect* row) {
        return row->function == function_text && row->arity == arity_;
      };
      const auto found = std::ranges::find_if(redirects, is_of_this);
      const Redirect* const redirect = !is_installed || found == redirects.end() ? nullptr : *found;
      const std::optional<Op> special = machine_.code.special_body(module_->name, function_, arity_);
      if (builtin != nullptr || redirect != nullptr || special) {
        // The head as usual, then a body of our own instead of the file's.
        for (; i < function.entry_instruction; ++i) translate_instruction(i);
        labels_[function.entry_label] = static_cast<std::uint32_t>(out_.size());
        if (redirect != nullptr) {
          begin(Op::call_ext_only);
          pointer(&machine_.code.export_at(machine_.code.export_index(
              machine_.names.atoms.intern(redirect->to_module), function_, arity_)));
        } else if (special) {
          begin(*special, *special == Op::hibernate_body ? arity_ : 0);
        } else {
          begin(is_operation(builtin->effect) ? Op::operation_body : Op::builtin_body, arity_);
          pointer(builtin);
        }
        i = function.end_instruction;
        continue;
      }
    }
    const auto start = static_cast<std::uint32_t>(out_.size());
    const std::size_t next = i + translate_instruction(i);
    if (is_marked)
      for (std::size_t k = i; k < next; ++k) opcode_starts_.emplace_back(start, file_.instructions[k].opcode);
    i = next;
  }
  begin(Op::code_end);
}

// ---- Operands

Term Loader::constant(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::kNil: return Term::nil();
    case OperandKind::kAtom: return atom(static_cast<std::uint32_t>(operand.value));
    case OperandKind::kLiteral: return literals_[static_cast<std::size_t>(operand.value)];
    case OperandKind::kUnsigned:
    case OperandKind::kInteger:
      if (fits_small(operand.value)) return Term::small(operand.value);
      literals_.push_back(machine_.store.intern(machine_.heap.integer(operand.value)));
      return literals_.back();
    case OperandKind::kBigInteger: {
      const BigInteger& big = file_.big_integers[static_cast<std::size_t>(operand.value)];
      std::vector<Word> limbs((big.magnitude.size() + 7) / 8);
      for (std::size_t i = 0; i < big.magnitude.size(); ++i) {
        const std::size_t byte = big.magnitude.size() - 1 - i;  // from the least significant one
        limbs[byte / 8] |= static_cast<Word>(big.magnitude[i]) << (byte % 8 * 8);
      }
      literals_.push_back(machine_.store.intern(make_integer(machine_.heap, limbs, big.negative)));
      return literals_.back();
    }
    default: CHECK_MESSAGE(false, "the reader lets only constants pass here");
  }
  return Term::none();
}

std::uint64_t Loader::source(const Operand& operand) {
  if (operand.kind == OperandKind::kX) return x_operand(static_cast<std::uint64_t>(operand.value));
  if (operand.kind == OperandKind::kY) return y_operand(static_cast<std::uint64_t>(operand.value));
  return constant(operand).bits();
}

std::uint16_t Loader::reg(const Operand& operand) {
  const auto number = static_cast<std::uint16_t>(operand.value);
  return operand.kind == OperandKind::kY ? number | kYBit : number;
}

std::uint16_t Loader::in_register(const Operand& operand, std::uint16_t scratch) {
  if (operand.kind == OperandKind::kX || operand.kind == OperandKind::kY) return reg(operand);
  const auto number = static_cast<std::uint16_t>(kProgramRegisters + scratch);
  const Term value = constant(operand);
  begin(Op::move_cx, 0, number);
  word(value.bits());
  return number;
}

std::uint16_t Loader::in_x(const Operand& operand, std::uint16_t scratch) {
  if (operand.kind == OperandKind::kX) return reg(operand);
  const auto number = static_cast<std::uint16_t>(kProgramRegisters + scratch);
  if (operand.kind == OperandKind::kY) {
    begin(Op::move_yx, static_cast<std::uint64_t>(operand.value), number);
    return number;
  }
  return in_register(operand, scratch);
}

std::uint64_t Loader::heap_words(const Operand& operand) const {
  if (operand.kind != OperandKind::kAllocList) return static_cast<std::uint64_t>(operand.value);
  const AllocList& list = file_.alloc_lists[static_cast<std::size_t>(operand.value)];
  return list.words + list.floats * 2 + list.funs * 6;
}

// ---- Emission

void Loader::begin(Op op, std::uint64_t a, std::uint64_t b) {
  start_ = static_cast<std::uint32_t>(out_.size());
  if (machine_.code.execution_marks() != nullptr) starts_.push_back(start_);
  CodeWord head{};
  head.op.handler = machine_.code.handler(op);
  head.op.a = static_cast<std::uint16_t>(a);
  head.op.b = static_cast<std::uint16_t>(b);
  out_.push_back(head);
}

void Loader::jump_word(std::uint32_t label) {
  if (label != 0)
    fixups_.push_back({static_cast<std::uint32_t>(out_.size()), start_, label, Fixup::How::kLow});
  word(0);
}

void Loader::jump_word(const Operand& label) {
  jump_word(label.kind == OperandKind::kLabel ? static_cast<std::uint32_t>(label.value) : 0);
}

void Loader::jump_half(std::size_t word_index, int half, std::uint32_t label) {
  fixups_.push_back({static_cast<std::uint32_t>(word_index), start_, label,
                     half == 0 ? Fixup::How::kLow : Fixup::How::kHigh});
}

void Loader::mark_execution(std::uint32_t base) {
  for (const std::uint32_t start : starts_) {
    CodeWord& head = *machine_.code.area().at(base + start);
    machine_.code.execution_marks()->add(base + start, head.op.handler);
    head.op.handler = machine_.code.handler(Op::first_run);
  }
  for (const auto& [start, opcode] : opcode_starts_)
    machine_.code.execution_marks()->add_opcode(base + start, opcode);
}

// Moves the finished code to its place and makes it known.
void Loader::place() {
  CodeArea& area = machine_.code.area();
  // Where callers from outside enter: exports, then funs.
  std::vector<std::uint32_t> entries;
  for (const NamedEntry& entry : file_.exports) entries.push_back(entry.label);
  for (const Lambda& lambda : file_.lambdas) entries.push_back(lambda.label);
  const bool is_atomic = machine_.atomic_calls.is_atomic(module_->name);
  const auto first_entry = static_cast<std::uint32_t>(out_.size());
  for (std::size_t i = 0; is_atomic && i < entries.size(); ++i) {
    begin(Op::enter_atomic);
    word(0);
  }
  CodeWord* target = area.append(static_cast<std::uint32_t>(out_.size()));
  const std::uint32_t base = area.index_of(target);
  for (const Fixup& fixup : fixups_) {
    const std::uint32_t to = labels_[fixup.label];
    CodeWord& patched = out_[fixup.word];
    const auto distance = static_cast<std::int32_t>(to) - static_cast<std::int32_t>(fixup.instruction);
    switch (fixup.how) {
      case Fixup::How::kLow: patched.pair.low = distance; break;
      case Fixup::How::kHigh: patched.pair.high = distance; break;
      case Fixup::How::kCatch: patched.bits = base + to; break;
    }
  }
  const auto address_of_entry = [&](std::size_t i) {
    return base + (is_atomic ? first_entry + 2 * static_cast<std::uint32_t>(i) : labels_[entries[i]]);
  };
  for (std::size_t i = 0; is_atomic && i < entries.size(); ++i)
    out_[first_entry + 2 * i + 1].pointer = target + labels_[entries[i]];
  if (is_atomic) machine_.atomic_calls.add_code(base, base + first_entry);
  std::memcpy(static_cast<void*>(target), out_.data(), out_.size() * sizeof(CodeWord));
  if (machine_.code.execution_marks() != nullptr) mark_execution(base);
  module_->begin = base;
  module_->end = base + static_cast<std::uint32_t>(out_.size());
  for (LoadedFunction& function : module_->functions) function.start += base;
  for (LineMark& mark : module_->lines) mark.start += base;
  for (std::size_t i = 0; i < file_.exports.size(); ++i) {
    const NamedEntry& entry = file_.exports[i];
    const Term name = atom(entry.function_atom);
    module_->exports.emplace_back(name, entry.arity);
    const std::uint32_t index = machine_.code.export_index(module_->name, name, entry.arity);
    // A built-in that is called by its name has the same place whether its module is loaded or not, else
    // states would differ by that.
    const CodeWord* const own_body = machine_.code.export_at(index).own_body;
    const bool keeps_own_body = own_body != nullptr && origin_ == Origin::kInstalled && !is_atomic;
    module_->entries.emplace_back(index, keeps_own_body ? area.index_of(own_body) : address_of_entry(i));
  }
  // What native code a module loads is refused where it is called, so that a module with some can be loaded.
  const auto loads_native_code = [&](const Import& import) {
    return file_.atoms[import.module_atom] == "erlang" && file_.atoms[import.function_atom] == "load_nif";
  };
  if (on_load_ && std::ranges::none_of(file_.imports, loads_native_code)) {
    module_->has_on_load = true;
    // Versions of a module have functions of their own there.
    std::string name(kOnLoadEntry);
    if (origin_ == Origin::kGiven) name += "_" + std::to_string(machine_.code.all_modules().size());
    module_->on_load_entry = machine_.names.atoms.intern(name);
    Export& entry =
        machine_.code.export_at(machine_.code.export_index(module_->name, module_->on_load_entry, 0));
    entry.address = area.at(base + *on_load_);
    entry.is_defined = true;
  }
  for (std::size_t i = 0; i < file_.lambdas.size(); ++i)
    module_->funs.emplace_back(lambdas_[i], address_of_entry(file_.exports.size() + i));
}

}  // namespace ravel::erlang
