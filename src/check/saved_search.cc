#include "check/saved_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/hash.h"
#include "base/version.h"
#include "check/find_steps.h"
#include "engine/race.h"

namespace ravel {

namespace {

using Json = nlohmann::json;

// A line that says what this is, a line with the hash of what follows, and that as CBOR.
constexpr std::string_view kTitle = "ravel search, version ";

Json to_json(const std::vector<NamedStep>& steps) {
  Json json = Json::array();
  for (const NamedStep& step : steps)
    json.push_back({step.actor.to_string(), step.alternative, static_cast<int>(step.kind)});
  return json;
}

// What is no such value is told like what is no such JSON.
template <class Value>
Value parsed(Result<Value> value) {
  if (!value) throw std::invalid_argument(value.error().message);
  return std::move(*value);
}

// REQUIRES: the enumerators are 0 to `last`.
template <class Enum>
Enum enum_of(const Json& json, Enum last) {
  const auto number = json.get<std::uint64_t>();
  if (number > static_cast<std::uint64_t>(last)) throw std::out_of_range("a number that stands for nothing");
  return static_cast<Enum>(number);
}

std::vector<NamedStep> steps_of(const Json& json) {
  std::vector<NamedStep> steps;
  for (const Json& step : json)
    steps.push_back({.actor = parsed(ActorName::parse(step.at(0).get<std::string>())),
                     .alternative = step.at(1),
                     .kind = enum_of(step.at(2), TransitionKind::kEarly)});
  return steps;
}

Json to_json(const Bug& bug) {
  return {{"kind", bug.kind}, {"message", bug.message}, {"file", bug.file}, {"line", bug.line}, {"actor", bug.actor}, {"details", bug.details}};
}

Bug bug_of(const Json& json) {
  return {.kind = json.at("kind"), .message = json.at("message"), .file = json.at("file"), .line = json.at("line"),
          .actor = json.at("actor"), .details = json.at("details")};
}

// What an address was is known no more when a search is resumed.
Json to_json(const BugBounds& bounds) { return {bounds.changes, bounds.variables, bounds.threads, bounds.iterations}; }

BugBounds bounds_of(const Json& json) {
  return {.changes = json.at(0), .variables = json.at(1), .threads = json.at(2), .iterations = json.at(3)};
}

Json to_json(const Counts& counts) {
  Json json = {{"executions", counts.executions}, {"redundant", counts.redundant}, {"abandoned", counts.abandoned}, {"in_turns", counts.in_turns},
               {"cut_off", counts.cut_off}, {"unfinished", counts.unfinished}, {"unfair", counts.unfair}, {"events", counts.events}, {"events_max", counts.events_max},
               {"bugs", counts.bugs}, {"erroneous", counts.erroneous}, {"seconds", counts.seconds},
               {"coverage", static_cast<int>(counts.coverage.kind)}};
  if (counts.coverage.bound_completed) json["bound_completed"] = *counts.coverage.bound_completed;
  if (counts.coverage.early_completed) json["early_completed"] = *counts.coverage.early_completed;
  if (counts.coverage.stage_completed) json["stage_completed"] = to_json(*counts.coverage.stage_completed);
  return json;
}

Counts counts_of(const Json& json) {
  Counts counts;
  counts.executions = json.at("executions");
  counts.redundant = json.at("redundant");
  counts.abandoned = json.at("abandoned");
  counts.in_turns = json.value("in_turns", counts.in_turns);
  counts.cut_off = json.at("cut_off");
  counts.unfinished = json.value("unfinished", counts.unfinished);
  counts.unfair = json.value("unfair", counts.unfair);
  counts.events = json.at("events");
  counts.events_max = json.at("events_max");
  counts.bugs = json.at("bugs");
  counts.erroneous = json.at("erroneous");
  counts.seconds = json.at("seconds");
  counts.coverage.kind = enum_of(json.at("coverage"), Coverage::Kind::kSample);
  if (json.contains("bound_completed")) counts.coverage.bound_completed = json.at("bound_completed");
  if (json.contains("early_completed")) counts.coverage.early_completed = json.at("early_completed");
  if (json.contains("stage_completed")) counts.coverage.stage_completed = bounds_of(json.at("stage_completed"));
  return counts;
}

Json to_json(const OrphanDescription& orphan) {
  return {{"message", orphan.message.to_string()}, {"value", orphan.value},
          {"receiver", orphan.receiver.to_string()}, {"text", orphan.sent.text}, {"actor", orphan.sent.actor},
          {"file", orphan.sent.file}, {"line", orphan.sent.line}, {"source", orphan.sent.source}};
}

OrphanDescription orphan_of(const Json& json) {
  OrphanDescription orphan;
  orphan.message = parsed(MessageName::parse(json.at("message").get<std::string>()));
  orphan.value = json.at("value");
  orphan.receiver = parsed(ActorName::parse(json.at("receiver").get<std::string>()));
  orphan.sent.text = json.at("text");
  orphan.sent.actor = json.at("actor");
  orphan.sent.file = json.at("file");
  orphan.sent.line = json.at("line");
  orphan.sent.source = json.at("source");
  return orphan;
}

Json to_json(const EventDescription& event) {
  return {{"text", event.text}, {"actor", event.actor}, {"file", event.file}, {"line", event.line}, {"source", event.source},
          {"constraint", event.constraint}};
}

EventDescription event_of(const Json& json) {
  EventDescription event;
  event.text = json.at("text");
  event.actor = json.at("actor");
  event.file = json.at("file");
  event.line = json.at("line");
  event.source = json.at("source");
  event.constraint = json.at("constraint");
  return event;
}

Json to_json(const std::optional<Explanation>& explanation) {
  if (!explanation) return nullptr;
  Json changes = Json::array();
  for (const RaceDescription& race : explanation->changes)
    changes.push_back({{"kind", static_cast<int>(race.kind)}, {"event", race.event.to_string()}, {"did", to_json(race.did)},
                       {"other", race.other.to_string()}, {"other_did", to_json(race.other_did)},
                       {"message", race.message.to_string()}, {"value", race.value}, {"kept", race.kept}});
  return {{"tried", explanation->tried}, {"is_complete", explanation->is_complete}, {"changes", std::move(changes)}};
}

std::optional<Explanation> explanation_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  Explanation explanation{.changes = {}, .tried = json.at("tried"), .is_complete = json.at("is_complete")};
  for (const Json& change : json.at("changes")) {
    RaceDescription& race = explanation.changes.emplace_back();
    race.kind = enum_of(change.at("kind"), RaceKind::kChoice);
    race.event = parsed(EventRef::parse(change.at("event").get<std::string>()));
    race.did = event_of(change.at("did"));
    race.other = parsed(EventRef::parse(change.at("other").get<std::string>()));
    race.other_did = event_of(change.at("other_did"));
    race.message = parsed(MessageName::parse(change.at("message").get<std::string>()));
    race.value = change.at("value");
    race.kept = change.at("kept");
  }
  return explanation;
}

Json to_json(const Remarks& remarks) {
  Json json = {{"most", remarks.most}, {"kinds", Json::array()}};
  for (const Remark& remark : remarks.kinds) json["kinds"].push_back({remark.text, remark.file, remark.line});
  return json;
}

Remarks remarks_of(const Json& json) {
  Remarks remarks{.kinds = {}, .most = json.at("most")};
  for (const Json& kind : json.at("kinds")) remarks.kinds.push_back({.text = kind.at(0), .file = kind.at(1), .line = kind.at(2)});
  return remarks;
}

Json to_json(const SavedTest& saved) {
  const Exploration& exploration = saved.tested.exploration;
  Json json = {{"test", saved.tested.test}, {"title", saved.tested.title}, {"tickets", saved.tested.tickets},
               {"program", saved.program}, {"strategy", exploration.strategy}, {"stop", static_cast<int>(exploration.stop)},
               {"promise", exploration.promise}, {"counts", to_json(exploration.counts)}, {"bugs", Json::array()}};
  json["own"] = saved.own;
  if (!saved.tested.warnings.empty()) json["warnings"] = saved.tested.warnings;
  if (!saved.tested.left_behind.kinds.empty()) json["left_behind"] = to_json(saved.tested.left_behind);
  if (!saved.tested.handled_ends.kinds.empty()) json["handled_ends"] = to_json(saved.tested.handled_ends);
  json["explanations"] = Json::array();
  for (const auto& explanation : saved.tested.explanations) json["explanations"].push_back(to_json(explanation));
  for (const RareEventCounts& counts : saved.tested.rare_events)
    json["rare_events"].push_back({counts.early_timeouts, counts.overtaking_messages, counts.spurious_wake_ups});
  if (saved.tested.orphan) json["orphan"] = to_json(*saved.tested.orphan);
  if (exploration.position)
    json["position"] = Json::binary({exploration.position->begin(), exploration.position->end()});
  for (std::size_t i = 0; i < exploration.bugs.size(); ++i) {
    const FoundBug& found = exploration.bugs[i];
    json["bugs"].push_back({{"bug", to_json(found.bug)}, {"preemptions", found.preemptions}, {"executions", found.executions},
                            {"first_execution", found.first_execution}, {"schedule", to_json(saved.bug_schedules[i])}});
    if (!found.bounds) continue;
    json["bugs"].back()["bounds"] = to_json(*found.bounds);
    json["bugs"].back()["variables"] = Json::array();
    for (const NamedVariable& variable : found.variables)
      json["bugs"].back()["variables"].push_back({variable.name, variable.file, variable.line, variable.number});
  }
  for (const AssumedPlace& place : exploration.assumed)
    json["assumed"].push_back({static_cast<int>(place.assumption), place.file, place.line});
  if (exploration.refusal)
    json["refusal"] = {exploration.refusal->message, exploration.refusal->file, exploration.refusal->line};
  if (exploration.unreceived)
    json["unreceived"] = {{"messages", exploration.unreceived->messages}, {"executions", exploration.unreceived->executions},
                          {"is_complete", exploration.unreceived->is_complete}, {"schedule", to_json(saved.unreceived_schedule)}};
  return json;
}

SavedTest test_of(const Json& json) {
  SavedTest saved;
  Exploration& exploration = saved.tested.exploration;
  saved.tested.test = json.at("test");
  saved.tested.title = json.at("title");
  saved.tested.tickets = json.at("tickets");
  saved.program = json.at("program");
  // In older files these two keys stand here.
  Json own = Json::object();
  for (const char* const key : {"notes_message_order", "explored_starts"})
    if (json.contains(key)) own[key] = json.at(key);
  saved.own = json.value("own", own.dump());
  saved.tested.warnings = json.value("warnings", saved.tested.warnings);
  if (json.contains("left_behind")) saved.tested.left_behind = remarks_of(json.at("left_behind"));
  if (json.contains("handled_ends")) saved.tested.handled_ends = remarks_of(json.at("handled_ends"));
  for (const Json& explanation : json.at("explanations")) saved.tested.explanations.push_back(explanation_of(explanation));
  for (const Json& counts : json.value("rare_events", Json::array()))
    saved.tested.rare_events.push_back({.early_timeouts = counts.at(0), .overtaking_messages = counts.at(1), .spurious_wake_ups = counts.at(2)});
  if (json.contains("orphan")) saved.tested.orphan = orphan_of(json.at("orphan"));
  exploration.strategy = json.at("strategy");
  exploration.promise = json.at("promise");
  exploration.stop = enum_of(json.at("stop"), Stop::kTooLong);
  exploration.counts = counts_of(json.at("counts"));
  if (json.contains("position")) {
    const auto& bytes = json.at("position").get_binary();
    exploration.position = std::string(bytes.begin(), bytes.end());
  }
  for (const Json& found : json.at("bugs")) {
    saved.bug_schedules.push_back(steps_of(found.at("schedule")));
    exploration.bugs.push_back({.bug = bug_of(found.at("bug")), .schedule = std::vector<Transition>(saved.bug_schedules.back().size()),
                                .preemptions = found.at("preemptions"), .executions = found.at("executions"),
                                .first_execution = found.at("first_execution")});
    if (!found.contains("bounds")) continue;
    exploration.bugs.back().bounds = bounds_of(found.at("bounds"));
    for (const Json& variable : found.at("variables"))
      exploration.bugs.back().variables.push_back(
          {.name = variable.at(0), .file = variable.at(1), .line = variable.at(2), .number = variable.at(3)});
  }
  if (saved.tested.tickets.size() != exploration.bugs.size()) throw std::out_of_range("not as many tickets as bugs");
  for (const Json& place : json.value("assumed", Json::array()))
    exploration.assumed.push_back({.assumption = enum_of(place.at(0), kLastAssumption), .file = place.at(1), .line = place.at(2)});
  if (json.contains("refusal")) {
    const Json& refusal = json.at("refusal");
    exploration.refusal = Refusal{.message = refusal.at(0), .file = refusal.at(1), .line = refusal.at(2)};
  }
  if (json.contains("unreceived")) {
    const Json& unreceived = json.at("unreceived");
    saved.unreceived_schedule = steps_of(unreceived.at("schedule"));
    exploration.unreceived = UnreceivedMessages{.schedule = std::vector<Transition>(saved.unreceived_schedule.size()),
                                                .messages = unreceived.at("messages"),
                                                .executions = unreceived.at("executions"),
                                                .is_complete = unreceived.at("is_complete")};
  }
  return saved;
}

}  // namespace

