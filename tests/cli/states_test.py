"""Searches by states: what they say and write, what they are not for, and the states of a program that is known well."""

import json
import os
import pathlib
import pty
import select
import subprocess
import time
import unittest

from support import RACE, RAVEL, CommandTest

LOCKER = pathlib.Path(__file__).parents[2] / "bench" / "states" / "locker.erl"
STRATEGIES = ["states", "shortest"]

# Names that nobody knows any more are given again on the way to the bug: the child that fails is the fourth one, or the first.
RECURRING = """\
-module(recurring).
-export([fails_test/0, waits_test/0, tells_test/0, prints_test/0, orders_test/0, shortest_test/0]).

dead() ->
    {Pid, Ref} = spawn_monitor(fun() -> make_ref() end),
    receive {'DOWN', Ref, process, Pid, _} -> Pid end.

loop(0) -> ok;
loop(N) -> dead(), loop(N - 1).

fails_test() ->
    loop(3),
    Pid = spawn(fun() -> receive go -> error(oops) end end),
    Pid ! go.

waits_test() ->
    loop(2),
    Pid = spawn(fun() -> receive never -> ok end end),
    Pid ! x,
    receive never -> ok end.

tells_test() ->
    loop(2),
    exit({dead, dead(), make_ref()}).

%% Does something else where names are counted.
prints_test() ->
    Name = pid_to_list(dead()),
    case pid_to_list(dead()) of
        Name -> exit(same);
        _ -> ok
    end.

orders_test() ->
    Old = dead(),
    self() ! Old,
    receive Old -> ok end,
    ok.

%% With five events, but a preemption; or with six.
shortest_test() ->
    dead(),
    spawn(fun() -> exit(early) end),
    ok.
"""

# A timeout fires while the answer is on its way; twice in a row, in a program without an end.
HASTY = """\
-module(hasty).
-export([once_test/0, twice/0]).

server() -> receive {question, Client} -> Client ! answer end, server().

answers(Server) ->
    Server ! {question, self()},
    receive answer -> true
    after 100 -> receive answer -> false end
    end.

once_test() -> true = answers(spawn(fun server/0)) orelse exit(too_early).

twice() -> twice(spawn(fun server/0)).
twice(Server) ->
    case {answers(Server), answers(Server)} of
        {false, false} -> exit(too_early);
        _ -> twice(Server)
    end.
"""

ENDLESS = """\
-module(endless).
-export([finite_test/0, infinite_test/0]).

finite_test() ->
    self() ! make_ref(),
    receive _ -> finite_test() end.

infinite_test() -> count(0).

count(N) ->
    self() ! N,
    receive N -> count(N + 1) end.
"""

# Some wait for ever by looking; others only look as long as it is not somebody else's turn, or count.
POLLING = """\
-module(polling).
-export([row/0, sleep/0, heartbeat/0, two/0, written/0, counted/0, chosen/0, ended/0, served/0]).

row() -> ets:new(t, [named_table, public]), look().
look() -> case ets:lookup(t, done) of [] -> look(); _ -> ok end.

sleep() -> ets:new(t, [named_table, public]), sleep(fun() -> ok end).
sleep(Then) -> case ets:lookup(t, done) of [] -> timer:sleep(10), sleep(Then); _ -> Then() end.

heartbeat() -> spawn(fun beat/0), receive never -> ok end.
beat() -> receive stop -> ok after 1000 -> beat() end.

two() -> Self = self(), spawn(fun() -> named(b), Self ! ok end), named(a), receive ok -> ok end.
named(Name) -> case whereis(Name) of undefined -> erlang:yield(), named(Name); _ -> ok end.

written() -> ets:new(t, [named_table, public]), spawn(fun() -> ets:insert(t, {done, true}) end), look().
counted() -> ets:new(t, [named_table, public]), counted(3).
counted(0) -> ok;
counted(N) -> case ets:lookup(t, done) of [] -> timer:sleep(10), counted(N - 1); _ -> ok end.
chosen() -> case ravel:choose([true, false]) of true -> ok; false -> chosen() end.
ended() -> spawn(fun beat/0), ok.
served() ->
    Server = spawn(fun server/0),
    served(Server).
served(Server) -> Server ! {self(), question}, receive answer -> served(Server) end.
server() -> receive {From, question} -> From ! answer end, server().
"""

