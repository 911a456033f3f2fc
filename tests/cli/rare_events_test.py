"""A bug that needs what few systems do says so in the head of its story, and in the results for machines; others do not."""

import unittest

from support import CommandTest

PROGRAM = """\
-module(rare).
-compile([export_all, nowarn_export_all]).

answer() ->
    Server = spawn(fun() -> receive {call, From} -> From ! answer end end),
    Server ! {call, self()},
    receive answer -> ok after 1000 -> exit(too_late) end.

nobody_answers() ->
    receive answer -> ok after 1000 -> exit(too_late) end.

does_not_wait() ->
    Self = self(),
    spawn(fun() -> Self ! answer end),
    receive answer -> ok after 0 -> exit(too_early) end.

relay() ->
    Self = self(),
    Other = spawn(fun() -> receive go -> Self ! second end end),
    spawn(fun() -> Self ! first, Other ! go end),
    receive One -> first = One end,
    receive Two -> second = Two end.

either_is_first() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    receive One -> 1 = One end,
    receive Two -> 2 = Two end.
"""


class RareEvents(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("rare.erl", PROGRAM)

    def needs(self, test, *options):
        run = self.expect(1, "check", "rare.erl", "-t", f"rare:{test}", "--json", "results.json", *options)
        bug = self.results()["bugs"][0]
        counts = bug["early_timeouts"], bug["overtaking_messages"], bug["spurious_wake_ups"]
        return run.stdout.splitlines()[0], counts

    def test_a_timeout_before_others_have_gone_on_is_early(self):
        for options in [("--time", "any"), ("--time", "deadlines"), ("--early", "1")]:
            head, counts = self.needs("answer", *options)
            self.assertIn("(needs 1 early timeout, ", head)
            self.assertEqual(counts, (1, 0, 0))

    def test_one_for_which_nobody_else_could_go_on_is_not(self):
        for options in [("--time", "any"), ("--time", "deadlines"), ()]:
            head, counts = self.needs("nobody_answers", *options)
            self.assertNotIn("needs", head)
            self.assertEqual(counts, (0, 0, 0))
        self.assertNotIn("needs", self.needs("does_not_wait", "--time", "any")[0])

    def test_a_message_that_overtakes_the_one_that_it_follows_from(self):
        head, counts = self.needs("relay", "--delivery", "channels")
        self.assertIn("(needs 1 overtaking message, ", head)
        self.assertEqual(counts, (0, 1, 0))

    def test_messages_that_do_not_follow_from_each_other_overtake_nobody(self):
        for options in [("--delivery", "channels"), ()]:
            head, counts = self.needs("either_is_first", *options)
            self.assertNotIn("needs", head)
            self.assertEqual(counts, (0, 0, 0))


if __name__ == "__main__":
    unittest.main()
