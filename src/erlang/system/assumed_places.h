// Where what the machine takes for granted has decided something, as places of the program.
#pragma once

#include <vector>

#include "engine/assumption.h"
#include "erlang/machine/assumption_notes.h"
#include "erlang/system/application_starts.h"
#include "erlang/system/source_places.h"

namespace ravel::erlang {

// Each place once.
std::vector<AssumedPlace> assumed_places(const AssumptionNotes& notes, const ApplicationStarts& starts,
                                         const SourcePlaces& source);

}  // namespace ravel::erlang
