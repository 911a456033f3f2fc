#include "cli/threads_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/result_files.h"
#include "cli/resume.h"
#include "cli/search_settings.h"
#include "cli/story_options.h"
#include "cli/subject.h"
#include "cli/threads_search.h"
#include "cli/threads_tests.h"
#include "report/assumptions.h"
#include "report/race_text.h"
#include "report/summary.h"
#include "report/test_table.h"
#include "report/verdict.h"
#include "threads/protocol/actor_path.h"

namespace ravel {

namespace {

using threads::ListedTest;
using threads::ProgramCall;

// Bugs beyond these are named by their title and ticket only.
constexpr std::size_t kStoriesMax = 10;

void print(const std::string& text) { std::fputs(text.c_str(), stdout); }

class ThreadsCheck {
 public:
  ThreadsCheck(const CheckOptions& options, const SavedSearch* before)
      : options_(options), before_(before), colour_(colour_for(options.report.colour, stdout)) {}

  Result<int> run() {
    if (Status prepared = prepare(); !prepared) return prepared.error();
    const auto tests = listed();
    if (!tests) return tests.error();
    several_ = tests->size() > 1;
    const std::atomic<bool>& interrupt = catch_interrupts();
    std::vector<Tested> all;
    std::vector<Verdict> verdicts;
    for (const ListedTest& test : *tests) {
      auto tested = check_test(test);
      if (!tested) return tested.error();
      all.push_back(std::move(*tested));
      verdicts.push_back(verdict_of(all.back().exploration));
      if (interrupt) break;
    }
    if (is_told()) print(assumptions());
    if (several_ && is_told()) {
      print(describe_tests(all, colour_) + describe_assumptions(assumed_by(all)));
      if (all.size() < tests->size())
        print(fmt::format("Interrupted: {} not run.\n", counted(tests->size() - all.size(), "more test")));
    }
    if (all.size() < tests->size()) verdicts.push_back(Verdict::kIncomplete);
    if (Status written = write_results(all, verdicts); !written) return written.error();
    return exit_status(overall(verdicts));
  }

 private:
  Result<std::vector<ListedTest>> listed() const {
    if (options_.trace.empty()) return chosen_threads_tests(call_, options_.program.tests);
    std::vector<ListedTest> tests(1);
    tests[0].test = call_.test;
    return tests;
  }

  Status prepare() {
    if (before_ != nullptr && !before_->tests.empty())
      if (Status taken = take_saved_input(before_->tests.front()); !taken) return taken;
    if (Status opened = options_.trace.empty() ? open() : open_trace(); !opened) return opened;
    if (!options_.graph_file.empty() && !options_.resume.empty()) return Error{"--graph draws a search of a program from its beginning; leave out --resume."};
    auto settings = search_settings(options_, FrontEnd::kThreads);
    if (!settings) return settings.error();
    settings_ = std::move(*settings);
    configuration_.isolates = options_.threads.isolates;
    folder_ = options_.out.empty() ? kDefaultTicketFolder : options_.out;
    return check_writable_folder(folder_, options_.out.empty() ? Creation::kLater : Creation::kNow);
  }

  // What is left is searched with the same standard input as before.
  Status take_saved_input(const SavedTest& saved) const {
    Ticket ticket;
    ticket.program = saved.program;
    const auto noted = parse_threads_program(ticket, options_.resume);
    return noted ? take_noted_input(*noted, options_.resume) : noted.error();
  }

  Status open() {
    auto call = program_call(options_.program);
    if (!call) return call.error();
    call_ = std::move(*call);
    configuration_.accesses = options_.threads.accesses;
    configuration_.races_are_bugs = options_.threads.races_are_bugs;
    configuration_.spurious = options_.threads.spurious;
    configuration_.host_files = options_.threads.host_files;
    configuration_.follows_deadlines = options_.model.time == erlang::TimePolicy::kDeadlines;
    configuration_.passes_when_idle = options_.model.time == erlang::TimePolicy::kIdle;
    configuration_.fires_early = options_.early.value_or(0) > 0;
    return track_named(options_.threads, call_, configuration_);
  }

  // The trace says what is run, and how.
  Status open_trace() {
    ThreadsOptions others = options_.threads;
    others.isolates = false;
    others.parts = VariableParts::kElements;
    if (!options_.program.tests.empty() || !options_.program.program_arguments.empty() || !(others == ThreadsOptions()) ||
        options_.model.time != ModelOptions().time)
      return Error{"--trace " + options_.trace + ": the trace says which test it is of and how its program is called and run; "
                   "leave out -t, the arguments behind -- and the options for that."};
    auto subject = open_saved(options_.trace, options_.program.files, options_.report);
    if (!subject) return subject.error();
    if (!subject->trace) return Error{options_.trace + ": this is a ticket, not a trace. 'ravel trace' makes one of it."};
    const FollowedTrace followed = follow_trace(*subject->system, *subject->trace, subject->events_max);
    if (followed.divergence)
      return Error{fmt::format("{}: no search can begin with this trace, which can be followed for {} of its {} events: then {}.",
                               options_.trace, followed.events, subject->trace->length(), followed.divergence->what)};
    const ThreadsProgram& noted = std::get<ThreadsSubject>(subject->of).noted;
    call_ = noted.call;
    configuration_ = noted.configuration;
    prefix_.tracked = noted.configuration.tracked;
    for (EventId event = 0; event < followed.observation->length(); ++event) {
      const NamedStep step = followed.observation->step_of(event);
      threads::PrefixStep& to = prefix_.steps.emplace_back();
      to.actor = threads::path_of(step.actor);
      to.alternative = step.alternative;
      to.kind = step.kind;
    }
    return Success{};
  }

