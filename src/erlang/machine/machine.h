// The Erlang machine: runs processes one operation at a time, saves and restores what they are.
//
// A machine owns everything: atoms, code, terms, processes, timers, output. Nothing is global, so several
// machines can work side by side.
//
// How a step goes: every process rests before its next operation (process.h). `step` wakes one, lets it
// execute that operation and the local code after it, and leaves it before its next operation. Processes
// whose mailbox grew are looked at again: does a message match now? (`settle`)
//
// Which file does what: loader.cc turns module files into code, interpreter.cc runs it, signals.cc is what
// processes do to each other, ends.cc how they end, names_and_timers.cc what none of them owns,
// table_ownership.cc whose tables are whose, virtual_time.cc when it is, io_device.cc prints, faults.cc
// stops, freezer.cc saves and restores, starting_point.cc goes back to before a test, stack_trace.cc names
// places in code.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "erlang/machine/assumption_notes.h"
#include "erlang/machine/builtin.h"
#include "erlang/machine/code.h"
#include "erlang/machine/event_record.h"
#include "erlang/machine/execution_marks.h"
#include "erlang/machine/instruction.h"
#include "erlang/machine/module.h"
#include "erlang/machine/module_source.h"
#include "erlang/machine/process.h"
#include "erlang/machine/signals.h"
#include "erlang/machine/starting_point.h"
#include "erlang/machine/table_touch.h"
#include "erlang/machine/tables.h"
#include "erlang/term/bit_syntax.h"
#include "erlang/term/heap.h"
#include "erlang/term/names.h"
#include "erlang/term/store.h"

namespace ravel::erlang {

// Scratch registers that hold module and function while apply/3 is resolved.
inline constexpr std::size_t kUnpackedModule = kProgramRegisters, kUnpackedFunction = kProgramRegisters + 1;

// Does a process find out that it can't go on by a step of its own (thesis, figure 4.3), or never?
enum class Blocking : std::uint8_t { kAvoid, kExplore };

// When an `after` clause or a timer may fire.
enum class TimePolicy : std::uint8_t {
  kAny,        // at any point after it was set, whatever its duration: no slowness is missed
  kDeadlines,  // when no other deadline is earlier; until then, and then too, everything else may go on
  kIdle,       // when it is due: time passes, to the earliest deadline, only when nobody can go on
};
// What the clocks of a program show.
enum class Clocks : std::uint8_t {
  kFrozen,   // always the same
  kVirtual,  // when the last deadline was that has passed; reading one is then an operation, if that can be
             // while others go on
};

// When a signal of another process takes effect.
enum class Delivery : std::uint8_t {
  kInstant,   // in the step that sends it
  kChannels,  // in a step of its own, in any order that the language allows (channels.cc)
};

// Whether others see a process that has ended before everybody has heard of it. With channels they do,
// whatever is said here.
enum class Ends : std::uint8_t {
  kStepwise,  // each exit signal and 'DOWN' message that it sends is a step of its own
  kAtomic,    // they are one step with the end
};

// A module whose code changes while a test runs: its calls, and questions about it, are operations if more
// than one process has to do with it. Or, without a name, the path in which modules are looked for, or where
// processes print to (bif/console.cc).
struct WatchedCode {
  enum class Kind : std::uint8_t { kModule, kPath, kDevices };
  Kind kind = Kind::kModule;
  std::string module = {};
  bool is_shared = false;
  bool operator==(const WatchedCode&) const = default;
};

// Which code a module has. Null: none.
struct CodeSlots {
  const Module* current = nullptr;
  const Module* old = nullptr;
  Term file = Term::none();  // as it was given; none: where the current one was found
  bool is_changed = false;   // at run time
};

// What comes of an operation that shows in which order messages lie in a mailbox, other than by taking one of
// them.
enum class MessageOrder : std::uint8_t {
  kFree,     // it is carried out
  kRefused,  // it is refused: events were said not to depend on that order
  kNoted,    // it is carried out, and in footprints what goes into one mailbox conflicts
};

struct MachineOptions {
  std::uint64_t reductions_per_step_max = 100'000'000;  // function calls between two operations
  Blocking blocking = Blocking::kAvoid;
  // An `after` or timer of as much never fires
  std::int64_t after_infinite_ms = std::numeric_limits<std::int64_t>::max();
  TimePolicy time = TimePolicy::kAny;
  bool fires_early = false;  // with kIdle: a timeout may also fire before it is due, which moves time on
  Delivery delivery = Delivery::kInstant;
  Ends ends = Ends::kStepwise;
  Clocks clocks = Clocks::kFrozen;  // kVirtual REQUIRES a policy under which time passes
  std::int64_t random_seed = 0;     // of the program's own random numbers (rand)
  // What happens in a call of theirs is one step (atomic_modules.cc)
  std::vector<std::string> atomic_modules = {};
  std::vector<std::pair<std::string, std::string>> stubs = {};  // calls of the first module go to the second
  // How much is allocated and stored between two collections, at least; less than that finds forgotten roots.
  std::size_t nursery_words = Heap::kDefaultWords;
  std::size_t store_words = Store::kDefaultWords;
  // For searches that compare executions: what is sent is noted for would_take(), and a timer outlives the
  // process that it is aimed at, so that it is seen what it would have sent.
  bool notes_messages = false;
  MessageOrder message_order = MessageOrder::kFree;
  bool marks_execution = false;  // of each instruction, for execution_marks()
  // Modules whose code changes while the test runs, as far as other executions have shown (run_time_code.cc).
  std::vector<WatchedCode> watched_code = {};
  // Variables that are set at the start, by name
  std::vector<std::pair<std::string, std::string>> environment = {};
};

// A call, as code indices: where it stands, and where the function that it calls begins.
struct LocalCall {
  std::uint32_t at, function;
};

// Why a step could not be completed as the program asked.
struct MachineFault {
  enum class Kind : std::uint8_t { kNone, kUnsupported, kNoProgress, kOutOfMemory, kHalted };
  Kind kind = Kind::kNone;
  std::string message;  // kUnsupported: what and why
  Term process;         // pid
  const CodeWord* place = nullptr;
  Term halt_status;  // kHalted: integer, or `abort`, or a string
};

struct Touched {
  std::uint64_t object;
  std::uint8_t access;        // engine's Access
  bool decides = true;        // whether what is found there may change what the operation touches next
  bool is_priority = false;   // of what is sent
  std::uint32_t message = 0;  // the place in the mailbox, if one is taken out
};

// What processes share without a process that owns it: maps (bif/persistent_terms.cc, bif/atomics.cc,
// bif/file_tree.h and bif/open_files.cc).
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
};

