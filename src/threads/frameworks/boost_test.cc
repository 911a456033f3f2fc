// Boost.Test, by its log and its report:
//
//     t.cc(13): error: in "suite/loses": check counter == 2 has failed [1 != 2]
//     unknown location(0): fatal error: in "suite/throws": std::runtime_error: boom
//     t.cc(19): last checkpoint: "throws" test entry

#include <charconv>
#include <map>
#include <string>

#include "threads/frameworks/test_framework.h"
#include "threads/frameworks/text.h"

namespace ravel::threads {

namespace {

constexpr std::string_view kValues = " has failed [";
constexpr std::uint64_t kFirstCase = 65536;  // lower numbers are those of suites

// "): error: in "NAME": CLAIM" after a place, or "fatal error".
std::optional<RawBug> parse_failure(std::string_view line) {
  for (const std::string_view mark : {": error: in \"", ": fatal error: in \""}) {
    const std::size_t at = line.find(mark);
    if (at == std::string_view::npos) continue;
    const auto place = parse_place(line.substr(0, at));
    const std::size_t claim = line.find("\": ", at + mark.size());
    if (!place || claim == std::string_view::npos) continue;
    const std::string_view text = line.substr(claim + 3);
    RawBug bug{.kind = "assertion",
               .message = std::string(text.substr(0, text.find(kValues))),
               .details = {std::string(text)}};
    if (place->line == 0) {
      bug.kind = "uncaught_exception";
    } else {
      bug.file = place->file;
      bug.line = place->line;
    }
    return bug;
  }
  return std::nullopt;
}

std::optional<RawBug> find_failure(std::string_view output) {
  while (!output.empty()) {
    auto bug = parse_failure(take_line(output));
    if (!bug) continue;
    // The context, which is indented, and where an exception left the test.
    while (!output.empty()) {
      const std::string_view line = take_line(output);
      if (const std::size_t mark = line.find(": last checkpoint");
          mark != std::string_view::npos && bug->file.empty()) {
        if (const auto place = parse_place(line.substr(0, mark))) {
          bug->file = place->file;
          bug->line = place->line;
        }
      } else if (!line.starts_with("    ") && !line.starts_with("Failure occurred in a following context")) {
        break;
      }
      bug->details.emplace_back(line);
    }
    if (bug->details.size() == 1 && bug->details.front() == bug->message) bug->details.clear();
    return bug;
  }
  return std::nullopt;
}

// The report, which comes last.
bool has_run_test(std::string_view output) {
  return output.find("\nTest module \"") != std::string_view::npos &&
         output.find(" has passed") != std::string_view::npos;
}

std::uint64_t number_of(std::string_view unit) {
  std::uint64_t number = 0;
  std::from_chars(unit.data() + 2, unit.data() + unit.size(), number);
  return number;
}

// A graph: tu65536[..,color=green,label="loses|t.cc(8)"]; and after it tu2 -> tu65536. A disabled one is
// yellow.
std::optional<std::vector<FrameworkTest>> parse_listing(std::span<const std::string> outputs) {
  struct Unit {
    std::string name;
    std::string parent;
  };
  std::map<std::string, Unit, std::less<>> units;
  std::vector<FrameworkTest> tests;
  std::string_view output = outputs.front();
  bool is_graph = false, is_disabled = false;
  std::string name;
  while (!output.empty()) {
    const std::string_view line = trimmed(take_line(output));
    if (line.starts_with("digraph ")) is_graph = true;
    if (!is_graph || !line.starts_with("tu")) continue;
    if (const std::size_t arrow = line.find(" -> "); arrow != std::string_view::npos) {
      const std::string parent(line.substr(0, arrow)),
          child(line.substr(arrow + 4, line.find(';') - arrow - 4));
      units[child].parent = parent;
      std::string group;
      // The outermost one is the module, which paths leave out.
      for (auto above = units.find(parent); above != units.end() && !above->second.parent.empty();
           above = units.find(above->second.parent))
        group = above->second.name + (group.empty() ? "" : "/" + group);
      const std::string& own = units[child].name;
      if (number_of(child) >= kFirstCase)
        tests.push_back(
            {.name = group.empty() ? own : group + "/" + own, .group = group, .is_disabled = is_disabled});
      continue;
    }
    const std::size_t label = line.find("label=\"");
    if (label == std::string_view::npos) continue;
    const std::string_view text = line.substr(label + 7);
    units[std::string(line.substr(0, line.find('[')))].name = text.substr(0, text.find_first_of("|\""));
    is_disabled = line.find("color=yellow") != std::string_view::npos;
  }
  return tests;
}

}  // namespace

TestFramework boost_test() {
  return {.kind = TestKind::kBoostTest,
          .name = "Boost.Test",
          .id = "boosttest",
          .symbol = "_ZN5boost9unit_test9framework",
          .main_calls = "boost::unit_test::unit_test_main(), as that of BOOST_TEST_MODULE does",
          .group_end = "/",
          .listings = [](const std::string&) -> std::vector<Calls> { return {{{"--list_content=DOT"}}}; },
          .parse_listing = parse_listing,
          .run_arguments = [](const std::string& test) -> std::vector<std::string> {
            return {"--run_test=" + test, "--log_level=error",        "--report_level=short",
                    "--color_output=no",  "--catch_system_errors=no", "--detect_memory_leaks=0"};
          },
          .find_failure = find_failure,
          .has_run_test = has_run_test};
}

}  // namespace ravel::threads
