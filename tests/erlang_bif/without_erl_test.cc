// Built-ins whose results have no counterpart in the emulator: names of processes as text, compiled match
// specifications, the fields of exceptions.
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "erlang/bif/builtins.h"
#include "erlang/machine/process.h"
#include "erlang/term/compare.h"
#include "erlang/term/list.h"
#include "erlang/term/map.h"
#include "erlang/term/print.h"

namespace ravel::erlang {
namespace {

class WithoutErlTest : public testing::Test {
 protected:
  WithoutErlTest() { call_.set_self(&process_); }

  // None if it fails; then `exception()` tells why.
  Term run(std::string_view module, std::string_view name, std::initializer_list<Term> arguments) {
    const Builtin::Key key{module, name, static_cast<std::uint32_t>(arguments.size())};
    for (const auto family :
         {tuple_builtins(), text_builtins(), exception_builtins(), match_specification_builtins()}) {
      const auto found = std::ranges::find(family, key, &Builtin::key);
      if (found != family.end()) return found->function(call_, arguments.begin());
    }
    ADD_FAILURE() << "no built-in " << name;
    return Term::none();
  }
  const Exception& exception() const { return call_.exception; }

  Term text(std::string_view characters) {
    Term list = Term::nil();
    for (std::size_t i = characters.size(); i-- > 0;)
      list = heap.cons(Term::small(static_cast<unsigned char>(characters[i])), list);
    return list;
  }
  std::string show(Term t) { return t.is_none() ? "failed" : print_term(names, t); }
  Term atom(std::string_view name) { return names.atoms.intern(name); }

  Heap heap;
  Names names;

