// The abstract machine that runs the processes of a program: its state, how it moves, how it is saved.
//
// It runs one process at a time, from its pending operation up to its next one; what happens in between is
// local and cannot be noticed by others. It takes no decision: who moves is said from outside.
//
// Processes rest at well-defined places (process.h, Rest). A step wakes one up, lets the interpreter
// execute that operation and the local code after it, and leaves it before its next operation. Processes
// whose mailbox grew are looked at again: does a message match now? (`settle`)
//
// The machine is cut into parts (machine_part.h), each of which keeps its own data:
//   code             modules, functions, built-ins, places in code        loaded_code.h, loader.h
//   run_time_code    what is loaded, deleted and purged by the test       run_time_code.h
//   interpreter      registers and instructions                           interpreter.h
//   traces           where processes are, and where exceptions came from  stack_trace.h
//   processes        who there is, and who has something to look at       process_table.h
//   free_names       what new processes and references are called         free_names.h
//   opaque_names     processes that the program must not tell apart       opaque_names.h
//   signals          what processes do to each other                      signals.h
//   channels         signals that are on their way                        channels.h
//   mishaps          what befalls processes and messages from outside     mishaps.h
//   endings          how processes end                                    endings.h
//   registry         registered names                                     registry.h
//   time             timers, deadlines, clocks                            virtual_time.h
//   probes, told_explorer  what processes show, and tell an explorer     probes.h, told_explorer.h
//   pure_calls       calls of functions that only compute                 pure_calls.h
//   property_monitors  what looks after properties                        property_monitors.h
//   abstraction      what of a state counts, as the user says             abstraction.h
//   table_ownership  whose tables are whose                               table_ownership.h
//   device           where processes print to                             io_device.h
//   atomic_calls     calls that are one step                              atomic_calls.h
//   record           what the last step did                               step_record.h
//   faults           why a step could not be completed                    faults.h
//   freezer          saving and restoring                                 freezer.h
// starting_point.cc goes back to before a test.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "erlang/machine/abstraction.h"
#include "erlang/machine/atomic_calls.h"
#include "erlang/machine/builtin.h"
#include "erlang/machine/channels.h"
#include "erlang/machine/endings.h"
#include "erlang/machine/faults.h"
#include "erlang/machine/free_names.h"
#include "erlang/machine/freezer.h"
#include "erlang/machine/interpreter.h"
#include "erlang/machine/io_device.h"
#include "erlang/machine/loaded_code.h"
#include "erlang/machine/machine_options.h"
#include "erlang/machine/machine_part.h"
#include "erlang/machine/mishaps.h"
#include "erlang/machine/module_source.h"
#include "erlang/machine/opaque_names.h"
#include "erlang/machine/probes.h"
#include "erlang/machine/process.h"
#include "erlang/machine/process_table.h"
#include "erlang/machine/property_monitors.h"
#include "erlang/machine/propositions.h"
#include "erlang/machine/pure_calls.h"
#include "erlang/machine/registry.h"
#include "erlang/machine/run_time_code.h"
#include "erlang/machine/signals.h"
#include "erlang/machine/stack_trace.h"
#include "erlang/machine/step_record.h"
#include "erlang/machine/table_ownership.h"
#include "erlang/machine/tables.h"
#include "erlang/machine/told_explorer.h"
#include "erlang/machine/virtual_time.h"
#include "erlang/term/heap.h"
#include "erlang/term/names.h"
#include "erlang/term/store.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// What processes share without a process that owns it; the terms are maps (bif/persistent_terms.cc,
// bif/atomics.cc, bif/file_tree.h and bif/open_files.cc).
struct SharedTerms {
  Term persistent;
  Term arrays;
  Term files;
  Term open_files;
  // With channels, references of monitors that were taken back, whose 'DOWN' may still arrive: whether what
  // took one back could have seen it.
  Term monitors_taken_back;
  Term trapping_ends;    // pids, of processes that trapped exits to their end
  Term lasting_aliases;  // of ended processes, those that they had to the end (signals.cc): reference => mode
                         // and urgency
  Term environment;      // variable => value, as binaries
  Term code;             // what was loaded, deleted and purged (run_time_code.cc)
  Term probes;           // {pid, name} => value (probes.h)
  Term property_states;  // what monitors of properties remember (property_monitors.h)
  std::uint64_t unique_integers = 0;  // made so far
  std::uint64_t mishaps_left = 0;     // of each kind (mishaps.cc)

  template <class Visit>
  void for_each_term(Visit visit) {
    for (Term* term : {&persistent, &arrays, &files, &open_files, &monitors_taken_back, &trapping_ends,
                       &lasting_aliases, &environment, &code, &probes, &property_states})
      visit(*term);
  }
};

class Machine final : private Roots {
  MachineOptions options_;

 public:
  Machine(MachineOptions options, ModuleSource& source, std::span<const Builtin> builtins);
  ~Machine() override;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const MachineOptions& options = options_;
  Heap heap;
  Names names;
  Store store;
  Tables tables{names};
  StepRecord record{options_};

