// ravel check: searches the schedules of each chosen test for bugs.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <utility>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/messages.h"
#include "cli/open_program.h"
#include "cli/ticket_program.h"
#include "cli/ticket_writer.h"
#include "engine/explorer.h"
#include "report/json_results.h"
#include "report/junit_results.h"
#include "report/progress_line.h"
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
  Status prepare_machine();
  std::string assumptions() const;
  Status check_strategy_options() const;
  Result<Tested> check_test(erlang::Program& program, const erlang::TestCase& test);
  void tell(System& system, const Tested& tested) const;
  void tell_briefly(const Tested& tested) const;

  const CheckOptions& options_;
  const Colour colour_;
  bool several_ = false;  // tests
  std::string folder_;    // of the tickets
  StrategyOptions strategy_;
  erlang::ErlangOptions erlang_options_;
  Limits limits_;
};

Status Check::check_strategy_options() const {
  if (options_.preemptions && options_.strategy != "preemption")
    return Error{"--preemptions is for --strategy preemption; the strategy here is " + options_.strategy + "."};
  if (options_.strategy == "dpor" && !options_.model.atomic_modules.empty())
    return Error{"--atomic is not for --strategy dpor yet, which compares single operations; choose another strategy."};
  if (options_.strategy == "dpor" && options_.blocking == BlockingSteps::kExplore)
    return Error{"--blocking explore is not for --strategy dpor: a blocked step changes nothing."};
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
             .after_bug = options_.keep_going ? AfterBug::kKeepGoing : AfterBug::kStop,
             .interrupt = nullptr};
  return Success{};
}

Status Check::prepare_machine() {
  erlang_options_.normal_reasons = options_.normal_reasons;
  erlang::MachineOptions& machine = erlang_options_.machine;
  machine.reductions_per_step_max = options_.step_limit;
  machine.blocking =
      options_.blocking == BlockingSteps::kExplore ? erlang::Blocking::kExplore : erlang::Blocking::kAvoid;
  if (options_.strategy == "dpor") {
    machine.notes_messages = true;
    erlang_options_.after_failure = erlang::ErlangOptions::AfterFailure::kGoOn;
  }
  return set_model(options_.model, machine);
}

Result<int> Check::run() {
  if (Status prepared = prepare(); !prepared) return prepared.error();
  const auto program = open_program(options_.program, options_.report);
  if (!program) return program.error();
  if (Status prepared = prepare_machine(); !prepared) return prepared.error();
  const auto tests = chosen_tests(**program, options_.program.tests, erlang_options_.machine);
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
  return (atomic.empty() ? "" : "One step each: the calls of " + atomic + ".\n") +
         (stubs.empty() ? "" : "Replaced: " + stubs + ".\n");
}

Result<Tested> Check::check_test(erlang::Program& program, const erlang::TestCase& test) {
  const auto system = erlang::ErlangSystem::start(program, test.name, erlang_options_);
  if (!system) return system.error();
  const auto strategy = make_strategy(options_.strategy, strategy_);
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
  for (const FoundBug& found : tested.exploration.bugs) tested.tickets.push_back(tickets.ticket_of(found.bug));
  if (options_.report.quiet == Quiet::kYes) {
    tell_briefly(tested);
  } else {
    tell(**system, tested);
  }
  std::fflush(stdout);
  if (tested.exploration.refusal) {
    std::fputs(describe_refusal(*tested.exploration.refusal).c_str(), stderr);
  }
  return tested;
}

void Check::tell(System& system, const Tested& tested) const {
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
    print(describe_bug(bugs[i], recording, i + 1, ticket, story) + "\n");
  }
  print(summarize(tested.exploration));
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
  const Result<int> status = Check(options).run();
  if (status) return *status;
  // If these fail as well, the first message is the one that counts.
  if (!json.empty()) static_cast<void>(write_text_file(json, json_error(status.error().message)).ok());
  if (!junit.empty()) static_cast<void>(write_text_file(junit, junit_error(status.error().message)).ok());
  return complain(status.error().message);
}

}  // namespace ravel
