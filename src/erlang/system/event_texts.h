// What an event did, in words: "sends {ping,1} to P.2 (server)".
#pragma once

#include <string>

#include "erlang/machine/machine.h"
#include "erlang/system/texts.h"

namespace ravel::erlang {

class EventTexts {
 public:
  // Both must outlive this object.
  EventTexts(const Machine& machine, const Texts& texts) : machine_(machine), texts_(texts) {}

  // REQUIRES: it is of the last step.
  std::string text_of(const EventRecord& event) const;

 private:
  std::string text_of_builtin(const EventRecord& event) const;
  // A call that loads, deletes or purges a module; empty: another one. REQUIRES: it has a result.
  std::string text_of_loading(const EventRecord& event) const;
  std::string text_of_end(Term reason) const;

  const Machine& machine_;
  const Texts& texts_;
};

}  // namespace ravel::erlang
