#include "report/check_text.h"

#include <fmt/format.h>

#include "report/assumptions.h"
#include "report/race_text.h"
#include "report/summary.h"
#include "report/test_table.h"

namespace ravel {

namespace {

// A bug whose story is not told is named by its title and ticket.
std::string describe_bugs(const TestReport& report, const CheckTextOptions& options) {
  std::string text;
  const std::vector<NamedBug>& bugs = report.result.bugs;
  for (std::size_t i = 0; i < bugs.size(); ++i) {
    const std::string& ticket = report.tickets[i];
    if (i >= kStoriesMax || i >= report.recordings.size()) {
      text +=
          fmt::format("Bug {}: {}{}{}\n", i + 1, bugs[i].bug.message, ticket.empty() ? "" : ", see ", ticket);
      if (i + 1 == bugs.size()) text += "\n";
      continue;
    }
    const Recording& recording = report.recordings[i];
    const std::string& story = i < report.stories.size() ? report.stories[i] : std::string();
    text += describe_bug(bugs[i], recording, i + 1, ticket, {.text = story, .colour = options.colour});
    if (i < report.explanations.size() && report.explanations[i])
      text += describe_explanation(*report.explanations[i], options.colour);
    text += "\n";
  }
  return text;
}

std::string describe_shard(const ShardReport& shard, std::size_t chosen) {
  std::string what = " of the executions";
  if (shard.tests)
    what =
        fmt::format(": {} of the {}", chosen == 0 ? "none" : grouped(chosen), counted(*shard.tests, "test"));
  return fmt::format("Shard {} of {}{}.\n", shard.number, shard.count, what);
}

}  // namespace

std::string describe_test(const TestReport& report, const CheckTextOptions& options) {
  const SearchResult& result = report.result;
  std::string text;
  if (options.is_one_of_several) {
    if (result.bugs.empty() && !result.refusal && report.warnings.empty() && !report.program_coverage)
      return text;
    text = paint(report.test, Ink::kBold, options.colour) +
           (report.title.empty() ? "" : "  " + report.title) + "\n\n";
  }
  text += describe_bugs(report, options) + summarize(result) + describe_remarks(report) +
          describe_unreceived(result, report.orphan, options.colour);
  // Of executions that are drawn there may always be others.
  const Coverage& coverage = result.counts.coverage;
  const bool is_complete = coverage.is_complete && coverage.unit != CoverageUnit::kExecutions;
  if (report.program_coverage) text += describe(*report.program_coverage, is_complete);
  for (const std::string& warning : report.warnings)
    text += paint("Warning: " + warning + ".", Ink::kYellow, options.colour) + "\n";
  return options.is_one_of_several ? text + "\n" : text;
}

std::string describe_test_briefly(const TestReport& report) {
  std::string text;
  for (std::size_t i = 0; i < report.result.bugs.size(); ++i) {
    const Bug& bug = report.result.bugs[i].bug;
    const std::string where = place(bug.file, bug.line);
    text += fmt::format("{}: {}{}{}{}{}\n", report.test, bug.message, where.empty() ? "" : " at ", where,
                        report.tickets[i].empty() ? "" : "; ticket ", report.tickets[i]);
  }
  return text;
}

std::string describe_check(const CheckReport& report, Colour colour) {
  std::string text;
  if (report.prefix_events)
    text += fmt::format("Every execution contains the {} of the trace.\n",
                        counted(*report.prefix_events, "event"));
  text += report.assumptions;
  if (report.shard) text += describe_shard(*report.shard, report.chosen);
  if (report.tests.empty()) return text;
  if (!report.is_suite()) {
    const TestReport& only = report.tests.front();
    return only.skipped.empty() ? text : text + fmt::format("{} is skipped: {}\n", only.test, only.skipped);
  }
  text += describe_tests(report.tests, colour);
  for (const TestReport& test : report.tests) {
    const bool was_told = !test.skipped.empty() || !test.result.bugs.empty() || test.result.refusal;
    const std::string warning = was_told ? "" : describe_unreceived(test.result, test.orphan, colour);
    if (!warning.empty()) text += test.test + ": " + warning;
  }
  text += describe_assumptions(assumed_by(report.tests));
  const std::size_t left = report.chosen - report.tests.size();
  return left == 0 ? text : text + fmt::format("Interrupted: {} not run.\n", counted(left, "more test"));
}

}  // namespace ravel
