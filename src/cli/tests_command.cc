// ravel tests: lists the tests of a program.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "host/files.h"

namespace ravel {

namespace {

std::string title_of(const TestEntry& test) {
  if (test.is_disabled) return "disabled";
  if (test.skipped.empty()) return test.title;
  return test.title + (test.title.empty() ? "" : "  ") + "skipped: " + test.skipped;
}

}  // namespace

Result<int> tests_command(const FrontEnds& front_ends, const CommandOptions& options,
                          const std::string& json_file) {
  const FrontEnd& front_end = front_ends.of(options.program.files);
  if (Status fitting = front_ends.check_given(front_end, options); !fitting) return fitting.error();
  const auto tests = front_end.list_tests(options);
  if (!tests) return tests.error();
  if (json_file.empty()) {
    for (const TestEntry& test : *tests) {
      const std::string title = title_of(test);
      std::puts((test.name + (title.empty() ? "" : "  " + title)).c_str());
    }
    return 0;
  }
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const TestEntry& test : *tests)
    all.push_back({{"name", test.name},
                   {"title", test.is_disabled ? test.title : title_of(test)},
                   {"disabled", test.is_disabled}});
  if (Status written =
          write_text_file(json_file, all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
      !written)
    return written.error();
  return 0;
}

}  // namespace ravel
