"""States visited by several processes: the same ones as by one, whoever is killed on the way."""

import os
import random
import signal
import subprocess
import time
import unittest

import support
from jobs_support import LEARNING, LOCKER, PROGRAMS, ROOT, JobsTest, random_program_in_p

COUNTS = ["verdict", "states", "transitions", "executions", "erroneous_executions"]


class StatesJobsTest(JobsTest):
    @staticmethod
    def told(test):
        told = {name: test.get(name) for name in COUNTS}
        told["bugs"] = sorted((bug["kind"], bug["message"]) for bug in test["bugs"])
        return told

    def compare(self, *arguments, jobs=(2, 3, 8), more=()):
        """Each test of the program by one process and by several."""
        self.search(*arguments, "-k", "--fingerprints", "128")
        alone = [self.told(test) for test in self.all_results()]
        for count in jobs:
            said = self.search(*arguments, "-k", "--jobs", count, *more)
            for test, one in zip(self.all_results(), alone):
                self.assertEqual(self.told(test), one, f"{count} processes: {test['test']}\n{said}")
        return alone

    def one_by_one(self, *arguments, tests, **more):
        return [self.compare(*arguments, "-t", test, **more)[0] for test in tests]

    def test_any_number_of_processes_visits_the_same_states(self):
        for strategy in ["states", "shortest"]:
            alone = self.one_by_one(LOCKER, "--strategy", strategy, "--steps", "receives", tests=["locker:e3_test", "locker:e1s4_test"],
                                    jobs=(2, 3))
            self.assertEqual(alone[1]["states"], 130097)

    def test_bugs_are_the_same(self):
        self.write("learning.erl", LEARNING)
        for strategy in ["states", "shortest"]:
            alone = self.one_by_one("learning.erl", "--strategy", strategy, tests=["learning:fails", "learning:names"])
            self.assertGreater(len(alone[0]["bugs"]), 2)

    def test_steps_that_are_known_lead_where_they_lead_when_they_are_taken(self):
        program = ROOT / "tests/erlang_system/programs/known_steps.erl"
        for strategy in ["states", "shortest"]:
            for test in ["server", "links", "monitors", "kept_references", "children", "priority", "bug"]:
                alone = self.compare(program, "-t", f"known_steps:{test}", "--strategy", strategy, jobs=(2, 3))
                self.search(program, "-t", f"known_steps:{test}", "--strategy", strategy, "-k")
                self.assertEqual([self.told(self.results())], alone, f"{test}: states that are kept exactly")

    def test_what_is_learnt_on_the_way_makes_no_difference(self):
        self.write("learning.erl", LEARNING)
        self.one_by_one("learning.erl", "--strategy", "states", "--crashes", "all", tests=["learning:names", "learning:late"])

    def test_random_programs(self):
        chosen = random.Random(PROGRAMS)
        for programs, numbers in self.small_programs(chosen):
            for number in numbers:
                self.compare(*programs, "-t", f"small_programs:p{number}", "--strategy", "states", "--crashes", "all",
                             "--budget", "60s", jobs=(chosen.choice([2, 3]), 8) if number % 2 == 0 else (2,))

    def test_the_first_bug_has_a_shortest_schedule(self):
        self.write("learning.erl", LEARNING)
        lengths = set()
        for jobs in [1, 2, 3]:
            self.search("learning.erl", "-t", "learning:fails", "--strategy", "shortest", "--jobs", jobs)
            bugs = self.all_results()[0]["bugs"]
            self.assertEqual(len(bugs), 1)
            lengths.add(bugs[0]["events"])
            ticket = next((self.folder / "tickets").glob("*.ticket.json"))
            replayed = subprocess.run([support.RAVEL, "replay", ticket], cwd=self.folder, stdout=subprocess.PIPE, text=True)
            self.assertEqual(replayed.returncode, 1, replayed.stdout)
        self.assertEqual(len(lengths), 1)

    def test_a_process_that_dies_begins_the_search_again(self):
        process = self.begin(LOCKER, "-t", "locker:s6_test", "--strategy", "states", "--jobs", "3")
        children = self.wait_for_children(process, 2)
        time.sleep(0.5)
        os.kill(children[-1], signal.SIGKILL)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=30)[0]
        self.assertIn("a process of the search came to an end (signal 9), and the search has begun anew", said)
        self.assertEqual(process.returncode, 3)
        process = self.begin(LOCKER, "-t", "locker:e2s3_test", "--strategy", "states", "--steps", "receives", "--jobs", "2")
        children = self.wait_for_children(process, 2)
        if process.poll() is None:
            os.kill(children[0], signal.SIGKILL)
        self.assertIn("75,797 states", process.communicate()[0])
        self.assertEqual(process.returncode, 0)

    def test_a_process_that_always_dies_is_told(self):
        process = self.begin(LOCKER, "-t", "locker:s6_test", "--strategy", "states", "--jobs", "2")
        # One more time than the search begins anew; what runs when it ends, as to look for leaks, is let alone.
        for _ in range(4):
            children = self.wait_for_children(process, 2)
            os.kill(children[-1], signal.SIGKILL)
            while set(support.children(process.pid, "ravel")) & set(children):
                time.sleep(0.02)
        said = process.communicate(timeout=30)[0]
        self.assertIn("it was given up", said)
        self.assertEqual(process.returncode, 3)

    def test_no_process_is_left_after_the_first_one_was_killed(self):
        process = self.begin(LOCKER, "-t", "locker:s6_test", "--strategy", "states", "--jobs", "3")
        children = self.wait_for_children(process, 2)
        process.kill()
        process.communicate()
        for _ in range(100):
            if not any(os.path.exists(f"/proc/{child}/exe") for child in children):
                break
            time.sleep(0.05)
        self.assertEqual([child for child in children if os.path.exists(f"/proc/{child}/exe")], [])

    def test_an_interrupted_search_tells_what_it_has_visited(self):
        process = self.begin(LOCKER, "-t", "locker:s6_test", "--strategy", "states", "--jobs", "2", "--json", "results.json")
        self.wait_for_children(process, 2)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        said = process.communicate()[0]
        self.assertIn("Go on with: ravel check --resume", said)
        test = self.all_results()[0]
        self.assertEqual(test["stop"], "interrupted")
        self.assertGreater(test["states"], 1000)
        self.assertGreater(test["transitions"], test["states"])

    def test_budgets_end_it(self):
        said = self.search(LOCKER, "-t", "locker:s6_test", "--strategy", "states", "--jobs", "2", "--budget", "1s")
        self.assertEqual(self.all_results()[0]["stop"], "time_budget", said)
        said = self.search(LOCKER, "-t", "locker:s6_test", "--strategy", "states", "--jobs", "2", "--budget", "300M", "--budget", "60s")
        self.assertEqual(self.all_results()[0]["stop"], "memory_budget", said)

    def test_the_result_says_that_hashes_were_kept(self):
        said = self.search(LOCKER, "-t", "locker:e3_test", "--steps", "receives", "--strategy", "states", "--jobs", "2")
        self.assertIn("the chance that a state was left out", said)
        self.assertEqual(self.all_results()[0]["hashed"]["hash_bits"], 128)

    def test_what_only_one_process_can_do_is_told(self):
        for options, what in [(["--strategy", "states", "--reduced"], "--reduced"), (["--strategy", "ses,ss"], "--strategy ses,ss"),
                              (["--strategy", "ses", "--explorer", "preemptions", "--delays", "1"], "--explorer preemptions"),
                              (["--strategy", "states", "--fingerprints", "64"], "--fingerprints 64"),
                              (["--strategy", "states", "--bitstate", "8"], "--bitstate"),
                              (["--symmetric", "locker:serve"], "--symmetric"),
                              (["--ltl", "always true"], "--ltl")]:
            said = self.search(LOCKER, "-t", "locker:e2_test", "--steps", "receives", "--jobs", "2", *options)
            self.assertIn(f"one process visits the states, whatever --jobs says: {what} is not for several", said)

    def test_loops_that_only_look_are_found_and_told_by_one_process(self):
        self.write("learning.erl", LEARNING)
        told = []
        for jobs in [1, 2]:
            said = self.search("learning.erl", "-t", "learning:looks", "--strategy", "states", "-k", "--jobs", jobs)
            told.append(self.told(self.all_results()[0]))
            self.assertIn("livelock", [bug[0] for bug in told[-1]["bugs"]])
            self.assertNotIn("hashed", self.all_results()[0])
        self.assertIn("one process searches once more, to tell it", said)
        self.assertEqual(told[0], told[1])

    def test_programs_in_p(self):
        chosen = random.Random(7)
        for _ in range(PROGRAMS * 4):
            self.write("random.p", random_program_in_p(chosen))
            for strategy in ["states", "shortest"]:
                self.compare("random.p", "--strategy", strategy, "--ignore", "liveness", jobs=(chosen.choice([2, 3, 8]),))


if __name__ == "__main__":
    unittest.main()
