#include "engine/ticket.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "base/check.h"
#include "base/version.h"

namespace ravel {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char kMark[] =
    "ravel_ticket";  // the key that makes a JSON object a ticket; its value is the version

// Reads fields of one object; the first one that is missing or of another type becomes the error.
class Reader {
 public:
  explicit Reader(const Json& object) : object_(object) {}

  std::string text(const char* key) {
    const Json* value = find(key, &Json::is_string, "a string");
    return value == nullptr ? "" : value->get<std::string>();
  }
  template <typename Number>
  Number number(const char* key) {
    const Json* value = find(key, &Json::is_number_unsigned, "a number");
    if (value == nullptr) return 0;
    const auto wide = value->get<std::uint64_t>();
    if (wide > std::numeric_limits<Number>::max()) complain(key, "a smaller number");
    return static_cast<Number>(wide);
  }
  const Json& array(const char* key) { return either(find(key, &Json::is_array, "a list")); }
  const Json& object(const char* key) { return either(find(key, &Json::is_object, "an object")); }

  void complain(const std::string& key, const std::string& what) {
    if (!error_) error_ = "'" + key + "' should be " + what;
  }
  const std::optional<std::string>& error() const { return error_; }

 private:
  const Json* find(const char* key, bool (Json::*is)() const noexcept, const char* what) {
    const auto place = object_.is_object() ? object_.find(key) : object_.end();
    if (place == object_.end() || !((*place).*is)()) {
      complain(key, what);
      return nullptr;
    }
    return &*place;
  }
  static const Json& either(const Json* value) {
    static const Json kNothing;
    return value == nullptr ? kNothing : *value;
  }

  const Json& object_;
  std::optional<std::string> error_;
};

Json bug_to_json(const Bug& bug, std::uint32_t preemptions) {
  return {{"kind", bug.kind},   {"message", bug.message},     {"file", bug.file},      {"line", bug.line},
          {"actor", bug.actor}, {"preemptions", preemptions}, {"details", bug.details}};
}

std::optional<std::string> read_bug(const Json& json, Ticket& ticket) {
  Reader reader(json);
  Bug& bug = ticket.bug;
  bug.kind = reader.text("kind");
  bug.message = reader.text("message");
  bug.file = reader.text("file");
  bug.line = reader.number<std::uint32_t>("line");
  bug.actor = reader.text("actor");
  ticket.preemptions = reader.number<std::uint32_t>("preemptions");
  for (const Json& line : reader.array("details")) {
    if (!line.is_string()) {
      reader.complain("details", "a list of strings");
      break;
    }
    bug.details.push_back(line.get<std::string>());
  }
  return reader.error();
}

Json step_to_json(const NotedStep& noted) {
  const NamedStep& step = noted.step;
  Json json = {{"actor", step.actor.to_string()}, {"alternative", step.alternative}};
  if (step.kind != TransitionKind::kOperation) json["kind"] = static_cast<int>(step.kind);
  json["operation"] = noted.operation;
  json["file"] = noted.file;
  json["line"] = noted.line;
  return json;
}

// Before version 2 each kind but the first one was a flag.
void read_kind(const Json& json, Reader& reader, TransitionKind& kind) {
  if (!json.is_object()) return;
  if (json.contains("blocks")) kind = TransitionKind::kBlocks;
  if (json.contains("passes")) kind = TransitionKind::kPasses;
  if (json.contains("early")) kind = TransitionKind::kEarly;
  if (!json.contains("kind")) return;
  const auto known = transition_kind(reader.number<std::uint32_t>("kind"));
  if (known) kind = *known;
  if (!known) reader.complain("kind", "the kind of a step");
}

std::optional<std::string> read_step(const Json& json, NotedStep& noted) {
  NamedStep& step = noted.step;
  Reader reader(json);
  const Result<ActorName> actor = ActorName::parse(reader.text("actor"));
  if (actor) {
    step.actor = *actor;
  } else {
    reader.complain("actor", "an actor's name");
  }
  step.alternative = reader.number<std::uint32_t>("alternative");
  read_kind(json, reader, step.kind);
  noted.operation = reader.text("operation");
  noted.file = reader.text("file");
  noted.line = reader.number<std::uint32_t>("line");
  return reader.error();
}

std::optional<std::string> read_fields(const Json& json, Ticket& ticket) {
  Reader reader(json);
  ticket.ravel_version = reader.text("ravel_version");
  ticket.front_end = reader.text("front_end");
  ticket.program = reader.object("program").dump();
  ticket.events_max = reader.number<std::uint64_t>("events_max");
  if (ticket.events_max == 0) reader.complain("events_max", "positive");
  const Json& bug = reader.object("bug");
  const Json& schedule = reader.array("schedule");
  if (reader.error()) return reader.error();
  if (const auto error = read_bug(bug, ticket)) return "in the bug, " + *error;
  for (const Json& step : schedule) {
    if (const auto error = read_step(step, ticket.schedule.emplace_back())) {
      return "in step " + std::to_string(ticket.schedule.size()) + " of the schedule, " + *error;
    }
  }
  if (!json.contains("lasso")) return std::nullopt;
  Reader of_lasso(json["lasso"]);
  ticket.lasso = Lasso{.formula = of_lasso.text("formula"),
                       .fairness = of_lasso.text("fairness"),
                       .loop = of_lasso.number<std::uint64_t>("loop")};
  if (ticket.lasso->loop > ticket.schedule.size()) of_lasso.complain("loop", "a part of the schedule");
  return of_lasso.error();
}

}  // namespace

