#include "report/json_results.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/check.h"
#include "engine/race.h"
#include "report/assumptions.h"
#include "report/coverage_text.h"
#include "report/verdict.h"

namespace ravel {

namespace {

using Json = nlohmann::ordered_json;

std::string print(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

const char* to_string(Stop stop) {
  switch (stop) {
    case Stop::kComplete: return "complete";
    case Stop::kFirstBug: return "first_bug";
    case Stop::kUnsupported: return "unsupported";
    case Stop::kTimeBudget: return "time_budget";
    case Stop::kExecutionBudget: return "execution_budget";
    case Stop::kMemoryBudget: return "memory_budget";
    case Stop::kInterrupted: return "interrupted";
    case Stop::kTooLong: return "too_long";
  }
  return "";
}

// One event of a change: who does what, and where.
Json to_json(const EventRef& ref, const EventDescription& event) {
  return {{"name", ref.to_string()},
          {"actor", ref.actor.to_string()},
          {"operation", event.text},
          {"file", event.file},
          {"line", event.line}};
}

const char* to_string(RaceKind kind) {
  switch (kind) {
    case RaceKind::kMessage: return "message";
    case RaceKind::kExpiry: return "expiry";
    case RaceKind::kOrder: return "order";
    case RaceKind::kChoice: return "choice";
  }
  return "";
}

Json to_json(const Explanation& explanation) {
  Json json = {{"passes", !explanation.changes.empty()},
               {"executions_tried", explanation.tried},
               {"complete", explanation.is_complete},
               {"changes", Json::array()}};
  for (const RaceDescription& race : explanation.changes) {
    Json& change = json["changes"].emplace_back(
        Json{{"kind", to_string(race.kind)}, {"event", to_json(race.event, race.did)}});
    if (race.kind != RaceKind::kExpiry) change["other"] = to_json(race.other, race.other_did);
    if (race.kind == RaceKind::kMessage)
      change["message"] = {{"name", race.message.to_string()}, {"value", race.value}};
    if (race.kind == RaceKind::kMessage || race.kind == RaceKind::kExpiry)
      change["constraint"] = race.did.constraint;
    change["events_in_common"] = race.kept;
  }
  return json;
}

Json to_json(const NamedVariable& variable) {
  Json json = {{"name", variable.name}};
  if (!variable.file.empty())
    json.update({{"file", variable.file}, {"line", variable.line}, {"number", variable.number}});
  return json;
}

Json to_json(const Remarks& remarks) {
  Json json = {{"most", remarks.most}, {"kinds", Json::array()}};
  for (const Remark& remark : remarks.kinds)
    json["kinds"].push_back({{"text", remark.text}, {"file", remark.file}, {"line", remark.line}});
  return json;
}

std::string plural(std::string_view noun) { return noun == "stratum" ? "strata" : std::string(noun) + "s"; }

Json to_json(const Coverage& coverage) {
  Json json = {{"unit", plural(noun_of(coverage.unit))},
               {"complete", coverage.is_complete},
               {"bounds", Json::array()}};
  for (const Bound& bound : coverage.bounds) {
    json["bounds"].push_back(
        {{"on", plural(noun_of(bound.on))}, {"completed", nullptr}, {"exhausted", bound.is_exhausted}});
    if (bound.completed) json["bounds"].back()["completed"] = *bound.completed;
  }
  return json;
}

// Adds the facts of one search to an object.
void add_results(Json& json, const SearchResult& result, std::span<const std::string> tickets,
                 std::span<const std::optional<Explanation>> explanations = {},
                 std::span<const RareEventCounts> rare_events = {}) {
  CHECK(tickets.size() == result.bugs.size());
  const Counts& counts = result.counts;
  json.update({{"verdict", to_string(verdict_of(result))},
               {"stop", to_string(result.stop)},
               {"strategy", result.strategy},
               {"executions", counts.executions},
               {"erroneous_executions", counts.erroneous},
               {"events", counts.events},
               {"events_max", counts.events_max},
               {"bound_completed", nullptr},
               {"executions_estimate", nullptr},
               {"seconds", std::round(counts.seconds * 1e6) / 1e6},
               {"redundant", counts.redundant},
               {"abandoned", counts.abandoned},
               {"in_turns", counts.in_turns},
               {"cut_off", counts.cut_off},
               {"unfinished", counts.unfinished},
               {"unfair", counts.unfair},
               {"refusal", nullptr},
               {"orphans", nullptr},
               {"assumptions", Json::array()},
               {"bugs", Json::array()}});
  if (!result.promise.empty()) json["promise"] = result.promise;
  if (counts.states) {
    json["states"] = counts.states->states;
    json["transitions"] = counts.states->transitions;
    json["depth"] = counts.states->depth;
    json["state_bytes"] = counts.states->bytes;
    if (counts.states->reduced > 0) json["reduced_states"] = counts.states->reduced;
    if (counts.states->replayed > 0) json["replayed_steps"] = counts.states->replayed;
  }
  if (counts.hashed)
    json["hashed"] = {{"hash_bits", counts.hashed->hash_bits},
                      {"filter_bits", counts.hashed->filter_bits},
                      {"expected_omitted", counts.hashed->omitted}};
  if (counts.hashed && !counts.hashed->abstraction.empty())
    json["hashed"]["abstraction"] = counts.hashed->abstraction;
  if (counts.executions_estimate) json["executions_estimate"] = std::round(*counts.executions_estimate);
  const Coverage& coverage = counts.coverage;
  json["coverage"] = to_json(coverage);
  if (const Bound* const bound = preemption_bound(coverage); bound != nullptr && bound->completed)
    json["bound_completed"] = *bound->completed;
  if (const auto early = coverage.completed(BoundOn::kEarlyTimeouts)) json["early_completed"] = *early;
  if (const auto faults = coverage.completed(BoundOn::kFaults)) json["faults_completed"] = *faults;
  if (const auto changes = coverage.completed(BoundOn::kPriorityChanges)) {
    json["stage_completed"] = {{"priority_changes", *changes},
                               {"variables", coverage.completed(BoundOn::kVariables).value_or(0)},
                               {"threads", coverage.completed(BoundOn::kThreads).value_or(0)},
                               {"iterations", coverage.completed(BoundOn::kIterations).value_or(0)}};
  }
  if (result.refusal) {
    json["refusal"] = {
        {"message", result.refusal->message}, {"file", result.refusal->file}, {"line", result.refusal->line}};
  }
  for (const AssumptionUse& use : uses_of(result.assumed))
    json["assumptions"].push_back({{"kind", name_of(use.assumption)},
                                   {"places", use.places},
                                   {"file", use.first.file},
                                   {"line", use.first.line},
                                   {"option", option_against(use.assumption)}});
  for (std::size_t i = 0; i < tickets.size(); ++i) {
    const NamedBug& found = result.bugs[i];
    json["bugs"].push_back({{"kind", found.bug.kind},
                            {"message", found.bug.message},
                            {"file", found.bug.file},
                            {"line", found.bug.line},
                            {"actor", found.bug.actor},
                            {"preemptions", found.preemptions},
                            {"early_timeouts", i < rare_events.size() ? rare_events[i].early_timeouts
                                                                      : count_early(found.schedule)},
                            {"events", found.schedule.size()},
                            {"executions", found.executions},
                            {"ticket", tickets[i]}});
    if (i < rare_events.size()) {
      json["bugs"].back()["overtaking_messages"] = rare_events[i].overtaking_messages;
      json["bugs"].back()["spurious_wake_ups"] = rare_events[i].spurious_wake_ups;
      json["bugs"].back()["kills"] = rare_events[i].kills;
      json["bugs"].back()["lost_messages"] = rare_events[i].lost_messages;
      json["bugs"].back()["duplicated_messages"] = rare_events[i].duplicated_messages;
    }
    if (const auto& lasso = found.lasso)
      json["bugs"].back()["lasso"] = {
          {"formula", lasso->formula}, {"fairness", lasso->fairness}, {"loop", lasso->loop}};
    json["bugs"].back()["explanation"] = nullptr;
    if (i < explanations.size() && explanations[i])
      json["bugs"].back()["explanation"] = to_json(*explanations[i]);
    if (found.bounds) {
      json["bugs"].back()["priority_changes"] = found.bounds->changes;
      json["bugs"].back()["variables"] = found.bounds->variables;
      json["bugs"].back()["threads"] = found.bounds->threads;
      json["bugs"].back()["iterations"] = found.bounds->iterations;
      json["bugs"].back()["preempted_at"] = Json::array();
      for (const NamedVariable& variable : found.variables)
        json["bugs"].back()["preempted_at"].push_back(to_json(variable));
    }
  }
}

Json to_json(const ShardReport& shard) {
  Json json = {{"number", shard.number}, {"count", shard.count}};
  if (shard.tests) json["tests"] = *shard.tests;
  return json;
}

void add_orphans(Json& json, const UnreceivedMessagesOf<NamedStep>& found, const OrphanDescription& first) {
  json["orphans"] = {{"messages", found.messages},
                     {"executions", found.executions},
                     {"complete", found.is_complete},
                     {"first",
                      {{"message", first.message.to_string()},
                       {"sender", first.message.sender.to_string()},
                       {"receiver", first.receiver.to_string()},
                       {"operation", first.sent.text},
                       {"file", first.sent.file},
                       {"line", first.sent.line}}}};
}

Json to_json(const ProgramCoverage& coverage) {
  Json all = Json::array();
  for (const ProgramPart& part : coverage) {
    Json& json = all.emplace_back(Json{{"kind", name_of(part.kind)}});
    if (!part.machine.empty()) json["machine"] = part.machine;
    if (!part.state.empty()) json["state"] = part.state;
    if (!part.event.empty()) json["event"] = part.event;
    json.update({{"file", part.file}, {"line", part.line}, {"covered", part.is_covered}});
  }
  return all;
}

}  // namespace

std::string json_results(const SearchResult& result, std::span<const std::string> tickets) {
  Json json = Json::object();
  add_results(json, result, tickets);
  return print(json);
}

std::string json_results(const CheckReport& report) {
  CHECK(!report.tests.empty() || report.shard);
  Json tests = Json::array();
  std::vector<Verdict> verdicts;
  for (const TestReport& one : report.tests) {
    Json& json = tests.emplace_back(Json{{"test", one.test}});
    if (!one.title.empty()) json["title"] = one.title;
    add_results(json, one.result, one.tickets, one.explanations, one.rare_events);
    if (!one.skipped.empty())
      json.update({{"verdict", to_string(verdict_of(one))}, {"skipped", one.skipped}});
    if (one.program_coverage) json["program_coverage"] = to_json(*one.program_coverage);
    if (!one.warnings.empty()) json["warnings"] = one.warnings;
    if (!one.left_behind.kinds.empty()) json["left_behind"] = to_json(one.left_behind);
    if (!one.handled_ends.kinds.empty()) json["handled_ends"] = to_json(one.handled_ends);
    if (one.result.unreceived && one.orphan) add_orphans(json, *one.result.unreceived, *one.orphan);
    verdicts.push_back(verdict_of(one));
  }
  const bool has_one = tests.size() == 1 && !(report.shard && report.shard->tests);
  Json all = has_one ? std::move(tests.front()) : Json{{"verdict", to_string(overall(verdicts))}};
  if (report.shard) all["shard"] = to_json(*report.shard);
  if (!has_one) all["tests"] = std::move(tests);
  return print(all);
}

std::string json_error(std::string_view message) {
  return print({{"verdict", "error"}, {"message", message}});
}

}  // namespace ravel
