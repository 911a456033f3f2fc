#include "erlang/system/eunit_suite.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>

#include "erlang/system/binary_text.h"
#include "erlang/system/common_test_suite.h"
#include "erlang/system/erlang_system.h"
#include "erlang/system/exunit_case.h"
#include "erlang/system/test_runners.h"

namespace ravel::erlang {

namespace {

// Executions of one schedule that are longer say nothing.
constexpr std::uint64_t kEventsMax = 100'000;

// {Kind, Path, Titles, Line} of ravel_eunit:list/3.
struct Item {
  std::string kind;
  TestCase test;
};

std::vector<Item> read_items(const Names& names, const TestName& name, Term list) {
  std::vector<Item> items;
  for (; list.is_cons(); list = list.tail()) {
    Item item{.kind = std::string(names.atoms.text(element(list.head(), 1))), .test = {.name = name}};
    item.test.name.path.clear();
    for (Term path = element(list.head(), 2); path.is_cons(); path = path.tail())
      item.test.name.path.push_back(static_cast<std::uint32_t>(path.head().small_value()));
    for (Term titles = element(list.head(), 3); titles.is_cons(); titles = titles.tail())
      item.test.title += (item.test.title.empty() ? "" : ": ") + text_of_binary(titles.head());
    items.push_back(std::move(item));
  }
  return items;
}

// Options for a plain run, on a machine that serves the search, too, if possible.
ErlangOptions plain_options(const MachineOptions& machine) {
  ErlangOptions options;
  options.machine = machine;
  if (machine.time == TimePolicy::kAny) options.machine.time = TimePolicy::kDeadlines;
  return options;
}

// What stands at or below this name; nothing if that cannot be listed, an error if there is no such thing.
Result<std::optional<std::vector<Item>>> list_items(Program& program, const TestName& name,
                                                    const MachineOptions& machine_options) {
  ErlangOptions options = plain_options(machine_options);
  options.on_output = [](std::string_view) {};  // for whoever runs the test
  const auto system = ErlangSystem::start_call(
      program, EntryCall{.module = kEunitRunner, .function = "list", .argument = name}, options);
  if (!system) return system.error();
  (*system)->run_plainly(kEventsMax);
  const Machine& machine = (*system)->machine();
  const Process* const lister = machine.processes.find(machine.names.root_pid());
  if (lister == nullptr || lister->rest != Rest::kEnding) return std::optional<std::vector<Item>>();
  const auto is_atom = [&](Term term, std::string_view text) {
    return term.is_atom() && machine.names.atoms.text(term) == text;
  };
  const Term reason = lister->exit_reason;
  if (!is_tuple_of(reason, 2) || !is_atom(element(reason, 1), "ravel_eunit_list"))
    return std::optional<std::vector<Item>>();
  if (is_atom(element(reason, 2), "no_such_test"))
    return Error{"-t " + name.to_string() + ": " + name.module + ":" + name.function +
                 "/0 gives no such test. 'ravel tests' lists what there is."};
  return std::optional(read_items(machine.names, name, element(reason, 2)));
}

Status add_tests(Program& program, const TestCase& wanted, const MachineOptions& machine,
                 std::vector<TestCase>& tests) {
  const auto items = list_items(program, wanted.name, machine);
  if (!items) return items.error();
  if (!*items) {
    tests.push_back(wanted);  // broken: running it says how
    return Success{};
  }
  for (const Item& item : **items) {
    if (item.kind != "fixture") {
      tests.push_back(item.test);
    } else if (Status added = add_tests(program, item.test, machine, tests); !added) {
      return added;
    }
  }
  return Success{};
}

Outcome outcome_alone(Program& program, const TestName& name, const MachineOptions& machine) {
  ErlangOptions options = plain_options(machine);
  options.on_output = [](std::string_view) {};
  const auto system = ErlangSystem::start(program, name, options);
  return system ? (*system)->run_plainly(kEventsMax).outcome : Outcome::kUnsupported;
}

bool is_below(const TestName& name, const TestName& group) {
  return name.path.size() >= group.path.size() &&
         std::equal(group.path.begin(), group.path.end(), name.path.begin());
}

// What the titles have in common, by whole parts, each with ": " after it.
std::string common_title(std::span<const TestCase> tests) {
  if (tests.front().title.empty()) return {};
  std::string common = tests.front().title + ": ";
  for (const TestCase& test : tests) {
    const std::string title = test.title + ": ";
    while (!common.empty() && !title.starts_with(common)) {
      const std::size_t end = common.size() < 3 ? common.npos : common.rfind(": ", common.size() - 3);
      common.resize(end == common.npos ? 0 : end + 2);
    }
  }
  return common;
}

// Puts the smallest group that passes in the place of each test that does so only after others of the group.
void join_dependent(Program& program, const MachineOptions& machine, const TestName& root,
                    std::vector<TestCase>& tests) {
  for (std::size_t i = 1; i < tests.size(); ++i) {
    if (outcome_alone(program, tests[i].name, machine) != Outcome::kBug) continue;
    for (TestName group = tests[i].name; group.path.size() > root.path.size();) {
      group.path.pop_back();
      const auto is_member = [&](const TestCase& test) { return is_below(test.name, group); };
      const auto first = std::ranges::find_if(tests, is_member);
      const auto last = std::find_if_not(first, tests.end(), is_member);
      if (first - tests.begin() == static_cast<std::ptrdiff_t>(i)) continue;  // nothing comes before it
      if (outcome_alone(program, group, machine) != Outcome::kFinished) continue;
      const auto count = static_cast<std::size_t>(last - first);
      const std::string title =
          common_title({first, last}) + std::to_string(count) + " tests that need each other";
      *first = {.name = group, .title = title};
      i = static_cast<std::size_t>(first - tests.begin());
      tests.erase(first + 1, last);
      break;
    }
  }
}

}  // namespace

Result<std::vector<TestCase>> list_test_cases(Program& program, const TestName& name,
                                              const MachineOptions& machine) {
  if (name.is_exunit_case() || (name.is_of_exunit() && program.may_have_parameters(name.module)))
    return list_exunit_tests(program, name, machine);
  if (name.is_of_common_test()) return list_common_test_cases(program, name, machine);
  if (!name.is_generated()) return std::vector<TestCase>{{.name = name}};
  std::vector<TestCase> tests;
  if (Status added = add_tests(program, {.name = name}, machine, tests); !added) return added.error();
  join_dependent(program, machine, name, tests);
  return tests;
}

}  // namespace ravel::erlang
