"""What counts as a bug: --normal, --ignore, --leftovers, --crashes, --long, --assertions-only, --first-process-only, --non-racing."""

import unittest

from support import CommandTest

ALL = ["--leftovers", "bug", "--crashes", "all"]

PROGRAM = """
-module(ends).
-export([watched/0, waits/0, other_waits/0, exits/0, other_exits/0, asserts/0, halts/0, endless/0, two_senders/0]).
-include_lib("stdlib/include/assert.hrl").

waits() -> receive never -> ok end.

other_waits() -> spawn(fun() -> receive never -> ok end end).

exits() -> exit(reason).

watched() -> {_, Ref} = spawn_monitor(fun() -> exit(reason) end), receive {'DOWN', Ref, _, _, reason} -> ok end.

other_exits() -> spawn(fun() -> exit(reason) end).

asserts() -> ?assertEqual(1, length([a, b])).

halts() -> halt(3).

endless() -> self() ! again, receive again -> endless() end.

%% Who comes first decides.
two_senders() ->
    register(server, self()),
    [spawn(fun() -> server ! Name end) || Name <- [first, second]],
    receive first -> ok; second -> exit(second_was_first) end,
    receive _ -> ok end.
"""


class Properties(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("ends.erl", PROGRAM)

    def check(self, status, test, *arguments):
        return self.expect(status, "check", "ends.erl", "-t", f"ends:{test}", *arguments)

    def test_each_kind_of_end_is_a_bug_unless_ignored(self):
        for test, kind in [("waits", "deadlock"), ("exits", "exit"), ("asserts", "exit"), ("halts", "halt")]:
            others = [word for other in ("deadlock", "exit", "halt") if other != kind for word in ("--ignore", other)]
            self.check(1, test, *others)
            run = self.check(0, test, "--ignore", kind)
            self.assertIn("No bug", run.stdout)

    def test_a_halt_status_can_be_declared_normal(self):
        self.check(1, "halts", "--normal", "4")
        self.check(0, "halts", "--normal", "3")

    def test_executions_that_are_cut_off_are_counted(self):
        self.check(1, "endless", "--events", "50", "--long", "bug")
        run = self.check(0, "endless", "--events", "50", "--ignore", "events", "--json", "results.json")
        self.assertIn("1 execution cut off after 50 events", run.stdout)
        self.assertEqual(self.results()["cut_off"], 1)

    def test_what_is_left_behind_is_told_and_is_a_bug_if_asked_for(self):
        run = self.check(0, "other_waits", "--json", "results.json", "--junit", "results.xml")
        self.assertIn("1 process is left behind, waiting: a fun of ends:other_waits/0, for never (ends.erl:8).", run.stdout)
        left = self.results()["left_behind"]
        self.assertEqual((left["most"], left["kinds"][0]["line"]), (1, 8))
        self.assertIn("1 process is left behind", (self.folder / "results.xml").read_text())
        self.assertIn("Bug 1: deadlock", self.check(1, "other_waits", "--leftovers", "bug").stdout)
        (ticket,) = self.tickets()
        self.assertIn("The bug still happens: deadlock", self.expect(1, "replay", ticket).stdout)

    def test_ends_that_somebody_handles_are_told_and_are_bugs_if_asked_for(self):
        run = self.check(0, "watched", "--json", "results.json")
        self.assertIn("1 abnormal end was handled: a process exits with reason reason (ends.erl:", run.stdout)
        self.assertEqual(self.results()["handled_ends"]["most"], 1)
        self.check(1, "watched", "--crashes", "all")
        (ticket,) = self.tickets()
        self.assertIn("The bug still happens: abnormal exit", self.expect(1, "replay", ticket).stdout)
        self.check(1, "other_exits")
        self.assertIn("'none' is none of unhandled, all", self.check(2, "watched", "--crashes", "none").stderr)

    def test_only_assertions(self):
        self.check(0, "exits", "--assertions-only")
        run = self.check(1, "asserts", "--assertions-only")
        self.assertIn("Bug 1: assertion", run.stdout)
        self.check(1, "waits", "--assertions-only")

    def test_only_the_first_process(self):
        for test in ("other_waits", "other_exits"):
            self.check(1, test, *ALL)
            self.check(0, test, "--first-process-only", *ALL)
        for test in ("waits", "exits"):
            self.check(1, test, "--first-process-only")

    def test_messages_to_a_non_racing_process_are_not_reordered(self):
        self.check(1, "two_senders", "--strategy", "dpor")
        self.check(0, "two_senders", "--strategy", "dpor", "--non-racing", "server")
        self.check(1, "two_senders", "--strategy", "dpor", "--non-racing", "another")
        run = self.check(2, "two_senders", "--strategy", "dfs", "--non-racing", "server")
        self.assertIn("--non-racing is for --strategy dpor or variants", run.stderr)

    def test_a_ticket_keeps_what_is_a_bug(self):
        self.check(1, "asserts", "--assertions-only", "--ignore", "deadlock")
        (ticket,) = self.tickets()
        self.assertIn("The bug still happens", self.expect(1, "replay", str(ticket)).stdout)

    def test_an_unknown_kind_is_named(self):
        run = self.check(2, "waits", "--ignore", "deadlocks")
        self.assertRegex(run.stderr, "'deadlocks' is none of deadlock, .*exit, halt, .*events, event_bound")


if __name__ == "__main__":
    unittest.main()
