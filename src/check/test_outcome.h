// What the search of one test of a check comes to, and how a process that has searched it tells that to
// another one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "check/front_end.h"
#include "check/saved_search.h"

namespace ravel {

struct TestOutcome {
  TestReport report;                     // without recordings; with a tree only in the process of the search
  std::optional<SavedTest> saved = {};   // nothing: it begins anew when it is resumed
  std::string unresumable = {};          // SearchedTest::unresumable
  std::optional<BugFile> bug_file = {};  // SearchedTest::bug_file
  std::string text = {};                 // what is told of the test on standard output,
  std::string complaint = {};            // and after that on standard error
  bool needs_machine = false;            // SearchedTest::needs_machine; there is nothing else then
};

// One message of such a process.
struct TestMessage {
  enum class Kind : std::uint8_t {
    kKept,          // where the search is
    kEnded,         // its outcome
    kFailed,        // what is wrong with the input
    kNeedsMachine,  // it was not searched: no other one may be searched at the same time
  };
  Kind kind = Kind::kKept;
  SavedTest kept = {};
  TestOutcome outcome = {};
  std::string error = {};
};

std::string print_message(const TestMessage& message);
// Nothing if it makes no sense.
std::optional<TestMessage> parse_message(std::string_view message);

}  // namespace ravel
