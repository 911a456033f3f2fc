#include "cli/threads_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/messages.h"
#include "cli/threads_program.h"
#include "cli/ticket_writer.h"
#include "engine/explorer.h"
#include "engine/recording.h"
#include "engine/replay.h"
#include "report/json_results.h"
#include "report/junit_results.h"
#include "report/progress_line.h"
#include "report/summary.h"
#include "report/verdict.h"
#include "strategy/catalogue.h"
#include "threads/remote/launch.h"
#include "threads/remote/remote_system.h"

namespace ravel {

namespace {

using threads::Configuration;
using threads::ProgramCall;
using threads::RawFoundBug;
using threads::RemoteSystem;
using threads::Searched;

// A random search without any budget would have no end.
constexpr std::uint64_t kRandomExecutions = 10'000;
// Bugs beyond these are named by their title and ticket only.
constexpr std::size_t kStoriesMax = 10;
// A livelock shows in its first rounds.
constexpr std::size_t kEventsShownOfEndless = 60;
constexpr std::size_t kRacesShownMax = 10;

void print(const std::string& text) { std::fputs(text.c_str(), stdout); }

StoryOptions story_options(const Recording& recording, Colour colour) {
  StoryOptions story{.colour = colour, .events_shown_max = 400, .columns = terminal_columns(stdout)};
  if (recording.bug && recording.bug->kind == "event_bound") story.events_shown_max = kEventsShownOfEndless;
  return story;
}

class ThreadsCheck {
 public:
  explicit ThreadsCheck(const CheckOptions& options)
      : options_(options), colour_(colour_for(options.report.colour, stdout)) {}

  Result<int> run() {
    if (Status prepared = prepare(); !prepared) return prepared.error();
    auto system = RemoteSystem::start(call_, configuration_);
    if (!system) return system.error();
    auto searched = configuration_.isolates ? search_outside(**system) : search(**system);
    if (!searched) {
      // Something that no handler catches has happened to the process, and the search with it.
      remark("the program's own process came to an end in the search (" + searched.error().message +
                 "); the search begins again with a process for each execution, as --isolate does",
             options_.report.colour);
      isolate();
      system = RemoteSystem::start(call_, configuration_);
      if (!system) return system.error();
      searched = search_outside(**system);
      if (!searched) return searched.error();
    }
    Tested tested = record_bugs(**system, *searched);
    tell(**system, *searched, tested);
    const std::vector<Tested> all{tested};
    if (!options_.json_file.empty()) {
      if (Status written = write_text_file(options_.json_file, json_results(all)); !written) return written.error();
    }
    if (!options_.junit_file.empty()) {
      if (Status written = write_text_file(options_.junit_file, junit_results(all)); !written) return written.error();
    }
    return exit_status(verdict_of(tested.exploration));
  }

 private:
  Status prepare() {
    const std::vector<std::string>& files = options_.program.files;
    if (files.size() > 1)
      return Error{files.front() + " is a program of C or C++, which is checked alone; what are " + files[1] +
                   " and what follows? Its own arguments stand behind --."};
    call_ = {.path = files.front(), .arguments = options_.program_arguments};
    if (!options_.program.tests.empty())
      return Error{"-t is for tests of Erlang; " + call_.path + " is run as it is, from its main()."};
    if (!options_.resume.empty() || !options_.graph_file.empty() || !options_.trace.empty())
      return Error{"--resume, --graph and --trace are for tests of Erlang only, so far."};
    const std::string strategy = !options_.strategy.empty() ? options_.strategy : options_.delays ? "delay" : "preemption";
    if (strategy == "variants")
      return Error{"--strategy variants is about messages, which threads do not send; choose another strategy."};
    if (options_.seed && !is_sampling(strategy) && strategy != "vt")
      return Error{"--seed is for strategies that draw (random, pct, pos, surw, vt); the strategy here is " + strategy + "."};
    if (options_.preemptions && strategy != "preemption" && strategy != "dpor" && strategy != "vt")
      return Error{"--preemptions is for --strategy preemption, dpor or vt; the strategy here is " + strategy + "."};
    if (options_.threads_ordered && strategy != "vt")
      return Error{"--threads is for --strategy vt; the strategy here is " + strategy + "."};
    if (options_.delays && strategy != "delay")
      return Error{"--delays is for --strategy delay; the strategy here is " + strategy + "."};
    if (options_.depth && strategy != "pct")
      return Error{"--depth is for --strategy pct; the strategy here is " + strategy + "."};
    if (options_.variables && strategy != "pct" && strategy != "preemption" && strategy != "vt")
      return Error{"--variables is for --strategy pct, preemption or vt; the strategy here is " + strategy + "."};
    auto budget = parse_budgets(options_.budgets);
    if (!budget) return budget.error();
    if (const auto made = make_strategy(strategy, {}); !made) return Error{"--strategy: " + made.error().message + "."};
    order_.strategy = strategy;
    order_.seed = options_.seed.value_or(1);
    if (options_.delays) order_.bound = *options_.delays;
    if (options_.depth) order_.depth = *options_.depth;
    if (options_.variables) order_.variables = *options_.variables;
    if (options_.threads_ordered) order_.threads = *options_.threads_ordered;
    if (options_.preemptions) order_.bound = *options_.preemptions;
    order_.seconds = budget->seconds.value_or(0);
    if (is_sampling(strategy)) {
      order_.strategy_executions = budget->executions.value_or(budget->seconds ? 0 : kRandomExecutions);
    } else {
      order_.executions = budget->executions.value_or(0);
    }
    order_.events_max = options_.events_max;
    order_.ignores_event_bound = options_.ignores_event_bound;
    order_.keeps_going = options_.keep_going;
    configuration_.accesses = options_.threads.accesses;
    configuration_.races_are_bugs = options_.threads.races_are_bugs;
    if (options_.threads.isolates) isolate();
    folder_ = options_.out.empty() ? kDefaultTicketFolder : options_.out;
    return check_writable_folder(folder_, options_.out.empty() ? Creation::kLater : Creation::kNow);
  }

