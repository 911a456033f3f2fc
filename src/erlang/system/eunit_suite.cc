#include "erlang/system/eunit_suite.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "erlang/system/erlang_system.h"
#include "erlang/system/exunit_case.h"
#include "erlang/term/bits.h"

namespace ravel::erlang {

namespace {

// {Kind, Path, Titles, Line} of ravel_eunit:list/3.
struct Item {
  std::string kind;
  TestCase test;
};

// On one line, whatever it holds.
std::string title_text(Term binary) {
  if (!is_bitstring(binary)) return {};
  const BitView view = view_bits(binary);
  std::string text(view.length / 8, '\0');
  copy_bits(reinterpret_cast<std::uint8_t*>(text.data()), 0, view.bytes, view.offset, text.size() * 8);
  std::ranges::replace_if(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text;
}

std::vector<Item> read_items(const Names& names, const TestName& name, Term list) {
  std::vector<Item> items;
  for (; list.is_cons(); list = list.tail()) {
    Item item{.kind = std::string(names.atoms.text(element(list.head(), 1))), .test = {.name = name}};
    item.test.name.path.clear();
    for (Term path = element(list.head(), 2); path.is_cons(); path = path.tail())
      item.test.name.path.push_back(static_cast<std::uint32_t>(path.head().small_value()));
    for (Term titles = element(list.head(), 3); titles.is_cons(); titles = titles.tail())
      item.test.title += (item.test.title.empty() ? "" : ": ") + title_text(titles.head());
    items.push_back(std::move(item));
  }
  return items;
}

// What stands at or below this name; nothing if that cannot be listed, an error if there is no such thing.
Result<std::optional<std::vector<Item>>> list_items(Program& program, const TestName& name,
                                                    const MachineOptions& machine_options) {
  ErlangOptions options;
  options.machine = machine_options;
  options.machine.time = TimePolicy::kDeadlines;
  options.on_output = [](std::string_view) {};  // for whoever runs the test
  const auto system = ErlangSystem::start_call(program, EntryCall{.module = "ravel_eunit", .function = "list", .argument = name},
                                          options);
  if (!system) return system.error();
  (*system)->run_plainly([](const Bug&) {});
  const Machine& machine = (*system)->machine();
  const Process* const lister = machine.find_process(machine.names.root_pid());
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

}  // namespace

Result<std::vector<TestCase>> list_test_cases(Program& program, const TestName& name, const MachineOptions& machine) {
  if (name.is_exunit_case()) return list_exunit_tests(program, name);
  if (!name.is_generated()) return std::vector<TestCase>{{.name = name}};
  std::vector<TestCase> tests;
  if (Status added = add_tests(program, {.name = name}, machine, tests); !added) return added.error();
  return tests;
}

}  // namespace ravel::erlang
