#include "report/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "report/assumptions.h"
#include "report/text.h"

namespace ravel {

namespace {

std::string preemptions(std::uint64_t number) { return counted(number, "preemption"); }

bool is_bounded(const Coverage& coverage) {
  switch (coverage.kind) {
    case Coverage::Kind::kPreemptionBound: case Coverage::Kind::kPreemptionBoundTraces: case Coverage::Kind::kDelayBound:
      return true;
    case Coverage::Kind::kAllSchedules: case Coverage::Kind::kAllTraces: case Coverage::Kind::kMessageTraces:
    case Coverage::Kind::kVariableBound: case Coverage::Kind::kSample:
      break;
  }
  return false;
}

// "2 preemptions": the bound up to which everything was tried.
std::string bound_completed(const Coverage& coverage) {
  std::string text = counted(coverage.bound_completed.value_or(0), coverage.kind == Coverage::Kind::kDelayBound ? "delay" : "preemption");
  if (coverage.early_completed) text += fmt::format(" and {}", counted(*coverage.early_completed, "early timeout"));
  return text;
}

// " with at most 1 early timeout", of all schedules or traces; empty if that was not asked for.
std::string early_completed(const Coverage& coverage) {
  return coverage.early_completed ? fmt::format(" with at most {}", counted(*coverage.early_completed, "early timeout")) : "";
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
    case Stop::kTooLong: return "The search stopped, since executions come to the bound on events again and again";
    case Stop::kComplete: break;
  }
  return "The search is complete";
}

// What a search that was stopped has covered, after "the 120 schedules tried".
std::string partly_covered(const Coverage& coverage) {
  if (const auto& stage = coverage.stage_completed) {
    std::string variables = counted(stage->variables, "variable");
    if (stage->variables > 0) variables += fmt::format(" of iterations up to {}", stage->iterations);
    return fmt::format("; it got through {} at {} in orders of {}", preemptions(stage->changes), variables,
                       counted(stage->threads, "thread"));
  }
  if ((!is_bounded(coverage) || !coverage.bound_completed) && coverage.early_completed)
    return fmt::format("; among them are all{}", early_completed(coverage));
  if (!is_bounded(coverage) || !coverage.bound_completed) return "; others were not tried";
  return fmt::format("; among them are all with at most {}", bound_completed(coverage));
}

std::string complete_without_bug(const Exploration& exploration) {
  const Counts& counts = exploration.counts;
  switch (counts.coverage.kind) {
    case Coverage::Kind::kAllSchedules:
      if (counts.executions == 1) return fmt::format("No bug in the only schedule{}.", early_completed(counts.coverage));
      return fmt::format("No bug in any of the {} schedules{}.", grouped(counts.executions), early_completed(counts.coverage));
    case Coverage::Kind::kAllTraces:
      if (counts.executions == 1) return fmt::format("No bug in the only trace{}.", early_completed(counts.coverage));
      return fmt::format("No bug in any of the {} traces{}.", grouped(counts.executions), early_completed(counts.coverage));
    case Coverage::Kind::kMessageTraces:
      return fmt::format("No bug in {} that message races lead to; {}.", counted(counts.executions, "trace"), kOtherRaces);
    case Coverage::Kind::kPreemptionBound: case Coverage::Kind::kPreemptionBoundTraces: case Coverage::Kind::kDelayBound:
      return fmt::format("No bug with at most {}; {}.", bound_completed(counts.coverage),
                         counted(counts.executions, execution_noun(exploration)));
    case Coverage::Kind::kVariableBound:
      return fmt::format("No bug in any schedule of the {}; {}.", exploration.strategy, counted(counts.executions, "schedule"));
    case Coverage::Kind::kSample: break;
  }
  return fmt::format("No bug in {} of the {}; other schedules were not tried.",
                     counted(counts.executions, "execution"), exploration.strategy);
}

std::string complete_with_bugs(const Exploration& exploration, const std::string& bugs) {
  const Counts& counts = exploration.counts;
  switch (counts.coverage.kind) {
    case Coverage::Kind::kAllSchedules:
      if (counts.executions == 1) return fmt::format("{} in the only schedule{}.", bugs, early_completed(counts.coverage));
      return fmt::format("{} in the {} schedules, which are all there are{}.", bugs, grouped(counts.executions),
                         early_completed(counts.coverage));
    case Coverage::Kind::kAllTraces:
      if (counts.executions == 1) return fmt::format("{} in the only trace{}.", bugs, early_completed(counts.coverage));
      return fmt::format("{} in the {} traces, which are all there are{}.", bugs, grouped(counts.executions),
                         early_completed(counts.coverage));
    case Coverage::Kind::kMessageTraces:
      return fmt::format("{} in {} that message races lead to; {}.", bugs, counted(counts.executions, "trace"), kOtherRaces);
    case Coverage::Kind::kPreemptionBound: case Coverage::Kind::kPreemptionBoundTraces: case Coverage::Kind::kDelayBound:
      return fmt::format("{} with at most {}; {}.", bugs, bound_completed(counts.coverage),
                         counted(counts.executions, execution_noun(exploration)));
    case Coverage::Kind::kVariableBound: case Coverage::Kind::kSample: break;
  }
  return fmt::format("{} in {} of the {}.", bugs, counted(counts.executions, "execution"),
                     exploration.strategy);
}

std::string first_sentence(const Exploration& exploration) {
  const Counts& counts = exploration.counts;
  const bool found = !exploration.bugs.empty();
  const std::string bugs = counted(exploration.bugs.size(), "distinct bug");
  if (exploration.stop == Stop::kComplete) {
    if (found) return complete_with_bugs(exploration, bugs);
    if (counts.unfinished == 0) return complete_without_bug(exploration);
    const std::string noun(execution_noun(exploration));
    return fmt::format("The search is not complete: no bug, but {} of {} {} not seen to the end.", grouped(counts.unfinished),
                       counted(counts.executions, noun), counts.unfinished == 1 ? "was" : "were");
  }
  std::string text = why_stopped(exploration.stop);
  if (exploration.stop == Stop::kFirstBug) {
    text += fmt::format(", in {} {}", execution_noun(exploration), grouped(exploration.bugs.front().first_execution));
    const Coverage& coverage = counts.coverage;
    if (is_bounded(coverage) && coverage.bound_completed) {
      const char* const unit = coverage.kind == Coverage::Kind::kDelayBound ? "delay" : "preemption";
      text += "; there is none " + (*coverage.bound_completed == 0 ? fmt::format("without a {}", unit)
                                                                   : "with at most " + bound_completed(coverage));
    } else if (coverage.early_completed) {
      text += *coverage.early_completed == 0 ? "; there is none without an early timeout" : "; there is none" + early_completed(coverage);
    }
    return text + ".";
  }
  if (counts.executions == 0) return text + " before an execution was complete.";
  if (counts.executions == 1) {
    return text + fmt::format(": {} in the only {} tried{}.", found ? bugs : "no bug", execution_noun(exploration),
                              partly_covered(counts.coverage));
  }
  return text + fmt::format(": {} in the {} tried{}.", found ? bugs : "no bug",
                            counted(counts.executions, execution_noun(exploration)), partly_covered(counts.coverage));
}

// What to do about executions that were cut off.
std::string describe_unfinished(const Counts& counts) {
  std::string text;
  if (counts.unfair > 0)
    text += fmt::format("\n{} round without an end, because a process looks again and again at what others would change if it waited: "
                        "let it receive or sleep between two looks, or try --strategy random.",
                        counted(counts.unfair, "execution goes", "executions go"));
  if (counts.unfinished > counts.unfair)
    text += fmt::format("\n{} come to the end within {}: if it has one, a larger bound (--events) shows it; else let what runs for ever, such "
                        "as a timer, end with the test.",
                        counted(counts.unfinished - counts.unfair, "execution did not", "executions did not"), counted(counts.events_max, "event"));
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
std::string describe(const Bug& bug, const Recording& recording, const StoryOptions& options) {
  std::string text = indented(bug.message, "  ");
  const std::string where = place(bug.file, bug.line);
  const bool is_said = !where.empty() && bug.message.find(where) != std::string::npos;
  if (!is_said && (!where.empty() || !bug.actor.empty())) {
    text += "  ";
    if (!where.empty()) text += "at " + where;
    if (!where.empty() && !bug.actor.empty()) text += ", ";
    if (!bug.actor.empty()) text += "in " + bug.actor;
    if (const std::string source = source_of(bug, recording); !where.empty() && !source.empty())
      text += ":  " + paint(source, Ink::kBold, options.colour);
    text += "\n";
  }
  for (const std::string& line : bug.details) text += indented(line, "    ");
  return text;
}

std::string story_and_output(const Recording& recording, const StoryOptions& options) {
  std::string text = "\n" + tell_story(recording, options);
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

std::string_view execution_noun(const Exploration& exploration) {
  switch (exploration.counts.coverage.kind) {
    case Coverage::Kind::kAllTraces: case Coverage::Kind::kMessageTraces: case Coverage::Kind::kPreemptionBoundTraces:
      return "trace";
    case Coverage::Kind::kSample: return "execution";
    case Coverage::Kind::kAllSchedules: case Coverage::Kind::kPreemptionBound: case Coverage::Kind::kDelayBound:
    case Coverage::Kind::kVariableBound: break;
  }
  return "schedule";
}

std::string summarize(const Exploration& exploration) {
  const Counts& counts = exploration.counts;
  std::string text = first_sentence(exploration) + "\n";
  if (!exploration.promise.empty()) text += "If no execution is larger than these, " + exploration.promise + ".\n";
  text += fmt::format("{}, {} (at most {} in one), {}", counted(counts.executions, "execution"),
                      counted(counts.events, "event"), grouped(counts.events_max), duration(counts.seconds));
  if (counts.redundant > 0) text += fmt::format("; {} repeated", counted(counts.redundant, "more execution"));
  if (counts.abandoned > 0)
    text += fmt::format("; {} given up early", counted(counts.abandoned, "more execution"));
  if (counts.in_turns > 0) text += fmt::format("; {} by another strategy, in turns", counted(counts.in_turns, "more execution"));
  if (counts.cut_off > 0)
    text += fmt::format("; {} cut off after {}", counted(counts.cut_off, "execution"), counted(counts.events_max, "event"));
  text += describe_unfinished(counts);
  text += "\n";
  return exploration.bugs.empty() ? text + describe_assumptions(exploration.assumed) : text;
}

namespace {

// "needs 1 early timeout, 1 preemption": what few systems do comes first.
std::string needs_of(const FoundBug& found, const Recording& recording) {
  std::vector<std::string> rare;
  const RareEventCounts counts = count_rare_events(recording);
  if (counts.early_timeouts > 0) rare.push_back(counted(counts.early_timeouts, "early timeout"));
  if (counts.overtaking_messages > 0) rare.push_back(counted(counts.overtaking_messages, "overtaking message"));
  if (counts.spurious_wake_ups > 0) rare.push_back(counted(counts.spurious_wake_ups, "spurious wake-up"));
  return (rare.empty() ? "" : fmt::format("needs {}, ", fmt::join(rare, ", "))) + preemptions(found.preemptions);
}

// Kinds beyond these are in the results for machines only.
constexpr std::size_t kRemarksTold = 5;

std::string list_of(const Remarks& remarks) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kRemarksTold, remarks.kinds.size()); ++i) {
    const std::string where = place(remarks.kinds[i].file, remarks.kinds[i].line);
    text += (i == 0 ? "" : "; ") + remarks.kinds[i].text + (where.empty() ? "" : " (" + where + ")");
  }
  if (remarks.kinds.size() > kRemarksTold) text += fmt::format("; and {} more", remarks.kinds.size() - kRemarksTold);
  return text + ".\n";
}

}  // namespace

