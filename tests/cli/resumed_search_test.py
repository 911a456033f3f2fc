"""Searches of Erlang tests that are killed and go on, by every strategy that runs executions."""

import unittest

from support import CommandTest

# Clients that register themselves at a server: many schedules, and a failure in some. The number is that of clients.
MANY = """\
-module(many).
-export([two/0, three/0, four/0, six/0]).

two() -> run(2, 4).
three() -> run(3, 1).
four() -> run(4, 2).
six() -> run(6, 1).

run(Clients, Rounds) ->
    Table = ets:new(table, [public]),
    ets:insert(Table, {last, 0}),
    Self = self(),
    [spawn(fun() -> client(Table, N, Rounds), Self ! done end) || N <- lists:seq(1, Clients)],
    [receive done -> ok end || _ <- lists:seq(1, Clients)],
    [{last, Last}] = ets:lookup(Table, last),
    Last =:= 1 andalso error(first_is_last).

client(_, _, 0) -> ok;
client(Table, N, Rounds) ->
    ets:insert(Table, {last, N}),
    client(Table, N, Rounds - 1).
"""

# Six processes send to one, which takes what comes.
RECEIVES = """\
-module(receives).
-export([test/0]).

test() ->
    Self = self(),
    [spawn(fun() -> Self ! N, Self ! N + 10 end) || N <- lists:seq(1, 5)],
    All = [receive X -> X end || _ <- lists:seq(1, 10)],
    hd(All) =:= 5 andalso error(five_is_first).
"""

COUNTS = ("executions", "redundant", "abandoned", "erroneous_executions", "verdict", "stop")


class ResumedSearch(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("many.erl", MANY)
        self.write("receives.erl", RECEIVES)

    def found(self):
        results = self.results()
        bugs = sorted((bug["message"], bug["executions"]) for bug in results["bugs"])
        return {key: results.get(key) for key in COUNTS}, bugs

    def test_it_comes_to_what_an_undisturbed_one_comes_to(self):
        for number, (module, test, *options) in enumerate([
                ("many", "four", "--strategy", "dpor"),
                ("many", "four", "--strategy", "dpor", "--preemptions", "3"),
                ("many", "three", "--strategy", "dfs"),
                ("many", "two", "--strategy", "preemption"),
                ("many", "four", "--strategy", "preemption", "--preemptions", "2"),
                ("many", "four", "--strategy", "delay", "--delays", "5"),
                ("receives", "test", "--strategy", "variants"),
                ("receives", "test", "--strategy", "dpor"),
                ("many", "six", "--strategy", "random"),
                ("many", "six", "--strategy", "pct"),
                ("many", "six", "--strategy", "pos")]):
            with self.subTest(test=test, options=options):
                folder = f"out{number}"
                search = ["check", module + ".erl", "-t", f"{module}:{test}", "-k", "-q", "--json", "results.json", *options,
                          "--out", folder]
                self.ravel(*search)
                whole = self.found()
                self.assertEqual(whole[0]["stop"], "complete")
                file = self.kill_at_checkpoint(*search, folder=folder)
                self.assertIsNotNone(file, f"the search was over before it was saved: {whole}")
                again = self.kill_at_checkpoint("check", "--resume", file, "-q", "--json", "results.json", folder=folder)
                if again is not None:
                    self.ravel("check", "--resume", again, "-q", "--json", "results.json")
                self.assertEqual(self.found(), whole)


if __name__ == "__main__":
    unittest.main()
