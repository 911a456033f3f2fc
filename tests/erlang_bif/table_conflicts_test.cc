// Operations on tables that do not conflict can change places: results and tables are the same in both
// orders. And whether two operations conflict with a third does not depend on the order of those two, if they
// do not conflict.
#include "erlang/bif/table_conflicts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "erlang/bif/builtins.h"
#include "erlang/machine/machine.h"
#include "erlang/term/print.h"

namespace ravel::erlang {
namespace {

class NoModules final : public ModuleSource {
 public:
  std::optional<std::vector<std::uint8_t>> find_module(std::string_view, std::string&) override {
    return std::nullopt;
  }
};

Term wait_0(Call&, const Term*) { return atoms::kOk; }

std::vector<Builtin> builtins_and_wait() {
  std::vector<Builtin> all = all_builtins();
  all.push_back({"test", "wait", 0, Effect::kOperation, wait_0});
  std::ranges::sort(all, {}, &Builtin::key);
  return all;
}

struct Operation {
  std::string name;
  std::vector<Term> arguments;  // behind the table; stored terms
};

// What one operation did.
struct Done {
  std::string result;
  std::vector<Touched> footprint;
  std::vector<TableTouch> touches;
};

class TableConflicts : public testing::Test {
 protected:
  TableConflicts() { machine.start(atom("test"), atom("wait"), {}); }

  Term atom(std::string_view text) { return machine.names.atoms.intern(text); }
  static Term small(std::uint64_t n) { return Term::small(static_cast<std::int64_t>(n)); }

  Term call(std::string_view name, const std::vector<Term>& arguments) {
    const Builtin* builtin =
        machine.code.find_builtin(atom("ets"), atom(name), static_cast<std::uint32_t>(arguments.size()));
    CHECK(builtin != nullptr);
    Call its_call(machine, machine.heap, machine.names, machine.processes.find(machine.names.root_pid()));
    return builtin->function(its_call, arguments.data());
  }

  Done run(const Operation& operation) {
    const std::size_t pairs = machine.record.footprint.size();
    const std::size_t touches = machine.record.table_touches.size();
    std::vector<Term> arguments{table};
    arguments.insert(arguments.end(), operation.arguments.begin(), operation.arguments.end());
    const Term result = call(operation.name, arguments);
    const auto footprint = std::span(machine.record.footprint).subspan(pairs);
    std::vector<TableTouch> its_touches;
    for (TableTouch touch : std::span(machine.record.table_touches).subspan(touches)) {
      if (touch.kind == TableTouch::Kind::kInsert) settle_repeated_insertion(touch, execution);
      execution.push_back(touch);
      its_touches.push_back(touch);
    }
    return {.result = result.is_none() ? "fails" : print_term(machine.names, result),
            .footprint = {footprint.begin(), footprint.end()},
            .touches = std::move(its_touches)};
  }
  // Starts an execution there.
  void go_back(const std::vector<Term>& state) {
    machine.freezer.restore(state);
    execution.clear();
  }

  static bool pairs_conflict(const Done& a, const Done& b, bool refined) {
    for (const Touched& x : a.footprint)
      for (const Touched& y : b.footprint)
        if (x.object == y.object && (x.access != y.access || x.access == access::kWrite) &&
            !(refined && is_told_by_table_touches(x.object)))
          return true;
    return false;
  }
  bool conflict(const Done& a, const Done& b) {
    return pairs_conflict(a, b, true) || table_touches_conflict(machine, a.touches, b.touches);
  }

  // ---- Random operations

  Term key() {
    switch (random.below(5)) {
      case 0: return machine.heap.floating(1.0);
      case 1: return atom("a");
      default: return small(random.below(3));
    }
  }
  Term row() { return machine.heap.tuple({key(), small(random.below(3))}); }
  Term specification(Term body) {
    Heap& heap = machine.heap;
    const Term first = atom("$1");
    const Term second = atom("$2");
    const Term head = random.below(3) == 0 ? heap.tuple({key(), second}) : heap.tuple({first, second});
    const Term guard = heap.tuple({atom(random.below(2) == 0 ? ">" : "=="), second, small(random.below(3))});
    const Term guards = random.below(3) == 0 ? Term::nil() : heap.cons(guard, Term::nil());
    return heap.cons(heap.tuple({head, guards, heap.cons(body, Term::nil())}), Term::nil());
  }
  Operation make_operation() {
    Heap& heap = machine.heap;
    const Term whole = atom("$_");
    switch (random.below(20)) {
      case 0: return {"insert_new", {row()}};
      case 1: return {"lookup", {key()}};
      case 2: return {"member", {key()}};
      case 3: return {"delete", {key()}};
      case 4: return {"delete_object", {row()}};
      case 5: return {"take", {key()}};
      case 6: return {"update_counter", {key(), small(1)}};
      case 7: return {"update_counter", {key(), small(1), row()}};
      case 8: return {"update_element", {key(), heap.tuple({small(2), small(random.below(3))})}};
      case 9: return {"select", {specification(whole)}};
      case 10: return {"select_count", {specification(atoms::kTrue)}};
      case 11: return {"internal_select_delete", {specification(atoms::kTrue)}};
      case 12: return {"select", {specification(whole), small(1 + random.below(2))}};
      case 13: return {random.below(2) == 0 ? "first" : "last", {}};
      case 14: return {random.below(2) == 0 ? "next" : "prev", {key()}};
      case 15: return {"info", {random.below(3) == 0 ? atoms::kMemory : atoms::kSize}};
      case 16: return {"insert", {heap.list(std::array{row(), row()})}};
      case 17:
        return random.below(4) == 0 ? Operation{"internal_delete_all", {atoms::kUndefined}}
                                    : Operation{"slot", {small(random.below(2))}};
      case 18: {
        const Term same = heap.tuple({heap.tuple({atom("$1"), small(0)})});
        const Term head = heap.tuple({atom("$1"), small(random.below(3))});
        const Term clause = heap.tuple({head, Term::nil(), heap.cons(same, Term::nil())});
        return {"select_replace", {heap.cons(clause, Term::nil())}};
      }
      default: return {"insert", {row()}};
    }
  }
  Operation random_operation() {
    Operation operation = make_operation();
    for (Term& argument : operation.arguments) argument = machine.store.intern(argument);
    return operation;
  }

