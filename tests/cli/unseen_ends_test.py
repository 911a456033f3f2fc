"""Searches by states let ends come first that nobody can see; the list of all processes shows them."""

import unittest

from support import CommandTest

PILE = """\
-module(pile).
-export([forgotten/0, seen/0, known/0]).

%% A server that starts a worker for each request, and forgets it.
forgotten() ->
    Server = spawn(fun server/0),
    spawn(fun() -> client(Server) end),
    ok.

server() ->
    receive {work, From} -> spawn(fun() -> From ! done end) end,
    server().

client(Server) ->
    Server ! {work, self()},
    receive done -> ok end,
    client(Server).

%% The worker has done its work, and is still there: that is seen by nothing but the list.
seen() ->
    Before = length(processes()),
    spawn(fun() -> persistent_term:put(done, true) end),
    case persistent_term:get(done, false) andalso length(processes()) > Before of
        true -> error(still_there);
        false -> ok
    end.

%% The same by its pid.
known() ->
    Worker = spawn(fun() -> persistent_term:put(done, true) end),
    case persistent_term:get(done, false) andalso is_process_alive(Worker) of
        true -> error(still_there);
        false -> ok
    end.
"""


class UnseenEnds(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("pile.erl", PILE)

    def test_forgotten_workers_do_not_pile_up(self):
        for strategy in (["states"], ["shortest"], ["states", "--reduced"], ["states", "--fingerprints", "64"]):
            self.expect(0, "check", "pile.erl", "-t", "pile:forgotten", "--strategy", *strategy, "--ignore", "deadlock", "--json", "results.json")
            self.assertLess(self.results()["states"], 30)
            self.assertTrue(self.results()["coverage"]["complete"])

    def test_who_can_see_an_end_sees_what_comes_before_it(self):
        for test in ("seen", "known"):
            for strategy in (["dfs"], ["states"], ["shortest"], ["states", "--reduced"]):
                run = self.expect(1, "check", "pile.erl", "-t", f"pile:{test}", "--strategy", *strategy)
                self.assertIn("a process fails with the error still_there", run.stdout, (test, strategy))


if __name__ == "__main__":
    unittest.main()