class Machine final : private Roots {
  MachineOptions options_;

 public:
  Machine(MachineOptions options, ModuleSource& source, std::span<const Builtin> builtins);
  ~Machine() override;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  Heap heap;
  Names names;
  Store store;
  Tables tables{names};
  const MachineOptions& options = options_;

  // ---- Code --------------------------------------------------------------------------------------------
  // Loads a module's file now; also replaces nothing: a module is loaded once.
  Result<const Module*> load_module(std::span<const std::uint8_t> file, std::string path);
  // The module, loaded from the source if need be; null if there is none (or an error: see load_error()).
  const Module* find_module(Term name);
  const Module* loaded_module(Term name) const;
  const std::string& load_error() const { return load_error_; }
  ModuleSource& source() { return source_; }

  // ---- Code that is loaded while the test runs (run_time_code.cc) -----------------------------------------
  // Makes calls of options.watched_code notice that they are ones. REQUIRES: the system has started, the test
  // has not.
  void watch_code();
  // What the executions so far have shown besides options.watched_code; empty: nothing.
  std::span<const WatchedCode> discovered_code() const { return discovered_code_; }
  // Whether the code that a module has may change: questions about it are operations then.
  bool is_watched(Term module) const { return !watched_.empty() && watch_of(module) != nullptr; }
  bool is_shared_code(Term module) const;  // watched, and more than one process has to do with it
  bool is_path_watched() const { return is_path_watched_; }
  // Somebody changes the group leader of another process, or who is registered as a device: asking for these
  // is an operation.
  bool are_devices_watched() const { return are_devices_watched_; }
  void note_device_change();
  // A module file made ready; null, and load_error() says why, if it is none, or of another module.
  const Module* prepare_code(Term module, std::span<const std::uint8_t> file, std::string path);
  CodeSlots code_slots(Term module);
  bool has_changed_code(Term module) const;  // something was loaded, deleted or purged
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
  std::vector<Term> changed_modules() const;  // of whose code there is something in the state
  void note_user(Term module, Term pid);      // who has to do with its code, if it is watched
  // Footprints: what an operation does to what a name leads to, and to code that processes may still run.
  void note_code(Term module, std::uint8_t how);
  void note_old_code(Term module, std::uint8_t how);
  void note_code_path(std::uint8_t how);
  bool is_exported(Term module, Term function, std::uint32_t arity);  // loads nothing
  // The module that stands in for this one: itself, unless there is a stub. While Erlang/OTP's own system
  // starts there are none, and the modules that it loads then keep their calls.
  Term stand_in(Term module) const {
    if (is_starting_otp_) return module;
    for (const auto& [replaced, stub] : stubs_)
      if (replaced == module) [[unlikely]]
        return stub;
    return module;
  }
  const Builtin* find_builtin(Term module, Term function, std::uint32_t arity) const;
  std::span<const Builtin> builtins() const { return builtins_; }
  const CodeArea& code() const { return code_; }
  // The function that holds a place in code, and its source line; see stack_trace.h.
  CodePlace describe_place(const CodeWord* place) const;
  // The function that is called at a caller's place of places_of(), as it is written there; null if it is no
  // such call.
  const Export* call_at(const CodeWord* place) const;
  // The calls in a module's code of its own functions, by their place.
  std::vector<LocalCall> local_calls(const Module& module) const;
  // What has been executed since this machine exists; null unless options.marks_execution.
  const ExecutionMarks* execution_marks() const { return marks_.get(); }
  bool has_executed(Op op) const { return marks_->has_run(handler(op)); }
  // Modules whose on_load function is to run before the test, in the order of loading (ravel_init).
  std::vector<Term> modules_to_run_on_load() const;
  // Where a resting process is: the pending operation, then its callers, innermost first.
  std::vector<const CodeWord*> places_of(const Process& process) const;
  // Where a process is, as process_info tells: a list of {Module, Function, Arity, Location}.
  Term current_stack_trace(const Process& process);