  // Restores a state, runs operations, and tells what the machine is then.
  std::vector<Term> state_after(const std::vector<Term>& start,
                                const std::vector<const Operation*>& operations, std::vector<Done>& done) {
    go_back(start);
    done.clear();
    for (const Operation* operation : operations) done.push_back(run(*operation));
    std::vector<Term> words;
    machine.freezer.save(words);
    return words;
  }

  NoModules modules;
  const std::vector<Builtin> builtins = builtins_and_wait();
  Machine machine{MachineOptions{}, modules, builtins};
  Random random{4711};
  Term table;
  std::vector<TableTouch> execution;  // the touches since the state where it began
};

TEST_F(TableConflicts, operations_that_do_not_conflict_commute) {
  std::vector<Term> nothing;
  machine.freezer.save(nothing);
  std::size_t independent = 0, told_by_pairs = 0, needless = 0;
  for (int trial = 0; trial < 60'000; ++trial) {
    machine.freezer.restore(nothing);
    const Term type =
        std::array{atoms::kSet, atoms::kOrderedSet, atoms::kBag, atoms::kDuplicateBag}[random.below(4)];
    table = call("new", {atom("t"), machine.heap.list(std::array{type, atoms::kPublic})});
    for (std::uint64_t n = random.below(4); n > 0; --n) call("insert", {table, row()});
    std::vector<Term> start;
    machine.freezer.save(start);
    const Operation a = random_operation();
    const Operation b = random.below(4) == 0 ? a : random_operation();
    const Operation c = random_operation();

    std::vector<Done> forth, back;
    go_back(start);
    const Done a_first = run(a);
    const Done b_second = run(b);
    const bool conflicts = conflict(a_first, b_second);
    if (!pairs_conflict(a_first, b_second, false)) {
      ++told_by_pairs;
      ASSERT_FALSE(conflicts) << "touches see a conflict that pairs do not: " << a.name << " and " << b.name;
    }
    const std::vector<Term> after_forth = state_after(start, {&a, &b}, forth);
    const std::vector<Term> after_back = state_after(start, {&b, &a}, back);
    const bool commute =
        after_forth == after_back && forth[0].result == back[1].result && forth[1].result == back[0].result;
    if (conflicts) {
      needless += commute ? 1 : 0;
      continue;
    }
    ++independent;
    ASSERT_TRUE(commute) << "trial " << trial << ", " << print_term(machine.names, type) << ": " << a.name
                         << " " << forth[0].result << " or " << back[1].result << ", " << b.name << " "
                         << forth[1].result << " or " << back[0].result;

    // A third operation sees the same conflicts in both orders.
    go_back(start);
    const Done a1 = run(a), b1 = run(b), c1 = run(c);
    const bool a_then = conflict(a1, c1), b_then = conflict(b1, c1);
    go_back(start);
    const Done b2 = run(b), a2 = run(a), c2 = run(c);
    ASSERT_EQ(conflict(a2, c2), a_then)
        << a.name << " and " << c.name << ", with " << b.name << ", trial " << trial;
    ASSERT_EQ(conflict(b2, c2), b_then)
        << b.name << " and " << c.name << ", with " << a.name << ", trial " << trial;
  }
  EXPECT_GT(independent, 20'000u);
  EXPECT_GT(independent, told_by_pairs);
  RecordProperty("independent", static_cast<int>(independent));
  RecordProperty("independent_by_pairs", static_cast<int>(told_by_pairs));
  RecordProperty("conflicts_that_commute", static_cast<int>(needless));
}

}  // namespace
}  // namespace ravel::erlang
