#include "mcp/tools.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "check/replay_subject.h"
#include "host/files.h"
#include "mcp/own_command.h"
#include "mcp/point.h"
#include "report/race_text.h"
#include "report/summary.h"
#include "story/lines_view.h"
#include "story/plain_story.h"
#include "story/told_execution.h"

namespace ravel::mcp {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kTextMax = 20'000;  // bytes of a story
constexpr std::size_t kStoryLinesMax = 120;
constexpr const char kDefaultBudget[] = "60s";

std::string print(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// ---- Arguments

Result<std::vector<std::string>> texts_in(const Json& arguments, std::string_view name) {
  std::vector<std::string> texts;
  const auto found = arguments.find(name);
  if (found == arguments.end()) return texts;
  const auto is_text = [](const Json& one) { return one.is_string(); };
  if (!found->is_array() || !std::ranges::all_of(*found, is_text))
    return Error{fmt::format("'{}' is a list of texts", name)};
  for (const Json& one : *found) texts.push_back(one.get<std::string>());
  return texts;
}

Result<std::string> text_in(const Json& arguments, std::string_view name, const std::string& otherwise = "") {
  const auto found = arguments.find(name);
  if (found == arguments.end()) return otherwise;
  if (!found->is_string()) return Error{fmt::format("'{}' is a text", name)};
  return found->get<std::string>();
}

Result<std::size_t> count_in(const Json& arguments, std::string_view name, std::size_t otherwise) {
  const auto found = arguments.find(name);
  if (found == arguments.end()) return otherwise;
  if (!found->is_number_integer() || found->get<std::int64_t>() < 0)
    return Error{fmt::format("'{}' is a number, 0 or more", name)};
  return static_cast<std::size_t>(found->get<std::int64_t>());
}

// ---- check, tests

// A file for the results, deleted afterwards.
class ResultFile {
 public:
  static Result<ResultFile> make() {
    std::string path = (std::filesystem::temp_directory_path() / "ravel-mcp-XXXXXX").string();
    const int file = mkstemp(path.data());
    if (file < 0) return Error{"a temporary file could not be made"};
    close(file);
    return ResultFile(path);
  }
  ResultFile(ResultFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ResultFile& operator=(ResultFile&&) = delete;
  ~ResultFile() {
    if (!path_.empty()) std::remove(path_.c_str());
  }
  const std::string& path() const { return path_; }

 private:
  explicit ResultFile(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// What the command writes with --json.
Result<Json> results_of(std::vector<std::string> words) {
  auto file = ResultFile::make();
  if (!file) return file.error();
  words.insert(words.end(), {"--json", file->path()});
  const auto run = run_own_command(words);
  if (!run) return run.error();
  const auto text = read_text_file(file->path());
  Json results = text ? Json::parse(*text, nullptr, false) : Json();
  if (results.is_discarded() || results.is_null())
    return Error{run->errors.empty() ? fmt::format("the command ended with status {}", run->status)
                                     : run->errors};
  if (results.is_object() && results.value("verdict", "") == "error")
    return Error{run->errors.empty() ? results.value("message", "") : run->errors};
  return results;
}

// The command's own word, the files, the tests and further options, which are the user's.
Result<std::vector<std::string>> words_of(const char* command, const Json& arguments) {
  const auto files = texts_in(arguments, "files");
  if (!files) return files.error();
  for (const std::string& file : *files)
    if (file.starts_with('-')) return Error{"'" + file + "' is no file; options go into 'options'"};
  std::vector<std::string> words = {command};
  words.insert(words.end(), files->begin(), files->end());
  return words;
}

Result<Json> run_tests_tool(const FrontEnds&, const Json& arguments) {
  auto words = words_of("tests", arguments);
  if (!words) return words.error();
  auto listed = results_of(std::move(*words));
  if (!listed) return listed.error();
  return Json{{"tests", std::move(*listed)}};
}

Result<Json> run_check_tool(const FrontEnds&, const Json& arguments) {
  auto words = words_of("check", arguments);
  if (!words) return words.error();
  const auto tests = texts_in(arguments, "tests");
  if (!tests) return tests.error();
  for (const std::string& test : *tests) words->insert(words->end(), {"-t", test});
  const auto budget = text_in(arguments, "budget", kDefaultBudget);
  if (!budget) return budget.error();
  words->insert(words->end(), {"--budget", *budget, "-q"});
  const auto options = texts_in(arguments, "options");
  if (!options) return options.error();
  words->insert(words->end(), options->begin(), options->end());
  return results_of(std::move(*words));
}

// ---- replay, explain

Json bug_json(const Bug& bug) {
  Json json = {{"kind", bug.kind}, {"message", bug.message}};
  if (!bug.file.empty()) json["place"] = fmt::format("{}:{}", bug.file, bug.line);
  if (!bug.actor.empty()) json["actor"] = bug.actor;
  if (!bug.details.empty()) json["details"] = bug.details;
  return json;
}

struct Saved {
  std::string ticket;
  std::vector<std::string> files;
};
Result<Saved> saved_in(const Json& arguments) {
  const auto ticket = text_in(arguments, "ticket");
  if (!ticket) return ticket.error();
  if (ticket->empty()) return Error{"'ticket' is needed: a file that 'check' has written"};
  const auto files = texts_in(arguments, "files");
  if (!files) return files.error();
  return Saved{.ticket = *ticket, .files = *files};
}

std::string without_margins(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \n"), end = text.find_last_not_of(" \n");
  return begin == std::string::npos ? std::string() : text.substr(begin, end - begin + 1);
}

std::string story_of(const Recording& recording) {
  const Story story = plain_story(recording);
  return cut_text(tell_lines(story, story.failing, {.rows_max = kStoryLinesMax}), kTextMax);
}

const char* outcome_of(ReplayOutcome outcome) {
  switch (outcome) {
    case ReplayOutcome::kSameBug: return "the bug still happens";
    case ReplayOutcome::kAnotherBug: return "another bug happens";
    case ReplayOutcome::kNoBug: return "no bug happens in this execution";
    case ReplayOutcome::kUnsupported: return "the program does something that no schedule controls";
  }
  return "";
}

Result<Json> replay_or_explain(const FrontEnds& front_ends, const Json& arguments, bool explains) {
  const auto saved = saved_in(arguments);
  if (!saved) return saved.error();
  const auto subject = open_saved(front_ends, saved->ticket, saved->files, {}, Purpose::kReplay);
  if (!subject) return subject.error();
  if (!subject->ticket) return Error{saved->ticket + ": this is a trace; the ticket of a bug is needed."};
  const auto replayed = replay_subject(*subject, saved->ticket);
  if (!replayed) return replayed.error();
  const Recording& recording = replayed->recording;
  Json json = {{"test", subject->test->title()},
               {"outcome", outcome_of(replayed->outcome)},
               {"steps", recording.events.size()},
               {"preemptions", recording.preemptions}};
  if (recording.bug) json["bug"] = bug_json(*recording.bug);
  if (const auto changed = subject->test->changed(); !changed.empty()) json["changed"] = changed;
  if (replayed->divergence)
    json["left_at"] = {{"step", replayed->divergence->step}, {"why", replayed->divergence->what}};
  if (explains) {
    const auto explanation = subject->test->explain(recording, subject->events_max);
    json["explanation"] = explanation ? without_margins(describe_explanation(*explanation, Colour::kOff))
                                      : "nothing could be found that makes the difference";
  } else {
    json["story"] = story_of(recording);
  }
  return json;
}

Result<Json> run_replay_tool(const FrontEnds& front_ends, const Json& arguments) {
  return replay_or_explain(front_ends, arguments, false);
}
Result<Json> run_explain_tool(const FrontEnds& front_ends, const Json& arguments) {
  return replay_or_explain(front_ends, arguments, true);
}

// ---- look, what_if

Result<std::unique_ptr<Point>> point_in(const FrontEnds& front_ends, const Json& arguments) {
  const auto saved = saved_in(arguments);
  if (!saved) return saved.error();
  const auto steps = count_in(arguments, "steps", 0);
  if (!steps) return steps.error();
  return Point::open(front_ends, saved->ticket, saved->files, *steps);
}

Json state_json(const Point& point, const ActorState& state) {
  Json json = {{"actor", state.actor ? point.name_of(*state.actor) : "shared"}};
  for (const StatePart& part : state.parts) {
    Json lines = Json::array();
    for (const StateLine& line : part.lines) lines.push_back(to_string(line));
    if (part.name.empty()) {
      json[std::string(word_of(part.kind))] = std::move(lines);
    } else {
      json[std::string(word_of(part.kind))][part.name] = lines.size() == 1 ? lines.front() : std::move(lines);
    }
  }
  Json others = Json::array();
  for (const ActorId other : state.waits_for) others.push_back(point.name_of(other));
  if (!others.empty()) json["waits_for"] = std::move(others);
  return json;
}

Json choice_json(const Choice& choice) {
  Json json = {{"actor", choice.actor}, {"alternative", choice.alternative}};
  if (choice.kind != TransitionKind::kOperation) json["kind"] = static_cast<int>(choice.kind);
  return json;
}

Result<Json> run_look_tool(const FrontEnds& front_ends, const Json& arguments) {
  const auto point = point_in(front_ends, arguments);
  if (!point) return point.error();
  Json choices = Json::array(), states = Json::array();
  for (const Choice& choice : (*point)->choices()) choices.push_back(choice_json(choice));
  for (const ActorState& state : (*point)->states()) states.push_back(state_json(**point, state));
  return Json{{"choices", std::move(choices)}, {"states", std::move(states)}};
}

Result<std::optional<Choice>> choice_in(const Json& arguments) {
  const auto actor = text_in(arguments, "actor");
  if (!actor) return actor.error();
  if (actor->empty()) return std::optional<Choice>();
  const auto alternative = count_in(arguments, "alternative", 0), kind = count_in(arguments, "kind", 0);
  if (!alternative) return alternative.error();
  if (!kind) return kind.error();
  const auto known = transition_kind(*kind);
  if (!known || *alternative > std::numeric_limits<std::uint32_t>::max())
    return Error{"there is no such choice; 'look' lists those that there are"};
  return std::optional(
      Choice{.actor = *actor, .alternative = static_cast<std::uint32_t>(*alternative), .kind = *known});
}

Result<Json> run_what_if_tool(const FrontEnds& front_ends, const Json& arguments) {
  const auto choice = choice_in(arguments);
  if (!choice) return choice.error();
  const auto point = point_in(front_ends, arguments);
  if (!point) return point.error();
  const auto recording = (*point)->go_on(*choice);
  if (!recording) return recording.error();
  Json json = {{"outcome", outcome_text(*recording)}, {"steps", recording->events.size()}};
  if (recording->bug) json["bug"] = bug_json(*recording->bug);
  if (recording->refusal) json["refusal"] = recording->refusal->message;
  json["story"] = story_of(*recording);
  return json;
}

// ---- The table

enum class Type : std::uint8_t { kText, kTexts, kCount };
enum class Need : std::uint8_t { kMust, kMay };
struct Parameter {
  std::string_view name;
  Type type;
  Need need;
  std::string_view description;
};

constexpr Parameter kProgram = {"files", Type::kTexts, Need::kMay,
                                "sources or a program; none: the project of this folder"};
constexpr Parameter kTicket = {"ticket", Type::kText, Need::kMust, "a file that 'check' has written"};
constexpr Parameter kMoved = {"files", Type::kTexts, Need::kMay,
                              "the program, if it is not where the ticket says"};
constexpr Parameter kSteps = {"steps", Type::kCount, Need::kMust,
                              "how many steps of the ticket are taken first"};

struct Tool {
  std::string_view name;
  std::string_view description;
  std::vector<Parameter> parameters;
  Result<Json> (*run)(const FrontEnds&, const Json&);
};

const std::vector<Tool>& tools() {
  static const std::vector<Tool> kTools = {
      {"tests",
       "Lists the tests of a program: Erlang, Elixir, C or C++ built with ravel-c++, or P.",
       {kProgram},
       run_tests_tool},
      {"check",
       "Searches the schedules of concurrent tests for bugs. Says which schedules were tried, and for each "
       "bug its ticket, with which the other tools look into it. A verdict 'pass' holds for what 'coverage' "
       "says.",
       {kProgram,
        {"tests", Type::kTexts, Need::kMay, "names that 'tests' lists; none: all"},
        {"budget", Type::kText, Need::kMay, "60s, 5m, or 1000x executions; 60s if left out"},
        {"options", Type::kTexts, Need::kMay, "further options of ravel check, such as --keep-going"}},
       run_check_tool},
      {"replay",
       "Runs the schedule of a ticket again, also after the program was changed, and tells its story.",
       {kTicket, kMoved},
       run_replay_tool},
      {"explain",
       "Says which order of two operations makes the difference between the failing execution of a ticket "
       "and a passing one.",
       {kTicket, kMoved},
       run_explain_tool},
      {"look",
       "What each actor has at hand after some steps of a ticket (mailbox, stack, state, locks), and who "
       "could move next.",
       {kTicket, kSteps, kMoved},
       run_look_tool},
      {"what_if",
       "Takes some steps of a ticket, then another choice, and goes on to the end without preemptions.",
       {kTicket,
        kSteps,
        {"actor", Type::kText, Need::kMay, "who moves then, of those that 'look' lists; none: anybody"},
        {"alternative", Type::kCount, Need::kMay, "as 'look' lists it; 0 if left out"},
        {"kind", Type::kCount, Need::kMay, "as 'look' lists it; 0 if left out"},
        kMoved},
       run_what_if_tool},
  };
  return kTools;
}

const Tool* find_tool(std::string_view name) {
  const auto tool = std::ranges::find(tools(), name, &Tool::name);
  return tool == tools().end() ? nullptr : &*tool;
}

Json schema_of(const Tool& tool) {
  Json properties = Json::object(), required = Json::array();
  for (const Parameter& parameter : tool.parameters) {
    Json one;
    switch (parameter.type) {
      case Type::kText: one["type"] = "string"; break;
      case Type::kTexts: one = {{"type", "array"}, {"items", {{"type", "string"}}}}; break;
      case Type::kCount: one = {{"type", "integer"}, {"minimum", 0}}; break;
    }
    one["description"] = parameter.description;
    properties[std::string(parameter.name)] = std::move(one);
    if (parameter.need == Need::kMust) required.push_back(parameter.name);
  }
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}

}  // namespace

std::string list_tools() {
  Json all = Json::array();
  for (const Tool& tool : tools())
    all.push_back({{"name", tool.name}, {"description", tool.description}, {"inputSchema", schema_of(tool)}});
  return print(all);
}

bool is_tool(std::string_view name) { return find_tool(name) != nullptr; }

Result<std::string> call_tool(const FrontEnds& front_ends, std::string_view name,
                              const std::string& arguments) {
  const Json given = Json::parse(arguments, nullptr, false);
  if (!given.is_object() && !given.is_null()) return Error{"the arguments of a tool are an object"};
  const auto answer = find_tool(name)->run(front_ends, given.is_null() ? Json::object() : given);
  if (!answer) return answer.error();
  return print(*answer);
}

}  // namespace ravel::mcp
