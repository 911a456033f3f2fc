#include "engine/trace.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/check.h"
#include "base/version.h"

namespace ravel {

namespace {

using Json = nlohmann::ordered_json;
using Kind = TraceAction::Kind;

constexpr const char kMark[] =
    "ravel_trace";  // the key that makes a JSON object a trace; its value is the version

// NAME, then `sign`, then a number from 1.
Result<std::pair<ActorName, std::uint32_t>> parse_numbered(std::string_view text, char sign) {
  const Error bad{"'" + std::string(text) + "' is not an actor's name, '" + sign + "' and a number"};
  const std::size_t at = text.rfind(sign);
  if (at == text.npos) return bad;
  const auto actor = ActorName::parse(text.substr(0, at));
  std::uint32_t ordinal = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data() + at + 1, end, ordinal);
  if (!actor || problem != std::errc() || stop != end || ordinal == 0) return bad;
  return std::pair(*actor, ordinal);
}

Json to_json(const TraceAction& action) {
  switch (action.kind) {
    case Kind::kSpawn: return {{"spawn", action.actor.to_string()}};
    case Kind::kSend:
      return {{"send", action.message.to_string()}, {"value", action.text}, {"to", action.actor.to_string()}};
    case Kind::kReceive: return {{"receive", action.message.to_string()}, {"constraint", action.text}};
    case Kind::kExpire: return {{"expire", true}, {"constraint", action.text}};
  }
  return {};
}

Json to_json(const TraceEvent& event) {
  Json json = Json::object();
  if (!event.actions.empty()) {
    json["actions"] = Json::array();
    for (const TraceAction& action : event.actions) json["actions"].push_back(to_json(action));
  }
  if (!event.after.empty()) {
    json["after"] = Json::array();
    for (const EventRef& other : event.after) json["after"].push_back(other.to_string());
  }
  if (event.alternative != 0) json["alternative"] = event.alternative;
  if (event.kind != TransitionKind::kOperation) json["kind"] = static_cast<int>(event.kind);
  json["operation"] = event.operation;
  json["file"] = event.file;
  json["line"] = event.line;
  return json;
}

// What is wrong with a trace; thrown inside this file only.
struct Damage {
  std::string what;
};

template <class T>
T checked(const Result<T>& result) {
  if (!result) throw Damage{result.error().message};
  return *result;
}

TraceAction read_action(const Json& json) {
  TraceAction action;
  if (json.contains("spawn")) {
    action.actor = checked(ActorName::parse(json.at("spawn").get<std::string>()));
  } else if (json.contains("send")) {
    action.kind = Kind::kSend;
    action.message = checked(MessageName::parse(json.at("send").get<std::string>()));
    action.text = json.at("value");
    action.actor = checked(ActorName::parse(json.at("to").get<std::string>()));
  } else if (json.contains("receive")) {
    action.kind = Kind::kReceive;
    action.message = checked(MessageName::parse(json.at("receive").get<std::string>()));
    action.text = json.at("constraint");
  } else if (json.contains("expire")) {
    action.kind = Kind::kExpire;
    action.text = json.at("constraint");
  } else {
    throw Damage{"an action is none of spawn, send, receive and expire"};
  }
  return action;
}

TraceEvent read_event(const Json& json) {
  TraceEvent event;
  for (const Json& action : json.value("actions", Json::array()))
    event.actions.push_back(read_action(action));
  for (const Json& other : json.value("after", Json::array()))
    event.after.push_back(checked(EventRef::parse(other.get<std::string>())));
  event.alternative = json.value("alternative", 0u);
  // Before version 2 each kind but the first one was a flag.
  if (json.contains("blocks")) event.kind = TransitionKind::kBlocks;
  if (json.contains("passes")) event.kind = TransitionKind::kPasses;
  if (json.contains("early")) event.kind = TransitionKind::kEarly;
  if (json.contains("kind")) {
    const auto kind = transition_kind(json.at("kind").get<std::uint64_t>());
    if (!kind) throw Damage{"'kind' should be the kind of an event"};
    event.kind = *kind;
  }
  event.operation = json.value("operation", "");
  event.file = json.value("file", "");
  event.line = json.value("line", 0u);
  return event;
}

void read_actors(const Json& json, Trace& trace) {
  for (const Json& one : json) {
    ActorTrace& actor = trace.actors.emplace_back();
    actor.actor = checked(ActorName::parse(one.at("actor").get<std::string>()));
    for (const Json& event : one.at("events")) {
      try {
        actor.events.push_back(read_event(event));
      } catch (const Damage& damage) {
        throw Damage{"event " + std::to_string(actor.events.size() + 1) + " of " + actor.actor.to_string() +
                     ": " + damage.what};
      }
    }
  }
  std::ranges::sort(trace.actors, {}, &ActorTrace::actor);
}

// Checks that each name occurs once, and that whatever is referred to is there.
void check_references(const Trace& trace) {
  std::set<MessageName> sent, received;
  std::map<ActorName, std::size_t> lengths;
  for (const ActorTrace& actor : trace.actors) {
    if (!lengths.emplace(actor.actor, actor.events.size()).second)
      throw Damage{"there are two sequences of " + actor.actor.to_string()};
    for (const TraceEvent& event : actor.events)
      for (const TraceAction& action : event.actions)
        if (action.kind == Kind::kSend && !sent.insert(action.message).second)
          throw Damage{"message " + action.message.to_string() + " is sent twice"};
  }
  for (const ActorTrace& actor : trace.actors) {
    for (const TraceEvent& event : actor.events) {
      for (const TraceAction& action : event.actions) {
        if (action.kind != Kind::kReceive) continue;
        if (!sent.contains(action.message))
          throw Damage{actor.actor.to_string() + " receives message " + action.message.to_string() +
                       ", which is not sent"};
        if (!received.insert(action.message).second)
          throw Damage{"message " + action.message.to_string() + " is received twice"};
      }
      for (const EventRef& other : event.after) {
        const auto length = lengths.find(other.actor);
        if (length == lengths.end() || length->second < other.ordinal)
          throw Damage{"there is no event " + other.to_string() + ", after which " + actor.actor.to_string() +
                       " does something"};
      }
    }
  }
}

}  // namespace

