// ravel check: searches the schedules of each chosen test for bugs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/check.h"
#include "cli/bug_explainer.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/messages.h"
#include "cli/module_options.h"
#include "cli/open_program.h"
#include "cli/result_files.h"
#include "cli/resume.h"
#include "cli/search_file.h"
#include "cli/search_settings.h"
#include "cli/story_options.h"
#include "cli/subject.h"
#include "cli/ticket_program.h"
#include "cli/threads_check.h"
#include "cli/threads_tests.h"
#include "cli/ticket_writer.h"
#include "cli/watching_listener.h"
#include "engine/explorer.h"
#include "report/assumptions.h"
#include "report/json_results.h"
#include "report/junit_results.h"
#include "races/orphans.h"
#include "report/progress_line.h"
#include "report/race_text.h"
#include "report/search_graph.h"
#include "report/summary.h"
#include "report/test_table.h"
#include "report/verdict.h"
#include "strategy/catalogue.h"
#include "threads/remote/remote_system.h"

namespace ravel {

namespace {

// Bugs beyond these are named by their title and ticket only: nobody reads so many stories.
constexpr std::size_t kStoriesMax = 10;

void print(const std::string& text) { std::fputs(text.c_str(), stdout); }

class Check {
 public:
  Check(const CheckOptions& options, std::optional<SavedSearch> before)
      : options_(options), colour_(colour_for(options.report.colour, stdout)), before_(std::move(before)) {}

  // The exit status, or what is wrong with the input.
  Result<int> run();

 private:
  Status prepare();
  Result<std::unique_ptr<erlang::Program>> open();
  Result<std::vector<Transition>> find_prefix(System& system, const SearchSettings& settings) const;
  Result<SearchSettings> settings_for(const erlang::Program& program, const erlang::TestCase& test) const;
  void simplify(System& system, Tested& tested, BugExplainer& explainer, TicketWriter& tickets, const SearchSettings& settings) const;
  std::string assumptions() const;
  Result<Tested> check_test(erlang::Program& program, const erlang::TestCase& test);
  // What a search finds out that it has to know from its beginning.
  struct Discovered {
    erlang::MessageOrder order = erlang::MessageOrder::kRefused;
    std::vector<erlang::WatchedCode> code = {};
    std::vector<std::string> explored_starts = {};
  };
  Result<std::optional<Tested>> search_test(erlang::Program& program, const erlang::TestCase& test, Discovered& known);
  Result<Discovered> discovered_before(const std::string& test) const;
  Result<std::optional<Exploration>> find_saved(const erlang::Program& program, const std::string& test, erlang::MessageOrder order, System& system,
                                                 Strategy& strategy) const;
  const SavedTest* saved_test(const std::string& test) const;
  Status write_results(const std::vector<Tested>& all, std::span<const Verdict> verdicts);
  std::vector<Recording> record_and_explain(System& system, Tested& tested, BugExplainer& explainer, const SearchSettings& settings) const;
  void tell(const Tested& tested, std::span<const Recording> recordings) const;
  void tell_briefly(const Tested& tested) const;

