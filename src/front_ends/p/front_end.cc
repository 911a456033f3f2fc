#include "front_ends/p/front_end.h"

#include <algorithm>
#include <utility>

#include "front_ends/p/checked_program.h"
#include "front_ends/p/explainer.h"
#include "front_ends/p/opened_program.h"
#include "front_ends/p/own_options.h"
#include "front_ends/p/program_note.h"
#include "host/interrupt.h"

namespace ravel::p {

namespace {

class OpenedPTest final : public OpenedTest {
 public:
  OpenedPTest(std::shared_ptr<const OpenedProgram> program, std::size_t test, const POptions& options,
              std::vector<std::string> changed)
      : program_(std::move(program)),
        test_(test),
        options_(options),
        changed_(std::move(changed)),
        system_(program_->program(), test_case(), options) {}

  std::string title() const override { return test_case().name; }
  std::string note() const override {
    return print_program_note(note_program(*program_, test_case(), options_));
  }
  PSystem& system() override { return system_; }
  Inspecting* inspecting() override { return &system_; }
  TellViolation tell_violation() override {
    return [this](const std::string& formula, Bug& bug) { system_.tell_liveness(formula, bug); };
  }
  std::vector<std::string> changed() const override { return changed_; }
  std::string source_path(const std::string& file) const override { return program_->path_of(file); }
  // Most programs in P have no end.
  GoingOn going_on() const override { return GoingOn::kIsLeft; }
  std::optional<Explanation> explain(const Recording& recording, std::uint64_t events_max) override {
    return Explainer(program_->program(), test_case(), options_, events_max, catch_interrupts())
        .explain(recording);
  }

  Result<std::unique_ptr<CheckedProgram>> checked(const CheckOptions& options) const {
    return CheckedPProgram::open(program_, test_, options_, options);
  }

 private:
  const TestCase& test_case() const { return program_->program().tests[test_]; }

  const std::shared_ptr<const OpenedProgram> program_;
  const std::size_t test_;  // in Program::tests
  const POptions options_;
  const std::vector<std::string> changed_;
  PSystem system_;
};

// Libraries and other files each take the place of what is noted of their kind.
ProgramFiles files_of(const ProgramNote& note, std::span<const std::string> given) {
  ProgramFiles files;
  for (const std::string& file : given)
    (file.ends_with(".so") ? files.libraries : files.sources).push_back(file);
  if (files.sources.empty()) files.sources = reopened(note.files);
  if (files.libraries.empty()) files.libraries = reopened(note.libraries);
  return files;
}

class PFrontEnd final : public FrontEnd {
 public:
  std::string_view name() const override { return kFrontEndName; }
  std::string_view programs() const override { return "programs in P"; }
  std::string_view one_program() const override { return "one in P"; }
  bool claims(std::span<const std::string> files) const override { return is_program(files); }
  bool takes_arguments() const override { return false; }
  StoryActorKind actor_kind() const override { return StoryActorKind::kMachine; }
  std::vector<std::string_view> ignorable_bugs() const override { return p::ignorable_bugs(); }
  std::shared_ptr<FrontEndOptions> add_options(OptionTable& table, CommandKind command) const override {
    return add_own_options(table, command);
  }

  Result<std::vector<TestEntry>> list_tests(const CommandOptions& options) const override {
    const auto program = open_program(options);
    if (!program) return program.error();
    if (!(*program)->libraries().empty()) {
      const auto all = (*program)->chosen_tests({});
      if (!all) return all.error();
      if (Status whole = (*program)->check_foreign(*all); !whole) return whole.error();
    }
    std::vector<TestEntry> entries;
    for (const TestCase& test : (*program)->program().tests)
      entries.push_back({.name = test.name, .title = test.is_implementation ? "an implementation" : ""});
    return entries;
  }

  Result<std::unique_ptr<CheckedProgram>> open(const CheckOptions& options,
                                               const SavedSearch* before) const override {
    return CheckedPProgram::open(options, before);
  }

  Result<std::unique_ptr<CheckedProgram>> open(std::unique_ptr<OpenedTest> test,
                                               const CheckOptions& options) const override {
    return static_cast<OpenedPTest&>(*test).checked(options);
  }

  Result<std::unique_ptr<OpenedTest>> open_test(const SubjectOptions& options, Purpose) const override {
    const auto system = system_options(options);
    if (!system) return system.error();
    auto program = open_program(options);
    if (!program) return program.error();
    const auto chosen = (*program)->chosen_tests(options.program.tests);
    if (!chosen) return chosen.error();
    if (Status whole = (*program)->check_foreign(*chosen); !whole) return whole.error();
    if (system->timers != TimersFire::kAsModelled)
      if (Status fitting = (*program)->check_timers(*chosen); !fitting) return fitting.error();
    const TestCase& first = (*program)->program().tests[chosen->front()];
    if (chosen->size() > 1) return several_tests(chosen->size(), first.name);
    return std::unique_ptr<OpenedTest>(new OpenedPTest(std::move(*program), chosen->front(), *system, {}));
  }

  Result<std::unique_ptr<OpenedTest>> reopen(const Ticket& noted, const std::string& saved,
                                             std::span<const std::string> files, const ReportOptions& report,
                                             Purpose) const override {
    const auto note = parse_program_note(noted.program, saved);
    if (!note) return note.error();
    auto program = OpenedProgram::open(files_of(*note, files), note->loose_specs, report.colour);
    if (!program) return program.error();
    const std::vector<TestCase>& tests = (*program)->program().tests;
    const auto test = std::ranges::find(tests, note->test, &TestCase::name);
    if (test == tests.end())
      return Error{saved + ": this is about the test " + note->test + ", which " + (*program)->name() +
                   " does not have."};
    const auto place = static_cast<std::size_t>(test - tests.begin());
    if (Status whole = (*program)->check_foreign({place}); !whole) return whole.error();
    std::vector<std::string> changed = changed_sources(*note, **program);
    return std::unique_ptr<OpenedTest>(
        new OpenedPTest(std::move(*program), place, note->options, std::move(changed)));
  }

  Result<int> run_once(const CommandOptions&) const override {
    return Error{
        "'ravel run' is not for programs in P, which only a checker runs. 'ravel trace' shows one "
        "execution, and 'ravel check' searches all."};
  }
};

}  // namespace

const FrontEnd& p_front_end() {
  static const PFrontEnd front_end;
  return front_end;
}

}  // namespace ravel::p