  // ---- Running -----------------------------------------------------------------------------------------
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
  void note_otp_started() { is_starting_otp_ = false; }  // what starts from now on is the program's
  // Makes the test's process P, which calls module:function(arguments...), and settles it. REQUIRES: it does
  // not exist.
  void start(Term module, Term function, std::span<const Term> arguments);
  // Executes the pending operation of a process. REQUIRES: its rest is not kWaiting.
  void step(Process& process);
  // Lets a timer fire.
  void fire(std::size_t timer);
  // Lets the oldest signal of a channel arrive. REQUIRES: there is one.
  void bring_signal(std::size_t channel);
  // Only with Blocking::kExplore: the process finds no message. REQUIRES: kWaiting, not yet noticed.
  void block(Process& process);
  // What the last step did; valid until the next.
  const EventRecord& last_event() const { return event_; }
  // The operations of the last step before that one: there are some only in calls of an atomic module.
  std::span<const EventRecord> earlier_events() const { return earlier_events_; }
  std::span<const Touched> footprint() const { return footprint_; }
  // What the last step sent, for each touch of its footprint with access::kSend; if options.notes_messages.
  // Stored terms after save().
  std::span<const Term> sent_contents() const { return sent_contents_; }
  // A process as it is, to be asked later what its receive would take.
  Term image_of(Process& process);
  // Whether the receive in which a process was would take this message, if there were no other. REQUIRES:
  // stored terms. `how` it was sent: the 'DOWN' message of a monitor that was taken back counts as long as
  // the process had that monitor.
  bool would_take(Term pid, Term image, Term content, std::uint8_t how);
  // Closer than pairs; see there
  std::span<const TableTouch> table_touches() const { return table_touches_; }
  const MachineFault& fault() const { return fault_; }

  // All processes, also those that have ended but have not told everybody, in the order of their logical
  // names.
  std::span<Process* const> processes() const { return order_; }
  // Those of them that may be able to move: without Erlang/OTP's system while it rests as when it was
  // started.
  std::span<Process* const> active_processes() const {
    return starts_with_deadlines_ ? processes() : changed_processes();
  }
  std::span<const Timer> timers() const { return timers_; }
  std::span<const Channel> channels() const { return channels_; }

