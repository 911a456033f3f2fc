"""Searches that are interrupted and resumed, drawn, and told how to search by the module itself."""

import os
import signal
import subprocess
import time
import unittest
from random import Random

from support import ENDLESS, RACE, RAVEL, CommandTest

# 12 readers and writers of neighbouring keys: 15,360 traces, which take a moment.
LAST_ZERO = """
-module(last_zero).
-export([test/0]).

test() ->
    Table = ets:new(table, [public]),
    [ets:insert(Table, {X, 0}) || X <- lists:seq(0, 12)],
    spawn(fun() -> reader(12, Table) end),
    [spawn(fun() -> writer(X, Table) end) || X <- lists:seq(1, 12)],
    receive never -> ok end.

reader(0, _) -> ok;
reader(N, Table) ->
    case ets:lookup(Table, N) of
        [{N, 0}] -> ok;
        _ -> reader(N - 1, Table)
    end.

writer(X, Table) ->
    [{_, V}] = ets:lookup(Table, X - 1),
    ets:insert(Table, {X, V + 1}).
"""
LAST_ZERO_TRACES = 15360

BITS = (1 << 64) - 1


def mix(x):
    x = (x + 0x9E3779B97F4A7C15) & BITS
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & BITS
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & BITS
    return x ^ (x >> 31)


def hash_of(content):
    """As base/hash.h has it."""
    def combine(seed, value):
        return mix((((seed << 23) | (seed >> 41)) & BITS) ^ mix(value))

    value = combine(0, len(content))
    for at in range(0, len(content), 8):
        value = combine(value, int.from_bytes(content[at : at + 8], "little"))
    return value


