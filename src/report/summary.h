// What a search or a replay has found, in sentences that claim exactly what is known.

#pragma once

#include <string>
#include <string_view>

#include "engine/replay.h"
#include "engine/search_result.h"
#include "report/check_report.h"
#include "report/text.h"

namespace ravel {

// What an execution of this search stands for, in the singular: "schedule", or "trace"; or "execution", as
// one of a random search may repeat a schedule.
std::string_view execution_noun(const SearchResult& result);
// How many of these there were.
std::uint64_t unit_count(const Counts& counts);

// What is ruled out and what is not, then the counts, then, if there is no bug, what was assumed where that
// mattered.
//   No bug in any of the 12 schedules.
//   No bug with at most 2 preemptions; 1,700 schedules.
//   The budget of time ended the search: no bug in the 5,120 schedules tried, which are all with at most 1
//   preemption and some others.
std::string summarize(const SearchResult& result);

// What a test leaves behind, and which ends somebody has handled: a line each, or nothing.
//   2 processes are left behind, waiting: ordinary:init/1 in gen_server:loop/7; cache:loop/0, for stop
//     (cache.erl:12).
std::string describe_remarks(const TestReport& tested);

// What happened in an execution, in the form that the user wishes for (src/story): lines, each with its end.
struct ToldSteps {
  std::string text = {};
  Colour colour = Colour::kOff;  // of the report around it, too
};

// The bug as a title, its place and details, the story of its schedule, and what the program printed.
// `number` is its number in the report, from 1; `ticket` the file that replays it, or empty.
std::string describe_bug(const NamedBug& found, const Recording& recording, std::size_t number,
                         const std::string& ticket, const ToldSteps& told);

// Whether the ticket's bug still happens, where the replay differs, and the story.
std::string describe_replay(const Replay& replay, const Bug& expected, const ToldSteps& told);

// How the execution ended, and its story.
std::string describe_execution(const Recording& recording, const ToldSteps& told);

// "ravel: bank.erl:31: ...", for an Exploration or Replay that ended there.
std::string describe_refusal(const Refusal& refusal);

}  // namespace ravel
