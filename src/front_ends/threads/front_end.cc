#include "front_ends/threads/front_end.h"

#include <utility>

#include "front_ends/threads/checked_program.h"
#include "front_ends/threads/debug.h"
#include "front_ends/threads/explainer.h"
#include "front_ends/threads/findings.h"
#include "front_ends/threads/own_options.h"
#include "front_ends/threads/profile_program.h"
#include "front_ends/threads/program_note.h"
#include "front_ends/threads/program_tests.h"
#include "threads/remote/launch.h"

namespace ravel::threads {

namespace {

class OpenedThreadsTest final : public OpenedTest {
 public:
  OpenedThreadsTest(ProgramNote note, std::unique_ptr<RemoteSystem> system, std::vector<std::string> changed)
      : note_(std::move(note)), system_(std::move(system)), changed_(std::move(changed)) {}

  std::string title() const override { return report_name(note_.call); }
  std::string note() const override { return print_program_note(note_); }
  RemoteSystem& system() override { return *system_; }
  Inspecting* inspecting() override { return system_.get(); }
  std::vector<std::string> changed() const override { return changed_; }
  bool has_messages() const override { return false; }
  std::string source_path(const std::string& file) const override {
    return system_->texts().symbols().path_of(file);
  }
  std::optional<Explanation> explain(const Recording& recording, std::uint64_t events_max) override {
    return explain_threads_bug(*system_, recording, events_max);
  }
  // Data races to memory whose accesses are no operations in this execution.
  std::vector<std::string> findings(std::uint64_t events_max) override {
    Findings findings = system_->findings();
    findings.left_behind.clear();
    return describe_findings(note_.call, note_.configuration, *system_, findings, events_max);
  }

  const ProgramNote& noted() const { return note_; }

 private:
  const ProgramNote note_;
  const std::unique_ptr<RemoteSystem> system_;
  const std::vector<std::string> changed_;
};

Result<std::unique_ptr<OpenedThreadsTest>> start(ProgramNote note, std::vector<std::string> changed) {
  auto system = RemoteSystem::start(note.call, note.configuration);
  if (!system) return system.error();
  return std::make_unique<OpenedThreadsTest>(std::move(note), std::move(*system), std::move(changed));
}

// The program of a ticket as it can be run now.
Result<ProgramCall> call_of(const ProgramNote& noted, const std::string& saved,
                            std::span<const std::string> files) {
  ProgramCall call = call_again(noted, {files.begin(), files.end()});
  if (is_executable_file(call.path)) return call;
  return Error{call.path + ": this is not an executable file. Build the program again, or name it after " +
               saved + "."};
}

class ThreadsFrontEnd final : public FrontEnd {
 public:
  std::string_view name() const override { return kFrontEndName; }
  std::string_view programs() const override { return "programs of C and C++"; }
  std::string_view one_program() const override { return "one of C or C++"; }
  bool claims(std::span<const std::string> files) const override { return is_program(files); }
  bool takes_arguments() const override { return true; }
  StoryActorKind actor_kind() const override { return StoryActorKind::kThread; }
  std::vector<std::string_view> ignorable_bugs() const override { return threads::ignorable_bugs(); }
  std::shared_ptr<FrontEndOptions> add_options(OptionTable& table, CommandKind command) const override {
    return add_own_options(table, command);
  }

  Result<std::vector<TestEntry>> list_tests(const CommandOptions& options) const override {
    const auto call = program_call(options.program);
    if (!call) return call.error();
    const auto tests = threads::list_tests(*call);
    if (!tests) return tests.error();
    std::vector<TestEntry> entries;
    for (const ListedTest& test : *tests)
      entries.push_back(
          {.name = option_name(test.test), .title = test.title, .is_disabled = test.is_disabled});
    return entries;
  }

  Result<std::unique_ptr<CheckedProgram>> open(const CheckOptions& options,
                                               const SavedSearch* before) const override {
    return CheckedThreadsProgram::open(options, before);
  }

  Result<std::unique_ptr<CheckedProgram>> open(std::unique_ptr<OpenedTest> test,
                                               const CheckOptions& options) const override {
    return CheckedThreadsProgram::open(static_cast<OpenedThreadsTest&>(*test).noted(), options);
  }

  // Accesses to memory are operations if a race was seen for them, as in a search. They become operations
  // when the execution is run again, which may show others.
  Result<std::unique_ptr<OpenedTest>> open_test(const SubjectOptions& options, Purpose) const override {
    auto call = program_call(options.program);
    if (!call) return call.error();
    const auto tests = chosen_tests(*call, options.program.tests);
    if (!tests) return tests.error();
    if (tests->size() > 1) return several_tests(tests->size(), option_name(tests->front().test));
    call->test = tests->front().test;
    Configuration configuration;
    configuration.follows_deadlines = options.time == TimeOption::kDeadlines;
    configuration.passes_when_idle = options.time == TimeOption::kIdle;
    for (;;) {
      auto test = start(note_program(*call, configuration), {});
      if (!test) return test.error();
      Observation((*test)->system(), options.events_max).run({});
      const std::vector<std::uint64_t> words = (*test)->system().findings().racy_words;
      if (words.empty()) return std::unique_ptr<OpenedTest>(std::move(*test));
      configuration.tracked.insert(configuration.tracked.end(), words.begin(), words.end());
    }
  }

  Result<std::unique_ptr<OpenedTest>> reopen(const Ticket& noted, const std::string& saved,
                                             std::span<const std::string> files, const ReportOptions&,
                                             Purpose) const override {
    const auto note = parse_program_note(noted.program, saved);
    if (!note) return note.error();
    const auto call = call_of(*note, saved, files);
    if (!call) return call.error();
    if (Status taken = take_noted_input(*note, *call, saved); !taken) return taken.error();
    std::vector<std::string> changed;
    if (has_changed(*note, *call)) changed.push_back(call->path);
    auto test = start(note_program(*call, note->configuration), std::move(changed));
    if (!test) return test.error();
    return std::unique_ptr<OpenedTest>(std::move(*test));
  }

  std::vector<OwnCommand> own_commands() const override { return {profile_command()}; }
  Result<int> debug(const Ticket& ticket, const std::string& saved,
                    std::span<const std::string> files) const override {
    const auto note = parse_program_note(ticket.program, saved);
    if (!note) return note.error();
    const auto call = call_of(*note, saved, files);
    return call ? threads::debug(ticket, *note, *call) : call.error();
  }
};

}  // namespace

const FrontEnd& threads_front_end() {
  static const ThreadsFrontEnd front_end;
  return front_end;
}

}  // namespace ravel::threads