std::string describe_remarks(const Tested& tested) {
  std::string text;
  const auto tell = [&](const Remarks& remarks, const char* one, const char* many) {
    if (!remarks.kinds.empty()) text += counted(remarks.most, one, many) + ": " + list_of(remarks);
  };
  tell(tested.left_behind, "process is left behind, waiting", "processes are left behind, waiting");
  tell(tested.handled_ends, "abnormal end was handled", "abnormal ends were handled");
  return text;
}

std::string describe_bug(const FoundBug& found, const Recording& recording, std::size_t number,
                         const std::string& ticket, const StoryOptions& options) {
  std::string text = paint(fmt::format("Bug {}: {}", number, headline(found.bug)), Ink::kRed, options.colour);
  text += fmt::format(" ({}, {})\n", needs_of(found, recording), counted(found.schedule.size(), "event"));
  text += describe(found.bug, recording, options);
  std::vector<std::string> variables;
  for (const NamedVariable& variable : found.variables) variables.push_back(variable.name);
  if (!variables.empty()) text += fmt::format("  preempted at accesses to {}\n", fmt::join(variables, ", "));
  text += story_and_output(recording, options);
  if (!ticket.empty()) text += fmt::format("\n  Replay it with: ravel replay {}\n", ticket);
  return text;
}