# Processes that are left over, whose state does not tell what they have asked.
ASKING = """\
-module(asking).
-export([one/0, other/0, answered/0, both/0, named/0, expired/0, told/0, in_loop/0, late/0, many/0, two/0]).
-export([reborn/0, reborn_named/0, loop/0]).

loop() -> receive {hello, _} -> loop() end.

tell(Pid, 1) -> Pid ! {hello, self()}, ok;
tell(_, _) -> ok.

never() -> receive never -> ok end.

one() ->
    Pid = spawn(fun loop/0),
    spawn(fun() -> tell(Pid, ravel:choose(2)), never() end).

other() ->
    Pid = spawn(fun loop/0),
    spawn(fun() -> tell(Pid, 3 - ravel:choose(2)), never() end).

serve() -> receive {hello, From} -> From ! welcome, serve() end.

greet(Pid, 1) -> Pid ! {hello, self()}, receive welcome -> ok end;
greet(_, _) -> ok.

%% Who has got an answer waits for nothing.
answered() ->
    Pid = spawn(fun serve/0),
    spawn(fun() -> greet(Pid, 3 - ravel:choose(2)), never() end).

%% The one asks the other, in each of the two orders.
both() ->
    Pid = spawn(fun() -> receive {hello, From} -> tell(From, 3 - ravel:choose(2)), never() end end),
    spawn(fun() -> greets(Pid, ravel:choose(2)) end).

greets(Pid, 1) -> Pid ! {hello, self()}, receive {hello, _} -> never() after 100 -> loop() end;
greets(Pid, 2) -> Pid ! {hello, Pid}, loop().

named() ->
    Pid = spawn(fun loop/0),
    Asks = spawn(fun() -> receive go -> tell_name(Pid, 3 - ravel:choose(2)), never() end end),
    register(asks, Asks),
    Asks ! go.

tell_name(Pid, 1) -> Pid ! {hello, asks}, ok;
tell_name(_, _) -> ok.

expired() ->
    Pid = spawn(fun loop/0),
    spawn(fun() -> tell(Pid, 3 - ravel:choose(2)), receive x -> ok after 0 -> ok end, never() end).

%% Who has asked nobody, but answered.
told() ->
    Pid = spawn(fun() -> receive {hello, From} -> tell(From, 3 - ravel:choose(2)), never() end end),
    spawn(fun() -> Pid ! {hello, self()}, loop() end).

%% Takes in its loop what comes, and asks there; it has come to it with nothing asked, or not.
in_loop() ->
    Pid = spawn(fun loop/0),
    spawn(fun() -> begins(Pid, 3 - ravel:choose(2)) end).
begins(Pid, 1) -> asks(Pid, [ask]);
begins(Pid, 2) -> self() ! wake, asks(Pid, [take, ask]).
asks(Pid, [ask | Rest]) -> tell(Pid, 1), asks(Pid, Rest);
asks(Pid, Rest) -> receive _ -> asks(Pid, tl(Rest)) end.

%% A deadlock with eight events at least is shorter than the other bug.
late() ->
    Pid = spawn(fun loop/0),
    spawn(fun() -> tell(Pid, 3 - ravel:choose(2)), never() end),
    case ravel:choose(2) of
        1 -> ok;
        2 -> [erlang:yield() || _ <- lists:seq(1, 12)], exit(late)
    end.

%% Many states after the first choice, and more of them if what was asked counts.
many() ->
    case ravel:choose(2) of
        1 ->
            Pid = spawn(fun loop/0),
            [spawn(fun() -> tell(Pid, 3 - ravel:choose(2)), never() end) || _ <- [1, 2, 3, 4]];
        2 -> exit(early)
    end.

two() ->
    Pid = spawn(fun loop/0),
    [spawn(fun() -> tell(Pid, 3 - ravel:choose(2)), never() end) || _ <- [1, 2]].

ends(Fun) ->
    {_, Ref} = spawn_monitor(Fun),
    receive {'DOWN', Ref, _, _, _} -> ok end.

%% Another process of the same name has asked.
reborn() ->
    Pid = spawn(fun loop/0),
    ends(fun() -> Pid ! {hello, self()} end),
    spawn(fun never/0).

%% Another process of the same name was named by the last message.
reborn_named() ->
    spawn(fun() ->
        ends(fun() -> ok end),
        spawn(fun loop/0) ! {hello, self()},
        never()
    end).
"""