Result<MessageName> MessageName::parse(std::string_view text) {
  const auto parts = parse_numbered(text, '#');
  if (!parts) return parts.error();
  return MessageName{.sender = parts->first, .ordinal = parts->second};
}

std::string MessageName::to_string() const { return sender.to_string() + "#" + std::to_string(ordinal); }

Result<EventRef> EventRef::parse(std::string_view text) {
  const auto parts = parse_numbered(text, ':');
  if (!parts) return parts.error();
  return EventRef{.actor = parts->first, .ordinal = parts->second};
}

std::string EventRef::to_string() const { return actor.to_string() + ":" + std::to_string(ordinal); }

const TraceAction* TraceEvent::receive() const {
  for (const TraceAction& action : actions)
    if (action.kind == Kind::kReceive || action.kind == Kind::kExpire) return &action;
  return nullptr;
}

std::size_t Trace::length() const {
  std::size_t length = 0;
  for (const ActorTrace& actor : actors) length += actor.events.size();
  return length;
}

std::string print_trace(const Trace& trace) {
  Json json = {{kMark, kTraceVersion},           {"ravel_version", kVersion},
               {"front_end", trace.front_end},   {"program", Json::parse(trace.program, nullptr, false)},
               {"events_max", trace.events_max}, {"outcome", trace.outcome},
               {"actors", Json::array()}};
  CHECK_MESSAGE(json["program"].is_object(), "a front end describes its program as a JSON object");
  for (const ActorTrace& actor : trace.actors) {
    Json events = Json::array();
    for (const TraceEvent& event : actor.events) events.push_back(to_json(event));
    json["actors"].push_back({{"actor", actor.actor.to_string()}, {"events", std::move(events)}});
  }
  // Programs send any bytes; those that are not UTF-8 are replaced, since JSON can't hold them.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool is_trace_text(std::string_view text) { return text.find(std::string("\"") + kMark + "\"") != text.npos; }

Result<Trace> parse_trace(std::string_view text, std::string_view name) {
  const std::string prefix = std::string(name) + ": ";
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() && is_trace_text(text))
    return Error{prefix +
                 "this trace is damaged or truncated: it is no JSON. Write it again with 'ravel trace'."};
  if (!json.is_object() || !json.contains(kMark) || !json[kMark].is_number_unsigned())
    return Error{prefix + "this is not a trace. Traces are the files that 'ravel trace --out FILE' writes."};
  if (json[kMark].get<std::uint64_t>() > kTraceVersion)
    return Error{prefix + "this trace has format version " + json[kMark].dump() + ", newer than version " +
                 std::to_string(kTraceVersion) + ", the newest that ravel " + kVersion +
                 " understands. Use the ravel that wrote it, or a later one."};
  Trace trace;
  try {
    trace.ravel_version = json.at("ravel_version");
    trace.front_end = json.at("front_end");
    trace.program = json.at("program").dump();
    if (!json["program"].is_object()) throw Damage{"'program' should be an object"};
    trace.events_max = json.at("events_max");
    if (trace.events_max == 0) throw Damage{"'events_max' should be positive"};
    trace.outcome = json.value("outcome", "");
    read_actors(json.at("actors"), trace);
    check_references(trace);
  } catch (const Json::exception&) {
    return Error{
        prefix +
        "this trace is damaged: a field is missing or has another type. Write it again with 'ravel trace'."};
  } catch (const Damage& damage) {
    return Error{prefix + "this trace is damaged: " + damage.what + "."};
  }
  return trace;
}

}  // namespace ravel
