// The code of a machine: modules, functions by name, built-ins, and where a place in code is.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "erlang/machine/builtin.h"
#include "erlang/machine/code.h"
#include "erlang/machine/execution_marks.h"
#include "erlang/machine/instruction.h"
#include "erlang/machine/machine_part.h"
#include "erlang/machine/module.h"
#include "erlang/machine/module_source.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// A call, as code indices: where it stands, and where the function that it calls begins.
struct LocalCall {
  std::uint32_t at, function;
};

class LoadedCode final : public MachinePart {
 public:
  LoadedCode(Machine& its_machine, ModuleSource& source, std::span<const Builtin> builtins);

  // ---- Modules
  // Loads a module's file now; also replaces nothing: a module is loaded once.
  Result<const Module*> load_module(std::span<const std::uint8_t> file, std::string path);
  // The module, loaded from the source if need be; null if there is none (or an error: see load_error()).
  const Module* find_module(Term name);
  const Module* loaded_module(Term name) const;
  const std::string& load_error() const { return load_error_; }
  void set_load_error(std::string message) { load_error_ = std::move(message); }
  ModuleSource& source() { return source_; }
  // All modules that were ever loaded, by where their code begins.
  std::span<const std::unique_ptr<const Module>> all_modules() const { return by_code_; }
  // Takes over a module whose code was appended last, and its literals. Its functions are not known yet.
  const Module* add_module(std::unique_ptr<Module> module, std::span<const Term> literals);
  // What was found when the module was first called; null: nothing.
  const Module* first_module(Term name) const;
  // Makes one module the current one of its name; null: none.
  void set_current(Term name, const Module* module);
  // There is no such module, as far as is known; or there is, but its on_load function has to run before.
  bool is_missing(Term name) const;
  bool waits_for_on_load(Term name) const;
  // Modules whose on_load function is to run before the test, in the order of loading (ravel_init).
  std::vector<Term> modules_to_run_on_load() const;
  // The module that stands in for this one: itself, unless there is a stub. While Erlang/OTP's own system
  // starts there are none, and the modules that it loads then keep their calls.
  Term stand_in(Term module) const {
    if (!are_stubs_used_) return module;
    for (const auto& [replaced, stub] : stubs_)
      if (replaced == module) [[unlikely]]
        return stub;
    return module;
  }
  void use_stubs(bool are_used) { are_stubs_used_ = are_used; }
  bool is_stub(Term module) const;

  // ---- Functions
  std::uint32_t export_index(Term module, Term function, std::uint32_t arity);
  Export& export_at(std::uint32_t index) { return *exports_[index]; }
  // Does what export_at(export_index(...)) does, for calls of what is only known when they happen.
  Export& export_named(Term module, Term function, std::uint32_t arity);
  std::span<const std::unique_ptr<Export>> exports() const { return exports_; }
  // null: there is no such function (or a fault)
  const CodeWord* load_export(Export& wanted);
  bool is_exported(Term module, Term function, std::uint32_t arity);  // loads nothing
  const Builtin* find_builtin(Term module, Term function, std::uint32_t arity) const;
  std::span<const Builtin> builtins() const { return builtins_; }
  // Functions that are instructions of the machine: erlang:apply/2,3 and erlang:hibernate/3.
  std::optional<Op> special_body(Term module, Term function, std::uint32_t arity) const;
  // A row for a built-in that does not exist here; calling it is refused.
  const Builtin* missing_builtin(Term module, Term function, std::uint32_t arity);

  // ---- Words of code
  CodeArea& area() { return area_; }
  const CodeArea& area() const { return area_; }
  std::int32_t handler(Op op) const { return handlers_[static_cast<std::size_t>(op)]; }  // of an instruction
  bool is_instruction(const CodeWord* place, Op op) const;
  void run_first_time(const CodeWord* place);
  const std::uint8_t* keep_string(std::span<const std::uint8_t> bytes);
  // The few instructions that belong to no module, and rows of what is no built-in but shows as one in
  // traces.
  struct Own {
    const CodeWord *process_end = nullptr, *underflow = nullptr, *wake_up = nullptr;
    const CodeWord *apply = nullptr, *apply_fun = nullptr;
    const Builtin *send_row = nullptr, *apply_row = nullptr, *apply_fun_row = nullptr,
                  *hibernate_row = nullptr;
  };
  const Own& own() const { return own_; }

  // ---- Questions about places
  // The function that holds a place in code, and its source line; see stack_trace.h.
  CodePlace describe_place(const CodeWord* place) const;
  // The function that is called at a caller's place of places_of(), as it is written there; null if it is no
  // such call.
  const Export* call_at(const CodeWord* place) const;
  // The calls in a module's code of its own functions, by their place.
  std::vector<LocalCall> local_calls(const Module& module) const;
  // What has been executed since this machine exists; null unless options.marks_execution.
  ExecutionMarks* execution_marks() { return marks_.get(); }
  const ExecutionMarks* execution_marks() const { return marks_.get(); }
  bool has_executed(Op op) const { return marks_->has_run(handler(op)); }

  // How far all this has grown, to go back to (starting_point.cc).
  struct Mark {
    struct ExportEntry {
      const CodeWord* address;
      bool is_defined;
    };
    std::vector<ExportEntry> exports;
    std::unordered_map<std::uint64_t, bool> missing_modules;
    std::uint32_t code = 0;
    std::size_t modules = 0, literals = 0, own_rows = 0, own_names = 0, strings = 0;
  };
  Mark mark() const;
  void return_to(const Mark& mark);
  std::vector<Term>& literals() { return literals_; }  // roots of the store

 private:
  static std::uint64_t name_hash(Term module, Term function, std::uint32_t arity);
  const Export* find_export(Term module, Term function, std::uint32_t arity) const;
  void make_own_code();

  ModuleSource& source_;
  std::vector<Builtin> builtins_;  // sorted by key
  CodeArea area_;
  std::vector<std::unique_ptr<Export>> exports_;
  // Hash of the name -> candidates
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> export_index_;
  static constexpr std::size_t kRecentExports = 1024;
  std::vector<Export*> recent_exports_ = std::vector<Export*>(kRecentExports, nullptr);  // by hash
  std::unordered_map<std::uint64_t, const Module*> modules_;  // the current ones, by atom
  // Modules as they were found when first called
  std::unordered_map<std::uint64_t, const Module*> first_modules_;
  std::vector<std::unique_ptr<const Module>> by_code_;  // all modules, by begin
  // false: it has an on_load function to run before
  std::unordered_map<std::uint64_t, bool> missing_modules_;
  std::string load_error_;
  std::vector<Term> literals_;  // stored
  std::vector<std::pair<Term, Term>> stubs_;
  bool are_stubs_used_ = true;

  std::vector<std::int32_t> handlers_;  // by Op
  std::unique_ptr<ExecutionMarks> marks_;
  Own own_;
  std::deque<Builtin> own_rows_;
  std::deque<std::string> own_names_;
  std::deque<std::vector<std::uint8_t>> strings_;  // of bit syntax instructions
};

}  // namespace ravel::erlang
