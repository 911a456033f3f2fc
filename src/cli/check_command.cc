// ravel check: searches the schedules of each chosen test for bugs.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "cli/bug_explainer.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/messages.h"
#include "cli/open_program.h"
#include "cli/subject.h"
#include "cli/ticket_program.h"
#include "cli/threads_check.h"
#include "cli/ticket_writer.h"
#include "engine/explorer.h"
#include "report/json_results.h"
#include "report/junit_results.h"
#include "races/orphans.h"
#include "report/progress_line.h"
#include "report/race_text.h"
#include "report/summary.h"
#include "report/test_table.h"
#include "report/verdict.h"
#include "strategy/catalogue.h"

namespace ravel {

namespace {

// A random search without any budget would have no end.
constexpr std::uint64_t kRandomExecutions = 10'000;

// Bugs beyond these are named by their title and ticket only: nobody reads so many stories.
constexpr std::size_t kStoriesMax = 10;

// A livelock shows in its first rounds.
constexpr std::size_t kEventsShownOfEndless = 60;

void print(const std::string& text) { std::fputs(text.c_str(), stdout); }

class Check {
 public:
  explicit Check(const CheckOptions& options)
      : options_(options), colour_(colour_for(options.report.colour, stdout)) {}

  // The exit status, or what is wrong with the input.
  Result<int> run();

 private:
  Status prepare();
  Result<std::unique_ptr<erlang::Program>> open();
  Result<std::vector<Transition>> find_prefix(System& system) const;
  // By what receives could have taken.
  bool compares_executions() const { return options_.strategy == "dpor" || options_.strategy == "variants"; }
  Status prepare_machine();
  void simplify(System& system, Tested& tested, BugExplainer& explainer, TicketWriter& tickets) const;
  std::string assumptions() const;
  Status check_strategy_options() const;
  Result<Tested> check_test(erlang::Program& program, const erlang::TestCase& test);
  void tell(System& system, const Tested& tested, BugExplainer& explainer) const;
  void tell_briefly(const Tested& tested) const;

