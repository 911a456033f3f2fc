"""The numbers of executions that the documentation names, and the demonstration."""

import pathlib
import subprocess
import unittest

from support import RAVEL, CommandTest

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
THESIS = EXAMPLES / "thesis"


class Numbers(CommandTest):
    def count(self, status, *arguments):
        """Executions, and how many of them end in a bug."""
        self.expect(status, "check", *arguments, "-k", "-q", "--json", "results.json")
        results = self.results()
        return results["executions"], results["erroneous_executions"]

    def test_blocking_avoidance_and_preemption_bounds_of_listing_4_2(self):
        listing = [THESIS / "listing_4_2.erl", "-t", "listing_4_2:foo"]
        self.assertEqual(self.count(0, *listing, "--strategy", "dfs"), (3, 0))
        self.assertEqual(self.count(0, *listing, "--strategy", "dfs", "--blocking", "explore"), (6, 0))
        for bound in [0, 1, 2]:
            self.assertEqual(self.count(0, *listing, "--preemptions", bound), (bound + 1, 0))
        self.assertEqual(self.count(0, *listing), (3, 0))

    def test_one_erroneous_schedule_of_listing_3_1(self):
        listing = [THESIS / "listing_3_1.erl", "-t", "listing_3_1:foo"]
        self.assertEqual(self.count(1, *listing, "--strategy", "dfs"), (7, 1))
        self.assertEqual(self.count(1, *listing), (7, 1))

    def test_a_timeout_is_always_possible_in_listing_5_14(self):
        self.assertEqual(self.count(1, THESIS / "listing_5_14.erl", "-t", "listing_5_14:foo"), (6, 3))

    def test_two_concurrent_stops_of_the_registration_server(self):
        step = EXAMPLES / "registration_server" / "step_11"
        stops = [*step.glob("*.erl"), "-t", "reg_server_tests:multiple_concurrent_stops_test"]
        self.assertEqual(self.count(0, *stops, "--strategy", "dfs"), (827844, 0))
        for bound, executions in [(0, 16), (1, 217), (2, 1728), (3, 9092)]:
            self.assertEqual(self.count(0, *stops, "--preemptions", bound), (executions, 0))

    def test_the_ring_ends_by_the_reason_that_it_is_meant_to_have(self):
        ring = [THESIS / "ring.erl", THESIS / "ring_tests.erl", "-t", "ring_tests:two_rounds", "--preemptions", "0"]
        self.assertEqual(self.count(1, *ring)[0] > 0, True)
        self.assertEqual(self.count(0, *ring, "--normal", "ttl_limit_surpassed")[1], 0)

    def test_the_race_variants_program_has_no_bug(self):
        figure = EXAMPLES / "race_variants" / "figure_1.erl"
        self.assertEqual(self.count(0, figure, "-t", "figure_1:proc1", "--strategy", "dfs"), (120, 0))


class Demonstration(CommandTest):
    def test_it_finds_a_bug_in_colour_and_replays_it(self):
        demo = subprocess.run(
            [EXAMPLES / "demo.sh"], env=self.environment({"RAVEL": RAVEL}), capture_output=True, text=True
        )
        self.assertEqual(demo.returncode, 0, demo.stdout + demo.stderr)
        self.assertIn("\033[31mBug 1: deadlock", demo.stdout)
        self.assertIn("The bug still happens: deadlock", demo.stdout)


if __name__ == "__main__":
    unittest.main()
