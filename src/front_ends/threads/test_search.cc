#include "front_ends/threads/test_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/explorer.h"
#include "engine/named_step.h"
#include "engine/replay.h"
#include "engine/ticket.h"
#include "front_ends/threads/divided_search.h"
#include "front_ends/threads/explainer.h"
#include "front_ends/threads/findings.h"
#include "front_ends/threads/noted_bytes.h"
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

// Of a search without fairness: what needs fairness if something else shows (LoopUses).
std::string note_of(const LoopUses& loops) {
  if (loops == LoopUses()) return kNoBytes;
  Writer out;
  out << loops;
  return json_of_bytes(out.bytes());
}

// Nothing: it is damaged.
std::optional<LoopUses> noted_loops(std::string_view own) {
  const std::optional<std::string> bytes = bytes_of_json(own);
  LoopUses loops;
  if (!bytes) return std::nullopt;
  if (bytes->empty()) return loops;
  Reader in(*bytes);
  in >> loops;
  return in.ok() ? std::optional(loops) : std::nullopt;
}

// Bugs beyond these are told by their titles.
constexpr std::size_t kExplainedMax = 10;

// A search that several processes could have had parts of, and that took longer, is worth a remark.
constexpr double kSecondsAloneTold = 1;
// After so long it is worth knowing that there could be several.
constexpr double kSecondsBeforeSuggestion = 10;

void add_warning(SearchedTest& done, const std::string& text) {
  std::vector<std::string>& warnings = done.report.warnings;
  if (std::ranges::find(warnings, text) == warnings.end()) warnings.push_back(text);
}

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
      report_(report),
      recorder_(call, folder, report, settings.request.limits.events_max),
      progress_(stderr) {}

SearchOrder TestSearch::order(const SavedTest* before) const {
  SearchOrder order{.request = settings_.request, .tracked = prefix_tracked_, .keeping = settings_.keeping};
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
    // Who has parts has all bugs of the search.
    if (parts_work_ == nullptr) take_over(*before, done);
  }
  SearchOrder order = this->order(parts_work_ == nullptr ? before : nullptr);
  if (order.request.so_far) {
    const std::optional<LoopUses> loops = noted_loops(before->own);
    if (!loops) return Error{"the search: what is noted of the program's loops is damaged. Begin anew."};
    order.loops = *loops;
  }
  configuration_.names_blocks = settings_.bounds_variables();
  configuration_.tells_explorer = has_own_explorer();
  auto system = RemoteSystem::start(call_, configuration_);
  if (!system) return system.error();
  const StrategyEntry& strategy = *find_strategy(settings_.request.strategy);
  // It numbers them where it searches itself.
  SystemParts parts = (*system)->parts();
  parts.numbers_states = !configuration_.isolates;
  if (Status fitting = check_parts(strategy, parts); !fitting) return fitting.error();
  order.naming = naming((*system)->texts().symbols());
  if (parts_work_ != nullptr) {
    auto searched = divide(**system, order);
    if (!searched) return searched.error();
    if (*searched) conclude(**system, std::move(**searched), nullptr, When::kAtTheEnd, configuration_, done);
    return done;
  }
  const Keep keep = [&](Searched now) { this->keep(**system, std::move(now), before, done); };
  const bool is_outside = configuration_.isolates || has_own_explorer();
  Result<Searched> searched =
      is_outside ? search_outside(**system, order, keep) : search(**system, order, keep);
  done.needs_machine = (*system)->needs_machine();
  if (done.needs_machine) return done;
  if (!searched && (*system)->is_to_be_alone()) {
    (*system)->set_configuration(configuration_);
    searched = search(**system, order, keep);
  }
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
    anew.loops = {};
    searched = search_outside(**system, anew, keep);
    done.needs_machine = (*system)->needs_machine();
    if (done.needs_machine) return done;
  }
  if (searched->prefix_missing) return prefix_error(*searched->prefix_missing);
  if (searched->is_lost)
    return Error{call_.path +
                 ": the search cannot go on from where it was: what the file to resume says of it is "
                 "damaged, or of another program or explorer. Begin anew."};
  tell_undivided(searched->result.counts.seconds);
  conclude(**system, std::move(*searched), before, When::kAtTheEnd, configuration_, done);
  if (is_noted_) done.report.tree = note_search();
  return done;
}

void TestSearch::tell_undivided(double seconds) const {
  if (suggested_jobs_ > 1 && undivided_.empty() && seconds >= kSecondsBeforeSuggestion)
    remark(fmt::format("{}: one process has visited the states; with --jobs {} as many do",
                       report_name(call_), suggested_jobs_),
           report_.colour);
  if (!is_told_undivided_ || undivided_.empty() || seconds < kSecondsAloneTold) return;
  remark(
      fmt::format("--jobs {}: one process has searched {}, since {}", jobs_, report_name(call_), undivided_),
      report_.colour);
}