  // ---- What processes do to each other (signals.cc) ------------------------------------------------------
  // The process, unless it has ended.
  Process* find_process(Term pid) const {
    Process* const process = find_even_ended(pid);
    return process == nullptr || process->rest == Rest::kEnded ? nullptr : process;
  }
  // Also one that has ended, but has not told everybody (Rest::kEnded).
  Process* find_even_ended(Term pid) const {
    const std::size_t name = pid.pid_name();
    return name < by_name_.size() ? by_name_[name] : nullptr;
  }
  // The process, unless it is gone or a signal has killed it.
  Process* find_alive(Term pid) const;
  bool is_alive(Term pid) const { return pid == Names::device_pid() || find_alive(pid) != nullptr; }
  Spawned spawn(Process& parent, const SpawnRequest& request);
  // Puts a message in a mailbox; nothing happens if the process is gone.
  void deliver(Term pid, Term content, Term sender, Urgency urgency = Urgency::kOrdinary);
  // `!` to a pid, name, {Name, Node}, reference (alias): false if the name is not registered (badarg).
  bool send(Process& sender, Term target, Term content, Urgency urgency = Urgency::kOrdinary);
  // Sends a signal: it arrives at once, or goes into the channel between the two.
  void transmit(Term sender, Term receiver, const Signal& signal);
  void signal_exit(Term sender, Term receiver, Term reason,
                   Urgency urgency = Urgency::kOrdinary);  // of exit/2,3
  // Links two different processes: false if the other one is dead. `urgency`: of what the process hears of
  // its end.
  bool link(Process& process, Term other, Urgency urgency = Urgency::kOrdinary);
  void unlink(Process& process, Term other);
  // Watches `target` (none: a name that nobody has), which 'DOWN' messages call `object`. Dead: 'DOWN' at
  // once.
  Term monitor(Process& watcher, Term target, Term object, const MonitorOptions& how = {},
               Watched watched = Watched::kKnown);
  // False if there is no such monitor
  bool demonitor(Process& watcher, Term reference, Demonitor how = Demonitor::kPlain);
  Term make_alias(Process& owner, AliasMode mode, Urgency urgency = Urgency::kOrdinary);
  bool unalias(Process& owner, Term reference);  // false if it is not active
  // Ends a process: REQUIRES kEnding. Frees it, unless somebody is to be told.
  void end(Process& process);
  // The next one who was linked with it, or watches it, hears of it: REQUIRES kEnded. Frees it after the last
  // one.
  void tell_next(Process& ended);
  Term whereis(Term name) const;  // pid, or none
  // The same for the program: a name of one of OTP's own processes, which do not run here, is refused.
  // The process with a name, or none. `decides`: what else the operation touches depends on it.
  Term named_process(Term name, bool decides = true);
  bool register_name(Term name, Term pid);
  bool unregister_name(Term name);
  // In the order of the names. The device has the names `user` and `standard_error`, unless they stand here:
  // with another process, or with `undefined` if nobody has that name.
  std::span<const std::pair<Term, Term>> registry() const { return registry_; }
  Term make_reference(Process& creator);
  void add_timer(const Timer& timer);
  bool remove_timer(Term reference);
  const Timer* find_timer(Term reference) const;

  // ---- Time (virtual_time.cc), in milliseconds since the start --------------------------------------------
  std::int64_t now_ms() const { return now_ms_; }
  // The deadline of what is set now, and notes that.
  std::int64_t deadline_in(std::int64_t milliseconds);
  std::int64_t time_left(const Timer& timer);
  // The earliest one of a pending `after` or timer.
  std::optional<std::int64_t> earliest_deadline() const;
  // May what has this deadline fire? `earliest` is earliest_deadline(); only with kDeadlines.
  bool may_fire(std::int64_t due_ms, std::optional<std::int64_t> earliest) const {
    switch (options.time) {
      case TimePolicy::kAny: return true;
      case TimePolicy::kDeadlines: return due_ms == earliest;
      case TimePolicy::kIdle: return due_ms <= now_ms_;
    }
    return false;
  }
  // Something with this deadline fires.
  void advance_time(std::int64_t due_ms);
  // Time passes, as a step of its own. REQUIRES: TimePolicy::kIdle, and earliest_deadline() is this one.
  void pass_time(std::int64_t due_ms);
  // How much the clocks show since the start: an operation reads it.
  std::int64_t clock_ns();

  const SharedTerms& shared_terms() const { return shared_terms_; }
  SharedTerms& change_shared_terms() {
    global_image_ = Term::none();
    return shared_terms_;
  }

  // ---- Tables of ets (table_ownership.cc) ----------------------------------------------------------------
  void delete_table(Table& table);
  // Makes another process the owner, which a message tells it if `data` is [Data], and nothing if it is [].
  // REQUIRES: it is alive.
  void give_table(Table& table, Term new_owner, Term data);

