#include "front_ends/p/program_note.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ravel::p {

namespace {

using Json = nlohmann::ordered_json;

std::string print(std::uint64_t checksum) { return fmt::format("{:016x}", checksum); }

}  // namespace

ProgramNote note_program(const OpenedProgram& program, const TestCase& test, const POptions& options) {
  return {.test = test.name,
          .files = note_paths(program.files()),
          .libraries = note_paths(program.libraries()),
          .sources = program.sources(),
          .loose_specs = program.loose_specs(),
          .options = options};
}

std::string print_program_note(const ProgramNote& note) {
  Json json = {{"test", note.test}, {"files", paths_to_json<Json>(note.files)}, {"sources", Json::array()}};
  for (const SourceChecksum& source : note.sources)
    json["sources"].push_back({{"name", source.name}, {"checksum", print(source.checksum)}});
  if (!note.libraries.empty()) json["libraries"] = paths_to_json<Json>(note.libraries);
  if (note.loose_specs == LooseSpecs::kAttached) json["attaches_specs"] = true;
  if (note.options.steps == Steps::kHandlers) json["steps_to_handlers"] = true;
  if (note.options.timers != TimersFire::kAsModelled)
    json["time"] = note.options.timers == TimersFire::kAnyTime ? "any" : "idle";
  if (note.options.ignores_deadlocks) json["ignores_deadlocks"] = true;
  if (note.options.ignores_liveness) json["ignores_liveness"] = true;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<ProgramNote> parse_program_note(std::string_view text, std::string_view name) {
  ProgramNote note;
  try {
    const Json json = Json::parse(text);
    note.test = json.at("test");
    note.files = paths_from_json(json.at("files"));
    if (json.contains("libraries")) note.libraries = paths_from_json(json.at("libraries"));
    for (const Json& source : json.at("sources"))
      note.sources.push_back(
          {.name = source.at("name"),
           .checksum = std::stoull(source.at("checksum").get<std::string>(), nullptr, 16)});
    if (json.value("attaches_specs", false)) note.loose_specs = LooseSpecs::kAttached;
    if (json.value("steps_to_handlers", false)) note.options.steps = Steps::kHandlers;
    if (json.contains("time"))
      note.options.timers = json.at("time") == "any" ? TimersFire::kAnyTime : TimersFire::kWhenAllWait;
    note.options.ignores_deadlocks = json.value("ignores_deadlocks", false);
    note.options.ignores_liveness = json.value("ignores_liveness", false);
  } catch (const std::exception&) {
    return Error{
        std::string(name) +
        ": this ticket is damaged: its description of the program is not complete. Run 'ravel check' again."};
  }
  return note;
}

std::vector<std::string> changed_sources(const ProgramNote& noted, const OpenedProgram& program) {
  std::vector<std::string> changed;
  const std::vector<SourceChecksum>& now = program.sources();
  for (const SourceChecksum& source : noted.sources) {
    const auto same = std::ranges::find(now, source.name, &SourceChecksum::name);
    if (same == now.end() || same->checksum != source.checksum) changed.push_back(source.name);
  }
  for (const SourceChecksum& source : now)
    if (std::ranges::find(noted.sources, source.name, &SourceChecksum::name) == noted.sources.end())
      changed.push_back(source.name);
  return changed;
}

}  // namespace ravel::p
