#include "check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "check/result_files.h"
#include "check/resume.h"
#include "check/subject.h"
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
  Check(const FrontEnds& front_ends, const CheckOptions& options, const SavedSearch* before)
      : front_ends_(front_ends),
        options_(options),
        before_(before),
        colour_(colour_for(options.report.colour, stdout)) {}

  Result<int> run();

 private:
  Status open();
  Status open_trace();
  Status follow(const Subject& subject);
  const SavedTest* saved_test(const std::string& test) const;
  Result<TestReport> check_test(std::size_t test);
  bool is_told() const { return options_.report.quiet == Quiet::kNo; }
  void keep(const SavedTest& now);
  void tell(const TestReport& report) const;
  Status write_results(std::span<const Verdict> verdicts);

  const FrontEnds& front_ends_;
  const CheckOptions& options_;
  const SavedSearch* const before_;  // what is resumed
  const Colour colour_;
  std::unique_ptr<CheckedProgram> program_;
  std::vector<NamedStep> prefix_;  // of the trace
  SavedSearch saved_;
  std::string unresumable_;        // why a test's search cannot go on from where it was
  std::optional<SavedTest> kept_;  // where the search that is under way was last
  std::string kept_file_;          // that was written while a search was under way
  bool is_keeping_told_ = false;   // that it could not be
  CheckReport report_;
};

Status Check::open() {
  const FrontEnd& front_end = front_ends_.of(options_.program.files);
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
  if (Status fitting = front_ends_.check_given(*subject->front_end, options_); !fitting) return fitting;
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

Result<int> Check::run() {
  if (Status opened = options_.trace.empty() ? open() : open_trace(); !opened) return opened.error();
  if (Status writable = check_writable_folder(ticket_folder(options_),
                                              options_.out.empty() ? Creation::kLater : Creation::kNow);
      !writable)
    return writable.error();
  for (const std::string& text : program_->remarks()) remark(text, options_.report.colour);

  const std::vector<TestEntry>& tests = program_->tests();
  const std::atomic<bool>& interrupt = catch_interrupts();
  report_.chosen = tests.size();
  report_.assumptions = program_->assumptions();
  if (!options_.trace.empty()) report_.prefix_events = prefix_.size();
  std::vector<Verdict> verdicts;
  for (std::size_t test = 0; test < tests.size(); ++test) {
    auto tested = check_test(test);
    if (!tested) return tested.error();
    report_.tests.push_back(std::move(*tested));
    verdicts.push_back(verdict_of(report_.tests.back()));
    if (interrupt) break;
  }
  if (is_told()) print(describe_check(report_, colour_));
  if (report_.tests.size() < tests.size()) verdicts.push_back(Verdict::kIncomplete);
  if (Status written = write_results(verdicts); !written) return written.error();
  return exit_status(overall(verdicts));
}

Result<TestReport> Check::check_test(std::size_t test) {
  const TestEntry& entry = program_->tests()[test];
  if (!entry.skipped.empty())
    return TestReport{.test = entry.name, .title = entry.title, .skipped = entry.skipped};
  const SavedTest* const before = saved_test(entry.name);
  if (before != nullptr && !before->report.result.position) {
    saved_.tests.push_back(*before);
    if (!is_told()) print(describe_test_briefly(before->report));
    return before->report;
  }
  kept_.reset();
  auto searched = program_->search(test, {.is_one_of_several = program_->tests().size() > 1,
                                          .before = before,
                                          .prefix = prefix_,
                                          .is_noted = !options_.graph_file.empty(),
                                          .keep = [this](const SavedTest& now) { keep(now); }});
  if (!searched) return searched.error();
  const SearchResult& result = searched->report.result;
  // Where it was ended it had no position, as in the middle of long work of a strategy.
  if (kept_ && is_interruption(result.stop) && !result.position) searched->saved = std::move(kept_);
  if (searched->saved) saved_.tests.push_back(std::move(*searched->saved));
  if (!searched->unresumable.empty()) unresumable_ = searched->unresumable;
  tell(searched->report);
  // They may be large, and a suite has many tests.
  searched->report.recordings.clear();
  return std::move(searched->report);
}

// The search goes on from there if the process is killed.
void Check::keep(const SavedTest& now) {
  kept_ = now;
  SavedSearch all = saved_;
  all.tests.push_back(now);
  auto file = save_search(std::move(all), options_, ticket_folder(options_));
  if (file) kept_file_ = std::move(*file);
  if (!file && !std::exchange(is_keeping_told_, true))
    remark("where the search is could not be saved: " + file.error().message, options_.report.colour);
}

void Check::tell(const TestReport& report) const {
  const CheckTextOptions look = {.colour = colour_,
                                 .columns = terminal_columns(stdout),
                                 .is_one_of_several = program_->tests().size() > 1};
  print(is_told() ? describe_test(report, look) : describe_test_briefly(report));
  std::fflush(stdout);
  if (report.result.refusal) std::fputs(describe_refusal(*report.result.refusal).c_str(), stderr);
}

// The files that were asked for, and the one to go on from, if there is something left to do.
Status Check::write_results(std::span<const Verdict> verdicts) {
  if (Status written = write_result_files(options_, report_); !written) return written;
  const auto has_position = [](const SavedTest& test) { return test.report.result.position.has_value(); };
  // A search by states begins anew, which needs no file.
  const auto visited_states = [](const TestReport& test) { return test.result.counts.states.has_value(); };
  const bool is_left =
      std::ranges::any_of(saved_.tests, has_position) ||
      (program_->tests().size() > 1 && std::ranges::count(verdicts, Verdict::kIncomplete) > 0 &&
       !(report_.tests.size() == program_->tests().size() &&
         std::ranges::all_of(report_.tests, visited_states)));
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

}  // namespace

std::string ticket_folder(const CheckOptions& options) {
  return options.out.empty() ? kDefaultTicketFolder : options.out;
}

Result<int> check(const FrontEnds& front_ends, const CheckOptions& options) {
  if (options.resume.empty()) return Check(front_ends, options, nullptr).run();
  const auto resumed = resume_search(front_ends, options);
  if (!resumed) return resumed.error();
  return Check(front_ends, resumed->options, &resumed->before).run();
}

}  // namespace ravel
