#include "check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/cores.h"
#include "check/html_results.h"
#include "check/part_work.h"
#include "check/result_files.h"
#include "check/resume.h"
#include "check/subject.h"
#include "check/subject_story.h"
#include "check/test_processes.h"
#include "host/files.h"
#include "host/interrupt.h"
#include "host/messages.h"
#include "report/check_text.h"
#include "report/summary.h"
#include "report/verdict.h"

namespace ravel {

namespace {

void print(const std::string& text) { std::fputs(text.c_str(), stdout); }

class Check {
 public:
  Check(const FrontEnds& front_ends, CheckOptions options, const SavedSearch* before,
        PartWork* parts = nullptr)
      : front_ends_(front_ends),
        options_(std::move(options)),
        before_(before),
        parts_(parts),
        look_{.colour = colour_for(options_.report.colour, stdout)},
        columns_(terminal_columns(stdout)) {}

  Result<int> run();

 private:
  Status open();
  Status open_trace();
  Status follow(const Subject& subject);
  Status choose();
  Status open_parts();
  const SavedTest* saved_test(const std::string& test) const;
  std::optional<TestOutcome> without_search(std::size_t test) const;
  const SavedTest* before(std::size_t test) const;
  Result<TestOutcome> search(std::size_t test, const TestShare& share, const TestProcesses::Keep& keep);
  TestOutcome given_up(std::size_t test, const std::string& how) const;
  Status search_in_turn();
  Status search_side_by_side();
  Status tell_ended();
  Status take(TestOutcome outcome);
  bool is_told() const { return options_.report.quiet == Quiet::kNo; }
  void keep(std::size_t test, const SavedTest& now);
  SearchTask::Tell teller() const;
  std::string text_of(const TestReport& report) const;
  Status write_results(std::span<const Verdict> verdicts);

