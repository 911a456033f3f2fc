"""Suites whose tests are searched side by side (--jobs), and checks of which several machines have a part each (--shard)."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

import support
from support import OFTEN, RAVEL, CommandTest, children, of_process

ROOT = pathlib.Path(__file__).parents[2]
BUILD = pathlib.Path(RAVEL).parent

# What passes, has bugs, is refused, skipped by nobody, and takes long.
SUITE = """\
-module(suite).
-include_lib("eunit/include/eunit.hrl").
-export([late/0]).

pass_test() -> three(), ok.

lost_test() -> register(math, spawn(fun() -> ok end)).

both_test() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    receive 1 -> ok; 2 -> exit(second) end.

refused_test() -> gen_tcp:listen(0, []).

long_test() ->
    Work = fun() -> [persistent_term:put(last, {self(), N}) || N <- lists:seq(1, 12)] end,
    [spawn(Work) || _ <- [1, 2, 3, 4]],
    ok.

titled_test_() -> {"with a title", fun late/0}.

late() ->
    Self = self(),
    [spawn(fun() -> ets:new(table, [named_table]), Self ! N end) || N <- [1, 2]].

last_test() -> three(), three(), ok.

three() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2, 3]],
    [receive _ -> ok end || _ <- [1, 2, 3]].
"""
TESTS = 7

CT_SUITE = """\
-module(some_SUITE).
-export([all/0, fine/1, skipped/1, fails/1, init_per_testcase/2]).
all() -> [fine, skipped, fails].
init_per_testcase(skipped, _) -> {skip, "not here"};
init_per_testcase(_, Config) -> Config.
fine(_) -> ok.
skipped(_) -> ok.
fails(_) ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    1 = receive N -> N end.
"""

# Long searches with positions, in all of which something is found or left.
LONG = """\
-module(long).
-export([first_test/0, second_test/0, third_test/0]).
work() ->
    Work = fun() -> [persistent_term:put(last, {self(), N}) || N <- lists:seq(1, 12)] end,
    [spawn(Work) || _ <- [1, 2, 3, 4]].
first_test() -> work(), ok.
second_test() -> work(), ok.
third_test() -> ok.
"""

# Waits for the answer of somebody who may be killed.
WAITS = """\
-module(waits).
-export([a_test/0, b_test/0]).
a_test() ->
    Self = self(),
    Pid = spawn(fun() -> receive {ask, From} -> From ! answer end end),
    Pid ! {ask, Self},
    receive answer -> ok end.
b_test() -> a_test().
"""

LONG_CC = """\
#include <ravel/test.h>
#include <mutex>
#include <thread>
static std::mutex mutex;
static int number;
static void work() {
  const auto count = [] { for (int i = 0; i < 8; ++i) { std::lock_guard lock(mutex); ++number; } };
  std::thread one(count), two(count), three(count);
  one.join(), two.join(), three.join();
}
RAVEL_TEST(first) { work(); }
RAVEL_TEST(second) { work(); }
"""

# A short test and a long one, of seconds.
SHORT_AND_LONG = """\
-module(uneven).
-export([long_test/0, short_test/0]).
long_test() ->
    ets:new(pool, [public, named_table]), ets:insert(pool, {free, 3}),
    Self = self(),
    [spawn_link(fun() -> take(2), Self ! done end) || _ <- [1, 2, 3]],
    [receive done -> ok end || _ <- [1, 2, 3]], ok.
