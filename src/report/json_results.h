// The results of a search for machines: --json FILE.
//
//   {"test", "verdict": "pass" | "bug" | "incomplete" | "unsupported" | "error", "stop", "strategy",
//     "executions",
//    "erroneous_executions", "events", "events_max", "bound_completed" (or null), "seconds", "redundant",
//    "coverage": {"unit": "schedules" | "traces" | "states" | "executions", "complete", "bounds": [{"on":
//      "preemptions" and others,
//    "completed" (or null), "exhausted"}]},
//    "abandoned", "in_turns" (executions of another strategy), "cut_off", "refusal" (or null), "orphans" (or
//      null: {"messages", "executions", "complete",
//    "first": {"message", "sender", "receiver", "operation", "file", "line"}}),
//    "warnings": [sentence] (only if there are some),
//    "bugs": [{"kind", "message", "file", "line", "actor", "preemptions", "early_timeouts",
//              "overtaking_messages", "spurious_wake_ups", "kills", "lost_messages", "duplicated_messages",
//              "events", "executions", "ticket",
//              "lasso": {"formula", "fairness", "loop"} (only of an execution without an end)}]}
//
// Of several tests: {"verdict", "tests": [one such object for each]}. With the verdict "error" there is only
// "message" besides it.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/search_result.h"
#include "report/check_report.h"

namespace ravel {

// `tickets[i]` is the file that replays bugs[i], or empty. REQUIRES: as many tickets as bugs.
std::string json_results(const SearchResult& result, std::span<const std::string> tickets);

// REQUIRES: at least one test.
std::string json_results(const CheckReport& report);

std::string json_error(std::string_view message);

}  // namespace ravel
