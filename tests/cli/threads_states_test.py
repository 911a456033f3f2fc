"""Searches by states of programs of C and C++: what they say and write, what they are not for, and what a program shows of itself."""

import pathlib
import re
import subprocess
import unittest

import support

BUILD = pathlib.Path(support.RAVEL).parent
SOURCES = pathlib.Path(__file__).parents[2]
PROGRAM = SOURCES / "tests" / "threads" / "programs" / "searched_by_states.cc"
STRATEGIES = ["states", "shortest"]

SHOWS = """\
#include <ravel.h>
int main(void) {
  ravel_probe("holds", 7);
  ravel_label("granted");
  ravel_progress();
  ravel_assert(ravel_choose(1) == 2, "never");
  return 0;
}
"""


class ThreadsStatesTest(support.CommandTest):
    def build(self, source, name, *options, wrapper="ravel-c++"):
        subprocess.run([BUILD / wrapper, source, "-o", self.folder / name, *options], cwd=self.folder, check=True)

    def test_both_orders_visit_the_same_states_of_a_program_without_an_end(self):
        self.build(SOURCES / "examples" / "threads" / "peterson.cc", "peterson")
        counts = []
        for strategy in STRATEGIES:
            said = self.expect(0, "check", "./peterson", "--strategy", strategy, "--json", "results.json").stdout
            results = self.results()
            self.assertRegex(said, rf"No bug in the {results['states']} states visited; the chance that a state was left out is \d+e-\d+")
            self.assertRegex(said, r"[\d,]+ steps replayed")
            self.assertGreater(results["replayed_steps"], results["transitions"])
            self.assertEqual(results["hashed"]["hash_bits"], 128)
            counts.append((results["states"], results["transitions"]))
        self.assertEqual(counts[0], counts[1])

    def test_the_first_bug_of_shortest_has_as_few_events_as_any(self):
        self.build(SOURCES / "examples" / "threads" / "peterson.cc", "peterson")
        found = self.expect(1, "check", "./peterson", "--strategy", "shortest", "--json", "results.json", "--", "wrong")
        self.assertIn("there is none with at most 9 events", found.stdout)
        ticket = self.results()["bugs"][0]["ticket"]
        self.assertIn("nobody else is inside", self.expect(1, "replay", ticket).stdout)
        self.expect(0, "trace", ticket)
        self.expect(0, "races", ticket)

    def test_a_deadlock_of_a_thread_that_waits_in_a_loop_is_replayed_with_its_output_once(self):
        self.write("waits.cc", "#include <atomic>\n#include <cstdio>\n#include <thread>\nstd::atomic<bool> flag{false};\n"
                               'int main() { puts("begins"); fflush(stdout);\n'
                               "  std::thread other([] { while (!flag) { } });\n  other.join(); }\n")
        self.build("waits.cc", "waits")
        self.expect(1, "check", "./waits", "--strategy", "states", "--json", "results.json")
        again = self.expect(1, "replay", self.results()["bugs"][0]["ticket"]).stdout
        self.assertIn("P.1 waits in a loop for a change of flag", again)
        self.assertEqual(again.count("begins"), 1, again)

    def test_what_is_not_for_it_is_refused_by_name(self):
        self.build(PROGRAM, "program")
        for options, text in [
                (["--isolate"], "--isolate is not for --strategy states: states are those of one process."),
                (["--host-files"], "--host-files is not for --strategy states: files are no part of a state."),
                (["--early", "1"], "--early is not for --strategy states: how many timeouts have fired early"),
                (["--graph", "x.dot"], "--graph is not for --strategy states: it visits states, and knows no executions."),
                (["--ltl", "always x"], "--ltl is for programs of Erlang and Elixir and programs in P"),
                (["--property", "at_most_one(x)"], "--property is for programs of Erlang and Elixir"),
                (["--steps", "receives"], "--steps receives is for programs of Erlang and Elixir"),
                (["--kill", "1"], "--kill is for programs of Erlang and Elixir"),
                (["--preemptions", "1"], "--preemptions is for --strategy")]:
            with self.subTest(options=options):
                self.assertIn(text, self.expect(2, "check", "./program", "-t", "spin_lock", "--strategy", "states", *options).stderr)

    def test_what_is_outside_of_memory_is_refused_with_its_place(self):
        self.build(PROGRAM, "program")
        for test, text in [("writes_a_file", "which is no memory of it and so no part of its states"),
                           ("maps", "the program changes what memory it has, by mmap()"),
                           ("allocates_much", "the program allocates more than 64 MB in one execution")]:
            with self.subTest(test=test):
                said = self.expect(4, "check", "./program", "-t", test, "--strategy", "states")
                self.assertIn(text, said.stdout + said.stderr)
                self.assertRegex(said.stdout + said.stderr, r"searched_by_states\.cc:\d+")

    def test_probes_and_labels_are_told(self):
        self.write("shows.c", SHOWS)
        self.build("shows.c", "shows", wrapper="ravel-cc")
        for strategy in ["dpor", "states"]:
            found = self.expect(1, "check", "./shows", "--strategy", strategy, "--json", "results.json").stdout
            self.assertRegex(found, r"(?s)P  shows holds = 7 .*P  passes the label granted .*P  passes the label progress ")
            self.assertIn("shows holds = 7", self.expect(1, "replay", self.results()["bugs"][0]["ticket"]).stdout)
        self.assertIn("go on for ever without ravel_progress() were not looked for", found)

    def test_without_ravel_they_do_nothing(self):
        self.write("shows.c", SHOWS.replace("== 2", "== 1"))
        built = subprocess.run(["gcc", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", f"-I{BUILD}/include", "shows.c", "-o", "native"],
                               cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(built.returncode, 0, built.stderr)
        done = subprocess.run(["./native"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_commuting_probes_make_no_further_traces(self):
        self.write("two.cc", "#include <ravel.h>\n#include <thread>\n"
                             'int main() { std::thread a([] { ravel_probe("x", 1); }), b([] { ravel_label("y"); }); a.join(); b.join(); }\n')
        self.build("two.cc", "two")
        said = self.expect(0, "check", "./two", "--strategy", "dpor").stdout
        self.assertTrue(re.search(r"only trace|in any of the 1 trace|the only", said), said)


if __name__ == "__main__":
    unittest.main()
