"""Foreign functions and types of programs in P: libraries in C++, what they get and give, and what is wrong with them."""

import os
import pathlib
import subprocess
import unittest

from support import RAVEL, CommandTest

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "p" / "foreign"
COMPILER = os.environ.get("CXX", "c++")

# Every type of P there and back; what comes back has to be equal.
ECHO_P = """\
enum Colour { Red = 3, Green = 7 }
type tPile;
type tPair = (left: int, right: seq[(a: string, b: (bool, float))]);
event eTold: int;
fun Bool(x: bool): bool;
fun Int(x: int): int;
fun Float(x: float): float;
fun String(x: string): string;
fun Enum(x: Colour): Colour;
fun Seq(x: seq[int]): seq[int];
fun Set(x: set[string]): set[string];
fun Map(x: map[int, set[int]]): map[int, set[int]];
fun Tuple(x: (int, string)): (int, string);
fun One(x: (int)): (int);
fun Named(x: tPair): tPair;
fun Any(x: any): any;
fun Which(x: event): event;
fun Who(x: machine): machine;
fun Self(x: Main): Main;
fun Named2(x: (who: Main, what: event)): string;
fun Pile(x: seq[any]): tPile;
fun Parts(x: tPile): seq[any];
fun Nothing();
fun Told(): event;
fun MaybeWho(x: machine): bool;
machine Main {
  start state S {
    entry {
      var ints: seq[int]; var words: set[string]; var map1: map[int, set[int]]; var pair: tPair; var anys: seq[any];
      var piles: map[tPile, int]; var pileSet: set[tPile]; var nobody: machine; var none: event; var big: int; var some: any;
      assert Bool(true) && !Bool(false);
      assert Int(0) == 0 && Int(-5) == -5;
      big = 2147483647; big = big * big * 2;
      assert Int(big) == big && Int(-big) == -big;
      assert Float(0.5) == 0.5 && Float(-3.0) == -3.0;
      assert String("") == "" && String("a b") == "a b";
      assert Enum(Green) == Green && Enum(default(Colour)) == Red;
      assert Seq(ints) == ints;
      while (sizeof(ints) < 100) { ints += (0, sizeof(ints)); }
      assert Seq(ints) == ints && sizeof(Seq(ints)) == 100;
      words += ("x"); words += ("y"); words += ("");
      assert Set(words) == words;
      map1[3] = default(set[int]); map1[-1] = default(set[int]); map1[-1] += (6);
      assert Map(map1) == map1;
      assert Tuple((1, "t")) == (1, "t");
      assert One((4,)) == (4,);
      pair.left = 2; pair.right += (0, (a = "in", b = (true, 1.5)));
      assert Named(pair) == pair;
      assert Any(pair) == pair && Any(null) == null && Any(this) == this && Any(eTold) == eTold && Any(1.5) == 1.5;
      assert Any(ints) == ints && Any(map1) == map1;
      assert Which(eTold) == eTold && Which(none) == none && Told() == eTold;
      assert Who(this) == this && Who(nobody) == nobody && Self(this) == this;
      assert Named2((who = this, what = eTold)) == "Main(P) eTold";
      assert MaybeWho(this) && !MaybeWho(nobody);
      anys += (0, this); anys += (0, map1); anys += (0, 3);
      assert Parts(Pile(anys)) == anys;
      assert Pile(anys) == Pile(anys) && Pile(anys) != Pile(default(seq[any]));
      assert some as tPile == default(tPile) && Any(default(tPile)) == null;
      piles[Pile(anys)] = 1; piles[Pile(default(seq[any]))] = 2; piles[default(tPile)] = 3;
      assert sizeof(piles) == 3 && piles[Pile(anys)] == 1 && piles[default(tPile)] == 3;
      pileSet += (Pile(anys)); pileSet += (Pile(anys));
      assert sizeof(pileSet) == 1 && Any(pileSet) == pileSet;
      assert Any(Pile(anys)) as tPile == Pile(anys);
      Nothing();
      assert false, format("{0} {1}", Pile(default(seq[any])), Pile(anys));
    }
  }
}
"""

