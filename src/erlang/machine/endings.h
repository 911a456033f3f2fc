// The ends of processes: signals that kill, what an end does, and who hears of it.
#pragma once

#include "erlang/machine/machine_part.h"
#include "erlang/machine/process.h"
#include "erlang/machine/signals.h"

namespace ravel::erlang {

class Endings final : public MachinePart {
 public:
  explicit Endings(Machine& its_machine) : MachinePart(its_machine) {}

  // Whether who hears of an end does so in a step of its own.
  bool are_stepwise() const;
  // Whether monitors that were taken back, and former links, are kept, so that an end takes the same steps,
  // or touches the same, whether they are still there or not.
  bool keeps_what_was_taken_back() const;
  bool keep_former_links() const;

  void kill(Term pid, Term reason, Term origin);
  // The same without noting what it touches. REQUIRES: the process has not been killed or ended.
  void strike(Process& process, Term reason, Term origin);
  // Ends a process: REQUIRES kEnding. Frees it, unless somebody is to be told.
  void end(Process& process);
  // The next one who was linked with it, or watches it, hears of it: REQUIRES kEnded. Frees it after the last
  // one.
  void tell_next(Process& ended);
  // Whether the next one to hear of it has ended before, or has taken back its link or monitor: nobody can
  // see that step (keeps_what_was_taken_back).
  bool tells_in_vain(const Process& ended) const;
  void note_former_link(Process& process, const FormerLink& link);
  // Somebody has not to be told any more. Frees an ended process of which nobody else has to hear.
  void forget_if_told(Process& process);

 private:
  void report_crash(const Process& process);  // crash_reports.cc
  void note_telling(Term other, Term content, Term form);
  bool is_former_link_next(const Attributes& attributes) const;
  void tell_partner(const Process& ended, Term other);
  void note_signal_in_vain(const Process& ended, const FormerLink& link);
  void note_reply_aliases(const Process& process);
  void send_exit(Term other, Term ended, Term reason, bool is_trapped, Urgency urgency);
  void tell_watcher(const Process& ended, const Watcher& watcher);
  void remove_watchers_of_ended(Process& process);
};

}  // namespace ravel::erlang