  const CheckOptions& options_;
  const Colour colour_;
  bool several_ = false;  // tests
  std::string folder_;    // of the tickets
  StrategyOptions strategy_;
  std::string test_of_trace_;
  std::vector<NamedStep> prefix_;  // with which every execution begins
  erlang::ErlangOptions erlang_options_;
  Limits limits_;
};

Status Check::check_strategy_options() const {
  if (options_.preemptions && options_.strategy != "preemption")
    return Error{"--preemptions is for --strategy preemption; the strategy here is " + options_.strategy + "."};
  if (compares_executions() && !options_.model.atomic_modules.empty())
    return Error{"--atomic is not for --strategy " + options_.strategy + " yet, which compares single operations; choose another strategy."};
  if (compares_executions() && options_.blocking == BlockingSteps::kExplore)
    return Error{"--blocking explore is not for --strategy " + options_.strategy + ": a blocked step changes nothing."};
  if (!compares_executions() && !options_.non_racing.empty())
    return Error{"--non-racing is for --strategy dpor or variants; the strategy here is " + options_.strategy + "."};
  if (options_.seed && options_.strategy != "random")
    return Error{"--seed is for --strategy random; the strategy here is " + options_.strategy + "."};
  return Success{};
}

Status Check::prepare() {
  auto budget = parse_budgets(options_.budgets);
  if (!budget) return budget.error();
  strategy_ = {.seed = options_.seed.value_or(1), .executions = {}, .bound = options_.preemptions};
  // The number of executions is what a random search is asked for, so that it can be complete.
  if (options_.strategy == "random") {
    strategy_.executions = budget->executions;
    budget->executions.reset();
    if (!strategy_.executions && !budget->seconds) strategy_.executions = kRandomExecutions;
  }
  if (const auto strategy = make_strategy(options_.strategy, strategy_); !strategy)
    return Error{"--strategy: " + strategy.error().message + "."};
  if (Status fitting = check_strategy_options(); !fitting) return fitting;
  erlang::MachineOptions machine;
  if (Status fitting = set_model(options_.model, machine); !fitting) return fitting;
  folder_ = options_.out.empty() ? kDefaultTicketFolder : options_.out;
  const Creation creation = options_.out.empty() ? Creation::kLater : Creation::kNow;
  if (Status writable = check_writable_folder(folder_, creation); !writable) return writable;
  limits_ = {.seconds = budget->seconds,
             .executions = budget->executions,
             .events_max = options_.events_max,
             .ignores_event_bound = options_.ignores_event_bound,
             .after_bug = options_.keep_going ? AfterBug::kKeepGoing : AfterBug::kStop,
             .interrupt = nullptr};
  return Success{};
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
  test_of_trace_ = subject->noted.test;
  erlang_options_ = subject->options;
  erlang_options_.machine.notes_messages = false;
  return std::move(subject->program);
}

// The prefix as transitions of this system, which it leaves in some state.
Result<std::vector<Transition>> Check::find_prefix(System& system) const {
  FoundSteps found = find_steps(system, prefix_);
  if (found.missing)
    return Error{fmt::format("{}: with --strategy {} the program can't take event {} of the trace, of {}.", options_.trace,
                             options_.strategy, *found.missing, prefix_[*found.missing - 1].actor.to_string())};
  return found.transitions;
}

Status Check::prepare_machine() {
  erlang::MachineOptions& machine = erlang_options_.machine;
  if (options_.trace.empty()) {
    erlang_options_.properties = options_.properties;
    machine.reductions_per_step_max = options_.step_limit;
    machine.blocking =
        options_.blocking == BlockingSteps::kExplore ? erlang::Blocking::kExplore : erlang::Blocking::kAvoid;
    if (Status fitting = set_model(options_.model, machine); !fitting) return fitting;
  }
  if (compares_executions()) {
    machine.notes_messages = true;
    erlang_options_.non_racing = options_.non_racing;
    erlang_options_.after_failure = erlang::ErlangOptions::AfterFailure::kGoOn;
  }
  return Success{};
}

Result<int> Check::run() {
  if (Status prepared = prepare(); !prepared) return prepared.error();
  const auto program = open();
  if (!program) return program.error();
  if (Status prepared = prepare_machine(); !prepared) return prepared.error();
  std::vector<std::string> wanted = options_.program.tests;
  if (!test_of_trace_.empty()) wanted = {test_of_trace_};
  const auto tests = chosen_tests(**program, wanted, erlang_options_.machine);
  if (!tests) return tests.error();

  several_ = tests->size() > 1;
  limits_.interrupt = &catch_interrupts();
  std::vector<Tested> all;
  std::vector<Verdict> verdicts;
  for (const erlang::TestCase& test : *tests) {
    auto tested = check_test(**program, test);
    if (!tested) return tested.error();
    verdicts.push_back(verdict_of(tested->exploration));
    all.push_back(std::move(*tested));
    if (*limits_.interrupt) break;
  }
  if (options_.report.quiet == Quiet::kNo) print(assumptions());
  if (several_ && options_.report.quiet == Quiet::kNo) {
    print(describe_tests(all, colour_));
    for (const Tested& tested : all) {
      const bool is_told = !tested.exploration.bugs.empty() || tested.exploration.refusal;
      const std::string warning = is_told ? "" : describe_unreceived(tested.exploration, tested.orphan, colour_);
      if (!warning.empty()) print(tested.test + ": " + warning);
    }
    if (all.size() < tests->size())
      print(fmt::format("Interrupted: {} not run.\n", counted(tests->size() - all.size(), "more test")));
  }
  if (all.size() < tests->size()) verdicts.push_back(Verdict::kIncomplete);
  if (!options_.json_file.empty()) {
    if (Status written = write_text_file(options_.json_file, json_results(all)); !written)
      return written.error();
  }
  if (!options_.junit_file.empty()) {
    if (Status written = write_text_file(options_.junit_file, junit_results(all)); !written)
      return written.error();
  }
  return exit_status(overall(verdicts));
}

// What a pass depends on besides the test.
std::string Check::assumptions() const {
  const erlang::MachineOptions& machine = erlang_options_.machine;
  std::string atomic, stubs;
  for (const std::string& module : machine.atomic_modules) atomic += (atomic.empty() ? "" : ", ") + module;
  for (const auto& [replaced, stub] : machine.stubs) stubs += (stubs.empty() ? "" : ", ") + replaced + " by " + stub;
  const std::string trace =
      options_.trace.empty() ? "" : fmt::format("Every execution contains the {} of the trace.\n", counted(prefix_.size(), "event"));
  return trace + (atomic.empty() ? "" : "One step each: the calls of " + atomic + ".\n") +
         (stubs.empty() ? "" : "Replaced: " + stubs + ".\n");
}

Result<Tested> Check::check_test(erlang::Program& program, const erlang::TestCase& test) {
  const auto system = erlang::ErlangSystem::start(program, test.name, erlang_options_);
  if (!system) return system.error();
  StrategyOptions strategy_options = strategy_;
  if (!prefix_.empty()) {
    auto prefix = find_prefix(**system);
    if (!prefix) return prefix.error();
    strategy_options.prefix = std::move(*prefix);
  }
  const auto strategy = make_strategy(options_.strategy, strategy_options);
  if (!strategy) return strategy.error();

  ProgressLine progress(stderr);
  if (several_) progress.set_label(test.name.to_string());
  const TicketProgram noted = note_program(program, test.name, erlang_options_);
  TicketWriter tickets(**system, noted, limits_.events_max, folder_, progress);
  SteadyClock clock;
  Tested tested{.test = test.name.to_string(),
                .title = test.title,
                .exploration = Explorer(**system, **strategy, limits_, clock, &tickets).run(),
                .tickets = {}};
  progress.erase();
  if (!tickets.problem().empty())
    remark("a ticket could not be written: " + tickets.problem(), options_.report.colour);
  BugExplainer explainer(program, test.name, erlang_options_, limits_.events_max);
  simplify(**system, tested, explainer, tickets);
  if (tested.exploration.unreceived) {
    const auto orphans = find_orphans(**system, tested.exploration.unreceived->schedule, limits_.events_max);
    if (!orphans.empty()) tested.orphan = orphans.front();
  }
  for (const FoundBug& found : tested.exploration.bugs) tested.tickets.push_back(tickets.ticket_of(found.bug));
  if (options_.report.quiet == Quiet::kYes) {
    tell_briefly(tested);
  } else {
    tell(**system, tested, explainer);
  }
  std::fflush(stdout);
  if (tested.exploration.refusal) {
    std::fputs(describe_refusal(*tested.exploration.refusal).c_str(), stderr);
  }
  return tested;
}

// The schedules of bugs become those with the fewest preemptions of their traces. The strategy `preemption` has found
// such ones itself.
void Check::simplify(System& system, Tested& tested, BugExplainer& explainer, TicketWriter& tickets) const {
  if (options_.strategy == "preemption") return;
  for (std::size_t i = 0; i < std::min(kStoriesMax, tested.exploration.bugs.size()); ++i) {
    FoundBug& found = tested.exploration.bugs[i];
    const auto steps = explainer.simplify(record(system, found.schedule, limits_.events_max));
    if (!steps) continue;
    const FoundSteps simpler = find_steps(system, *steps);
    if (simpler.missing) continue;
    Recorder recorder(system, limits_.events_max);
    for (const Transition& transition : simpler.transitions)
      if (recorder.running()) recorder.take(transition);
    const Recording recording = recorder.finish();
    if (!recording.bug || recording.bug->key() != found.bug.key() || recording.preemptions >= found.preemptions) continue;
    found.schedule = simpler.transitions;
    found.preemptions = recording.preemptions;
    found.bug = *recording.bug;
    tickets.on_bug(found);
  }
}

void Check::tell(System& system, const Tested& tested, BugExplainer& explainer) const {
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
    StoryOptions story{.colour = colour_, .events_shown_max = 400, .columns = terminal_columns(stdout)};
    if (bugs[i].bug.kind == "event_bound") story.events_shown_max = kEventsShownOfEndless;
    const Recording recording = record(system, bugs[i].schedule, limits_.events_max);
    std::string text = describe_bug(bugs[i], recording, i + 1, ticket, story);
    if (const auto explanation = explainer.explain(recording)) text += describe_explanation(*explanation, colour_);
    print(text + "\n");
  }
  print(summarize(tested.exploration) + describe_unreceived(tested.exploration, tested.orphan, colour_));
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

}  // namespace

int check_command(const CheckOptions& options) {
  const std::string& json = options.json_file;
  const std::string& junit = options.junit_file;
  for (const auto& [file, option] : {std::pair(json, "--json"), std::pair(junit, "--junit")}) {
    if (file.empty()) continue;
    if (const Status writable = check_writable_file(file); !writable)
      return complain(writable.error().message + " Name another file with " + option + ".");
  }
  const bool has_threads = is_threads_program(options.program.files);
  const Result<int> status = has_threads ? check_threads(options) : Check(options).run();
  if (status) return *status;
  // If these fail as well, the first message is the one that counts.
  if (!json.empty()) static_cast<void>(write_text_file(json, json_error(status.error().message)).ok());
  if (!junit.empty()) static_cast<void>(write_text_file(junit, junit_error(status.error().message)).ok());
  return complain(status.error().message);
}

}  // namespace ravel