  Faults faults{*this};
  ProcessTable processes{*this};
  AtomicCalls atomic_calls{*this};
  RunTimeCode run_time_code{*this};
  LoadedCode code;
  StackTraces traces{*this};
  Interpreter interpreter{*this};
  FreeNames free_names{*this};
  OpaqueNames opaque_names{*this};
  Signals signals{*this};
  Channels channels{*this};
  Endings endings{*this};
  Mishaps mishaps{*this};
  Registry registry{*this};
  VirtualTime time{*this};
  Probes probes{*this};
  ToldExplorer told_explorer{*this};
  PureCalls pure_calls{*this};
  PropertyMonitors property_monitors{*this};
  Propositions propositions{*this};
  Abstraction abstraction{*this};
  TableOwnership table_ownership{*this};
  Device device{*this};
  Freezer freezer{*this};

  // ---- From the start of the system to the start of a test
  // Starts Erlang/OTP's own system: the process S calls module:function(), and it and all that it starts run
  // in one fixed schedule until nobody can move. An error says why it does not come to rest. REQUIRES: no
  // process exists.
  Status start_system(Term module, Term function);
  // Goes back to where start_system() has ended, for the next test: what has been loaded, named or stored
  // since is forgotten, so that it cannot be told that another test came before. The options may differ in
  // what neither code nor the start depends on (can_start_with). REQUIRES: start_system() succeeded.
  void return_to_start(const MachineOptions& options);
  // Whether a machine with these options, with its code and the system started, is this one as it was then.
  bool can_start_with(const MachineOptions& options) const;
  // The system has done what it does before a test: called by it, the last thing in which it needs time to
  // pass.
  void note_started() { has_started_ = true; }
  // What starts from now on is the program's.
  void note_otp_started();
  bool is_starting_system() const { return is_starting_system_; }
  bool is_starting_otp() const { return is_starting_otp_; }
  // Makes the test's process P, which calls module:function(arguments...), and settles it. REQUIRES: it does
  // not exist.
  void start(Term module, Term function, std::span<const Term> arguments);

  // ---- Steps; `record` says what each one did
  // Executes the pending operation of a process; of a choice, this way. REQUIRES: its rest is not kWaiting.
  void step(Process& process, std::uint32_t choice = 0);
  // Lets a timer fire.
  void fire(std::size_t timer);
  // Lets the oldest signal of a channel arrive. REQUIRES: there is one.
  void bring_signal(std::size_t channel);
  // What befalls a process, a message, or nobody any more, as a step (mishaps.h).
  void kill(Process& process);
  void lose_signal(std::size_t channel);
  void duplicate_signal(std::size_t channel);
  void end_mishaps();
  // Only with Blocking::kExplore: the process finds no message. REQUIRES: kWaiting, not yet noticed.
  void block(Process& process);

  // Those processes that may be able to move: without Erlang/OTP's system while it rests as when it was
  // started.
  std::span<Process* const> active_processes() const {
    return starts_with_deadlines_ ? processes.all() : processes.changed();
  }

  // ---- Questions about processes as they were
  // A process as it is, to be asked later what its receive would take.
  Term image_of(Process& process);
  // Whether the receive in which a process was would take this message, if there were no other. REQUIRES:
  // stored terms. `how` it was sent: the 'DOWN' message of a monitor that was taken back counts as long as
  // the process had that monitor.
  bool would_take(Term pid, Term image, Term content, std::uint8_t how);
  // Where a process was whose image this is: StackTraces::places_of(), as it was then.
  std::vector<const CodeWord*> places_of_image(Term pid, Term image);

  // ---- State that no process owns
  const SharedTerms& shared_terms() const { return shared_terms_; }
  SharedTerms& change_shared_terms() {
    freezer.note_shared_change();
    return shared_terms_;
  }
  std::uint64_t next_unique_integer();

  // Frees stored terms that neither the machine nor `saved` reaches, if that pays.
  void collect_store_if_due(Roots& saved);

 private:
  void for_each(Visit visit, void* collector) override;  // Roots: everything young
  friend class Interpreter;                              // collects

  void start_root(Term pid, Term module, Term function, std::span<const Term> arguments);
  bool pass_time_at_start();
  // Looks at the messages that a receive has not seen. REQUIRES: kWaiting or kTimeout, or kMatched if a
  // priority message has come ahead of the one that matches.
  void look_at_mailbox(Process& process);
  void settle();
  Process& thawed_probe(Term pid, Term image);

  // How far the tables of the machine had grown when Erlang/OTP's system came to rest.
  struct StartingPoint {
    std::vector<Term> words;  // the saved state
    Names::Mark names;
    LoadedCode::Mark code;
    std::size_t atomic_code = 0;
  };
  void note_starting_point(std::vector<Term> words);

  SharedTerms shared_terms_;
  std::unique_ptr<Process> probe_;  // for would_take()
  StartingPoint starting_point_;
  bool has_started_ = false;
  bool is_starting_otp_ = false;
  bool starts_with_deadlines_ = false;  // the system at rest has timers, or processes that wait for a time
  bool is_starting_system_ = false;     // the bound on calls is for the program, not for OTP's start
};

}  // namespace ravel::erlang
