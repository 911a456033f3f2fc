"""States of programs of C and C++ visited by several processes: those of one, whoever is killed or interrupted on the way."""

import os
import pathlib
import re
import signal
import subprocess
import time
import unittest

import support

BUILD = pathlib.Path(support.RAVEL).parent
PROGRAMS = pathlib.Path(__file__).resolve().parents[1] / "threads" / "programs"
COUNTS = ["verdict", "states", "transitions", "executions", "erroneous_executions", "coverage"]

# Three threads count as often as the argument says, and may lose too much.
COUNT = """\
#include <ravel.h>
#include <atomic>
#include <cstdlib>
#include <thread>
std::atomic<int> shared{0};
int rounds = 0;
void count() {
  for (int i = 0; i < rounds; ++i) shared.store(shared.load() + 1);
}
int main(int, char** arguments) {
  rounds = std::atoi(arguments[1]);
  std::thread one(count), two(count), three(count);
  one.join(), two.join(), three.join();
  ravel_assert(shared > 2 && shared != 4, "too much is lost");
}
"""


class ThreadsStatesJobs(support.CommandTest):
    def build(self, source, name):
        subprocess.run([BUILD / "ravel-c++", "-std=c++20", "-O1", source, "-o", self.folder / name], cwd=self.folder, check=True)

    def begin(self, *arguments, alone="0.00001"):
        environment = {**os.environ, "RAVEL_CHECKPOINT_SECONDS": "0.3", "RAVEL_ALONE_SECONDS": alone}
        return subprocess.Popen([support.RAVEL, "check", "--json", "results.json", *map(str, arguments)], cwd=self.folder, env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def told(self, *arguments, **more):
        """What a search has come to, but for times."""
        said = self.begin(*arguments, **more).communicate(timeout=250)[0]
        return self.told_of(self.results(), said), said

    def told_of(self, test, said):
        told = {name: test.get(name) for name in COUNTS}
        told["bugs"] = sorted((bug["kind"], bug["message"], bug["executions"]) for bug in test.get("bugs", []))
        told["refused"] = "is not" in said and test["verdict"] == "unsupported"
        told["warnings"] = sorted(test.get("warnings") or [])
        return told

    def copies_of(self, process):
        """Processes that visit states, when there are two of them."""
        while process.poll() is None:
            for program in support.children(process.pid):
                copies = support.children(program)
                if len(copies) >= 2:
                    return copies
            time.sleep(0.005)
        self.fail("the search has ended by itself")

    def test_all_kinds_of_programs(self):
        self.build(PROGRAMS / "searched_by_states.cc", "program")
        names = self.expect(0, "tests", "./program").stdout.split()
        states = set()
        for name in names:
            for strategy, jobs, *more in ["states", 2], ["states", 3, "--races", "bug"], ["shortest", 2], ["ses", 3], ["ses", 2, "--explorer", "rr"]:
                search = ["./program", "-t", name, "--strategy", strategy, "-k", *more]
                one, _ = self.told(*search, "--jobs", 1)
                several, said = self.told(*search, "--jobs", jobs)
                self.assertEqual(several, one, (name, strategy, jobs, said))
                states.add(one["states"])
        self.assertGreater(len(states), 10)

    def test_states_and_bugs_of_a_larger_program(self):
        self.build(self.write("count.cc", COUNT), "count")
        for strategy in ["states", "shortest", "ses"]:
            search = ["./count", "--strategy", strategy, "-k"]
            one, _ = self.told(*search, "--jobs", 1, "--", 3)
            self.assertGreater(one["states"], 10_000)
            self.assertEqual(len(one["bugs"]), 1)
            for jobs in 2, 4:
                several, said = self.told(*search, "--jobs", jobs, "--", 3)
                self.assertEqual(several, one, (strategy, jobs, said))
                for bug in self.results()["bugs"]:
                    self.expect(1, "replay", bug["ticket"])

    def test_the_first_bug_is_a_shortest_one(self):
        self.build(self.write("count.cc", COUNT), "count")
        lengths = set()
        for jobs in 1, 2, 3:
            self.told("./count", "--strategy", "shortest", "--jobs", jobs, "--", 3)
            lengths.add(self.results()["bugs"][0]["events"])
        self.assertEqual(len(lengths), 1)

    def test_an_interrupted_search_goes_on_with_any_number_of_processes(self):
        self.build(self.write("count.cc", COUNT), "count")
        for strategy in ["states", "shortest", "ses"]:
            search = ["./count", "--strategy", strategy, "-k"]
            one, _ = self.told(*search, "--jobs", 1, "--", 4)
            process = self.begin(*search, "--jobs", 2, "--", 4)
            self.copies_of(process)
            process.send_signal(signal.SIGINT)
            said = process.communicate()[0]
            for jobs in 3, 1:
                saved = re.search(r"Go on with: ravel check --resume (\S+)", said)
                self.assertIsNotNone(saved, said)
                budget = ["--budget", "0.5s"] if jobs == 3 else []
                process = self.begin("--resume", saved[1], "--jobs", jobs, *budget)
                said = process.communicate()[0]
                if "Go on with" not in said:
                    break
            self.assertEqual(self.told_of(self.results(), said), one, said)

    def test_a_process_that_is_killed_costs_nothing_that_counts(self):
        self.build(self.write("count.cc", COUNT), "count")
        for strategy in ["states", "ses"]:
            search = ["./count", "--strategy", strategy, "-k"]
            one, _ = self.told(*search, "--jobs", 1, "--", 4)
            process = self.begin(*search, "--jobs", 3, "--", 4)
            os.kill(self.copies_of(process)[-1], signal.SIGKILL)
            said = process.communicate()[0]
            found = self.told_of(self.results(), said)
            self.assertRegex(" ".join(found.pop("warnings")), r"came to an end \(signal 9\), and the search has (begun anew|gone on)")
            del one["warnings"]
            self.assertEqual(found, one, said)

    def test_budgets_end_it(self):
        self.build(self.write("count.cc", COUNT), "count")
        self.told("./count", "--strategy", "states", "-k", "--jobs", 2, "--budget", "1s", "--", 8)
        self.assertEqual(self.results()["stop"], "time_budget")
        self.told("./count", "--strategy", "states", "-k", "--jobs", 2, "--budget", "250M", "--budget", "100s", "--", 8)
        self.assertEqual(self.results()["stop"], "memory_budget")

    def test_what_is_for_one_process_says_why(self):
        self.build(self.write("count.cc", COUNT), "count")
        for strategy, options, why in [
            ["states", ["--bitstate", 16], "--bitstate is not for several"],
            ["states", ["--fingerprints", 64], "--fingerprints 64 is not for several"],
            ["ses", ["--explorer", "preemptions"], "--explorer preemptions is not for several"],
            ["ses,ss", [], "--strategy ses,ss is not for several"],
        ]:
            _, said = self.told("./count", "--strategy", strategy, *options, "-k", "--jobs", 2, "--budget", "1.5s", "--", 8)
            self.assertIn("one process has searched count, since " + why, said)


if __name__ == "__main__":
    unittest.main()
