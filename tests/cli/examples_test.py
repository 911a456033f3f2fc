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
            self.assertEqual(self.count(0, *listing, "--strategy", "preemption", "--preemptions", bound),
                             (bound + 1, 0))
        self.assertEqual(self.count(0, *listing, "--strategy", "preemption"), (3, 0))
        self.assertEqual(self.count(0, *listing), (1, 0))

    def test_one_erroneous_schedule_of_listing_3_1(self):
        listing = [THESIS / "listing_3_1.erl", "-t", "listing_3_1:foo"]
        self.assertEqual(self.count(1, *listing, "--strategy", "dfs"), (7, 1))
        self.assertEqual(self.count(1, *listing, "--strategy", "preemption"), (7, 1))
        self.assertEqual(self.count(1, *listing), (2, 1))

    def test_a_timeout_is_always_possible_in_listing_5_14(self):
        listing = [THESIS / "listing_5_14.erl", "-t", "listing_5_14:foo", "--time", "any"]
        self.assertEqual(self.count(1, *listing, "--strategy", "preemption"), (6, 3))
        self.assertEqual(self.count(1, *listing), (3, 2))

    def test_two_concurrent_stops_of_the_registration_server(self):
        step = EXAMPLES / "registration_server" / "step_11"
        stops = [*step.glob("*.erl"), "-t", "reg_server_tests:multiple_concurrent_stops_test"]
        self.assertEqual(self.count(0, *stops, "--strategy", "dfs"), (827844, 0))
        for bound, executions in [(0, 16), (1, 217), (2, 1728), (3, 9092)]:
            self.assertEqual(self.count(0, *stops, "--strategy", "preemption", "--preemptions", bound), (executions, 0))
        self.assertEqual(self.count(0, *stops), (12, 0))

    def test_the_ring_ends_by_the_reason_that_it_is_meant_to_have(self):
        ring = [THESIS / "ring.erl", THESIS / "ring_tests.erl", "-t", "ring_tests:two_rounds", "--preemptions", "0"]
        self.assertEqual(self.count(1, *ring)[0] > 0, True)
        self.assertEqual(self.count(0, *ring, "--normal", "ttl_limit_surpassed")[1], 0)

    def test_the_race_variants_program_has_no_bug(self):
        figure = EXAMPLES / "race_variants" / "figure_1.erl"
        self.assertEqual(self.count(0, figure, "-t", "figure_1:proc1", "--strategy", "dfs"), (120, 0))


class Behaviours(CommandTest):
    OTP = EXAMPLES / "otp"

    def check(self, status, module, test, *arguments):
        return self.expect(status, "check", self.OTP / f"{module}.erl", "-t", f"{module}:{test}_test", *arguments)

    def test_an_update_is_lost_between_two_requests_to_a_server(self):
        self.assertIn("{badmatch,1}", self.check(1, "counter_server", "lost_update").stdout)
        self.check(0, "counter_server", "one_request", "--preemptions", 2)

    def test_supervisors_restart_what_crashes(self):
        for test in ["one_for_one", "one_for_all", "rest_for_one", "simple_one_for_one", "too_many"]:
            self.check(0, "restarts", test, "--normal", "boom", "--after-infinite", 5000, "--preemptions", 0)
        # A crash that was not meant is a bug. The search goes on behind it, also from points that come after it.
        self.assertIn("exits with reason boom", self.check(1, "restarts", "simple_one_for_one", "-k", "--crashes", "all").stdout)
        self.assertIn("exits with reason boom", self.check(1, "restarts", "too_many", "--after-infinite", 5000, "--crashes", "all").stdout)

    def test_timeouts_of_a_state_machine_come_before_or_after_a_request(self):
        for test in ["state_timeout", "event_timeout", "generic_timeout"]:
            self.check(0, "turnstile", test)
        # That nobody is slower than a timeout is found with those that fire while others could go on.
        self.check(0, "turnstile", "always_open")
        self.assertIn("{badmatch,refused}", self.check(1, "turnstile", "always_open", "--time", "any").stdout)
        self.assertIn("needs 1 early timeout", self.check(1, "turnstile", "always_open", "--early", "1").stdout)

    def test_an_event_handler_that_crashes_is_removed_and_reported(self):
        self.check(0, "alarms", "supervised_handler", "--after-infinite", 5000)
        self.check(0, "alarms", "crashing_handler", "--after-infinite", 5000)
        run = self.expect(0, "run", self.OTP / "alarms.erl", "-t", "alarms:crashing_handler_test")
        self.assertIn("** gen_event handler {alarms,bad} crashed.", run.stdout)

    def test_an_application_is_started_and_stopped(self):
        for test in ["start_and_stop", "environment"]:
            self.check(0, "shop", test, "--after-infinite", 5000, "--preemptions", 1)
        self.check(1, "shop", "stopped_while_used", "--after-infinite", 5000)


class Protocols(CommandTest):
    def check(self, status, module, test):
        """What is told of the bug: a list of none or one."""
        protocol = EXAMPLES / "protocols" / f"{module}.erl"
        self.expect(status, "check", protocol, "-t", f"{module}:{test}_test", "--json", "results.json")
        return [bug["message"] for bug in self.results()["bugs"]]

    def expect_bug(self, module, test, says):
        told, = self.check(1, module, test)
        self.assertIn(says, told)

    def test_two_phase_commit(self):
        self.assertEqual(self.check(0, "two_phase_commit", "commit"), [])
        for test in ["first_vote", "any_abort"]:
            self.expect_bug("two_phase_commit", test, "{badmatch,")

    def test_paxos(self):
        self.assertEqual(self.check(0, "paxos", "agreement"), [])
        for test in ["own_value", "old_ballot", "no_quorum"]:
            self.expect_bug("paxos", test, "=< 1: expected true, got false")

    def test_chain_replication(self):
        for test in ["head", "middle", "tail"]:
            self.assertEqual(self.check(0, "chain", test), [])
        for test in ["not_sent_again", "no_reply"]:
            self.expect_bug("chain", test, "waits for ever in chain:update_reply/3")
        self.expect_bug("chain", "early_reply", "expected [hello], got []")


class Demonstration(CommandTest):
    def test_it_finds_a_bug_in_colour_and_replays_it(self):
        demo = subprocess.run(
            [EXAMPLES / "demo.sh"], env=self.environment({"RAVEL": RAVEL}), capture_output=True, text=True
        )
        self.assertEqual(demo.returncode, 0, demo.stdout + demo.stderr)
        self.assertIn("\033[31mBug 1: deadlock", demo.stdout)
        self.assertIn("What makes the difference", demo.stdout)
        self.assertIn("The bug still happens: deadlock", demo.stdout)
        self.assertIn("assertion balance == 120 failed", demo.stdout)


if __name__ == "__main__":
    unittest.main()
