"""Formulas of temporal logic: verdicts, what is told of a violation, replay, and what is wrong with a question."""

import json
import pathlib
import unittest

from support import CommandTest

ROOT = pathlib.Path(__file__).parents[2]
LOCK = str(ROOT / "examples" / "states" / "lock.erl")
ECHO = str(ROOT / "examples" / "faults" / "echo_sup.erl")
SERVED = "always (waits(anna) -> eventually holds(anna))"

# A program for each kind of proposition, all with an end but for the last ones.
SHOWN = """\
-module(shown).
-export([values_test/0, names_test/0, fails_test/0, works/0, idles/0, stops_test/0]).
-export([is_red/1, crashes/1, is_strange/1]).

values_test() ->
    ravel:probe(lamp, red),
    ravel:probe(lamp, {green, 2}),
    ravel:label({lit, 1, 2}),
    ravel:label("a text"),
    ravel:probe(lamp, false).

names_test() ->
    {Pid, Ref} = spawn_monitor(fun() -> register(worker, self()), receive go -> receive on -> ok end end end),
    Pid ! go,
    Pid ! on,
    receive {'DOWN', Ref, _, _, _} -> ok end.

fails_test() -> ravel:label(start), error(oops).

works() -> ravel:progress(), self() ! more, receive more -> works() end.
idles() -> ravel:progress(), idle().
idle() -> self() ! more, receive more -> idle() end.
stops_test() -> ravel:progress().

is_red(View) -> lists:any(fun({_, lamp, Value}) -> Value =:= red end, ravel_monitor:probes(View)).
crashes(_) -> error(broken).
is_strange(_) -> perhaps.
"""


class TemporalTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("shown.erl", SHOWN)

    def verdict(self, *arguments):
        """Whether it passes; what is printed."""
        done = self.ravel("check", *arguments)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.returncode == 0, done.stdout

    def assert_holds(self, *arguments):
        holds, text = self.verdict(*arguments)
        self.assertTrue(holds, text)
        return text

    def assert_violated(self, *arguments):
        holds, text = self.verdict(*arguments)
        self.assertFalse(holds, text)
        self.assertIn("temporal", text)
        return text

    def asks(self, test, formula, *more):
        return self.verdict("shown.erl", "-t", "shown:" + test, "--ltl", formula, *more)[0]


class Examples(TemporalTest):
    def test_a_lock_without_a_queue_starves_who_asks_again(self):
        text = self.assert_violated(LOCK, "-t", "lock:asks_again", "--ltl", SERVED)
        self.assertIn("the formula " + SERVED + " is violated", text)
        self.assertIn("-- from here on, again and again --", text)
        self.assertIn("from there on, waits(anna) always holds", text)
        self.assertIn("from there on, holds(anna) never holds", text)

    def test_with_a_queue_it_does_not_but_for_an_unfair_scheduler(self):
        text = self.assert_holds(LOCK, "-t", "lock:queues", "--ltl", SERVED)
        self.assertIn("No bug in any of the", text)
        self.assert_holds(LOCK, "-t", "lock:queues", "--ltl", SERVED, "--fairness", "strong")
        self.assert_violated(LOCK, "-t", "lock:queues", "--ltl", SERVED, "--fairness", "none")

    def test_states_are_those_of_the_search_without_a_formula(self):
        both = [self.json_of("lock:queues", *more) for more in (("--ltl", SERVED), ("--property", "mutual_exclusion(holds)"))]
        # The property is as blind as the formula's propositions: both only look at probes.
        for count in ("states", "transitions"):
            self.assertEqual(both[0][count], both[1][count])
        self.assertTrue(both[0]["coverage"]["complete"])

    def json_of(self, test, *more):
        self.assert_holds(LOCK, "-t", test, "--strategy", "states", "--json", "r.json", *more)
        return json.loads((self.folder / "r.json").read_text())

    def test_a_supervised_name_comes_back_after_each_kill(self):
        again = ("-t", "echo_sup:for_ever", "--ltl", "always eventually registered(echo)")
        self.assert_holds(ECHO, *again, "--kill", "1=echo")
        self.assert_violated(ECHO, "-t", "echo_sup:for_ever", "--ltl", "always registered(echo)", "--kill", "1=echo")

    def test_a_module_says_what_its_tests_are_to_keep(self):
        text = pathlib.Path(LOCK).read_text().replace("-export(", f'-ravel_options([{{ltl, "{SERVED}"}}]).\n-export(', 1)
        self.write("lock.erl", text)
        self.assert_violated("lock.erl", "-t", "lock:asks_again")
        self.assert_holds("lock.erl", "-t", "lock:queues")

    def test_several_formulas_are_told_apart(self):
        text = self.assert_violated(LOCK, "-t", "lock:queues", "--ltl", SERVED, "--ltl", "always not waits(ben)",
                                    "--ltl", "eventually waits(clara)", "-k")
        self.assertIn("the formula always not waits(ben) is violated", text)
        self.assertIn("the formula eventually waits(clara) is violated", text)
        self.assertNotIn(SERVED + " is violated", text)


