#include "front_ends/threads/test_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "host/files.h"
#include "host/interrupt.h"
#include "host/messages.h"
#include "front_ends/threads/outside_program.h"
#include "front_ends/threads/explainer.h"
#include "front_ends/threads/findings.h"
#include "front_ends/threads/program_note.h"
#include "front_ends/threads/program_tests.h"
#include "check/find_steps.h"
#include "check/ticket_writer.h"
#include "engine/explorer.h"
#include "engine/replay.h"
#include "engine/ticket.h"
#include "report/search_graph.h"
#include "report/text.h"
#include "strategy/catalogue.h"
#include "threads/search/adaptive_search.h"
#include "threads/search/noted_steps.h"
#include "threads/search/variable_names.h"

namespace ravel::threads {

namespace {

// Bugs beyond these are told by their titles.
constexpr std::size_t kExplainedMax = 10;

}  // namespace

TestSearch::TestSearch(const ProgramCall& call, const Configuration& configuration, const SearchSettings& settings,
                       VariableParts parts, const std::string& folder, const ReportOptions& report)
    : call_(call), configuration_(configuration), settings_(settings), parts_(parts), folder_(folder), report_(report), progress_(stderr) {}

SearchOrder TestSearch::order(const SavedTest* before) const {
  const StrategyOptions& options = settings_.strategy_options;
  SearchOrder order{.strategy = std::string(settings_.strategy->name),
                    .in_turns_with = settings_.in_turns_with,
                    .seed = options.seed,
                    .strategy_executions = options.executions,
                    .bound = options.bound,
                    .depth = options.depth,
                    .variables = options.variables,
                    .threads = options.threads,
                    .iterations = options.iterations,
                    .early = options.early,
                    .naming = {},
                    .seconds = settings_.limits.seconds,
                    .memory = settings_.limits.memory ? std::optional(settings_.limits.memory->bytes) : std::nullopt,
                    .executions = settings_.limits.executions,
                    .events_max = settings_.limits.events_max,
                    .long_executions = settings_.limits.long_executions,
                    .keeps_going = settings_.limits.after_bug == AfterBug::kKeepGoing || !ignored_.empty(),
                    .prefix = prefix_,
                    .position = {},
                    .so_far = {}};
  if (before != nullptr) {
    order.position = before->tested.exploration.position;
    order.so_far = before->tested.exploration.counts;
  }
  return order;
}

// For one that draws variables, statements count as variables, of which there are few; others look at blocks
// one by one. SURW also draws arrays as a whole.
VariableNaming TestSearch::naming(const Symbols& symbols) const {
  VariableNaming naming{.arrays_are_whole = parts_ == VariableParts::kWhole,
                        .by_statement = settings_.bounds_variables() && settings_.traits().samples};
  if (naming.arrays_are_whole || settings_.traits().draws_arrays) naming.arrays = symbols.arrays();
  if (naming.by_statement) naming.own_code = symbols.own_code();
  return naming;
}

Error TestSearch::prefix_error(std::uint64_t step) const {
  return Error{fmt::format("{}: the program can't take event {} of the trace. 'ravel replay' of the trace says more.", call_.path, step)};
}

Result<SearchedTest> TestSearch::run(const std::string& label, const SavedTest* before) {
  progress_.set_label(label);
  SearchedTest result;
  result.saved.emplace();
  result.tested.test = report_name(call_);
  if (before != nullptr) {
    const auto noted = parse_program_note(before->program, "the search");
    if (!noted) return noted.error();
    if (has_changed(*noted, call_))
      return Error{call_.path + ": the program has changed since, and with it what is left to search. Begin anew."};
    configuration_ = noted->configuration;
    take_over(*before, result);
  }
  SearchOrder order = this->order(before);
  configuration_.names_blocks = settings_.bounds_variables();
  auto system = RemoteSystem::start(call_, configuration_);
  if (!system) return system.error();
  order.naming = naming((*system)->symbols());
  Result<Searched> searched = configuration_.isolates ? search_outside(**system, order) : search(**system, order);
  if (!searched) {
    // Something that no handler catches has happened to the process, and the search with it.
    remark("the program's own process came to an end in the search (" + searched.error().message +
               "); the search begins again with a process for each execution, as --isolate does",
           report_.colour);
    configuration_.isolates = true;
    system = RemoteSystem::start(call_, configuration_);
    if (!system) return system.error();
    SearchOrder anew = order;
    anew.position.reset();
    anew.so_far = {};
    searched = search_outside(**system, anew);
  }
  if (searched->prefix_missing) return prefix_error(*searched->prefix_missing);
  if (searched->is_lost) return Error{call_.path + ": the search cannot go on from where it was: what the file to resume says of it is damaged, or of another program. Begin anew."};
  drop_ignored(*searched);
  Exploration& exploration = result.tested.exploration;
  exploration.strategy = searched->strategy;
  exploration.counts = searched->counts;
  exploration.stop = searched->stop;
  exploration.promise = searched->promise;
  exploration.position = searched->position;
  if (searched->stop == Stop::kUnsupported)
    exploration.refusal = (*system)->translate_refusal(searched->refusal, searched->refused_at);
  configuration_.is_fair = searched->is_fair;
  const std::vector<SourcePlace> locking = (*system)->symbols().locking_places();
  if (!locking.empty()) note_locking(locking, *searched, result);
  record_bugs(**system, *searched, result);
  exploration.counts.bugs = exploration.bugs.size();
  for (std::string& text : describe_findings(call_, configuration_, **system, searched->findings, settings_.limits.events_max))
    if (std::ranges::find(result.tested.warnings, text) == result.tested.warnings.end()) result.tested.warnings.push_back(std::move(text));
  if (before != nullptr) exploration.assumed = before->tested.exploration.assumed;
  add_places(exploration.assumed, (*system)->places_of(searched->findings));
  configuration_.tracked = searched->tracked;
  if (!graph_prefix_.empty()) result.graph = draw(graph_prefix_);
  result.saved->tested = result.tested;
  result.saved->program = print_program_note(note_program(call_, configuration_));
  return result;
}

Result<Searched> TestSearch::search(RemoteSystem& system, const SearchOrder& order) {
  const std::atomic<bool>& interrupt = catch_interrupts();
  auto searched = system.search(
      order, [&](const Counts& counts) { progress_.on_progress(counts); }, [&] { return interrupt.load(); });
  progress_.erase();
  return searched;
}

// The search runs here, and every step is a message.
Searched TestSearch::search_outside(RemoteSystem& system, const SearchOrder& order) {
  const std::atomic<bool>& interrupt = catch_interrupts();
  OutsideProgram program(system);
  Searched searched = threads::search(program, order, [&](const Counts& counts) {
    progress_.on_progress(counts);
    return !interrupt.load();
  });
  progress_.erase();
  return searched;
}

// The same search once more, from here, with the operations that it has ended with: what runs in the program's process
// is not described.
std::string TestSearch::draw(const std::string& prefix) {
  auto system = RemoteSystem::start(call_, configuration_);
  if (!system) return "";
  StrategyOptions options = settings_.strategy_options;
  options.waits_unseen = configuration_.is_fair;
  OutsideProgram program(**system);
  const VariableNaming naming = this->naming((*system)->symbols());
  if (configuration_.names_blocks) options.variable_of = variables_of(program, naming);
  options.whole_of = wholes_of(program, naming.arrays);
  options.prefix = find_prefix(program, prefix_).transitions;
  const auto strategy = make_strategy(*settings_.strategy, options);
  SearchGraph graph(*strategy);
  Limits limits = settings_.limits;
  limits.interrupt = &catch_interrupts();
  SteadyClock clock;
  Explorer(**system, graph, limits, clock, &progress_).run();
  progress_.erase();
  return graph.to_dot(report_name(call_), prefix);
}

void TestSearch::drop_ignored(Searched& searched) const {
  const auto is_ignored = [&](const std::string& kind) { return std::ranges::find(ignored_, kind) != ignored_.end(); };
  if (is_ignored("data_race")) searched.findings.races.clear();
  if (std::erase_if(searched.bugs, [&](const RawFoundBug& found) { return is_ignored(found.bug.kind); }) == 0) return;
  if (settings_.limits.after_bug == AfterBug::kStop && searched.bugs.size() > 1)
    searched.bugs.erase(searched.bugs.begin() + 1, searched.bugs.end());
}

// The program locks memory by instructions that nobody sees. A thread that waits for others by them looks as if it computed without end.
void TestSearch::note_locking(const std::vector<SourcePlace>& places, Searched& searched, SearchedTest& result) const {
  const SourcePlace& first = places.front();
  const std::string where = fmt::format("{}:{}{}", first.file.substr(first.file.rfind('/') + 1), first.line,
                                        places.size() == 1 ? "" : fmt::format(" and {}", counted(places.size() - 1, "more place")));
  const std::string what = fmt::format("inline assembly, or other code that is not instrumented, locks memory at {}; what threads do to each other there is not "
                                       "seen. Use the compiler's atomic operations", where);
  Exploration& exploration = result.tested.exploration;
  if (std::erase_if(searched.bugs, [](const RawFoundBug& found) { return found.bug.kind == "no_progress"; }) > 0 && searched.bugs.empty()) {
    exploration.stop = Stop::kUnsupported;
    exploration.refusal = Refusal{.message = what, .file = first.file, .line = first.line};
  } else {
    result.tested.warnings.push_back(what);
  }
}

// The bugs that an earlier part of the search has found, as their tickets tell them.
void TestSearch::take_over(const SavedTest& before, SearchedTest& result) const {
  const Tested& tested = before.tested;
  result.tested.warnings = tested.warnings;
  for (std::size_t i = 0; i < tested.exploration.bugs.size(); ++i) {
    result.tested.exploration.bugs.push_back(tested.exploration.bugs[i]);
    result.tested.tickets.push_back(tested.tickets[i]);
    result.tested.explanations.push_back(i < tested.explanations.size() ? tested.explanations[i] : std::nullopt);
    result.saved->bug_schedules.push_back(before.bug_schedules[i]);
    Recording& recording = result.recordings.emplace_back();
    const auto text = read_text_file(tested.tickets[i]);
    const auto ticket = text ? parse_ticket(*text, tested.tickets[i]) : Result<Ticket>(text.error());
    const auto noted = ticket ? parse_program_note(ticket->program, tested.tickets[i]) : Result<ProgramNote>(ticket.error());
    if (!noted) continue;
    auto system = RemoteSystem::start(call_, noted->configuration);
    if (system) recording = replay(**system, *ticket).recording;
  }
}

// Each bug with its recorded execution, from a process of its own.
void TestSearch::record_bugs(RemoteSystem& system, const Searched& searched, SearchedTest& result) const {
  std::vector<FoundBug>& bugs = result.tested.exploration.bugs;
  for (const RawFoundBug& raw : searched.bugs) {
    Configuration configuration = configuration_;
    configuration.tracked = raw.tracked;
    configuration.watched = raw.bug.watched;
    configuration.is_fair = raw.is_fair;
    FoundBug found{.bug = system.translate(raw.bug),
                   .schedule = raw.schedule,
                   .preemptions = raw.preemptions,
                   .executions = raw.executions,
                   .first_execution = raw.first_execution,
                   .bounds = raw.bounds};
    Recording recording;
    auto replayer = RemoteSystem::start(call_, configuration);
    if (replayer) recording = record_carefully(**replayer, system, found.schedule, settings_.limits.events_max);
    if (recording.bug) {
      found.bug = *recording.bug;
    } else {
      remark("the schedule of '" + found.bug.message + "' did not lead there again: the program depends on more than its schedule",
             report_.colour);
    }
    if (recording.bug && found.bounds && !found.bounds->objects.empty())
      found.variables = name_objects(configuration, system, found.schedule, found.bounds->objects);
    const auto known = std::ranges::find_if(bugs, [&](const FoundBug& bug) { return bug.bug.is_same(found.bug); });
    if (known != bugs.end()) {
      known->executions += found.executions;
      continue;
    }
    std::vector<NamedStep> steps = name_steps(found.schedule, system);
    bugs.push_back(std::move(found));
    result.tested.tickets.push_back(recording.bug ? write_ticket(recording, configuration) : "");
    const bool is_told = recording.bug && bugs.size() <= kExplainedMax;
    result.tested.explanations.push_back(is_told ? explain_threads_bug(**replayer, recording, settings_.limits.events_max) : std::nullopt);
    result.recordings.push_back(std::move(recording));
    result.saved->bug_schedules.push_back(std::move(steps));
  }
}

// Objects are those of the execution, which is run again up to the event before its last: behind that the process may be gone.
std::vector<NamedVariable> TestSearch::name_objects(Configuration configuration, const RemoteSystem& found_in,
                                                       const std::vector<Transition>& schedule,
                                                       const std::vector<std::uint64_t>& objects) const {
  configuration.isolates = false;
  auto system = RemoteSystem::start(call_, configuration);
  if (!system) return {};
  (*system)->reset();
  for (std::size_t i = 0; i + 1 < schedule.size(); ++i) {
    const auto actor = (*system)->find_actor(found_in.actor_name(schedule[i].actor));
    if (!actor || (*system)->outcome() != Outcome::kRunning) return {};
    (*system)->step({.actor = *actor, .alternative = schedule[i].alternative, .kind = schedule[i].kind});
  }
  std::vector<NamedVariable> named;
  for (const std::uint64_t object : objects) named.push_back((*system)->variable_at(object));
  return named;
}

std::string TestSearch::write_ticket(const Recording& recording, const Configuration& configuration) const {
  Configuration replayed = configuration;
  replayed.isolates = false;  // for one execution a process is enough
  const auto path = ravel::write_ticket({.folder = folder_,
                                         .front_end = kFrontEndName,
                                         .test = file_name(call_),
                                         .program = print_program_note(note_program(call_, replayed)),
                                         .events_max = settings_.limits.events_max},
                                        recording, *recording.bug);
  if (path) return *path;
  remark("a ticket could not be written: " + path.error().message, report_.colour);
  return "";
}

}  // namespace ravel::threads
