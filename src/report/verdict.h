// What a run comes to in one word, and the exit status that says it to a shell.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/replay.h"
#include "engine/search_result.h"

namespace ravel {

struct TestReport;

enum class Verdict : std::uint8_t {
  kPass,         // nothing found, and the search that was asked for is complete
  kBug,          // at least one bug, whatever else happened
  kError,        // bad usage or input
  kIncomplete,   // nothing found before something stopped the search
  kUnsupported,  // the program does something that no schedule controls
  kSkipped,      // the test says itself that it is not to be run
};

// Whether the search has ended by itself and cannot say that it has left nothing out.
bool may_have_missed(const SearchResult& result);

Verdict verdict_of(const SearchResult& result);
Verdict verdict_of(const TestReport& tested);
// kBug for any bug, kPass for none.
Verdict verdict_of(const Replay& replay);

// The verdict of several tests: a bug in any, else what could not be controlled, else what is not complete.
Verdict overall(std::span<const Verdict> verdicts);

// "pass", "bug", "error", "incomplete", "unsupported", "skipped".
std::string_view to_string(Verdict verdict);

// 0 pass or skipped, 1 bug, 2 error, 3 incomplete, 4 unsupported.
int exit_status(Verdict verdict);

}  // namespace ravel
