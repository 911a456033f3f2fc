#include "tests/cli/toy_front_end.h"

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "check/system_search.h"
#include "engine/named_step.h"
#include "host/files.h"
#include "races/explain.h"
#include "tests/toy/toy_system.h"

namespace ravel::toy {

namespace {

constexpr const char kName[] = "toy";

struct OwnOptions final : FrontEndOptions {
  bool ends_early = false;
};

Result<Program> read_program(const std::string& file) {
  static const std::map<std::string, Op> kOperations = {
      {"write", Op::kWrite}, {"give", Op::kGive}, {"take", Op::kTake},       {"choose", Op::kChoose},
      {"spawn", Op::kSpawn}, {"end", Op::kEnd},   {"require", Op::kRequire}, {"refuse", Op::kRefuse}};
  const auto text = read_text_file(file);
  if (!text) return text.error();
  Program program;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<Operation>& actor = program.emplace_back();
    for (std::string word; words >> word;) {
      const auto found = kOperations.find(word.substr(0, word.size() - 1));
      if (found == kOperations.end()) return Error{file + ": '" + word + "' is no operation."};
      actor.push_back({.op = found->second, .object = static_cast<std::uint32_t>(word.back() - '0')});
    }
  }
  return program;
}

Result<Program> open_program(const CommandOptions& options) {
  auto program = read_program(options.program.files.front());
  if (!program || !static_cast<const OwnOptions&>(*options.own.at(kName)).ends_early) return program;
  for (std::vector<Operation>& actor : *program) actor.back().op = Op::kEnd;
  return program;
}

class OpenedToyTest final : public OpenedTest {
 public:
  OpenedToyTest(std::string file, Program program)
      : file_(std::move(file)), program_(program), system_(std::move(program)) {}

  std::string title() const override { return file_; }
  std::string note() const override { return nlohmann::json{{"file", file_}}.dump(); }
  System& system() override { return system_; }
  const Program& program() const { return program_; }
  std::optional<Explanation> explain(const Recording& recording, std::uint64_t events_max) override {
    return explain_bug(system_, steps_of(recording), events_max, 100);
  }

 private:
  const std::string file_;
  const Program program_;
  ToySystem system_;
};

class CheckedToyProgram final : public CheckedProgram {
 public:
  CheckedToyProgram(const CheckOptions& options, SearchSettings settings, std::string file, Program program)
      : options_(options),
        settings_(std::move(settings)),
        test_(std::move(file), std::move(program)),
        entries_{{.name = test_.title()}} {}

  const std::vector<TestEntry>& tests() const override { return entries_; }
  std::string assumptions() const override { return ""; }
  Result<SearchedTest> search(std::size_t, const SearchTask& task) override {
    SearchSettings settings = settings_;
    if (Status fitting = fit_to_task(task, settings); !fitting) return fitting.error();
    SystemSearch search(test_.system(), settings, task, options_,
                        {.front_end = kName, .test = test_.title(), .program = test_.note()});
    if (Status begun = search.begin(); !begun) return begun.error();
    search.run();
    return search.finish([&](const Recording& recording) {
      return test_.explain(recording, settings_.request.limits.events_max);
    });
  }

 private:
  const CheckOptions& options_;
  const SearchSettings settings_;
  OpenedToyTest test_;
  const std::vector<TestEntry> entries_;
};

class ToyFrontEnd final : public FrontEnd {
 public:
  std::string_view name() const override { return kName; }
  std::string_view programs() const override { return "toy programs"; }
  std::string_view one_program() const override { return "a toy program"; }
  bool claims(std::span<const std::string> files) const override {
    return files.size() == 1 && files.front().ends_with(".toy");
  }
  bool takes_arguments() const override { return false; }
  std::vector<std::string_view> ignorable_bugs() const override { return {"deadlock"}; }
  std::shared_ptr<FrontEndOptions> add_options(OptionTable& table, CommandKind) const override {
    const auto own = std::make_shared<OwnOptions>();
    table.flag("--end-early", "the last operation of an actor ends the execution",
               [own = own.get()] { own->ends_early = true; });
    return own;
  }
  Result<std::vector<TestEntry>> list_tests(const CommandOptions& options) const override {
    return std::vector<TestEntry>{{.name = options.program.files.front()}};
  }
  Result<std::unique_ptr<CheckedProgram>> open(const CheckOptions& options,
                                               const SavedSearch*) const override {
    auto program = open_program(options);
    if (!program) return program.error();
    return check(options, options.program.files.front(), std::move(*program));
  }
  Result<std::unique_ptr<CheckedProgram>> open(std::unique_ptr<OpenedTest> test,
                                               const CheckOptions& options) const override {
    return check(options, test->title(), static_cast<OpenedToyTest&>(*test).program());
  }
  Result<std::unique_ptr<OpenedTest>> open_test(const SubjectOptions& options, Purpose) const override {
    auto program = open_program(options);
    if (!program) return program.error();
    return std::unique_ptr<OpenedTest>(new OpenedToyTest(options.program.files.front(), std::move(*program)));
  }
  Result<std::unique_ptr<OpenedTest>> reopen(const Ticket& noted, const std::string&,
                                             std::span<const std::string>, const ReportOptions&,
                                             Purpose) const override {
    const std::string file = nlohmann::json::parse(noted.program).at("file");
    auto program = read_program(file);
    if (!program) return program.error();
    return std::unique_ptr<OpenedTest>(new OpenedToyTest(file, std::move(*program)));
  }

 private:
  static Result<std::unique_ptr<CheckedProgram>> check(const CheckOptions& options, std::string file,
                                                       Program program) {
    auto settings = search_settings(options, {.usual = "dpor"});
    if (!settings) return settings.error();
    return std::unique_ptr<CheckedProgram>(
        new CheckedToyProgram(options, std::move(*settings), std::move(file), std::move(program)));
  }
};

}  // namespace

const FrontEnd& toy_front_end() {
  static const ToyFrontEnd front_end;
  return front_end;
}

}  // namespace ravel::toy
