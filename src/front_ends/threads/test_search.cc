#include "front_ends/threads/test_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/memory.h"
#include "check/ticket_writer.h"
#include "engine/explorer.h"
#include "engine/named_step.h"
#include "engine/replay.h"
#include "engine/ticket.h"
#include "front_ends/threads/explainer.h"
#include "front_ends/threads/findings.h"
#include "front_ends/threads/outside_program.h"
#include "front_ends/threads/program_note.h"
#include "front_ends/threads/program_tests.h"
#include "host/files.h"
#include "host/interrupt.h"
#include "host/messages.h"
#include "report/noted_search.h"
#include "report/text.h"
#include "strategy/catalogue.h"
#include "threads/search/adaptive_search.h"
#include "threads/search/noted_steps.h"
#include "threads/search/variable_names.h"

namespace ravel::threads {

namespace {

// Bugs beyond these are told by their titles.
constexpr std::size_t kExplainedMax = 10;

// Erases bugs of both lists; returns how many that were.
template <class Wanted>
std::size_t erase_bugs(Searched& searched, Wanted is_erased) {
  std::size_t kept = 0;
  const std::size_t count = searched.raw_bugs.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (is_erased(searched.raw_bugs[i])) continue;
    if (kept != i) {
      searched.raw_bugs[kept] = std::move(searched.raw_bugs[i]);
      searched.result.bugs[kept] = std::move(searched.result.bugs[i]);
    }
    ++kept;
  }
  searched.raw_bugs.resize(kept);
  searched.result.bugs.resize(kept);
  return count - kept;
}

}  // namespace

TestSearch::TestSearch(const ProgramCall& call, const Configuration& configuration,
                       const SearchSettings& settings, VariableParts parts, const std::string& folder,
                       const ReportOptions& report)
    : call_(call),
      configuration_(configuration),
      settings_(settings),
      parts_(parts),
      folder_(folder),
      report_(report),
      progress_(stderr) {}

SearchOrder TestSearch::order(const SavedTest* before) const {
  SearchOrder order{.request = settings_.request, .tracked = prefix_tracked_};
  order.request.prefix = prefix_;
  if (!ignored_.empty()) order.request.limits.after_bug = AfterBug::kKeepGoing;
  if (before != nullptr) {
    // Bugs of the interrupted search have their tickets, which is all that is needed of them.
    order.request.so_far = before->report.result;
    order.request.so_far->bugs.clear();
  }
  return order;
}

// For a strategy that draws variables, statements count as variables, of which there are few; other
// strategies look at blocks one by one. SURW also draws arrays as a whole.
VariableNaming TestSearch::naming(const Symbols& symbols) const {
  VariableNaming naming{.arrays_are_whole = parts_ == VariableParts::kWhole,
                        .by_statement = settings_.bounds_variables() && settings_.traits().samples};
  if (naming.arrays_are_whole || settings_.traits().draws_arrays) naming.arrays = symbols.arrays();
  if (naming.by_statement) naming.own_code = symbols.own_code();
  return naming;
}

Error TestSearch::prefix_error(std::uint64_t step) const {
  return Error{
      fmt::format("{}: the program can't take event {} of the trace. 'ravel replay' of the trace says more.",
                  call_.path, step)};
}

