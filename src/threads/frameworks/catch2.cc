// Catch2, versions 2 and 3, by what their console reporter prints:
//
//     t.cc:10: FAILED:
//       REQUIRE( counter == 2 )
//     with expansion:
//       1 == 2

#include <algorithm>
#include <string>

#include "threads/frameworks/test_framework.h"
#include "threads/frameworks/text.h"

namespace ravel::threads {

namespace {

constexpr std::string_view kMark = ": FAILED:\n";

std::optional<RawBug> find_failure(std::string_view output) {
  for (std::size_t mark = output.find(kMark); mark != std::string_view::npos;
       mark = output.find(kMark, mark + 1)) {
    const std::size_t newline = output.substr(0, mark).rfind('\n');
    const auto place =
        parse_place(output.substr(newline == std::string_view::npos ? 0 : newline + 1, mark - newline - 1));
    if (!place) continue;
    // A blank line ends it.
    std::string_view text = output.substr(mark + kMark.size());
    text = text.substr(0, text.find("\n\n"));
    RawBug bug{.kind = "assertion", .file = place->file, .line = place->line};
    std::string_view rest = text;
    std::string_view line = take_line(rest);
    if (line.starts_with("  ")) {
      bug.message = trimmed(line);
      if (rest.starts_with("due to ") || rest.starts_with("because "))
        bug.message += " " + std::string(take_line(rest));
    } else {
      // "due to unexpected exception with message:", "explicitly with message:", and then the message.
      const bool is_exception = line.starts_with("due to unexpected exception");
      if (is_exception) bug.kind = "uncaught_exception";
      bug.message = line;
      if (line.ends_with(':')) bug.message += " " + std::string(trimmed(take_line(rest)));
    }
    while (bug.message.ends_with(':')) bug.message.pop_back();
    while (!text.empty()) bug.details.emplace_back(take_line(text));
    return bug;
  }
  // The totals alone say that a test with [!shouldfail] has passed.
  if (output.find("1 failed") != std::string_view::npos)
    return RawBug{.kind = "assertion", .message = "the test case is expected to fail, and passes"};
  return std::nullopt;
}

bool has_run_test(std::string_view output) {
  return output.find("\nAll tests passed (") != std::string_view::npos ||
         output.find("\ntest cases: ") != std::string_view::npos;
}

// The listing of version 3, in XML: <TestCase> <Name>..</Name> .. <Tags>[.][slow]</Tags> .. </TestCase>.
std::vector<FrameworkTest> parse_xml(std::string_view output) {
  const auto element = [](std::string_view text, const std::string& name) -> std::string {
    const std::size_t begin = text.find("<" + name + ">");
    const std::size_t end = text.find("</" + name + ">");
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return {};
    const std::size_t inside = begin + name.size() + 2;
    return unescape_xml(text.substr(inside, end - inside));
  };
  std::vector<FrameworkTest> tests;
  constexpr std::string_view kBegin = "<TestCase>", kEnd = "</TestCase>";
  for (std::size_t begin = output.find(kBegin); begin != std::string_view::npos;
       begin = output.find(kBegin, begin + 1)) {
    const std::string_view test = output.substr(begin, output.find(kEnd, begin) - begin);
    tests.push_back({.name = element(test, "Name"),
                     .is_disabled = element(test, "Tags").find("[.]") != std::string::npos});
  }
  return tests;
}

// The listing of version 2: a name in each line, all of them and then those that are hidden.
std::vector<FrameworkTest> parse_names(std::string_view all, std::string_view hidden) {
  const auto name_of = [](std::string_view line) {
    // Names that would be comments in a file of names are quoted.
    if (line.starts_with("\"#") && line.ends_with('"')) line = line.substr(1, line.size() - 2);
    return std::string(line);
  };
  std::vector<FrameworkTest> tests;
  while (!all.empty())
    if (const std::string_view line = take_line(all); !trimmed(line).empty())
      tests.push_back({.name = name_of(line)});
  while (!hidden.empty()) {
    const std::string name = name_of(take_line(hidden));
    for (FrameworkTest& test : tests)
      if (test.name == name) test.is_disabled = true;
  }
  return tests;
}

std::optional<std::vector<FrameworkTest>> parse_listing(std::span<const std::string> outputs) {
  if (outputs.size() == 1)
    return outputs.front().find("<MatchingTests") == std::string::npos
               ? std::nullopt
               : std::optional(parse_xml(outputs.front()));
  if (outputs.front().find("Error(s) in input:") != std::string::npos) return std::nullopt;
  return parse_names(outputs.front(), outputs.back());
}

// The name as a filter that it alone passes. A filter may not begin with what begins something else.
std::string filter_of(const std::string& name) {
  const bool is_special = name.starts_with('-') || name.starts_with('~') || name.starts_with('"') ||
                          name.starts_with(' ') || name.starts_with("exclude:");
  std::string filter = is_special ? "*" : "";
  for (const char c : is_special ? name.substr(1) : name) {
    if (c == '\\' || c == ',' || c == '[' || c == '"') filter += '\\';
    filter += c;
  }
  return filter;
}

}  // namespace

TestFramework catch2() {
  return {.kind = TestKind::kCatch2,
          .name = "Catch2",
          .id = "catch2",
          .symbol = "_ZN5Catch7Session",
          .main_calls = "Catch::Session().run(argc, argv), as that of CATCH_CONFIG_MAIN or Catch2Main does",
          .is_filter =
              [](std::string_view wanted) { return wanted.starts_with('[') || wanted.starts_with("~["); },
          .listings = [](const std::string& filter) -> std::vector<Calls> {
            const std::string all = filter.empty() ? "*" : filter;
            // Version 2 lists in the same form whatever the reporter is, in lines that are broken to the
            // width of a console.
            return {{{"--list-tests", "--reporter", "xml", all}},
                    {{"--list-test-names-only", all}, {"--list-test-names-only", "[.]"}}};
          },
          .parse_listing = parse_listing,
          .run_arguments = [](const std::string& test) -> std::vector<std::string> {
            return {filter_of(test), "--reporter", "console", "--rng-seed", "1"};
          },
          .find_failure = find_failure,
          .has_run_test = has_run_test};
}

}  // namespace ravel::threads
