// What a front end offers to the commands: the tests of programs of one kind, and how each is run and
// searched.
//
// A front end is one object without state, and one row of the table that a command line is given. It makes
// three kinds of objects: a CheckedProgram, whose tests are searched; an OpenedTest, one test whose single
// execution is run; and the values of its own options. docs/design/how-to-add-a-front-end.md walks through
// one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "check/check_options.h"
#include "check/saved_search.h"
#include "engine/inspecting.h"
#include "engine/race.h"
#include "engine/recording.h"
#include "engine/replay.h"
#include "engine/system.h"
#include "engine/ticket.h"
#include "parallel/process_share.h"
#include "races/observation.h"
#include "report/check_report.h"
#include "states/temporal_question.h"
#include "story/story_model.h"

namespace ravel {

// Which rows of options a command has.
enum class CommandKind : std::uint8_t { kCheck, kShow, kTests, kRun };

// What an execution is run for.
enum class Purpose : std::uint8_t {
  kReplay,         // to see whether a bug still happens
  kShow,           // to be read: the System answers could_take()
  kShowBeyondBug,  // the same, and it goes on after a bug where it can
};

// A test as `ravel tests` lists it.
struct TestEntry {
  std::string name;
  std::string title = {};
  std::string skipped = {};  // why the suite itself skips it
  bool is_disabled = false;
};

// One test of a program that is there, ready to be run.
class OpenedTest {
 public:
  virtual ~OpenedTest() = default;

  // As readers are told of it.
  virtual std::string title() const = 0;
  // What tickets and traces note of the program: a JSON value that the front end reopens.
  virtual std::string note() const = 0;
  virtual System& system() = 0;
  // What a violation of a formula is called, if not by the formula.
  virtual TellViolation tell_violation() { return {}; }
  // Which parts of the program are not as they were noted, if it was reopened.
  virtual std::vector<std::string> changed() const { return {}; }
  // What an execution is that goes on where that of a ticket has ended.
  virtual GoingOn going_on() const { return GoingOn::kIsFollowed; }
  // What actors have at hand, step by step. Null: it cannot tell.
  virtual Inspecting* inspecting() { return nullptr; }
  // Where a source is that events name so: paths of some programs count from where these were made.
  virtual std::string source_path(const std::string& file) const { return file; }
  // Whether its actors receive messages.
  virtual bool has_messages() const { return true; }
  // Why the recorded bug happens. Nothing if that takes too long, or cannot be said.
  virtual std::optional<Explanation> explain(const Recording& recording, std::uint64_t events_max) = 0;
  // What the last execution has shown besides its events: a sentence each.
  virtual std::vector<std::string> findings(std::uint64_t events_max) {
    static_cast<void>(events_max);
    return {};
  }
};

class PartWork;

// What the search of one test is to do besides what the options say.
struct SearchTask {
  bool is_one_of_several = false;
  const SavedTest* before = nullptr;       // what is gone on with
  std::span<const NamedStep> prefix = {};  // with which every execution begins
  bool is_noted = false;                   // the search is noted as a tree
  std::uint32_t searches = 1;              // that share the memory, with this one
  ProcessShare processes = {};             // that may search it, with this one
  std::optional<Shard> shard = {};         // of a sample of which only a part is to be run
  // Hears now and then where the test's search is, if the front end can say so.
  std::function<void(const SavedTest&)> keep = {};
  // Tells the execution of a bug (tell_recording). `shown` runs it again, if there is such a System. Empty:
  // bugs are not told.
  using Tell =
      std::function<std::string(System* shown, const Recording&, const std::optional<Explanation>& why)>;
  Tell tell = {};
  PartWork* parts = nullptr;  // does what is to be done with the search instead of running it (part_work.h)
};

// A file that tells of a bug, for the first test of a check that has one.
struct BugFile {
  std::string path;
  std::string text;
};

struct SearchedTest {
  TestReport report;
  std::optional<SavedTest> saved;  // nothing: it begins anew when it is resumed
  std::string unresumable = {};    // of a search that was interrupted: why it cannot go on from there
  std::optional<BugFile> bug_file = {};
  // It was not searched: it uses something that others of SearchTask::searches may be using.
  bool needs_machine = false;
};

// What another machine has to have to run parts of a search of a program.
struct PortableProgram {
  std::vector<std::string> files;  // by paths as those of the command
  // What is taken from the machine, by line, with its version; empty: nothing
  std::string installed = {};
};

// A program of which tests are searched.
class CheckedProgram {
 public:
  virtual ~CheckedProgram() = default;

