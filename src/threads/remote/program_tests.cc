#include "threads/remote/program_tests.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/recording.h"
#include "threads/remote/launch.h"

namespace ravel::threads {

namespace {

// Listing tests may take some steps: Google Test locks, and a program may do what it likes before.
constexpr std::uint64_t kEventsMax = 100'000;
constexpr std::string_view kComment = "  # ";

Result<std::vector<ListedTest>> ask_google_test(const ProgramCall& call) {
  ProgramCall listing = call;
  listing.arguments.emplace_back("--gtest_list_tests");
  auto system = RemoteSystem::start(listing, {});
  if (!system) return system.error();
  Recorder recorder(**system, kEventsMax);
  while (recorder.running()) recorder.take_first();
  const Recording recording = recorder.finish();
  auto tests = parse_google_tests(recording.output);
  if (recording.outcome == Outcome::kFinished && !tests.empty()) return tests;
  const std::string why = recording.bug       ? "it ends with the bug '" + recording.bug->message + "'"
                          : recording.refusal ? recording.refusal->message
                                              : "it prints no test";
  return Error{call.path + ": the program has Google Test in it but does not list its tests with --gtest_list_tests: " + why +
               ". Its main() has to call testing::InitGoogleTest() and RUN_ALL_TESTS(), as that of gtest_main does."};
}

}  // namespace

Result<std::vector<ListedTest>> list_tests(const ProgramCall& call) {
  auto system = RemoteSystem::start(call, {});
  if (!system) return system.error();
  std::vector<ListedTest> tests;
  const std::vector<TestPlace>& marked = (*system)->marked_tests();
  for (std::size_t i = 0; i < marked.size(); ++i) {
    const auto first = std::ranges::find(marked, marked[i].name, &TestPlace::name);
    if (first != marked.begin() + static_cast<std::ptrdiff_t>(i))
      return Error{marked[i].file + ":" + std::to_string(marked[i].line) + ": there is another test '" + marked[i].name + "' at " +
                   first->file + ":" + std::to_string(first->line) + ". Give them different names."};
    ProgramTest& test = tests.emplace_back().test;
    test.kind = TestKind::kMarked;
    test.name = marked[i].name;
  }
  if (!tests.empty()) return tests;
  if (has_google_test(call.path)) return ask_google_test(call);
  return std::vector<ListedTest>(1);
}

std::vector<ListedTest> parse_google_tests(std::string_view output) {
  // "Suite." or "Suite/0.  # TypeParam = int", then its tests: "  Name" or "  Name/0  # GetParam() = 4".
  std::vector<ListedTest> tests;
  std::string suite;
  while (!output.empty()) {
    std::string_view line = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(output.size(), line.size() + 1));
    std::string title;
    if (const std::size_t comment = line.find(kComment); comment != std::string_view::npos) {
      title = line.substr(comment + kComment.size());
      line = line.substr(0, comment);
    }
    if (!line.starts_with("  ")) {
      suite = line.ends_with('.') && line.find(' ') == std::string_view::npos ? line : "";
    } else if (!suite.empty()) {
      const std::string name(line.substr(2));
      const auto is_disabled = [](std::string_view part) {
        return part.starts_with("DISABLED_") || part.find("/DISABLED_") != std::string_view::npos;
      };
      ListedTest& test = tests.emplace_back();
      test.test.kind = TestKind::kGoogleTest;
      test.test.name = suite + name;
      test.title = title;
      test.is_disabled = is_disabled(suite) || is_disabled(name);
    }
  }
  return tests;
}

}  // namespace ravel::threads
