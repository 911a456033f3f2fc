// Google Test. With GTEST_BREAK_ON_FAILURE the library prints what has failed and then executes a trap. So
// the failing thread is stopped at the failed assertion, and what it was stands at the end of the output.

#include <algorithm>
#include <string>

#include "threads/frameworks/test_framework.h"
#include "threads/frameworks/text.h"

namespace ravel::threads {

namespace {

constexpr std::string_view kMark = ": Failure\n";
constexpr std::string_view kComment = "  # ";
// A failure stops the thread where it is, and nothing is printed but failures. Older versions pass over what
// they do not know.
constexpr const char* kEnvironment[] = {"GTEST_BREAK_ON_FAILURE=1",
                                        "GTEST_CATCH_EXCEPTIONS=0",
                                        "GTEST_ALSO_RUN_DISABLED_TESTS=1",
                                        "GTEST_BRIEF=1",
                                        "GTEST_COLOR=no",
                                        "GTEST_PRINT_TIME=0"};

// What is the same in all schedules: the expressions, without their values.
std::string claim_of(std::string_view text) {
  std::string claim(take_line(text));
  if (const std::size_t values = claim.find(", actual: "); values != std::string::npos) claim.resize(values);
  if (!claim.ends_with(':')) return claim;
  bool is_first = true;
  while (text.starts_with("  ")) {
    const std::string_view line = take_line(text);
    // Values stand deeper than the expressions that they are of.
    if (line.starts_with("   ") || line.starts_with("  Actual: ")) continue;
    claim += (is_first ? " " : ", ") + std::string(trimmed(line));
    is_first = false;
  }
  return claim;
}

std::optional<RawBug> find_failure(std::string_view output) {
  const std::size_t mark = output.rfind(kMark);
  if (mark == std::string_view::npos) return std::nullopt;
  RawBug bug{.kind = "assertion"};
  // "FILE:LINE" or "unknown file".
  const std::size_t newline = output.substr(0, mark).rfind('\n');
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  if (const auto place = parse_place(output.substr(begin, mark - begin))) {
    bug.file = place->file;
    bug.line = place->line;
  }
  std::string_view text = trimmed(output.substr(mark + kMark.size()));
  bug.message = claim_of(text);
  while (!text.empty()) bug.details.emplace_back(take_line(text));
  if (bug.details.size() == 1 && bug.details.front() == bug.message) bug.details.clear();
  return bug;
}

// "Suite." or "Suite/0.  # TypeParam = int", then its tests: "  Name" or "  Name/0  # GetParam() = 4".
std::optional<std::vector<FrameworkTest>> parse_listing(std::span<const std::string> outputs) {
  std::vector<FrameworkTest> tests;
  std::string suite;
  std::string_view output = outputs.front();
  while (!output.empty()) {
    std::string_view line = take_line(output);
    std::string title;
    if (const std::size_t comment = line.find(kComment); comment != std::string_view::npos) {
      title = line.substr(comment + kComment.size());
      line = line.substr(0, comment);
    }
    if (!line.starts_with("  ")) {
      const bool is_suite = line.ends_with('.') && line.find(' ') == std::string_view::npos;
      suite = is_suite ? line.substr(0, line.size() - 1) : "";
    } else if (!suite.empty()) {
      const std::string name(line.substr(2));
      const auto is_disabled = [](std::string_view part) {
        return part.starts_with("DISABLED_") || part.find("/DISABLED_") != std::string_view::npos;
      };
      tests.push_back({.name = suite + "." + name,
                       .group = suite,
                       .title = title,
                       .is_disabled = is_disabled(suite) || is_disabled(name)});
    }
  }
  return tests;
}

}  // namespace

TestFramework google_test() {
  return {.kind = TestKind::kGoogleTest,
          .name = "Google Test",
          .id = "googletest",
          .symbol = "_ZN7testing8UnitTest11GetInstanceEv",
          .main_calls = "testing::InitGoogleTest() and RUN_ALL_TESTS(), as that of gtest_main does",
          .listings = [](const std::string&) -> std::vector<Calls> { return {{{"--gtest_list_tests"}}}; },
          .parse_listing = parse_listing,
          .run_arguments = [](const std::string& test) -> std::vector<std::string> {
            return {"--gtest_filter=" + test};
          },
          .environment = kEnvironment,
          .find_failure = find_failure};
}

}  // namespace ravel::threads