  const FrontEnds& front_ends_;
  CheckOptions options_;             // a copy of this process has its own jobs
  const SavedSearch* const before_;  // what is resumed
  PartWork* const parts_;            // what is done instead of a search; null: there is a search
  CheckTextOptions look_;
  const std::optional<std::size_t> columns_;  // of the terminal
  const FrontEnd* front_end_ = nullptr;
  std::unique_ptr<CheckedProgram> program_;
  std::vector<NamedStep> prefix_;     // of the trace
  std::vector<std::size_t> chosen_;   // tests of the program
  std::optional<Shard> sample_part_;  // of the one test
  SavedSearch saved_;
  std::string unresumable_;                // why a test's search cannot go on from where it was
  std::map<std::size_t, SavedTest> kept_;  // where searches that are under way were last
  std::string kept_file_;                  // that was written while a search was under way
  bool is_keeping_told_ = false;           // that it could not be
  bool has_bug_file_ = false;              // the first test that has one was told
  CheckReport report_;
  // Of searches side by side, until all before in the order of tests have ended, too.
  std::map<std::size_t, EndedTest> ended_;
};

Status Check::open() {
  const FrontEnd& front_end = front_ends_.of(options_.program.files);
  front_end_ = &front_end;
  if (Status fitting = front_ends_.check_given(front_end, options_); !fitting) return fitting;
  auto program = front_end.open(options_, before_);
  if (!program) return program.error();
  program_ = std::move(*program);
  return Success{};
}

Status Check::follow(const Subject& subject) {
  const FollowedTrace followed = follow_trace(subject.system(), *subject.trace, subject.events_max);
  if (followed.divergence)
    return Error{fmt::format(
        "{}: no search can begin with this trace, which can be followed for {} of its {} events: then {}.",
        options_.trace, followed.events, subject.trace->length(), followed.divergence->what)};
  for (EventId event = 0; event < followed.observation->length(); ++event)
    prefix_.push_back(followed.observation->step_of(event));
  return Success{};
}

// The trace says which test is searched, and how its program is opened and run.
Status Check::open_trace() {
  auto subject =
      open_saved(front_ends_, options_.trace, options_.program.files, options_.report, Purpose::kShow);
  if (!subject) return subject.error();
  front_end_ = subject->front_end;
  if (Status fitting = front_ends_.check_given(*front_end_, options_); !fitting) return fitting;
  const bool says_more = std::ranges::any_of(options_.given, [](const GivenOption& given) {
    return (!given.owner.empty() && !given.is_of_search) || given.name == "--test" || given.name == "--time";
  });
  if (says_more || !options_.program.program_arguments.empty())
    return Error{"--trace " + options_.trace +
                 ": the trace says which test it is of and how its program is opened and run; "
                 "leave out -t, the arguments after -- and the options for that."};
  if (!subject->trace)
    return Error{options_.trace + ": this is a ticket, not a trace. 'ravel trace' makes one of it."};
  if (Status followed = follow(*subject); !followed) return followed;
  auto program = subject->front_end->open(std::move(subject->test), options_);
  if (!program) return program.error();
  program_ = std::move(*program);
  return Success{};
}

const SavedTest* Check::saved_test(const std::string& test) const {
  if (before_ == nullptr) return nullptr;
  const auto name_of = [](const SavedTest& saved) -> const std::string& { return saved.report.test; };
  const auto found = std::ranges::find(before_->tests, test, name_of);
  return found == before_->tests.end() ? nullptr : &*found;
}

// The part of the tests, or of the executions of one, that is for this machine.
Status Check::choose() {
  const std::size_t count = program_->tests().size();
  const std::optional<Shard>& shard = options_.shard;
  const bool is_of_suite = shard && count > 1;
  for (std::size_t test = 0; test < count; ++test)
    if (!is_of_suite || shard->has_test(test)) chosen_.push_back(test);
  report_.chosen = chosen_.size();
  if (!shard) return Success{};
  report_.shard = ShardReport{.number = shard->number, .count = shard->count};
  if (is_of_suite) report_.shard->tests = count;
  if (is_of_suite || shard->count == 1) return Success{};
  sample_part_ = shard;
  const auto budget = parse_budgets(options_.budgets);
  if (before_ != nullptr && budget && budget->executions)
    return Error{
        "--resume: how many executions the shards of a sample have was said when it began; leave out "
        "--budget with a number of executions."};
  return Success{};
}

// Of one test.
Status Check::open_parts() {
  if (chosen_.size() != 1) return several_tests(chosen_.size(), program_->tests().front().name);
  const TestEntry& test = program_->tests()[chosen_.front()];
  if (!test.skipped.empty())
    return Error{test.name + ": the suite itself skips this test (" + test.skipped + ")."};
  return parts_->open(*program_, test.name);
}

Result<int> Check::run() {
  if (Status opened = options_.trace.empty() ? open() : open_trace(); !opened) return opened.error();
  const Creation creation = options_.out.empty() ? Creation::kLater : Creation::kNow;
  if (parts_ == nullptr || parts_->tells_bugs())
    if (Status writable = check_writable_folder(ticket_folder(options_), creation); !writable)
      return Error{writable.error().message + " Name another folder with --out."};
  if (Status writable = check_html_folder(options_); !writable) return writable.error();
  if (Status chosen = choose(); !chosen) return chosen.error();
  if (parts_ != nullptr)
    if (Status opened = open_parts(); !opened) return opened.error();
  for (const std::string& text : program_->remarks()) remark(text, options_.report.colour);

  look_.is_one_of_several = program_->tests().size() > 1;
  report_.assumptions = program_->assumptions();
  if (!options_.trace.empty()) report_.prefix_events = prefix_.size();
  const auto needs_search = [this](std::size_t test) { return !without_search(test); };
  const bool in_turn = options_.jobs == 1 || !options_.trace.empty() || !options_.graph_file.empty() ||
                       std::ranges::count_if(chosen_, needs_search) <= 1;
  if (Status searched = in_turn ? search_in_turn() : search_side_by_side(); !searched)
    return searched.error();
  if (parts_ != nullptr && !parts_->is_over()) return exit_status(Verdict::kIncomplete);
  std::vector<Verdict> verdicts;
  for (const TestReport& tested : report_.tests) verdicts.push_back(verdict_of(tested));
  if (is_told()) print(describe_check(report_, look_.colour));
  if (report_.tests.size() < chosen_.size()) verdicts.push_back(Verdict::kIncomplete);
  if (Status written = write_results(verdicts); !written) return written.error();
  return exit_status(overall(verdicts));
}

// ---- One test --------------------------------------------------------------------------------------------

// Of a test that is skipped, or was searched before.
std::optional<TestOutcome> Check::without_search(std::size_t test) const {
  const TestEntry& entry = program_->tests()[test];
  TestOutcome outcome;
  if (!entry.skipped.empty()) {
    outcome.report = TestReport{.test = entry.name, .title = entry.title, .skipped = entry.skipped};
    return outcome;
  }
  const SavedTest* const before = saved_test(entry.name);
  if (before == nullptr || before->report.result.position) return std::nullopt;
  outcome.report = before->report;
  outcome.saved = *before;
  if (parts_ != nullptr || !is_told()) outcome.text = text_of(before->report);
  return outcome;
}

// Where a search begins: where its process has told to be before it died, or where it is resumed.
const SavedTest* Check::before(std::size_t test) const {
  const auto kept = kept_.find(test);
  return kept != kept_.end() ? &kept->second : saved_test(program_->tests()[test].name);
}

Result<TestOutcome> Check::search(std::size_t test, const TestShare& share, const TestProcesses::Keep& keep) {
  std::optional<SavedTest> kept;
  options_.jobs = share.jobs;
  auto searched = program_->search(test, {.is_one_of_several = look_.is_one_of_several,
                                          .before = before(test),
                                          .prefix = prefix_,
                                          .is_noted = !options_.graph_file.empty(),
                                          .searches = share.searches,
                                          .processes = share.processes,
                                          .shard = sample_part_,
                                          .keep =
                                              [&](const SavedTest& now) {
                                                kept = now;
                                                keep(now);
                                              },
                                          .tell = teller(),
                                          .parts = parts_});
  if (!searched) return searched.error();
  if (searched->needs_machine) return TestOutcome{.report = {}, .needs_machine = true};
  if (parts_ != nullptr) {
    if (!parts_->status()) return parts_->status().error();
    if (!parts_->is_over()) return TestOutcome();
    if (searched->saved)
      if (Status kept_told = parts_->keep_told(*searched->saved); !kept_told) return kept_told.error();
  }
  const SearchResult& result = searched->report.result;
  // Where it was ended it had no position, as in the middle of long work of a strategy.
  if (kept && is_interruption(result.stop) && !result.position) searched->saved = std::move(kept);
  TestOutcome outcome;
  outcome.text = text_of(searched->report);
  if (result.refusal) outcome.complaint = describe_refusal(*result.refusal);
  // They may be large, and a suite has many tests.
  searched->report.recordings.clear();
  searched->report.stories.clear();
  outcome.report = std::move(searched->report);
  outcome.saved = std::move(searched->saved);
  outcome.unresumable = std::move(searched->unresumable);
  outcome.bug_file = std::move(searched->bug_file);
  return outcome;
}

SearchTask::Tell Check::teller() const {
  if (!is_told()) return {};
  return [this](System* shown, const Recording& recording, const std::optional<Explanation>& why) {
    return tell_recording(*front_end_, shown, recording, why, options_.story,
                          {.colour = look_.colour, .columns = columns_});
  };
}

std::string Check::text_of(const TestReport& report) const {
  return is_told() ? describe_test(report, look_) : describe_test_briefly(report);
}

// Of a test whose process has died: as far as it was kept, and never complete.
TestOutcome Check::given_up(std::size_t test, const std::string& how) const {
  const TestEntry& entry = program_->tests()[test];
  TestOutcome outcome;
  outcome.report.test = entry.name;
  outcome.report.title = entry.title;
  outcome.report.result.strategy = options_.strategy;
  if (const auto kept = kept_.find(test); kept != kept_.end()) {
    outcome.report = kept->second.report;
    outcome.saved = kept->second;
  }
  outcome.report.result.stop = Stop::kInterrupted;
  outcome.report.warnings.push_back("the process of this search came to an end (" + how +
                                    "), so that the test is not searched to its end");
  outcome.text = text_of(outcome.report);
  return outcome;
}

// The search goes on from there if the process is killed.
void Check::keep(std::size_t test, const SavedTest& now) {
  kept_[test] = now;
  SavedSearch all = saved_;
  for (const auto& [place, ended] : ended_)
    if (ended.outcome.saved) all.tests.push_back(*ended.outcome.saved);
  for (const auto& [place, kept] : kept_) all.tests.push_back(kept);
  auto file = save_search(std::move(all), options_, ticket_folder(options_));
  if (file) kept_file_ = std::move(*file);
  if (!file && !std::exchange(is_keeping_told_, true))
    remark("where the search is could not be saved: " + file.error().message, options_.report.colour);
}

// Tells of a test whose turn it is, and notes what it has come to.
Status Check::take(TestOutcome outcome) {
  print(outcome.text);
  std::fflush(stdout);
  std::fputs(outcome.complaint.c_str(), stderr);
  if (outcome.bug_file && !std::exchange(has_bug_file_, true))
    if (Status written = write_text_file(outcome.bug_file->path, outcome.bug_file->text); !written)
      return written.error();
  if (outcome.saved) saved_.tests.push_back(std::move(*outcome.saved));
  if (!outcome.unresumable.empty()) unresumable_ = outcome.unresumable;
  report_.tests.push_back(std::move(outcome.report));
  return Success{};
}

// ---- All tests -------------------------------------------------------------------------------------------

Status Check::search_in_turn() {
  const std::atomic<bool>& interrupt = catch_interrupts();
  for (const std::size_t test : chosen_) {
    auto known = without_search(test);
    auto outcome = known ? Result<TestOutcome>(std::move(*known))
                         : search(test, {.jobs = options_.jobs, .processes = {.most = options_.jobs}},
                                  [&](const SavedTest& now) { keep(test, now); });
    kept_.erase(test);
    if (!outcome) return outcome.error();
    if (Status taken = take(std::move(*outcome)); !taken) return taken;
    if (interrupt) break;
  }
  return Success{};
}

Status Check::search_side_by_side() {
  const std::atomic<bool>& interrupt = catch_interrupts();
  std::vector<std::size_t> to_search;
  for (const std::size_t test : chosen_) {
    auto known = without_search(test);
    if (!known) {
      to_search.push_back(test);
      continue;
    }
    EndedTest ended;
    ended.outcome = std::move(*known);
    ended_.emplace(test, std::move(ended));
  }
  Status told = tell_ended();
  // A copy speaks to memory, and is heard on the streams of this process.
  const bool is_coloured = colour_for(options_.report.colour, stderr) == Colour::kOn;
  const ColourWish colour_of_copies = is_coloured ? ColourWish::kAlways : ColourWish::kNever;
  TestProcesses processes(
      to_search, options_.jobs, interrupt, options_.report.colour,
      {.search =
           [&](std::size_t test, const TestShare& share, const TestProcesses::Keep& keep) {
             options_.report.colour = colour_of_copies;
             return search(test, share, keep);
           },
       .name = [this](std::size_t test) { return program_->tests()[test].name; },
       .kept = [this](std::size_t test, const SavedTest& now) { keep(test, now); },
       .give_up = [this](std::size_t test, const std::string& how) { return given_up(test, how); },
       .ended =
           [&](std::size_t test, EndedTest ended) {
             kept_.erase(test);
             ended_.insert_or_assign(test, std::move(ended));
             told = tell_ended();
             return told.ok();
           }});
  if (!told) return told;
  if (Status run = processes.run(); !run) return run;
  // An interrupt that came before all of them ends the first one at once.
  if (told && report_.tests.empty() && !chosen_.empty()) return search_in_turn();
  return told;
}

// Those whose turn it is.
Status Check::tell_ended() {
  while (report_.tests.size() < chosen_.size()) {
    const auto next = ended_.find(chosen_[report_.tests.size()]);
    if (next == ended_.end()) break;
    EndedTest ended = std::move(next->second);
    ended_.erase(next);
    std::fputs(ended.errors.c_str(), stderr);
    print(ended.output);
    if (ended.error) return *ended.error;
    if (Status taken = take(std::move(ended.outcome)); !taken) return taken;
  }
  return Success{};
}

// ---- Results ---------------------------------------------------------------------------------------------

// The files that were asked for, and the one to go on from, if there is something left to do.
Status Check::write_results(std::span<const Verdict> verdicts) {
  if (Status written = write_result_files(options_, report_); !written) return written;
  if (Status written = write_html_results(front_ends_, options_, report_); !written) return written;
  const auto has_position = [](const SavedTest& test) { return test.report.result.position.has_value(); };
  // A search by states begins anew, which needs no file.
  const auto visited_states = [](const TestReport& test) { return test.result.counts.states.has_value(); };
  const bool is_left =
      std::ranges::any_of(saved_.tests, has_position) ||
      (look_.is_one_of_several && std::ranges::count(verdicts, Verdict::kIncomplete) > 0 &&
       !(report_.tests.size() == chosen_.size() && std::ranges::all_of(report_.tests, visited_states)));
  if (!is_left) {
    if (!kept_file_.empty()) std::remove(kept_file_.c_str());
    if (is_told() && !unresumable_.empty()) print("It cannot go on later: " + unresumable_ + ".\n");
    return Success{};
  }
  const auto file = save_search(saved_, options_, ticket_folder(options_));
  if (!file) return file.error();
  if (is_told()) print("Go on with: ravel check --resume " + *file + "\n");
  return Success{};
}

// What is the default of this machine.
CheckOptions with_all_cores(CheckOptions options) {
  if (!options.are_jobs_given) options.jobs = std::min(cores_to_use(), kJobsMax);
  return options;
}

}  // namespace

std::string ticket_folder(const CheckOptions& options) {
  return options.out.empty() ? kDefaultTicketFolder : options.out;
}

Result<int> check(const FrontEnds& front_ends, const CheckOptions& options) {
  if (options.resume.empty()) return Check(front_ends, with_all_cores(options), nullptr).run();
  const auto resumed = resume_search(front_ends, options);
  if (!resumed) return resumed.error();
  return Check(front_ends, with_all_cores(resumed->options), &resumed->before).run();
}

Result<int> check(const FrontEnds& front_ends, const CheckOptions& options, const SavedSearch* before,
                  PartWork& parts) {
  return Check(front_ends, options, before, &parts).run();
}

}  // namespace ravel