  bool is_told() const { return options_.report.quiet == Quiet::kNo; }

  // What an earlier part of the search knows of it, or null.
  const SavedTest* saved_test(const std::string& test) const {
    if (before_ == nullptr) return nullptr;
    const auto found = std::ranges::find(before_->tests, test, [](const SavedTest& saved) -> const std::string& { return saved.tested.test; });
    return found == before_->tests.end() ? nullptr : &*found;
  }

  Result<Tested> check_test(const ListedTest& test) {
    ProgramCall call = call_;
    call.test = test.test;
    const std::string name = report_name(call);
    const SavedTest* const before = saved_test(name);
    if (before != nullptr && !before->tested.exploration.position) {
      saved_.tests.push_back(*before);
      if (!is_told()) tell_briefly(before->tested);
      return before->tested;
    }
    ThreadsSearch search(call, configuration_, settings_, folder_, options_.report);
    std::vector<std::string> ignored = options_.threads.ignored;
    if (options_.properties.ignores_deadlocks) ignored.emplace_back("deadlock");
    search.ignore(std::move(ignored));
    search.begin_with(prefix_);
    if (!options_.graph_file.empty()) search.draw_as("t" + std::to_string(graphs_.size() + 1));
    auto done = search.run(several_ ? name : "", before);
    if (!done) return done.error();
    if (!done->graph.empty()) graphs_.push_back(std::move(done->graph));
    done->tested.title = done->saved.tested.title = test.title;
    // One that was stopped and has no position begins anew.
    for (const Recording& recording : done->recordings) done->tested.rare_events.push_back(count_rare_events(recording));
    done->saved.tested.rare_events = done->tested.rare_events;
    if (done->tested.exploration.position || verdict_of(done->tested.exploration) != Verdict::kIncomplete)
      saved_.tests.push_back(done->saved);
    if (is_told()) {
      tell(*done);
    } else {
      tell_briefly(done->tested);
    }
    std::fflush(stdout);
    if (done->tested.exploration.refusal) std::fputs(describe_refusal(*done->tested.exploration.refusal).c_str(), stderr);
    return std::move(done->tested);
  }

  void tell(const ThreadsTested& done) const {
    const Tested& tested = done.tested;
    const std::vector<FoundBug>& bugs = tested.exploration.bugs;
    if (several_ && bugs.empty() && !tested.exploration.refusal && tested.warnings.empty()) return;  // its line in the table says it all
    if (several_) print(paint(tested.test, Ink::kBold, colour_) + (tested.title.empty() ? "" : "  " + tested.title) + "\n\n");
    for (std::size_t i = 0; i < std::min(kStoriesMax, bugs.size()); ++i) {
      std::string text = describe_bug(bugs[i], done.recordings[i], i + 1, tested.tickets[i], story_options(done.recordings[i], colour_));
      if (const auto& explanation = tested.explanations[i]) text += describe_explanation(*explanation, colour_);
      print(text + "\n");
    }
    for (std::size_t i = kStoriesMax; i < bugs.size(); ++i)
      print(fmt::format("Bug {}: {}, see {}\n", i + 1, bugs[i].bug.message, tested.tickets[i]));
    print(summarize(tested.exploration));
    for (const std::string& warning : tested.warnings) print(paint("Warning: " + warning + ".", Ink::kYellow, colour_) + "\n");
    if (several_) print("\n");
  }

  void tell_briefly(const Tested& tested) const {
    for (std::size_t i = 0; i < tested.exploration.bugs.size(); ++i) {
      const Bug& bug = tested.exploration.bugs[i].bug;
      const std::string where = place(bug.file, bug.line);
      print(fmt::format("{}: {}{}{}{}{}\n", tested.test, bug.message, where.empty() ? "" : " at ", where,
                        tested.tickets[i].empty() ? "" : "; ticket ", tested.tickets[i]));
    }
  }

  // What a pass depends on.
  std::string assumptions() const {
    std::string text;
    if (!options_.trace.empty()) text = fmt::format("Every execution contains the {} of the trace.\n", counted(prefix_.steps.size(), "event"));
    if (configuration_.accesses == threads::AccessOperations::kSync)
      text += "Plain memory accesses were not interleaved: what a data race does was not explored.\n";
    if (configuration_.accesses == threads::AccessOperations::kNamed)
      text += "Only accesses to the memory named by --track were interleaved, and races were not looked for.\n";
    return text;
  }

  // The files that were asked for, and the one to go on from, if there is something left to do.
  Status write_results(const std::vector<Tested>& all, std::span<const Verdict> verdicts) {
    if (Status written = write_result_files(options_, all, graphs_); !written) return written;
    const bool has_position = std::ranges::any_of(all, [](const Tested& tested) { return tested.exploration.position.has_value(); });
    const bool is_left = has_position || (several_ && std::ranges::count(verdicts, Verdict::kIncomplete) > 0);
    return is_left ? save_search(saved_, options_, folder_) : Success{};
  }

  const CheckOptions& options_;
  const SavedSearch* const before_;
  const Colour colour_;
  ProgramCall call_;
  threads::Configuration configuration_;
  SearchSettings settings_;
  threads::SearchPrefix prefix_;  // of the trace
  std::string folder_;
  bool several_ = false;  // tests
  SavedSearch saved_;
  std::vector<std::string> graphs_;
};

}  // namespace

Result<int> check_threads(const CheckOptions& options, const SavedSearch* before) { return ThreadsCheck(options, before).run(); }

}  // namespace ravel
