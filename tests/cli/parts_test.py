"""One test searched by several processes: the same results as by one, whoever is killed on the way."""

import os
import re
import signal
import subprocess
import time
import unittest

import support

# Three processes take from a pool and give back, four events each: 207,900 traces. Three that read first, and a
# bug in some traces. A process that ends as it should not. Three that count, and one execution in thousands that
# loses too much; two that do, of which all schedules can be run; two for which the test does not wait for ever.
POOL = """\
-module(pool).
-export([takes/0, fails/0, starts/0, counts/0, few/0, waits/0]).
takes() -> all(fun() -> take(2) end).
all(F) ->
    ets:new(pool, [public, named_table]), ets:insert(pool, {free, 3}),
    Me = self(),
    [spawn_link(fun() -> F(), Me ! d end) || _ <- lists:seq(1, 3)],
    [receive d -> ok end || _ <- lists:seq(1, 3)], ok.
take(0) -> ok;
take(K) -> ets:update_counter(pool, free, -1), ets:update_counter(pool, free, 1), take(K - 1).
fails() -> all(fun() -> [{free, N}] = ets:lookup(pool, free), ets:insert(pool, {free, N - 1}), left(N) end).
left(N) -> case ets:lookup(pool, free) of [{free, 0}] -> exit({none_left, N}); _ -> ok end, ets:update_counter(pool, free, 1).
starts() -> Me = self(), spawn(fun() -> timer:start(), Me ! on end), spawn(fun() -> Me ! off end),
    [receive X -> X end || X <- [on, off]], all(fun() -> take(1) end).
counts() -> all(fun() -> count(3) end), [{free, N}] = ets:lookup(pool, free), true = N > 5.
few() -> ets:new(pool, [public, named_table]), ets:insert(pool, {free, 3}), Me = self(),
    [spawn_link(fun() -> count(2), Me ! d end) || _ <- [1, 2]], [receive d -> ok end || _ <- [1, 2]],
    [{free, N}] = ets:lookup(pool, free), true = N > 5.
waits() -> ets:new(pool, [public, named_table]), ets:insert(pool, {free, 3}), Me = self(),
    [spawn(fun() -> count(2), Me ! d end) || _ <- [1, 2]], [receive d -> ok after 100 -> exit(late) end || _ <- [1, 2]], ok.
count(0) -> ok;
count(K) -> [{free, N}] = ets:lookup(pool, free), ets:insert(pool, {free, N + 1}), count(K - 1).
"""
TRACES = 207900


