"""Searches by states that are interrupted, or killed, and go on."""

import os
import signal
import subprocess
import time
import unittest

from support import RAVEL, CommandTest

# Some ten thousand states, and an end for each order of three messages; the last one is a bug.
MANY = """\
-module(many).
-export([bug_test/0, long/0]).

bug_test() -> run(3, 3, [3, 2, 1]).
long() -> run(5, 12, none).

run(Clients, Rounds, Wrong) ->
    Server = spawn(fun() -> server([], Clients * Rounds, Wrong) end),
    [spawn(fun() -> client(Server, N, Rounds) end) || N <- lists:seq(1, Clients)],
    ok.

client(_, _, 0) -> ok;
client(Server, N, Rounds) ->
    Server ! {self(), N},
    receive done -> ok end,
    client(Server, N, Rounds - 1).

server(_, 0, _) -> ok;
server(Last, Left, Wrong) ->
    receive
        {From, N} ->
            From ! done,
            Now = lists:sublist([N | Last], 3),
            Now =:= Wrong andalso error(wrong),
            server(Now, Left - 1, Wrong)
    end.
"""

COUNTS = ("states", "transitions", "depth", "executions", "verdict", "stop")


class Resumed(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("many.erl", MANY)

    def counts(self):
        results = self.results()
        return [results[key] for key in COUNTS]

    def test_it_goes_on_with_the_same_result(self):
        for strategy in ("states", "shortest"):
            for options in ([], ["--fingerprints", "128"]):
                with self.subTest(strategy=strategy, options=options):
                    search = ["check", "many.erl", "-t", "many:bug_test", "-k", "--strategy", strategy, *options, "--json", "results.json"]
                    self.expect(1, *search)
                    whole, bugs = self.counts(), [bug["message"] for bug in self.results()["bugs"]]
                    run = self.expect(1, *search, "--budget", "40x")
                    self.assertIn("The budget of executions ended the search", run.stdout)
                    for _ in range(50):
                        (file,) = self.searches()
                        run = self.expect(1, "check", "--resume", file, "--budget", "100x", "--json", "results.json")
                        if self.results()["stop"] == "complete":
                            break
                    self.assertEqual(self.counts(), whole)
                    self.assertEqual([bug["message"] for bug in self.results()["bugs"]], bugs)
                    file.unlink(missing_ok=True)

    def test_a_killed_one_has_been_saved(self):
        process = subprocess.Popen([RAVEL, "check", "many.erl", "-t", "many:long", "--strategy", "states"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 120
        while not self.searches() and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.1)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        (file,) = self.searches()
        self.expect(3, "check", "--resume", file, "--budget", "1s", "--json", "results.json")
        results = self.results()
        self.assertGreater(results["seconds"], 5)
        self.assertGreater(results["states"], 10_000)

    def test_one_that_cannot_go_on_says_so(self):
        search = ["check", "many.erl", "-t", "many:long", "--strategy", "states", "--budget", "0.2s"]
        for options, why in [(["--reduced"], "with --reduced"), (["--symmetric", "many:client/3"], "with --symmetric"),
                             (["--ltl", "always not labelled(x)"], "with --ltl")]:
            with self.subTest(options=options):
                run = self.expect(3, *search, *options)
                self.assertIn(f"It cannot go on later: a search by states {why} notes no place to go on from.\n", run.stdout)
                self.assertEqual(self.searches(), [])
        self.assertNotIn("cannot go on", self.expect(3, *search).stdout)

    def test_a_damaged_file_is_one_error(self):
        search = ["check", "many.erl", "-t", "many:bug_test", "-k", "--strategy", "states", "--budget", "40x"]
        self.ravel(*search)
        (file,) = self.searches()
        whole = file.read_bytes()
        refused = 0
        for at in range(len(whole) // 3, len(whole), len(whole) // 12):
            file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x15]) + whole[at + 1:])
            run = self.ravel("check", "--resume", file, "--budget", "5x")
            self.assertIn(run.returncode, (0, 1, 2, 3), run.stderr)
            if "Begin anew" in run.stdout + run.stderr:
                refused += 1
                self.assertIn("damaged", run.stdout + run.stderr)
        self.assertGreater(refused, 0)


if __name__ == "__main__":
    unittest.main()