class Results(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("race.erl", RACE)
        self.write("endless.erl", ENDLESS)

    def check(self, status, strategy, *arguments):
        return self.expect(status, "check", *arguments, "--strategy", strategy, "--json", "results.json")

    def test_a_pass_counts_states(self):
        for strategy in STRATEGIES:
            run = self.check(0, strategy, "race.erl", "-t", "race:fine_test")
            self.assertIn("No bug in any of the 7 states.\n7 states, 7 transitions, depth 5, ", run.stdout)
            self.assertEqual(run.stderr, "")
            results = self.results()
            self.assertEqual([results[key] for key in ("states", "transitions", "depth", "verdict", "stop", "strategy")],
                             [7, 7, 5, "pass", "complete", strategy])
            self.assertGreater(results["state_bytes"], 8)
            self.assertEqual(results["coverage"]["unit"], "states")
            self.assertTrue(results["coverage"]["complete"])
            bounds = [{"on": "events", "completed": 5, "exhausted": True}] if strategy == "shortest" else []
            self.assertEqual(results["coverage"]["bounds"], bounds)

    def test_hashes_of_states_say_what_they_may_have_left_out(self):
        run = self.check(0, "states", "race.erl", "-t", "race:fine_test", "--fingerprints", "64")
        self.assertIn("No bug in the 7 states visited; the chance that a state was left out is 1e-18.\n7 states, 7 transitions, depth 5, ", run.stdout)
        results = self.results()
        self.assertEqual([results["verdict"], results["states"], results["coverage"]["complete"]], ["pass", 7, True])
        self.assertEqual(results["hashed"], {"hash_bits": 64, "filter_bits": 0, "expected_omitted": 49 / 2**65})
        for strategy in STRATEGIES:
            run = self.check(0, strategy, "race.erl", "-t", "race:fine_test", "--fingerprints", "128")
            self.assertIn("No bug in the 7 states visited; the chance that a state was left out is 7e-38.\n", run.stdout)
        run = self.check(1, "shortest", "race.erl", "-t", "race:lost_test", "--fingerprints", "64")
        self.assertRegex(run.stdout, r"there is none with at most 3 events; the chance that a state was left out is \de-\d\d\.")
        run = self.check(1, "states", "race.erl", "-t", "race:both_test", "-k", "--fingerprints", "64")
        self.assertRegex(run.stdout, r"2 distinct bugs in the \d+ states visited; the chance that a state was left out is \de-\d\d\.")

    def test_a_filter_that_leaves_nothing_out_passes(self):
        run = self.check(0, "states", "race.erl", "-t", "race:fine_test", "--bitstate", "1")
        self.assertRegex(run.stdout, r"No bug in the 7 states visited; the chance that a state was left out is \de-\d\d\.\n")
        self.assertIn(f", {2**23 / 7:.1f} bits of the filter for each, ", run.stdout)
        self.assertEqual([self.results()["hashed"][key] for key in ("hash_bits", "filter_bits")], [0, 2**23])

    def test_a_filter_that_fills_is_not_complete(self):
        # A tuple of 16 bits that are set in any order, one after the other, by a server without an end.
        self.write("bits.erl", """\
-module(bits).
-export([flips/0]).
flips() -> flip(erlang:make_tuple(16, 0)).
flip(Bits) ->
    I = ravel:choose(16),
    self() ! I,
    receive I -> flip(setelement(I, Bits, 1 - element(I, Bits))) end.
""")
        run = self.check(3, "states", "bits.erl", "-t", "bits:flips", "--bitstate", "1", "--budget", "100s")
        self.assertRegex(run.stdout, r"No bug in the [\d,]+ states visited; about [\d,]+ more states? may have been taken for others and left out, with what only they lead to\.\n")
        results = self.results()
        self.assertEqual([results["verdict"], results["stop"], results["coverage"]["complete"]], ["incomplete", "complete", False])
        self.assertGreater(results["hashed"]["expected_omitted"], 1)

    def test_what_has_no_end_has_one(self):
        for strategy in STRATEGIES:
            run = self.check(0, strategy, "endless.erl", "-t", "endless:finite_test")
            self.assertIn("No bug in any of the 2 states.\n2 states, 2 transitions, depth 1, ", run.stdout)

    def test_who_only_looks_waits_for_ever(self):
        self.write("polling.erl", POLLING)
        for strategy in (*STRATEGIES, "states --reduced"):
            for test in ("row", "sleep", "heartbeat", "two"):
                with self.subTest(strategy=strategy, test=test):
                    run = self.expect(1, "check", "polling.erl", "-t", "polling:" + test, "--json", "results.json", "--strategy", *strategy.split())
                    self.assertIn("the execution goes round for ever, and nobody does more than look", run.stdout)
                    (bug,) = self.results()["bugs"]
                    self.assertEqual(bug["kind"], "livelock")
                    run = self.expect(1, "replay", bug["ticket"])
                    self.assertIn("The bug still happens: livelock", run.stdout)
                    self.assertIn("-- from here on, again and again --", run.stdout)
            for test in ("written", "counted", "chosen", "ended", "served"):
                with self.subTest(strategy=strategy, test=test):
                    self.expect(0, "check", "polling.erl", "-t", "polling:" + test, "--strategy", *strategy.split())

    def test_who_never_moves_is_told_beside_who_only_looks(self):
        self.write("polling.erl", POLLING)
        run = self.check(1, "shortest", "polling.erl", "-t", "polling:heartbeat")
        self.assertIn("P.1 and T go round, in 2 events that lead from a state to itself", run.stdout)
        self.assertIn("P waits at polling.erl:10: heartbeat() -> spawn(fun beat/0), receive never -> ok end.", run.stdout)
        self.assertEqual(self.results()["bugs"][0]["lasso"], {"formula": "always eventually changes", "fairness": "weak", "loop": 2})

    def test_other_searches_have_no_states(self):
        self.check(0, "dfs", "race.erl", "-t", "race:fine_test")
        self.assertNotIn("states", self.results())

    def test_the_first_bug_ends_the_search(self):
        run = self.check(1, "shortest", "race.erl", "-t", "race:lost_test")
        self.assertIn("Bug 1: abnormal exit (1 preemption, 4 events)", run.stdout)
        self.assertRegex(run.stdout, r"The search stopped at the first bug, after \d+ states; there is none with at most 3 events\.")
        self.assertFalse(self.results()["coverage"]["complete"])
        run = self.check(1, "states", "race.erl", "-t", "race:lost_test")
        self.assertRegex(run.stdout, r"The search stopped at the first bug, after \d+ states\.")

    def test_a_bug_of_the_first_step_has_none_before_it(self):
        self.write("early.erl", "-module(early).\n-export([test/0, loop/0]).\ntest() -> exit(oops).\nloop() -> loop().\n")
        run = self.check(1, "shortest", "early.erl", "-t", "early")
        self.assertIn("The search stopped at the first bug, after 1 state.", run.stdout)
        run = self.check(1, "shortest", "early.erl", "-t", "early:loop", "--step-limit", "1000")
        self.assertIn("Bug 1: no progress (0 preemptions, 0 events)", run.stdout)
        self.assertNotIn("there is none", run.stdout)

    def test_every_bug_is_found(self):
        for strategy in STRATEGIES:
            run = self.check(1, strategy, "race.erl", "-t", "race:both_test", "-k")
            self.assertEqual(sorted(bug["kind"] for bug in self.results()["bugs"]), ["abnormal_exit", "deadlock"])
            self.assertRegex(run.stdout, r"2 distinct bugs in the \d+ states, which are all there are\.")
            for ticket in self.tickets():
                self.assertIn("The bug still happens", self.expect(1, "replay", ticket).stdout)

    def test_a_bug_of_a_program_without_an_end_is_replayed_in_no_time(self):
        # To explain it, other executions are tried, which go on for ever.
        self.write("lasting.erl", """\
-module(lasting).
-export([fails/0]).
answer() -> receive {From, N} -> From ! {self(), N} end, answer().
fails() ->
    Server = spawn(fun answer/0),
    spawn(fun() -> exit(oops) end),
    ask(Server).
ask(Server) -> Server ! {self(), x}, receive {Server, x} -> ask(Server) end.
""")
        for strategy in STRATEGIES:
            self.check(1, strategy, "lasting.erl", "-t", "lasting:fails")
            (ticket,) = self.tickets()
            began = time.monotonic()
            self.assertIn("The bug still happens", self.expect(1, "replay", ticket).stdout)
            self.assertLess(time.monotonic() - began, 30)  # minutes, without a bound on these
            ticket.unlink()

    def test_several_tests_end_in_a_table(self):
        run = self.check(1, "states", "race.erl")
        rows = [line.split()[:4] for line in run.stdout.splitlines() if line.startswith("race:")]
        rows = [row for row in rows if len(row) > 1]
        self.assertEqual([row[:3] for row in rows if row[1] == "pass"], [["race:fine_test", "pass", "7"]])
        self.assertEqual([row[0] for row in rows if row[2] == "bug"], ["race:lost_test", "race:both_test"])
        self.assertRegex(run.stdout, "test +verdict +states ")
        self.assertEqual([test["strategy"] for test in self.results()["tests"]], ["states"] * 3)

    def test_a_budget_leaves_it_incomplete(self):
        run = self.check(3, "states", "endless.erl", "-t", "endless:infinite_test", "--budget", "0.5s")
        self.assertRegex(run.stdout, r"The budget of time ended the search: no bug in the [\d,]+ states tried; others were not tried\.")
        self.assertRegex(run.stdout, r"\n[\d,]+ states, [\d,]+ transitions, depth [\d,]+, [\d,]+ bytes a state, [\d,]+ states/s, ")
        self.assertEqual(self.results()["verdict"], "incomplete")
        self.assertEqual(len(list(self.folder.glob("ravel-tickets/*.search"))), 1)  # from which it goes on later
        run = self.check(3, "shortest", "endless.erl", "-t", "endless:infinite_test", "--budget", "0.5s")
        self.assertRegex(run.stdout, r"states tried; among them are all with at most [\d,]+ events\.")

    def test_progress_is_counted_in_states(self):
        master, slave = pty.openpty()
        process = subprocess.Popen(
            [RAVEL, "check", "endless.erl", "-t", "endless:infinite_test", "--strategy", "states", "--budget", "1s"],
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave, env={**os.environ, "TERM": "xterm"})
        os.close(slave)
        self.addCleanup(os.close, master)
        seen = b""
        while b"transitions, depth" not in seen:
            self.assertTrue(select.select([master], [], [], 60)[0], "no progress line")
            seen += os.read(master, 4096)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3)
        self.assertRegex(seen.decode(), r"[\d,]+ states, [\d,]+ transitions, depth [\d,]+, ")