  // Those that were chosen.
  virtual const std::vector<TestEntry>& tests() const = 0;
  // What is to be told before the first search.
  virtual std::vector<std::string> remarks() const { return {}; }
  // What every verdict of this program depends on: lines, or nothing.
  virtual std::string assumptions() const = 0;
  // The error says that searches of such programs cannot be divided into files.
  virtual Result<PortableProgram> portable() const;
  // REQUIRES: `test` is the place of one that is not skipped.
  virtual Result<SearchedTest> search(std::size_t test, const SearchTask& task) = 0;
};

// A command that only programs of one front end have.
struct OwnCommand {
  std::string name;
  std::string help;
  const char* examples;
  // Adds its rows. What it returns runs the command, with the arguments after --, and returns the exit
  // status; the table must not outlive it.
  std::function<std::function<Result<int>(const std::vector<std::string>&)>(OptionTable&)> add;
};

class FrontEnd {
 public:
  virtual ~FrontEnd() = default;

  // In tickets, traces and resume files.
  virtual std::string_view name() const = 0;
  // "programs of C and C++", "one of C or C++".
  virtual std::string_view programs() const = 0;
  virtual std::string_view one_program() const = 0;
  // Whether these files are a program of its kind. The first front end of the table that claims them has
  // them.
  virtual bool claims(std::span<const std::string> files) const = 0;
  // Whether a program has arguments of its own, after --.
  virtual bool takes_arguments() const = 0;
  // The kinds of bugs that --ignore can name.
  virtual std::vector<std::string_view> ignorable_bugs() const = 0;

  // New values of its own options, and a row for each of those that the command has.
  virtual std::shared_ptr<FrontEndOptions> add_options(OptionTable& table, CommandKind command) const = 0;

  // What the actors of its programs are, as stories show them.
  virtual StoryActorKind actor_kind() const { return StoryActorKind::kProcess; }
  // What a question and its answer say, as stories tell them: without what carries them.
  virtual std::pair<std::string, std::string> say_call(const std::string& question,
                                                       const std::string& answer) const {
    return {question, answer};
  }

  // All tests; disabled and skipped ones are marked.
  virtual Result<std::vector<TestEntry>> list_tests(const CommandOptions& options) const = 0;
  virtual Result<std::unique_ptr<CheckedProgram>> open(const CheckOptions& options,
                                                       const SavedSearch* before) const = 0;
  // The program of an opened test, of which that test is to be searched. `options` name no program and no
  // test.
  virtual Result<std::unique_ptr<CheckedProgram>> open(std::unique_ptr<OpenedTest> test,
                                                       const CheckOptions& options) const = 0;
  // The one test that the options choose.
  virtual Result<std::unique_ptr<OpenedTest>> open_test(const SubjectOptions& options,
                                                        Purpose purpose) const = 0;
  // The test that a ticket or trace notes (only its front end, program and events_max count). `saved` is what
  // messages call the file. `files`, if there are any, take the place of those that are noted.
  virtual Result<std::unique_ptr<OpenedTest>> reopen(const Ticket& noted, const std::string& saved,
                                                     std::span<const std::string> files,
                                                     const ReportOptions& report, Purpose purpose) const = 0;

  virtual std::vector<OwnCommand> own_commands() const { return {}; }
  // Runs one test once, as its own language does, and returns the exit status.
  virtual Result<int> run_once(const CommandOptions& options) const;
  // Replays a ticket under a debugger, and returns the exit status.
  virtual Result<int> debug(const Ticket& ticket, const std::string& saved,
                            std::span<const std::string> files) const;
};

// The refusal of several tests where one is meant.
Error several_tests(std::size_t count, const std::string& first);

// The front ends that there are.
class FrontEnds {
 public:
  // All must outlive this. The last one has what no other claims.
  explicit FrontEnds(std::vector<const FrontEnd*> rows);

  const std::vector<const FrontEnd*>& rows() const { return rows_; }
  const FrontEnd& of(std::span<const std::string> files) const;
  // The error says that the file `saved` is of a front end that is not here.
  Result<const FrontEnd*> named(const std::string& name, const std::string& saved) const;

  // The rows of --ignore and of the options that front ends have of their own.
  void add_own_rows(OptionTable& table, CommandKind command, CommandOptions& options) const;
  // Refuses options that programs of this front end do not have.
  Status check_given(const FrontEnd& chosen, const CommandOptions& options) const;

 private:
  std::vector<const FrontEnd*> rows_;
};

// Of the options of `ravel check`: what these arguments say.
Result<CheckOptions> parse_check(const FrontEnds& front_ends, std::span<const std::string> arguments);
// The rows of `ravel check`, which set `options`.
void add_check_rows(OptionTable& table, const FrontEnds& front_ends, CheckOptions& options);

}  // namespace ravel
