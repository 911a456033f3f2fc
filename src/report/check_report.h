// What is known of a check: the model that texts, JSON, JUnit and drawings are made of.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/race.h"
#include "engine/recording.h"
#include "engine/remark.h"
#include "engine/search_result.h"
#include "report/program_coverage.h"
#include "report/search_tree.h"

namespace ravel {

// Bugs after so many are named by their title and ticket only: nobody reads so many stories.
inline constexpr std::size_t kStoriesMax = 10;

// One test, and what its search has found.
struct TestReport {
  std::string test;
  std::string title = {};    // what the suite calls it, or empty
  std::string skipped = {};  // why the suite itself skips it; then there was no search
  SearchResult result = {};
  std::optional<OrphanDescription> orphan = {};  // the first one of result.unreceived
  // What is no bug and still worth telling: sentences without a full stop
  std::vector<std::string> warnings = {};
  Remarks left_behind = {};               // processes that wait when the test is over
  Remarks handled_ends = {};              // abnormal ends of processes that were no bugs
  std::vector<std::string> tickets = {};  // by bug: the file that replays it, or empty
  // By bug, for the first ones: what few systems do, in the schedule that shows it
  std::vector<RareEventCounts> rare_events = {};
  // By bug, for the first ones: why it happens, if that was looked for
  std::vector<std::optional<Explanation>> explanations = {};
  // By bug, for those that are told with their stories, until they are told
  std::vector<Recording> recordings = {};
  std::vector<std::string> stories = {};                 // of these: what happened, as text
  std::optional<ProgramCoverage> program_coverage = {};  // if that was asked for
  std::optional<SearchTree> tree = {};                   // if the search was noted
};

// Which part of a check this was, if it was one of several (--shard).
struct ShardReport {
  std::uint32_t number = 1;  // from 1
  std::uint32_t count = 1;
  std::optional<std::size_t> tests = {};  // that all shards have together; none: executions of one test
};

struct CheckReport {
  std::vector<TestReport> tests = {};             // tests that were run, in their order
  std::size_t chosen = 0;                         // how many tests were to be run
  std::string assumptions = {};                   // what every verdict depends on: lines, or nothing
  std::optional<std::size_t> prefix_events = {};  // with which every execution began, if that was asked for
  std::optional<ShardReport> shard = {};

  // Whether tests are told in a table, be it one test.
  bool is_suite() const { return chosen != 1 || (shard && shard->tests); }
};

}  // namespace ravel
