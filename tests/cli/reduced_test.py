"""--reduced: orders of independent steps are left out of a search by states."""

import pathlib
import unittest

from support import RACE, CommandTest

LOCKER = pathlib.Path(__file__).parents[2] / "bench" / "states" / "locker.erl"

# Six processes that have nothing to do with each other take two steps each; one of them is wrong.
APART = """\
-module(apart).
-export([fine_test/0, wrong_test/0, stuck/0, progress/0]).

fine_test() ->
    [spawn(fun() -> self() ! one, receive one -> ok end end) || _ <- lists:seq(1, 6)],
    ok.

wrong_test() ->
    [spawn(fun() -> self() ! one, receive one when N < 6 -> ok; one -> error(six) end end) || N <- lists:seq(1, 6)],
    ok.

stuck() ->
    [spawn(fun() -> self() ! one, receive one when N < 6 -> ok; two -> ok end end) || N <- lists:seq(1, 6)],
    receive never -> ok end.

progress() ->
    ravel:progress(),
    self() ! again,
    receive again -> progress() end.
"""


class Reduced(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("apart.erl", APART)

    def search(self, status, *arguments):
        run = self.expect(status, "check", *arguments, "--strategy", "states", "--json", "results.json")
        return run, self.results()

    def test_there_are_fewer_states_and_the_same_verdict(self):
        _, whole = self.search(0, "apart.erl", "-t", "apart:fine_test")
        run, reduced = self.search(0, "apart.erl", "-t", "apart:fine_test", "--reduced")
        self.assertGreater(whole["states"], 1_000)
        self.assertLess(reduced["states"], 40)
        self.assertNotIn("reduced_states", whole)
        self.assertGreater(reduced["reduced_states"], 5)
        self.assertIn(f"{reduced['states']} states ({reduced['reduced_states']} reduced), ", run.stdout)
        self.assertTrue(reduced["coverage"]["complete"])

    def test_a_bug_is_found_and_told_and_replayed(self):
        run, _ = self.search(1, "apart.erl", "-t", "apart:wrong_test", "--reduced")
        self.assertIn("a process fails with the error six", run.stdout)
        (ticket,) = self.tickets()
        self.expect(1, "replay", ticket)

    def test_a_deadlock_is_found(self):
        for options in ([], ["--reduced"], ["--reduced", "--fingerprints", "64"], ["--reduced", "--steps", "receives"]):
            run, _ = self.search(1, "apart.erl", "-t", "apart:stuck", "-k", *options)
            self.assertIn("Bug 1: deadlock", run.stdout)
            self.assertRegex(run.stdout, r"1 distinct bug in the ")

    def test_all_bugs_of_a_race_are_found(self):
        self.write("race.erl", RACE)
        for test, status, bugs in (("fine", 0, 0), ("lost", 1, 1), ("both", 1, 2)):
            for options in ([], ["--reduced"]):
                _, results = self.search(status, "race.erl", "-t", f"race:{test}_test", "-k", *options)
                self.assertEqual(len(results["bugs"]), bugs, (test, options))

    def test_the_locker_has_a_fraction_of_its_states(self):
        for test in ("e3", "s3"):
            counts = [self.search(0, LOCKER, "-t", f"locker:{test}_test", *options)[1]["states"] for options in ([], ["--reduced"])]
            self.assertLess(counts[1] * 3, counts[0], test)

    def test_what_it_is_not_for(self):
        self.refused("check", "apart.erl", "--strategy", "shortest", "--reduced", says="--reduced is for --strategy states; the strategy here is shortest.")
        self.refused("check", "apart.erl", "--reduced", says="--reduced is for --strategy states; the strategy here is dpor.")
        search = ["check", "apart.erl", "-t", "apart:fine_test", "--strategy", "states", "--reduced"]
        self.refused(*search, "--early", "1", says="--reduced is not for --early yet")
        self.refused(*search, "--kill", "1", says="--reduced is not for faults yet")
        self.refused(*search, "--symmetric", "apart:fine_test", says="--reduced is not for --symmetric")
        self.refused(*search, "--abstraction", "apart:fine_test", says="--reduced is not for --abstraction")
        self.refused("check", "apart.erl", "-t", "apart:fine_test", "--ltl", "G true", "--reduced", says="--reduced is not for --ltl")

    def test_progress_is_not_looked_for(self):
        run, _ = self.search(0, "apart.erl", "-t", "apart:progress", "--reduced")
        self.assertIn("executions that go on for ever without ravel:progress() were not looked for", run.stdout)


if __name__ == "__main__":
    unittest.main()
