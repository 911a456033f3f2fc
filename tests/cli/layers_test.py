"""Layers: modules whose calls are one step (--atomic), and modules that stand in for others (--stub)."""

import unittest

from support import CommandTest

# Every call sends twice, in one way or another.
SENDER = """\
-module(sender).
-export([two/1, a_fun/1, each/1, loop/2, back/2, fail/1, lock/1, once/1]).
two(P) -> P ! a, P ! b.
a_fun(P) -> fun() -> P ! a, P ! b end.
each(F) -> lists:foreach(fun(_) -> F() end, [1, 2]), ok.
loop(P, 0) -> P;
loop(P, N) -> P ! N, loop(P, N - 1).
back(P, F) -> P ! a, F(), ok.
fail(P) -> P ! a, P ! b, error(x).
lock(P) -> P ! {lock, self()}, receive granted -> ok end, P ! used, P ! free.
once(P) -> P ! once.
"""

# Two processes that make two calls of sender each.
COUNTS = """\
-module(counts).
-export([calls/0, funs/0, callback/0, loops/0, applied/0, nested/0, caught/0, mixed/0, spawned/0, waits/0]).
two(Work) -> spawn(Work), spawn(Work).
calls() -> P = self(), two(fun() -> sender:two(P), sender:two(P) end).
funs() -> F = sender:a_fun(self()), two(fun() -> F(), F() end).
callback() -> P = self(), two(fun() -> sender:each(fun() -> P ! 1 end), sender:each(fun() -> P ! 1 end) end).
loops() -> P = self(), two(fun() -> sender:loop(P, 2), sender:loop(P, 2) end).
applied() -> P = self(), M = list_to_atom("sender"), two(fun() -> apply(sender, two, [P]), M:two(P) end).
nested() -> P = self(), two(fun() -> sender:back(P, fun() -> sender:two(P) end), sender:two(P) end).
caught() -> P = self(), two(fun() -> catch sender:fail(P), catch sender:fail(P) end).
mixed() -> P = self(), two(fun() -> sender:once(P), P ! x, sender:once(P), sender:once(P) end).
spawned() -> P = self(), spawn(sender, two, [P]), spawn(sender, loop, [P, 3]).
waits() -> P = self(), spawn(fun() -> sender:lock(P) end), receive {lock, Q} -> Q ! granted end.
"""

FAKE_TCP = """\
-module(fake_tcp).
-export([connect/3, send/2, recv/2, close/1]).
connect(_Host, Port, _Options) -> {ok, Port}.
send(_Socket, _Data) -> ok.
recv(Socket, _Length) -> {ok, <<Socket:16>>}.
close(_Socket) -> ok.
"""

CLIENT = """\
-module(client).
-export([ask_test/0, dynamic_test/0, missing_test/0, clock_test/0, native_test/0, fixture_test_/0]).
ask_test() ->
    {ok, S} = gen_tcp:connect("example.org", 80, []),
    ok = gen_tcp:send(S, "hello"),
    {ok, <<80:16>>} = gen_tcp:recv(S, 0),
    ok = gen_tcp:close(S).
dynamic_test() ->
    M = list_to_atom("gen_tcp"),
    Send = fun M:send/2,
    ok = Send(1, "x"),
    {ok, 7} = apply(M, connect, [x, 7, []]),
    true = erlang:function_exported(gen_tcp, recv, 2),
    false = erlang:function_exported(gen_tcp, listen, 2),
    {_, Monitor} = spawn_monitor(gen_tcp, close, [1]),
    receive {'DOWN', Monitor, _, _, normal} -> ok end.
missing_test() -> gen_tcp:listen(80, []).
clock_test() -> 101 = clock:time(), undef = try clock:date() catch error:undef -> undef end.
native_test() -> <<"zipped">> = zlib:gzip("text").
fixture_test_() -> {setup, fun() -> {ok, S} = gen_tcp:connect(x, 1, []), S end, fun(S) -> [fun() -> 1 = S end] end}.
"""

CLOCKS = {
    "clock": "-module(clock).\n-export([time/0, date/0]).\ntime() -> 100.\ndate() -> today.\n",
    "fast_clock": "-module(fast_clock).\n-export([time/0]).\ntime() -> clock:time() + 1.\n",
}

FAKE_ZLIB = """\
-module(fake_zlib).
-export([gzip/1]).
gzip(_) -> <<"zipped">>.
"""


