// What is said of a search that several processes run in parts: by the command and the program, and by copies
// of the program's process among themselves.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "threads/protocol/messages.h"

namespace ravel::threads {

// After the SearchOrder.
struct SearchJobs {
  std::uint32_t jobs = 1;    // how many processes may search at first
  std::uint32_t most = 1;    // and ever
  double seconds_alone = 0;  // before it is given to several
};

// After what was Searched.
struct PartsEnd {
  // Copies came to an end, and the search with them: how, or empty. Then nothing was found.
  std::string lost_copies = {};
  bool needs_machine = false;      // they did so since the program is to be run by one process at a time
  std::string why_undivided = {};  // why one process has searched: a sentence without its end
  std::vector<std::string> problems = {};  // what went wrong on the way: sentences without a full stop
};

// How a part was run whose search another machine has.
struct PartRan {
  bool makes_sense = true;  // false: the part is none of a search of this program
  std::string slice = {};   // a PartSlice; empty: the part has no position where the run was ended
};

// What executions of one copy of the process have shown, for another one.
struct ProgramNews {
  std::vector<NewActor> actors = {};  // all that the copy has met: actors of the findings are its own
  Findings findings = {};
  LoopUses loops = {};
};

Writer& operator<<(Writer& out, const SearchJobs& value);
Reader& operator>>(Reader& in, SearchJobs& value);
Writer& operator<<(Writer& out, const PartsEnd& value);
Reader& operator>>(Reader& in, PartsEnd& value);
Writer& operator<<(Writer& out, const PartRan& value);
Reader& operator>>(Reader& in, PartRan& value);
Writer& operator<<(Writer& out, const ProgramNews& value);
Reader& operator>>(Reader& in, ProgramNews& value);

}  // namespace ravel::threads
