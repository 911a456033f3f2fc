// What is told of a step: who acts, where, and what the operation is; and what few systems do, such as a
// timeout before its time or a message that overtakes another one.
//
// Cost: strings for each step, so nothing of this is done while a search goes on.
#pragma once

#include <cstdint>
#include <span>

#include "engine/system.h"
#include "engine/transition.h"
#include "erlang/machine/machine.h"
#include "erlang/system/actor_table.h"
#include "erlang/system/event_texts.h"
#include "erlang/system/exit_bugs.h"
#include "erlang/system/overtaking.h"
#include "erlang/system/source_places.h"
#include "erlang/system/texts.h"

namespace ravel::erlang {

class StepDescriptions {
 public:
  // All must outlive this object.
  struct Parts {
    const Machine& machine;
    ActorTable& actors;
    const SourcePlaces& places;
    Texts& texts;
    const EventTexts& event_texts;
    ExitBugs& exit_bugs;
  };
  explicit StepDescriptions(const Parts& parts)
      : machine_(parts.machine),
        actors_(parts.actors),
        places_(parts.places),
        texts_(parts.texts),
        event_texts_(parts.event_texts),
        exit_bugs_(parts.exit_bugs) {}

  Descriptions mode() const { return mode_; }
  void set_mode(Descriptions mode) { mode_ = mode; }
  bool are_made() const { return mode_ != Descriptions::kOff; }

  // REQUIRES for the following: are_made().
  // Before a step of a process: it may be gone afterwards. Or of somebody else.
  void begin(const Process& process);
  void begin() { last_ = {}; }
  // After the step. `who` has taken it.
  void finish(Term who);
  // Whether somebody else could have gone on without time passing.
  enum class Beside : std::uint8_t { kNobody, kSomebody };
  void note_rare_event(Term who, Beside beside, std::span<const Touch> footprint);

  const EventDescription& last() const { return last_; }
  void begin_execution() { overtaking_.reset(); }

 private:
  bool only_looks(Term who) const;  // whether the last operation changed nothing that others could see

  const Machine& machine_;
  ActorTable& actors_;
  const SourcePlaces& places_;
  Texts& texts_;
  const EventTexts& event_texts_;
  ExitBugs& exit_bugs_;
  Descriptions mode_ = Descriptions::kOff;
  EventDescription last_;
  Overtaking overtaking_;  // of the execution that is described
};

}  // namespace ravel::erlang