SavedTest save_test(const Tested& tested, System& system, std::string program) {
  SavedTest saved{.tested = tested, .program = std::move(program), .bug_schedules = {}, .unreceived_schedule = {}};
  for (const FoundBug& found : tested.exploration.bugs) saved.bug_schedules.push_back(name_steps(found.schedule, system));
  if (tested.exploration.unreceived)
    saved.unreceived_schedule = name_steps(tested.exploration.unreceived->schedule, system);
  return saved;
}

std::optional<Exploration> restore_exploration(const SavedTest& saved, System& system) {
  Exploration exploration = saved.tested.exploration;
  for (std::size_t i = 0; i < exploration.bugs.size(); ++i) {
    FoundSteps found = find_steps(system, saved.bug_schedules[i]);
    if (found.missing) return std::nullopt;
    exploration.bugs[i].schedule = std::move(found.transitions);
  }
  if (exploration.unreceived) {
    FoundSteps found = find_steps(system, saved.unreceived_schedule);
    if (found.missing) return std::nullopt;
    exploration.unreceived->schedule = std::move(found.transitions);
  }
  return exploration;
}

std::string print_search(const SavedSearch& search) {
  Json json = {{"folder", search.folder}, {"arguments", search.arguments}, {"tests", Json::array()}};
  for (const SavedTest& test : search.tests) json["tests"].push_back(to_json(test));
  const std::vector<std::uint8_t> cbor = Json::to_cbor(json);
  const std::string_view bytes(reinterpret_cast<const char*>(cbor.data()), cbor.size());
  return fmt::format("{}{}\n{:016x}\n{}", kTitle, kVersion, hash_string(bytes), bytes);
}

