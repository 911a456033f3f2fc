// Where what the machine takes for granted has decided something, as places of the program.
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "erlang/system/erlang_system.h"

namespace ravel::erlang {

namespace {

Assumption assumption_of(Assumed what) {
  switch (what) {
    case Assumed::kOneSeed: return Assumption::kOneSeed;
    case Assumed::kOneEnvironment: return Assumption::kOneEnvironment;
    case Assumed::kAtomicEnds: return Assumption::kAtomicEnds;
    case Assumed::kInstantDelivery: return Assumption::kInstantDelivery;
    case Assumed::kTimeoutsWait: return Assumption::kTimeoutsWait;
  }
  CHECK(false);
}

}  // namespace

std::vector<AssumedPlace> ErlangSystem::assumed() {
  std::vector<AssumedPlace> places;
  for (const AssumptionNotes::Note& note : machine_->faults.assumptions().all()) {
    EventDescription where;
    const CodeWord* const place = places_.best_place(note.places);
    if (place != nullptr) places_.describe_where(place, where, SourcePlaces::Place::kOther);
    add_places(places, {{.assumption = assumption_of(note.what), .file = where.file, .line = where.line}});
  }
  for (const std::vector<const CodeWord*>& start : starts_.places()) {
    EventDescription where;
    const CodeWord* const place = places_.best_place(start);
    if (place != nullptr) places_.describe_where(place, where, SourcePlaces::Place::kOther);
    add_places(places, {{.assumption = Assumption::kStartsOnce, .file = where.file, .line = where.line}});
  }
  return places;
}

}  // namespace ravel::erlang
