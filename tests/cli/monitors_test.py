"""--property: properties that hold and that are violated, with every strategy; monitors of one's own; messages."""

import json
import shutil
import unittest

from support import CommandTest

LOCK = """\
-module(lock).
-export([safe/0, unsafe/0, labels/1]).

safe() -> go(true).

unsafe() -> go(false).

%% Two clients use what a lock protects; with `false` they do not wait for it.
go(Waits) ->
    Lock = spawn(fun() -> lock(2) end),
    [spawn(fun() ->
                   Lock ! {take, self()},
                   Waits andalso receive taken -> ok end,
                   ravel:probe(holds, true),
                   ravel:progress(),
                   ravel:probe(holds, undefined),
                   Lock ! give_back
           end) || _ <- [1, 2]].

lock(0) -> ok;
lock(N) ->
    receive {take, Pid} -> Pid ! taken end,
    receive give_back -> lock(N - 1) end.

labels(Names) -> [ravel:label(Name) || Name <- Names].
"""

MONITOR = """\
-module(counting).
-behaviour(ravel_monitor).
-export([init/1, event/3, few/1]).

init([Most]) -> {ok, {0, Most}}.

event(#{labels := [crash]}, _, _) -> error(oops);
event(#{labels := [spawn]}, _, State) -> spawn(fun() -> ok end), {ok, State};
event(#{labels := [receive_]}, _, State) -> receive _ -> {ok, State} end;
event(#{labels := [loop]} = Event, View, State) -> event(Event, View, State);
event(#{labels := [odd]}, _, _) -> odd;
event(#{labels := [mail]}, View, State) -> ravel_monitor:messages(View, self()), {ok, State};
event(#{labels := [_]}, _, {Most, Most}) -> {violated, too_many, [["after ", Most]]};
event(#{labels := [_]}, _, {N, Most}) -> {ok, {N + 1, Most}};
event(_, _, State) -> {ok, State}.

few(View) -> length(ravel_monitor:probes(View)) < 2.
"""

SAMPLES = ["--budget", "3000x"]
STRATEGIES = {name: [] for name in ["dpor", "preemption", "delay", "dfs", "states", "shortest", "ses", "ses,ss"]}
STRATEGIES |= {name: SAMPLES for name in ["random", "irs", "pct", "pos", "surw", "ss"]}

# Each property, a function that keeps it, and one that violates it.
READY = {
    "mutual_exclusion(holds)": (
        "ravel:probe(holds, true), ravel:probe(holds, false)",
        "Wait(), ravel:probe(holds, true), Wait()",
    ),
    "at_most_one(holds)": (
        "ravel:probe(other, I)",
        "ravel:probe(holds, I), Wait(), ravel:probe(holds, undefined)",
    ),
    "never_gone(one)": ("catch unregister(one)", "I =:= 1 andalso (catch register(one, self()))"),
    "mailbox_longer_than(1)": ("self() ! I, Wait(), receive _ -> ok end", "P ! I"),
}


