"""ravel races: race sets, variants, messages that nobody receives; the examples of the race variants paper."""

import json
import pathlib
import re
import unittest

from support import RACE, CommandTest

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "race_variants"

FIRST = """\
-module(first).
-export([first/0, late/0, names/0, cache/0, wrong/0, alone/0]).

first() ->
    Server = spawn(fun server/0),
    spawn(fun() -> Server ! {val, 2} end),
    Server ! {val, 1}.

server() ->
    receive
        {val, M} -> M = 1
    end.

late() ->
    Self = self(),
    spawn(fun() -> Self ! answer end),
    receive answer -> ok after 100 -> exit(late) end.

names() ->
    spawn(fun() -> catch register(here, self()), receive stop -> ok end end),
    undefined = whereis(here),
    exit(done).

start() ->
    case whereis(cache) of
        undefined -> register(cache, spawn(fun() -> receive stop -> ok end end));
        _Pid -> true
    end.

cache() ->
    Self = self(),
    [spawn(fun() -> start(), Self ! ready end) || _ <- [1, 2]],
    [receive ready -> ok end || _ <- [1, 2]],
    cache ! stop.

wrong() -> exit(wrong).

alone() -> ok.
"""


def variants(text):
    return re.findall(r"variant (\d+): (.*?)(?:  +|$)", text, re.MULTILINE)