Result<SearchedTest> TestSearch::run(const std::string& label, const SavedTest* before) {
  progress_.set_label(label);
  SearchedTest done;
  done.saved.emplace();
  done.report.test = report_name(call_);
  if (before != nullptr) {
    const auto noted = parse_program_note(before->program, "the search");
    if (!noted) return noted.error();
    if (has_changed(*noted, call_))
      return Error{call_.path +
                   ": the program has changed since, and with it what is left to search. Begin anew."};
    configuration_ = noted->configuration;
    take_over(*before, done);
  }
  SearchOrder order = this->order(before);
  configuration_.names_blocks = settings_.bounds_variables();
  auto system = RemoteSystem::start(call_, configuration_);
  if (!system) return system.error();
  const StrategyEntry& strategy = *find_strategy(settings_.request.strategy);
  // It numbers them where it searches itself.
  SystemParts parts = (*system)->parts();
  parts.numbers_states = !configuration_.isolates;
  if (Status fitting = check_parts(strategy, parts); !fitting) return fitting.error();
  order.naming = naming((*system)->symbols());
  Result<Searched> searched =
      configuration_.isolates ? search_outside(**system, order) : search(**system, order);
  const bool by_states = strategy.traits.by_states.has_value();
  if (!searched && by_states)
    return Error{
        fmt::format("{}: the program's own process came to an end in the search ({}), which cannot go on by "
                    "states with a "
                    "process for each execution; choose another strategy.",
                    call_.path, searched.error().message)};
  if (!searched) {
    // Something that no handler catches has happened to the process, and the search with it.
    remark("the program's own process came to an end in the search (" + searched.error().message +
               "); the search begins again with a process for each execution, as --isolate does",
           report_.colour);
    configuration_.isolates = true;
    system = RemoteSystem::start(call_, configuration_);
    if (!system) return system.error();
    SearchOrder anew = order;
    anew.request.so_far.reset();
    searched = search_outside(**system, anew);
  }
  if (searched->prefix_missing) return prefix_error(*searched->prefix_missing);
  if (searched->is_lost)
    return Error{call_.path +
                 ": the search cannot go on from where it was: what the file to resume says of it is "
                 "damaged, or of another program. Begin anew."};
  configuration_.by_states = by_states;
  drop_ignored(*searched);
  SearchResult& found = done.report.result;
  std::vector<NamedBug> bugs_before = std::move(found.bugs);
  found = searched->result;
  found.bugs = std::move(bugs_before);
  if (found.refusal)
    found.refusal = (*system)->translate_refusal(found.refusal->message, searched->refused_at);
  configuration_.is_fair = searched->is_fair;
  const std::vector<SourcePlace> locking = (*system)->symbols().locking_places();
  if (!locking.empty()) note_locking(locking, *searched, done);
  record_bugs(**system, *searched, done);
  found.counts.bugs = found.bugs.size();
  for (std::string& text : describe_findings(call_, configuration_, **system, searched->findings,
                                             settings_.request.limits.events_max))
    if (std::ranges::find(done.report.warnings, text) == done.report.warnings.end())
      done.report.warnings.push_back(std::move(text));
  if (by_states && searched->findings.has_weak_orders && configuration_.races_are_bugs)
    done.report.warnings.emplace_back(
        "data races that only an order weaker than sequential consistency makes were not looked for: of the "
        "ways that lead to a state a search by states takes one");
  if (by_states && searched->findings.has_progress)
    done.report.warnings.emplace_back(
        "executions that go on for ever without ravel_progress() were not looked for: that needs the states, "
        "of which a search of a program of C or C++ keeps hashes");
  if (before != nullptr) found.assumed = before->report.result.assumed;
  add_places(found.assumed, (*system)->places_of(searched->findings));
  configuration_.tracked = searched->tracked;
  done.saved->report = done.report;
  done.saved->report.recordings.clear();
  if (is_noted_) done.report.tree = note_search();
  done.saved->program = print_program_note(note_program(call_, configuration_));
  return done;
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

// Runs the search once more, from here, with the operations that it has ended with: what runs in the
// program's process is not described.
std::optional<SearchTree> TestSearch::note_search() {
  auto system = RemoteSystem::start(call_, configuration_);
  if (!system) return std::nullopt;
  OutsideProgram program(**system);
  const VariableNaming naming = this->naming((*system)->symbols());
  StrategyContext context = {.waits_unseen = configuration_.is_fair,
                             .whole_of = wholes_of(program, naming.arrays)};
  if (configuration_.names_blocks) context.variable_of = variables_of(program, naming);
  context.prefix = find_prefix(program, prefix_, prefix_tracked_).transitions;
  const auto strategy =
      make_strategy(*find_strategy(settings_.request.strategy), settings_.request.parameters, context);
  NotedSearch noted(*strategy, **system);
  SteadyClock clock;
  Explorer(**system, noted, settings_.request.limits, clock,
           {.listener = &progress_, .interrupt = &catch_interrupts(), .held_memory = resident_bytes})
      .run();
  progress_.erase();
  return noted.tree();
}

void TestSearch::drop_ignored(Searched& searched) const {
  const auto is_ignored = [&](const std::string& kind) {
    return std::ranges::find(ignored_, kind) != ignored_.end();
  };
  if (is_ignored("data_race")) searched.findings.races.clear();
  if (erase_bugs(searched, [&](const RawFoundBug& found) { return is_ignored(found.bug.kind); }) == 0) return;
  if (settings_.request.limits.after_bug == AfterBug::kStop && searched.raw_bugs.size() > 1) {
    searched.result.bugs.resize(1);
    searched.raw_bugs.resize(1);
  }
}

// The program locks memory by instructions that nobody sees. A thread that waits for others by them looks as
// if it computed without end.
void TestSearch::note_locking(const std::vector<SourcePlace>& places, Searched& searched,
                              SearchedTest& done) const {
  const SourcePlace& first = places.front();
  const std::string where =
      fmt::format("{}:{}{}", first.file.substr(first.file.rfind('/') + 1), first.line,
                  places.size() == 1 ? "" : fmt::format(" and {}", counted(places.size() - 1, "more place")));
  const std::string what = fmt::format(
      "inline assembly, or other code that is not instrumented, locks memory at {}; what threads do to each "
      "other there is not "
      "seen. Use the compiler's atomic operations",
      where);
  const auto is_of_waiting = [](const RawFoundBug& found) { return found.bug.kind == "no_progress"; };
  if (erase_bugs(searched, is_of_waiting) > 0 && searched.raw_bugs.empty()) {
    done.report.result.stop = Stop::kUnsupported;
    done.report.result.refusal = Refusal{.message = what, .file = first.file, .line = first.line};
  } else {
    done.report.warnings.push_back(what);
  }
}

// The bugs that an earlier part of the search has found, as their tickets tell them.
void TestSearch::take_over(const SavedTest& before, SearchedTest& done) const {
  const TestReport& tested = before.report;
  done.report.warnings = tested.warnings;
  for (std::size_t i = 0; i < tested.result.bugs.size(); ++i) {
    done.report.result.bugs.push_back(tested.result.bugs[i]);
    done.report.tickets.push_back(tested.tickets[i]);
    done.report.explanations.push_back(i < tested.explanations.size() ? tested.explanations[i]
                                                                      : std::nullopt);
    Recording& recording = done.report.recordings.emplace_back();
    const auto text = read_text_file(tested.tickets[i]);
    const auto ticket = text ? parse_ticket(*text, tested.tickets[i]) : Result<Ticket>(text.error());
    const auto noted =
        ticket ? parse_program_note(ticket->program, tested.tickets[i]) : Result<ProgramNote>(ticket.error());
    if (!noted) continue;
    auto system = RemoteSystem::start(call_, noted->configuration);
    if (system) recording = replay(**system, *ticket).recording;
  }
}

// Records each bug with its execution, in a process of its own.
void TestSearch::record_bugs(RemoteSystem& system, const Searched& searched, SearchedTest& done) const {
  std::vector<NamedBug>& bugs = done.report.result.bugs;
  for (std::size_t i = 0; i < searched.raw_bugs.size(); ++i) {
    const RawFoundBug& raw = searched.raw_bugs[i];
    Configuration configuration = configuration_;
    configuration.tracked = raw.tracked;
    configuration.watched = raw.bug.watched;
    configuration.is_fair = raw.is_fair;
    NamedBug found = searched.result.bugs[i];
    found.bug = system.translate(raw.bug);
    Recording recording;
    auto replayer = RemoteSystem::start(call_, configuration);
    if (replayer)
      recording = record_carefully(**replayer, found.schedule, settings_.request.limits.events_max);
    if (recording.bug) {
      found.bug = *recording.bug;
    } else {
      remark("the schedule of '" + found.bug.message +
                 "' did not lead there again: the program depends on more than its schedule",
             report_.colour);
    }
    if (recording.bug && found.bounds && !found.bounds->objects.empty())
      found.variables = name_objects(configuration, found.schedule, found.bounds->objects);
    const auto known =
        std::ranges::find_if(bugs, [&](const NamedBug& bug) { return bug.bug.is_same(found.bug); });
    if (known != bugs.end()) {
      known->executions += found.executions;
      continue;
    }
    bugs.push_back(std::move(found));
    done.report.tickets.push_back(recording.bug ? write_ticket(recording, configuration) : "");
    const bool is_told = recording.bug && bugs.size() <= kExplainedMax;
    done.report.explanations.push_back(
        is_told ? explain_threads_bug(**replayer, recording, settings_.request.limits.events_max)
                : std::nullopt);
    done.report.recordings.push_back(std::move(recording));
  }
}

// Objects are those of the execution, which is run again up to the event before its last: after that the
// process may be gone.
std::vector<NamedVariable> TestSearch::name_objects(Configuration configuration,
                                                    const std::vector<NamedStep>& schedule,
                                                    const std::vector<std::uint64_t>& objects) const {
  configuration.isolates = false;
  auto system = RemoteSystem::start(call_, configuration);
  if (!system) return {};
  (*system)->reset();
  for (std::size_t i = 0; i + 1 < schedule.size(); ++i) {
    const auto actor = (*system)->find_actor(schedule[i].actor);
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
                                         .events_max = settings_.request.limits.events_max},
                                        recording, *recording.bug);
  if (path) return *path;
  remark("a ticket could not be written: " + path.error().message, report_.colour);
  return "";
}

}  // namespace ravel::threads