class Monitors(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("lock.erl", LOCK)
        self.write("counting.erl", MONITOR)

    def test_every_strategy_finds_a_violation_and_none_where_there_is_none(self):
        own = ["--property", "mutual_exclusion(holds)"]
        for name, more in STRATEGIES.items():
            with self.subTest(name):
                self.expect(0, "check", "lock.erl", "-t", "lock:safe", "--strategy", name, *more, *own)
                run = self.expect(1, "check", "lock.erl", "-t", "lock:unsafe", "--strategy", name, *more, *own)
                self.assertIn("the property mutual_exclusion(holds) is violated", run.stdout)
                (ticket,) = self.tickets()
                self.assertIn("The bug still happens: property", self.expect(1, "replay", ticket).stdout)

    def test_ready_made_properties(self):
        programs = []
        for number, (property, (good, bad)) in enumerate(READY.items()):
            programs.append(f"good{number}() -> two(fun(P, I, Wait) -> {good} end).")
            programs.append(f"bad{number}() -> two(fun(P, I, Wait) -> {bad} end).")
        exports = ", ".join(f"good{i}/0, bad{i}/0" for i in range(len(READY)))
        # What violates the first one when both hold it is at_most_one's concern, too: each is asked alone.
        self.write(
            "ready.erl",
            f"-module(ready).\n-export([{exports}]).\n-compile(nowarn_unused_vars).\n" + "\n".join(programs) + "\n"
            "two(Do) -> P = self(), Wait = fun() -> erlang:yield() end,\n"
            "    [spawn(fun() -> Do(P, I, Wait) end) || I <- [1, 2]], ok.\n",
        )
        for number, property in enumerate(READY):
            good = 1 if property.startswith("mutual") else 0  # both may show it at once: no lock
            for strategy in ["dfs", "dpor", "states", "shortest", "random"]:
                more = STRATEGIES[strategy]
                own = ["--leftovers", "left", "--property", property, "--strategy", strategy, *more]
                with self.subTest(property, strategy=strategy):
                    self.expect(good, "check", "ready.erl", "-t", f"ready:good{number}", *own)
                    run = self.expect(1, "check", "ready.erl", "-t", f"ready:bad{number}", *own, "--json", "r.json")
                    self.assertIn(property, run.stdout)
                    self.assertEqual(self.results("r.json")["bugs"][0]["kind"], "property")

    def test_a_monitor_of_ones_own_with_arguments(self):
        self.write("t.erl", "-module(t).\n-export([f/0]).\nf() -> lock:labels([a, b, c]).\n")
        own = ["check", "t.erl", "lock.erl", "-t", "t:f", "--property"]
        self.expect(0, *own, "counting.erl(3)")
        run = self.expect(1, *own, "counting.erl(2)")
        for text in ["the property counting(2) is violated: too_many", "after 2", "passes the label c"]:
            self.assertIn(text, run.stdout)
        self.assertEqual(run.stderr, "")  # the compiler knows the behaviour
        run = self.expect(1, "check", "t.erl", "lock.erl", "counting.erl", "-t", "t:f", "--property", "counting(1)")
        self.assertIn("the property counting(1) is violated", run.stdout)

    def test_a_function_as_a_property(self):
        own = ["--property", "counting:few", "--strategy", "states"]
        self.expect(0, "check", "lock.erl", "counting.erl", "-t", "lock:safe", *own)
        run = self.expect(1, "check", "lock.erl", "counting.erl", "-t", "lock:unsafe", *own)
        self.assertIn("the property counting:few is violated", run.stdout)

    def test_a_ticket_is_replayed_from_elsewhere_and_with_other_files(self):
        self.write("t.erl", "-module(t).\n-export([f/0]).\nf() -> lock:labels([a, b, c]).\n")
        self.write("m/counting.erl", MONITOR)
        self.expect(1, "check", "t.erl", "lock.erl", "-t", "t:f", "--property", "m/counting.erl(2)")
        (ticket,) = self.tickets()
        home, below = self.folder, self.folder / "below"
        below.mkdir()
        self.folder = below
        self.assertIn("The bug still happens", self.expect(1, "replay", ticket).stdout)
        self.expect(1, "replay", ticket, home / "t.erl", home / "lock.erl")
        shutil.copy(home / "t.erl", below / "t.erl")
        self.write("t.erl", "-module(t).\n-export([f/0]).\nf() -> lock:labels([a, b]).\n")
        self.expect(0, "replay", ticket, "t.erl", home / "lock.erl")
        self.assertEqual(json.loads(ticket.read_text())["program"]["properties"], ["m/counting.erl(2)"])

    def test_a_monitor_that_fails_is_no_bug_of_the_program(self):
        for label, text in {
            "crash": ["counting.erl:7", "raises the error oops in counting:event/3"],
            "spawn": ["counting.erl:8", "it calls erlang:spawn/3, but may only compute"],
            "receive_": ["it waits for a message"],
            "loop": ["does not come to an end"],
            "odd": ["its event/3 gives odd, which is no answer"],
            "mail": ["{not_observed,'statuses or mailboxes'}"],
        }.items():
            self.write("t.erl", f"-module(t).\n-export([f/0]).\nf() -> lock:labels([{label}]).\n")
            for strategy in ["dpor", "dfs", "states"]:
                with self.subTest(label, strategy=strategy):
                    run = self.expect(
                        4, "check", "t.erl", "lock.erl", "-t", "t:f", "--property", "counting.erl(9)",
                        "--step-limit", "10000", "--strategy", strategy,
                    )
                    for part in ["the monitor of the property counting(9) fails", *text]:
                        self.assertIn(part, run.stderr)
                    self.assertEqual(self.tickets(), [])

    def test_bad_properties(self):
        for property, says in {
            "": "is missing",
            "nothing": ["there is no module nothing", "mutual_exclusion(PROBE)"],
            "lock": ["the module lock is no monitor", "MODULE:FUNCTION"],
            "lock:few": "exports no function few/1",
            "mutual_exclusion": "it takes the name of a probe",
            "mailbox_longer_than(x)": "it takes a number of messages",
            "never_gone(1)": "it takes a name that is registered",
            "counting.erl(": "the ) after the arguments is missing",
            "counting.erl(a b)": "the arguments are no terms of Erlang",
            "counting.erl": "the monitor cannot begin: it raises the error function_clause",
            "missing.erl": "missing.erl: there is no such file",
        }.items():
            with self.subTest(property):
                self.refused("check", "lock.erl", "-t", "lock:safe", "--property", property, says=says)

    def test_trace_and_races_and_options_of_a_module(self):
        run = self.expect(0, "trace", "lock.erl", "-t", "lock:safe", "--property", "mutual_exclusion(holds)")
        self.assertIn("shows holds = true", run.stdout)
        self.expect(0, "races", "lock.erl", "-t", "lock:safe", "--property", "mutual_exclusion(holds)")
        self.write(
            "attributes.erl",
            "-module(attributes).\n-export([f/0]).\n-ravel_options([{property, \"at_most_one(holds)\"}]).\n"
            "f() -> [spawn(fun() -> ravel:probe(holds, 1), erlang:yield() end) || _ <- [1, 2]].\n",
        )
        self.expect(1, "check", "attributes.erl", "-t", "attributes:f")


if __name__ == "__main__":
    unittest.main()
