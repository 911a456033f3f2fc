#include "front_ends/threads/program_note.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "host/base64.h"
#include "report/text.h"
#include "threads/frameworks/test_framework.h"
#include "threads/remote/launch.h"

namespace ravel::threads {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// A ticket is a file to be read, sent and kept with the program.
constexpr std::size_t kInputMax = 1 << 20;

std::string checksum(std::string_view bytes) { return fmt::format("{:016x}", hash_string(bytes)); }

std::string checksum_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return checksum(std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
}

NotedInput note_input(StandardInput& input) {
  const std::string_view bytes = input.bytes();
  NotedInput noted{.size = bytes.size(), .checksum = checksum(bytes), .bytes = {}};
  if (bytes.size() <= kInputMax) noted.bytes = bytes;
  return noted;
}

// JSON can't hold other bytes.
bool is_utf8(const std::string& bytes) {
  try {
    return !Json(bytes).dump().empty();
  } catch (const Json::type_error&) {
    return false;
  }
}

Json to_json(const NotedInput& input) {
  if (!input.bytes) return {{"size", input.size}, {"checksum", input.checksum}};
  if (is_utf8(*input.bytes)) return {{"text", *input.bytes}};
  return {{"base64", to_base64(*input.bytes)}};
}

NotedInput input_of(const Json& json) {
  if (json.contains("size")) return {.size = json.at("size"), .checksum = json.at("checksum"), .bytes = {}};
  const auto bytes = json.contains("text") ? std::optional(json.at("text").get<std::string>())
                                           : from_base64(json.at("base64").get<std::string>());
  if (!bytes) throw std::invalid_argument("no base64");
  return {.size = bytes->size(), .checksum = checksum(*bytes), .bytes = bytes};
}

const char* name_of(AccessOperations accesses) {
  switch (accesses) {
    case AccessOperations::kRacy: return "racy";
    case AccessOperations::kAll: return "all";
    case AccessOperations::kSync: return "sync";
    case AccessOperations::kNamed: return "named";
  }
  return "";
}

std::string name_of(TestKind kind) {
  const TestFramework* const framework = find_framework(kind);
  return framework != nullptr ? std::string(framework->id) : kind == TestKind::kMarked ? "marked" : "main";
}

TestKind kind_named(const std::string& name) {
  for (const TestFramework& framework : test_frameworks())
    if (framework.id == name) return framework.kind;
  return name == name_of(TestKind::kMarked) ? TestKind::kMarked : TestKind::kMain;
}

}  // namespace

ProgramNote note_program(const ProgramCall& call, const Configuration& configuration) {
  std::error_code problem;
  return {
      .call = call,
      .absolute_path = fs::absolute(call.path, problem).lexically_normal(),
      .checksum = checksum_of(call.path),
      .configuration = configuration,
      .input = names_standard_input(call.path) ? std::optional(note_input(call.share->input)) : std::nullopt};
}

std::string print_program_note(const ProgramNote& program) {
  Json json = {
      {"file",
       {{"given", program.call.path}, {"absolute", program.absolute_path}, {"checksum", program.checksum}}},
      {"arguments", program.call.arguments},
      {"accesses", name_of(program.configuration.accesses)},
      {"races_are_bugs", program.configuration.races_are_bugs},
      {"tracked", Json::array()}};
  if (!program.configuration.is_fair) json["is_fair"] = false;
  if (program.configuration.spurious) json["spurious"] = true;
  if (program.configuration.host_files) json["host_files"] = true;
  if (program.configuration.follows_deadlines) json["follows_deadlines"] = true;
  if (program.configuration.passes_when_idle) json["time_passes_when_idle"] = true;
  if (program.configuration.fires_early) json["fires_early"] = true;
  if (program.configuration.isolates) json["isolates"] = true;
  if (program.configuration.by_states) json["by_states"] = true;
  if (program.configuration.watched != 0)
    json["watched"] = fmt::format("{:x}", program.configuration.watched);
  if (program.call.test.kind != TestKind::kMain)
    json["test"] = {{"kind", name_of(program.call.test.kind)}, {"name", program.call.test.name}};
  if (program.input) json["input"] = to_json(*program.input);
  for (const std::uint64_t word : program.configuration.tracked)
    json["tracked"].push_back(fmt::format("{:x}", word));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<ProgramNote> parse_program_note(std::string_view text, std::string_view name) {
  ProgramNote program;
  try {
    const Json json = Json::parse(text);
    program.call.path = json.at("file").at("given");
    program.absolute_path = json.at("file").at("absolute");
    program.checksum = json.at("file").at("checksum");
    for (const Json& argument : json.at("arguments")) program.call.arguments.push_back(argument);
    if (json.contains("test"))
      program.call.test = {.kind = kind_named(json.at("test").at("kind")),
                           .name = json.at("test").at("name")};
    if (json.contains("input")) program.input = input_of(json.at("input"));
    const std::string accesses = json.at("accesses");
    for (const AccessOperations each : {AccessOperations::kRacy, AccessOperations::kAll,
                                        AccessOperations::kSync, AccessOperations::kNamed}) {
      if (accesses == name_of(each)) program.configuration.accesses = each;
    }
    program.configuration.races_are_bugs = json.at("races_are_bugs");
    if (json.contains("watched"))
      program.configuration.watched = std::stoull(json.at("watched").get<std::string>(), nullptr, 16);
    program.configuration.isolates = json.value("isolates", false);
    program.configuration.by_states = json.value("by_states", false);
    program.configuration.is_fair = json.value("is_fair", true);
    program.configuration.spurious = json.value("spurious", false);
    program.configuration.host_files = json.value("host_files", false);
    program.configuration.follows_deadlines = json.value("follows_deadlines", false);
    program.configuration.passes_when_idle = json.value("time_passes_when_idle", false);
    program.configuration.fires_early = json.value("fires_early", false);
    for (const Json& word : json.at("tracked"))
      program.configuration.tracked.push_back(std::stoull(word.get<std::string>(), nullptr, 16));
  } catch (const std::exception&) {
    return Error{
        std::string(name) +
        ": this ticket is damaged: its description of the program is not complete. Run 'ravel check' again."};
  }
  return program;
}

Status take_noted_input(const ProgramNote& program, const ProgramCall& call, std::string_view name) {
  if (!program.input) return Success{};
  StandardInput& input = call.share->input;
  if (program.input->bytes) {
    input.set(*program.input->bytes);
    return Success{};
  }
  input.keep(true);
  if (checksum(input.bytes()) == program.input->checksum) return Success{};
  return Error{fmt::format(
      "{}: the standard input of the program had {}, too many to be kept here, and what there is now is "
      "something else. Give it the same again: ravel ... < FILE",
      name, counted(program.input->size, "byte"))};
}

ProgramCall call_again(const ProgramNote& program, const std::vector<std::string>& files) {
  ProgramCall call = program.call;
  std::error_code problem;
  if (!files.empty()) {
    call.path = files.front();
    if (files.size() > 1) call.arguments.assign(files.begin() + 1, files.end());
  } else if (!fs::exists(call.path, problem) || !fs::equivalent(call.path, program.absolute_path, problem)) {
    if (fs::exists(program.absolute_path, problem)) call.path = program.absolute_path;
  }
  return call;
}

bool has_changed(const ProgramNote& noted, const ProgramCall& call) {
  return checksum_of(call.path) != noted.checksum;
}

}  // namespace ravel::threads
