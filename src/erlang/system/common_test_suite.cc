#include "erlang/system/common_test_suite.h"

#include <algorithm>
#include <optional>
#include <string>

#include "erlang/system/binary_text.h"
#include "erlang/system/erlang_system.h"
#include "erlang/system/test_runners.h"

namespace ravel::erlang {

namespace {

// Executions of one schedule that are longer say nothing.
constexpr std::uint64_t kEventsMax = 100'000;
// The whole suite as one test.
constexpr char kAll[] = "all";

// One call of the runner in one schedule, without what makes a test's process special: so that it ends badly
// with the reason that tells its answer.
struct Answer {
  std::unique_ptr<ErlangSystem> system;
  PlainRun run;

  // The second element of the reason {Tag, Second}; none: the process ended in another way.
  Term second_of(std::string_view tag) const {
    const Machine& machine = system->machine();
    const Process* const asked = machine.processes.find(Names::root_pid());
    if (asked == nullptr || asked->rest != Rest::kEnding) return Term::none();
    const Term reason = asked->exit_reason;
    const bool is_it = is_tuple_of(reason, 2) && element(reason, 1).is_atom() &&
                       machine.names.atoms.text(element(reason, 1)) == tag;
    return is_it ? element(reason, 2) : Term::none();
  }
};

Result<Answer> ask(Program& program, const char* function, const TestName& name,
                   const MachineOptions& machine) {
  ErlangOptions options;
  options.machine = machine;
  if (machine.time == TimePolicy::kAny) options.machine.time = TimePolicy::kDeadlines;
  options.on_output = [](std::string_view) {};  // for whoever runs the tests
  TestName argument = name;
  if (argument.function.empty()) argument.function = kAll;
  auto system = ErlangSystem::start_call(
      program, EntryCall{.module = kCommonTestRunner, .function = function, .argument = argument}, options);
  if (!system) return system.error();
  Answer answer{.system = std::move(*system), .run = {}};
  answer.run = answer.system->run_plainly(kEventsMax);
  return answer;
}

struct Item {
  TestCase test;
  bool is_case = true;  // else a group that runs in parallel
};

std::vector<Item> read_items(const Answer& answer, const TestName& name, Term list) {
  std::vector<Item> items;
  for (; list.is_cons(); list = list.tail()) {
    const Term item = list.head();
    Item read{.test = {.name = {.module = name.module, .function = text_of_binary(element(item, 2))}},
              .is_case = answer.system->machine().names.atoms.text(element(item, 1)) == "test"};
    const std::string text = text_of_binary(element(item, 3));
    const bool is_skipped = answer.system->machine().names.atoms.text(element(item, 1)) == "skipped";
    (is_skipped ? read.test.skipped : read.test.title) = text;
    if (read.test.name.function.empty()) read.test.name.function = kAll;
    items.push_back(std::move(read));
  }
  return items;
}

bool is_below(const TestName& test, std::string_view group) {
  return group == kAll || test.function == group || test.function.starts_with(std::string(group) + "/");
}

std::string group_of(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string::npos ? kAll : name.substr(0, slash);
}

// Puts the smallest group that passes in the place of what needs the tests before it.
Status join_dependent(Program& program, std::size_t at, const MachineOptions& machine,
                      std::vector<Item>& items) {
  for (TestName group = items[at].test.name; group.function != kAll;) {
    group.function = group_of(group.function);
    const auto is_member = [&](const Item& item) {
      return item.is_case && is_below(item.test.name, group.function);
    };
    const auto first = std::ranges::find_if(items, is_member);
    if (first - items.begin() >= static_cast<std::ptrdiff_t>(at)) continue;  // nothing comes before it
    const auto answer = ask(program, "run", group, machine);
    if (!answer) return answer.error();
    if (answer->run.outcome != Outcome::kFinished) continue;
    const auto count = std::ranges::count_if(items, is_member);
    first->test = {.name = group, .title = std::to_string(count) + " test cases that need each other"};
    items.erase(std::remove_if(first + 1, items.end(),
                               [&](const Item& item) { return is_below(item.test.name, group.function); }),
                items.end());
    return Success{};
  }
  return Success{};
}

}  // namespace

Result<std::vector<TestCase>> list_common_test_cases(Program& program, const TestName& name,
                                                     const MachineOptions& machine) {
  if (!program.locate_module("ct_framework"))
    return Error{
        name.module +
        ": this is a suite of Common Test, which is not installed with this Erlang/OTP: there is no module "
        "ct_framework. Install it (on Debian and Ubuntu: the package erlang-common-test)."};
  if (name.function == kAll) return std::vector<TestCase>{{.name = name}};
  const auto listed = ask(program, "list", name, machine);
  if (!listed) return listed.error();
  const Term list = listed->second_of("ravel_ct_list");
  if (list.is_atom() && list != Term::nil())
    return Error{"-t " + name.to_string() +
                 ": the suite has no such test case or group. 'ravel tests' lists what there is."};
  // What it does when it is listed it does when it runs, with a schedule that shows it.
  if (!list.is_cons()) return std::vector<TestCase>{{.name = {.module = name.module, .function = kAll}}};
  std::vector<Item> items = read_items(*listed, name, list);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is_case || !items[i].test.title.empty()) continue;
    const auto alone = ask(program, "run", items[i].test.name, machine);
    if (!alone) return alone.error();
    if (const Term reason = alone->second_of("ravel_ct_skipped"); !reason.is_none()) {
      items[i].test.skipped = text_of_binary(reason);
      if (items[i].test.skipped.empty()) items[i].test.skipped = "skipped";
    } else if (alone->run.outcome == Outcome::kBug) {
      const std::size_t before = items.size();
      if (Status joined = join_dependent(program, i, machine, items); !joined) return joined.error();
      if (items.size() < before) i = 0;
    }
  }
  std::vector<TestCase> tests;
  for (Item& item : items) tests.push_back(std::move(item.test));
  return tests;
}

}  // namespace ravel::erlang
