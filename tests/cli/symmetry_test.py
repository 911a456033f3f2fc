"""Searches by states that take several states for one: interchangeable processes, and abstractions."""

import json
import pathlib
import unittest

from support import CommandTest

LOCKER = pathlib.Path(__file__).parents[2] / "bench" / "states" / "locker.erl"

ALIKE = """\
-module(alike).
-export([fine/0, prints/0, in_order/0, hashed/0, text/0, listed/0, map_only/0, listens/0, fails/0, helper/1, kept/0, own/1]).

members(Do) ->
    Server = self(),
    [spawn(fun() -> Server ! {hello, self()}, Do(self()), receive never -> ok end end) || _ <- [1, 2, 3]],
    ok.

helper(Do) -> members(Do).
fine() -> members(fun(_) -> ok end), collect(3, []).
collect(0, Pids) -> Pids;
collect(N, Pids) -> receive {hello, Pid} -> collect(N - 1, [Pid | Pids]) end.

prints() -> members(fun(Pid) -> io:format("~p~n", [Pid]) end), ok.
in_order() -> members(fun(_) -> ok end), lists:sort(collect(3, [])).
hashed() -> members(fun(Pid) -> erlang:phash2(Pid) end), ok.
text() -> members(fun(Pid) -> pid_to_list(Pid) end), ok.
map_only() -> members(fun(_) -> ok end), Map = maps:from_keys(collect(3, []), x), 3 = map_size(Map).
listed() -> members(fun(_) -> ok end), maps:keys(maps:from_keys(collect(3, []), x)).
listens() -> members(fun(Pid) -> ravel:probe(busy, true), ravel:probe(busy, false), Pid end), ok.
fails() -> members(fun(_) -> ok end), [_, _, Last] = collect(3, []), Last ! x, exit(Last, kill), exit(found).
kept() ->
    Pids = [spawn(fun() -> receive never -> ok end end) || _ <- [1, 2, 3]],
    receive never -> Pids end.
own(_) -> true.
"""

COUNTER = """\
-module(counter).
-export([count/0, modulo/1, crashes/1, waits/1, fails/0]).

count() -> client(spawn(fun() -> server(0) end)).
client(Server) -> Server ! {add, self()}, receive done -> client(Server) end.
server(N) -> receive {add, Client} -> Client ! done, server(N + 1) end.

fails() -> failing(spawn(fun() -> server(0) end), 0).
failing(Server, N) ->
    Server ! {add, self()},
    receive done -> (N =:= 2) andalso exit(two), failing(Server, N + 1) end.

modulo(#{processes := Processes, names := _, tables := _} = State) ->
    State#{processes := maps:map(fun(_, #{stack := Stack} = Process) ->
                                         Process#{stack := [{F, [three(Term) || Term <- Terms]} || {F, Terms} <- Stack]}
                                 end, Processes)}.
three(N) when is_integer(N) -> N rem 3;
three(Term) -> Term.

crashes(_) -> error(oops).
waits(_) -> receive never -> ok end.
"""


