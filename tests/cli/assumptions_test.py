"""What a pass takes for granted is told where it decided something, and nowhere else: for each assumption a test that is right, and
one that is wrong, only without it."""

import json
import pathlib
import unittest

from support import CommandTest

PROGRAM = """\
-module(granted).
-compile([export_all, nowarn_export_all]).

%% One process sends to this one, then tells another one, which sends to this one too.
by_way_of_another(Wanted) ->
    Self = self(),
    Other = spawn(fun() -> receive go -> Self ! second end end),
    spawn(fun() -> Self ! first, Other ! go end),
    receive Wanted -> ok end.

takes_what_comes() ->
    Self = self(),
    Other = spawn(fun() -> receive go -> Self ! second end end),
    spawn(fun() -> Self ! first, Other ! go end),
    receive One -> first = One end,
    receive Two -> second = Two end.

takes_each_by_its_name() -> by_way_of_another(first), receive second -> ok end.

takes_from_one_process() ->
    Self = self(),
    spawn(fun() -> Self ! first, Self ! second end),
    receive One -> first = One end,
    receive Two -> second = Two end.

answers_come_by_way_of_this_one() ->
    Self = self(),
    Echo = fun() -> receive {From, X} -> From ! X end end,
    [begin spawn(Echo) ! {Self, N}, receive M -> N = M end end || N <- [1, 2]].

draws() -> true = rand:uniform(100) < 101.

draws_among_others() ->
    draws(),
    [spawn(fun() -> [persistent_term:put(last, {self(), N}) || N <- [1, 2, 3, 4]] end) || _ <- [1, 2, 3]].

draws_from_a_seed_of_its_own() -> rand:seed(exsss, 5), true = rand:uniform(100) < 101.

asks() -> false = os:getenv("A_VARIABLE").

asks_for_what_it_has_set() -> os:putenv("A_VARIABLE", "1"), "1" = os:getenv("A_VARIABLE").

watched(Watchers) ->
    Watched = spawn(fun() -> receive stop -> ok end end),
    Self = self(),
    [spawn(fun() -> monitor(process, Watched), Self ! ready, receive {'DOWN', _, _, _, _} -> ok end end) || _ <- Watchers],
    [receive ready -> ok end || _ <- Watchers],
    Watched ! stop.

%% An application of two processes; the second one looks for the first, and may want to find it.
start(_, Wants) ->
    spawn_link(fun() -> register(first, self()), receive never -> ok end end),
    {ok, spawn_link(fun() -> Found = whereis(first), true = not Wants orelse is_pid(Found), receive never -> ok end end)}.
stop(_) -> ok.

load(Wants) ->
    ok = application:load({application, granted, [{description, ""}, {vsn, "1"}, {modules, []}, {registered, []},
                                                  {applications, [kernel, stdlib]}, {mod, {granted, Wants}}]}).

starts() ->
    load(false),
    ok = application:start(granted),
    ok = application:stop(granted).

starts_what_wants() -> load(true), ok = application:start(granted).

starts_and_goes_on() -> load(false), ok = application:start(granted), takes_what_comes_first().

takes_what_comes_first() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    receive One -> 1 = One end.

%% One process starts it, and another one wants to find it started.
starts_beside_others() ->
    load(false),
    spawn(fun() -> true = is_pid(whereis(first)) end),
    ok = application:start(granted).

stops_beside_others() ->
    load(false),
    ok = application:start(granted),
    spawn(fun() -> whereis(first) end),
    ok = application:stop(granted).

watched_by_one() -> watched([1]).
watched_by_two() -> watched([1, 2]).
"""


