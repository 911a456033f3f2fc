// doctest, by what its console reporter prints:
//
//     t.cc:10: FATAL ERROR: REQUIRE( counter == 2 ) is NOT correct!
//       values: REQUIRE( 1 == 2 )

#include <algorithm>
#include <charconv>
#include <string>

#include "threads/frameworks/test_framework.h"
#include "threads/frameworks/text.h"

namespace ravel::threads {

namespace {

// What decorators make of the failures that there are; each is a line.
constexpr std::string_view kNotAsExpected[] = {"Should have failed but didn't!", "Didn't fail exactly "};
constexpr std::string_view kWrong = " is NOT correct!",
                           kThrew = "test case THREW exception: ", kTotals = "[doctest] test cases:";

std::optional<RawBug> find_failure(std::string_view output) {
  for (std::string_view rest = output; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (std::ranges::any_of(kNotAsExpected, [&](std::string_view each) { return line.starts_with(each); }))
      return RawBug{.kind = "assertion", .message = std::string(line.substr(0, line.find(" so ")))};
  }
  for (std::string_view rest = output; !rest.empty();) {
    const std::string_view line = take_line(rest);
    for (const std::string_view mark : {": ERROR: ", ": FATAL ERROR: "}) {
      const std::size_t at = line.find(mark);
      if (at == std::string_view::npos) continue;
      const auto place = parse_place(line.substr(0, at));
      if (!place) continue;
      std::string_view claim = line.substr(at + mark.size());
      RawBug bug{.kind = "assertion", .file = place->file, .line = place->line};
      if (claim.ends_with(kWrong)) claim.remove_suffix(kWrong.size());
      if (claim.starts_with(kThrew)) bug.kind = "uncaught_exception";
      bug.message = claim;
      bug.details.emplace_back(claim);
      // A blank line ends it.
      std::string_view more = rest.substr(0, rest.find("\n\n"));
      while (!more.empty()) bug.details.emplace_back(take_line(more));
      if (bug.details.size() == 1) bug.details.clear();
      return bug;
    }
  }
  return std::nullopt;
}

bool has_run_test(std::string_view output) {
  const std::size_t totals = output.rfind(kTotals);
  if (totals == std::string_view::npos) return false;
  const std::string_view number = trimmed(output.substr(totals + kTotals.size()));
  std::uint64_t count = 0;
  std::from_chars(number.data(), number.data() + number.size(), count);
  return count > 0;
}

// In XML: <TestCase name="templ&lt;int>" testsuite="suite" filename=.. line=.. skipped="true"/>
std::optional<std::vector<FrameworkTest>> parse_listing(std::span<const std::string> outputs) {
  std::vector<FrameworkTest> tests;
  std::string_view output = outputs.front();
  while (!output.empty()) {
    const std::string_view line = trimmed(take_line(output));
    // A test that runs has more elements inside.
    if (!line.starts_with("<TestCase ") || !line.ends_with("/>")) continue;
    FrameworkTest test{.name = attribute(line, "name").value_or(""),
                       .group = attribute(line, "testsuite").value_or(""),
                       .is_disabled = attribute(line, "skipped") == "true"};
    // Several tests may have one name: they are run together.
    if (std::ranges::count(tests, test.name, &FrameworkTest::name) == 0) tests.push_back(std::move(test));
  }
  return tests;
}

// What means something in a filter stands for itself as any character does.
std::string filter_of(std::string name) {
  for (char& c : name)
    if (c == ',' || c == '\\' || c == '*' || c == '"') c = '?';
  return name;
}

}  // namespace

TestFramework doctest() {
  return {.kind = TestKind::kDoctest,
          .name = "doctest",
          .id = "doctest",
          .symbol = "_ZN7doctest7Context",
          .main_calls =
              "applyCommandLine(argc, argv) and run() of a doctest::Context, as that of "
              "DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN does",
          .listings = [](const std::string&) -> std::vector<Calls> {
            return {{{"--dt-list-test-cases", "--dt-reporters=xml", "--dt-no-skip=true"}}};
          },
          .parse_listing = parse_listing,
          .run_arguments = [](const std::string& test) -> std::vector<std::string> {
            return {"--dt-test-case=" + filter_of(test), "--dt-case-sensitive=true", "--dt-no-skip=true",
                    "--dt-reporters=console", "--dt-gnu-file-line=true"};
          },
          .find_failure = find_failure,
          .has_run_test = has_run_test};
}

}  // namespace ravel::threads