short_test() -> Self = self(), [spawn(fun() -> Self ! N end) || N <- [1, 2]], [receive _ -> ok end || _ <- [1, 2]].
take(0) -> ok;
take(N) -> ets:update_counter(pool, free, -1), ets:update_counter(pool, free, 1), take(N - 1).
"""

SHORT_AND_LONG_CC = """\
#include <ravel/test.h>
#include <atomic>
#include <thread>
static std::atomic<int> shared;
static void count(int rounds) { for (int i = 0; i < rounds; ++i) shared.fetch_add(1); }
RAVEL_TEST(longer) { std::thread one(count, 5), two(count, 4), three(count, 4); one.join(), two.join(), three.join(); }
RAVEL_TEST(shorter) { std::thread one(count, 1), two(count, 1); one.join(), two.join(); }
"""

P_TESTS = """\
event eGo;
machine Two { start state Init { entry { send this, eGo; } on eGo do { assert !CHOICE, "chosen"; } } }
machine Fine { start state Init { entry { send this, eGo; } on eGo do { } } }
test tcFine [main=Fine]: { Fine };
test tcBad [main=Two]: { Two };
test tcWorse [main=Two]: { Two };
""".replace("CHOICE", "$")


def without_times(text):
    text = re.sub(r'"seconds": [-0-9.e]+', "SECONDS", text)
    text = re.sub(r'time="[0-9.]+"', "TIME", text)
    text = re.sub(r" +[0-9][0-9.,]* (s|min|h)\b", " TIME", text)
    return re.sub(r" +time\b", " time", text)  # as wide as the longest one


def is_there(pid):
    stat = of_process(pid, "stat")
    return stat and stat.rsplit(")", 1)[1].split()[0] != "Z"


def descendants(pid):
    found = children(pid)
    return found + [other for child in found for other in descendants(child)]


class JobsTest(CommandTest):
    def told(self, jobs, *arguments, status):
        """All that a check tells and writes, but for times."""
        # The same folder, since its name is told.
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        run = self.expect(status, "check", *arguments, "--jobs", jobs, "--out", "out", "--json", "results.json",
                          "--junit", "results.xml")
        files = {path.name: path.read_text() for path in (self.folder / "out").glob("*.json")}
        names = sorted(path.name for path in (self.folder / "out").iterdir())
        texts = [run.stdout, run.stderr, (self.folder / "results.json").read_text(), (self.folder / "results.xml").read_text()]
        return [without_times(text) for text in texts], files, names

    def expect_same(self, *arguments, status, says):
        alone = self.told(1, *arguments, status=status)
        self.assertIn(says, alone[0][0])
        for jobs in (2, 4):
            with self.subTest(jobs=jobs, arguments=arguments):
                self.assertEqual(self.told(jobs, *arguments, status=status), alone)

    def start(self, *arguments):
        """In the background. Its streams are files out.txt and errors.txt."""
        with open(self.folder / "out.txt", "w") as out, open(self.folder / "errors.txt", "w") as errors:
            process = subprocess.Popen([RAVEL, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL,
                                       stdout=out, stderr=errors, env=self.environment(OFTEN), start_new_session=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def copies(self, process, count):
        """When there are so many."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and process.poll() is None:
            found = children(process.pid)
            if len(found) >= count:
                return found
            time.sleep(0.01)
        self.fail(f"there are not {count} processes: {(self.folder / 'errors.txt').read_text()}")

    def wait_for_searches(self, least=1):
        deadline = time.monotonic() + 60
        while len(self.searches("out")) < least:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def test_a_suite_comes_to_the_same_with_any_number_of_processes(self):
        self.write("suite.erl", SUITE)
        self.write("some_SUITE.erl", CT_SUITE)
        self.expect_same("suite.erl", "--budget", "300x", status=1, says=f"{TESTS} tests:")
        self.expect_same("suite.erl", "--budget", "300x", "-k", "-q", status=1, says="suite:lost_test: ")
        self.expect_same("suite.erl", "--budget", "300x", "--strategy", "random", "--color", "always", status=1,
                         says="\033[1msuite:lost_test")
        self.expect_same("some_SUITE.erl", status=1, says="1 is skipped")

    def test_faults_of_a_bug_are_counted_alike(self):
        self.write("waits.erl", WAITS)
        self.expect_same("waits.erl", "--kill", "1=P.1", status=1, says="1 kill")
        self.assertEqual([test["bugs"][0]["kills"] for test in self.results()["tests"]], [1, 1])

    def test_programs_of_c_and_of_p_are_searched_side_by_side(self):
        subprocess.run([BUILD / "ravel-c++", ROOT / "tests/threads/programs/marked_tests.cc", "-o", self.folder / "marked"],
                       check=True)
        self.expect_same("./marked", status=1, says="6 tests: 2 pass, 4 have bugs.")
        self.write("tests.p", P_TESTS)
        self.expect_same("tests.p", status=1, says="3 tests: 1 passes, 2 have bugs.")

    def expect_the_last_test_to_get_all(self, *program, generations):
        """Of three processes, when it is the last of two tests: two beside the first, that of its own search included."""
        alone = self.expect(0, "check", *program, "--jobs", 1, "--json", "results.json")
        counts = [(test["verdict"], test["executions"]) for test in self.results()["tests"]]
        process = self.start("check", *program, "--jobs", 3, "--json", "results.json", "--out", "out")
        most = 0
        while process.poll() is None:
            searches = [process.pid]
            for _ in range(generations):
                searches = [child for one in searches for child in children(one)]
            most = max(most, len(searches))
            time.sleep(0.01)
        self.assertEqual(process.returncode, 0, (self.folder / "errors.txt").read_text())
        self.assertEqual(most, 3)
        self.assertEqual([(test["verdict"], test["executions"]) for test in self.results()["tests"]], counts, alone.stdout)

    def test_a_test_gets_the_processes_of_those_that_have_ended(self):
        self.write("uneven.erl", SHORT_AND_LONG)
        self.expect_the_last_test_to_get_all("uneven.erl", generations=2)

    def test_so_does_one_of_cpp(self):
        self.write("uneven.cc", SHORT_AND_LONG_CC)
        subprocess.run([BUILD / "ravel-c++", "-O1", "uneven.cc", "-o", "uneven"], cwd=self.folder, check=True)
        self.expect_the_last_test_to_get_all("./uneven", "--strategy", "dpor", generations=3)

    def test_the_first_bug_of_a_suite_in_p_is_the_one_of_the_trace(self):
        self.write("tests.p", P_TESTS)
        texts = []
        for jobs in (1, 4):
            self.expect(1, "check", "tests.p", "--trace-json", "trace.json", "--jobs", jobs)
            texts.append((self.folder / "trace.json").read_text())
        self.assertEqual(*texts)

    def test_a_faulty_test_ends_a_suite_where_it_does_alone(self):
        self.write("good.erl", "-module(good).\n-export([a_test/0]).\na_test() -> register(math, spawn(fun() -> ok end)).\n")
        self.write("wrong.erl", '-module(wrong).\n-ravel_options([{depth, 2}]).\n'
                                "-export([b_test/0, c_test/0]).\nb_test() -> ok.\nc_test() -> ok.\n")
        alone = self.expect(2, "check", "good.erl", "wrong.erl", "--json", "results.json")
        self.assertIn("good:a_test", alone.stdout)
        self.assertIn("there is no option depth for a module", alone.stderr)
        message = self.results()
        beside = self.expect(2, "check", "good.erl", "wrong.erl", "--jobs", "3", "--json", "results.json")
        self.assertEqual(without_times(beside.stdout), without_times(alone.stdout))
        self.assertEqual((beside.stderr, self.results()), (alone.stderr, message))

    def test_a_killed_process_costs_one_more_try(self):
        self.write("long.erl", LONG)
        process = self.start("check", "long.erl", "--budget", "3s", "--jobs", "2", "--out", "out", "--json", "results.json")
        os.kill(self.copies(process, 2)[0], signal.SIGKILL)
        self.assertEqual(process.wait(60), 3)
        errors = (self.folder / "errors.txt").read_text()
        self.assertRegex(errors, r"ravel: long:(first|second)_test: .*\(signal 9\); it is searched once more, alone")
        self.assertEqual(errors.count("\n"), 1, errors)
        verdicts = [(test["test"], test["verdict"], test["stop"]) for test in self.results()["tests"]]
        self.assertEqual(verdicts, [("long:first_test", "incomplete", "time_budget"),
                                    ("long:second_test", "incomplete", "time_budget"), ("long:third_test", "pass", "complete")])
        self.assertIn("3 tests: 1 passes, 2 are not complete.", (self.folder / "out.txt").read_text())

    def test_the_second_try_begins_where_the_first_was_kept(self):
        self.write("uneven.erl", SHORT_AND_LONG)
        self.expect(0, "check", "uneven.erl", "--jobs", 1, "--json", "results.json")
        counts = [(test["verdict"], test["executions"]) for test in self.results()["tests"]]
        process = self.start("check", "uneven.erl", "--jobs", "2", "--out", "out", "--json", "results.json")
        self.wait_for_searches()
        time.sleep(0.6)
        os.kill(self.copies(process, 1)[0], signal.SIGKILL)
        killed = time.monotonic()
        self.assertEqual(process.wait(120), 0)
        since = time.monotonic() - killed
        self.assertIn("after the others, from where it was kept last", (self.folder / "errors.txt").read_text())
        tests = self.results()["tests"]
        self.assertEqual([(test["verdict"], test["executions"]) for test in tests], counts)
        # Its time is that of both tries, so longer than that of the second one.
        self.assertGreater(tests[0]["seconds"], since)

    def test_a_test_that_kills_its_process_twice_is_not_complete(self):
        self.write("long.erl", LONG)
        process = self.start("check", "long.erl", "--budget", "600s", "--jobs", "2", "--out", "out", "--json", "results.json",
                             "-t", "long:third_test", "-t", "long:first_test", "-t", "long:second_test")
        killed = set()
        deadline = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < deadline:
            self.wait_for_searches()
            for copy in children(process.pid):
                if copy not in killed:
                    time.sleep(0.3)  # until it has said where it is
                    killed.add(copy)
                    try:
                        os.kill(copy, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
        self.assertEqual(process.wait(60), 3)
        results = {test["test"]: test for test in self.results()["tests"]}
        self.assertEqual(len(results), 3)
        for name in ("long:first_test", "long:second_test"):
            self.assertEqual(results[name]["verdict"], "incomplete")
            self.assertIn("signal 9, after a second try", results[name]["warnings"][0])
        self.assertIn("Go on with: ravel check --resume out/", (self.folder / "out.txt").read_text())

    def test_no_process_outlives_the_command(self):
        self.write("long.erl", LONG)
        self.write("long.cc", LONG_CC)
        subprocess.run([BUILD / "ravel-c++", "long.cc", "-o", "long"], cwd=self.folder, check=True)
        # The last one divides each test, and a program of C++ has processes of its own.
        for arguments, count in ((("long.erl", "--jobs", "3"), 2), (("./long", "--jobs", "2", "--strategy", "preemption"), 4),
                                 (("long.erl", "-t", "long:first_test", "-t", "long:second_test", "--jobs", "4"), 4)):
            with self.subTest(arguments=arguments):
                process = self.start("check", *arguments, "--out", "out")
                deadline = time.monotonic() + 60
                others = descendants(process.pid)
                while len(others) < count and time.monotonic() < deadline:
                    time.sleep(0.01)
                    others = descendants(process.pid)
                self.assertGreaterEqual(len(others), count)
                process.kill()
                process.wait()
                deadline = time.monotonic() + 30
                while any(map(is_there, others)) and time.monotonic() < deadline:
                    time.sleep(0.01)
                self.assertFalse(any(map(is_there, others)))

    def test_an_interrupted_suite_goes_on_with_any_number_of_processes(self):
        self.write("long.erl", LONG)
        # timeout(1) and terminals send to all processes of the group.
        for how, send in ((signal.SIGINT, os.kill), (signal.SIGTERM, os.kill), (signal.SIGINT, os.killpg),
                          (signal.SIGTERM, os.killpg)):
            with self.subTest(how=how, send=send):
                process = self.start("check", "long.erl", "--jobs", "2", "--out", "out", "--json", "results.json")
                self.copies(process, 2)
                self.wait_for_searches()
                send(process.pid, how)
                self.assertEqual(process.wait(60), 3)
                self.assertEqual((self.folder / "errors.txt").read_text(), "")
                before = {test["test"]: test for test in self.results()["tests"]}
                self.assertGreaterEqual(len(before), 2)
                told = (self.folder / "out.txt").read_text()
                file = re.search(r"--resume (\S+)", told)[1]
                counts = [before[name]["executions"] for name in ("long:first_test", "long:second_test")]
                self.assertGreater(max(counts), 0, told)  # the other one may just have begun
                for jobs in (1, 4):
                    self.expect(3, "check", "--resume", file, "--jobs", jobs, "--budget", "100x", "--json", "results.json")
                    after = {test["test"]: test for test in self.results()["tests"]}
                    counts = [count + 100 for count in counts]
                    self.assertEqual([after[name]["executions"] for name in ("long:first_test", "long:second_test")], counts)
                    self.assertEqual(after["long:third_test"]["verdict"], "pass")
                shutil.rmtree(self.folder / "out")

    def test_a_killed_suite_goes_on_from_where_all_its_tests_were(self):
        self.write("long.erl", LONG)
        process = self.start("check", "long.erl", "--jobs", "2", "--out", "out")
        self.copies(process, 2)
        self.wait_for_searches()
        time.sleep(0.6)
        process.kill()
        process.wait()
        self.expect(3, "check", "--resume", self.searches("out")[0], "--budget", "1x", "--json", "results.json")
        counts = [test["executions"] for test in self.results()["tests"]]
        self.assertEqual(len(counts), 3)
        self.assertGreater(min(counts[:2]), 1, "both were begun anew")


class ShardTest(CommandTest):
    def results_of_shards(self, count, *arguments):
        found = []
        for number in range(1, count + 1):
            run = self.ravel("check", *arguments, "--shard", f"{number}/{count}", "--json", "shard.json", "--out", "out")
            self.assertIn(run.returncode, (0, 1, 3, 4), run.stderr)
            found.append(self.results("shard.json"))
        return found

    def test_the_shards_of_a_suite_are_all_its_tests_each_once(self):
        self.write("suite.erl", SUITE)
        self.ravel("check", "suite.erl", "--budget", "100x", "--json", "whole.json", "--out", "out")
        whole = self.results("whole.json")["tests"]
        self.assertEqual(len(whole), TESTS)
        for test in whole:
            test["seconds"] = 0
        for count in (1, 2, 3, 5, 9):
            shards = self.results_of_shards(count, "suite.erl", "--budget", "100x", "--jobs", "2")
            self.assertEqual([shard["shard"] for shard in shards],
                             [{"number": number, "count": count, "tests": TESTS} for number in range(1, count + 1)])
            sizes = [len(shard["tests"]) for shard in shards]
            self.assertLessEqual(max(sizes) - min(sizes), 1)
            tests = [test for shard in shards for test in shard["tests"]]
            for test in tests:
                test["seconds"] = 0
            order = [test["test"] for test in whole]
            self.assertEqual(sorted(tests, key=lambda test: order.index(test["test"])), whole)

    def test_a_shard_says_which_it_is_even_if_it_has_nothing(self):
        self.write("suite.erl", SUITE)
        run = self.expect(0, "check", "suite.erl", "-t", "suite:pass_test", "-t", "suite:last_test", "--shard", "3/3",
                          "--json", "results.json", "--junit", "results.xml")
        self.assertEqual(run.stdout, "Shard 3 of 3: none of the 2 tests.\n")
        self.assertEqual(self.results(), {"verdict": "pass", "shard": {"number": 3, "count": 3, "tests": 2}, "tests": []})
        self.assertIn('tests="0"', (self.folder / "results.xml").read_text())
        run = self.expect(0, "check", "suite.erl", "-t", "suite:pass_test", "-t", "suite:last_test", "--shard", "2/3")
        self.assertIn("Shard 2 of 3: 1 of the 2 tests.", run.stdout)
        self.assertIn("1 test: 1 passes.", run.stdout)

    def test_the_shards_of_a_sample_run_the_executions_of_the_whole(self):
        self.write("endless.erl", support.ENDLESS)
        for strategy in ("random", "pos"):
            search = ["endless.erl", "-t", "endless:bug_test", "-k", "--strategy", strategy, "--seed", "5", "--budget", "1003x"]
            self.expect(1, "check", *search, "--json", "whole.json", "--out", "out")
            whole = self.results("whole.json")
            self.assertEqual(whole["executions"], 1003)
            for count in (2, 7):
                with self.subTest(strategy=strategy, count=count):
                    shards = self.results_of_shards(count, *search)
                    for what in ("executions", "erroneous_executions"):
                        self.assertEqual(sum(shard[what] for shard in shards), whole[what], what)
                    self.assertEqual(max(shard["events_max"] for shard in shards), whole["events_max"])
                    self.assertEqual(shards[1]["shard"], {"number": 2, "count": count})

    def test_a_shard_of_a_sample_goes_on_where_it_was(self):
        self.write("endless.erl", support.ENDLESS)
        search = ["endless.erl", "-t", "endless:bug_test", "-k", "--strategy", "pos", "--budget", "60000x", "--shard", "2/3"]
        self.expect(1, "check", *search, "--json", "whole.json", "--out", "whole")
        whole = self.results("whole.json")
        self.assertEqual(whole["executions"], 20000)
        file = self.kill_at_checkpoint("check", *search, "--out", "out", folder="out")
        self.assertIsNotNone(file, "the search was over before it was saved")
        self.refused("check", "--resume", file, "--budget", "10x", says="leave out --budget")
        self.expect(1, "check", "--resume", file, "--json", "rest.json")
        rest = self.results("rest.json")
        for what in ("executions", "erroneous_executions"):
            self.assertEqual(rest[what], whole[what], what)

    def test_what_has_no_shards_is_refused(self):
        self.write("race.erl", support.RACE)
        one = ["check", "race.erl", "-t", "race:fine_test"]
        self.refused(*one, "--shard", "1/2", says="only suites of several tests and samples have shards")
        self.refused(*one, "--shard", "1/2", "--strategy", "pct", says="with --strategy pct")
        self.refused(*one, "--shard", "1/2", "--strategy", "random", "--budget", "5s", says="add --budget 10000x")
        self.expect(0, *one, "--shard", "1/1")
        for wrong in ("0/2", "3/2", "2", "1/", "/2", "a/b", "1/2/3", "-1/2", "1/99999999999"):
            run = self.expect(2, *one, "--shard", wrong)
            self.assertIn(f"'{wrong}' is no shard; write 2/4 for the second of four", run.stderr)


if __name__ == "__main__":
    unittest.main()
