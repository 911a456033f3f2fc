#include "front_ends/erlang/front_end.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "erlang/system/erlang_system.h"
#include "front_ends/erlang/call_texts.h"
#include "front_ends/erlang/checked_program.h"
#include "front_ends/erlang/explainer.h"
#include "front_ends/erlang/own_options.h"
#include "front_ends/erlang/program_note.h"
#include "front_ends/erlang/program_tests.h"
#include "front_ends/erlang/run_once.h"
#include "host/messages.h"

namespace ravel::erlang {

namespace {

// How many times as long as the execution with the bug the others are that are tried to explain it.
constexpr std::uint64_t kTimesAsLong = 10;

class OpenedErlangTest final : public OpenedTest {
 public:
  OpenedErlangTest(std::unique_ptr<Program> program, TestName name, ProgramNote note, ErlangOptions options)
      : program_(std::move(program)),
        name_(std::move(name)),
        note_(std::move(note)),
        options_(std::move(options)) {}

  Status start(Purpose purpose) {
    ErlangOptions options = options_;
    if (purpose != Purpose::kReplay) options.machine.notes_messages = true;
    if (purpose == Purpose::kShowBeyondBug) options.after_failure = ErlangOptions::AfterFailure::kGoOnAndTell;
    auto system = ErlangSystem::start(*program_, name_, options);
    if (!system) return system.error();
    system_ = std::move(*system);
    return Success{};
  }

  std::string title() const override { return note_.test; }
  std::string note() const override { return print_program_note(note_); }
  System& system() override { return *system_; }
  Inspecting* inspecting() override { return system_.get(); }
  std::vector<std::string> changed() const override { return changed_modules(note_, *program_); }
  // What was found by a search by states need not have an end in another execution.
  std::optional<Explanation> explain(const Recording& recording, std::uint64_t events_max) override {
    const std::uint64_t long_enough =
        std::max<std::uint64_t>(kEventsToExplain, kTimesAsLong * recording.events.size());
    return Explainer(*program_, name_, options_, std::min(events_max, long_enough)).explain(recording);
  }

  const ErlangOptions& options() const { return options_; }
  // Its System is gone then.
  std::unique_ptr<Program> take_program() {
    system_.reset();
    return std::move(program_);
  }

 private:
  std::unique_ptr<Program> program_;
  const TestName name_;
  const ProgramNote note_;
  const ErlangOptions options_;
  std::unique_ptr<ErlangSystem> system_;
};

Result<std::unique_ptr<OpenedTest>> start(std::unique_ptr<OpenedErlangTest> test, Purpose purpose) {
  if (Status started = test->start(purpose); !started) return started.error();
  return std::unique_ptr<OpenedTest>(std::move(test));
}

class ErlangFrontEnd final : public FrontEnd {
 public:
  std::string_view name() const override { return kFrontEndName; }
  std::string_view programs() const override { return "programs of Erlang and Elixir"; }
  std::string_view one_program() const override { return "one of Erlang or Elixir"; }
  bool claims(std::span<const std::string>) const override { return true; }
  bool takes_arguments() const override { return false; }
  std::vector<std::string_view> ignorable_bugs() const override { return erlang::ignorable_bugs(); }
  std::pair<std::string, std::string> say_call(const std::string& question,
                                               const std::string& answer) const override {
    return erlang::say_call(question, answer);
  }
  std::shared_ptr<FrontEndOptions> add_options(OptionTable& table, CommandKind command) const override {
    return add_own_options(table, command);
  }

  Result<std::vector<TestEntry>> list_tests(const CommandOptions& options) const override {
    const auto program = open_program(options);
    if (!program) return program.error();
    MachineOptions machine;
    if (Status fitting = set_model(options, machine); !fitting) return fitting.error();
    const auto tests = all_tests(**program, machine);
    if (!tests) return tests.error();
    std::vector<TestEntry> entries;
    for (const TestCase& test : *tests)
      entries.push_back({.name = test.name.to_string(), .title = test.title, .skipped = test.skipped});
    if (entries.empty())
      remark(
          "no module exports a function NAME_test/0 or NAME_test_/0; any function of arity 0 can be checked "
          "with -t "
          "MODULE:FUNCTION",
          options.report.colour);
    return entries;
  }

  Result<std::unique_ptr<CheckedProgram>> open(const CheckOptions& options,
                                               const SavedSearch* before) const override {
    return CheckedErlangProgram::open(options, before);
  }

  Result<std::unique_ptr<CheckedProgram>> open(std::unique_ptr<OpenedTest> test,
                                               const CheckOptions& options) const override {
    auto& opened = static_cast<OpenedErlangTest&>(*test);
    return CheckedErlangProgram::open(opened.take_program(), opened.title(), opened.options(), options);
  }

  Result<std::unique_ptr<OpenedTest>> open_test(const SubjectOptions& options,
                                                Purpose purpose) const override {
    auto program = open_program(options);
    if (!program) return program.error();
    ErlangOptions own;
    own.properties = properties_of(options);
    if (Status fitting = set_model(options, own.machine); !fitting) return fitting.error();
    const auto tests = chosen_tests(**program, options.program.tests, own.machine);
    if (!tests) return tests.error();
    if (tests->size() > 1) return several_tests(tests->size(), tests->front().name.to_string());
    ProgramNote note = note_program(**program, tests->front().name, own);
    return start(
        std::make_unique<OpenedErlangTest>(std::move(*program), tests->front().name, std::move(note), own),
        purpose);
  }

  Result<std::unique_ptr<OpenedTest>> reopen(const Ticket& noted, const std::string& saved,
                                             std::span<const std::string> files, const ReportOptions& report,
                                             Purpose purpose) const override {
    auto note = parse_program_note(noted.program, saved);
    if (!note) return note.error();
    auto program = Program::open(options_to_reopen(*note, files));
    if (!program) return program.error();
    show_compiler_messages((*program)->compiler_messages(), report.colour);
    const ErlangOptions own = erlang_options(*note);
    // The test itself is run, even if its name stands for several by now: it may be of a group whose setup
    // failed.
    const auto name = TestName::parse(note->test);
    if (!name || name->function.empty() || !chosen_tests(**program, {note->test}, own.machine))
      return Error{
          fmt::format("{}: this {} is of another program: its test is {}, which is not among the tests and "
                      "exported functions of {}.",
                      saved, noted.bug.kind.empty() ? "trace" : "ticket", note->test,
                      fmt::join((*program)->options().files, ", "))};
    return start(std::make_unique<OpenedErlangTest>(std::move(*program), *name, std::move(*note), own),
                 purpose);
  }

  Result<int> run_once(const CommandOptions& options) const override { return erlang::run_once(options); }
  Result<int> debug(const Ticket&, const std::string&, std::span<const std::string>) const override {
    return Error{"--gdb is for tickets of programs of C and C++; this one is of a test of Erlang."};
  }
};

}  // namespace

const FrontEnd& erlang_front_end() {
  static const ErlangFrontEnd front_end;
  return front_end;
}

}  // namespace ravel::erlang