  // Notes for footprints and stories, called by operations.
  void note_access(ObjectClass object_class, std::uint64_t payload, std::uint8_t access) {
    footprint_.push_back({.object = object_id(object_class, payload), .access = access});
  }
  // The same, where the operation touches the same objects whatever it finds there.
  void note_plain_access(ObjectClass object_class, std::uint64_t payload, std::uint8_t access) {
    footprint_.push_back({.object = object_id(object_class, payload), .access = access, .decides = false});
  }
  // What an operation does to a mailbox; `content` of what it puts in, `place` of what it takes out.
  void note_sent(Term receiver, Term content, std::uint8_t how = access::kSend,
                 Urgency urgency = Urgency::kOrdinary);
  // A step of a process itself.
  void note_run(const Process& process) {
    note_plain_access(ObjectClass::kRun, process.pid.pid_name(), access::kWrite);
  }
  void note_message(Term owner, std::uint8_t access, std::size_t place);
  TableTouch& note_table_touch(const TableTouch& touch) { return table_touches_.emplace_back(touch); }
  EventRecord& event() { return event_; }
  void refuse(std::string message);  // the program does what no schedule controls
  // An operation tells the running process in which order messages lie in a mailbox.
  void show_message_order(const Process& owner);
  bool has_refused_message_order() const { return has_refused_message_order_; }
  void halt(Term status);
  // What the running process does depends on something that is taken for granted.
  void note_assumed(Assumed what);
  AssumptionNotes& assumptions() { return assumptions_; }
  // Where a process was whose image this is: places_of(), as it was then.
  std::vector<const CodeWord*> places_of_image(Term pid, Term image);

  // ---- Output and counters, part of the state -------------------------------------------------------------
  void print(std::string_view text);
  // The process that answers for the device what needs a process; called while the system starts.
  void set_device_server(Term pid) { device_server_ = pid; }
  std::string output() const;
  // Prints at once instead (ravel run). Null: keep it in the state.
  std::function<void(std::string_view)> on_output;
  std::uint64_t next_unique_integer();
  static constexpr std::int64_t kVirtualEpochNs = 1'700'000'000'000'000'000;  // what clocks show at the start

  // ---- Saving (freezer.cc) -----------------------------------------------------------------------------
  // Appends the state to `words`: everything as stored terms.
  void save(std::vector<Term>& words);
  void restore(std::span<const Term> words);
  static constexpr std::size_t kFixedStateWords = 2;  // in front of those of processes
  // Stores everything, so that what the last operation has noted refers to stored terms.
  void store_state();
  // Frees stored terms that neither the machine nor `saved` reaches, if that pays.
  void collect_store_if_due(Roots& saved);
  // The process awake: its top frame on the stack, ready to run.
  void wake(Process& process);

 private:
  friend class Interpreter;
  friend class Loader;
  friend class Freezer;
  void for_each(Visit visit, void* collector) override;  // Roots: everything young

  // Code (loader.cc).
  void note_starting_point(std::vector<Term> words);  // starting_point.cc
  static std::uint64_t name_hash(Term module, Term function, std::uint32_t arity);
  std::uint32_t export_index(Term module, Term function, std::uint32_t arity);
  Export& export_at(std::uint32_t index) { return *exports_[index]; }
  // The same as export_at(export_index(...)), for calls of what is only known when they happen.
  Export& export_named(Term module, Term function, std::uint32_t arity);
  const Export* find_export(Term module, Term function, std::uint32_t arity) const;
  std::int32_t handler(Op op) const;  // for the first word of an instruction
  bool is_instruction(const CodeWord* place, Op op) const;
  void run_first_time(const CodeWord* place);
  void find_handlers();
  void make_own_code();
  Term intern_literal(Term literal);
  const std::uint8_t* keep_string(std::span<const std::uint8_t> bytes);
  // Functions that are instructions of the machine: erlang:apply/2,3 and erlang:hibernate/3.
  std::optional<Op> special_body(Term module, Term function, std::uint32_t arity) const;
  // A row for a built-in that does not exist here; calling it is refused.
  const Builtin* missing_builtin(Term module, Term function, std::uint32_t arity);