class Races(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("first.erl", FIRST)

    def races(self, *arguments):
        return self.expect(0, "races", *arguments).stdout

    def test_example_1_only_messages_that_match_race(self):
        text = self.races(EXAMPLES / "figure_1.erl", "-t", "figure_1:proc1")
        self.assertEqual(variants(text), [("1", "it takes P.2#2 = {val,2} of P.2")])
        self.assertIn("P.1:1  receives {val,1} from P  figure_1.erl:20  receive", text)
        self.assertIn("under {val, M} when M > 0; error", text)
        self.assertIn("figure_1.erl:27  P2 ! {val, 2}.", text)
        variant = self.expect(0, "races", EXAMPLES / "figure_1.erl", "-t", "figure_1:proc1", "--variant", "1").stdout
        self.assertIn("receives {val,2} from P.2", variant)
        self.assertIn("It ends as before: finished.", variant)

    def test_examples_2_and_3_one_trace_has_several_interleavings(self):
        # The interleaving of example 2 and the one of example 3, in which {val, 0} arrives first: the same trace.
        figure = EXAMPLES / "figure_1.erl"
        self.expect(0, "trace", figure, "-t", "figure_1:proc1", "--out", "trace.json")
        trace = json.loads((self.folder / "trace.json").read_text())
        self.assertEqual([event["actions"][0] for event in trace["actors"][2]["events"][:2]],
                         [{"send": "P.2#1", "value": "{val,0}", "to": "P.1"}, {"send": "P.2#2", "value": "{val,2}", "to": "P.1"}])
        part = dict(trace, actors=[dict(actor) for actor in trace["actors"]])
        part["actors"][1] = {"actor": "P.1", "events": []}
        self.write("part.json", json.dumps(part))
        # All six events but the receive, then the receive: it still takes {val, 1}, which was sent first.
        self.assertIn("receives {val,1} from P", self.expect(0, "replay", "part.json").stdout)
        # Two traces, in one of which it takes {val, 2}; {val, 0} never.
        self.expect(0, "check", figure, "-t", "figure_1:proc1", "--strategy", "variants", "--json", "all.json")
        self.assertEqual(self.results("all.json")["executions"], 2)

    def test_examples_4_to_6_race_set_orphans_and_variants(self):
        example = EXAMPLES / "example_4.erl"
        text = self.races(example, "-t", "example_4:p1")
        self.assertEqual(variants(text), [("1", "it takes P.4#3 = {ok,e} of P.4"), ("2", "it takes P.1#1 = {ok,c} of P.1")])
        self.assertIn("P.2:3  receives {ok,taken} from P.3", text)
        self.assertIn("2 messages are never received:", text)
        self.assertIn("P.4#2 = {no,b} from P.4 to P.2", text)
        self.assertIn("P.4#3 = {ok,e} from P.4 to P.2", text)
        # Example 6: without the receive and all that follows from it, and the other message in its place.
        self.expect(1, "races", example, "-t", "example_4:p1", "--variant", "2", "--out", "variant.json")
        variant = {actor["actor"]: actor["events"] for actor in json.loads((self.folder / "variant.json").read_text())["actors"]}
        self.assertEqual([len(variant[name]) for name in ["P", "P.1", "P.2", "P.3", "P.4"]], [5, 2, 3, 2, 4])
        self.assertEqual(variant["P.2"][2]["actions"][0]["receive"], "P.1#1")
        run = self.expect(1, "replay", "variant.json").stdout
        self.assertIn("The trace was followed: 16 events. The execution went on after it", run)
        self.assertIn("It ends with a bug: deadlock", run)
        other = self.expect(0, "races", example, "-t", "example_4:p1", "--variant", "1").stdout
        self.assertIn("receives {ok,e} from P.4", other)
        self.expect(1, "check", example, "-t", "example_4:p1", "--strategy", "variants", "-k", "--json", "all.json")
        self.assertEqual(self.results("all.json")["executions"], 3)
        self.expect(1, "check", example, "-t", "example_4:p1", "--strategy", "dpor", "-k", "--json", "all.json")
        self.assertEqual(self.results("all.json")["executions"], 3)

    def test_a_receive_that_could_go_on_without_a_message(self):
        # Nobody is preempted at first, so that P waits in vain.
        text = self.races("first.erl", "-t", "first:late", "--time", "any")
        self.assertEqual(variants(text), [("1", "it takes P.1#1 = answer of P.1")])
        run = self.expect(0, "races", "first.erl", "-t", "first:late", "--time", "any", "--variant", "1", "--out", "answered.json").stdout
        self.assertIn("Before it ended: abnormal exit, a process exits with reason late.", run)
        self.assertIn("Now it ends: finished.", run)
        text = self.races("answered.json")
        self.assertEqual(variants(text), [("1", "it goes on without a message")])
        run = self.expect(1, "races", "answered.json", "--variant", "1").stdout
        self.assertIn("Now it ends: abnormal exit, a process exits with reason late.", run)

    def test_operations_on_one_name(self):
        text = self.races("first.erl", "-t", "first:names")
        ((number, what),) = ((number, what) for number, what in variants(text) if "register" in what)
        self.assertIn("comes first", what)
        run = self.expect(1, "races", "first.erl", "-t", "first:names", "--variant", number).stdout
        self.assertIn("Now it ends: abnormal exit, a process fails with the error {badmatch", run)

    def test_races_of_a_ticket_are_those_beyond_its_bug_too(self):
        self.expect(1, "check", "first.erl", "-t", "first:first", "--strategy", "dfs")
        (ticket,) = self.tickets()
        text = self.races(ticket)
        self.assertIn("The execution was looked at beyond its bug.", text)
        self.assertIn("takes P#1 = {val,1} of P", text)
        self.assertIn("Now it ends: finished.", self.expect(0, "races", ticket, "--variant", "1").stdout)

    def difference(self, *arguments, status=1):
        run = self.expect(status, *arguments)
        lines = run.stdout.split("What makes the difference:")[1].split("\n\n")[0]
        return " ".join(lines.split())

    def test_the_results_for_machines_have_the_difference_too(self):
        self.expect(1, "check", "first.erl", "-t", "first:first", "--json", "results.json", "-q")
        (bug,) = self.results()["bugs"]
        explanation = bug["explanation"]
        self.assertEqual((explanation["passes"], explanation["executions_tried"]), (True, 1))
        (change,) = explanation["changes"]
        self.assertEqual(list(change), ["kind", "event", "other", "message", "constraint", "events_in_common"])
        self.assertEqual(change["kind"], "message")
        self.assertEqual(list(change["event"]), ["name", "actor", "operation", "file", "line"])
        self.assertEqual((change["event"]["name"], change["other"]["name"]), ("P.1:1", "P:3"))
        self.assertEqual(change["message"], {"name": "P#1", "value": "{val,1}"})
        self.expect(1, "check", "first.erl", "-t", "first:cache", "--json", "results.json")
        (change,) = self.results()["bugs"][0]["explanation"]["changes"]
        self.assertEqual((change["kind"], "message" in change, "constraint" in change), ("order", False, False))
        # Nothing else could have happened.
        self.expect(1, "check", "first.erl", "-t", "first:wrong", "--json", "results.json")
        self.assertEqual(self.results()["bugs"][0]["explanation"],
                         {"passes": False, "executions_tried": 0, "complete": True, "changes": []})

    def test_a_story_ends_with_the_race_that_makes_the_difference(self):
        for strategy in ["dpor", "variants", "dfs", "preemption", "random"]:
            self.assertEqual(
                self.difference("check", "first.erl", "-t", "first:first", "--strategy", strategy, "--out", strategy),
                "P.1 receives {val,2} from P.2 (first.erl:10); when it takes {val,1} of P (first.erl:7) instead, the test passes.",
            )
            (ticket,) = self.tickets(strategy)
            self.assertIn("{val,1} of P (first.erl:7) instead", self.difference("replay", ticket))
            # Letting P.2 send first needs one.
            self.assertEqual(json.loads(ticket.read_text())["bug"]["preemptions"], 1, strategy)
        self.assertIn("when it takes answer of P.1", self.difference("check", "first.erl", "-t", "first:late", "--time", "any"))
        cache = self.difference("check", "first.erl", "-t", "first:cache")
        self.assertIn("calls whereis(cache) -> undefined (first.erl:25), before", cache)
        self.assertIn("in the other order, the test passes.", cache)

    def test_what_no_race_decides_is_said(self):
        self.assertIn("no race; each of the", self.difference("check", "first.erl", "-t", "first:names"))
        self.assertIn("nothing else could have happened", self.difference("check", "first.erl", "-t", "first:wrong"))

    def test_no_race(self):
        text = self.races("first.erl", "-t", "first:alone")
        self.assertIn("There is no race", text)
        self.refused("races", "first.erl", "-t", "first:alone", "--variant", "1", says="this execution has none")

    def test_messages_that_nobody_receives_are_a_warning_of_a_check(self):
        figure = EXAMPLES / "figure_1.erl"
        for strategy in ["dfs", "dpor", "variants", "preemption"]:
            run = self.expect(0, "check", figure, "-t", "figure_1:proc1", "--strategy", strategy, "--json", "all.json")
            (line,) = (line for line in run.stdout.splitlines() if line.startswith("Warning:"))
            self.assertIn("Warning: 2 messages are never received in ", line)
            self.assertIn("from P.2 to P.1: sends {val,0} to P.1", line)
            orphans = self.results("all.json")["orphans"]
            self.assertEqual((orphans["messages"], orphans["complete"]), (2, True))
            self.assertEqual((orphans["first"]["message"], orphans["first"]["receiver"]), ("P.2#1", "P.1"))
        run = self.expect(0, "check", "first.erl", "-t", "first:alone", "--json", "all.json")
        self.assertNotIn("Warning", run.stdout)
        self.assertIsNone(self.results("all.json")["orphans"])
        self.write("endless.erl", "-module(endless).\n-export([f/0]).\nf() -> self() ! other, g().\n"
                   "g() -> self() ! x, receive x -> g() end.\n")
        run = self.expect(1, "check", "endless.erl", "-t", "endless:f", "--events", "51")
        self.assertIn("1 message was not received in 1 of 1 execution, before it was cut off", run.stdout)

    def test_variants_say_what_they_do_not_explore(self):
        run = self.expect(1, "check", "first.erl", "-t", "first:first", "--strategy", "variants", "-k", "--json", "all.json")
        self.assertIn("1 distinct bug in the 2 traces, which are all there are.", run.stdout)
        self.assertEqual(self.results("all.json")["redundant"], 0)
        run = self.expect(1, "check", "first.erl", "-t", "first:names", "--strategy", "variants", "-k")
        self.assertIn("other races", run.stdout)

    def test_bad_input(self):
        self.write("race.erl", RACE)
        self.refused("races", "race.erl", says="this is about one test, but here are 3")
        self.refused("races", "first.erl", "-t", "first:first", "--variant", "7", says="numbered from 1")
        self.refused("races", "first.erl", "-t", "first:first", "--out", "x.json", says="--variant")
        self.refused("check", "first.erl", "-t", "first:first", "--strategy", "variants", "--blocking", "explore", says="--blocking")


if __name__ == "__main__":
    unittest.main()
