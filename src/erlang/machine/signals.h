// What processes do to each other: spawning, messages, links, monitors, exits, names, timers.
//
// Delivery is instant: a signal takes effect in the step that sends it, which keeps the order that the
// language promises between each pair of processes; or signals arrive later (channels.cc). A process that a
// signal kills still ends by an operation of its own (its rest becomes kEnding), so others may run between
// the two.
//
// The order of an end, as in ERTS: timers aimed at its pid are cancelled, its tables go to their heirs or
// are deleted, its name is freed, the pid is gone; then exit signals go to the links and 'DOWN' messages to
// the watchers, each in order of pid and by a step of its own (Ends::kStepwise). Until it has told everybody
// it keeps its place, as Rest::kEnded, but is nobody's process any more.
//
// A process that a signal has killed but that has not ended yet is dead for whoever asks or signals: the
// language promises that a signal sent before a question is delivered before the answer. Its name stays until
// its end. The device (Names::device_pid) answers to what is sent to it and otherwise ignores all signals.
//
// Priority messages go ahead of all others in the mailbox. Who receives a message says whether it may be one:
// by the alias to which it is sent, by the monitor or by the link. A receive that has looked at messages
// looks at a priority message that comes after that.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "erlang/machine/machine_part.h"
#include "erlang/machine/process.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// What can be said of a monitor.
struct MonitorOptions {
  Term tag = atoms::kDown;  // of the 'DOWN' message
  AliasMode alias = AliasMode::kNone;
  Urgency urgency = Urgency::kOrdinary;
};

struct SpawnRequest {
  Term module, function;    // or
  Term fun = Term::none();  // a fun, called with `arguments`
  std::vector<Term> arguments = {};
  bool link = false;
  Urgency link_urgency = Urgency::kOrdinary;  // for who spawns
  std::optional<MonitorOptions> monitor = {};
  Term priority = atoms::kNormal;
};

struct Spawned {
  Term pid;
  Term monitor = Term::none();  // reference, if asked for
};

// Whether a process that is to be monitored was made by the same operation: then it cannot be gone already.
enum class Watched : std::uint8_t { kKnown, kNew };

// Whether what takes back a monitor can tell if the 'DOWN' message has come before.
enum class Demonitor : std::uint8_t { kPlain, kFlushes };

// What one process sends to another.
struct Signal {
  enum class Kind : std::uint8_t { kMessage, kAliasMessage, kLinkExit, kExit, kAliasExit, kDown } kind;
  Term content;                          // the message, or the reason of an exit signal
  Term subject = Term::none();           // the alias, or the monitor
  Urgency urgency = Urgency::kOrdinary;  // as it is sent: the alias must have it, too
};

// The signals from one process to another that have not arrived yet, the oldest first.
struct Channel {
  Term reference;  // its name: Names::make_channel
  Term sender, receiver;
  std::vector<Signal> signals;
  bool is_slow = false;  // something came from a slow process: what it carries arrives last
};

// How an operation touches an object: the numbers of the engine's Access.
namespace access {
inline constexpr std::uint8_t kRead = 0, kWrite = 1, kCreate = 2, kSend = 3, kReceive = 4,
                              kReceiveOrExpire = 5, kExpire = 6, kRemove = 7, kSendInVain = 8, kChange = 9,
                              kPass = 12;
}  // namespace access

