// What processes have at hand: mailbox, stack, dictionary, links, the state of a behaviour's server, and what
// they wait for. What a process of BEAM has in registers only, such as local variables, is not told.
#pragma once

#include <vector>

#include "engine/inspecting.h"
#include "erlang/machine/machine.h"
#include "erlang/system/actor_table.h"
#include "erlang/system/process_roles.h"
#include "erlang/system/server_states.h"
#include "erlang/system/source_places.h"
#include "erlang/system/texts.h"

namespace ravel::erlang {

struct InspectionParts {
  const Machine& machine;
  ActorTable& actors;
  const SourcePlaces& places;
  Texts& texts;
  ServerStates& server_states;
};

// Of all processes but those of Erlang/OTP's own system, in the order of their names.
std::vector<ActorState> inspect_processes(const InspectionParts& parts, const ProcessRoles& roles);

}  // namespace ravel::erlang