  // Running (interpreter.cc). Runs until the process rests again.
  enum class Grant : std::uint8_t { kOperation, kLocalOnly };
  void start_root(Term pid, Term module, Term function, std::span<const Term> arguments);
  void run(Process& process, Grant grant);
  // Make a new process call a function when it runs.
  void prepare_start(Process& process, Term module, Term function, std::span<const Term> arguments);
  void prepare_start_fun(Process& process, Term fun, std::span<const Term> arguments);
  // Looks at the messages that a receive has not seen. REQUIRES: kWaiting or kTimeout, or kMatched if a
  // priority message has come ahead of the one that matches.
  void look_at_mailbox(Process& process);
  void settle();
  void clear_event();  // before a step
  void arrive(Term sender, Term receiver, const Signal& signal);
  void deliver_to_alias(Term alias, Term content, Term sender, Urgency urgency);
  void take_exit(Term sender, Term receiver, Term reason, Term target, Urgency urgency);
  void take_alias_exit(Term sender, Term alias, Term reason, Urgency urgency);
  void take_link_exit(Term ended, Term other, Term reason);
  void take_down(Term ended, Term watcher, const Signal& signal);
  bool has_channels() const { return options.delivery == Delivery::kChannels && !is_starting_system_; }
  Channel& channel_between(Term sender, Term receiver);
  void forget_channels_of_ended(Term sender);
  Term freeze_channels();
  void thaw_channels(Term image);
  void begin_event(Process& process);
  // Calls of atomic modules (atomic_modules.cc).
  bool is_atomic(Term module) const;
  bool is_stub(Term module) const;
  // Whether the code at `pc` (null: only its callers), which returns to `cp`, runs in such a call.
  bool is_in_atomic_call(const Process& process, const CodeWord* pc, const CodeWord* cp) const;
  void begin_atomic_step(const Process& process);
  bool continues_atomic_step(const Process& process, const CodeWord* pc, const CodeWord* cp);
  void enter_atomic_call(const Process& process, const CodeWord* cp);
  // Parts of the interpreter.
  const CodeWord* load_export(Export& wanted);  // null: there is no such function (or a fault)
  // Calls of watched modules (run_time_code.cc).
  struct Watch {
    Term module;
    bool is_shared;
    Term only_user;  // the process that alone has had to do with it so far; none: nobody
  };
  const Watch* watch_of(Term module) const;
  void add_trampoline(Export& one);
  void define_export(std::uint32_t index, const CodeWord* address);
  void undefine_export(std::uint32_t index);
  void define(const Module& module);
  void switch_module(Term module, const Module* current_before, const Module* old_before,
                     const Module* current, const Module* old);
  void apply_code();  // makes exports and funs follow shared_terms_.code
  void change_code(Term key, Term value);
  void note_new_code(Term module);
  const Module* version_at(Term place) const;
  std::uint32_t fun_trampoline(std::uint32_t entry, const Watch& watch);
  void note_running_code(const Process& process);
  void enter_code(Process& process, const Export& called);
  void enter_fun(Process& process, const FunEntry& called);
  Export& undefined_function();  // of ravel_code, as those of error_handler
  Export& undefined_lambda();
  bool calls_undefined_function(const Export& called);
  Term remake_fun(std::uint32_t entry, const Term* x);
  const CodeWord* resolve_fun(Term fun, Term* x, std::size_t arity);               // null: exception noted
  const CodeWord* resolve_apply(Term module, Term function, std::uint32_t arity);  // null: exception noted
  // Spread the arguments of apply/3 (x0, x1, x2) and apply/2 over the x registers; false: exception noted,
  // and the registers are as they were. The fun ends up after its arguments.
  bool unpack_apply(Term* x);
  bool unpack_apply_fun(Term* x);
  Term run_operation(Process& process, const Builtin& builtin, const CodeWord* pc);
  bool run_send(Process& process, Term target, Term content, const CodeWord* pc);
  bool could_expire(const Process& process) const;
  // Whether the time for which it waits is over. REQUIRES: it is in a receive.
  bool is_due(const Process& process) const {
    return options.time == TimePolicy::kIdle && process.timeout.is_small() && process.due_ms <= now_ms_;
  }
  Effect effect_of_clocks() const;
  void take_message(Process& process, const CodeWord* pc);
  void take_timeout(Process& process, const CodeWord* pc);
  void keep_slots(const Term* frame, const CodeWord* cp);
  void put_back_slots(Term* frame, const CodeWord* cp) const;
  const CodeWord* find_handler(Process& process);  // unwinds the stack; null: nobody catches
  void end_by_exception(Process& process);
  Term create_binary(const CodeWord* segments, std::size_t count, std::uint64_t append_unit);