  Result<Searched> search(RemoteSystem& system) {
    const std::atomic<bool>& interrupt = catch_interrupts();
    ProgressLine progress(stderr);
    auto searched = system.search(
        order_, [&](const Counts& counts) { progress.on_progress(counts); }, [&] { return interrupt.load(); });
    progress.erase();
    return searched;
  }

  // Races are looked for inside a process that lives on, so here all accesses are operations instead.
  void isolate() {
    configuration_.isolates = true;
    if (configuration_.accesses == threads::AccessOperations::kRacy && !configuration_.races_are_bugs)
      configuration_.accesses = threads::AccessOperations::kAll;
  }

  // The search runs here, and every step is a message.
  Result<Searched> search_outside(RemoteSystem& system) {
    const auto given = [](std::int64_t number) {
      return number < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(number));
    };
    StrategyOptions strategy_options{.seed = order_.seed};
    if (order_.strategy_executions > 0) strategy_options.executions = order_.strategy_executions;
    strategy_options.operations_block = true;
    strategy_options.bound = given(order_.bound);
    strategy_options.depth = given(order_.depth);
    strategy_options.variables = given(order_.variables);
    strategy_options.threads = given(order_.threads);
    const auto strategy = make_strategy(order_.strategy, strategy_options);
    if (!strategy) return strategy.error();
    Limits limits{.seconds = {},
                  .executions = {},
                  .events_max = order_.events_max,
                  .ignores_event_bound = order_.ignores_event_bound,
                  .after_bug = order_.keeps_going ? AfterBug::kKeepGoing : AfterBug::kStop,
                  .interrupt = &catch_interrupts()};
    if (order_.seconds > 0) limits.seconds = order_.seconds;
    if (order_.executions > 0) limits.executions = order_.executions;
    ProgressLine progress(stderr);
    SteadyClock clock;
    const Exploration exploration = Explorer(system, **strategy, limits, clock, &progress).run();
    progress.erase();
    Searched searched;
    searched.strategy = exploration.strategy;
    searched.counts = exploration.counts;
    searched.stop = exploration.stop;
    if (exploration.refusal) searched.refusal = exploration.refusal->message;
    for (const FoundBug& found : exploration.bugs)
      searched.bugs.push_back({.schedule = found.schedule,
                               .bug = {.kind = found.bug.kind, .message = found.bug.message},
                               .preemptions = found.preemptions,
                               .executions = found.executions,
                               .first_execution = found.first_execution,
                               .tracked = {}});
    return searched;
  }

  // Each bug with its recorded execution, from a process of its own.
  Tested record_bugs(RemoteSystem& system, const Searched& searched) {
    Tested tested{.test = test_name(), .title = {}, .exploration = {}, .orphan = {}, .tickets = {}};
    Exploration& exploration = tested.exploration;
    exploration.strategy = searched.strategy;
    exploration.counts = searched.counts;
    exploration.stop = searched.stop;
    if (searched.stop == Stop::kUnsupported)
      exploration.refusal = system.translate_refusal(searched.refusal, searched.refused_at);
    for (const RawFoundBug& raw : searched.bugs) {
      Configuration configuration = configuration_;
      configuration.tracked = raw.tracked;
      FoundBug found{.bug = system.translate(raw.bug),
                     .schedule = raw.schedule,
                     .preemptions = raw.preemptions,
                     .executions = raw.executions,
                     .first_execution = raw.first_execution};
      Recording recording;
      auto replayer = RemoteSystem::start(call_, configuration);
      if (replayer) recording = record_carefully(**replayer, system, found.schedule);
      if (recording.bug) {
        found.bug = *recording.bug;
      } else {
        remark("the schedule of '" + found.bug.message + "' did not lead there again: the program depends on more than its schedule",
               options_.report.colour);
      }
      const auto known = std::ranges::find(exploration.bugs, found.bug.key(), [](const FoundBug& bug) { return bug.bug.key(); });
      if (known != exploration.bugs.end()) {
        known->executions += found.executions;
        continue;
      }
      exploration.bugs.push_back(found);
      tested.tickets.push_back(recording.bug ? write_ticket(recording, configuration) : "");
      recordings_.push_back(std::move(recording));
    }
    exploration.counts.bugs = exploration.bugs.size();
    return tested;
  }