class Symmetry(CommandTest):
    def states(self, *arguments, status=0):
        self.expect(status, "check", *arguments, "--json", "results.json")
        return json.loads((self.folder / "results.json").read_text())["states"]

    def test_its_states_are_those_of_murphi(self):
        self.write("locker.erl", LOCKER.read_text(encoding="utf-8"))
        for test, states in {"e2": 24, "e5": 523, "s5": 2495, "e6": 1292}.items():
            found = self.states("locker.erl", "-t", f"locker:{test}_test", "--steps", "receives", "--symmetric", "locker:serve")
            self.assertEqual(found, states, test)
        for options in (["--fingerprints", "64"], ["--bitstate", "1"], ["--strategy", "shortest"]):
            found = self.states("locker.erl", "-t", "locker:e5_test", "--steps", "receives", "--symmetric", "locker:serve", *options)
            self.assertEqual(found, 523, options)

    def test_what_tells_them_apart_is_refused(self):
        self.write("alike.erl", ALIKE)
        search = ["check", "alike.erl", "--symmetric", "alike:members", "-t"]
        for test in ("fine", "prints", "map_only"):
            self.expect(0, *search, f"alike:{test}")
        for test, how in {"in_order": "put in an order", "hashed": "hashed", "text": "made into text", "listed": "put in an order"}.items():
            run = self.expect(4, *search, f"alike:{test}")
            self.assertIn("the processes of --symmetric alike:members are told apart", run.stdout + run.stderr)
            self.assertIn(f"is {how}", run.stdout + run.stderr)

    def test_a_list_in_order_keeps_them_apart(self):
        self.write("alike.erl", ALIKE)
        test = ["alike.erl", "-t", "alike:kept", "--steps", "receives", "--ignore", "deadlock", "--strategy", "states"]
        self.assertEqual(self.states(*test), self.states(*test, "--symmetric", "alike:kept"))

    def test_bugs_are_told_and_replayed(self):
        self.write("alike.erl", ALIKE)
        self.expect(1, "check", "alike.erl", "-t", "alike:fails", "--symmetric", "alike:members")
        (ticket,) = self.tickets()
        self.assertIn("The bug still happens", self.expect(1, "replay", ticket).stdout)

    def test_what_it_goes_with(self):
        self.write("alike.erl", ALIKE)
        search = ["check", "alike.erl", "-t", "alike:listens", "--symmetric", "alike:members"]
        self.expect(0, *search, "--property", "mailbox_longer_than(10)")
        self.expect(1, *search, "--property", "mutual_exclusion(busy)")
        self.expect(0, *search, "--kill", "1=alike:members")
        self.refused(*search, "--property", "alike:own", says="--symmetric is not for --property alike:own yet")
        self.refused(*search, "--ltl", "G true", says="--symmetric is not for --ltl yet")
        self.refused(*search, "--ends", "stepwise", says="--symmetric is not for --ends stepwise")
        self.refused(*search, "--strategy", "dpor", says="--symmetric is for --strategy states or shortest")
        self.refused(*search[:-1], "P.1", says="--symmetric P.1: P.1 is one process.")
        self.refused(*search[:-1], "alike:", says="--symmetric alike:: alike: is no function")


class Abstraction(CommandTest):
    def test_states_are_one_of_which_it_makes_the_same(self):
        self.write("counter.erl", COUNTER)
        for options in ([], ["--fingerprints", "64"], ["--symmetric", "counter:count"], ["--strategy", "shortest"]):
            run = self.expect(3, "check", "counter.erl", "-t", "counter:count", "--abstraction", "counter:modulo", *options,
                              "--json", "results.json")
            self.assertIn("of states of which counter:modulo makes the same only one was gone on from", run.stdout)
            results = json.loads((self.folder / "results.json").read_text())
            self.assertEqual(results["verdict"], "incomplete")
            self.assertEqual(results["hashed"]["abstraction"], "counter:modulo")
            self.assertLess(results["states"], 100)

    def test_a_bug_is_a_bug(self):
        self.write("counter.erl", COUNTER)
        self.expect(1, "check", "counter.erl", "-t", "counter:fails", "--abstraction", "counter:modulo")

    def test_what_it_may_not_do_is_refused(self):
        self.write("counter.erl", COUNTER)
        search = ["check", "counter.erl", "-t", "counter:count", "--abstraction"]
        for function, says in {"crashes": "--abstraction counter:crashes fails: it raises the error oops",
                               "waits": "it waits for a message, but may only compute"}.items():
            run = self.expect(4, *search, f"counter:{function}")
            self.assertIn(says, run.stdout + run.stderr)
        self.refused(*search, "counter:nowhere", says="exports no function nowhere/1")
        self.refused(*search, "counter", says="--abstraction counter: it is no function. Write MODULE:FUNCTION.")
        self.refused(*search, "counter:modulo", "--ltl", "G true", says="--abstraction is not for --ltl")
        self.refused(*search, "counter:modulo", "--strategy", "dpor", says="--abstraction is for --strategy states or shortest")


if __name__ == "__main__":
    unittest.main()