class PartsTest(support.CommandTest):
    def setUp(self):
        super().setUp()
        self.write("pool.erl", POOL)

    def begin(self, *arguments):
        environment = {**os.environ, "RAVEL_CHECKPOINT_SECONDS": "0.3", "RAVEL_ALONE_SECONDS": "0.001"}
        return subprocess.Popen([support.RAVEL, "check", *map(str, arguments)], cwd=self.folder, env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def saved(self):
        return next((self.folder / "ravel-tickets").glob("*.search"))

    def is_saved(self):
        return any((self.folder / "ravel-tickets").glob("*.search"))

    def test_any_number_of_processes_has_the_same_results(self):
        results = {}
        for jobs in [1, 2, 3, 5]:
            folder = f"tickets{jobs}"
            process = self.begin("pool.erl", "-t", "pool:fails", "-k", "--jobs", jobs, "--json", "results.json", "--out", folder)
            process.communicate()
            self.assertEqual(process.returncode, 1)
            test = self.results()
            results[jobs] = {name: test[name] for name in ["verdict", "executions", "redundant", "abandoned", "erroneous_executions"]}
            results[jobs]["bugs"] = sorted((bug["kind"], bug["message"], bug["preemptions"], bug["executions"]) for bug in test["bugs"])
            self.assertEqual(len(list((self.folder / folder).glob("*.ticket.json"))), len(test["bugs"]))
        self.assertGreater(results[1]["executions"], 1000)
        self.assertGreater(len(results[1]["bugs"]), 1)
        for jobs in [2, 3, 5]:
            self.assertEqual(results[jobs], results[1], jobs)

    def results_of(self, jobs, *arguments, is_drawn):
        """What a search has found, all of it but for times, and the names of its tickets."""
        folder = f"tickets{jobs}"
        process = self.begin("pool.erl", *arguments, "--jobs", jobs, "--json", "results.json", "--out", folder)
        said = process.communicate()[0]
        results = self.results()
        del results["seconds"]
        if not is_drawn:
            del results["events"]  # with those that were taken again
        for bug in results["bugs"]:
            bug.pop("ticket", None)
        tickets = {path.name: path.read_bytes() for path in (self.folder / folder).glob("*.ticket.json")}
        for path in (self.folder / folder).glob("*"):
            path.unlink()
        varies = r"[0-9.]+ s\b|tickets[0-9]" + ("" if is_drawn else "|[0-9,]+ events")
        return process.returncode, results, tickets, re.sub(varies, "", said)

    def compare(self, *arguments, jobs=(2, 4), is_drawn=False):
        one = self.results_of(1, *arguments, is_drawn=is_drawn)
        for several in jobs:
            found = self.results_of(several, *arguments, is_drawn=is_drawn)
            for name, mine, other in zip(["exit status", "results", "tickets", "text"], one, found):
                self.assertEqual(mine, other, (name, several, *arguments))
        return one[1]

    def test_samples_are_those_of_one_process(self):
        for strategy in ["random", "irs", "pos", "pct", "surw"]:
            found = self.compare("-t", "pool:fails", "--strategy", strategy, "--budget", "4000x", "-k", is_drawn=True)
            self.assertEqual(found["executions"] + found["abandoned"], 4000)
            self.assertGreater(len(found["bugs"]), 0)

    def test_a_sample_ends_at_the_first_bug_of_one_process(self):
        late = 0
        for strategy in ["random", "pos", "surw"]:
            for seed in [1, 2, 3]:
                found = self.compare("-t", "pool:counts", "--strategy", strategy, "--seed", seed, "--budget", "20000x",
                                     is_drawn=True)
                late = max(late, found["executions"] if found["bugs"] else 0)
        self.assertGreater(late, 1000)

    def test_a_tree_in_parts_is_that_of_one_process(self):
        for strategy in ["dfs", "preemption"]:
            self.compare("-t", "pool:few", "--strategy", strategy, "-k")
        for strategy in ["preemption", "delay"]:
            for bound in ["0", "1", "2"]:
                self.compare("-t", "pool:counts", "--strategy", strategy, f"--{strategy}s", bound, "-k")

    def test_a_search_in_stages_is_that_of_one_process(self):
        for what in ["--time", "idle", "--early", "1"], ["--kill", "1"]:
            found = self.compare("-t", "pool:waits", *what, "--strategy", "preemption", "--preemptions", "2", "-k")
            self.assertGreater(found["executions"], 500)

    def test_an_interrupted_sample_goes_on_with_any_number_of_processes(self):
        expected = self.compare("-t", "pool:fails", "--strategy", "surw", "--budget", "60000x", "-k", jobs=())
        process = self.begin("pool.erl", "-t", "pool:fails", "--strategy", "surw", "--budget", "60000x", "-k", "--jobs", "2")
        self.wait_for_children(process, 2)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        said = process.communicate()[0]
        for jobs in [3, 1, 2]:
            if "Go on with" not in said:
                break
            # A budget of time alone would let a fast machine draw more executions than were asked for.
            budgets = ["--budget", "60000x", *(["--budget", "0.2s"] if jobs != 2 else [])]
            process = self.begin("--resume", self.saved(), "--jobs", jobs, "--json", "results.json", *budgets)
            said = process.communicate()[0]
        found = self.results()
        for name in ["executions", "erroneous_executions", "verdict", "stop"]:
            self.assertEqual(found[name], expected[name], name)

    def test_processes_of_a_tree_that_die_cost_nothing_that_was_told(self):
        expected = self.compare("-t", "pool:takes", "--strategy", "preemption", "--preemptions", "3", jobs=())
        process = self.begin("pool.erl", "-t", "pool:takes", "--strategy", "preemption", "--preemptions", "3", "--jobs", "3",
                             "--json", "results.json")
        for _ in range(3):
            children = self.wait_for_children(process, 2)
            if process.poll() is None:
                os.kill(children[-1], signal.SIGKILL)
            time.sleep(0.2)
        process.communicate()
        self.assertEqual(self.results()["executions"], expected["executions"])
        self.assertEqual(self.results()["coverage"], expected["coverage"])

    def test_a_killed_search_of_a_tree_goes_on(self):
        arguments = ["-t", "pool:takes", "--strategy", "delay", "--delays", "4"]
        expected = self.compare(*arguments, jobs=())
        process = self.begin("pool.erl", *arguments, "--jobs", "2")
        self.wait_for_children(process, 2)
        while not self.is_saved() and process.poll() is None:
            time.sleep(0.02)
        if process.poll() is None:
            process.kill()
            process.communicate()
            self.begin("--resume", self.saved(), "--jobs", "3", "--json", "results.json").communicate()
            self.assertEqual(self.results()["executions"], expected["executions"])
            self.assertEqual(self.results()["coverage"], expected["coverage"])

    def test_an_interrupted_search_goes_on_with_any_number_of_processes(self):
        process = self.begin("pool.erl", "-t", "pool:takes", "--jobs", "2")
        self.wait_for_children(process, 2)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        self.assertIn("Go on with", process.communicate()[0])
        for jobs in [3, 1]:
            process = self.begin("--resume", self.saved(), "--jobs", jobs, "--budget", "0.1s")
            self.assertIn("Go on with", process.communicate()[0])
        said = self.begin("--resume", self.saved(), "--jobs", "2").communicate()[0]
        self.assertIn(f"No bug in any of the {TRACES:,} traces.", said)

    def test_a_budget_of_executions_is_that_of_all_parts(self):
        for strategy in ["dpor", "preemption"]:
            process = self.begin("pool.erl", "-t", "pool:takes", "--strategy", strategy, "--jobs", "2", "--json", "results.json")
            self.wait_for_children(process, 2)
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            self.assertIn("Go on with", process.communicate()[0])
            for jobs in [3, 1]:
                before = self.results()["executions"]
                said = self.begin("--resume", self.saved(), "--jobs", jobs, "--budget", "200x", "--json", "results.json").communicate()[0]
                self.assertIn("Go on with", said)
                self.assertEqual((self.results()["executions"], self.results()["stop"]), (before + 200, "execution_budget"), strategy)
            self.saved().unlink()

    def test_a_process_that_dies_costs_nothing_that_was_told(self):
        process = self.begin("pool.erl", "-t", "pool:takes", "--jobs", "3")
        for _ in range(3):
            children = self.wait_for_children(process, 2)
            if process.poll() is None:
                os.kill(children[-1], signal.SIGKILL)
            time.sleep(0.4)
        said = process.communicate()[0]
        self.assertIn(f"No bug in any of the {TRACES:,} traces.", said)
        self.assertEqual(process.returncode, 0)

    def test_after_a_killed_search_no_process_is_left_and_it_goes_on(self):
        process = self.begin("pool.erl", "-t", "pool:takes", "--jobs", "2")
        children = self.wait_for_children(process, 2)
        while not self.is_saved():
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        process.kill()
        process.communicate()
        for _ in range(100):
            if not any(os.path.exists(f"/proc/{child}/exe") for child in children):
                break
            time.sleep(0.05)
        self.assertEqual([child for child in children if os.path.exists(f"/proc/{child}/exe")], [])
        said = self.begin("--resume", self.saved(), "--jobs", "2").communicate()[0]
        self.assertIn(f"No bug in any of the {TRACES:,} traces.", said)

    def test_what_a_process_finds_out_about_the_program_begins_the_search_again(self):
        said = {}
        for jobs in [1, 2]:
            process = self.begin("pool.erl", "-t", "pool:starts", "--jobs", jobs, "--json", "results.json", "--budget", "60s")
            said[jobs] = process.communicate()[0]
            results = self.results()
            said[jobs] = (process.returncode, results["verdict"], results["executions"])
        self.assertEqual(said[1], said[2])

    def test_a_number_of_executions_is_for_one_process(self):
        counts = []
        for jobs in [1, 3]:
            self.begin("pool.erl", "-t", "pool:takes", "--jobs", jobs, "--budget", "3000x", "--json", "results.json").communicate()
            counts.append((self.results()["executions"], self.results()["events"]))
        self.assertEqual(counts[0], counts[1])
        self.assertEqual(counts[0][0], 3000)


if __name__ == "__main__":
    unittest.main()