  // As record(), but a program that does something else this time is no reason to fail. Actors have other numbers where the
  // schedule was found, and the same names.
  Recording record_carefully(RemoteSystem& system, const RemoteSystem& found_in, const std::vector<Transition>& schedule) const {
    Recorder recorder(system, order_.events_max);
    for (Transition transition : schedule) {
      const auto actor = system.find_actor(found_in.actor_name(transition.actor));
      if (!actor || !recorder.running()) break;
      transition.actor = *actor;
      if (std::ranges::find(system.enabled(), transition) == system.enabled().end()) break;
      recorder.take(transition);
    }
    return recorder.finish();
  }

  std::string write_ticket(const Recording& recording, const Configuration& configuration) const {
    Ticket ticket = make_ticket(recording, order_.events_max);
    ticket.front_end = kThreadsFrontEnd;
    ticket.program = print_threads_program(note_threads_program(call_, configuration));
    const std::string path = ticket_file_name(folder_, test_name(), *recording.bug);
    Status status = make_folder(folder_);
    if (status) status = write_text_file(path, print_ticket(ticket));
    if (status) return path;
    remark("a ticket could not be written: " + status.error().message, options_.report.colour);
    return "";
  }

  std::string test_name() const { return std::filesystem::path(call_.path).filename(); }

  void tell(RemoteSystem& system, const Searched& searched, const Tested& tested) const {
    const std::vector<FoundBug>& bugs = tested.exploration.bugs;
    if (options_.report.quiet == Quiet::kYes) {
      for (std::size_t i = 0; i < bugs.size(); ++i) {
        const std::string where = place(bugs[i].bug.file, bugs[i].bug.line);
        print(fmt::format("{}: {}{}{}{}{}\n", tested.test, bugs[i].bug.message, where.empty() ? "" : " at ", where,
                          tested.tickets[i].empty() ? "" : "; ticket ", tested.tickets[i]));
      }
    } else {
      for (std::size_t i = 0; i < std::min(kStoriesMax, bugs.size()); ++i)
        print(describe_bug(bugs[i], recordings_[i], i + 1, tested.tickets[i], story_options(recordings_[i], colour_)) + "\n");
      for (std::size_t i = kStoriesMax; i < bugs.size(); ++i)
        print(fmt::format("Bug {}: {}, see {}\n", i + 1, bugs[i].bug.message, tested.tickets[i]));
      print(summarize(tested.exploration));
      tell_races(system, searched);
      print(assumptions());
    }
    std::fflush(stdout);
    if (tested.exploration.refusal) std::fputs(describe_refusal(*tested.exploration.refusal).c_str(), stderr);
  }

  void tell_races(RemoteSystem& system, const Searched& searched) const {
    for (std::size_t i = 0; i < std::min(kRacesShownMax, searched.races.size()); ++i)
      print(paint("Warning: " + system.describe_race(searched.races[i]) + ".", Ink::kYellow, colour_) + "\n");
    if (searched.races.size() > kRacesShownMax)
      print(fmt::format("{} not shown.\n", counted(searched.races.size() - kRacesShownMax, "more data race")));
  }

  // What a pass depends on.
  std::string assumptions() const {
    std::string text = "Memory is taken to be sequentially consistent.";
    if (configuration_.accesses == threads::AccessOperations::kSync)
      text += " Plain memory accesses were not interleaved: what a data race does was not explored.";
    return text + "\n";
  }

  const CheckOptions& options_;
  const Colour colour_;
  ProgramCall call_;
  Configuration configuration_;
  threads::SearchOrder order_;
  std::string folder_;
  std::vector<Recording> recordings_;  // by bug
};

}  // namespace

bool is_threads_program(const std::vector<std::string>& files) {
  return !files.empty() && threads::is_executable_file(files.front());
}

Result<int> check_threads(const CheckOptions& options) { return ThreadsCheck(options).run(); }

Result<int> replay_threads(const Ticket& ticket, const ReplayOptions& options) {
  const auto noted = parse_threads_program(ticket, options.ticket);
  if (!noted) return noted.error();
  const ProgramCall call = call_again(*noted, options.files);
  if (!threads::is_executable_file(call.path))
    return Error{call.path + ": this is not an executable file. Build the program again, or name it behind the ticket."};
  auto system = RemoteSystem::start(call, noted->configuration);
  if (!system) return system.error();
  const Replay replayed = replay(**system, ticket);
  if (options.report.quiet == Quiet::kNo) {
    const Colour colour = colour_for(options.report.colour, stdout);
    std::string text = paint(call.path, Ink::kBold, colour) + "\n\n";
    if (has_changed(*noted, call)) text += "Since this ticket was written the program has changed.\n";
    print(text + describe_replay(replayed, ticket.bug, story_options(replayed.recording, colour)));
    std::fflush(stdout);
  }
  if (replayed.recording.refusal) std::fputs(describe_refusal(*replayed.recording.refusal).c_str(), stderr);
  return exit_status(verdict_of(replayed));
}

}  // namespace ravel