class Names(CommandTest):
    """Names are given again in the search, and counted in what is told."""

    def setUp(self):
        super().setUp()
        self.write("recurring.erl", RECURRING)

    def found(self, test, strategy, *says):
        for old in self.tickets():
            old.unlink()
        run = self.expect(1, "check", "recurring.erl", "-t", f"recurring:{test}", "--strategy", strategy)
        (ticket,) = self.tickets()
        for text in says:
            self.assertIn(text, run.stdout)
        replayed = self.expect(1, "replay", ticket).stdout
        self.assertIn("The bug still happens", replayed)
        self.assertNotIn("could be followed up to", replayed)
        for text in says:
            self.assertIn(text, replayed)
        return json.loads(ticket.read_text())

    def test_who_fails_is_told_by_the_name_of_the_story(self):
        for strategy in STRATEGIES:
            ticket = self.found("fails_test", strategy, "a process fails with the error oops", "in P.4:", "P.4  exits with reason oops")
            self.assertIn("P.4", json.dumps(ticket["schedule"]))

    def test_who_waits_is_told_by_the_name_of_the_story(self):
        for strategy in STRATEGIES:
            self.found("waits_test", strategy, "P.3 waits at recurring.erl:", "P    sends x to P.3")

    def test_names_in_a_reason_are_those_of_the_story(self):
        for strategy in STRATEGIES:
            self.found("tells_test", strategy, "a process exits with reason {dead,<P.3>,#Ref<P:4>}")

    def test_the_shortest_schedule_stays_the_shortest(self):
        self.found("shortest_test", "shortest", "a process exits with reason early")
        run = self.expect(1, "check", "recurring.erl", "-t", "recurring:shortest_test", "--strategy", "shortest")
        self.assertIn("Bug 1: abnormal exit (1 preemption, 5 events)", run.stdout)
        self.assertIn("there is none with at most 4 events", run.stdout)

    def test_where_ends_take_several_steps_bugs_are_told_too(self):
        # Who has taken back a link or monitor is told in vain, in a step that the search does not have.
        self.write("steps.erl", """\
-module(steps).
-export([linked/0, watched/0, both/0]).
linked() ->
    Self = self(),
    Other = spawn(fun() -> receive go -> ok end end),
    spawn(fun() -> link(Other), unlink(Other), Self ! done end),
    receive done -> ok end,
    receive never -> ok end.
watched() ->
    Pid = spawn(fun() -> receive stop -> ok end end),
    demonitor(monitor(process, Pid)),
    Pid ! stop,
    receive never -> ok end.
both() ->
    Other = spawn(fun() -> receive never -> ok end end),
    Pid = spawn(fun() -> link(Other), unlink(Other), receive stop -> ok end end),
    Ref = monitor(process, Pid),
    Pid ! stop,
    receive {'DOWN', Ref, _, _, _} -> exit(bad) end.
""")
        for test, kind in [("linked", "deadlock"), ("watched", "deadlock"), ("both", "abnormal exit")]:
            for strategy in STRATEGIES:
                run = self.expect(1, "check", "steps.erl", "-t", f"steps:{test}", "--strategy", strategy, "--ends", "stepwise")
                self.assertIn(f"Bug 1: {kind}", run.stdout)
        for ticket in self.tickets():
            self.assertIn("The bug still happens", self.expect(1, "replay", ticket).stdout)

    def test_a_program_that_makes_text_of_names_is_refused_if_that_makes_a_bug(self):
        for strategy in STRATEGIES:
            run = self.expect(4, "check", "recurring.erl", "-t", "recurring:prints_test", "--strategy", strategy)
            self.assertIn("a bug was found (a process exits with reason same), but not where names are counted", run.stderr)
            self.assertEqual(self.tickets(), [])
            self.expect(0, "check", "recurring.erl", "-t", "recurring:orders_test", "--strategy", strategy)
        self.expect(0, "check", "recurring.erl", "-t", "recurring:prints_test", "--strategy", "dfs")


