"""Strata of a delaying explorer by several processes: each is that of one process, whoever is killed on the way."""

import json
import os
import random
import signal
import subprocess
import time
import unittest

from jobs_support import LEARNING, LOCKER, PROGRAMS, ROOT, JobsTest, random_program_in_p

COUNTS = ["verdict", "stop", "states", "transitions", "executions", "erroneous_executions", "depth", "coverage"]
COMMIT = ROOT / "examples" / "p" / "protocols" / "two_phase_commit"
SES = ["--strategy", "ses"]

# Who has become able to move first moves, and it is all the same whether somebody is delayed: it never names all.
FIRST_CPP = """\
#include <ravel/explorer.h>
struct first : ravel::delaying::Explorer {
  using Words = ravel::delaying::Words;
  using Actors = ravel::delaying::Actors;
  static void enabled(Words& queue, uint32_t actor, uint32_t, const char*) { queue.push_back(actor); }
  static void blocked(Words& queue, uint32_t actor) { queue.remove(actor); }
  static uint32_t next(const Words& queue, const Actors&) { return queue[0]; }
  static void delay(Words&, const Actors&) {}
};
RAVEL_EXPLORER(first)
"""


class StrataJobsTest(JobsTest):
    @staticmethod
    def told(test):
        told = {name: test.get(name) for name in COUNTS}
        told["bugs"] = sorted((bug["kind"], bug["message"], bug["executions"]) for bug in test["bugs"])
        return told

    def schedules(self):
        """Of each ticket, by its name."""
        return {ticket.name: json.loads(ticket.read_text())["schedule"] for ticket in (self.folder / "tickets").glob("*.ticket.json")}

    def compare(self, *arguments, jobs=(2, 3)):
        self.search(*arguments, *SES)
        alone, schedules = self.results(), self.schedules()
        for count in jobs:
            said = self.search(*arguments, *SES, "--jobs", count)
            self.assertEqual(self.told(self.results()), self.told(alone), f"{count} processes\n{said}")
            if "-k" not in arguments:
                self.assertEqual(self.schedules(), schedules, said)
        return alone

    def test_each_stratum_is_that_of_one_process(self):
        for explorer in ["rtc", "rr"]:
            for delays in [["--delays", "9"], ["--delays", "13"], []]:
                alone = self.compare(LOCKER, "-t", "locker:e1s4_test", "--steps", "receives", "--explorer", explorer, *delays)
                self.assertEqual(alone["verdict"], "incomplete" if delays else "pass")
                if not delays:
                    self.assertEqual(alone["states"], 130097)
        self.compare(LOCKER, "-t", "locker:e3_test", "--steps", "receives", "--explorer", "prr", "--seed", "3", jobs=(8,))

    def test_programs_in_p(self):
        counts = set()
        for explorer in ["rtc", "rr"]:
            for delays in ["5", "9"]:
                alone = self.compare(COMMIT, "-t", "tcOneClientAndACrash", "--ignore", "liveness", "--explorer", explorer, "--delays", delays)
                counts.add(alone["states"])
        self.assertEqual(len(counts), 4)

    def test_bugs_are_the_same_and_so_is_the_first_one_with_its_schedule(self):
        self.write("learning.erl", LEARNING)
        for explorer in ["rtc", "rr"]:
            alone = self.compare("learning.erl", "-t", "learning:fails", "-k", "--explorer", explorer)
            self.assertGreater(len(alone["bugs"]), 2)
        alone = self.compare("learning.erl", "-t", "learning:fails", "--explorer", "rr", "--delays", "3")
        self.assertEqual(alone["stop"], "first_bug")
        self.compare("learning.erl", "-t", "learning:names", "-k")

    def test_the_first_bug_may_need_many_delays(self):
        self.write("deep.erl", "-module(deep).\n-export([many/0]).\n"
                   "many() -> ets:new(t, [named_table, public]), Me = self(),\n"
                   "    [spawn(fun() -> work(N, 3), Me ! done end) || N <- [1, 2, 3]], [receive done -> ok end || _ <- [1, 2, 3]].\n"
                   "work(_, 0) -> ok;\n"
                   "work(N, K) -> Last = case ets:lookup(t, last) of [{_, L}] -> L; [] -> [] end,\n"
                   "    ets:insert(t, {last, lists:sublist([N | Last], 4)}),\n"
                   "    case ets:lookup(t, last) of [{_, [1, 2, 3, 1]}] -> exit(found); _ -> ok end, work(N, K - 1).\n")
        for explorer in ["rtc", "rr"]:
            alone = self.compare("deep.erl", "-t", "deep:many", "--explorer", explorer)
            self.assertEqual(alone["stop"], "first_bug")
            self.assertGreater(alone["coverage"]["bounds"][0]["completed"], 2)
            self.assertGreater(alone["states"], 50000)
            ticket = next((self.folder / "tickets").glob("*.ticket.json"))
            self.expect(1, "replay", ticket)
            for ticket in (self.folder / "tickets").iterdir():
                ticket.unlink()

    def test_what_is_learnt_on_the_way_makes_no_difference(self):
        self.write("learning.erl", LEARNING)
        for test in ["learning:names", "learning:late"]:
            self.compare("learning.erl", "-t", test, "--crashes", "all", "-k")

    def test_loops_that_only_look_are_told(self):
        self.write("learning.erl", LEARNING)
        alone = self.compare("learning.erl", "-t", "learning:looks", "-k")
        self.assertIn("livelock", [bug["kind"] for bug in alone["bugs"]])

    def test_random_programs(self):
        chosen = random.Random(PROGRAMS + 1)
        for programs, numbers in self.small_programs(chosen):
            for number in numbers:
                more = chosen.choice([["-k"], ["-k", "--delays", "2"], []])
                self.compare(*programs, "-t", f"small_programs:p{number}", "--crashes", "all", "--budget", "60s", "--explorer",
                             chosen.choice(["rtc", "rr", "prr"]), *more, jobs=(chosen.choice([2, 3]),))

    def test_random_programs_in_p(self):
        chosen = random.Random(11)
        for _ in range(PROGRAMS * 4):
            self.write("random.p", random_program_in_p(chosen))
            more = chosen.choice([["-k"], ["-k", "--delays", "3"], []])
            self.compare("random.p", "--ignore", "liveness", "--explorer", chosen.choice(["rtc", "rr", "prr"]), *more,
                         jobs=(chosen.choice([2, 3, 8]),))

    def test_an_explorer_in_a_library_goes_along(self):
        source, library = self.write("first.cc", FIRST_CPP), self.folder / "first.so"
        subprocess.run(["g++", "-O1", "-shared", "-fPIC", "-I", ROOT / "include", source, "-o", library], check=True)
        search = [LOCKER, "-t", "locker:e3_test", "--explorer", library, "--delays", "5"]
        self.compare(*search)
        warnings = sorted(self.results()["warnings"])
        self.assertTrue(any("the explorer" in warning and "never names" in warning for warning in warnings), warnings)
        self.search(*search, *SES)
        self.assertEqual(sorted(self.results()["warnings"]), warnings)

    def test_explorers_of_the_program_are_for_one_process(self):
        self.write("newest.erl", "-module(newest).\n-behaviour(ravel_explorer).\n-export([init/0, enabled/3, blocked/2, next/2, delay/2]).\n"
                   "init() -> [].\nenabled(Stack, Actor, _By) -> [Actor | Stack].\nblocked(Stack, Actor) -> lists:delete(Actor, Stack).\n"
                   "next([Newest | _], _Actors) -> Newest.\ndelay([Newest | Others], _Actors) -> Others ++ [Newest].\n")
        said = self.search(LOCKER, "-t", "locker:e2_test", "--steps", "receives", *SES, "--explorer", "newest.erl", "--jobs", "2")
        self.assertIn("one process visits the states, whatever --jobs says: --explorer newest.erl is not for several", said)

    def test_a_process_that_dies_costs_the_stratum_at_hand(self):
        arguments = [LOCKER, "-t", "locker:e1s4_test", *SES, "--delays", "18"]
        self.search(*arguments)
        alone = self.told(self.results())
        process = self.begin(*arguments, "--jobs", "3", "--json", "results.json")
        children = self.wait_for_children(process, 2)
        time.sleep(0.3)
        os.kill(children[-1], signal.SIGKILL)
        said = process.communicate(timeout=120)[0]
        self.assertIn("a process of the search came to an end (signal 9), and the search has gone on from where it was saved last", said)
        self.assertEqual(self.told(self.results()), alone)

    def test_an_interrupted_search_tells_what_it_has_visited(self):
        completed, seconds = 0, 1
        while completed < 3:  # a slow machine needs longer for that
            process = self.begin(LOCKER, "-t", "locker:s6_test", *SES, "--jobs", "2", "--json", "results.json")
            self.wait_for_children(process, 2)
            time.sleep(seconds)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=30)[0]
            self.assertEqual(process.returncode, 3)
            self.assertIn("Go on with: ravel check --resume", said)
            test = self.results()
            self.assertEqual(test["stop"], "interrupted")
            completed, seconds = test["coverage"]["bounds"][0]["completed"] or 0, 2 * seconds
        self.assertGreater(test["states"], 1000)
        # Between what one process visits in the strata that were completed, and with the next one.
        states = []
        for delays in [completed, completed + 1]:
            self.search(LOCKER, "-t", "locker:s6_test", *SES, "--delays", delays)
            states.append(self.results()["states"])
        self.assertGreaterEqual(test["states"], states[0])
        self.assertLessEqual(test["states"], states[1])

    def test_a_bug_of_a_stratum_that_is_interrupted_is_told(self):
        self.write("learning.erl", LEARNING.replace("work(4)", "work(9)").replace("of 7", "of 2").replace("[1, 2, 3]], ok", "[1, 2, 3, 4, 5]], ok"))
        process = self.begin("learning.erl", "-t", "learning:fails", *SES, "-k", "--jobs", "2", "--json", "results.json", "--budget", "2s")
        said = process.communicate(timeout=60)[0]
        test = self.results()
        self.assertEqual(test["stop"], "time_budget", said)
        self.assertGreater(len(test["bugs"]), 0)


if __name__ == "__main__":
    unittest.main()
