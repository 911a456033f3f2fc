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


# Programs without an end, which ask again after a while: `twice` once for each message, `thrice` twice.
ENDLESS = """
-module(endless).
-export([once/0, twice/0, thrice/0, restarts/0, answers_once/0]).

answer() ->
    receive {From, N} -> From ! {self(), N} end,
    answer().

ask(_, 0) -> exit(lost);
ask(Pid, Tries) ->
    Pid ! {self(), Tries},
    receive {Pid, _} -> ok after 10 -> ask(Pid, Tries - 1) end.

ask_for_ever(Pid, Tries) -> ask(Pid, Tries), ask_for_ever(Pid, Tries).

once() -> ask_for_ever(spawn(fun answer/0), 1).
twice() -> ask_for_ever(spawn(fun answer/0), 2).
thrice() -> ask_for_ever(spawn(fun answer/0), 3).

%% Forgives one killed worker, and counts them in its stack.
restarts() -> restart(1).

restart(Left) when Left < 0 -> exit(too_often);
restart(Left) ->
    {Pid, Ref} = spawn_monitor(fun answer/0),
    watch(Pid, Ref, Left).

watch(Pid, Ref, Left) ->
    Pid ! {self(), ping},
    receive
        {Pid, ping} -> watch(Pid, Ref, Left);
        {'DOWN', Ref, process, Pid, _} -> restart(Left - 1)
    end.

%% Counts answers: none comes twice.
answers_once() -> expect(spawn(fun answer/0), none).

expect(Pid, Last) ->
    Next = case Last of ping -> pong; _ -> ping end,
    Pid ! {self(), Next},
    receive {Pid, Answer} -> Answer = Next end,
    expect(Pid, Next).
"""


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
        for strategy in ["dpor", "dfs", "preemption", "states", "shortest", "ses", "ses,ss", "random", "irs", "pct", "pos", "surw", "ss"]:
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

    def test_modules_of_elixir_are_named_as_there(self):
        self.write("room.erl", """\
-module('Elixir.Room').
-export([waits/0, answer/1]).
answer(Parent) ->
    register('Elixir.Room', self()),
    Parent ! up,
    receive {From, ping} -> From ! pong end.
waits() ->
    spawn(?MODULE, answer, [self()]),
    receive up -> 'Elixir.Room' ! {self(), ping} end,
    receive pong -> ok end.
""").rename(self.folder / "Elixir.Room.erl")
        for name, status in [("Room", 1), ("Elixir.Room", 1), ("Room:answer/1", 1), ("Rooms", 0), ("Room:waits", 0)]:
            self.expect(status, "check", "Elixir.Room.erl", "-t", "Elixir.Room:waits", "--kill", f"1={name}")

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

    def test_executions_with_them_are_shown_as_traces(self):
        for test, faults, says in [
            ("waits", ["--kill", "1"], "kills P.1"),
            ("waits", [*CHANNELS, "--drop", "1"], "loses the message {<P>,ping} from P to P.1"),
            ("two_answers", [*CHANNELS, "--duplicate", "1"], "sends P#1 = {<P>,ping} to P.c1"),
        ]:
            run = self.check(1, test, *faults)
            ticket = re.search(r"ravel replay (\S+)", run.stdout).group(1)
            self.assertIn(says, self.expect(0, "trace", ticket, "--out", "execution.trace.json").stdout)
            self.assertIn("the environment", self.expect(1, "replay", "--trace", "execution.trace.json").stdout)
            self.expect(0, "races", ticket)

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

    def verdict(self, file, test, strategy, *faults):
        """What a search says, and that its ticket leads to the bug again."""
        for old in self.tickets():
            old.unlink()
        run = self.ravel("check", file, "-t", test, "--strategy", strategy, *faults, "--json", "results.json")
        self.assertIn(run.returncode, (0, 1), run.stdout + run.stderr)
        results = self.results()
        self.assertEqual(results["verdict"], "bug" if run.returncode == 1 else "pass")
        for ticket in self.tickets():
            replayed = self.expect(1, "replay", ticket).stdout
            self.assertIn("The bug still happens", replayed)
            self.assertNotIn("could be followed up to", replayed)
        kinds = ("kills", "lost_messages", "duplicated_messages")
        return {(bug["kind"], bug["message"], *(bug.get(kind, 0) for kind in kinds)) for bug in results["bugs"]}

    def test_searches_by_states_say_the_same_as_those_of_executions(self):
        for test, faults, has_bug in [
            ("waits", ["--kill", "1"], True),
            ("waits", ["--kill", "1=nobody"], False),
            ("waits", [*CHANNELS, "--drop", "1"], True),
            ("waits", [*CHANNELS, "--duplicate", "2"], False),
            ("two_answers", [*CHANNELS, "--duplicate", "1"], True),
            ("two_answers", [*CHANNELS, "--duplicate", "1", "--drop", "1"], True),
            ("two_answers", [*CHANNELS, "--slow", "asks:answer"], False),
        ]:
            said = [self.verdict("asks.erl", f"asks:{test}", strategy, *faults) for strategy in ("dfs", "dpor", "states", "shortest")]
            self.assertEqual(bool(said[0]), has_bug, (test, faults))
            self.assertEqual([bool(one) for one in said], [has_bug] * 4, (test, faults))
            if len(faults) < 6:  # else there are two bugs, and each search stops at one of them
                self.assertEqual(said, [said[0]] * 4, (test, faults))

    def test_how_many_faults_are_left_is_part_of_a_state(self):
        self.write("endless.erl", ENDLESS)
        drop, duplicate = [*CHANNELS, "--drop"], [*CHANNELS, "--duplicate"]
        for strategy in ("states", "shortest"):
            for test, faults, needs in [
                ("once", [*drop, "1"], ("abnormal_exit", 0, 1, 0)),
                ("twice", [*drop, "1"], None),
                ("twice", [*drop, "2"], ("abnormal_exit", 0, 2, 0)),
                ("thrice", [*drop, "2"], None),
                ("thrice", [*drop, "3"], ("abnormal_exit", 0, 3, 0)),
                ("restarts", ["--kill", "1"], None),
                ("restarts", ["--kill", "2"], ("abnormal_exit", 2, 0, 0)),
                ("answers_once", CHANNELS, None),
                ("answers_once", [*duplicate, "1"], ("abnormal_exit", 0, 0, 1)),
            ]:
                found = self.verdict("endless.erl", f"endless:{test}", strategy, *faults)
                self.assertEqual({(kind, *counts) for kind, _, *counts in found}, {needs} - {None}, (strategy, test, faults))

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
