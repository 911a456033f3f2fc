#include "report/html_index.h"

#include <fmt/format.h>

#include "base/check.h"
#include "base/version.h"
#include "report/junit_results.h"
#include "report/summary.h"
#include "report/text.h"
#include "report/verdict.h"

namespace ravel {

namespace {

constexpr const char kHead[] = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Ravel: the results of a check</title>
<style>
:root {
  color-scheme: light dark;
  --soft: light-dark(#596273, #a6afbe);
  --edge: light-dark(#d5d9e0, #343b47);
  --bad: light-dark(#b8123c, #ff7a93);
  --good: light-dark(#0b6b4a, #5fd3a4);
  --open: light-dark(#7a4a00, #f0c472);
  --link: light-dark(#0b57b0, #7fb6ff);
  --ground: light-dark(#fff, #14171c);
  --text: light-dark(#1b1f27, #e4e8ef);
}
body {
  margin: 24px auto;
  max-width: 1100px;
  padding: 0 20px;
  background: var(--ground);
  color: var(--text);
  font: 14px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
}
h1 { font-size: 20px; }
h2 { font-size: 13px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 6px 14px 6px 0; }
tr { border-bottom: 1px solid var(--edge); }
th { color: var(--soft); font-size: 12px; }
td { overflow-wrap: anywhere; }
.number { text-align: right; white-space: nowrap; }
.bug, .error { color: var(--bad); }
.pass { color: var(--good); }
.incomplete, .unsupported, .skipped { color: var(--open); }
.verdict { font-weight: 600; white-space: nowrap; }
.soft { color: var(--soft); }
a { color: var(--link); }
code { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 12.5px; }
pre { white-space: pre-wrap; color: var(--soft); }
</style>
</head>
<body>
)";

std::string bug_item(const NamedBug& found, const std::string& page, const std::string& ticket) {
  const Bug& bug = found.bug;
  const std::string title = xml_text(bug.kind + ": " + bug.message);
  std::string item =
      "<div>" + (page.empty() ? title : fmt::format("<a href=\"{}\">{}</a>", xml_text(page), title));
  const std::string where = place(bug.file, bug.line);
  if (!where.empty()) item += " <span class=\"soft\">at " + xml_text(where) + "</span>";
  if (!ticket.empty()) item += "<br><code>ravel replay " + xml_text(ticket) + "</code>";
  return item + "</div>\n";
}

std::string found_in(const TestReport& tested, const BugPages& pages) {
  const SearchResult& result = tested.result;
  std::string text;
  for (std::size_t i = 0; i < result.bugs.size(); ++i)
    text += bug_item(result.bugs[i], i < pages.size() ? pages[i] : "",
                     i < tested.tickets.size() ? tested.tickets[i] : "");
  if (result.refusal) text += "<div>" + xml_text(result.refusal->message) + "</div>\n";
  if (!tested.skipped.empty()) text += "<div>" + xml_text(tested.skipped) + "</div>\n";
  for (const std::string& warning : tested.warnings)
    text += "<div class=\"soft\">" + xml_text(warning) + "</div>\n";
  return text;
}

std::string row(const TestReport& tested, const BugPages& pages) {
  const std::string_view verdict = to_string(verdict_of(tested));
  const Counts& counts = tested.result.counts;
  const std::string searched =
      tested.skipped.empty() ? counted(unit_count(counts), execution_noun(tested.result)) : "";
  return fmt::format(
      "<tr><td>{}{}</td><td class=\"verdict {}\">{}</td><td>{}</td><td class=\"number\">{}</td>"
      "<td class=\"number\">{}</td></tr>\n",
      xml_text(tested.test),
      tested.title.empty() ? "" : "<br><span class=\"soft\">" + xml_text(tested.title) + "</span>", verdict,
      verdict, found_in(tested, pages), xml_text(searched), duration(counts.seconds));
}

}  // namespace

std::string html_index(const CheckReport& report, std::span<const BugPages> pages) {
  CHECK(pages.size() == report.tests.size());
  std::vector<Verdict> verdicts;
  for (const TestReport& tested : report.tests) verdicts.push_back(verdict_of(tested));
  std::string text = kHead;
  text += fmt::format("<h1>Ravel: <span class=\"{0}\">{0}</span></h1>\n", to_string(overall(verdicts)));
  if (report.tests.size() < report.chosen)
    text += fmt::format("<p>{} of {} tests were run.</p>\n", report.tests.size(), report.chosen);
  text +=
      "<table>\n<thead><tr><th scope=\"col\">test</th><th scope=\"col\">verdict</th>"
      "<th scope=\"col\">what was found</th><th scope=\"col\" class=\"number\">searched</th>"
      "<th scope=\"col\" class=\"number\">time</th></tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < pages.size(); ++i) text += row(report.tests[i], pages[i]);
  text += "</tbody>\n</table>\n";
  if (!report.assumptions.empty())
    text += "<h2 class=\"soft\">What every verdict depends on</h2>\n<pre>" + xml_text(report.assumptions) +
            "</pre>\n";
  return text + fmt::format("<p class=\"soft\">Made by Ravel {}.</p>\n</body>\n</html>\n", kVersion);
}

}  // namespace ravel