// Names of objects in footprints (engine Touch::object): a class and a payload that is the same in every
// execution. docs/design/dependence.md tells which operations touch which.
//   kMailbox  pid
//   kLife     pid: what kills or ends the process writes it, who asks whether it lives reads it
//   kRun      pid: its own operations and what kills it write it; what finds nothing to kill any more reads
//             it, and so does who asks what it does
//   kLinks    pid: who it is linked with and watches, and who watches it; or a pair of pids (link_payload)
//   kName     atom     kNameOf  pid     kLeader  pid     kFlags  pid     kTimer  reference
//   kChannel  its reference: a mailbox between two processes
//   kAlias    reference: messages to it and unalias/1 write it, the end of its monitor changes it
//   kMonitor  reference: its 'DOWN' reads it, what takes back the monitor and can tell the difference writes
//             it
//   kWatch    reference: what takes back the monitor changes it, who asks for those who watch a process reads
//             it
//   kProcessTable      kAllProcesses or kAllNames
//   kPersistentTerm    hash of a key, or all keys    kAtomic  hash of an array's reference and an index
//   kTime              0: what sets a deadline or reads the clock reads it, what moves it on writes it
//   kFile              a name, the contents or the attributes of a node, or the names in a directory
//                      (bif/file_tree.h), or an open file
//   kCode              hash of a module's name, kCodePath or kAllCode: what its name leads to
//                      (run_time_code.cc)
//   kOldCode           hash of a module's name: purging writes it, steps that begin in the module read it
//   kEnvironment       a variable (a hash of its name), or kAllVariables
//   kMessageOrder      pid: what goes into its mailbox writes it, where that order counts (MessageOrder)
//   kProbe             0: what something observes (probes.h) writes it
//   of ets (table_notes.h):
//   kTable      table: every operation reads it; its end, another owner, name or option writes it
//   kTableName  atom   kTableRow  table and key (a hash of both)   kTableFixing  table
//   kTableRows  table: all rows of it                kAllTables    0
enum class ObjectClass : std::uint8_t {
  kMailbox = 1,
  kLife,
  kName,
  kLinks,
  kTimer,
  kFlags,
  kProcessTable,
  kOutput,
  kAlias,
  kCounter,
  kPersistentTerm,
  kAtomic,
  kTime,
  kMonitor,
  kRun,
  kNameOf,
  kLeader,
  kWatch,
  kChannel,
  kFile,
  kEnvironment,
  kMessageOrder,
  kCode,
  kOldCode,
  kProbe,
  kTable = 32,
  kTableName,
  kTableRow,
  kTableRows,
  kTableFixing,
  kAllTables,
};
inline constexpr std::uint64_t kObjectPayloadMask = (std::uint64_t{1} << 56) - 1;
constexpr std::uint64_t object_id(ObjectClass object_class, std::uint64_t payload) {
  return static_cast<std::uint64_t>(object_class) << 56 | (payload & kObjectPayloadMask);
}
inline constexpr std::uint64_t kAllProcesses = 0, kAllNames = 1, kAllVariables = 0, kCodePath = 0,
                               kAllCode = 2;
// The possible link between two processes.
constexpr std::uint64_t link_payload(Term a, Term b) {
  const Word low = a.pid_name() < b.pid_name() ? a.pid_name() : b.pid_name();
  const Word high = a.pid_name() < b.pid_name() ? b.pid_name() : a.pid_name();
  return (high + 1) << 24 | low;
}

class Signals final : public MachinePart {
 public:
  explicit Signals(Machine& its_machine) : MachinePart(its_machine) {}

  Spawned spawn(Process& parent, const SpawnRequest& request);
  // Puts a message in a mailbox; nothing happens if the process is gone.
  void deliver(Term pid, Term content, Term sender, Urgency urgency = Urgency::kOrdinary);
  // `!` to a pid, name, {Name, Node}, reference (alias): false if the name is not registered (badarg).
  bool send(Process& sender, Term target, Term content, Urgency urgency = Urgency::kOrdinary);
  // Of exit/2,3.
  void signal_exit(Term sender, Term receiver, Term reason, Urgency urgency = Urgency::kOrdinary);
  // Links two different processes: false if the other one is dead. `urgency`: of what the process hears of
  // its end.
  bool link(Process& process, Term other, Urgency urgency = Urgency::kOrdinary);
  void unlink(Process& process, Term other);
  // Watches `target` (none: a name that nobody has), which 'DOWN' messages call `object`. Dead: 'DOWN' at
  // once.
  Term monitor(Process& watcher, Term target, Term object, const MonitorOptions& how = {},
               Watched watched = Watched::kKnown);
  // False if there is no such monitor.
  bool demonitor(Process& watcher, Term reference, Demonitor how = Demonitor::kPlain);
  Term make_reference(Process& creator);
  Term make_alias(Process& owner, AliasMode mode, Urgency urgency = Urgency::kOrdinary);
  bool unalias(Process& owner, Term reference);  // false if it is not active

  // A signal has come to its receiver.
  void arrive(Term sender, Term receiver, const Signal& signal);
  // Of the ends of processes: a monitor is over, on the side of who holds it, and of who is watched.
  void forget_monitor(Process& watcher, std::size_t index);
  void take_back(Process& watched, Term reference, TakenBack how);
  // Aliases of a process that has ended, which a message could have reached before.
  void keep_lasting_aliases(const Process& process);
  void forget_lasting_alias(Term reference);

 private:
  void look_again(Process& process, std::size_t place);
  void deliver_to_alias(Term alias, Term content, Term sender, Urgency urgency);
  void take_exit(Term sender, Term receiver, Term reason, Term target, Urgency urgency);
  void take_alias_exit(Term sender, Term alias, Term reason, Urgency urgency);
  void take_link_exit(Term ended, Term other, Term reason);
  void take_down(Term ended, Term watcher, const Signal& signal);
  void note_link(Term one, Term other);
  bool drop_alias(Process& owner, Term reference);
  void remember_taken_back(Term monitor, TakenBack how);
};

}  // namespace ravel::erlang