class Resume(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("last_zero.erl", LAST_ZERO)
        self.write("race.erl", RACE)

    def search_file(self):
        (file,) = (self.folder / "ravel-tickets").glob("interrupted.*.search")
        return str(file.relative_to(self.folder))

    def test_a_search_that_a_budget_ended_goes_on_to_the_same_end(self):
        command = ["check", "last_zero.erl", "-t", "last_zero:test", "--ignore", "deadlock", "--json", "results.json"]
        run = self.expect(3, *command, "--budget", "5000x")
        self.assertIn(f"Go on with: ravel check --resume {self.search_file()}", run.stdout)
        self.assertGreater(self.results()["executions_estimate"], 5000)
        run = self.expect(3, "check", "--resume", self.search_file(), "--budget", "5000x", "--json", "results.json")
        self.assertEqual(self.results()["executions"], 10000)
        run = self.expect(0, "check", "--resume", self.search_file(), "--json", "results.json")
        self.assertIn(f"No bug in any of the {LAST_ZERO_TRACES:,} traces.", run.stdout)
        results = self.results()
        self.assertEqual((results["executions"], results["redundant"], results["abandoned"]), (LAST_ZERO_TRACES, 0, 0))
        self.assertIsNone(results["executions_estimate"])

    def test_a_search_that_needs_too_much_memory_ends_with_what_it_has(self):
        command = ["check", "last_zero.erl", "-t", "last_zero:test", "--ignore", "deadlock", "--json", "results.json"]
        run = self.expect(3, *command, "--budget", "1.5M")
        self.assertIn("The budget of memory ended the search", run.stdout)
        self.assertEqual(self.results()["stop"], "memory_budget")
        run = self.expect(0, "check", "--resume", self.search_file(), "--budget", "8G", "--json", "results.json")
        self.assertEqual((self.results()["executions"], self.results()["redundant"]), (LAST_ZERO_TRACES, 0))

    def test_ctrl_c_leaves_the_results_and_a_file_to_go_on_from(self):
        self.write("endless.erl", ENDLESS)
        command = [RAVEL, "check", "endless.erl", "race.erl", "--jobs", "1", "--json", "results.json", "-t", "race:both_test",
                   "-t", "endless:pass_test", "-t", "race:fine_test"]
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   env=self.environment(None), text=True)
        # The first test has a bug, the second does not end.
        deadline = time.monotonic() + 60
        while not self.tickets_now() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 1, text)
        self.assertIn("Interrupted: 1 more test not run.", text)
        first, second = self.results()["tests"]
        self.assertEqual([first["verdict"], second["verdict"], second["stop"]], ["bug", "incomplete", "interrupted"])
        file = self.search_file()
        run = self.expect(1, "check", "--resume", file, "--budget", "200x", "--json", "results.json")
        tests = self.results()["tests"]
        self.assertEqual([test["verdict"] for test in tests], ["bug", "incomplete", "pass"])
        self.assertEqual(tests[0]["bugs"], first["bugs"])
        self.assertEqual(tests[1]["executions"], second["executions"] + 200)

    def test_kill_9_leaves_a_file_to_go_on_from(self):
        self.write("endless.erl", ENDLESS)
        command = [RAVEL, "check", "race.erl", "endless.erl", "-t", "race:both_test", "-t", "endless:pass_test"]
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=self.environment(None))
        deadline = time.monotonic() + 120
        while not list((self.folder / "ravel-tickets").glob("*.search")) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.kill()
        process.wait(timeout=60)
        self.expect(1, "check", "--resume", self.search_file(), "--budget", "1x", "--json", "results.json")
        first, second = self.results()["tests"]
        self.assertEqual([first["verdict"], second["verdict"]], ["bug", "incomplete"])
        kept = second["executions"] - 1
        self.assertGreater(kept, 1000)
        self.expect(1, "check", "--resume", self.search_file(), "--budget", "200x", "--json", "results.json")
        self.assertEqual(self.results()["tests"][1]["executions"], kept + 201)
        self.assertEqual(list((self.folder / "ravel-tickets").glob("*.part")), [])

    def tickets_now(self):
        return list((self.folder / "ravel-tickets").glob("*.ticket.json"))

    def test_bugs_that_were_found_before_are_kept(self):
        command = ["check", "race.erl", "-t", "race:both_test", "-k", "--strategy", "dfs", "--json", "results.json"]
        self.expect(1, *command)
        whole = self.results()
        self.expect(1, *command, "--budget", "2x")
        for _ in range(100):
            run = self.ravel("check", "--resume", self.search_file(), "--budget", "1x", "--json", "results.json")
            self.assertEqual(run.returncode, 1, run.stderr)
            if self.results()["stop"] == "complete":
                break
        resumed = self.results()
        for key in ["executions", "erroneous_executions", "bugs"]:
            self.assertEqual(resumed[key], whole[key])

    def test_what_cannot_be_resumed_is_refused(self):
        self.expect(3, "check", "last_zero.erl", "-t", "last_zero:test", "--ignore", "deadlock", "--budget", "50x")
        file = self.search_file()
        self.refused("check", "--resume", "nowhere.search", says="nowhere.search")
        self.refused("check", "--resume", "last_zero.erl", says="not the file of an interrupted search")
        self.refused("check", "--resume", file, "last_zero.erl", says="leave out FILE")
        self.refused("check", "--resume", file, "--strategy", "dfs", says="leave out --strategy")
        content = (self.folder / file).read_bytes()
        (self.folder / file).write_bytes(content[:-3] + b"xyz")
        self.refused("check", "--resume", file, says="damaged")
        (self.folder / file).write_bytes(content)
        self.write("last_zero.erl", LAST_ZERO.replace("V + 1", "V + 2"))
        self.refused("check", "--resume", file, says=["the program has changed", "last_zero"])

    def test_a_file_that_is_damaged_inside_is_refused_or_leads_to_a_search(self):
        """Also if the hash in the file is that of what was damaged."""
        self.expect(1, "check", "last_zero.erl", "race.erl", "-t", "last_zero:test", "-t", "race:both_test", "-k", "--budget", "9x")
        file = self.folder / self.search_file()
        title, _, content = file.read_bytes().split(b"\n", 2)
        random = Random(7)
        refused = 0
        for number in range(200):
            damaged = bytearray(content)
            for _ in range(random.randrange(1, 4)):
                place = random.randrange(len(damaged))
                kind = random.randrange(4)
                if kind == 0:
                    damaged[place] ^= 1 << random.randrange(8)
                elif kind == 1:
                    damaged[place] = random.randrange(8)
                elif kind == 2:
                    del damaged[place : place + random.randrange(1, 5)]
                else:
                    del damaged[len(damaged) - random.randrange(len(damaged)) :]
                if not damaged:
                    damaged = bytearray(b"x")
            file.write_bytes(b"%s\n%016x\n%s" % (title, hash_of(bytes(damaged)), bytes(damaged)))
            run = self.ravel("check", "--resume", str(file), "--budget", "50x", "--out", "again", "-q")
            self.assertIn(run.returncode, (0, 1, 2, 3), (number, run.stdout, run.stderr))
            if run.returncode == 2:
                refused += 1
                self.assertTrue(run.stderr.startswith("ravel: "), (number, run.stderr))
                self.assertEqual(run.stderr.count("\n"), 1, (number, run.stderr))
        self.assertGreater(refused, 100)