std::string describe_replay(const Replay& replay, const Bug& expected, const StoryOptions& options) {
  std::string text;
  const Recording& recording = replay.recording;
  switch (replay.outcome) {
    case ReplayOutcome::kSameBug: {
      text += paint("The bug still happens: " + headline(expected), Ink::kRed, options.colour) + "\n";
      const std::string before = place(expected.file, expected.line);
      if (place(recording.bug->file, recording.bug->line) != before) {
        text += fmt::format("  (the ticket has it at {})\n", before.empty() ? "no known place" : before);
      }
      break;
    }
    case ReplayOutcome::kAnotherBug:
      text += paint(fmt::format("Another bug happens: {}, where the ticket has: {}", headline(*recording.bug),
                                headline(expected)),
                    Ink::kRed, options.colour) +
              "\n";
      break;
    case ReplayOutcome::kNoBug:
      text += paint("The bug does not happen: this execution ends well.", Ink::kGreen, options.colour) + "\n";
      break;
    case ReplayOutcome::kUnsupported: text += describe_refusal(*recording.refusal); break;
  }
  if (recording.bug) text += describe(*recording.bug, recording, options);
  if (replay.operation_changed) {
    text += fmt::format("  The program has changed: at step {}, {}.\n", replay.operation_changed->step,
                        replay.operation_changed->what);
  }
  if (replay.divergence) {
    text += fmt::format(
        "  The schedule could be followed up to step {}: then {}. From there on no actor was preempted.\n",
        replay.divergence->step - 1, replay.divergence->what);
    if (replay.outcome == ReplayOutcome::kNoBug) {
      text += "  So this says nothing about other schedules; run 'ravel check' again.\n";
    }
  }
  return text + story_and_output(recording, options);
}

std::string describe_execution(const Recording& recording, const StoryOptions& options) {
  std::string text;
  if (recording.bug) {
    text += paint("It ends with a bug: " + headline(*recording.bug), Ink::kRed, options.colour) + "\n";
    text += describe(*recording.bug, recording, options);
  } else if (!recording.refusal) {
    text += paint("It ends well.", Ink::kGreen, options.colour) + "\n";
  }
  return text + story_and_output(recording, options);
}

std::string describe_refusal(const Refusal& refusal) {
  const std::string where = place(refusal.file, refusal.line);
  return fmt::format("ravel: {}{}{}\n", where, where.empty() ? "" : ": ", refusal.message);
}

}  // namespace ravel
