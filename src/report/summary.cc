#include "report/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "report/assumptions.h"
#include "report/coverage_text.h"
#include "report/text.h"
#include "report/verdict.h"

namespace ravel {

namespace {

// "2 preemptions and 1 early timeout": up to where everything was executed; empty if no such bound is
// complete, or if there is nothing beyond.
std::string at_most(const Coverage& coverage) {
  std::string text;
  for (const BoundOn on : {BoundOn::kFaults, BoundOn::kPreemptions, BoundOn::kDelays, BoundOn::kEarlyTimeouts,
                           BoundOn::kEvents}) {
    const Bound* const bound = coverage.bound(on);
    if (bound == nullptr || !bound->completed || bound->is_exhausted) continue;
    text += (text.empty() ? "" : " and ") + counted(*bound->completed, noun_of(on));
  }
  return text;
}

// " with at most 1 early timeout", or nothing.
std::string with_at_most(const Coverage& coverage) {
  const std::string text = at_most(coverage);
  return text.empty() ? "" : " with at most " + text;
}

// "the strata of up to 2 delays", or nothing.
std::string strata_of(const Coverage& coverage) {
  const auto completed = coverage.completed(BoundOn::kStrata);
  if (!completed) return "";
  return *completed == 0 ? "the stratum without a delay"
                         : fmt::format("the strata of up to {}", counted(*completed, "delay"));
}

// Whether there are executions beyond the largest number of preemptions or delays.
bool is_bounded(const Coverage& coverage) {
  const Bound* const bound = preemption_bound(coverage);
  return bound != nullptr && !bound->is_exhausted;
}

constexpr const char kOtherRaces[] = "there are other races, of which no other outcome was tried";

std::string why_stopped(Stop stop) {
  switch (stop) {
    case Stop::kTimeBudget: return "The budget of time ended the search";
    case Stop::kExecutionBudget: return "The budget of executions ended the search";
    case Stop::kMemoryBudget: return "The budget of memory ended the search";
    case Stop::kInterrupted: return "The search was interrupted";
    case Stop::kUnsupported: return "The search met what it can't control";
    case Stop::kFirstBug: return "The search stopped at the first bug";
    case Stop::kTooLong:
      return "The search stopped, since executions come to the bound on events again and again";
    case Stop::kComplete: break;
  }
  return "The search is complete";
}

// What a search that keeps hashes of states adds to what it says of all states.
std::string left_out(const HashedStates& hashed) {
  if (!hashed.abstraction.empty())
    return fmt::format(
        "of states of which {} makes the same only one was gone on from, so there may be bugs in others",
        hashed.abstraction);
  if (hashed.omitted >= 1)
    return fmt::format("about {} may have been taken for others and left out, with what only they lead to",
                       counted(static_cast<std::uint64_t>(std::llround(hashed.omitted)), "more state"));
  return fmt::format("the chance that a state was left out is {:.1g}", -std::expm1(-hashed.omitted));
}

// What a search that was stopped has covered, after "the 120 schedules tried".
std::string partly_covered(const Counts& counts) {
  const Coverage& coverage = counts.coverage;
  if (const auto changes = coverage.completed(BoundOn::kPriorityChanges)) {
    const std::uint32_t number = coverage.completed(BoundOn::kVariables).value_or(0);
    std::string variables = counted(number, "variable");
    if (number > 0)
      variables +=
          fmt::format(" of iterations up to {}", coverage.completed(BoundOn::kIterations).value_or(0));
    return fmt::format("; it got through {} at {} in orders of {}", counted(*changes, "preemption"),
                       variables, counted(coverage.completed(BoundOn::kThreads).value_or(0), "thread"));
  }
  if (coverage.bound(BoundOn::kStrata) != nullptr) {
    const std::string strata = strata_of(coverage);
    return strata.empty() ? "; others were not tried" : "; it went through " + strata;
  }
  const std::string covered = with_at_most(coverage);
  if (covered.empty()) return "; others were not tried";
  return "; among them are all" + covered + (counts.hashed ? "; " + left_out(*counts.hashed) : "");
}

std::string complete_without_bug(const SearchResult& result) {
  const Counts& counts = result.counts;
  const Coverage& coverage = counts.coverage;
  const std::string_view noun = execution_noun(result);
  if (counts.hashed)
    return fmt::format("No bug in the {} visited; {}.", counted(unit_count(counts), noun),
                       left_out(*counts.hashed));
  if (coverage.unit == CoverageUnit::kExecutions)
    return fmt::format("No bug in {} of the {}; other schedules were not tried.",
                       counted(counts.executions, noun), result.strategy);
  if (coverage.bound(BoundOn::kOtherRaces) != nullptr)
    return fmt::format("No bug in {} that message races lead to; {}.", counted(counts.executions, noun),
                       kOtherRaces);
  if (is_bounded(coverage))
    return fmt::format("No bug{}; {}.", with_at_most(coverage), counted(counts.executions, noun));
  if (coverage.bound(BoundOn::kVariables) != nullptr)
    return fmt::format("No bug in any {} of the {}; {}.", noun, result.strategy,
                       counted(counts.executions, noun));
  if (unit_count(counts) == 1) return fmt::format("No bug in the only {}{}.", noun, with_at_most(coverage));
  return fmt::format("No bug in any of the {} {}s{}.", grouped(unit_count(counts)), noun,
                     with_at_most(coverage));
}

std::string complete_with_bugs(const SearchResult& result, const std::string& bugs) {
  const Counts& counts = result.counts;
  const Coverage& coverage = counts.coverage;
  const std::string_view noun = execution_noun(result);
  if (counts.hashed)
    return fmt::format("{} in the {} visited; {}.", bugs, counted(unit_count(counts), noun),
                       left_out(*counts.hashed));
  if (coverage.bound(BoundOn::kOtherRaces) != nullptr)
    return fmt::format("{} in {} that message races lead to; {}.", bugs, counted(counts.executions, noun),
                       kOtherRaces);
  if (is_bounded(coverage))
    return fmt::format("{}{}; {}.", bugs, with_at_most(coverage), counted(counts.executions, noun));
  if (coverage.unit == CoverageUnit::kExecutions || coverage.bound(BoundOn::kVariables) != nullptr)
    return fmt::format("{} in {} of the {}.", bugs, counted(counts.executions, "execution"), result.strategy);
  if (unit_count(counts) == 1) return fmt::format("{} in the only {}{}.", bugs, noun, with_at_most(coverage));
  return fmt::format("{} in the {} {}s, which are all there are{}.", bugs, grouped(unit_count(counts)), noun,
                     with_at_most(coverage));
}

// After the first bug of a search that promises the fewest preemptions.
std::string none_before(const Counts& counts) {
  const Coverage& coverage = counts.coverage;
  const std::string covered = at_most(coverage);
  if (covered.empty()) return "";
  const bool is_zero = covered.starts_with("0 ") && covered.find(" and ") == std::string::npos;
  if (!is_zero)
    return "; there is none with at most " + covered + (counts.hashed ? "; " + left_out(*counts.hashed) : "");
  if (coverage.bound(BoundOn::kEvents) != nullptr) return "";
  const std::string_view noun = covered.starts_with("0 f") ? noun_of(BoundOn::kFaults)
                                : is_bounded(coverage)     ? noun_of(preemption_bound(coverage)->on)
                                                           : noun_of(BoundOn::kEarlyTimeouts);
  return fmt::format("; there is none without {} {}", noun.starts_with("early") ? "an" : "a", noun);
}

// Of a search by strata, and of the executions that were drawn after it.
std::string samples_after_strata(const SearchResult& result, const std::string& bugs) {
  const std::string strata = strata_of(result.counts.coverage);
  return fmt::format("{} in the {} visited{} and the {} drawn that go on from there; others were not tried.",
                     bugs, counted(unit_count(result.counts), execution_noun(result)),
                     strata.empty() ? "" : ", which are " + strata + " and perhaps more,",
                     counted(result.counts.in_turns, "execution"));
}

std::string first_sentence(const SearchResult& result) {
  const Counts& counts = result.counts;
  const bool found = !result.bugs.empty();
  const std::string bugs = counted(result.bugs.size(), "distinct bug");
  if (result.stop == Stop::kComplete) {
    if (may_have_missed(result) && counts.in_turns + counts.abandoned > 0 &&
        counts.coverage.bound(BoundOn::kStrata) != nullptr)
      return samples_after_strata(result, found ? bugs : "No bug");
    if (may_have_missed(result) && counts.coverage.bound(BoundOn::kStrata) != nullptr)
      return fmt::format("{} in the {} of {}; more delays were not tried.", found ? bugs : "No bug",
                         counted(unit_count(counts), execution_noun(result)), strata_of(counts.coverage));
    if (may_have_missed(result) && !counts.hashed)
      return fmt::format(
          "{} in the {} tried, of which there were too many to be sure that none was left out.",
          found ? bugs : "No bug", counted(counts.executions, execution_noun(result)));
    if (found) return complete_with_bugs(result, bugs);
    if (counts.unfinished == 0) return complete_without_bug(result);
    const std::string noun(execution_noun(result));
    return fmt::format("The search is not complete: no bug, but {} of {} {} not seen to the end.",
                       grouped(counts.unfinished), counted(counts.executions, noun),
                       counts.unfinished == 1 ? "was" : "were");
  }
  std::string text = why_stopped(result.stop);
  if (result.stop == Stop::kFirstBug) {
    text += counts.states ? fmt::format(", after {}", counted(counts.states->states, "state"))
                          : fmt::format(", in {} {}", execution_noun(result),
                                        grouped(result.bugs.front().first_execution));
    text += none_before(counts);
    return text + ".";
  }
  if (unit_count(counts) == 0) return text + " before an execution was complete.";
  if (unit_count(counts) == 1) {
    return text + fmt::format(": {} in the only {} tried{}.", found ? bugs : "no bug", execution_noun(result),
                              partly_covered(counts));
  }
  return text + fmt::format(": {} in the {} tried{}.", found ? bugs : "no bug",
                            counted(unit_count(counts), execution_noun(result)), partly_covered(counts));
}

// What to do about executions that were cut off.
std::string describe_unfinished(const Counts& counts) {
  std::string text;
  if (counts.unfair > 0)
    text += fmt::format(
        "\n{} round without an end, because a process looks again and again at what others would change if "
        "it waited: "
        "let it receive or sleep between two looks, or try --strategy random.",
        counted(counts.unfair, "execution goes", "executions go"));
  if (counts.unfinished > counts.unfair)
    text += fmt::format(
        "\n{} come to the end within {}: if it has one, a larger bound (--events) shows it; else let what "
        "runs for ever, such "
        "as a timer, end with the test.",
        counted(counts.unfinished - counts.unfair, "execution did not", "executions did not"),
        counted(counts.events_max, "event"));
  return text;
}

std::string indented(std::string_view text, std::string_view indent) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    result += fmt::format("{}{}\n", indent, text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return result;
}

// The text of the source line where a bug is, if an event of the schedule shows it.
std::string source_of(const Bug& bug, const Recording& recording) {
  for (const RecordedEvent& event : recording.events) {
    const EventDescription& description = event.description;
    if (description.line == bug.line && description.file == bug.file && !description.source.empty())
      return description.source;
  }
  return "";
}

// The lines that say what went wrong and where.
std::string describe(const Bug& bug, const Recording& recording, const ToldSteps& told) {
  std::string text = indented(bug.message, "  ");
  const std::string where = place(bug.file, bug.line);
  const bool is_said = !where.empty() && bug.message.find(where) != std::string::npos;
  if (!is_said && (!where.empty() || !bug.actor.empty())) {
    text += "  ";
    if (!where.empty()) text += "at " + where;
    if (!where.empty() && !bug.actor.empty()) text += ", ";
    if (!bug.actor.empty()) text += "in " + bug.actor;
    if (const std::string source = source_of(bug, recording); !where.empty() && !source.empty())
      text += ":  " + paint(source, Ink::kBold, told.colour);
    text += "\n";
  }
  for (const std::string& line : bug.details) text += indented(line, "    ");
  return text;
}

std::string story_and_output(const Recording& recording, const ToldSteps& told) {
  std::string text = "\n" + told.text;
  if (!recording.output.empty()) text += "\n  The program printed:\n" + indented(recording.output, "    ");
  return text;
}

std::string headline(const Bug& bug) {
  std::string kind = bug.kind;
  for (char& c : kind) {
    if (c == '_') c = ' ';
  }
  return kind;
}

}  // namespace

std::string_view execution_noun(const SearchResult& result) { return noun_of(result.counts.coverage.unit); }

std::uint64_t unit_count(const Counts& counts) {
  return counts.states ? counts.states->states : counts.executions;
}

namespace {

// "1,234 states (567 reduced), 5,678 transitions, depth 12, 30 bytes a state, 1,000,000 states/s".
std::string describe_states(const StateCounts& counts, double seconds) {
  const std::string reduced =
      counts.reduced > 0 ? fmt::format(" ({} reduced)", grouped(counts.reduced)) : std::string();
  std::string text = fmt::format("{}{}, {}, depth {}", counted(counts.states, "state"), reduced,
                                 counted(counts.transitions, "transition"), grouped(counts.depth));
  if (counts.replayed > 0) text += fmt::format(", {} replayed", counted(counts.replayed, "step"));
  // Of few states these numbers say nothing.
  if (counts.states >= 1'000)
    text += fmt::format(", {} bytes a state, {} states/s", grouped(counts.bytes / counts.states),
                        grouped(static_cast<std::uint64_t>(static_cast<double>(counts.states) / seconds)));
  return text;
}

// ", 85.3 bits of the filter for each", which SPIN calls the hash factor.
std::string describe_filter(const Counts& counts) {
  if (!counts.hashed || counts.hashed->filter_bits == 0 || counts.states->states == 0) return "";
  return fmt::format(", {:.1f} bits of the filter for each", static_cast<double>(counts.hashed->filter_bits) /
                                                                 static_cast<double>(counts.states->states));
}

}  // namespace

std::string summarize(const SearchResult& result) {
  const Counts& counts = result.counts;
  std::string text = first_sentence(result) + "\n";
  if (!result.promise.empty()) text += "If no execution is larger than these, " + result.promise + ".\n";
  text += counts.states ? describe_states(*counts.states, counts.seconds) + describe_filter(counts)
                        : fmt::format("{}, {} (at most {} in one)", counted(counts.executions, "execution"),
                                      counted(counts.events, "event"), grouped(counts.events_max));
  text += ", " + duration(counts.seconds);
  if (counts.redundant > 0) text += fmt::format("; {} repeated", counted(counts.redundant, "more execution"));
  if (counts.abandoned > 0)
    text += fmt::format("; {} given up early", counted(counts.abandoned, "more execution"));
  if (counts.in_turns > 0)
    text += fmt::format("; {} {}", counted(counts.in_turns, "more execution"),
                        counts.states ? "drawn" : "by another strategy, in turns");
  if (counts.cut_off > 0)
    text += fmt::format("; {} cut off after {}", counted(counts.cut_off, "execution"),
                        counted(counts.events_max, "event"));
  text += describe_unfinished(counts);
  text += "\n";
  return result.bugs.empty() ? text + describe_assumptions(result.assumed) : text;
}

namespace {

// "needs 1 early timeout, 1 preemption": what few systems do comes first.
std::string needs_of(const NamedBug& found, const Recording& recording) {
  std::vector<std::string> rare;
  const RareEventCounts counts = count_rare_events(recording);
  if (counts.kills > 0) rare.push_back(counted(counts.kills, "kill"));
  if (counts.lost_messages > 0) rare.push_back(counted(counts.lost_messages, "lost message"));
  if (counts.duplicated_messages > 0)
    rare.push_back(counted(counts.duplicated_messages, "duplicated message"));
  if (counts.early_timeouts > 0) rare.push_back(counted(counts.early_timeouts, "early timeout"));
  if (counts.overtaking_messages > 0)
    rare.push_back(counted(counts.overtaking_messages, "overtaking message"));
  if (counts.spurious_wake_ups > 0) rare.push_back(counted(counts.spurious_wake_ups, "spurious wake-up"));
  return (rare.empty() ? "" : fmt::format("needs {}, ", fmt::join(rare, ", "))) +
         counted(found.preemptions, "preemption");
}

// Kinds beyond these are in the results for machines only.
constexpr std::size_t kRemarksTold = 5;

std::string list_of(const Remarks& remarks) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kRemarksTold, remarks.kinds.size()); ++i) {
    const std::string where = place(remarks.kinds[i].file, remarks.kinds[i].line);
    text += (i == 0 ? "" : "; ") + remarks.kinds[i].text + (where.empty() ? "" : " (" + where + ")");
  }
  if (remarks.kinds.size() > kRemarksTold)
    text += fmt::format("; and {} more", remarks.kinds.size() - kRemarksTold);
  return text + ".\n";
}

}  // namespace