class Graph(CommandTest):
    def test_the_tree_has_a_leaf_for_each_execution(self):
        self.write("race.erl", RACE)
        self.expect(1, "check", "race.erl", "-t", "race:both_test", "-k", "--graph", "tree.dot", "--json", "results.json")
        dot = (self.folder / "tree.dot").read_text()
        self.assertTrue(dot.startswith("digraph search {") and dot.endswith("}\n"))
        results = self.results()
        self.assertEqual(dot.count("shape=box"), results["executions"] + results["redundant"] + results["abandoned"])
        self.assertIn("P.1: sends 1 to P", dot)
        self.assertEqual(dot.count("lightpink"), results["erroneous_executions"])
        self.refused("check", "race.erl", "--graph", "no/such/folder/tree.dot", says="--graph")

    def test_the_steps_of_a_prefix_are_drawn_as_well(self):
        self.write("race.erl", RACE)
        self.expect(0, "trace", "race.erl", "-t", "race:both_test", "--out", "trace.json")
        for strategy in ["dfs", "random", "dpor"]:
            self.ravel("check", "--trace", "trace.json", "-k", "--strategy", strategy, "--budget", "20x", "--graph", "tree.dot")
            dot = (self.folder / "tree.dot").read_text()
            self.assertIn("P.1: sends 1 to P", dot, strategy)
            self.assertNotIn('label=": "', dot, strategy)

    def test_the_search_that_is_drawn_is_the_one_without_a_drawing(self):
        """Also behind bugs, where executions go on."""
        self.write("behind.erl", """
-module(behind).
-export([test/0]).
test() ->
    Table = ets:new(table, [public]),
    [spawn(fun() -> ets:insert(Table, {key, N}), exit(N) end) || N <- [1, 2, 3]],
    ok.
""")
        keys = ["executions", "erroneous_executions", "events_max", "redundant", "abandoned"]
        for strategy in ["dpor", "variants", "dfs"]:
            command = ["check", "behind.erl", "-t", "behind:test", "-k", "--strategy", strategy, "--json", "results.json"]
            self.expect(1, *command)
            alone = self.results()
            self.expect(1, *command, "--graph", "tree.dot")
            drawn = self.results()
            self.assertEqual({key: drawn[key] for key in keys}, {key: alone[key] for key in keys}, strategy)
            self.assertEqual([bug["message"] for bug in drawn["bugs"]], [bug["message"] for bug in alone["bugs"]])


class Delays(CommandTest):
    def test_a_bound_on_delays_says_what_it_has_covered(self):
        self.write("race.erl", RACE)
        run = self.expect(0, "check", "race.erl", "-t", "race:fine_test", "--delays", "1", "--json", "results.json")
        self.assertIn("with at most 1 delay", run.stdout)
        self.assertEqual(self.results()["bound_completed"], 1)
        run = self.expect(1, "check", "race.erl", "-t", "race:lost_test", "--strategy", "delay")
        self.assertIn("there is none without a delay", run.stdout)


class ModuleOptions(CommandTest):
    PROGRAM = """
-module(carries).
-export([fails/0, waits/0]).
ATTRIBUTES
fails() -> spawn(fun() -> exit(shutdown) end), exit(die).
waits() -> receive never -> ok end.
"""

    def check(self, status, attributes, test, *arguments):
        self.write("carries.erl", self.PROGRAM.replace("ATTRIBUTES", attributes))
        return self.expect(status, "check", "carries.erl", "-t", f"carries:{test}", "--json", "results.json", *arguments)

    def test_options_in_a_module_are_defaults(self):
        self.check(1, "", "fails", "-k")
        self.assertEqual(len(self.results()["bugs"]), 2)
        self.check(1, "-ravel_options([keep_going, {normal, shutdown}]).", "fails")
        self.assertEqual(len(self.results()["bugs"]), 1)
        self.check(0, "-ravel_options([{normal, shutdown}]).", "fails", "--normal", "die")
        self.check(0, "-ravel_options([{strategy, dfs}]).\\n-ravel_options([{ignore, deadlock}]).".replace("\\n", "\n"), "waits")
        self.assertEqual(self.results()["strategy"], "depth-first")
        self.check(0, "-ravel_options([{strategy, dfs}, {ignore, deadlock}]).", "waits", "--strategy", "dpor")
        self.assertEqual(self.results()["strategy"], "optimal partial-order reduction")

    def test_those_of_concuerror_are_understood(self):
        self.check(0, "-concuerror_options_forced([{ignore_error, deadlock}, {scheduling, oldest}, show_races]).", "waits")
        self.check(0, "-concuerror_options([{treat_as_normal, [shutdown, die]}]).", "fails")
        self.check(1, "-concuerror_options_forced([{depth_bound, 2}]).", "fails", "--events", "1000", "--ignore", "exit")
        self.assertEqual(self.results()["bugs"][0]["kind"], "event_bound")

    def test_what_is_no_option_is_refused(self):
        for attributes, says in [
            ("-ravel_options([{speed, 9}]).", "there is no option speed for a module"),
            ("-ravel_options([{keep_going, 9}]).", "true or false"),
            ("-ravel_options([17]).", "is no option"),
            ("-ravel_options([{preemptions, many}]).", "preemptions"),
            ("-concuerror_options([{unknown, 1}]).", "no counterpart of Concuerror's option unknown"),
        ]:
            self.write("carries.erl", self.PROGRAM.replace("ATTRIBUTES", attributes))
            self.refused("check", "carries.erl", "-t", "carries:fails", says=["carries.erl", says])


if __name__ == "__main__":
    unittest.main()