ECHO_CC = """\
#include <ravel/p_foreign.h>
using ravel::p::Value;
enum class Colour : unsigned char { kRed = 3, kGreen = 7 };
struct Inner { std::string a; std::pair<bool, double> b; RAVEL_P_FIELDS(a, b) };
struct Pair { int left; std::vector<Inner> right; RAVEL_P_FIELDS(left, right) };
struct Seen { ravel::p::Machine who; ravel::p::Event what; RAVEL_P_FIELDS(who, what) };
struct Heap { std::vector<Value> parts; RAVEL_P_TYPE(tPile, parts) };
bool Bool(bool x) { return x; }
int64_t Int(int64_t x) { return x; }
float Float(double x) { return static_cast<float>(x); }
std::string String(const std::string& x) { return x; }
Colour Enum(Colour x) { return x; }
std::vector<short> Seq(std::vector<short> x) { return x; }
std::set<std::string> Set(const std::set<std::string>& x) { return x; }
std::map<int, std::set<int64_t>> Map(const std::map<int, std::set<int64_t>>& x) { return x; }
std::tuple<int, std::string> Tuple(const std::tuple<int, std::string>& x) { return x; }
std::tuple<int> One(std::tuple<int> x) { return x; }
Pair Named(const Pair& x) { return x; }
Value Any(Value x) { return x; }
std::optional<ravel::p::Event> Which(std::optional<ravel::p::Event> x) { return x; }
std::optional<ravel::p::Machine> Who(std::optional<ravel::p::Machine> x) { return x; }
ravel::p::Machine Self(ravel::p::Machine x) { return x; }
std::string Named2(const Seen& x) { return x.who.name() + " " + x.what.name(); }
Heap Pile(std::vector<Value> x) { return {x}; }
std::vector<Value> Parts(const Heap& x) { return x.parts; }
void Nothing() { ravel::p::log("nothing"); }
ravel::p::Event Told() { return ravel::p::Event("eTold"); }
bool MaybeWho(const std::optional<ravel::p::Machine>& x) { return x.has_value(); }
""" + "".join(f"RAVEL_P_FUNCTION({name})\n" for name in
              ["Bool", "Int", "Float", "String", "Enum", "Seq", "Set", "Map", "Tuple", "One", "Named", "Any", "Which", "Who", "Self",
               "Named2", "Pile", "Parts", "Nothing", "Told", "MaybeWho"])

# Two machines add to a bag in any order, and a third one looks at the end. PUSH and SIZE are foreign, or not.
BAG_P = """\
event eAdd: int;
DECLARED
machine Main {
  var bag: tBag;
  start state S {
    entry { var i: int; while (i < 3) { i = i + 1; new Adder((this, i)); } }
    on eAdd do (n: int) { bag = Push(bag, n); assert Size(bag) < 4; }
  }
}
machine Adder { start state S { entry (p: (Main, int)) { send p.0, eAdd, p.1; send p.0, eAdd, Pick(p.1); } ignore eAdd; } }
"""
BAG_IN_P = """\
type tBag = map[int, int];
fun Push(bag: tBag, n: int): tBag { if (n in bag) bag[n] = bag[n] + 1; else bag[n] = 1; return bag; }
fun Size(bag: tBag): int { return sizeof(bag); }
fun Pick(n: int): int { return n + choose(2) - choose(2); }
"""
BAG_FOREIGN = """\
type tBag;
fun Push(bag: tBag, n: int): tBag;
fun Size(bag: tBag): int;
fun Pick(n: int): int;
"""
BAG_CC = """\
#include <ravel/p_foreign.h>
struct Bag { std::map<int64_t, int64_t> counts; RAVEL_P_TYPE(tBag, counts) };
Bag Push(std::optional<Bag> bag, int64_t n) {
  Bag made = bag.value_or(Bag());
  ++made.counts[n];
  return made;
}
size_t Size(const Bag& bag) { return bag.counts.size(); }
int64_t Pick(int64_t n) {
  const int64_t more = ravel::p::choose(2);
  ravel::p::log("more " + std::to_string(more));
  return n + more - ravel::p::choose(2);
}
RAVEL_P_FUNCTION(Push)
RAVEL_P_FUNCTION(Size)
RAVEL_P_FUNCTION(Pick)
"""

