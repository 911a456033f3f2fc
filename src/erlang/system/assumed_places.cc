#include "erlang/system/assumed_places.h"

#include <utility>

#include "base/check.h"

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

std::vector<AssumedPlace> assumed_places(const AssumptionNotes& notes, const ApplicationStarts& starts,
                                         const SourcePlaces& source) {
  std::vector<AssumedPlace> places;
  for (const AssumptionNotes::Note& note : notes.all()) {
    EventDescription where;
    const CodeWord* const place = source.best_place(note.places);
    if (place != nullptr) source.describe_where(place, where, SourcePlaces::Place::kOther);
    add_places(places, {{.assumption = assumption_of(note.what), .file = where.file, .line = where.line}});
  }
  for (const std::vector<const CodeWord*>& start : starts.places()) {
    EventDescription where;
    const CodeWord* const place = source.best_place(start);
    if (place != nullptr) source.describe_where(place, where, SourcePlaces::Place::kOther);
    add_places(places, {{.assumption = Assumption::kStartsOnce, .file = where.file, .line = where.line}});
  }
  return places;
}

}  // namespace ravel::erlang
