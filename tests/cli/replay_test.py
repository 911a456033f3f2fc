"""ravel replay: tickets are replayed to the same bug, and tell what has become of it in a changed program."""

import json
import shutil
import subprocess
import unittest

from support import RACE, CommandTest


class Replay(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("src/race.erl", RACE)
        self.expect(1, "check", "src/race.erl", "-t", "race:lost_test")
        (self.ticket,) = self.tickets()

    def test_the_bug_still_happens_with_the_same_story(self):
        checked = self.expect(1, "check", "src/race.erl", "-t", "race:lost_test").stdout
        run = self.expect(1, "replay", self.ticket)
        self.assertIn("The bug still happens: abnormal exit", run.stdout)
        self.assertNotIn("changed", run.stdout)
        story = [line for line in checked.splitlines() if line.startswith("  1  ") or "preemption:" in line]
        self.assertGreaterEqual(len(story), 2)
        for line in story:
            self.assertIn(line, run.stdout)
        self.assertEqual(self.expect(1, "replay", self.ticket, "-q").stdout, "")

    def test_a_replay_is_the_same_every_time(self):
        self.assertEqual(self.ravel("replay", self.ticket).stdout, self.ravel("replay", self.ticket).stdout)

    def test_lines_that_moved_do_not_hide_the_bug(self):
        self.write("src/race.erl", RACE.replace("lost_test() ->", "\n\n\nlost_test() ->"))
        run = self.expect(1, "replay", self.ticket)
        self.assertIn("The bug still happens", run.stdout)
        self.assertIn("the ticket has it at src/race.erl:6", run.stdout)

    def test_a_fixed_program_says_where_the_schedule_was_left(self):
        self.write("src/race.erl", RACE.replace("spawn(fun() -> ok end)", "self()"))
        run = self.expect(0, "replay", self.ticket)
        self.assertIn("Since this ticket was written race has changed.", run.stdout)
        self.assertIn("The bug does not happen", run.stdout)
        self.assertIn("could be followed up to step", run.stdout)

    def test_another_bug_in_its_place(self):
        self.write("src/race.erl", RACE.replace("register(math, Pid).", "exit({other, Pid})."))
        run = self.expect(1, "replay", self.ticket)
        self.assertIn("Another bug happens: abnormal exit", run.stdout)

    def test_from_another_folder_and_with_the_program_elsewhere(self):
        below = self.folder / "below"
        below.mkdir()
        ticket = self.ticket
        self.folder, home = below, self.folder
        self.expect(1, "replay", ticket)
        shutil.move(home / "src", home / "source")
        self.refused("replay", ticket, says="race.erl")
        self.expect(1, "replay", ticket, home / "source" / "race.erl")

    def test_in_another_copy_of_the_project(self):
        copy = self.folder / "copy"
        copy.mkdir()
        shutil.move(self.folder / "src", copy / "src")
        self.folder = copy
        self.expect(1, "replay", self.ticket)

    def test_the_options_of_the_check_hold(self):
        self.write("inc/limit.hrl", "-define(REASON, ?WHY).\n")
        self.write("deps/help.erl", "-module(help).\n-export([end_as/1]).\nend_as(R) -> exit(R).\n")
        self.write(
            "src/opts.erl",
            '-module(opts).\n-include("limit.hrl").\n-export([f/0]).\n'
            "f() -> spawn(fun() -> exit(fine) end), help:end_as({?REASON, ?N}).\n",
        )
        subprocess.run(["erlc", "-o", "deps", "deps/help.erl"], cwd=self.folder, check=True)
        options = ["-I", "inc", "--pa", "deps", "-D", "WHY=because", "-DN=7", "--normal", "fine", "--events", "77"]
        self.expect(1, "check", "src/opts.erl", "-t", "opts:f", "--out", "out", *options)
        (ticket,) = self.tickets("out")
        run = self.expect(1, "replay", ticket)
        self.assertIn("{because,7}", run.stdout)
        self.assertEqual(json.loads(ticket.read_text())["events_max"], 77)

    def test_a_deadlock_a_livelock_and_a_halt(self):
        self.write(
            "kinds.erl",
            "-module(kinds).\n-export([wait/0, loop/0, stop/0, spin/0]).\n"
            "wait() -> receive never -> ok end.\n"
            "loop() -> self() ! x, receive x -> loop() end.\n"
            "stop() -> halt(3).\n"
            "spin() -> self() ! x, spin(1).\nspin(N) -> spin(N + 1).\n",
        )
        for test, kind in [
            ("wait", "deadlock"),
            ("loop", "livelock"),
            ("stop", "abnormal halt"),
            ("spin", "no progress"),
        ]:
            self.expect(1, "check", "kinds.erl", "-t", f"kinds:{test}", "--out", test, "--events", "200", "--step-limit", "5000")
            (ticket,) = self.tickets(test)
            self.assertIn(f"The bug still happens: {kind}", self.expect(1, "replay", ticket).stdout)

    def test_a_deadlock_whose_lines_moved_is_the_same_bug(self):
        self.expect(1, "check", "src/race.erl", "-t", "race:both_test", "--strategy", "dfs", "-k", "--out", "out")
        (ticket,) = (ticket for ticket in self.tickets("out") if "deadlock" in ticket.name)
        self.write("src/race.erl", RACE.replace("both_test() ->", "\n\n\nboth_test() ->"))
        run = self.expect(1, "replay", ticket)
        self.assertIn("The bug still happens: deadlock", run.stdout)
        self.assertIn("a process waits for ever in race:both_test/0", run.stdout)

    def test_long_timeouts_do_not_fire_in_a_replay_either(self):
        self.write(
            "slow.erl",
            "-module(slow).\n-export([f/0]).\n"
            "f() -> S = self(), spawn(fun() -> S ! go end), spawn(fun() -> receive never -> 1 after 10 -> exit(bad) end end),\n"
            "  receive go -> ok after 5000 -> exit(slow) end.\n",
        )
        options = ["--time", "any", "--after-infinite", "5000", "-k", "--out", "out"]
        self.expect(1, "check", "slow.erl", "-t", "slow:f", *options)
        (ticket,) = self.tickets("out")
        self.assertEqual(json.loads(ticket.read_text())["program"]["after_infinite_ms"], 5000)
        run = self.expect(1, "replay", ticket)
        self.assertIn("The bug still happens", run.stdout)

    def test_time_and_random_numbers_are_the_same_in_a_replay(self):
        self.write(
            "late.erl",
            "-module(late).\n-export([f/0]).\n"
            "f() -> erlang:send_after(2, self(), second), erlang:send_after(1, self(), first),\n"
            "  receive M -> exit({M, rand:uniform(1000000), erlang:monotonic_time(millisecond)}) end.\n",
        )
        options = ["--time", "deadlines", "--clocks", "virtual", "--rand-seed", "-7", "--strategy", "dfs"]
        found = self.expect(1, "check", "late.erl", "-t", "late:f", *options, "-k", "--out", "out").stdout
        self.assertIn("{second,", found)
        self.assertIn("{first,", found)
        tickets = self.tickets("out")
        self.assertGreater(len(tickets), 2)  # at several times
        for ticket in tickets:
            self.assertIn("The bug still happens", self.expect(1, "replay", ticket).stdout)

    def test_time_passes_again_in_a_replay(self):
        self.write(
            "slept.erl",
            "-module(slept).\n-export([f/0, g/0]).\n"
            "f() -> timer:sleep(10), exit(erlang:monotonic_time(millisecond)).\n"
            "g() -> S = self(), spawn(fun() -> S ! go end), receive go -> ok after 50 -> exit(slow) end.\n",
        )
        for test, option in [("f", []), ("g", ["--early", "1"])]:
            run = self.expect(1, "check", "slept.erl", "-t", "slept:" + test, *option, "--out", test)
            self.assertIn("time passes: 10 ms" if test == "f" else "(needs 1 early timeout, 0 preemptions", run.stdout)
            (ticket,) = self.tickets(test)
            again = self.expect(1, "replay", ticket).stdout
            self.assertIn("The bug still happens", again)
            self.assertNotIn("could be followed", again)
        self.expect(0, "check", "slept.erl", "-t", "slept:g")

    def test_a_missing_atom_is_missing_again_although_other_executions_made_it(self):
        self.write(
            "early.erl",
            "-module(early).\n-export([f/0]).\n"
            'f() -> S = self(), [spawn(fun() -> S ! {Do, "of_f"} end) || Do <- [make, ask]],\n'
            "  receive {make, T} -> list_to_atom(T); {ask, T} -> list_to_existing_atom(T) end.\n",
        )
        for strategy in ["dfs", "random"]:
            self.expect(1, "check", "early.erl", "-t", "early:f", "-k", "--strategy", strategy, "--out", strategy)
            (ticket,) = self.tickets(strategy)
            self.assertIn("The bug still happens", self.expect(1, "replay", ticket).stdout)

    def test_blocked_steps_are_followed(self):
        self.write(
            "blocked.erl",
            "-module(blocked).\n-export([f/0]).\n"
            "f() -> S = self(), spawn(fun() -> S ! a end), receive a -> exit(got) end.\n",
        )
        self.expect(1, "check", "blocked.erl", "-t", "blocked:f", "--blocking", "explore", "--out", "out")
        (ticket,) = self.tickets("out")
        run = self.expect(1, "replay", ticket)
        self.assertIn("The bug still happens", run.stdout)
        self.assertNotIn("could be followed", run.stdout)


if __name__ == "__main__":
    unittest.main()