// What is told of a search, and saved of it. `done` has what an earlier part has found, `configuration`
// becomes the one with which the search goes on.
void TestSearch::conclude(RemoteSystem& system, Searched searched, const SavedTest* before, When when,
                          Configuration& configuration, SearchedTest& done) {
  const bool by_states = settings_.traits().by_states.has_value();
  configuration.by_states = by_states;
  drop_ignored(searched);
  SearchResult& found = done.report.result;
  std::vector<NamedBug> bugs_before = std::move(found.bugs);
  found = searched.result;
  found.bugs = std::move(bugs_before);
  if (found.refusal)
    found.refusal = system.texts().translate_refusal(found.refusal->message, searched.refused_at);
  configuration.is_fair = searched.is_fair;
  const std::vector<SourcePlace> locking = system.texts().symbols().locking_places();
  if (!locking.empty()) note_locking(locking, searched, done);
  add_bugs(system, configuration, searched, when, done);
  found.counts.bugs = found.bugs.size();
  for (const std::string& text : describe(system, configuration, searched.findings, when))
    add_warning(done, text);
  for (const std::string& complaint : *complaints_) add_warning(done, complaint);
  for (const std::string& problem : problems_) add_warning(done, problem);
  if (by_states && searched.findings.has_weak_orders && configuration.races_are_bugs)
    add_warning(done,
                "data races that only an order weaker than sequential consistency makes were not looked for: "
                "of the ways that lead to a state a search by states takes one");
  if (by_states && searched.findings.has_progress)
    add_warning(done,
                "executions that go on for ever without ravel_progress() were not looked for: that needs the "
                "states, of which a search of a program of C or C++ keeps hashes");
  if (before != nullptr) found.assumed = before->report.result.assumed;
  add_places(found.assumed, system.texts().places_of(searched.findings));
  configuration.tracked = searched.tracked;
  done.saved->report = done.report;
  done.saved->report.recordings.clear();
  done.saved->report.stories.clear();
  done.saved->program = print_program_note(note_program(call_, configuration));
  done.saved->own = note_of(searched.loops);
}

// Where the search is. `begun` has what an earlier part of it has found.
void TestSearch::keep(RemoteSystem& system, Searched now, const SavedTest* before,
                      const SearchedTest& begun) {
  SearchedTest kept;
  kept.saved.emplace();
  kept.report.test = begun.report.test;
  kept.report.warnings = begun.report.warnings;
  kept.report.result.bugs = begun.report.result.bugs;
  kept.report.tickets = begun.report.tickets;
  kept.report.explanations = begun.report.explanations;
  Configuration configuration = configuration_;
  conclude(system, std::move(now), before, When::kOnTheWay, configuration, kept);
  // Nothing is to go on then: the search ends by itself and says so.
  if (!kept.report.result.refusal) keep_(*kept.saved);
}

// What it has seen besides bugs. On the way that is looked at again only if there is more than the last time.
const std::vector<std::string>& TestSearch::describe(RemoteSystem& system, const Configuration& configuration,
                                                     const Findings& findings, When when) {
  const std::size_t count = findings.races.size() + findings.left_behind.size();
  if (when == When::kAtTheEnd || count != described_.count)
    described_ = {.count = count,
                  .texts = describe_findings(call_, configuration, system, findings,
                                             settings_.request.limits.events_max)};
  return described_.texts;
}

Result<Searched> TestSearch::search(RemoteSystem& system, const SearchOrder& order, const Keep& keep) {
  const std::atomic<bool>& interrupt = catch_interrupts();
  auto searched = system.search(order,
                                {.on_progress = [&](const Counts& counts) { progress_.on_progress(counts); },
                                 .on_kept = keep,
                                 .is_interrupted = [&] { return interrupt.load(); },
                                 .on_undivided = [&](const std::string& why) { undivided_ = why; },
                                 .on_problem = [&](const std::string& what) { problems_.push_back(what); },
                                 .processes = processes_},
                                settings_.seconds_alone);
  progress_.erase();
  return searched;
}

Result<std::optional<Searched>> TestSearch::divide(RemoteSystem& system, const SearchOrder& order) {
  return DividedSearch({.call = call_,
                        .system = system,
                        .configuration = configuration_,
                        .settings = settings_,
                        .order = order,
                        .work = *parts_work_,
                        .on_bug =
                            [&](const RawFoundBug& raw, const NamedBug& bug) {
                              RecordedBug& recorded = recorder_.record(system, configuration_, raw, bug);
                              // What goes wrong is told at the end, when it is tried again.
                              if (recorded.recording.bug) static_cast<void>(recorder_.write_ticket(recorded));
                            }})
      .run();
}

