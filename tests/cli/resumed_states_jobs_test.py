"""Searches by states by several processes that are interrupted, or killed, and go on, by as many processes or by others."""

import os
import random
import signal
import subprocess
import time
import unittest

import support
from jobs_support import LEARNING, LOCKER, PROGRAMS, ROOT, JobsTest, random_program_in_p

COUNTS = ["verdict", "states", "transitions", "executions", "erroneous_executions"]
COMMIT = ROOT / "examples/p/protocols/two_phase_commit"
S5 = [LOCKER, "-t", "locker:s5_test", "--strategy"]  # 1,093,098 states


class ResumedStatesJobs(JobsTest):
    @staticmethod
    def told(test):
        told = {name: test.get(name) for name in COUNTS}
        told["bugs"] = sorted((bug["kind"], bug["message"]) for bug in test["bugs"])
        return told

    def start(self, *arguments, often="0.1", **more):
        environment = {**os.environ, "RAVEL_ALONE_SECONDS": "0.001", "RAVEL_CHECKPOINT_SECONDS": often}
        return subprocess.Popen([support.RAVEL, "check", *map(str, arguments), "--json", "results.json"], cwd=self.folder, env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True, **more)

    def one_file(self):
        files = self.searches()
        self.assertLessEqual(len(files), 1)
        return files[0] if files else None

    def alone(self, *arguments):
        self.search(*arguments, "-k", *([] if "ses" in arguments else ["--fingerprints", "128"]))
        test = self.results()
        self.longest = test["seconds"]
        return self.told(test)

    def run_once(self, arguments, file, how, seconds, jobs):
        """What ravel said, until it was stopped in this way after so many seconds, or has ended."""
        chosen = ["--resume", file] if file else arguments
        more = ["--budget", f"{seconds:.2f}s"] if how == "budget" else []
        process = self.start(*chosen, "--jobs", jobs, *more)
        if how in ["interrupt", "terminate", "kill"]:
            try:
                process.wait(0.1 + seconds)
            except subprocess.TimeoutExpired:
                if how == "kill":
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.send_signal(signal.SIGINT if how == "interrupt" else signal.SIGTERM)
        said = process.communicate(timeout=300)[0]
        self.assertIn(process.returncode, [0, 1, 3, -signal.SIGKILL], said)
        return process.returncode, said

    def go_on_again_and_again(self, chosen, *arguments, times=6, ways=("interrupt", "terminate", "budget", "kill")):
        """The search is stopped so many times, and goes on by 1, 2 or 3 processes. The counts are those of one that was not."""
        alone = self.alone(*arguments)
        history = []
        for time_left in range(times, -1, -1):
            file, jobs = self.one_file(), chosen.choice([1, 2, 3])
            jobs = jobs if file else max(jobs, 2)
            how = chosen.choice(ways) if time_left > 0 else "none"
            seconds = chosen.uniform(0.02, max(0.1, self.longest / 2))
            status, said = self.run_once([*arguments, "-k"], file, how, seconds, jobs)
            history.append(f"{how} after {seconds:.2f} s, {jobs} processes: {said}")
            if status == -signal.SIGKILL:
                continue
            test = self.results()
            if test["stop"] == "complete":
                break
            self.assertIn(test["stop"], ["interrupted", "time_budget"])
        self.assertEqual(self.told(test), alone, "\n".join(history))
        self.assertEqual(test["stop"], "complete")
        for left in self.searches():
            left.unlink()

    def wait_for_file(self, process):
        deadline = time.monotonic() + 120
        while not self.searches() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertTrue(self.searches())

    def test_states_of_an_erlang_program(self):
        chosen = random.Random(1)
        for strategy in ["states", "shortest"]:
            self.go_on_again_and_again(chosen, *S5, strategy)

    def test_bugs_and_what_is_learnt_on_the_way(self):
        self.write("learning.erl", LEARNING.replace("work(4)", "work(6)").replace("child(N, 3)", "child(N, 4)"))
        chosen = random.Random(2)
        for strategy in ["states", "shortest"]:
            for test in [["fails"], ["names", "--crashes", "all"]]:
                self.go_on_again_and_again(chosen, "learning.erl", "-t", f"learning:{test[0]}", *test[1:], "--strategy", strategy)

    def test_states_of_a_program_in_p(self):
        chosen = random.Random(3)
        self.go_on_again_and_again(chosen, COMMIT, "-t", "tcOneClientAndACrash", "--ignore", "liveness", "--strategy", "states", times=4)

    def test_strata(self):
        self.write("learning.erl", LEARNING.replace("work(4)", "work(5)"))
        chosen = random.Random(5)
        ses = ["--strategy", "ses"]
        self.go_on_again_and_again(chosen, LOCKER, "-t", "locker:e1s4_test", "--steps", "receives", *ses)
        self.go_on_again_and_again(chosen, LOCKER, "-t", "locker:s5_test", "--steps", "receives", *ses, "--explorer", "rtc", "--delays", "9")
        self.go_on_again_and_again(chosen, "learning.erl", "-t", "learning:fails", *ses)
        self.go_on_again_and_again(chosen, COMMIT, "-t", "tcOneClientAndACrash", "--ignore", "liveness", *ses, "--delays", "12", times=4)

    def test_a_bug_of_a_stratum_that_is_interrupted_stays_known(self):
        self.write("learning.erl", LEARNING.replace("work(4)", "work(9)").replace("of 7", "of 2").replace("[1, 2, 3]], ok", "[1, 2, 3, 4, 5]], ok"))
        said = self.start("learning.erl", "-t", "learning:fails", "--strategy", "ses", "-k", "--jobs", "2", "--budget", "1.5s").communicate()[0]
        bugs = {bug["message"] for bug in self.results()["bugs"]}
        self.assertGreater(len(bugs), 0, said)
        said = self.start("--resume", self.one_file(), "--jobs", "2", "--budget", "0.1s").communicate()[0]
        self.assertLessEqual(bugs, {bug["message"] for bug in self.results()["bugs"]}, said)

    def test_random_programs(self):
        chosen = random.Random(PROGRAMS)
        for _ in range(2 * PROGRAMS):
            self.write("random.p", random_program_in_p(chosen))
            self.go_on_again_and_again(chosen, "random.p", "--ignore", "liveness", "--strategy", chosen.choice(["states", "shortest", "ses"]),
                                       ways=("interrupt", "kill"))

    def test_a_loop_of_steps_that_only_look_is_found_that_began_before_the_interruption(self):
        self.write("learning.erl", LEARNING.replace("work(3)", "work(9)"))
        program = ["learning.erl", "-t", "learning:looks", "--strategy", "states", "-k"]
        self.search(*program)
        alone = self.told(self.results())
        self.assertIn("livelock", [kind for kind, _ in alone["bugs"]])
        for part in [0.3, 0.6, 0.9]:
            process = self.start(*program, "--jobs", "2", "--budget", f"{part * self.results()['seconds']:.3f}s")
            process.communicate()
            if file := self.one_file():
                process = self.start("--resume", file, "--jobs", "2")
                process.communicate()
                file.unlink(missing_ok=True)
            self.assertEqual(self.told(self.results()), alone)

    def test_killed_at_any_moment_it_was_saved(self):
        chosen = random.Random(4)
        alone = self.alone(*S5, "states")
        process = self.start(*S5, "states", "--jobs", "2")
        self.wait_for_file(process)
        time.sleep(chosen.uniform(0, self.longest / 4))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        self.run_once([], self.one_file(), "none", 0, 3)
        self.assertEqual(self.told(self.results()), alone)

    def test_a_process_that_dies_costs_what_came_since_the_search_was_saved(self):
        alone = self.alone(*S5, "states")
        process = self.start(*S5, "states", "--jobs", "2")
        self.wait_for_file(process)
        for child in support.children(process.pid, "ravel")[:1]:
            os.kill(child, signal.SIGKILL)
        said = process.communicate()[0]
        self.assertIn("a process of the search came to an end (signal 9), and the search has gone on from where it was saved last", said)
        self.assertEqual(self.told(self.results()), alone)

    def test_what_a_bug_of_a_shortest_schedule_is_does_not_depend_on_interruptions(self):
        self.write("learning.erl", LEARNING.replace("work(4)", "work(6)"))
        program = ["learning.erl", "-t", "learning:fails", "--strategy", "shortest"]
        self.search(*program)
        events = self.results()["bugs"][0]["events"]
        self.start(*program, "--jobs", "2", "--budget", "0.05s").communicate()
        while file := self.one_file():
            self.start("--resume", file, "--jobs", "2", "--budget", "0.2s").communicate()
            if self.results()["bugs"]:
                break
        self.assertEqual(self.results()["bugs"][0]["events"], events)

    def test_a_budget_of_executions_is_for_one_process(self):
        self.write("learning.erl", LEARNING.replace("work(4)", "work(6)"))
        program = ["learning.erl", "-t", "learning:fails", "--strategy", "states"]
        alone = self.alone(*program)
        self.start(*program, "-k", "--jobs", "2", "--budget", "0.2s").communicate()
        before = self.results()["executions"]
        said = self.start("--resume", self.one_file(), "--jobs", "2", "--budget", "1000x").communicate()[0]
        self.assertIn("one process visits the states, whatever --jobs says: a budget of executions is not for several", said)
        self.assertEqual(self.results()["stop"], "execution_budget", said)
        self.assertGreaterEqual(self.results()["executions"], before + 1000)
        self.run_once([], self.one_file(), "none", 0, 2)
        self.assertEqual(self.told(self.results()), alone)

    def test_a_full_disk_does_not_end_the_search(self):
        # Of some four megabytes that a position has at the end.
        alone = self.alone(*S5, "states")
        process = self.start(*S5, "states", "--jobs", "2", often="0.02", preexec_fn=support.limit_files(2_000_000))
        saved = self.last_saved(process)
        said = process.communicate()[0]
        self.assertEqual(process.returncode, 0, said)
        self.assertEqual(said.count("where the search is could not be saved"), 1, said)
        self.assertIn("File too large", said)
        self.assertEqual(self.told(self.results()), alone)
        self.start("--resume", saved, "--jobs", "2").communicate()
        self.assertEqual(self.told(self.results()), alone)

    def test_a_damaged_file_is_one_error(self):
        self.start(*S5, "states", "--jobs", "2", "--budget", "0.1s").communicate()
        file = self.one_file()
        whole = file.read_bytes()
        refused = 0
        for at in range(len(whole) // 3, len(whole), len(whole) // 8):
            file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x15]) + whole[at + 1:])
            process = self.start("--resume", file, "--jobs", "2", "--budget", "0.2s")
            said = process.communicate()[0]
            self.assertIn(process.returncode, [2, 3, 4], said)
            refused += "Begin anew" in said
        self.assertGreater(refused, 0)


if __name__ == "__main__":
    unittest.main()