Ticket make_ticket(const Recording& recording, std::uint64_t events_max) {
  CHECK(recording.bug.has_value());
  Ticket ticket;
  ticket.ravel_version = kVersion;
  ticket.events_max = events_max;
  ticket.bug = *recording.bug;
  ticket.preemptions = recording.preemptions;
  ticket.lasso = recording.lasso;
  for (const RecordedEvent& event : recording.events) {
    ticket.schedule.push_back({.step = {.actor = event.actor,
                                        .alternative = event.transition.alternative,
                                        .kind = event.transition.kind},
                               .operation = event.description.text,
                               .file = event.description.file,
                               .line = event.description.line});
  }
  return ticket;
}

std::string print_ticket(const Ticket& ticket) {
  Json json = {{kMark, kTicketVersion},           {"ravel_version", ticket.ravel_version},
               {"front_end", ticket.front_end},   {"program", Json::parse(ticket.program, nullptr, false)},
               {"events_max", ticket.events_max}, {"bug", bug_to_json(ticket.bug, ticket.preemptions)},
               {"schedule", Json::array()}};
  if (const auto& lasso = ticket.lasso)
    json["lasso"] = {{"formula", lasso->formula}, {"fairness", lasso->fairness}, {"loop", lasso->loop}};
  CHECK_MESSAGE(json["program"].is_object(), "a front end describes its program as a JSON object");
  for (const NotedStep& step : ticket.schedule) json["schedule"].push_back(step_to_json(step));
  // Programs print any bytes; those that are not UTF-8 are replaced, since JSON can't hold them.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Ticket> parse_ticket(std::string_view text, std::string_view name) {
  const std::string prefix = std::string(name) + ": ";
  const Error not_a_ticket{
      prefix +
      "this is not a ticket. Tickets are the .json files that 'ravel check' writes for the bugs it finds."};
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    const bool looks_like_one = text.find(kMark) != std::string_view::npos;
    if (!looks_like_one) return not_a_ticket;
    if (error.byte > text.size()) {
      return Error{prefix +
                   "this ticket is truncated: the file ends in the middle. Copy it again, or run 'ravel "
                   "check' again."};
    }
    return Error{prefix + "this ticket is damaged near byte " + std::to_string(error.byte) +
                 ". Copy it again, or run 'ravel check' again."};
  }
  if (!json.is_object() || !json.contains(kMark)) return not_a_ticket;
  const Json& version = json[kMark];
  if (!version.is_number_unsigned()) return not_a_ticket;
  if (version.get<std::uint64_t>() > kTicketVersion) {
    return Error{prefix + "this ticket has format version " + version.dump() + ", newer than version " +
                 std::to_string(kTicketVersion) + ", the newest that ravel " + kVersion +
                 " understands. Use the ravel that wrote it, or a later one."};
  }
  Ticket ticket;
  if (const auto error = read_fields(json, ticket))
    return Error{prefix + "this ticket is damaged: " + *error + "."};
  return ticket;
}

}  // namespace ravel