class Propositions(TemporalTest):
    def test_values_of_probes_and_labels(self):
        for formula in ("eventually lamp(red)", "eventually (lamp(red) and next lamp(green, 2))", "eventually lit(1, 2)",
                        "eventually '\"a text\"'", "not lamp", "eventually (lamp and eventually always not lamp)",
                        "eventually shown:is_red", "not lamp(red) until shown:is_red", "always (lamp(red) <-> shown:is_red)",
                        "eventually 'lit(1, 2)'"):
            self.assertTrue(self.asks("values_test", formula), formula)
        for formula in ("eventually lamp(blue)", "always lamp", "eventually lit(1)", "eventually always lit(1, 2)", "lamp",
                        "eventually always lamp"):
            self.assertFalse(self.asks("values_test", formula), formula)

    def test_names_and_who_can_go_on(self):
        for formula in ("not registered(worker) and eventually registered(worker)", "eventually always not registered(worker)",
                        "eventually enabled(worker)", "eventually (registered(worker) and enabled(worker))",
                        "always (enabled(worker) -> registered(worker))"):
            self.assertTrue(self.asks("names_test", formula), formula)
        for formula in ("always (registered(worker) -> enabled(worker))", "eventually always registered(worker)"):
            self.assertFalse(self.asks("names_test", formula), formula)

    def test_what_never_held_is_told(self):
        text = self.assert_holds("shown.erl", "-t", "shown:values_test", "--ltl", "always (lampe -> lamp)")
        self.assertIn("the proposition lampe held in no state and after no step", text)
        self.assertNotIn("the proposition lamp held", text)

    def test_bugs_of_other_kinds_are_found_as_always(self):
        holds, text = self.verdict("shown.erl", "-t", "shown:fails_test", "--ltl", "eventually start")
        self.assertFalse(holds)
        self.assertIn("oops", text)


class Progress(TemporalTest):
    def test_a_loop_without_progress_is_a_livelock(self):
        holds, text = self.verdict("shown.erl", "-t", "shown:idles", "--strategy", "states")
        self.assertFalse(holds)
        self.assertIn("the execution goes round for ever without progress", text)
        ticket = next((self.folder / "ravel-tickets").glob("*livelock*"))
        replayed = self.ravel("replay", str(ticket))
        self.assertEqual(replayed.returncode, 1, replayed.stderr)
        self.assertIn("The bug still happens: livelock", replayed.stdout)

    def test_where_only_hashes_of_states_are_kept_it_is_not_asked_for(self):
        for storage in ("--fingerprints", "--bitstate"):
            holds, text = self.verdict("shown.erl", "-t", "shown:idles", "--strategy", "states", storage, "64")
            self.assertTrue(holds, text)
            self.assertIn("executions that go on for ever without ravel:progress() were not looked for", text)

    def test_progress_in_each_round_and_an_end_are_none(self):
        self.assert_holds("shown.erl", "-t", "shown:works", "--strategy", "states")
        self.assert_holds("shown.erl", "-t", "shown:stops_test", "--strategy", "states")


class Replay(TemporalTest):
    def ticket(self):
        self.write("lock.erl", pathlib.Path(LOCK).read_text())
        self.assert_violated("lock.erl", "-t", "lock:asks_again", "--ltl", SERVED, "--json", "r.json")
        bug = json.loads((self.folder / "r.json").read_text())["bugs"][0]
        self.assertEqual(bug["kind"], "temporal")
        self.assertEqual(bug["lasso"]["formula"], SERVED)
        self.assertEqual(bug["lasso"]["fairness"], "weak")
        self.assertGreater(bug["lasso"]["loop"], 2)
        return bug["ticket"]

    def test_a_violation_is_replayed(self):
        replayed = self.ravel("replay", self.ticket())
        self.assertEqual(replayed.returncode, 1, replayed.stderr)
        self.assertIn("The bug still happens: temporal", replayed.stdout)
        self.assertIn("-- from here on, again and again --", replayed.stdout)

    def test_a_mended_program_passes(self):
        ticket = self.ticket()
        text = pathlib.Path(LOCK).read_text().replace("Client ! taken, taken()", "taken(), Client ! never")
        self.write("lock.erl", text)
        replayed = self.ravel("replay", ticket)
        self.assertEqual(replayed.returncode, 0, replayed.stdout + replayed.stderr)
        self.assertIn("The bug does not happen: this execution does not come back", replayed.stdout)

    def test_other_commands_show_it_once_round(self):
        shown = self.ravel("races", self.ticket())
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("goes on for ever; it is shown once round", shown.stderr)


class WhatIsWrong(TemporalTest):
    def assert_refused(self, expected, *arguments):
        self.refused("check", *arguments, says=expected)

    def test_formulas(self):
        asked = ("shown.erl", "-t", "shown:values_test", "--ltl")
        self.assert_refused("--ltl: the formula 'always (': column 9: expected a proposition", *asked, "always (")
        self.assert_refused("--ltl: the proposition nosuch:f: there is no module nosuch", *asked, "eventually nosuch:f")
        self.assert_refused("--ltl: the proposition shown:nosuch: the module shown exports no function nosuch/1", *asked,
                            "eventually shown:nosuch")
        self.assert_refused("--ltl: the proposition registered(1): registered takes a name", *asked, "registered(1)")
        self.assert_refused("--ltl: the proposition lamp(X): the arguments are no terms of Erlang", *asked, "lamp(X)")
        self.assert_refused("--ltl: the proposition a b: it is no name, and no term of Erlang", *asked, "'a b'")

    def test_predicates(self):
        asked = ("shown.erl", "-t", "shown:values_test", "--ltl")
        self.assert_unsupported("the predicate shown:crashes fails: it raises the error broken", *asked, "eventually shown:crashes")
        self.assert_unsupported("the predicate shown:is_strange fails: its function gives perhaps", *asked, "shown:is_strange")

    def assert_unsupported(self, expected, *arguments):
        done = self.ravel("check", *arguments)
        self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
        self.assertIn(expected, done.stdout + done.stderr)

    def test_strategies(self):
        for strategy in ("dpor", "dfs", "shortest", "random"):
            self.assert_refused("--ltl is for --strategy states", "shown.erl", "-t", "shown:values_test", "--ltl", "lamp",
                                "--strategy", strategy)

    def test_fairness(self):
        self.assert_refused("--fairness", "shown.erl", "--ltl", "lamp", "--fairness", "much")


if __name__ == "__main__":
    unittest.main()