  // Stack traces (stack_trace.cc).
  std::vector<std::uint32_t> return_addresses(const Process& process, const CodeWord* cp,
                                              std::size_t count_max, std::uint32_t previous) const;
  Term location_of(const CodePlace& place, Term tail);
  Term trace_entry(std::uint32_t index, Term arguments, Term extra);
  Term raw_trace(ErrorClass error_class, Term head, std::span<const std::uint32_t> addresses);
  Term make_trace(const Process& process, const CodeWord* pc, const CodeWord* cp, Term arguments,
                  const Exception& exception);
  Term make_function_clause_trace(const Process& process, const CodeWord* pc, const CodeWord* cp,
                                  Term arguments, const Exception& exception);
  Term make_builtin_trace(const Process& process, const Builtin& builtin, Term arguments, const CodeWord* pc,
                          const CodeWord* cp, const Exception& exception);
  Term make_undef_trace(const Process& process, const CodeWord* cp, Term module, Term function,
                        Term arguments);
  Term build_trace(Term raw);
  Term catch_value(Term error_class, Term reason, Term raw);
  bool has_plain_trace(const Builtin& builtin) const;

  // Processes (signals.cc).
  Process& new_process(Term pid);
  void remove_process(Process& process);
  void put_in_order(Process& process);
  void kill(Term pid, Term reason, Term origin);
  void note_telling(Term other, Term content, Term form);
  void tell_partner(const Process& ended, Term other);
  void note_signal_in_vain(const Process& ended, const FormerLink& link);
  void note_link(Term one, Term other);
  void note_reply_aliases(const Process& process);
  void note_naming(Term name, Term pid);
  void release_tables(Process& process);
  void remove_watchers_of_ended(Process& process);
  void report_crash(const Process& process);  // crash_reports.cc
  void forget_monitor(Process& watcher, std::size_t index);
  bool ends_stepwise() const {
    return options.ends == Ends::kStepwise && !is_starting_system_ && !has_channels();
  }
  // So that an end takes the same steps, or touches the same, whether a link is still there or not.
  bool keeps_former_links() const {
    return (options.notes_messages && !is_starting_system_ && !has_channels()) || ends_stepwise();
  }
  void note_former_link(Process& process, const FormerLink& link);
  void send_exit(Term other, Term ended, Term reason, bool is_trapped, Urgency urgency);
  void tell_watcher(const Process& ended, const Watcher& watcher);
  void take_back(Process& watched, Term reference, TakenBack how);
  void remember_taken_back(Term monitor, TakenBack how);
  bool drop_alias(Process& owner, Term reference);
  void keep_lasting_aliases(const Process& process);
  static Alias lasting_alias(Term reference, Term remembered);
  static Urgency urgency_by(Urgency sender, Urgency alias);
  void forget_lasting_alias(Term reference);
  void look_again(Process& process, std::size_t place);
  bool is_aimed_at_nobody(const Timer& timer) const;
  // Takes a timer off the list and delivers its message; notes the event.
  void expire_timer(std::size_t index);
  // Whether time can move on while somebody can go on.
  bool is_time_shared() const { return options.time == TimePolicy::kDeadlines || options.fires_early; }
  // A deadline is set, cancelled or looked at: noted when the step is over.
  void note_deadline_change() { has_deadline_changed_ = true; }
  void answer_as_device(Term message);  // io_device.cc
  Term device_reply(Term request);
  bool needs_process(Term request) const;  // to be answered

  // Freezing (freezer.cc).
  void freeze(Process& process);
  void thaw(Process& process, Term image);
  void thaw_frame(Process& process);
  Term freeze_attributes(Process& process);
  void thaw_attributes(Process& process, Term image);
  Term freeze_stack(Process& process, const CodeWord* resume);
  Process& take_process(Term pid);  // a spare one, to be thawed
  bool pass_time_at_start();
  std::span<Process* const> changed_processes() const {
    return {order_.data(), order_.size() - resting_count()};
  }
  // How many processes at the end of order_ are as they were when the system was started.
  std::size_t resting_count() const { return has_system_changed_ ? 0 : system_words_.size() / 2; }
  void empty_nursery();
  bool have_globals_changed() const;  // since they were frozen or thawed
  Term freeze_globals();
  void thaw_globals(Term image);

  std::vector<std::pair<Term, Term>> stubs_;
  std::vector<Term> atomic_modules_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> atomic_code_;  // of those loaded: from, to
  bool is_in_atomic_step_ = false;  // the step began in a call of an atomic module, which has not ended
  std::vector<EventRecord> earlier_events_;