# One function, called by a machine.
CALL_P = """\
type tKept;
fun F(x: int): int;
fun Keep(x: int): tKept;
fun Kept(x: tKept): int;
machine Main {
  var kept: tKept;
  start state S { entry {
    STATEMENT } }
}
"""
CALL_CC = """\
#include <ravel/p_foreign.h>
#include <cstdlib>
struct Kept { int64_t x; RAVEL_P_TYPE(tKept, x) };
namespace mine {
int64_t F([[maybe_unused]] int64_t x) { BODY }
Kept Keep(int64_t x) { return {x}; }
int64_t Kept(const ::Kept& kept) { return kept.x; }
RAVEL_P_FUNCTION(F)
RAVEL_P_FUNCTION(Keep)
RAVEL_P_FUNCTION(Kept)
}
"""


class ForeignTest(CommandTest):
    def compile(self, name, text, *flags):
        """A library NAME.so of this text."""
        self.write(f"{name}.cc", text)
        made = subprocess.run([COMPILER, "-std=c++17", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}", *flags,
                               f"{name}.cc", "-o", f"{name}.so"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)

    def call(self, statement, body="return x;"):
        self.write("t.p", CALL_P.replace("STATEMENT", statement))
        self.compile("t", CALL_CC.replace("BODY", body))

    def test_the_example(self):
        text = (EXAMPLE / "queue.cc").read_text()
        self.compile("queue", text)
        self.write("jobs.p", (EXAMPLE / "jobs.p").read_text())
        said = self.expect(1, "check", "jobs.p", "--foreign", "queue.so", "--json", "results.json").stdout
        self.assertEqual([(test["test"], test["verdict"]) for test in self.results()["tests"]],
                         [("tcUrgentFirst", "pass"), ("tcUrgentFirstOfAll", "bug")])
        self.assertRegex(said, r"<urgency:\d, name:[a-z ]+, > runs, and waiting are \[.+, .+\]")
        [ticket] = self.tickets()
        self.assertIn("runs, and waiting are", self.expect(1, "replay", ticket).stdout)
        self.expect(1, "replay", ticket, "queue.so")
        self.expect(0, "races", ticket)
        self.assertNotIn("changed", self.expect(1, "replay", ticket).stdout)
        self.compile("queue", text + "\nint more() { return 1; }\n")
        self.assertIn("queue.so", self.expect(1, "replay", ticket).stdout)

    def test_what_the_guide_shows(self):
        page = (ROOT / "docs" / "guide" / "from-p.md").read_text()
        self.write("pile.p", page[page.index("type tPile;"):].split("```")[0])
        self.compile("pile", page[page.index("#include <ravel/p_foreign.h>"):].split("```")[0])
        self.expect(0, "check", "pile.p", "--foreign", "./pile.so")

    def test_values_of_each_type(self):
        self.compile("echo", ECHO_CC)
        self.write("echo.p", ECHO_P)
        said = self.expect(1, "check", "echo.p", "--foreign", "./echo.so", "--trace-json", "trace.json").stdout
        self.assertIn("\n  tPile<(),> tPile<(3, (<-1->(<6>)>, <3->()>), Main(P)),>\n", said)
        self.assertIn("nothing", (self.folder / "trace.json").read_text())

    def test_a_class_that_says_itself_what_it_is_made_of(self):
        self.write("tree.p", """\
type tTree;
fun Leaf(x: int): tTree;
fun Node(a: tTree, b: tTree): tTree;
fun Sum(t: tTree): int;
machine Main {
  var all: set[tTree];
  start state S { entry {
    var t: tTree;
    t = Node(Leaf(1), Node(Leaf(20), Leaf(300)));
    assert Sum(t) == 321;
    all += (t); all += (Node(Leaf(1), Node(Leaf(20), Leaf(300)))); all += (Leaf(1));
    assert sizeof(all) == 2;
    assert false, format("{0}", t);
  } }
}
""")
        self.compile("tree", """\
#include <ravel/p_foreign.h>
#include <memory>
struct Tree {
  int64_t x = 0;
  std::shared_ptr<Tree> a, b;
  std::string show() const { return a ? "{" + a->show() + " " + b->show() + "}" : std::to_string(x); }
};
std::string print(const Tree& t) { return t.a ? "(" + print(*t.a) + print(*t.b) : std::to_string(t.x) + ";"; }
Tree parse(const std::string& text, size_t& at) {
  Tree t;
  if (text[at] == '(') {
    ++at;
    t.a = std::make_shared<Tree>(parse(text, at));
    t.b = std::make_shared<Tree>(parse(text, at));
  } else {
    t.x = std::stoll(text.substr(at));
    at = text.find(';', at) + 1;
  }
  return t;
}
template <>
struct ravel::p::Convert<Tree> : ravel::p::Foreign<Tree> {
  static const char* name() { return "tTree"; }
  static Tree from(Value value) {
    size_t at = 0;
    return parse(content<std::string>(value), at);
  }
  static Value to(const Tree& tree) { return made(print(tree)); }
};
Tree Leaf(int64_t x) { return {x, nullptr, nullptr}; }
Tree Node(const Tree& a, const Tree& b) { return {0, std::make_shared<Tree>(a), std::make_shared<Tree>(b)}; }
int64_t Sum(const Tree& t) { return t.a ? Sum(*t.a) + Sum(*t.b) : t.x; }
RAVEL_P_FUNCTION(Leaf)
RAVEL_P_FUNCTION(Node)
RAVEL_P_FUNCTION(Sum)
""")
        self.assertIn("\n  {1 {20 300}}\n", self.expect(1, "check", "tree.p", "--foreign", "tree.so").stdout)

    def test_a_library_in_c(self):
        page = (ROOT / "include" / "ravel" / "p_foreign_abi.h").read_text()
        shown = page[page.index(" *   #include"):page.index(" * Nothing has to be linked")]
        self.write("twice.c", "\n".join(line[5:] for line in shown.splitlines()))
        subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", f"-I{ROOT / 'include'}", "twice.c", "-o", "twice.so"],
                       cwd=self.folder, check=True)
        self.write("twice.p", "fun Twice(x: int): int;\nmachine Main { start state S { entry { assert Twice(21) == 42; } } }\n")
        self.expect(0, "check", "twice.p", "--foreign", "twice.so")

    def test_states_and_executions_are_those_of_the_same_in_p(self):
        self.compile("bag", BAG_CC)
        self.write("foreign.p", BAG_P.replace("DECLARED", BAG_FOREIGN))
        self.write("pure.p", BAG_P.replace("DECLARED", BAG_IN_P))
        found = {}
        for name, options in [("pure.p", []), ("foreign.p", ["--foreign", "bag.so"])]:
            self.expect(1, "check", name, *options, "-k", "--strategy", "states", "--json", "results.json")
            states = self.results()
            self.expect(1, "check", name, *options, "-k", "--strategy", "random", "--budget", "500x", "--json", "results.json")
            found[name] = (states["states"], states["transitions"], self.results()["events"])
        self.assertEqual(found["pure.p"], found["foreign.p"])

    def test_choices_of_a_function_are_replayed(self):
        self.call("assert F(1) != 5, \"five\";", "ravel::p::log(\"asked\"); const int64_t a = ravel::p::choose(3); return a * 10 + ravel::p::choose(x + 5);")
        said = self.expect(1, "check", "t.p", "--foreign", "t.so").stdout
        self.assertIn("five", said)
        self.assertIn("t.p:8", said)
        [ticket] = self.tickets()
        self.assertIn("five", self.expect(1, "replay", ticket).stdout)
        self.call("F(1);", "const int64_t a = ravel::p::choose(3); return a * 10 + ravel::p::choose(x + 5);")
        self.expect(0, "check", "t.p", "--foreign", "t.so", "--strategy", "dfs", "--json", "results.json")
        self.assertEqual(self.results()["executions"], 18)

    def test_choices_among_too_few_or_many(self):
        self.call("F(-3);", "return ravel::p::choose(x);")
        self.assertIn("`choose` from nothing", self.expect(1, "check", "t.p", "--foreign", "t.so").stdout)
        self.call("F(20000);", "return ravel::p::choose(x);")
        self.assertIn("`choose` among 20000 values", self.expect(1, "check", "t.p", "--foreign", "t.so").stdout)
        self.call("assert F(0) == 0;", "return ravel::p::choose(x);")
        self.expect(0, "check", "t.p", "--foreign", "t.so")

    def test_failures_are_bugs_at_the_place_of_the_call(self):
        for body, kind, message in [
            ("ravel::p::fail(\"no \" + std::to_string(x));", "assertion", "no 4"),
            ("throw std::out_of_range(\"far away\");", "foreign_exception", "the foreign function `F` throws std::out_of_range: far away"),
            ("throw 3;", "foreign_exception", "the foreign function `F` throws something that is no std::exception"),
            ("try { ravel::p::fail(\"caught\"); } catch (...) { } return x;", "assertion", "caught"),
            ("return ravel::p::value(x).as<bool>();", "foreign_exception", "a bool was expected, and this is 4"),
        ]:
            self.call("F(4);", body)
            said = self.expect(1, "check", "t.p", "--foreign", "t.so", "--out", kind, "--json", "results.json").stdout
            self.assertIn(message, said)
            self.assertIn("at t.p:8", said)
            self.assertEqual(self.results()["bugs"][0]["kind"], kind)

    def test_texts_that_are_no_utf8_are_told(self):
        self.call("F(4);", "ravel::p::fail(\"\\xff\\xfe, then\");")
        run = subprocess.run([RAVEL, "check", "t.p", "--foreign", "t.so", "--json", "results.json", "--junit", "results.xml"],
                             cwd=self.folder, capture_output=True, env=self.environment({}), timeout=300)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn(b", then", run.stdout)
        self.assertIn(", then", self.results()["bugs"][0]["message"])
        [ticket] = self.tickets()
        self.assertEqual(subprocess.run([RAVEL, "replay", ticket], cwd=self.folder, capture_output=True, env=self.environment({}), timeout=300).returncode, 1)

    def test_a_foreign_value_that_was_never_set_is_null(self):
        self.call("Kept(kept);")
        self.assertIn("a tKept was expected, and this is null", self.expect(1, "check", "t.p", "--foreign", "t.so").stdout)
        self.call("kept = Keep(7); assert Kept(kept) == 7; assert kept == Keep(7) && kept != default(tKept);")
        self.expect(0, "check", "t.p", "--foreign", "t.so")
        self.call("var x: any; x = 3; kept = x as tKept;")
        self.assertIn("the value is not of type `tKept`", self.expect(1, "check", "t.p", "--foreign", "t.so").stdout)

    def test_functions_that_remember_or_roll_dice_are_refused(self):
        for body in ["static int64_t calls = 0; return x + calls++;", "return x + std::rand();",
                     "static bool b = false; b = !b; if (b) ravel::p::fail(\"odd\"); return x;",
                     "static bool b = false; b = !b; if (b) ravel::p::log(\"odd\"); return x;",
                     "static int n = 1; return ravel::p::choose(++n);"]:
            self.call("F(4);", body)
            refused = self.expect(4, "check", "t.p", "--foreign", "t.so")
            self.assertIn("t.p:8", refused.stderr)
            self.assertIn("the foreign function `F` was called twice with the same arguments, and ", refused.stderr)
            self.assertIn("only its arguments and choose() may decide", refused.stderr)

    def test_specs_and_explorers_call_functions(self):
        self.write("t.p", """\
event eTold: int;
type tKept;
fun F(x: int): int;
fun Keep(x: int): tKept;
fun Kept(x: tKept): int;
machine Main { start state S { entry { announce eTold, 1; announce eTold, 2; } } }
spec Grows observes eTold {
  var last: tKept;
  start state S { entry { last = Keep(0); } on eTold do (n: int) { assert F(n) > Kept(last), "shrinks"; last = Keep(F(n)); } }
}
test t [main = Main]: assert Grows in { Main };
""")
        self.compile("t", CALL_CC.replace("BODY", "return x;"))
        self.expect(0, "check", "t.p", "--foreign", "t.so")
        self.compile("t", CALL_CC.replace("BODY", "return -x;"))
        self.assertIn("shrinks", self.expect(1, "check", "t.p", "--foreign", "t.so").stdout)
        self.compile("t", CALL_CC.replace("BODY", "return ravel::p::choose(x + 1);"))
        self.assertIn("the foreign function `F` makes a choice, and a spec only watches", self.expect(4, "check", "t.p", "--foreign", "t.so").stderr)
        self.write("e.p", """\
event eExplorerEnabled: (who: machine, by: machine); event eExplorerBlocked: machine; event eExplorerDelay: machine;
fun With(order: seq[machine], who: machine): seq[machine];
fun ToTail(order: seq[machine], who: machine): seq[machine];
spec Mine observes eExplorerEnabled, eExplorerBlocked, eExplorerDelay {
  var order: seq[machine];
  start state Running {
    on eExplorerEnabled do (e: (who: machine, by: machine)) { order = With(order, e.who); }
    on eExplorerBlocked, eExplorerDelay do (who: machine) { order = ToTail(order, who); }
  }
}
event eGo;
machine Main { start state S { entry { send new Other(), eGo; send new Other(), eGo; } } }
machine Other { start state S { on eGo do { } } }
test t [main = Main]: { Main, Other };
""")
        self.compile("e", """\
#include <ravel/p_foreign.h>
#include <algorithm>
using ravel::p::Machine;
std::vector<Machine> With(std::vector<Machine> order, Machine who) {
  if (std::find(order.begin(), order.end(), who) == order.end()) order.push_back(who);
  return order;
}
std::vector<Machine> ToTail(std::vector<Machine> order, Machine who) {
  order.erase(std::remove(order.begin(), order.end(), who), order.end());
  order.push_back(who);
  return order;
}
RAVEL_P_FUNCTION(With)
RAVEL_P_FUNCTION(ToTail)
""")
        said = self.expect(0, "check", "e.p", "--foreign", "e.so", "--strategy", "ses", "--explorer", "Mine")
        self.assertNotIn("warning", said.stdout + said.stderr)

    def test_functions_of_machines_and_several_libraries(self):
        self.write("t.p", """\
fun F(x: (a: int)): (a: int);
machine Main {
  fun F2(x: (b: string)): (b: string);
  start state S { entry { assert F((a = 1,)) == (a = 2,); assert F2((b = "x",)) == (b = "xx",); } }
}
""")
        # Both have a struct of the same name.
        self.compile("one", "#include <ravel/p_foreign.h>\nstruct X { int64_t a; RAVEL_P_FIELDS(a) };\nX F(X x) { return {x.a + 1}; }\nRAVEL_P_FUNCTION(F)\n")
        self.compile("two", "#include <ravel/p_foreign.h>\nstruct X { std::string b; RAVEL_P_FIELDS(b) };\n"
                            "struct Main { static X F2(const X& x) { return {x.b + x.b}; } };\nRAVEL_P_FUNCTION(Main::F2)\n", "-fvisibility=hidden")
        self.expect(0, "check", "t.p", "--foreign", "one.so", "--foreign", "two.so")
        self.refused("check", "t.p", "--foreign", "one.so", "--foreign", "two.so", "--foreign", "./one.so",
                     says="the function F is there twice: one.so has it, too. Leave one out.")
        missing = self.expect(2, "check", "t.p", "--foreign", "one.so").stderr
        self.assertIn("a foreign function is written in another language, and no library has them: Main::F2 (t.p:3:", missing)
        self.assertIn("RAVEL_P_FUNCTION(Main::F2)", missing)

    def test_missing_functions_are_told_as_code_to_write(self):
        self.write("echo.p", ECHO_P)
        for command in ["check", "trace", "races"]:
            said = self.expect(2, command, "echo.p").stderr
            self.assertIn("foreign functions are written in another language, and no library is named that has them: Bool (echo.p:5:", said)
            self.assertIn("std::map<int64_t, std::set<int64_t>> Map(const std::map<int64_t, std::set<int64_t>>& x);\nRAVEL_P_FUNCTION(Map)\n", said)
        self.write("skeleton.cc", said[said.index("#include"):])
        made = subprocess.run([COMPILER, "-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}", "-c", "skeleton.cc"],
                              cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(self.expect(0, "tests", "echo.p").stdout.split(), ["DefaultImpl", "an", "implementation"])
        self.compile("bag", BAG_CC)
        said = self.expect(2, "tests", "echo.p", "--foreign", "bag.so").stderr
        self.assertIn("no library has them", said)
        self.assertIn("The libraries have others, which the program does not declare: Push, Size, Pick.", said)

    def test_only_tests_that_call_a_function_need_it(self):
        self.write("t.p", """\
fun Far(x: int): int;
machine Main { start state S { } }
machine Needs { start state S { entry { near(); } } fun near() { Far(1); } }
test tcNear [main = Main]: { Main };
test tcFar [main = Needs]: { Needs };
""")
        self.expect(0, "check", "t.p", "-t", "tcNear")
        self.assertIn("Far (t.p:1:5)", self.expect(2, "check", "t.p").stderr)

    def test_libraries_that_are_none(self):
        self.write("t.p", "machine Main { start state S { } }\n")
        self.refused("check", "t.p", "--foreign", "no.so", says="--foreign no.so: there is no such file.")
        self.write("text.so", "text")
        self.refused("check", "t.p", "--foreign", "text.so", says="--foreign text.so: this is no library that can be loaded (")
        self.compile("empty", "int nothing() { return 1; }\n")
        self.refused("check", "t.p", "--foreign", "empty.so", says="--foreign empty.so: this library has no foreign functions for P: it has no function ravel_p_foreign_library()")
        self.compile("old", "#include <ravel/p_foreign_abi.h>\nextern \"C\" const ravel_p_foreign* ravel_p_foreign_library(void) {\n"
                            "  static const ravel_p_foreign all = {99, nullptr, 0, nullptr, 0};\n  return &all;\n}\n")
        self.refused("check", "t.p", "--foreign", "old.so", says="--foreign old.so: this library is of version 99, and this ravel takes version 1.")
        self.write("race.erl", "-module(race).\n")
        self.refused("check", "race.erl", "--foreign", "old.so", says="--foreign")

    def test_signatures_that_do_not_fit(self):
        self.write("t.p", "fun F(x: int, y: seq[bool]): string;\nmachine Main { start state S { entry { F(1, default(seq[bool])); } } }\n")
        for declared, signature in [("std::string F(int64_t, std::vector<int64_t>)", "(int, seq[int]): string"), ("std::string F(int64_t)", "(int): string"),
                                    ("void F(int64_t, std::vector<bool>)", "(int, seq[bool])"), ("bool F(int64_t, ravel::p::Value)", "(int, ?): bool")]:
            self.compile("t", f"#include <ravel/p_foreign.h>\n{declared} {{ throw 1; }}\nRAVEL_P_FUNCTION(F)\n")
            self.refused("check", "t.p", "--foreign", "t.so",
                         says=f"--foreign t.so: the function F is {signature} in P's words, and t.p:1:5 declares (int, seq[bool]): string. Change one of the two.")
        for declared in ["std::string F(int64_t, ravel::p::Value)", "ravel::p::Value F(unsigned, const std::vector<bool>&)"]:
            self.compile("t", f"#include <ravel/p_foreign.h>\n{declared} {{ return {'std::string()' if declared[0] == 's' else 'ravel::p::value(std::string())'}; }}\nRAVEL_P_FUNCTION(F)\n")
            self.expect(0, "check", "t.p", "--foreign", "t.so")
        self.compile("t", "#include <ravel/p_foreign.h>\nravel::p::Value F(int64_t x, ravel::p::Value) { return ravel::p::value(x); }\nRAVEL_P_FUNCTION(F)\n")
        self.assertIn("t.p:2: the foreign function `F` returns 1, which is no value of type `string`", self.expect(4, "check", "t.p", "--foreign", "t.so").stderr)

    def test_a_search_goes_on_with_its_library(self):
        self.compile("queue", (EXAMPLE / "queue.cc").read_text())
        self.write("jobs.p", (EXAMPLE / "jobs.p").read_text())
        check = ["check", "jobs.p", "-t", "tcUrgentFirst", "--foreign", "queue.so", "--strategy", "dpor", "--json", "results.json"]
        self.expect(0, *check)
        whole = self.results()["executions"]
        self.expect(3, *check, "--budget", "3x")
        [file] = self.searches()
        self.expect(0, "check", "--resume", file, "--json", "results.json")
        self.assertEqual(self.results()["executions"], whole)
        self.expect(3, *check, "--budget", "3x", "--out", "again")
        [file] = self.searches("again")
        self.compile("queue", (EXAMPLE / "queue.cc").read_text() + "\nint more() { return 1; }\n")
        self.refused("check", "--resume", file, says="the program has changed since (queue.so)")


if __name__ == "__main__":
    unittest.main()