class Assumptions(CommandTest):
    def check_granted(self, function, *options):
        """The kinds of what was assumed, of a complete pass."""
        pathlib.Path(self.folder, "granted.erl").write_text(PROGRAM)
        result = self.ravel("check", "granted.erl", "-t", f"granted:{function}", "--json", "r.json", *options)
        results = json.loads(pathlib.Path(self.folder, "r.json").read_text())
        self.text = result.stdout
        self.verdict = results["verdict"]
        self.assumptions = results["assumptions"]
        self.executions = results["executions"]
        return [one["kind"] for one in self.assumptions]

    def test_a_message_that_another_one_could_have_overtaken(self):
        self.assertEqual(self.check_granted("takes_what_comes"), ["instant_delivery"])
        self.assertEqual(self.verdict, "pass")
        self.assertEqual(self.assumptions[0]["places"], 1)
        self.assertIn(f"A message could have overtaken another one at granted.erl:{self.assumptions[0]['line']}; "
                      "--delivery channels tries that.", self.text)
        self.assertEqual(self.check_granted("takes_what_comes", "--delivery", "channels"), [])
        self.assertEqual(self.verdict, "bug")

    def test_strategies_that_compare_nothing_look_at_one_execution(self):
        for strategy in ("preemption", "random"):
            kinds = self.check_granted("takes_what_comes", "--strategy", strategy, "--budget", "100x")
            self.assertEqual(kinds, ["instant_delivery"])

    def test_messages_whose_order_is_fixed_or_makes_no_difference(self):
        for function in ("takes_each_by_its_name", "takes_from_one_process", "answers_come_by_way_of_this_one"):
            self.assertEqual(self.check_granted(function), [], function)
            self.assertEqual(self.verdict, "pass")
            self.check_granted(function, "--delivery", "channels")
            self.assertEqual(self.verdict, "pass", function)

    def test_random_numbers(self):
        self.assertEqual(self.check_granted("draws"), ["one_seed"])
        self.assertEqual(self.assumptions[0]["option"], "--rand-seed N")
        self.assertEqual(self.check_granted("draws_from_a_seed_of_its_own"), [])

    def test_the_environment(self):
        self.assertEqual(self.check_granted("asks"), ["one_environment"])
        self.assertEqual(self.check_granted("asks_for_what_it_has_set"), [])

    def test_ends_that_several_are_told_of(self):
        self.assertEqual(self.check_granted("watched_by_two", "--ends", "atomic"), ["atomic_ends"])
        self.assertEqual(self.check_granted("watched_by_one", "--ends", "atomic"), [])
        self.assertEqual(self.check_granted("watched_by_two"), [])

    def test_applications_start_in_one_order(self):
        self.assertEqual(self.check_granted("starts"), ["starts_once"])
        self.assertEqual((self.verdict, self.executions), ("pass", 1))
        self.assertEqual(self.assumptions[0]["places"], 2)  # where it is stopped, too
        self.assertNotIn("starts_once", self.check_granted("starts", "--starts", "explored"))
        self.assertEqual(self.verdict, "pass")
        self.assertGreater(self.executions, 1)
        self.check_granted("starts_what_wants")
        self.assertEqual(self.verdict, "pass")
        self.check_granted("starts_what_wants", "--starts", "explored")
        self.assertEqual(self.verdict, "bug")

    def test_what_is_beside_or_after_a_start_has_all_its_orders(self):
        for function in ("starts_and_goes_on", "starts_beside_others"):
            self.check_granted(function)
            self.assertEqual(self.verdict, "bug", function)
            (ticket,) = (self.folder / "ravel-tickets").glob(f"granted.{function}.*")
            self.assertIn("The bug still happens", self.expect(1, "replay", ticket).stdout)
        # Each application for itself.
        self.assertEqual(self.check_granted("stops_beside_others"), ["starts_once"])
        self.assertEqual((self.verdict, self.assumptions[0]["places"]), ("pass", 1))
        self.assertGreater(self.executions, 1)

    def test_an_interrupted_search_keeps_them(self):
        pathlib.Path(self.folder, "granted.erl").write_text(PROGRAM)
        self.expect(3, "check", "granted.erl", "-t", "granted:draws_among_others", "--budget", "5x")
        file = next((self.folder / "ravel-tickets").glob("*.search"))
        self.expect(3, "check", "--resume", file, "--budget", "5x", "--json", "again.json")
        results = json.loads(pathlib.Path(self.folder, "again.json").read_text())
        self.assertEqual([one["kind"] for one in results["assumptions"]], ["one_seed"])


if __name__ == "__main__":
    unittest.main()