  ModuleSource& source_;
  std::vector<Builtin> builtins_;  // sorted by key
  CodeArea code_;
  std::vector<std::unique_ptr<Export>> exports_;
  // Hash of the name -> candidates
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> export_index_;
  // By hash: of calls by name
  std::vector<Export*> recent_exports_ = std::vector<Export*>(kRecentExports, nullptr);
  static constexpr std::size_t kRecentExports = 1024;
  std::unordered_map<std::uint64_t, const Module*> modules_;  // the current ones, by atom
  std::vector<std::unique_ptr<const Module>> by_code_;        // all of them, by begin
  // Of modules_, what was found when first called
  std::unordered_map<std::uint64_t, const Module*> first_modules_;
  // By contents and copy: place in by_code_
  std::unordered_map<std::string, std::uint32_t> versions_;
  // Places in by_code_ + 1; 0: none
  struct AppliedCode {
    Term module;
    std::uint32_t current, old;
  };
  // What exports and funs follow
  std::vector<AppliedCode> applied_code_;
  std::vector<Watch> watched_;
  bool is_path_watched_ = false;
  bool are_devices_watched_ = false;
  std::vector<WatchedCode> discovered_code_;
  // false: it has an on_load function to run before
  std::unordered_map<std::uint64_t, bool> missing_modules_;
  std::string load_error_;
  std::vector<Term> literals_;  // stored; roots of the store
  Term empty_tuple_;            // likewise

  std::vector<Process*> by_name_;              // by index of the pid's name; null: no such process
  std::vector<Process*> order_;                // by logical name
  std::vector<std::unique_ptr<Process>> all_;  // storage, in use or spare
  std::vector<Process*> spare_;
  std::vector<Process*> unsettled_;                // resting in a receive, with new messages
  std::size_t place_in_registry(Term name) const;  // where it is or belongs
  bool give_back_device_name(Term name);
  std::vector<std::pair<Term, Term>> registry_;  // name, pid; in the order of the names
  std::vector<Channel> channels_;
  std::vector<Timer> timers_;                 // in order of creation
  Term output_ = Term::nil();                 // pieces, the last first
  Term device_server_ = Names::device_pid();  // which is no process: nobody yet
  std::uint64_t unique_integers_ = 0;
  SharedTerms shared_terms_;
  std::int64_t now_ms_ = 0;
  std::vector<Term> system_words_;    // pid, image of the system's processes when it was started
  bool has_system_changed_ = false;   // since then
  Term global_image_ = Term::none();  // of the above, if unchanged

  std::vector<std::int32_t> handlers_;
  std::unique_ptr<ExecutionMarks> marks_;
  const CodeWord *process_end_code_ = nullptr, *underflow_code_ = nullptr, *wake_up_code_ = nullptr;
  const CodeWord *apply_code_ = nullptr, *apply_fun_code_ = nullptr;
  const Builtin *send_builtin_ = nullptr, *apply_builtin_ = nullptr, *apply_fun_builtin_ = nullptr,
                *hibernate_builtin_ = nullptr;
  std::deque<Builtin> own_rows_;  // of what is no built-in but shows as one in traces
  std::deque<std::string> own_names_;
  std::deque<std::vector<std::uint8_t>> strings_;  // of bit syntax instructions

  Process* running_ = nullptr;
  const CodeWord* thawed_pc_ = nullptr;
  std::uint32_t unpacked_arity_ = 0;
  std::vector<Term> kept_slots_;      // of the frame in which a receive began
  std::vector<Term> pairs_;           // of a map instruction
  std::vector<Term> segment_values_;  // of bs_create_bin: value, size, ...
  BitBuilder bits_;
  std::vector<Term> scratch_;
  std::vector<Term*> frames_;
  std::vector<Process*> next_order_;
  std::vector<Term> x_;  // x registers
  std::vector<double> float_registers_;
  std::size_t live_ = 0;  // x registers that hold terms, while a collection may happen
  Call call_;
  MachineFault fault_;
  AssumptionNotes assumptions_;
  bool has_refused_message_order_ = false;  // in some execution
  EventRecord event_;
  std::vector<Touched> footprint_;
  std::vector<Term> sent_contents_;
  std::unique_ptr<Process> probe_;  // for would_take()
  std::vector<TableTouch> table_touches_;
  bool has_deadline_changed_ = false;  // in this step
  std::int64_t reductions_left_ = 0;
  StartingPoint starting_point_;
  bool has_started_ = false;
  bool is_starting_otp_ = false;
  // The system at rest has timers, or processes that wait for a time
  bool starts_with_deadlines_ = false;
  // The bound on calls is for the program, not for OTP's start
  bool is_starting_system_ = false;
};

}  // namespace ravel::erlang
