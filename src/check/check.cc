#include "check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "check/result_files.h"
#include "check/resume.h"
#include "check/story_options.h"
#include "check/subject.h"
#include "host/files.h"
#include "host/interrupt.h"
#include "host/messages.h"
#include "report/assumptions.h"
#include "report/race_text.h"
#include "report/summary.h"
#include "report/test_table.h"
#include "report/verdict.h"

namespace ravel {

namespace {

void print(const std::string& text) { std::fputs(text.c_str(), stdout); }

class Check {
 public:
  Check(const FrontEnds& front_ends, const CheckOptions& options, const SavedSearch* before)
      : front_ends_(front_ends), options_(options), before_(before), colour_(colour_for(options.report.colour, stdout)) {}

  Result<int> run();

 private:
  Status open();
  Status open_trace();
  Status follow(const Subject& subject);
  const SavedTest* saved_test(const std::string& test) const;
  Result<Tested> check_test(std::size_t test);
  bool is_told() const { return options_.report.quiet == Quiet::kNo; }
  void tell(const SearchedTest& searched) const;
  void tell_briefly(const Tested& tested) const;
  void tell_all(const std::vector<Tested>& all) const;
  Status write_results(const std::vector<Tested>& all, std::span<const Verdict> verdicts);

  const FrontEnds& front_ends_;
  const CheckOptions& options_;
  const SavedSearch* const before_;  // what is resumed
  const Colour colour_;
  std::unique_ptr<CheckedProgram> program_;
  std::vector<NamedStep> prefix_;  // of the trace
  SavedSearch saved_;
  std::vector<std::string> graphs_;
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
    return Error{fmt::format("{}: no search can begin with this trace, which can be followed for {} of its {} events: then {}.",
                             options_.trace, followed.events, subject.trace->length(), followed.divergence->what)};
  for (EventId event = 0; event < followed.observation->length(); ++event)
    prefix_.push_back(followed.observation->step_of(event));
  return Success{};
}

// The trace says which test is searched, and how its program is opened and run.
Status Check::open_trace() {
  auto subject = open_saved(front_ends_, options_.trace, options_.program.files, options_.report, Purpose::kShow);
  if (!subject) return subject.error();
  if (Status fitting = front_ends_.check_given(*subject->front_end, options_); !fitting) return fitting;
  const bool says_more = std::ranges::any_of(options_.given, [](const GivenOption& given) {
    return (!given.owner.empty() && !given.is_of_search) || given.name == "--test" || given.name == "--time";
  });
  if (says_more || !options_.program.program_arguments.empty())
    return Error{"--trace " + options_.trace + ": the trace says which test it is of and how its program is opened and run; "
                 "leave out -t, the arguments after -- and the options for that."};
  if (!subject->trace) return Error{options_.trace + ": this is a ticket, not a trace. 'ravel trace' makes one of it."};
  if (Status followed = follow(*subject); !followed) return followed;
  auto program = subject->front_end->open(std::move(subject->test), options_);
  if (!program) return program.error();
  program_ = std::move(*program);
  return Success{};
}

const SavedTest* Check::saved_test(const std::string& test) const {
  if (before_ == nullptr) return nullptr;
  const auto name_of = [](const SavedTest& saved) -> const std::string& { return saved.tested.test; };
  const auto found = std::ranges::find(before_->tests, test, name_of);
  return found == before_->tests.end() ? nullptr : &*found;
}

Result<int> Check::run() {
  if (Status opened = options_.trace.empty() ? open() : open_trace(); !opened) return opened.error();
  if (Status writable = check_writable_folder(ticket_folder(options_), options_.out.empty() ? Creation::kLater : Creation::kNow); !writable)
    return writable.error();
  for (const std::string& text : program_->remarks()) remark(text, options_.report.colour);

  const std::vector<TestEntry>& tests = program_->tests();
  const std::atomic<bool>& interrupt = catch_interrupts();
  std::vector<Tested> all;
  std::vector<Verdict> verdicts;
  for (std::size_t test = 0; test < tests.size(); ++test) {
    auto tested = check_test(test);
    if (!tested) return tested.error();
    all.push_back(std::move(*tested));
    verdicts.push_back(verdict_of(all.back()));
    if (interrupt) break;
  }
  if (is_told()) tell_all(all);
  if (all.size() < tests.size()) verdicts.push_back(Verdict::kIncomplete);
  if (Status written = write_results(all, verdicts); !written) return written.error();
  return exit_status(overall(verdicts));
}

Result<Tested> Check::check_test(std::size_t test) {
  const TestEntry& entry = program_->tests()[test];
  if (!entry.skipped.empty())
    return Tested{.test = entry.name, .title = entry.title, .skipped = entry.skipped, .exploration = {}, .tickets = {}};
  const SavedTest* const before = saved_test(entry.name);
  if (before != nullptr && !before->tested.exploration.position) {
    saved_.tests.push_back(*before);
    if (!is_told()) tell_briefly(before->tested);
    return before->tested;
  }
  SearchTask task{.is_one_of_several = program_->tests().size() > 1, .before = before, .prefix = prefix_};
  if (!options_.graph_file.empty()) task.graph_name = fmt::format("t{}", graphs_.size() + 1);
  auto searched = program_->search(test, task);
  if (!searched) return searched.error();
  if (!searched->graph.empty()) graphs_.push_back(std::move(searched->graph));
  if (searched->saved) saved_.tests.push_back(std::move(*searched->saved));
  if (is_told()) {
    tell(*searched);
  } else {
    tell_briefly(searched->tested);
  }
  std::fflush(stdout);
  if (searched->tested.exploration.refusal) std::fputs(describe_refusal(*searched->tested.exploration.refusal).c_str(), stderr);
  return std::move(searched->tested);
}

void Check::tell(const SearchedTest& searched) const {
  const Tested& tested = searched.tested;
  const std::vector<FoundBug>& bugs = tested.exploration.bugs;
  const bool is_one_of_several = program_->tests().size() > 1;
  // Its line in the table says it all.
  if (is_one_of_several && bugs.empty() && !tested.exploration.refusal && tested.warnings.empty()) return;
  if (is_one_of_several)
    print(paint(tested.test, Ink::kBold, colour_) + (tested.title.empty() ? "" : "  " + tested.title) + "\n\n");
  for (std::size_t i = 0; i < bugs.size(); ++i) {
    const std::string& ticket = tested.tickets[i];
    if (i >= kStoriesMax) {
      print(fmt::format("Bug {}: {}{}{}\n", i + 1, bugs[i].bug.message, ticket.empty() ? "" : ", see ", ticket));
      if (i + 1 == bugs.size()) print("\n");
      continue;
    }
    const Recording& recording = searched.recordings[i];
    std::string text = describe_bug(bugs[i], recording, i + 1, ticket, story_options(recording, colour_));
    if (const auto& explanation = tested.explanations[i]) text += describe_explanation(*explanation, colour_);
    print(text + "\n");
  }
  print(summarize(tested.exploration) + describe_remarks(tested) + describe_unreceived(tested.exploration, tested.orphan, colour_));
  for (const std::string& warning : tested.warnings) print(paint("Warning: " + warning + ".", Ink::kYellow, colour_) + "\n");
  if (is_one_of_several) print("\n");
}

void Check::tell_briefly(const Tested& tested) const {
  for (std::size_t i = 0; i < tested.exploration.bugs.size(); ++i) {
    const Bug& bug = tested.exploration.bugs[i].bug;
    const std::string where = place(bug.file, bug.line);
    print(fmt::format("{}: {}{}{}{}{}\n", tested.test, bug.message, where.empty() ? "" : " at ", where,
                      tested.tickets[i].empty() ? "" : "; ticket ", tested.tickets[i]));
  }
}

// What is said of all tests together, and what a pass depends on besides the test.
void Check::tell_all(const std::vector<Tested>& all) const {
  if (!options_.trace.empty())
    print(fmt::format("Every execution contains the {} of the trace.\n", counted(prefix_.size(), "event")));
  print(program_->assumptions());
  const std::size_t count = program_->tests().size();
  if (count == 1) {
    if (!all.front().skipped.empty()) print(fmt::format("{} is skipped: {}\n", all.front().test, all.front().skipped));
    return;
  }
  print(describe_tests(all, colour_));
  for (const Tested& tested : all) {
    const bool was_told = !tested.skipped.empty() || !tested.exploration.bugs.empty() || tested.exploration.refusal;
    const std::string warning = was_told ? "" : describe_unreceived(tested.exploration, tested.orphan, colour_);
    if (!warning.empty()) print(tested.test + ": " + warning);
  }
  print(describe_assumptions(assumed_by(all)));
  if (all.size() < count) print(fmt::format("Interrupted: {} not run.\n", counted(count - all.size(), "more test")));
}

// The files that were asked for, and the one to go on from, if there is something left to do.
Status Check::write_results(const std::vector<Tested>& all, std::span<const Verdict> verdicts) {
  if (Status written = write_result_files(options_, all, graphs_); !written) return written;
  const bool has_position = std::ranges::any_of(all, [](const Tested& tested) { return tested.exploration.position.has_value(); });
  const bool is_left = has_position || (program_->tests().size() > 1 && std::ranges::count(verdicts, Verdict::kIncomplete) > 0);
  return is_left ? save_search(saved_, options_, ticket_folder(options_)) : Success{};
}

}  // namespace

std::string ticket_folder(const CheckOptions& options) { return options.out.empty() ? kDefaultTicketFolder : options.out; }

Result<int> check(const FrontEnds& front_ends, const CheckOptions& options) {
  if (options.resume.empty()) return Check(front_ends, options, nullptr).run();
  const auto resumed = resume_search(front_ends, options);
  if (!resumed) return resumed.error();
  return Check(front_ends, resumed->options, &resumed->before).run();
}

}  // namespace ravel