 private:
  alignas(64) std::byte no_machine_[64] = {};  // these built-ins never look at it
  Process process_{Term::pid(0)};
  Call call_{reinterpret_cast<Machine&>(no_machine_), heap, names, &process_};
};

TEST_F(WithoutErlTest, TheTextOfAProcessNamesTheSameProcess) {
  const Term pid = names.child_pid(names.child_pid(names.root_pid(), 12), 3);
  EXPECT_EQ(show(run("erlang", "pid_to_list", {pid})), "\"<P.12.3>\"");
  EXPECT_EQ(run("erlang", "list_to_pid", {text("<P.12.3>")}), pid);
  EXPECT_EQ(run("erlang", "list_to_pid", {text("<P>")}), names.root_pid());
  const Term device = Names::device_pid();
  EXPECT_EQ(run("erlang", "list_to_pid", {run("erlang", "pid_to_list", {device})}), device);
  const Term reference = Names::make_reference(pid, 77);
  EXPECT_EQ(run("erlang", "list_to_ref", {run("erlang", "ref_to_list", {reference})}), reference);
  const Term table = Names::make_table_id(pid, 77);
  EXPECT_EQ(show(run("erlang", "ref_to_list", {table})), "\"#Ref<P.12.3:t77>\"");
  EXPECT_EQ(run("erlang", "list_to_ref", {text("#Ref<P.12.3:t77>")}), table);
  EXPECT_EQ(run("erlang", "list_to_port", {run("erlang", "port_to_list", {Term::port(4)})}), Term::port(4));
  for (const char* wrong :
       {"", "<P", "P>", "<P.>", "<P.0>", "<P.01>", "<P.1>x", "<P.99999999999>", "<0.1.2>", "<P.-1>"})
    EXPECT_TRUE(run("erlang", "list_to_pid", {text(wrong)}).is_none()) << wrong;
  for (const char* wrong : {"#Ref<P>", "#Ref<P:>", "#Ref<P:x>", "#Ref<P:1", "#Ref<P:99999999999999999999>"})
    EXPECT_TRUE(run("erlang", "list_to_ref", {text(wrong)}).is_none()) << wrong;
  EXPECT_TRUE(run("erlang", "pid_to_list", {atom("a")}).is_none());
  EXPECT_TRUE(run("erlang", "list_to_pid", {heap.cons(atom("a"), Term::nil())}).is_none());
}

TEST_F(WithoutErlTest, ACompiledSpecificationRunsAndIsRecognised) {
  // [{{'$1','$2'}, [{'>','$2',1}], ['$1']}]
  const Term pattern = heap.tuple({atom("$1"), atom("$2")});
  const Term guard = heap.tuple({atom(">"), atom("$2"), Term::small(1)});
  const Term clause =
      heap.tuple({pattern, heap.cons(guard, Term::nil()), heap.cons(atom("$1"), Term::nil())});
  const Term source = heap.cons(clause, Term::nil());
  const Term compiled = run("ets", "match_spec_compile", {source});
  EXPECT_EQ(run("ets", "is_compiled_ms", {compiled}), atoms::kTrue);
  EXPECT_EQ(run("ets", "is_compiled_ms", {source}), atoms::kFalse);
  // Equal sources give equal terms: no state differs because something was compiled twice.
  EXPECT_TRUE(equal_exactly(compiled, run("ets", "match_spec_compile", {source})));
  Term rows = Term::nil();
  for (int i = 4; i > 0; --i) rows = heap.cons(heap.tuple({Term::small(10 * i), Term::small(i)}), rows);
  EXPECT_EQ(show(run("ets", "match_spec_run_r", {rows, compiled, heap.cons(atom("x"), Term::nil())})),
            "[40,30,20,x]");
  EXPECT_TRUE(run("ets", "match_spec_run_r", {rows, source, Term::nil()}).is_none());
  EXPECT_TRUE(
      run("ets", "match_spec_run_r", {heap.cons(atom("a"), atom("b")), compiled, Term::nil()}).is_none());
  EXPECT_TRUE(run("ets", "match_spec_compile", {Term::nil()}).is_none());
}

TEST_F(WithoutErlTest, ABodyKnowsWhoRunsIt) {
  const Term body = heap.cons(heap.tuple({atoms::kSelf}), Term::nil());
  const Term source = heap.cons(heap.tuple({atom("_"), Term::nil(), body}), Term::nil());
  EXPECT_EQ(show(run("erlang", "match_spec_test", {atom("a"), source, atom("table")})), "{ok,<P>,[],[]}");
}

TEST_F(WithoutErlTest, DeepSpecificationsAreRefused) {
  Term deep = atom("$1");
  for (int i = 0; i < 100'000; ++i) deep = heap.tuple({heap.tuple({deep})});
  const Term clause = heap.tuple({atom("$1"), Term::nil(), heap.cons(deep, Term::nil())});
  EXPECT_TRUE(run("ets", "match_spec_compile", {heap.cons(clause, Term::nil())}).is_none());
  Term pattern = atom("$1");
  for (int i = 0; i < 100'000; ++i) pattern = heap.tuple({pattern});
  const Term fine = heap.tuple({pattern, Term::nil(), heap.cons(atom("$1"), Term::nil())});
  const Term compiled = run("ets", "match_spec_compile", {heap.cons(fine, Term::nil())});
  ASSERT_FALSE(compiled.is_none());
}

TEST_F(WithoutErlTest, ErrorKeepsItsArgumentsAndInformation) {
  const Term arguments = heap.cons(Term::small(1), Term::nil());
  const Term info = map_from_pairs(heap, names, std::vector<Term>{atom("cause"), atom("why")});
  const Term options = heap.cons(heap.tuple({atoms::kErrorInfo, info}), Term::nil());
  EXPECT_TRUE(run("erlang", "error", {atom("a"), arguments, options}).is_none());
  EXPECT_EQ(exception().reason, atom("a"));
  EXPECT_EQ(exception().arguments, arguments);
  EXPECT_EQ(exception().error_info, info);
  EXPECT_FALSE(exception().has_error_info);
  run("erlang", "error", {atom("a"), arguments, heap.cons(atom("b"), options)});
  EXPECT_TRUE(exception().error_info.is_none());
}

TEST_F(WithoutErlTest, RaiseCompletesAndCutsTheStackTrace) {
  const Term short_entry = heap.tuple({atom("m"), atom("f"), Term::small(1)});
  Term trace = Term::nil();
  for (int i = 0; i < 20; ++i) trace = heap.cons(short_entry, trace);
  EXPECT_TRUE(run("erlang", "raise", {atoms::kThrow, atom("a"), trace}).is_none());
  EXPECT_EQ(exception().error_class, ErrorClass::kThrow);
  EXPECT_EQ(list_length(exception().stack_trace), 8U);
  EXPECT_EQ(show(exception().stack_trace.head()), "{m,f,1,[]}");
  const Term whole = heap.cons(heap.tuple({atom("m"), atom("f"), Term::small(1), Term::nil()}), Term::nil());
  run("erlang", "raise", {atoms::kError, atom("a"), whole});
  EXPECT_EQ(exception().stack_trace, whole);
  EXPECT_EQ(run("erlang", "raise", {atoms::kError, atom("a"), atom("b")}), atoms::kBadarg);
}

TEST_F(WithoutErlTest, SetelementNeverSharesItsResult) {
  const Term tuple = heap.tuple({atom("a")});
  const Term copy = run("erlang", "setelement", {Term::small(1), tuple, atom("a")});
  EXPECT_NE(copy, tuple);
  EXPECT_TRUE(equal_exactly(copy, tuple));
}

}  // namespace
}  // namespace ravel::erlang