class Requests(CommandTest):
    """Who is left waiting is judged by what it has asked on any way to its state."""

    def setUp(self):
        super().setUp()
        self.write("asking.erl", ASKING)

    def bugs(self, test, strategy, *options):
        run = self.ravel("check", "asking.erl", "-t", f"asking:{test}", "--strategy", strategy, *options, "--json", "results.json")
        self.assertIn(run.returncode, (0, 1), run.stderr)
        return sorted((bug["kind"], bug["line"]) for bug in self.results()["bugs"])

    def test_the_verdict_is_that_of_all_executions(self):
        for test, count in {
            "one": 1, "other": 1, "answered": 0, "both": 1, "named": 1, "expired": 1, "told": 0, "in_loop": 1, "late": 2, "two": 1,
            "reborn": 0, "reborn_named": 1,
        }.items():
            expected = self.bugs(test, "dfs", "-k")
            self.assertEqual(len(expected), count, test)
            for strategy in STRATEGIES:
                self.assertEqual(self.bugs(test, strategy, "-k"), expected, (test, strategy))
                self.assertEqual(self.bugs(test, strategy, "-k", "--steps", "receives"), expected, (test, strategy))
                self.assertEqual(self.bugs(test, strategy) != [], count > 0, (test, strategy))

    def test_the_shortest_is_not_a_longer_one(self):
        self.assertEqual([kind for kind, _ in self.bugs("late", "shortest")], ["deadlock"])
        (ticket,) = self.tickets()
        self.assertIn("The bug still happens", self.expect(1, "replay", ticket).stdout)

    def test_what_the_first_search_has_found_is_told_if_the_second_one_is_cut_off(self):
        run = self.ravel("check", "asking.erl", "-t", "asking:many", "--strategy", "states", "-k", "--budget", "8x")
        self.assertIn("The budget of executions ended the search: 2 distinct bugs in the ", run.stdout)
        self.assertEqual(run.returncode, 1)
        self.assertEqual(len(self.tickets()), 2)
        for ticket in self.tickets():
            self.assertIn("The bug still happens", self.expect(1, "replay", ticket).stdout)

    def test_who_is_no_deadlock_is_told_as_left_behind(self):
        run = self.expect(0, "check", "asking.erl", "-t", "asking:told", "--strategy", "states")
        self.assertIn("2 processes are left behind", run.stdout)