std::string describe_remarks(const TestReport& tested) {
  std::string text;
  const auto tell = [&](const Remarks& remarks, const char* one, const char* many) {
    if (!remarks.kinds.empty()) text += counted(remarks.most, one, many) + ": " + list_of(remarks);
  };
  tell(tested.left_behind, "process is left behind, waiting", "processes are left behind, waiting");
  tell(tested.handled_ends, "abnormal end was handled", "abnormal ends were handled");
  return text;
}

std::string describe_bug(const NamedBug& found, const Recording& recording, std::size_t number,
                         const std::string& ticket, const ToldSteps& told) {
  std::string text = paint(fmt::format("Bug {}: {}", number, headline(found.bug)), Ink::kRed, told.colour);
  text += fmt::format(" ({}, {})\n", needs_of(found, recording), counted(found.schedule.size(), "event"));
  text += describe(found.bug, recording, told);
  std::vector<std::string> variables;
  for (const NamedVariable& variable : found.variables) variables.push_back(variable.name);
  if (!variables.empty()) text += fmt::format("  preempted at accesses to {}\n", fmt::join(variables, ", "));
  text += story_and_output(recording, told);
  if (!ticket.empty()) text += fmt::format("\n  Replay it with: ravel replay {}\n", ticket);
  return text;
}

