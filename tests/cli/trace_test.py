"""ravel trace: executions as what each process did, saved, run again, and gone on from."""

import json
import unittest

from support import RACE, CommandTest

# Whoever comes first is answered; the guard leaves one message alone.
FIRST = """\
-module(first).
-export([first/0, changed/0]).

first() ->
    Server = spawn(fun server/0),
    spawn(fun() -> Server ! {val, 0}, Server ! {val, 2} end),
    Server ! {val, 1}.

server() ->
    receive
        {val, M} when M > 0 -> M = 1;
        stop -> ok
    end.

changed() -> ok.
"""


class Traces(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("first.erl", FIRST)

    def trace(self, name="trace.json"):
        self.expect(0, "trace", "first.erl", "-t", "first:first", "--out", name)
        return json.loads((self.folder / name).read_text())

    def test_each_process_and_what_it_did(self):
        run = self.expect(0, "trace", "first.erl", "-t", "first:first")
        self.assertIn("sends P#1 = {val,1} to P.1", run.stdout)
        self.assertIn("receives P#1, under {val, M} when M > 0; stop", run.stdout)
        self.assertIn("sends P.2#2 = {val,2} to P.1", run.stdout)
        self.assertIn("3 actors, 9 events; it ends: finished.", run.stdout)
        self.assertEqual(self.expect(0, "trace", "first.erl", "-t", "first:first", "-q").stdout, "")

    def test_a_saved_trace_is_json_and_runs_again(self):
        trace = self.trace()
        self.assertEqual([actor["actor"] for actor in trace["actors"]], ["P", "P.1", "P.2"])
        receive = trace["actors"][1]["events"][0]["actions"][0]
        self.assertEqual(receive, {"receive": "P#1", "constraint": "{val, M} when M > 0; stop"})
        for arguments in [["trace.json"], ["--trace", "trace.json"]]:
            run = self.expect(0, "replay", *arguments)
            self.assertIn("The trace was followed: 9 events.", run.stdout)
            self.assertIn("It ends well.", run.stdout)
        shown = self.expect(0, "trace", "trace.json").stdout
        self.assertEqual(shown, self.expect(0, "trace", "first.erl", "-t", "first:first").stdout)

    def test_a_trace_of_a_ticket(self):
        self.expect(1, "check", "first.erl", "-t", "first:first")
        (ticket,) = self.tickets()
        run = self.expect(0, "trace", ticket, "--out", "bug.json")
        self.assertIn("receives P.2#2", run.stdout)
        self.assertIn("it ends: abnormal_exit.", run.stdout)
        replayed = self.expect(1, "replay", "bug.json")
        self.assertIn("It ends with a bug: abnormal exit", replayed.stdout)

    def test_messages_are_received_as_the_trace_says_whatever_the_order_of_processes(self):
        trace = self.trace()
        trace["actors"][1]["events"] = [
            {"actions": [{"receive": "P.2#2", "constraint": ""}], "operation": "", "file": "", "line": 0}
        ]
        self.write("other.json", json.dumps(trace))
        run = self.expect(1, "replay", "other.json")
        self.assertIn("The trace was followed: 8 events. The execution went on after it", run.stdout)
        self.assertIn("badmatch", run.stdout)

    def test_a_search_goes_on_from_a_partial_trace(self):
        # With the trace's own schedule P.1 already has its message; a trace that is extended leaves open who comes first.
        for strategy, bugs in [("dfs", 0), ("preemption", 0), ("random", 0), ("dpor", 1)]:
            trace = self.trace()
            for actor in trace["actors"][1:]:
                actor["events"] = []
            self.write("part.json", json.dumps(trace))
            run = self.expect(bugs, "check", "--trace", "part.json", "--strategy", strategy, "-k", "--json", "all.json")
            self.assertIn("Every execution contains the 4 events of the trace.", run.stdout)
            self.assertEqual(len(self.results("all.json")["bugs"]), bugs, strategy)
            # Once P.1 has its message, nothing can go wrong.
            trace["actors"][1]["events"] = self.trace()["actors"][1]["events"][:1]
            self.write("part.json", json.dumps(trace))
            self.expect(0, "check", "--trace", "part.json", "--strategy", strategy)

    def test_numbers_of_schedules_behind_a_trace(self):
        trace = self.trace()
        trace["actors"] = [trace["actors"][0]]
        self.write("part.json", json.dumps(trace))
        self.expect(0, "check", "--trace", "part.json", "--strategy", "dfs", "--json", "all.json")
        # P.1 receives and ends, P.2 sends twice and ends: five events, in 5! / (2! 3!) orders.
        self.assertEqual(self.results("all.json")["executions"], 10)
        self.expect(1, "check", "--trace", "part.json", "--strategy", "dpor", "-k", "--json", "all.json")
        self.assertEqual(self.results("all.json")["executions"], 2)

    def test_a_changed_program(self):
        self.trace()
        self.write("first.erl", FIRST.replace("Server ! {val, 1}.", "ok."))
        run = self.expect(1, "replay", "trace.json")
        self.assertIn("Since this trace was written first has changed.", run.stdout)
        self.assertIn("The trace could be followed for 2 of its 9 events: then P now does", run.stdout)
        self.refused("check", "--trace", "trace.json", says=["no search can begin with this trace", "2 of its 9 events"])

    def test_a_trace_whose_time_follows_deadlines(self):
        self.expect(0, "trace", "first.erl", "-t", "first:first", "--time", "deadlines", "--out", "trace.json")
        self.refused("check", "--trace", "trace.json", says=["deadlines", "add --strategy preemption"])
        run = self.expect(0, "check", "--trace", "trace.json", "--strategy", "preemption")
        self.assertIn("Every execution contains the 9 events of the trace.", run.stdout)

    def test_bad_input(self):
        self.trace()
        self.refused("trace", "first.erl", says="there is no test")
        self.write("race.erl", RACE)
        self.refused("trace", "race.erl", says=["this is about one test, but here are 3", "-t race:"])
        self.refused("trace", "trace.json", "-t", "first:first", says="leave out -t")
        self.refused("trace", "nothing.json", says="nothing.json")
        self.refused("trace", "first.erl", "-t", "first:first", "--out", "no/such/folder.json", says="--out")
        self.write("other.json", "{}")
        self.refused("trace", "other.json", says="not a ticket")
        self.refused("replay", "--trace", "other.json", says="not a ticket")
        self.refused("replay", says="needs a ticket or a trace")
        self.refused("check", "--trace", "trace.json", "-t", "first:first", says="leave out -t")
        self.refused("check", "--trace", "trace.json", "--time", "deadlines", says="leave out -t")
        self.refused("check", "first.erl", "--time", "deadlines", "--strategy", "variants", says="--strategy variants is not for --time deadlines")
        self.expect(1, "check", "first.erl", "-t", "first:first")
        (ticket,) = self.tickets()
        self.refused("check", "--trace", ticket, says="'ravel trace' makes one of it")
        self.refused("replay", "--trace", ticket, says="Leave out --trace")


if __name__ == "__main__":
    unittest.main()
