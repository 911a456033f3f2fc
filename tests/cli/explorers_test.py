"""Searches by delaying explorers: what they say, what they promise, and what they are not for."""

import pathlib
import subprocess
import unittest

import support

BUILD = pathlib.Path(support.RAVEL).parent
SOURCES = pathlib.Path(__file__).parents[2]
EXPLORERS = ["rr", "rtc", "prr"]


class ExplorersTest(support.CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "race.erl").write_text(support.RACE)
        (self.folder / "lamp.erl").write_text((SOURCES / "examples" / "states" / "lamp.erl").read_text())

    def test_ses_visits_the_states_that_there_are(self):
        states = {}
        for strategy in [["states"]] + [["ses", "--explorer", explorer] for explorer in EXPLORERS]:
            self.expect(0, "check", "lamp.erl", "-t", "lamp:gen_server_test", "--strategy", *strategy, "--json", "results.json")
            results = self.results()
            states[" ".join(strategy)] = (results["states"], results["transitions"])
        self.assertEqual(len(set(states.values())), 1, states)

    def test_a_part_of_the_strata_is_not_told_as_all(self):
        said = self.expect(3, "check", "lamp.erl", "-t", "lamp:by_hand_test", "--strategy", "ses", "--delays", "0", "--json", "results.json").stdout
        self.assertRegex(said, r"No bug in the \d+ states? of the stratum without a delay; more delays were not tried\.")
        self.assertEqual(self.results()["coverage"]["bounds"], [{"on": "strata", "completed": 0, "exhausted": False}])
        said = self.expect(3, "check", "lamp.erl", "-t", "lamp:by_hand_test", "--strategy", "ses", "--delays", "1").stdout
        self.assertRegex(said, r"No bug in the \d+ states of the strata of up to 1 delay; more delays were not tried\.")

    def test_an_interrupted_ses_goes_on(self):
        paxos = ["check", SOURCES / "examples" / "p" / "protocols" / "paxos", "-t", "tcTwoProposers", "--strategy", "ses", "--explorer", "prr", "--seed", "3"]
        self.expect(3, *paxos, "--budget", "0.3s", "--json", "results.json")
        begun = self.results()
        self.assertGreater(begun["states"], 0)
        [file] = (self.folder / "ravel-tickets").glob("*.search")
        self.expect(3, "check", "--resume", file, "--budget", "0.3s", "--json", "results.json")
        self.assertGreater(self.results()["states"], begun["states"])
        self.expect(0, "check", "--resume", file, "--json", "results.json")
        resumed = self.results()
        self.expect(0, *paxos, "--json", "results.json")
        whole = self.results()
        for what in ["states", "transitions", "depth", "executions", "coverage"]:
            self.assertEqual(resumed[what], whole[what], what)

    def test_samples_go_on_where_ses_has_ended(self):
        commit = ["check", SOURCES / "examples" / "p" / "protocols" / "two_phase_commit", "-t", "tcOneClient", "--strategy", "ses,ss"]
        said = self.expect(3, *commit, "--delays", "2", "--budget", "700x", "--json", "results.json").stdout
        self.assertRegex(said, r"No bug in the [\d,]+ states visited, which are the strata of up to 2 delays and perhaps more, and the 700 executions drawn "
                               r"that go on from there; others were not tried\.")
        self.assertRegex(said, r"If no execution is larger than these, what one of the \d+ states put off leads to, with at most \d+ further delays? of "
                               r"the explorer rtc, is found with a probability of at least 0\.\d+ \(L = \d+\)\.")
        found = self.results()
        self.assertEqual((found["verdict"], found["in_turns"], found["coverage"]["bounds"]),
                         ("incomplete", 700, [{"on": "strata", "completed": 2, "exhausted": False}]))
        said = self.expect(0, *commit).stdout
        self.assertRegex(said, r"No bug in any of the [\d,]+ states\.")
        self.assertNotIn("another strategy", said)

    def test_samples_are_interrupted_and_go_on(self):
        commit = ["check", SOURCES / "examples" / "p" / "protocols" / "two_phase_commit", "-t", "tcTwoClients", "--strategy", "ses,ss", "--delays", "1"]
        said = self.expect(3, *commit, "--budget", "0.3s", "--json", "results.json").stdout
        self.assertIn("The budget of time ended the search: no bug in the", said)
        begun = self.results()
        self.assertGreater(begun["in_turns"], 0)
        [file] = (self.folder / "ravel-tickets").glob("*.search")
        self.expect(3, "check", "--resume", file, "--budget", "0.3s", "--json", "results.json")
        resumed = self.results()
        self.assertEqual(resumed["states"], begun["states"])
        self.assertGreater(resumed["in_turns"], begun["in_turns"])

    def test_a_bug_that_samples_find_is_told_for_replay(self):
        for explorer in EXPLORERS:
            self.expect(1, "check", SOURCES / "examples" / "protocols" / "chain.erl", "-t", "chain:no_reply_test", "--strategy", "ses,ss", "--delays", "0",
                        "--explorer", explorer, "--budget", "3000x", "--out", explorer, "--json", "results.json")
            [ticket] = (self.folder / explorer).glob("*.ticket.json")
            self.expect(1, "replay", ticket)

    def test_ses_tells_who_waits_for_ever_by_looking(self):
        self.write("look.erl", """\
-module(look).
-export([look/0]).
look() -> spawn(fun() -> up(0) end), named().
up(100) -> ok;
up(N) -> self() ! N, receive N -> up(N + 1) end.
named() -> case whereis(nobody) of undefined -> named(); _ -> ok end.
""")
        said = self.expect(1, "check", "look.erl", "-t", "look:look", "--strategy", "ses").stdout
        self.assertIn("the execution goes round for ever, and nobody does more than look", said)

    def test_both_find_the_bugs_of_a_race_and_tell_them_for_replay(self):
        for strategy in ["ses", "ss"]:
            for explorer in EXPLORERS:
                for test in ["race:lost_test", "race:both_test"]:
                    self.expect(1, "check", "race.erl", "-t", test, "--strategy", strategy, "--explorer", explorer, "--out", strategy + explorer + test[5:])
                    tickets = list((self.folder / (strategy + explorer + test[5:])).glob("*.ticket.json"))
                    self.assertEqual(len(tickets), 1)
                    self.expect(1, "replay", tickets[0])

    def test_a_sample_is_the_same_with_the_same_seed_and_its_bound_is_told(self):
        def results(seed):
            said = self.expect(1, "check", "race.erl", "-t", "race:both_test", "-k", "--strategy", "ss", "--seed", seed,
                               "--budget", "50x", "--json", "results.json").stdout
            self.assertRegex(said, r"If no execution is larger than these, what at most 1 delay of the explorer rtc shows is found with a "
                                   r"probability of at least 0\.\d+ \(L = \d+\)\.")
            found = self.results()
            return found["events"], [(bug["message"], bug["executions"]) for bug in found["bugs"]]

        self.assertEqual(results("5"), results("5"))
        self.assertNotEqual(results("5"), results("6"))

    def test_programs_of_c_and_cpp_are_sampled(self):
        subprocess.run([BUILD / "ravel-c++", SOURCES / "examples" / "threads" / "account.cc", "-o", self.folder / "account"], check=True)
        for explorer in EXPLORERS:
            said = self.expect(1, "check", "./account", "--strategy", "ss", "--explorer", explorer).stdout
            self.assertIn("The search stopped at the first bug", said)
        for strategy in ["ses", "ses,ss"]:
            self.refused("check", "./account", "--strategy", strategy, says=[f"--strategy {strategy} comes back to states", "choose --strategy ss or states"])

    def test_what_says_nothing_is_refused(self):
        check = ["check", "race.erl", "-t", "race:lost_test"]
        self.refused(*check, "--strategy", "ss", "--explorer", "magic", says=["--explorer", "there is no explorer 'magic'; choose one of: rr, rtc, prr"])
        self.refused(*check, "--explorer", "rr", says=["--explorer is for --strategy ses, ss or ses,ss; the strategy here is dpor."])
        for option in [["--reduced"], ["--fingerprints", "64"], ["--bitstate", "1"]]:
            self.refused(*check, "--strategy", "ses", *option, says=[option[0] + " is for --strategy", "the strategy here is ses."])
        self.refused(*check, "--strategy", "ses", "--symmetric", "a", says=["--symmetric is not for --strategy ses"])
        self.refused(*check, "--strategy", "ses", "--ltl", "always true", says=["--ltl is for --strategy states"])


if __name__ == "__main__":
    unittest.main()
