"""Programs of C and C++ that hold several tests: listing them, choosing some, a verdict for each."""

import pathlib
import subprocess
import unittest

import support

PROGRAMS = pathlib.Path(__file__).parents[1] / "threads" / "programs"
BUILD = pathlib.Path(support.RAVEL).parent


class ThreadsTestsTest(support.CommandTest):
    def build(self, source, name, *options, wrapper="ravel-c++"):
        subprocess.run([BUILD / wrapper, source, "-o", self.folder / name, *options], check=True)

    def test_marked_tests_are_listed_and_checked_one_by_one(self):
        self.build(PROGRAMS / "marked_tests.cc", "marked")
        names = ["loses_an_update", "holds_the_lock", "finds_nothing_of_others", "ends_the_program", "two_locks", "throws_in_a_thread"]
        self.assertEqual(self.expect(0, "tests", "./marked").stdout.split(), names)
        run = self.expect(1, "check", "./marked", "--json", "results.json", "--junit", "results.xml")
        results = self.results()
        self.assertEqual(results["verdict"], "bug")
        verdicts = {test["test"]: test["verdict"] for test in results["tests"]}
        self.assertEqual(list(verdicts), names)
        self.assertEqual(verdicts["holds_the_lock"], "pass")
        self.assertEqual(verdicts["loses_an_update"], "bug")
        self.assertIn("6 tests: 2 pass, 4 have bugs.", run.stdout)
        tickets = [bug["ticket"] for test in results["tests"] for bug in test["bugs"]]
        self.assertEqual(len(set(tickets)), 4)
        for ticket in tickets:
            self.assertIn("still", self.expect(1, "replay", ticket).stdout)
        self.assertIn('name="two_locks"', (self.folder / "results.xml").read_text())

    def test_several_tests_are_chosen(self):
        self.build(PROGRAMS / "marked_tests.cc", "marked")
        run = self.expect(0, "check", "./marked", "-t", "finds_nothing_of_others", "-t", "holds_the_lock", "-t", "holds_the_lock")
        self.assertIn("2 tests: 2 pass.", run.stdout)
        self.refused("check", "./marked", "-t", "missing", says="'ravel tests ./marked' lists them")

    def test_by_itself_such_a_program_runs_each_test_once(self):
        self.build(PROGRAMS / "marked_tests.cc", "marked")
        alone = subprocess.run(["./marked", "holds_the_lock", "finds_nothing_of_others"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((alone.returncode, alone.stdout), (0, "holds_the_lock\nfinds_nothing_of_others\n"))
        alone = subprocess.run(["./marked", "ends_the_program"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(alone.returncode, 3)

    def test_without_ravel_the_header_brings_a_main_that_runs_all(self):
        self.write("one.c", '#include <ravel/test.h>\n#include <stdlib.h>\nstatic int n;\n'
                            'RAVEL_TEST(first) { if (n++ > 0) abort(); }\nRAVEL_TEST(second) { if (n++ > 0) abort(); }\n')
        self.write("two.cc", '#include <ravel/test.h>\n#include <cstdlib>\nRAVEL_TEST(third) { std::abort(); }\n')
        include = f"-I{BUILD}/include"
        strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", include, "-c"]
        subprocess.run(["gcc", "one.c", *strict], cwd=self.folder, check=True)
        subprocess.run(["g++", "two.cc", *strict], cwd=self.folder, check=True)
        subprocess.run(["g++", "one.o", "two.o", "-o", "native"], cwd=self.folder, check=True)
        run = subprocess.run(["./native"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stdout.splitlines(), ["first", "second", "third", "two.cc:3: third failed: signal 6"])
        self.assertEqual(subprocess.run(["./native", "second"], cwd=self.folder, capture_output=True).returncode, 0)
        self.assertEqual(subprocess.run(["./native", "fourth"], cwd=self.folder, capture_output=True).returncode, 2)

    def test_two_tests_of_one_name_are_an_error(self):
        text = '#include <ravel/test.h>\nRAVEL_TEST(same) {}\n'
        self.write("one.cc", text)
        self.write("two.cc", text)
        subprocess.run([BUILD / "ravel-c++", "one.cc", "two.cc", "-o", "same"], cwd=self.folder, check=True)
        self.refused("tests", "./same", says=["two.cc:2: there is another test 'same' at one.cc:2"])

    def test_a_program_without_tests_is_one(self):
        self.write("plain.cc", "int main() {}\n")
        self.build(self.folder / "plain.cc", "plain")
        self.assertEqual(self.expect(0, "tests", "./plain").stdout, "main\n")
        self.expect(0, "check", "./plain", "-t", "main")
        self.refused("check", "./plain", "-t", "other", says="run from its main()")
        for option in (["--delivery", "channels"], ["--normal", "x"], ["-D", "X"], ["--step-limit", "7"]):
            self.refused("check", "./plain", *option, says=[option[0], "for programs of Erlang"])

    def test_google_tests_are_listed_and_checked_one_by_one(self):
        self.build(PROGRAMS / "google_test.cc", "google", "-lgtest", "-lgtest_main")
        listed = self.expect(0, "tests", "./google").stdout.splitlines()
        self.assertEqual(listed[0], "Counter.LosesAnUpdate")
        self.assertIn("Counter.DISABLED_Fails  disabled", listed)
        self.assertIn("Numbers/Parameters.AreSmall/1  GetParam() = 4", listed)
        run = self.expect(1, "check", "./google", "--json", "results.json", "-t", "Counter")
        tests = {test["test"]: test for test in self.results()["tests"]}
        self.assertEqual(list(tests), ["Counter." + name for name in ["LosesAnUpdate", "HoldsTheLock", "FailsInAThread", "Throws", "Exits"]])
        bug = tests["Counter.LosesAnUpdate"]["bugs"][0]
        self.assertEqual(bug["message"], "Expected equality of these values: counter, 2")
        self.assertEqual((pathlib.Path(bug["file"]).name, bug["line"]), ("google_test.cc", 34))
        self.assertIn("one for each thread", run.stdout)
        self.assertEqual(tests["Counter.FailsInAThread"]["bugs"][0]["actor"], "P.1")

    def test_a_death_test_is_refused_where_it_stands(self):
        self.build(PROGRAMS / "google_test.cc", "google", "-lgtest", "-lgtest_main")
        run = self.expect(4, "check", "./google", "-t", "Death.Forks")
        self.assertRegex(run.stderr, r"google_test\.cc:\d+: fork: .*death tests")

    def test_an_interrupted_search_goes_on_to_the_same_end(self):
        self.write("many.cc", """
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>
std::atomic<int> sum;
int last;
int main(int argc, char**) {
  std::vector<std::thread> threads;
  for (int i = 1; i <= 3; ++i) threads.emplace_back([i] { sum += i; last = i; sum.load(); last = 0; });
  for (std::thread& thread : threads) thread.join();
  if (argc > 2 && last == 1) std::abort();
  return 0;
}
""")
        self.build(self.folder / "many.cc", "many")
        for options in [["--preemptions", "2"], ["--delays", "2"], ["--preemptions", "1", "--isolate"]]:
            with self.subTest(options=options):
                self.expect(0, "check", "./many", *options, "--json", "whole.json")
                whole = self.results("whole.json")
                budget = whole["executions"] // 4
                run = self.expect(3, "check", "./many", *options, "--budget", f"{budget}x")
                file = run.stdout.split()[-1]
                for _ in range(2):
                    self.expect(3, "check", "--resume", file, "--budget", f"{budget}x")
                self.expect(0, "check", "--resume", file, "--json", "resumed.json")
                resumed = self.results("resumed.json")
                for key in ["executions", "events_max", "bound_completed", "verdict", "redundant"]:
                    self.assertEqual(resumed[key], whole[key], key)
        for options in [[], ["--isolate"]]:
            run = self.expect(3, "check", "./many", *options, "--preemptions", "2", "--budget", "1M")
            self.assertIn("The budget of memory ended the search", run.stdout)
        run = self.expect(3, "check", "./many", "--budget", "2x", "--", "its", "arguments")
        file = run.stdout.split()[-1]
        self.build(self.folder / "many.cc", "many", "-DCHANGED=1", "-O0")
        self.refused("check", "--resume", file, says="the program has changed since")

    def test_a_search_in_turns_goes_on_where_both_were(self):
        self.build(PROGRAMS / "in_turns.cc", "turns")
        run = self.expect(3, "check", "./turns", "-t", "both_are_long", "--budget", "8000x", "--json", "first.json")
        first = self.results("first.json")
        self.assertGreater(first["in_turns"], 0)
        file = run.stdout.split()[-1]
        self.expect(3, "check", "--resume", file, "--budget", "8000x", "--json", "second.json")
        second = self.results("second.json")
        self.assertEqual(second["executions"] + second["in_turns"], 2 * (first["executions"] + first["in_turns"]))
        self.assertGreater(second["in_turns"], first["in_turns"])
        run = self.expect(3, "check", "./turns", "-t", "each_on_its_own", "--budget", "1000x")
        self.expect(0, "check", "--resume", run.stdout.split()[-1], "--json", "end.json")
        end = self.results("end.json")
        self.assertEqual(end["executions"], 1)
        self.assertGreater(end["in_turns"], 1000)

    def test_the_executions_of_each_test_are_drawn(self):
        self.build(PROGRAMS / "marked_tests.cc", "marked")
        self.expect(1, "check", "./marked", "-t", "loses_an_update", "-t", "holds_the_lock", "--graph", "tree.dot")
        drawn = (self.folder / "tree.dot").read_text()
        self.assertEqual(drawn.count("subgraph"), 2)
        self.assertIn("loses_an_update", drawn)
        self.assertIn("balance", drawn)  # a racy word is an operation in the drawing, too
        self.assertIn("locks mutex", drawn)

    def test_sampling_and_found_bugs_go_on_too(self):
        self.build(PROGRAMS / "marked_tests.cc", "marked")
        run = self.expect(1, "check", "./marked", "-t", "loses_an_update", "-k", "--strategy", "random", "--budget", "0.1s")
        file = run.stdout.split()[-1]
        resumed = self.expect(1, "check", "--resume", file, "--budget", "0.1s", "--json", "resumed.json")
        self.assertIn("Bug 1: assertion", resumed.stdout)
        self.assertEqual(len(self.results("resumed.json")["bugs"]), 1)

    def test_variable_and_thread_bounding_goes_on_where_it_was(self):
        self.build(PROGRAMS / "marked_tests.cc", "marked")
        options = ["--strategy", "vt", "--preemptions", "2", "--json"]
        self.expect(1, "check", "./marked", "-t", "loses_an_update", *options, "whole.json")
        run = self.expect(3, "check", "./marked", "-t", "loses_an_update", "--budget", "2x", *options, "part.json")
        self.expect(1, "check", "--resume", run.stdout.split()[-1], "--json", "resumed.json")
        whole, resumed = self.results("whole.json"), self.results("resumed.json")
        for count in ["executions", "redundant", "abandoned"]:
            self.assertEqual(whole[count], resumed[count])

    def test_variables_of_the_heap_keep_their_names_when_a_search_goes_on(self):
        self.build(PROGRAMS / "loop_iterations.cc", "list")
        for isolate in [], ["--isolate"]:
            options = ["-t", "last_node", "--strategy", "vt", "--iterations", "11", *isolate, "--json"]
            self.expect(1, "check", "./list", *options, "whole.json")
            run = self.expect(3, "check", "./list", "--budget", "60x", *options, "part.json")
            part = self.results("part.json")["stage_completed"]
            self.assertEqual([part[key] for key in ["priority_changes", "variables", "threads"]], [1, 1, 2])
            self.assertIn(f"it got through 1 preemption at 1 variable of iterations up to {part['iterations']} in orders of 2 threads", run.stdout)
            self.expect(1, "check", "--resume", run.stdout.split()[-1], "--json", "resumed.json")
            whole, resumed = self.results("whole.json"), self.results("resumed.json")
            for count in ["executions", "redundant", "abandoned", "stage_completed"]:
                self.assertEqual(whole[count], resumed[count])
            for results in whole, resumed:
                bug = results["bugs"][0]
                self.assertEqual(bug["iterations"], 11)
                variable = bug["preempted_at"][0]
                self.assertEqual(variable["number"], 12)
                self.assertEqual(variable["file"].split("/")[-1], "loop_iterations.cc")


if __name__ == "__main__":
    unittest.main()