class Refusals(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("race.erl", RACE)

    def test_what_is_about_executions_is_not_for_it(self):
        self.expect(1, "check", "race.erl", "-t", "race:lost_test", "--strategy", "dfs")
        (ticket,) = self.tickets()
        self.expect(0, "trace", ticket, "--out", "lost.trace.json")
        for strategy in STRATEGIES:
            search = ["check", "--strategy", strategy]
            test = ["race.erl", "-t", "race:lost_test"]
            visits = f"--strategy {strategy} visits states, and knows no executions: "
            self.refused(*search, "--trace", "lost.trace.json", says=visits + "--trace is not for it.")
            self.refused(*search, *test, "--graph", "tree.dot", says=visits + "--graph is not for it.")
            self.refused(*search, *test, "--preemptions", "2", says="--preemptions is for --strategy dpor")
            self.refused(*search, *test, "--non-racing", "x", says="--non-racing is for --strategy dpor or variants")
            self.refused(*search, "--resume", "some.search", says="--resume: the search is that of the file")

    def test_states_are_kept_in_one_way(self):
        test = ["check", "race.erl", "-t", "race:fine_test", "--strategy"]
        self.refused(*test, "states", "--fingerprints", "96", says="--fingerprints 96: fingerprints have 64 or 128 bits.")
        self.refused(*test, "states", "--fingerprints", "32", says="--fingerprints")
        self.refused(*test, "states", "--bitstate", "0", says="--bitstate")
        self.refused(*test, "states", "--bitstate", "64", "--fingerprints", "64", says="--fingerprints and --bitstate do not go together")
        self.refused(*test, "dfs", "--fingerprints", "64", says="--fingerprints is for --strategy states or shortest; the strategy here is dfs.")
        self.refused(*test, "dpor", "--bitstate", "64", says="--bitstate is for --strategy states; the strategy here is dpor.")
        self.refused(*test, "shortest", "--bitstate", "64", says="--bitstate is for --strategy states; the strategy here is shortest.")
        for option in ("--fingerprints", "--bitstate"):
            self.refused(*test, "states", option, "64", "--ltl", "G true", says=f"{option} is not for --ltl")

    def test_timeouts_fire_early_as_often_as_was_said(self):
        self.write("hasty.erl", HASTY)
        for strategy in STRATEGIES:
            for test, early, status in [("once_test", 0, 0), ("once_test", 1, 1), ("twice", 1, 0), ("twice", 2, 1)]:
                with self.subTest(strategy=strategy, test=test, early=early):
                    run = self.expect(status, "check", "hasty.erl", "-t", f"hasty:{test}", "--strategy", strategy,
                                      "--early", str(early))
                    self.assertEqual("too_early" in run.stdout, status == 1, run.stdout)
                    self.assertEqual(f"needs {early} early timeout" in run.stdout, status == 1, run.stdout)
        for ticket in self.tickets():
            self.assertIn("The bug still happens", self.expect(1, "replay", ticket).stdout)

    def test_longer_steps_are_not_for_reduction(self):
        test = ["check", "race.erl", "-t", "race:fine_test", "--steps", "receives"]
        for strategy in ("dpor", "variants"):
            self.refused(*test, "--strategy", strategy,
                         says=f"--steps receives is not for --strategy {strategy}, which compares single operations")
        for strategy in ("dfs", "preemption", *STRATEGIES):
            self.expect(0, *test, "--strategy", strategy)
        self.assertIn("schedules", self.expect(0, *test).stdout)  # and not with the strategy that is usual otherwise


class Locker(CommandTest):
    """The numbers are those of two models of the same program that other checkers explore (bench/states)."""

    def count(self, test, strategy, *options):
        self.expect(0, "check", LOCKER, "-t", f"locker:{test}_test", "--strategy", strategy, *options, "--json", "results.json")
        return self.results()["states"], self.results()["transitions"]

    def test_its_states_step_by_step(self):
        for test, expected in {
            "e1": (14, 14),
            "e2": (133, 217),
            "e3": (1_419, 2_918),
            "e4": (16_642, 38_421),
            "s3": (2_175, 4_772),
            "e3_mutex": (2_113, 4_638),
        }.items():
            for strategy in STRATEGIES:
                self.assertEqual(self.count(test, strategy), expected, (test, strategy))

    def test_its_states_from_receive_to_receive(self):
        for test, expected in {"e5": (52_193, 102_641), "e4s1": (50_801, 100_289), "e3s2": (56_309, 111_377)}.items():
            for strategy in STRATEGIES:
                self.assertEqual(self.count(test, strategy, "--steps", "receives"), expected, (test, strategy))
            for storage in (["--fingerprints", "64"], ["--bitstate", "256"]):
                self.assertEqual(self.count(test, "states", "--steps", "receives", *storage), expected, (test, storage))


if __name__ == "__main__":
    unittest.main()
