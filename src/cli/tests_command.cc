// ravel tests: lists the tests of a program.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/given_options.h"
#include "cli/messages.h"
#include "cli/open_program.h"
#include "cli/threads_tests.h"

namespace ravel {

namespace {

struct Listed {
  std::string name;
  std::string title;
  bool is_disabled = false;
};

int tell(const std::vector<Listed>& tests, const std::string& json_file) {
  if (json_file.empty()) {
    for (const Listed& test : tests) {
      const std::string title = test.is_disabled ? "disabled" : test.title;
      std::puts((test.name + (title.empty() ? "" : "  " + title)).c_str());
    }
    return 0;
  }
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const Listed& test : tests) all.push_back({{"name", test.name}, {"title", test.title}, {"disabled", test.is_disabled}});
  const Status written = write_text_file(json_file, all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  return written ? 0 : complain(written.error().message);
}

int list_threads_tests(const ProgramArguments& arguments, const ModelOptions& model, const std::string& json_file) {
  if (Status fitting = refuse_for_threads(given_for_erlang(arguments, model, {})); !fitting)
    return complain(fitting.error().message);
  const auto call = program_call(arguments);
  if (!call) return complain(call.error().message);
  const auto tests = threads::list_tests(*call);
  if (!tests) return complain(tests.error().message);
  std::vector<Listed> listed;
  for (const threads::ListedTest& test : *tests)
    listed.push_back({.name = option_name(test.test), .title = test.title, .is_disabled = test.is_disabled});
  return tell(listed, json_file);
}

}  // namespace

int tests_command(const ProgramArguments& arguments, const ModelOptions& model, const ReportOptions& report, const std::string& json_file) {
  if (is_threads_program(arguments.files)) return list_threads_tests(arguments, model, json_file);
  const auto program = open_program(arguments, report);
  if (!program) return complain(program.error().message);
  erlang::MachineOptions machine;
  if (Status fitting = set_model(model, machine); !fitting) return complain(fitting.error().message);
  const auto tests = all_tests(**program, machine);
  if (!tests) return complain(tests.error().message);
  std::vector<Listed> listed;
  for (const erlang::TestCase& test : *tests) {
    std::string title = test.title;
    if (!test.skipped.empty()) title += (title.empty() ? "" : "  ") + std::string("skipped: ") + test.skipped;
    listed.push_back({.name = test.name.to_string(), .title = title});
  }
  if (tests->empty())
    remark("no module exports a function NAME_test/0 or NAME_test_/0; any function of arity 0 can be checked with -t "
           "MODULE:FUNCTION",
           report.colour);
  return tell(listed, json_file);
}

}  // namespace ravel