Result<SavedSearch> parse_search(std::string_view text, std::string_view name) {
  const auto refuse = [&](std::string_view why) { return Error{fmt::format("{}: {}", name, why)}; };
  if (!text.starts_with(kTitle))
    return refuse("this is not the file of an interrupted search, which 'ravel check' writes when a budget or Ctrl-C ends it.");
  const auto take_line = [&] {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    return line;
  };
  const std::string_view version = take_line().substr(kTitle.size());
  if (version != kVersion)
    return refuse(fmt::format("ravel {} has written it, and this is ravel {}, which searches in another order. Begin anew.", version, kVersion));
  const std::string_view hash = take_line();
  if (hash != fmt::format("{:016x}", hash_string(text))) return refuse("the file is damaged. Begin anew.");
  try {
    const Json json = Json::from_cbor(text);
    SavedSearch search{.folder = json.at("folder"), .arguments = json.at("arguments"), .tests = {}};
    for (const Json& test : json.at("tests")) search.tests.push_back(test_of(test));
    return search;
  } catch (const std::exception& error) {
    // The reason may quote what is damaged, which may be any bytes.
    std::string reason = error.what();
    std::ranges::replace_if(reason, [](char c) { return c < ' ' || c > '~'; }, '?');
    return refuse(fmt::format("it does not hold what it should ({}). Begin anew.", reason));
  }
}

}  // namespace ravel
