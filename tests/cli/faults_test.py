"""What befalls a program from outside: --kill, --drop, --duplicate, --slow."""

import json
import pathlib
import re
import unittest

from support import CommandTest

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "faults"

PROGRAM = """
-module(asks).
-export([waits/0, named_by_others/0, two_answers/0]).
-export([answer/0]).

answer() ->
    receive {From, ping} -> From ! {self(), pong} end,
    answer().

waits() ->
    Pid = spawn(?MODULE, answer, []),
    Pid ! {self(), ping},
    receive {Pid, pong} -> ok end.

named_by_others() ->
    register(server, spawn(?MODULE, answer, [])),
    server ! {self(), ping},
    receive {_, pong} -> ok end.

two_answers() ->
    Pid = spawn(?MODULE, answer, []),
    Pid ! {self(), ping},
    receive {Pid, pong} -> ok end,
    receive {Pid, pong} -> exit(again) after 10 -> ok end.
"""

CHANNELS = ["--delivery", "channels"]


class Faults(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("asks.erl", PROGRAM)

    def check(self, status, test, *arguments):
        return self.expect(status, "check", "asks.erl", "-t", f"asks:{test}", *arguments)

    def test_nothing_befalls_a_program_unless_asked_for(self):
        self.check(0, "waits")
        self.check(0, "waits", *CHANNELS)

    def test_each_strategy_finds_what_a_kill_leads_to(self):
        for strategy in ["dpor", "dfs", "preemption", "states", "shortest", "random", "pct", "pos", "surw"]:
            run = self.check(1, "waits", "--kill", "1", "--strategy", strategy)
            self.assertIn("needs 1 kill, 0 preemptions", run.stdout, strategy)
            self.assertRegex(run.stdout, r"\d+  the environment  kills P\.1 ")

    def test_processes_are_named_in_three_ways(self):
        for name in ["asks:answer", "asks:answer/0", "P.1", "nobody,P.1"]:
            self.check(1, "waits", "--kill", f"1={name}")
        for name in ["nobody", "asks:answer/1", "P.2"]:
            self.check(0, "waits", "--kill", f"1={name}")
        self.check(1, "waits", "--kill", "1=nobody", "--kill", "1=P.1")
        self.check(1, "named_by_others", "--kill", "1=server", "--strategy", "preemption")

    def test_a_name_that_another_process_gives_is_refused_by_reduction(self):
        run = self.check(4, "named_by_others", "--kill", "1=server")
        self.assertIn("asks.erl:16: --kill names server, but another process gives or takes that name", run.stderr)
        self.check(1, "named_by_others", "--kill", "1=server", "--preemptions", "2")

    def test_messages_are_lost_or_arrive_twice(self):
        run = self.check(1, "waits", *CHANNELS, "--drop", "1")
        self.assertIn("needs 1 lost message", run.stdout)
        self.assertIn("the environment  loses the message {<P>,ping} from P to P.1", run.stdout)
        self.check(0, "waits", *CHANNELS, "--duplicate", "1")
        run = self.check(1, "two_answers", *CHANNELS, "--duplicate", "1")
        self.assertIn("needs 1 duplicated message", run.stdout)
        self.assertIn("the environment  duplicates the message {<P>,ping} from P to P.1", run.stdout)

    def test_tickets_and_results_hold_them(self):
        for faults, field in [(["--kill", "1=asks:answer"], "kills"), ([*CHANNELS, "--drop", "1"], "lost_messages")]:
            run = self.check(1, "waits", *faults, "--json", "results.json")
            ticket = re.search(r"ravel replay (\S+)", run.stdout).group(1)
            self.assertIn("The bug still happens", self.expect(1, "replay", ticket).stdout)
            results = json.loads((self.folder / "results.json").read_text())
            self.assertEqual(results["bugs"][0][field], 1)
            self.assertEqual(results["faults_completed"], 0)
        self.check(0, "two_answers", *CHANNELS, "--slow", "P.1", "--json", "results.json")

    def test_what_does_not_go_together_is_refused(self):
        for arguments, message in [
            (["--drop", "1"], "--drop is about messages on their way"),
            (["--duplicate", "1"], "--duplicate is about messages on their way"),
            (["--slow", "P.1"], "--slow is about messages on their way"),
            (["--kill", "0"], "not a number of kills"),
            (["--kill", "many=P.1"], "not a number of kills"),
            (["--kill", "1="], "a name is missing"),
            (["--kill", "1=asks:"], "is no function"),
            (["--kill", "1=asks:f/x"], "has no arity after the slash"),
            (["--kill", "1=P.x"], "is no logical name"),
            (["--kill", "1=a", "--kill", "2=b"], "a second number"),
            (["--kill", "1", "--strategy", "delay"], "not for --strategy delay"),
            (["--kill", "1", "--strategy", "variants"], "not for --strategy variants"),
            (["--kill", "1=P.1", "--strategy", "states"], "P.1 is not for --strategy states"),
            ([*CHANNELS, "--slow", "P.1", "--strategy", "variants"], "--slow is not for --strategy variants"),
        ]:
            self.assertIn(message, self.check(2, "waits", *arguments).stderr)

    def test_the_examples_show_what_they_say(self):
        for file in EXAMPLES.glob("*.erl"):
            commands = re.findall(r"%%   ravel (check \S+\.erl .*?)  +(no bug|a bug|.*)$", file.read_text(), re.M)
            self.assertGreater(len(commands), 2)
            for command, verdict in commands:
                words = [str(file) if word == file.name else word for word in command.split()]
                run = self.expect(0 if verdict.startswith("no bug") else 1, *words)
                needs = re.search(r"needs .*", verdict)
                if needs:
                    self.assertIn(needs.group(0), run.stdout)


if __name__ == "__main__":
    unittest.main()
