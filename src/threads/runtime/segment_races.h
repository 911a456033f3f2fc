// Data races between the segments of threads: what each has accessed since its last operation.
//
// The idea: two accesses that nothing orders are each the last thing that their thread does, in some order of
// the operations that are not ordered with them. So a search by states, which comes to each state by one way
// only and knows nothing of the others, finds every race from segments alone, if these are part of a state.
// (Races that only an order weaker than sequential consistency makes are not among them.) Where segments
// conflict, what happens before what is looked at in that one execution, by the detector (race_detector.h).
#pragma once

#include <vector>

#include "base/wide_hash.h"
#include "threads/runtime/thread.h"

namespace ravel::threads {

void add_to_segment(std::vector<SegmentAccess>& segment, const SegmentAccess& access);

// Puts them in order, each once. REQUIRES for the other functions: this was done.
void sort_segment(std::vector<SegmentAccess>& segment);

// Whether they have accesses to the same bytes, one of which writes and one of which is not atomic.
bool do_conflict(const std::vector<SegmentAccess>& one, const std::vector<SegmentAccess>& other);

Hash128 hash_of(const std::vector<SegmentAccess>& segment);

}  // namespace ravel::threads
