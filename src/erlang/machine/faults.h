// Why a step could not be completed, and what the program has met that the machine takes for granted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "erlang/machine/assumption_notes.h"
#include "erlang/machine/code.h"
#include "erlang/machine/machine_part.h"
#include "erlang/machine/process.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

struct MachineFault {
  enum class Kind : std::uint8_t { kNone, kUnsupported, kNoProgress, kOutOfMemory, kHalted };
  Kind kind = Kind::kNone;
  std::string message = {};  // kUnsupported: what and why
  Term process = {};         // pid
  const CodeWord* place = nullptr;
  Term halt_status = {};  // kHalted: integer, or `abort`, or a string
};

class Faults final : public MachinePart {
 public:
  explicit Faults(Machine& its_machine) : MachinePart(its_machine) {}

  const MachineFault& current() const { return fault_; }
  bool has_one() const { return fault_.kind != MachineFault::Kind::kNone; }
  void clear() { fault_ = {}; }
  // What is noted of all executions: before the first one of a test.
  void clear_notes();

  void refuse(std::string message);  // the program does what no schedule controls
  void halt(Term status);
  // The running process has used up what an execution may have. `place`: where it is.
  void exhaust(MachineFault::Kind kind, Term process, const CodeWord* place);
  // Where the process that was stopped by the fault stays.
  void set_place(Term process, const CodeWord* place);

  // An operation tells the running process in which order messages lie in a mailbox.
  void show_message_order(const Process& owner);
  bool has_refused_message_order() const { return has_refused_message_order_; }  // in some execution

  // What the running process does depends on something that is taken for granted.
  void note_assumed(Assumed what);
  AssumptionNotes& assumptions() { return assumptions_; }

 private:
  void set(MachineFault::Kind kind);  // of the running process, unless there is one

  MachineFault fault_;
  AssumptionNotes assumptions_;
  bool has_refused_message_order_ = false;
};

}  // namespace ravel::erlang