class Atomic(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("sender.erl", SENDER)
        self.write("counts.erl", COUNTS)

    def count(self, test, *options):
        self.expect(0, "check", "counts.erl", "sender.erl", "-t", f"counts:{test}", "--strategy", "dfs",
                    "--json", "results.json", *options)
        return self.results()["executions"]

    def test_each_call_is_one_step_and_two_calls_are_two(self):
        # The parent spawns and ends: s s e. The children take n steps each, the first one from the first spawn on, the second from
        # the second. The parent's end has n + 1 places among the second's steps, and the first's steps may be anywhere.
        for test in ["calls", "funs", "callback", "loops", "applied", "caught"]:
            self.assertEqual(self.count(test), 6 * 792, test)  # n = 5: 6 * C(12, 5)
            self.assertEqual(self.count(test, "--atomic", "sender"), 4 * 56, test)  # n = 3: 4 * C(8, 3)
        self.assertEqual(self.count("nested"), 7 * 3003)  # n = 6: 7 * C(14, 6)
        self.assertEqual(self.count("nested", "--atomic", "sender"), 4 * 56)
        # Calls of one operation are what they were, and so is what lies between calls.
        self.assertEqual(self.count("mixed"), 6 * 792)
        self.assertEqual(self.count("mixed", "--atomic", "sender"), 6 * 792)

    def test_a_process_of_the_module_is_one_step_until_it_waits_or_ends(self):
        # Two steps each, the function and the end: s (A: 2) s e (B: 2): 3 * C(6, 2).
        self.assertEqual(self.count("spawned", "--atomic", "sender"), 3 * 15)
        # lock sends, and waits: that is a step. Then it receives, sends and sends: a step. Then the end, while the parent,
        # which has received and sent, may end before, between or after these: 3.
        self.assertEqual(self.count("waits", "--atomic", "sender"), 3)

    def test_the_story_tells_all_operations_and_the_ticket_replays(self):
        self.write("late.erl", """\
-module(late).
-export([test/0]).
test() -> P = self(), spawn(fun() -> sender:two(P), sender:two(P) end), receive a -> ok end, receive a -> exit(second) end.
""")
        run = self.expect(1, "check", "late.erl", "sender.erl", "-t", "late:test", "--atomic", "sender")
        self.assertIn("sends a to P; sends b to P", run.stdout)
        self.assertIn("One step each: the calls of sender.", run.stdout)
        (ticket,) = self.tickets()
        replay = self.expect(1, "replay", ticket)
        self.assertIn("The bug still happens: abnormal exit", replay.stdout)
        self.assertIn("sends a to P; sends b to P", replay.stdout)
        self.assertNotIn("another operation", replay.stdout)

    def test_a_module_that_is_not_there_is_refused(self):
        self.refused("check", "counts.erl", "sender.erl", "-t", "counts:calls", "--atomic", "sendre",
                     says="--atomic sendre: there is no module sendre")


class Stubs(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("client.erl", CLIENT)
        self.write("fake_tcp.erl", FAKE_TCP)
        self.write("fake_zlib.erl", FAKE_ZLIB)

    def check(self, status, test, *options):
        return self.expect(status, "check", "client.erl", "fake_tcp.erl", "fake_zlib.erl", "-t", f"client:{test}", *options)

    def test_calls_go_to_the_stub_however_they_are_made(self):
        run = self.check(0, "ask_test", "--stub", "gen_tcp=fake_tcp")
        self.assertIn("Replaced: gen_tcp by fake_tcp.", run.stdout)
        self.check(0, "dynamic_test", "--stub", "gen_tcp=fake_tcp")
        self.check(0, "native_test", "--stub", "zlib=fake_zlib")
        self.expect(0, "run", "client.erl", "fake_tcp.erl", "-t", "client:ask_test", "--stub", "gen_tcp=fake_tcp")

    def test_what_the_stub_lacks_is_undefined_and_what_it_calls_is_the_real_module(self):
        run = self.check(1, "missing_test", "--stub", "gen_tcp=fake_tcp")
        self.assertIn("undef in fake_tcp:listen/2", run.stdout)
        (ticket,) = self.tickets()
        self.assertIn("undef in fake_tcp:listen/2", self.expect(1, "replay", ticket).stdout)
        for name, text in CLOCKS.items():
            self.write(f"{name}.erl", text)
        clocks = ["clock.erl", "fast_clock.erl", "-t", "client:clock_test"]
        self.expect(1, "check", "client.erl", *clocks)
        self.expect(0, "check", "client.erl", *clocks, "--stub", "clock=fast_clock")

    def test_fixtures_see_stubs_when_tests_are_listed(self):
        run = self.expect(0, "tests", "client.erl", "fake_tcp.erl", "--stub", "gen_tcp=fake_tcp")
        self.assertIn("client:fixture_test_/1/1\n", run.stdout)
        self.assertNotIn("client:fixture_test_/1/1\n", self.expect(0, "tests", "client.erl", "fake_tcp.erl").stdout)
        self.check(0, "fixture_test_/1/1", "--stub", "gen_tcp=fake_tcp")

    def test_bad_stubs_are_refused(self):
        for text, says in [
            ("gen_tcp", "not two modules"),
            ("gen_tcp=", "not two modules"),
            ("gen_tcp=gen_tcp", "cannot stand in for itself"),
            ("erlang=fake_zlib", "cannot be replaced"),
            ("gen_tcp=nowhere", "--stub gen_tcp=nowhere: there is no module nowhere"),
        ]:
            self.refused("check", "client.erl", "-t", "client:ask_test", "--stub", text, says=says)
        self.refused("check", "client.erl", "-t", "client:ask_test", "--stub", "gen_tcp=fake_zlib", "--stub",
                     "gen_tcp=fake_tcp", says="a second stub of gen_tcp")


if __name__ == "__main__":
    unittest.main()
