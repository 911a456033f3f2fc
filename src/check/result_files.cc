#include "check/result_files.h"

#include <filesystem>
#include <utility>
#include <vector>

#include "engine/ticket.h"
#include "host/files.h"
#include "report/dot_results.h"
#include "report/json_results.h"
#include "report/junit_results.h"
#include "report/sarif_results.h"

namespace ravel {

namespace {

// The steps of the bugs that have tickets, as these tell them.
BugSchedules schedules_of(const TestReport& tested) {
  BugSchedules schedules;
  for (const std::string& file : tested.tickets) {
    std::vector<NotedStep>& steps = schedules.emplace_back();
    if (file.empty()) continue;
    const auto text = read_text_file(file);
    if (!text) continue;
    if (auto ticket = parse_ticket(*text, file)) steps = std::move(ticket->schedule);
  }
  return schedules;
}

std::string sarif_text(const CheckReport& report) {
  std::vector<BugSchedules> schedules;
  for (const TestReport& tested : report.tests) schedules.push_back(schedules_of(tested));
  std::error_code error;
  return sarif_results(report, schedules, std::filesystem::current_path(error).string());
}

}  // namespace

Status write_result_files(const CheckOptions& options, const CheckReport& report) {
  if (!options.json_file.empty())
    if (Status written = write_text_file(options.json_file, json_results(report)); !written) return written;
  if (!options.junit_file.empty())
    if (Status written = write_text_file(options.junit_file, junit_results(report)); !written) return written;
  if (!options.sarif_file.empty())
    if (Status written = write_text_file(options.sarif_file, sarif_text(report)); !written) return written;
  if (!options.graph_file.empty())
    if (Status written = write_text_file(options.graph_file, dot_results(report)); !written) return written;
  return Success{};
}

}  // namespace ravel