// The search runs here, and every step is a message. An error if it cannot go on because the process ended.
Result<Searched> TestSearch::search_outside(RemoteSystem& system, const SearchOrder& order,
                                            const Keep& keep) {
  const std::atomic<bool>& interrupt = catch_interrupts();
  Watch watch;
  watch.on_progress = [&](const Counts& counts) {
    progress_.on_progress(counts);
    return !interrupt.load();
  };
  watch.keep = keep;
  system.follow_findings();
  ExplorerNeeds explorer = settings_.context.explorer;
  explorer.complaints = complaints_;
  OutsideProgram program(system, explorer);
  Searched searched = threads::search(program, order, {}, watch).searched;
  progress_.erase();
  undivided_ = configuration_.isolates ? "each execution has a process of its own"
                                       : "the explorer is asked from outside of the program's process";
  if (settings_.traits().by_states && system.is_gone()) return Error{system.bug().message};
  return searched;
}

// Runs the search once more, from here, with the operations that it has ended with: what runs in the
// program's process is not described.
std::optional<SearchTree> TestSearch::note_search() {
  auto system = RemoteSystem::start(call_, configuration_);
  if (!system) return std::nullopt;
  OutsideProgram program(**system, settings_.context.explorer);
  const VariableNaming naming = this->naming((*system)->texts().symbols());
  StrategyContext context = {.waits_unseen = configuration_.is_fair,
                             .whole_of = wholes_of(program, naming.arrays)};
  if (configuration_.names_blocks) context.variable_of = variables_of(program, naming);
  context.explorer = program.delaying_explorer();
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
    done.report.result.position.reset();
  } else {
    add_warning(done, what);
  }
}

// The bugs that an earlier part of the search has found, as their tickets tell them.
void TestSearch::take_over(const SavedTest& before, SearchedTest& done) const {
  const TestReport& tested = before.report;
  done.report.warnings = tested.warnings;
  for (std::size_t i = 0; i < tested.result.bugs.size(); ++i) {
    done.report.result.bugs.push_back(tested.result.bugs[i]);
    done.report.tickets.push_back(tested.tickets[i]);
    std::optional<Explanation>& explanation = done.report.explanations.emplace_back();
    // A search that was killed has explained nothing yet.
    const bool is_explained = i < tested.explanations.size();
    if (is_explained) explanation = tested.explanations[i];
    Recording& recording = done.report.recordings.emplace_back();
    const auto text = read_text_file(tested.tickets[i]);
    const auto ticket = text ? parse_ticket(*text, tested.tickets[i]) : Result<Ticket>(text.error());
    const auto noted =
        ticket ? parse_program_note(ticket->program, tested.tickets[i]) : Result<ProgramNote>(ticket.error());
    auto system = noted ? RemoteSystem::start(call_, noted->configuration)
                        : Result<std::unique_ptr<RemoteSystem>>(noted.error());
    if (system) {
      recording = replay(**system, *ticket).recording;
      if (!is_explained && i < kExplainedMax && recording.bug)
        explanation = explain_threads_bug(**system, recording, settings_.request.limits.events_max);
    }
    tell(system ? system->get() : nullptr, recording, done.report);
  }
}

// Adds the bugs of a search to what an earlier part of it has found; at its end they are explained, too.
void TestSearch::add_bugs(RemoteSystem& system, const Configuration& configuration, const Searched& searched,
                          When when, SearchedTest& done) {
  std::vector<NamedBug>& bugs = done.report.result.bugs;
  std::string problem;
  for (std::size_t i = 0; i < searched.raw_bugs.size(); ++i) {
    RecordedBug& recorded =
        recorder_.record(system, configuration, searched.raw_bugs[i], searched.result.bugs[i]);
    const NamedBug& found = recorded.bug;
    const auto known =
        std::ranges::find_if(bugs, [&](const NamedBug& bug) { return bug.bug.is_same(found.bug); });
    if (known != bugs.end()) {
      known->executions += found.executions;
      continue;
    }
    if (recorded.recording.bug)
      if (const Status written = recorder_.write_ticket(recorded); !written)
        problem = written.error().message;
    bugs.push_back(found);
    done.report.tickets.push_back(recorded.ticket);
    if (when == When::kOnTheWay) continue;
    explain(recorded, done.report);
    done.report.recordings.push_back(std::move(recorded.recording));
  }
  // On the way there is more to come, and at its end it is tried again.
  if (!problem.empty() && when == When::kAtTheEnd)
    remark("a ticket could not be written: " + problem, report_.colour);
}

// Explains and tells the bug that was added last.
void TestSearch::explain(const RecordedBug& recorded, TestReport& report) const {
  std::optional<Explanation>& explanation = report.explanations.emplace_back();
  const bool is_explained = report.result.bugs.size() <= kExplainedMax && recorded.recording.bug;
  if (!is_explained) return tell(nullptr, recorded.recording, report);
  auto replayer = RemoteSystem::start(call_, recorded.configuration);
  if (replayer)
    explanation = explain_threads_bug(**replayer, recorded.recording, settings_.request.limits.events_max);
  tell(replayer ? replayer->get() : nullptr, recorded.recording, report);
}

// After its explanation.
void TestSearch::tell(RemoteSystem* system, const Recording& recording, TestReport& report) const {
  if (tell_) report.stories.push_back(tell_(system, recording, report.explanations.back()));
}

}  // namespace ravel::threads
