#include "report/sarif_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/check.h"
#include "base/hash.h"
#include "base/version.h"
#include "report/text.h"
#include "report/verdict.h"

namespace ravel {

namespace {

using Json = nlohmann::ordered_json;

// A longer schedule is left to the ticket: readers of SARIF load all of it.
constexpr std::size_t kFlowStepsMax = 2'000;

// "no_progress" as "no progress".
std::string spaced(std::string text) {
  std::ranges::replace(text, '_', ' ');
  return text;
}

// A path in an URI: what is no letter, digit or one of these is written by its bytes.
std::string uri_of(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::string_view("/-._~+@").find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

class Document {
 public:
  explicit Document(std::string_view folder) : folder_(folder) {
    if (!folder_.empty() && folder_.back() != '/') folder_ += '/';
  }

  void add(const TestReport& tested, const BugSchedules& schedules) {
    const SearchResult& result = tested.result;
    for (std::size_t i = 0; i < result.bugs.size(); ++i) {
      Json& json = results_.emplace_back(bug(tested, result.bugs[i].bug));
      if (i < tested.tickets.size() && !tested.tickets[i].empty())
        json["properties"]["replay"] = "ravel replay " + tested.tickets[i];
      if (i < tested.explanations.size() && tested.explanations[i]) add_change(json, *tested.explanations[i]);
      if (i < schedules.size()) add_flow(json, schedules[i]);
    }
    if (result.refusal) {
      const Refusal& refusal = *result.refusal;
      Json& json = notify("error", tested.test + ": " + refusal.message);
      if (!refusal.file.empty()) json["locations"] = {location(refusal.file, refusal.line)};
    } else if (verdict_of(tested) == Verdict::kIncomplete) {
      notify("warning", tested.test + ": the search ended before it was complete, without a bug.");
    }
  }
  void add_error(std::string_view message) {
    notify("error", message);
    is_successful_ = false;
  }

  std::string print() const {
    Json rules = Json::array();
    for (const std::string& kind : rules_)
      rules.push_back({{"id", kind}, {"shortDescription", {{"text", spaced(kind)}}}});
    Json run = {
        {"tool",
         {{"driver", {{"name", "ravel"}, {"semanticVersion", kVersion}, {"rules", std::move(rules)}}}}},
        {"invocations", {{{"executionSuccessful", is_successful_}}}},
        {"results", results_}};
    if (!notifications_.empty()) run["invocations"][0]["toolExecutionNotifications"] = notifications_;
    if (!folder_.empty()) run["originalUriBaseIds"] = {{"%SRCROOT%", {{"uri", "file://" + uri_of(folder_)}}}};
    const Json json = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                       {"version", "2.1.0"},
                       {"runs", {std::move(run)}}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  Json artifact(std::string_view file) const {
    if (!folder_.empty() && file.starts_with(folder_)) file.remove_prefix(folder_.size());
    if (file.starts_with('/')) return {{"uri", "file://" + uri_of(file)}};
    return {{"uri", uri_of(file)}, {"uriBaseId", "%SRCROOT%"}};
  }

  Json location(std::string_view file, std::uint32_t line) const {
    Json json = {{"physicalLocation", {{"artifactLocation", artifact(file)}}}};
    if (line > 0) json["physicalLocation"]["region"] = {{"startLine", line}};
    return json;
  }

  Json bug(const TestReport& tested, const Bug& bug) {
    rules_.insert(bug.kind);
    std::string text = fmt::format("{} ({}, in the test {})", bug.message, spaced(bug.kind), tested.test);
    for (const std::string& line : bug.details) text += "\n" + line;
    Json json = {
        {"ruleId", bug.kind},
        {"level", "error"},
        {"message", {{"text", std::move(text)}}},
        {"locations", Json::array()},
        {"partialFingerprints",
         {{"ravelBug/v1", fmt::format("{:016x}", hash_string(tested.test, hash_string(bug.key())))}}},
        {"properties", {{"test", tested.test}}}};
    if (bug.file.empty()) {
      json["locations"].push_back(
          {{"logicalLocations", {{{"fullyQualifiedName", tested.test}, {"kind", "function"}}}}});
    } else {
      json["locations"].push_back(location(bug.file, bug.line));
      json["locations"][0]["logicalLocations"] = {
          {{"fullyQualifiedName", tested.test}, {"kind", "function"}}};
    }
    return json;
  }

  // What makes the difference, as places that belong to the bug.
  void add_change(Json& json, const Explanation& explanation) const {
    for (const RaceDescription& race : explanation.changes) {
      for (const EventDescription* event : {&race.did, &race.other_did}) {
        if (event->file.empty()) continue;
        Json place = location(event->file, event->line);
        place["message"] = {{"text", event->actor + " " + event->text + ": a race that decides about it"}};
        json["relatedLocations"].push_back(std::move(place));
      }
    }
  }

  void add_flow(Json& json, const std::vector<NotedStep>& schedule) const {
    if (schedule.empty() || schedule.size() > kFlowStepsMax) return;
    std::map<ActorName, Json> flows;
    std::size_t order = 0;
    for (const NotedStep& step : schedule) {
      ++order;
      Json place = step.file.empty() ? Json::object() : location(step.file, step.line);
      place["message"] = {{"text", step.operation}};
      flows.try_emplace(step.step.actor, Json::array())
          .first->second.push_back({{"location", std::move(place)}, {"executionOrder", order}});
    }
    Json threads = Json::array();
    for (auto& [actor, locations] : flows)
      threads.push_back({{"id", actor.to_string()}, {"locations", std::move(locations)}});
    json["codeFlows"] = {
        {{"message", {{"text", "the schedule that shows the bug"}}}, {"threadFlows", std::move(threads)}}};
  }

  Json& notify(std::string_view level, std::string_view message) {
    return notifications_.emplace_back(Json{{"level", level}, {"message", {{"text", message}}}});
  }

  std::string folder_;
  std::set<std::string> rules_;
  Json results_ = Json::array();
  Json notifications_ = Json::array();
  bool is_successful_ = true;
};

}  // namespace

std::string sarif_results(const CheckReport& report, std::span<const BugSchedules> schedules,
                          std::string_view folder) {
  CHECK(schedules.size() == report.tests.size());
  Document document(folder);
  for (std::size_t i = 0; i < schedules.size(); ++i) document.add(report.tests[i], schedules[i]);
  return document.print();
}

std::string sarif_error(std::string_view message) {
  Document document("");
  document.add_error(message);
  return document.print();
}

}  // namespace ravel
