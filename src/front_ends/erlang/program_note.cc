#include "front_ends/erlang/program_note.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ravel::erlang {

namespace {

using Json = nlohmann::ordered_json;

std::string hexadecimal(const Md5Digest& digest) {
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

// The kinds of ends that are no bugs, as --ignore names them.
std::vector<std::string> ignored_kinds(const Properties& properties) {
  std::vector<std::string> kinds;
  if (properties.ignores_deadlocks) kinds.emplace_back("deadlock");
  if (properties.ignores_exits) kinds.emplace_back("exit");
  if (properties.ignores_halts) kinds.emplace_back("halt");
  return kinds;
}

void ignore_kind(std::string_view kind, Properties& properties) {
  if (kind == "deadlock") properties.ignores_deadlocks = true;
  if (kind == "exit") properties.ignores_exits = true;
  if (kind == "halt") properties.ignores_halts = true;
}

Json texts_of(const std::vector<ProcessPattern>& patterns) {
  Json texts = Json::array();
  for (const ProcessPattern& pattern : patterns) texts.push_back(pattern.text);
  return texts;
}

// A name that means nothing here means nobody.
std::vector<ProcessPattern> patterns_from_json(const Json& texts) {
  std::vector<ProcessPattern> patterns;
  for (const Json& text : texts) {
    const auto pattern = ProcessPattern::parse(text.get<std::string>());
    patterns.push_back(pattern ? *pattern : ProcessPattern{.text = text});
  }
  return patterns;
}

MishapOptions mishaps_from_json(const Json& json) {
  return {.kills = json.at("kills"),
          .victims = patterns_from_json(json.at("victims")),
          .losses = json.at("losses"),
          .duplications = json.at("duplications"),
          .slow = patterns_from_json(json.at("slow"))};
}

std::vector<std::string> files_of_properties(const Properties& properties) {
  std::vector<std::string> files;
  for (const std::string& property : properties.monitored)
    if (std::string file = file_of_property(property); !file.empty()) files.push_back(std::move(file));
  return files;
}

}  // namespace

ProgramNote note_program(const Program& program, const TestName& test, const ErlangOptions& options) {
  const ProgramOptions& opened = program.options();
  ProgramNote noted{.test = test.to_string(),
                    .files = note_paths(opened.files),
                    .include_folders = note_paths(opened.include_folders),
                    .code_folders = note_paths(opened.code_folders),
                    .defines = opened.defines,
                    .erlc_options = opened.erlc_options,
                    .applications = opened.applications,
                    .configuration_files = note_paths(opened.configuration_files),
                    .optional_files = note_paths(opened.optional_files),
                    .test_configuration_files = note_paths(opened.test_configuration_files),
                    .common_test_hooks = opened.common_test_hooks,
                    .environment = opened.environment,
                    .modules = {},
                    .properties = options.properties,
                    .property_files = note_paths(files_of_properties(options.properties)),
                    .step_limit = options.machine.reductions_per_step_max,
                    .explores_blocking = options.machine.blocking == Blocking::kExplore,
                    .atomic_modules = options.machine.atomic_modules,
                    .stubs = options.machine.stubs,
                    .environment_variables = options.machine.environment,
                    .watched_code = options.machine.watched_code,
                    .after_infinite_ms = options.machine.after_infinite_ms,
                    .time = options.machine.time,
                    .fires_early = options.machine.fires_early,
                    .mishaps = options.machine.mishaps,
                    .has_channels = options.machine.delivery == Delivery::kChannels,
                    .ends_stepwise = options.machine.ends == Ends::kStepwise,
                    .steps_to_receives = options.machine.steps == Steps::kReceives,
                    .names_recur = options.machine.recurring,
                    .has_virtual_clocks = options.machine.clocks == Clocks::kVirtual,
                    .random_seed = options.machine.random_seed};
  for (const ProgramModule& module : program.modules())
    noted.modules.push_back({.name = module.name, .md5 = hexadecimal(module.beam.md5)});
  return noted;
}

std::string print_program_note(const ProgramNote& program) {
  Json json = {{"test", program.test},
               {"files", paths_to_json<Json>(program.files)},
               {"include_folders", paths_to_json<Json>(program.include_folders)},
               {"code_folders", paths_to_json<Json>(program.code_folders)},
               {"defines", Json::array()},
               {"modules", Json::array()},
               {"normal_reasons", program.properties.normal_reasons},
               {"ignored", ignored_kinds(program.properties)},
               {"leftovers_are_bugs", program.properties.leftovers == Leftovers::kBugs},
               {"all_crashes_are_bugs", program.properties.crashes == Crashes::kAll},
               {"assertions_only", program.properties.assertions_only},
               {"first_process_only", program.properties.first_process_only},
               {"step_limit", program.step_limit},
               {"explores_blocking", program.explores_blocking},
               {"after_infinite_ms", program.after_infinite_ms},
               {"follows_deadlines", program.time == TimePolicy::kDeadlines},
               {"time_passes_when_idle", program.time == TimePolicy::kIdle},
               {"fires_early", program.fires_early},
               {"has_channels", program.has_channels},
               {"ends_stepwise", program.ends_stepwise},
               {"steps_to_receives", program.steps_to_receives},
               {"has_virtual_clocks", program.has_virtual_clocks},
               {"random_seed", program.random_seed}};
  if (!program.erlc_options.empty()) json["erlc_options"] = program.erlc_options;
  if (!program.applications.empty()) {
    json["applications"] = program.applications;
    json["environment"] = program.environment;
  }
  const auto add_paths = [&](const char* name, const std::vector<NotedPath>& paths) {
    if (!paths.empty()) json[name] = paths_to_json<Json>(paths);
  };
  add_paths("configuration_files", program.configuration_files);
  add_paths("optional_files", program.optional_files);
  add_paths("test_configuration_files", program.test_configuration_files);
  if (!program.properties.formulas.empty()) json["formulas"] = program.properties.formulas;
  if (program.properties.asks_about_progress) json["asks_about_progress"] = true;
  if (program.names_recur) json["names_recur"] = true;
  if (!program.properties.monitored.empty()) json["properties"] = program.properties.monitored;
  add_paths("property_files", program.property_files);
  if (!program.common_test_hooks.empty()) json["common_test_hooks"] = program.common_test_hooks;
  if (!program.atomic_modules.empty()) json["atomic_modules"] = program.atomic_modules;
  for (const auto& [replaced, stub] : program.stubs)
    json["stubs"].push_back({{"module", replaced}, {"stub", stub}});
  for (const auto& [name, value] : program.environment_variables)
    json["environment_variables"].push_back({{"name", name}, {"value", value}});
  if (program.mishaps.count() > 0 || !program.mishaps.slow.empty())
    json["faults"] = {{"kills", program.mishaps.kills},
                      {"victims", texts_of(program.mishaps.victims)},
                      {"losses", program.mishaps.losses},
                      {"duplications", program.mishaps.duplications},
                      {"slow", texts_of(program.mishaps.slow)}};
  for (const WatchedCode& one : program.watched_code)
    json["watched_code"].push_back(one.kind == WatchedCode::Kind::kDevices
                                       ? Json{{"devices", true}}
                                       : Json{{"module", one.module}, {"is_shared", one.is_shared}});
  for (const auto& [name, value] : program.defines)
    json["defines"].push_back({{"name", name}, {"value", value}});
  for (const NotedModule& module : program.modules)
    json["modules"].push_back({{"name", module.name}, {"md5", module.md5}});
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<ProgramNote> parse_program_note(std::string_view text, std::string_view name) {
  ProgramNote program;
  try {
    const Json json = Json::parse(text);
    program.test = json.at("test");
    program.files = paths_from_json(json.at("files"));
    program.include_folders = paths_from_json(json.at("include_folders"));
    program.code_folders = paths_from_json(json.at("code_folders"));
    for (const Json& define : json.at("defines"))
      program.defines.emplace_back(define.at("name"), define.at("value"));
    for (const Json& module : json.at("modules"))
      program.modules.push_back({.name = module.at("name"), .md5 = module.at("md5")});
    for (const Json& reason : json.at("normal_reasons")) program.properties.normal_reasons.push_back(reason);
    program.step_limit = json.at("step_limit");
    program.explores_blocking = json.at("explores_blocking");
    // Older tickets do not have these.
    for (const Json& kind : json.value("ignored", Json::array()))
      ignore_kind(kind.get<std::string>(), program.properties);
    if (json.value("leftovers_are_bugs", true)) program.properties.leftovers = Leftovers::kBugs;
    if (json.value("all_crashes_are_bugs", true)) program.properties.crashes = Crashes::kAll;
    program.properties.assertions_only = json.value("assertions_only", false);
    program.properties.first_process_only = json.value("first_process_only", false);
    program.properties.monitored = json.value("properties", program.properties.monitored);
    program.properties.formulas = json.value("formulas", program.properties.formulas);
    program.properties.asks_about_progress = json.value("asks_about_progress", false);
    program.names_recur = json.value("names_recur", false);
    program.property_files = paths_from_json(json.value("property_files", Json::array()));
    program.erlc_options = json.value("erlc_options", program.erlc_options);
    program.applications = json.value("applications", program.applications);
    program.configuration_files = paths_from_json(json.value("configuration_files", Json::array()));
    program.optional_files = paths_from_json(json.value("optional_files", Json::array()));
    program.test_configuration_files = paths_from_json(json.value("test_configuration_files", Json::array()));
    program.common_test_hooks = json.value("common_test_hooks", program.common_test_hooks);
    program.environment = json.value("environment", ProgramOptions{}.environment);
    program.atomic_modules = json.value("atomic_modules", program.atomic_modules);
    for (const Json& stub : json.value("stubs", Json::array()))
      program.stubs.emplace_back(stub.at("module"), stub.at("stub"));
    for (const Json& variable : json.value("environment_variables", Json::array()))
      program.environment_variables.emplace_back(variable.at("name"), variable.at("value"));
    for (const Json& one : json.value("watched_code", Json::array())) {
      if (one.contains("devices")) {
        program.watched_code.push_back({.kind = WatchedCode::Kind::kDevices});
        continue;
      }
      const std::string module = one.at("module");
      program.watched_code.push_back(
          {.kind = module.empty() ? WatchedCode::Kind::kPath : WatchedCode::Kind::kModule,
           .module = module,
           .is_shared = one.at("is_shared")});
    }
    program.after_infinite_ms = json.value("after_infinite_ms", program.after_infinite_ms);
    if (json.value("follows_deadlines", false)) program.time = TimePolicy::kDeadlines;
    if (json.value("time_passes_when_idle", false)) program.time = TimePolicy::kIdle;
    program.fires_early = json.value("fires_early", false);
    if (json.contains("faults")) program.mishaps = mishaps_from_json(json.at("faults"));
    program.has_channels = json.value("has_channels", program.has_channels);
    program.steps_to_receives = json.value("steps_to_receives", false);
    program.ends_stepwise = json.value("ends_stepwise", false);  // as before there was a choice
    program.has_virtual_clocks = json.value("has_virtual_clocks", program.has_virtual_clocks);
    program.random_seed = json.value("random_seed", program.random_seed);
  } catch (const Json::exception&) {
    return Error{
        std::string(name) +
        ": this ticket is damaged: its description of the program is not complete. Run 'ravel check' "
        "again."};
  }
  return program;
}

ProgramOptions options_to_reopen(const ProgramNote& program, std::span<const std::string> files) {
  ProgramOptions options{.files = {files.begin(), files.end()},
                         .include_folders = reopened(program.include_folders),
                         .code_folders = reopened(program.code_folders),
                         .defines = program.defines,
                         .erlc_options = program.erlc_options,
                         .applications = program.applications,
                         .configuration_files = reopened(program.configuration_files),
                         .environment = program.environment,
                         .optional_files = reopened(program.optional_files),
                         .test_configuration_files = reopened(program.test_configuration_files),
                         .common_test_hooks = program.common_test_hooks};
  if (files.empty()) options.files = reopened(program.files);
  for (const std::string& file : reopened(program.property_files))
    if (std::ranges::find(options.files, file) == options.files.end()) options.files.push_back(file);
  return options;
}

ErlangOptions erlang_options(const ProgramNote& program) {
  ErlangOptions options;
  options.properties = program.properties;
  options.machine.reductions_per_step_max = program.step_limit;
  options.machine.blocking = program.explores_blocking ? Blocking::kExplore : Blocking::kAvoid;
  options.machine.after_infinite_ms = program.after_infinite_ms;
  if (program.has_channels) options.machine.delivery = Delivery::kChannels;
  options.machine.steps = program.steps_to_receives ? Steps::kReceives : Steps::kOperations;
  options.machine.ends = program.ends_stepwise ? Ends::kStepwise : Ends::kAtomic;
  options.machine.time = program.time;
  options.machine.fires_early = program.fires_early;
  options.machine.mishaps = program.mishaps;
  if (program.time != TimePolicy::kAny && program.has_virtual_clocks)
    options.machine.clocks = Clocks::kVirtual;
  options.machine.observes = !program.properties.monitored.empty() || !program.properties.formulas.empty() ||
                             program.properties.asks_about_progress;
  options.machine.recurring = program.names_recur;
  options.machine.random_seed = program.random_seed;
  options.machine.atomic_modules = program.atomic_modules;
  options.machine.stubs = program.stubs;
  options.machine.environment = program.environment_variables;
  options.machine.watched_code = program.watched_code;
  return options;
}

std::vector<std::string> changed_modules(const ProgramNote& noted, const Program& program) {
  std::vector<std::string> changed;
  for (const NotedModule& module : noted.modules) {
    const ProgramModule* const now = program.find(module.name);
    if (now == nullptr || hexadecimal(now->beam.md5) != module.md5) changed.push_back(module.name);
  }
  for (const ProgramModule& module : program.modules()) {
    if (!std::ranges::count(noted.modules, module.name, &NotedModule::name)) changed.push_back(module.name);
  }
  return changed;
}

}  // namespace ravel::erlang