std::string describe_replay(const Replay& replay, const Bug& expected, const ToldSteps& told) {
  std::string text;
  const Recording& recording = replay.recording;
  switch (replay.outcome) {
    case ReplayOutcome::kSameBug: {
      text += paint("The bug still happens: " + headline(expected), Ink::kRed, told.colour) + "\n";
      const std::string before = place(expected.file, expected.line);
      if (place(recording.bug->file, recording.bug->line) != before) {
        text += fmt::format("  (the ticket has it at {})\n", before.empty() ? "no known place" : before);
      }
      break;
    }
    case ReplayOutcome::kAnotherBug:
      text += paint(fmt::format("Another bug happens: {}, where the ticket has: {}", headline(*recording.bug),
                                headline(expected)),
                    Ink::kRed, told.colour) +
              "\n";
      break;
    case ReplayOutcome::kNoBug:
      text +=
          paint(replay.left_open == LeftOpen::kNo ? "The bug does not happen: this execution ends well."
                : replay.left_open == LeftOpen::kWithoutLoop
                    ? "The bug does not happen: this execution does not come back to where it could go round."
                    : "The bug does not happen: this execution goes on without it.",
                Ink::kGreen, told.colour) +
          "\n";
      break;
    case ReplayOutcome::kUnsupported: text += describe_refusal(*recording.refusal); break;
  }
  if (recording.bug) text += describe(*recording.bug, recording, told);
  if (replay.operation_changed) {
    text += fmt::format("  The program has changed: at step {}, {}.\n", replay.operation_changed->step,
                        replay.operation_changed->what);
  }
  if (replay.divergence) {
    text += fmt::format(
        "  The schedule could be followed up to step {}: then {}.{}\n", replay.divergence->step - 1,
        replay.divergence->what,
        replay.left_open == LeftOpen::kWithoutLoop ? "" : " From there on no actor was preempted.");
    if (replay.outcome == ReplayOutcome::kNoBug) {
      text += "  So this says nothing about other schedules; run 'ravel check' again.\n";
    }
  }
  return text + story_and_output(recording, told);
}

std::string describe_execution(const Recording& recording, const ToldSteps& told) {
  std::string text;
  if (recording.bug) {
    text += paint("It ends with a bug: " + headline(*recording.bug), Ink::kRed, told.colour) + "\n";
    text += describe(*recording.bug, recording, told);
  } else if (!recording.refusal) {
    text += paint("It ends well.", Ink::kGreen, told.colour) + "\n";
  }
  return text + story_and_output(recording, told);
}

std::string describe_refusal(const Refusal& refusal) {
  const std::string where = place(refusal.file, refusal.line);
  return fmt::format("ravel: {}{}{}\n", where, where.empty() ? "" : ": ", refusal.message);
}

}  // namespace ravel
