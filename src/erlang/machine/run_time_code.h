// Code that is loaded, deleted and purged while the test runs, as part of the state.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "erlang/machine/code.h"
#include "erlang/machine/machine_options.h"
#include "erlang/machine/machine_part.h"
#include "erlang/machine/module.h"
#include "erlang/machine/process.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// Which code a module has. Null: none.
struct CodeSlots {
  const Module* current = nullptr;
  const Module* old = nullptr;
  Term file = Term::none();  // as it was given; none: where the current one was found
  bool is_changed = false;   // at run time
};

class RunTimeCode final : public MachinePart {
 public:
  explicit RunTimeCode(Machine& its_machine) : MachinePart(its_machine) {}

  // ---- Which code a module has
  CodeSlots code_slots(Term module);
  bool has_changed_code(Term module) const;   // something was loaded, deleted or purged
  std::vector<Term> changed_modules() const;  // of whose code there is something in the state
  // A module file made ready; null, and load_error() says why, if it is none, or of another module.
  const Module* prepare_code(Term module, std::span<const std::uint8_t> file, std::string path);
  // Makes a module current; what was current is old then. REQUIRES: no old code, or no current one.
  void make_current(Term module, const Module& version, Term file);
  void delete_current(Term module);  // what was current is old. REQUIRES: no old code
  void forget_old(Term module);
  Term code_path() const;  // list of strings; none: as it was at the start
  void set_code_path(Term path);
  Term stickiness(Term module) const;  // true, false; none: as its folder says
  void set_stickiness(Term module, Term value);
  // Processes that run this code, or will return to it.
  bool runs_in(const Process& process, const Module& version) const;

  // ---- What exports and funs lead to
  void define(const Module& module);
  void switch_module(Term module, const Module* current_before, const Module* old_before,
                     const Module* current, const Module* old);
  void add_trampoline(Export& one);
  void apply();  // makes exports and funs follow SharedTerms::code

  // ---- Watched modules
  // Makes calls of options.watched_code notice that they are ones. REQUIRES: the system has started, the test
  // has not.
  void watch_code();
  // What the executions so far have shown besides options.watched_code; empty: nothing.
  std::span<const WatchedCode> discovered_code() const { return discovered_; }
  // Whether the code that a module has may change: questions about it are operations then.
  bool is_watched(Term module) const { return !watched_.empty() && watch_of(module) != nullptr; }
  bool are_any_watched() const { return !watched_.empty(); }
  bool is_shared_code(Term module) const;  // watched, and more than one process has to do with it
  bool is_path_watched() const { return is_path_watched_; }
  // Somebody changes the group leader of another process, or who is registered as a device: asking for these
  // is an operation.
  bool are_devices_watched() const { return are_devices_watched_; }
  void note_device_change();
  void note_user(Term module, Term pid);  // notes that `pid` has to do with the code, if that is watched
  // Footprints: what an operation does to what a name leads to, and to code that processes may still run.
  void note_code(Term module, std::uint8_t how);
  void note_old_code(Term module, std::uint8_t how);
  void note_code_path(std::uint8_t how);
  void note_running_code(const Process& process);

  // ---- Calls, as the interpreter meets them; `x` are the registers
  void enter_code(Process& process, const Export& called, const Term* x);
  void enter_fun(Process& process, const FunEntry& called, const Term* x);
  Export& undefined_function();  // of ravel_code, as those of error_handler
  Export& undefined_lambda();
  bool calls_undefined_function(const Export& called);
  Term remake_fun(std::uint32_t entry, const Term* x);

  // Forgets what is watched and what was found, and versions whose place among all modules is not before
  // this.
  void return_to_start(std::size_t modules);

 private:
  struct Watch {
    Term module;
    bool is_shared;
    Term only_user;  // the process that alone has had to do with it so far; none: nobody
  };
  struct AppliedCode {
    Term module;
    std::uint32_t current, old;  // Module::version; 0: none
  };
  const Watch* watch_of(Term module) const;
  void define_export(std::uint32_t index, const CodeWord* address);
  void undefine_export(std::uint32_t index);
  void change(Term key, Term value);
  void note_new_code(Term module);
  const Module* version_at(Term place) const;
  std::uint32_t fun_trampoline(std::uint32_t entry, const Watch& watch);

  std::unordered_map<std::string, std::uint32_t> versions_;  // by contents and copy: place among all modules
  std::vector<AppliedCode> applied_;                         // what exports and funs follow
  std::vector<Watch> watched_;
  bool is_path_watched_ = false;
  bool are_devices_watched_ = false;
  std::vector<WatchedCode> discovered_;
};

}  // namespace ravel::erlang