  CheckOptions options_;
  const Colour colour_;
  const std::optional<SavedSearch> before_;  // what is resumed
  bool several_ = false;                     // tests
  std::string folder_;    // of the tickets
  SearchSettings settings_;  // of tests whose module has no options of its own
  std::string test_of_trace_;
  std::vector<NamedStep> prefix_;  // with which every execution begins
  const std::atomic<bool>* interrupt_ = nullptr;
  SavedSearch saved_;                  // what can be
  std::vector<std::string> graphs_;
};

Status Check::prepare() {
  auto settings = search_settings(options_, FrontEnd::kErlang);
  if (!settings) return settings.error();
  settings_ = std::move(*settings);
  folder_ = options_.out.empty() ? kDefaultTicketFolder : options_.out;
  const Creation creation = options_.out.empty() ? Creation::kLater : Creation::kNow;
  return check_writable_folder(folder_, creation);
}

// The program, and if there is a trace, how that wants it to be run.
Result<std::unique_ptr<erlang::Program>> Check::open() {
  if (options_.trace.empty()) return open_program(options_.program, options_.report);
  const ProgramArguments& given = options_.program;
  const bool says_more = !given.include_folders.empty() || !given.code_folders.empty() || !given.defines.empty() ||
                         !given.tests.empty() || !(options_.properties == erlang::Properties()) || !(options_.model == ModelOptions()) ||
                         options_.blocking != BlockingSteps::kAvoid || options_.step_limit != CheckOptions().step_limit;
  if (says_more)
    return Error{"--trace " + options_.trace + ": the trace says which test it is of and how its program is opened and run; "
                 "leave out -t and the options for that."};
  auto subject = open_saved(options_.trace, given.files, options_.report);
  if (!subject) return subject.error();
  if (!subject->trace) return Error{options_.trace + ": this is a ticket, not a trace. 'ravel trace' makes one of it."};
  const FollowedTrace followed = follow_trace(*subject->system, *subject->trace, subject->events_max);
  if (followed.divergence)
    return Error{fmt::format("{}: no search can begin with this trace, which can be followed for {} of its {} events: then {}.",
                             options_.trace, followed.events, subject->trace->length(), followed.divergence->what)};
  for (EventId event = 0; event < followed.observation->length(); ++event)
    prefix_.push_back(followed.observation->step_of(event));
  test_of_trace_ = subject->test;
  ErlangSubject& part = std::get<ErlangSubject>(subject->of);
  settings_.erlang = part.options;
  settings_.erlang.machine.notes_messages = false;
  if (settings_.erlang.machine.time == erlang::TimePolicy::kDeadlines && settings_.compares_executions())
    return Error{"--trace " + options_.trace + ": its test was run with --time deadlines, where a search behind a trace is not for --strategy " +
                 settings_.strategy + " yet; add --strategy preemption."};
  set_for_strategy(settings_, options_.non_racing);
  return std::move(part.program);
}

// The prefix as transitions of this system, which it leaves in some state.
Result<std::vector<Transition>> Check::find_prefix(System& system, const SearchSettings& settings) const {
  FoundSteps found = find_steps(system, prefix_);
  if (found.missing)
    return Error{fmt::format("{}: with --strategy {} the program can't take event {} of the trace, of {}.", options_.trace,
                             settings.strategy, *found.missing, prefix_[*found.missing - 1].actor.to_string())};
  return found.transitions;
}

// The options of the test's module, if it has some, below and above those of the command line.
Result<SearchSettings> Check::settings_for(const erlang::Program& program, const erlang::TestCase& test) const {
  const erlang::ProgramModule* const module = program.find(test.name.module);
  if (module == nullptr || !options_.trace.empty()) return settings_;
  const auto of_module = module_options(*module);
  if (!of_module) return of_module.error();
  if (of_module->empty()) return settings_;
  CheckOptions options;
  const auto lists = [](CheckOptions& from) {
    return std::array{&from.properties.normal_reasons, &from.non_racing, &from.model.atomic_modules, &from.model.stubs};
  };
  for (const std::vector<std::string>* arguments : {&of_module->defaults, &options_.arguments, &of_module->forced}) {
    CheckOptions before = options;
    for (std::vector<std::string>* list : lists(options)) list->clear();
    if (Status parsed = parse_check_arguments(*arguments, options); !parsed)
      return Error{module->file + ": the options in its attributes: " + parsed.error().message};
    // What can be given several times adds up.
    for (std::size_t i = 0; i < lists(options).size(); ++i)
      lists(options)[i]->insert(lists(options)[i]->begin(), lists(before)[i]->begin(), lists(before)[i]->end());
  }
  if (!options_.resume.empty()) options.budgets = options_.budgets;
  options.keep_going |= options_.keep_going;
  auto settings = search_settings(options, FrontEnd::kErlang);
  if (!settings) return Error{module->file + ": with the options in its attributes: " + settings.error().message};
  return settings;
}

const SavedTest* Check::saved_test(const std::string& test) const {
  if (!before_) return nullptr;
  const auto found = std::ranges::find(before_->tests, test, [](const SavedTest& saved) -> const std::string& { return saved.tested.test; });
  return found == before_->tests.end() ? nullptr : &*found;
}

Result<int> Check::run() {
  if (Status prepared = prepare(); !prepared) return prepared.error();
  const auto program = open();
  if (!program) return program.error();
  std::vector<std::string> wanted = options_.program.tests;
  if (!test_of_trace_.empty()) wanted = {test_of_trace_};
  const auto tests = chosen_tests(**program, wanted, settings_.erlang.machine);
  if (!tests) return tests.error();
  for (const std::string& text : (*program)->remarks()) remark(text, options_.report.colour);

  several_ = tests->size() > 1;
  interrupt_ = &catch_interrupts();
  std::vector<Tested> all;
  std::vector<Verdict> verdicts;
  for (const erlang::TestCase& test : *tests) {
    const SavedTest* const saved = saved_test(test.name.to_string());
    if (!test.skipped.empty()) {
      all.push_back({.test = test.name.to_string(), .title = test.title, .skipped = test.skipped, .exploration = {}, .tickets = {}});
    } else if (saved != nullptr && !saved->tested.exploration.position) {
      saved_.tests.push_back(*saved);
      all.push_back(saved->tested);
      if (options_.report.quiet == Quiet::kYes) tell_briefly(all.back());
    } else {
      auto tested = check_test(**program, test);
      if (!tested) return tested.error();
      all.push_back(std::move(*tested));
    }
    verdicts.push_back(verdict_of(all.back()));
    if (*interrupt_) break;
  }
  if (options_.report.quiet == Quiet::kNo) print(assumptions());
  if (!several_ && !all.empty() && !all.front().skipped.empty())
    print(fmt::format("{} is skipped: {}\n", all.front().test, all.front().skipped));
  if (several_ && options_.report.quiet == Quiet::kNo) {
    print(describe_tests(all, colour_));
    for (const Tested& tested : all) {
      const bool is_told = !tested.skipped.empty() || !tested.exploration.bugs.empty() || tested.exploration.refusal;
      const std::string warning = is_told ? "" : describe_unreceived(tested.exploration, tested.orphan, colour_);
      if (!warning.empty()) print(tested.test + ": " + warning);
    }
    print(describe_assumptions(assumed_by(all)));
    if (all.size() < tests->size())
      print(fmt::format("Interrupted: {} not run.\n", counted(tests->size() - all.size(), "more test")));
  }
  if (all.size() < tests->size()) verdicts.push_back(Verdict::kIncomplete);
  if (Status written = write_results(all, verdicts); !written) return written.error();
  return exit_status(overall(verdicts));
}

// The files that were asked for, and the one to go on from, if there is something left to do.
Status Check::write_results(const std::vector<Tested>& all, std::span<const Verdict> verdicts) {
  if (Status written = write_result_files(options_, all, graphs_); !written) return written;
  const bool is_left = std::ranges::count(verdicts, Verdict::kIncomplete) > 0 ||
                       std::ranges::any_of(all, [](const Tested& tested) { return tested.exploration.position.has_value(); });
  if (!is_left) return Success{};
  return save_search(saved_, options_, folder_);
}

// What a pass depends on besides the test.
std::string Check::assumptions() const {
  const erlang::MachineOptions& machine = settings_.erlang.machine;
  std::string atomic, stubs;
  for (const std::string& module : machine.atomic_modules) atomic += (atomic.empty() ? "" : ", ") + module;
  for (const auto& [replaced, stub] : machine.stubs) stubs += (stubs.empty() ? "" : ", ") + replaced + " by " + stub;
  const std::string trace =
      options_.trace.empty() ? "" : fmt::format("Every execution contains the {} of the trace.\n", counted(prefix_.size(), "event"));
  return trace + (atomic.empty() ? "" : "One step each: the calls of " + atomic + ".\n") +
         (stubs.empty() ? "" : "Replaced: " + stubs + ".\n");
}

// Makes the strategy and what it returns go on from where the test's search was. Nothing: it begins anew.
Result<std::optional<Exploration>> Check::find_saved(const erlang::Program& program, const std::string& test, erlang::MessageOrder order,
                                                     System& system, Strategy& strategy) const {
  const SavedTest* const saved = saved_test(test);
  if (saved == nullptr || saved->notes_message_order != (order == erlang::MessageOrder::kNoted)) return std::optional<Exploration>();
  Ticket ticket;
  ticket.front_end = kErlangFrontEnd;
  ticket.program = saved->program;
  const auto noted = parse_ticket_program(ticket, options_.resume);
  if (!noted) return noted.error();
  if (const auto changed = changed_modules(*noted, program); !changed.empty())
    return Error{fmt::format("{}: the program has changed since ({}), and with it what is left to search. Begin anew.",
                             options_.resume, fmt::join(changed, ", "))};
  auto exploration = restore_exploration(*saved, system);
  PositionReader reader(*saved->tested.exploration.position);
  if (!exploration || !strategy.read_position(reader, system) || !reader.is_complete())
    return Error{options_.resume + ": the search of " + test + " cannot go on from there: what the file says of it is damaged, or of another program. Begin anew."};
  return exploration;
}

Result<Check::Discovered> Check::discovered_before(const std::string& test) const {
  const SavedTest* const saved = saved_test(test);
  if (saved == nullptr) return Discovered();
  Ticket ticket;
  ticket.front_end = kErlangFrontEnd;
  ticket.program = saved->program;
  auto noted = parse_ticket_program(ticket, options_.resume);
  if (!noted) return noted.error();
  return Discovered{.order = saved->notes_message_order ? erlang::MessageOrder::kNoted : erlang::MessageOrder::kRefused,
                    .code = std::move(noted->watched_code),
                    .explored_starts = saved->explored_starts};
}

// A search that takes the order of messages in mailboxes for what nobody can see begins anew where somebody looks at it, and one
// that takes a module's code for what never changes where somebody loads another.
Result<Tested> Check::check_test(erlang::Program& program, const erlang::TestCase& test) {
  auto known = discovered_before(test.name.to_string());
  if (!known) return known.error();
  for (;;) {
    auto tested = search_test(program, test, *known);
    if (!tested) return tested.error();
    if (*tested) return std::move(**tested);
  }
}

// Nothing if it has discovered something.
Result<std::optional<Tested>> Check::search_test(erlang::Program& program, const erlang::TestCase& test, Discovered& known) {
  auto settings = settings_for(program, test);
  if (!settings) return settings.error();
  const erlang::MessageOrder order = known.order;
  if (settings->compares_executions()) settings->erlang.machine.message_order = order;
  settings->erlang.machine.watched_code = known.code;
  settings->erlang.explored_starts = known.explored_starts;
  settings->limits.interrupt = interrupt_;
  const Limits& limits = settings->limits;
  const auto system = erlang::ErlangSystem::start(program, test.name, settings->erlang);
  if (!system) return system.error();
  if (!prefix_.empty()) {
    auto prefix = find_prefix(**system, *settings);
    if (!prefix) return prefix.error();
    settings->strategy_options.prefix = std::move(*prefix);
  }
  const auto strategy = make_strategy(settings->strategy, settings->strategy_options);
  if (!strategy) return strategy.error();
  auto so_far = find_saved(program, test.name.to_string(), order, **system, **strategy);
  if (!so_far) return so_far.error();
  SearchGraph graph(**strategy);
  Strategy& searching = options_.graph_file.empty() ? **strategy : graph;

  ProgressLine progress(stderr);
  if (several_) progress.set_label(test.name.to_string());
  const TicketProgram noted = note_program(program, test.name, settings->erlang);
  TicketWriter tickets(**system, noted, limits.events_max, folder_, progress);
  // Those that were written before are there, or are written again.
  if (*so_far)
    for (const FoundBug& found : (*so_far)->bugs) tickets.on_bug(found);
  SteadyClock clock;
  WatchingListener listener(tickets, **system);
  Tested tested{.test = test.name.to_string(),
                .title = test.title,
                .exploration = Explorer(**system, searching, limits, clock, &listener).run(so_far->value_or(Exploration{})),
                .tickets = {}};
  progress.erase();
  if ((*system)->has_refused_message_order()) {
    CHECK(std::exchange(known.order, erlang::MessageOrder::kNoted) == erlang::MessageOrder::kRefused);
    return std::optional<Tested>();
  }
  if (listener.has_discovered() && !tested.exploration.refusal) {
    std::ranges::copy((*system)->concurrent_starts(), std::back_inserter(known.explored_starts));
    for (const erlang::WatchedCode& one : (*system)->discovered_code()) {
      const auto same = std::ranges::find_if(known.code, [&](const erlang::WatchedCode& other) {
        return other.kind == one.kind && other.module == one.module;
      });
      if (same == known.code.end()) {
        known.code.push_back(one);
      } else {
        same->is_shared |= one.is_shared;
      }
    }
    return std::optional<Tested>();
  }
  if (!tickets.problem().empty())
    remark("a ticket could not be written: " + tickets.problem(), options_.report.colour);
  if (!options_.graph_file.empty())
    graphs_.push_back(graph.to_dot(tested.test, fmt::format("t{}", graphs_.size() + 1)));
  if (const SavedTest* const saved = saved_test(tested.test); saved != nullptr && *so_far) {
    tested.left_behind = saved->tested.left_behind;
    tested.handled_ends = saved->tested.handled_ends;
  }
  tested.left_behind.add((*system)->left_behind());
  tested.handled_ends.add((*system)->handled_ends());
  BugExplainer explainer(program, test.name, settings->erlang, limits.events_max);
  if (!settings->erlang.machine.notes_messages && tested.exploration.bugs.empty() && !tested.exploration.refusal)
    add_places(tested.exploration.assumed, explainer.assumed_by_first_execution());
  simplify(**system, tested, explainer, tickets, *settings);
  if (tested.exploration.unreceived) {
    auto orphans = find_orphans(**system, tested.exploration.unreceived->schedule, limits.events_max);
    // What lies in the mailboxes of the processes that were there before the test is not the test's concern.
    std::erase_if(orphans, [](const OrphanDescription& orphan) { return orphan.receiver.root() != ActorName().root(); });
    if (orphans.empty()) {
      tested.exploration.unreceived.reset();
    } else {
      tested.exploration.unreceived->messages = orphans.size();
      tested.orphan = orphans.front();
    }
  }
  for (const FoundBug& found : tested.exploration.bugs) tested.tickets.push_back(tickets.ticket_of(found.bug));
  const std::vector<Recording> recordings = record_and_explain(**system, tested, explainer, *settings);
  saved_.tests.push_back(save_test(tested, **system, print_ticket_program(noted)));
  saved_.tests.back().explored_starts = known.explored_starts;
  saved_.tests.back().notes_message_order = settings->erlang.machine.message_order == erlang::MessageOrder::kNoted;
  if (options_.report.quiet == Quiet::kYes) {
    tell_briefly(tested);
  } else {
    tell(tested, recordings);
  }
  std::fflush(stdout);
  if (tested.exploration.refusal) {
    std::fputs(describe_refusal(*tested.exploration.refusal).c_str(), stderr);
  }
  return std::optional(std::move(tested));
}

// The schedules of bugs become those with the fewest preemptions of their traces. The strategy `preemption` has found
// such ones itself.
void Check::simplify(System& system, Tested& tested, BugExplainer& explainer, TicketWriter& tickets,
                     const SearchSettings& settings) const {
  if (settings.strategy == "preemption") return;
  const std::uint64_t events_max = settings.limits.events_max;
  for (std::size_t i = 0; i < std::min(kStoriesMax, tested.exploration.bugs.size()); ++i) {
    FoundBug& found = tested.exploration.bugs[i];
    const auto steps = explainer.simplify(record_bug(system, found, events_max));
    if (!steps) continue;
    const FoundSteps simpler = find_steps(system, *steps);
    if (simpler.missing) continue;
    Recorder recorder(system, events_max);
    for (const Transition& transition : simpler.transitions)
      if (recorder.running()) recorder.take(transition);
    const Recording recording = recorder.finish();
    if (!recording.bug || !recording.bug->is_same(found.bug) || recording.preemptions >= found.preemptions) continue;
    // The bug may come before the end.
    found.schedule.assign(simpler.transitions.begin(),
                          simpler.transitions.begin() + static_cast<std::ptrdiff_t>(recording.events.size()));
    found.preemptions = recording.preemptions;
    found.bug = *recording.bug;
    tickets.on_bug(found);
  }
}

// Of the bugs that are told with their stories, if somebody wants to know.
std::vector<Recording> Check::record_and_explain(System& system, Tested& tested, BugExplainer& explainer,
                                                 const SearchSettings& settings) const {
  std::vector<Recording> recordings;
  if (options_.report.quiet == Quiet::kYes && options_.json_file.empty()) return recordings;
  const std::vector<FoundBug>& bugs = tested.exploration.bugs;
  for (std::size_t i = 0; i < std::min(kStoriesMax, bugs.size()); ++i) {
    recordings.push_back(record_bug(system, bugs[i], settings.limits.events_max));
    tested.rare_events.push_back(count_rare_events(recordings.back()));
    tested.explanations.push_back(explainer.explain(recordings.back()));
  }
  return recordings;
}

void Check::tell(const Tested& tested, std::span<const Recording> recordings) const {
  const std::vector<FoundBug>& bugs = tested.exploration.bugs;
  if (several_ && bugs.empty() && !tested.exploration.refusal) return;  // its line in the table says it all
  if (several_)
    print(paint(tested.test, Ink::kBold, colour_) + (tested.title.empty() ? "" : "  " + tested.title) + "\n\n");
  for (std::size_t i = 0; i < bugs.size(); ++i) {
    const std::string& ticket = tested.tickets[i];
    if (i >= kStoriesMax) {
      print(fmt::format("Bug {}: {}{}{}\n", i + 1, bugs[i].bug.message, ticket.empty() ? "" : ", see ", ticket));
      if (i + 1 == bugs.size()) print("\n");
      continue;
    }
    const Recording& recording = recordings[i];
    std::string text = describe_bug(bugs[i], recording, i + 1, ticket, story_options(recording, colour_));
    if (const auto& explanation = tested.explanations[i]) text += describe_explanation(*explanation, colour_);
    print(text + "\n");
  }
  print(summarize(tested.exploration) + describe_remarks(tested) + describe_unreceived(tested.exploration, tested.orphan, colour_));
  if (several_) print("\n");
}

void Check::tell_briefly(const Tested& tested) const {
  for (std::size_t i = 0; i < tested.exploration.bugs.size(); ++i) {
    const Bug& bug = tested.exploration.bugs[i].bug;
    const std::string where = place(bug.file, bug.line);
    print(fmt::format("{}: {}{}{}{}{}\n", tested.test, bug.message, where.empty() ? "" : " at ", where,
                      tested.tickets[i].empty() ? "" : "; ticket ", tested.tickets[i]));
  }
}

Result<int> check(const CheckOptions& given) {
  CheckOptions options = given;
  std::optional<SavedSearch> before;
  if (!given.resume.empty()) {
    auto resumed = resume_search(given);
    if (!resumed) return resumed.error();
    options = std::move(resumed->options);
    before = std::move(resumed->before);
  }
  const bool is_of_threads = options.trace.empty() ? is_threads_program(options.program.files) : is_saved_of_threads(options.trace);
  if (is_of_threads) return check_threads(options, before ? &*before : nullptr);
  return Check(options, std::move(before)).run();
}

}  // namespace

int check_command(const CheckOptions& options) {
  const std::string& json = options.json_file;
  const std::string& junit = options.junit_file;
  for (const auto& [file, option] : {std::pair(json, "--json"), std::pair(junit, "--junit"), std::pair(options.graph_file, "--graph")}) {
    if (file.empty()) continue;
    if (const Status writable = check_writable_file(file); !writable)
      return complain(writable.error().message + " Name another file with " + option + ".");
  }
  // From now on an interrupt ends what is going on as it ends a search.
  const std::atomic<bool>& interrupt = catch_interrupts();
  threads::RemoteSystem::set_interrupt(interrupt);
  const Result<int> status = check(options);
  if (status) return *status;
  // If these fail as well, the first message is the one that counts.
  if (!json.empty()) static_cast<void>(write_text_file(json, json_error(status.error().message)).ok());
  if (!junit.empty()) static_cast<void>(write_text_file(junit, junit_error(status.error().message)).ok());
  if (!interrupt) return complain(status.error().message);
  remark("interrupted before there was anything to tell: " + status.error().message, options.report.colour);
  return exit_status(Verdict::kIncomplete);
}

}  // namespace ravel
