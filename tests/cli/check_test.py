"""ravel check: what it finds, says, writes and returns."""

import json
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import time
import unittest

from support import ENDLESS, RACE, RAVEL, CommandTest

GOLDEN = pathlib.Path(__file__).parents[1] / "golden"


class Results(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("race.erl", RACE)

    def test_a_pass_says_what_is_ruled_out(self):
        run = self.expect(0, "check", "race.erl", "-t", "race:fine_test", "--strategy", "dfs")
        self.assertIn("No bug in any of the 3 schedules.", run.stdout)
        self.assertEqual(run.stderr, "")
        self.assertFalse((self.folder / "ravel-tickets").exists())
        run = self.expect(0, "check", "race.erl", "-t", "race:fine_test", "--preemptions", "0")
        self.assertIn("No bug with at most 0 preemptions; 1 trace.", run.stdout)

    def test_a_bug_is_told_with_its_place_its_story_and_its_ticket(self):
        run = self.expect(1, "check", "race.erl", "-t", "race:lost_test")
        (ticket,) = self.tickets()
        for text in [
            "Bug 1: abnormal exit (1 preemption, 4 events)",
            "a process fails with the error badarg in erlang:register/2",
            "at race.erl:6, in P:  register(math, Pid).",
            "spawns P.1 to run a fun of race:lost_test/0",
            "-- preemption: P could have gone on --",
            "calls register(math, <P.1>), which raises badarg",
            "race.erl:6  register(math, Pid).",
            f"ravel replay ravel-tickets/{ticket.name}",
            "What makes the difference:",
        ]:
            self.assertIn(text, run.stdout)
        self.assertNotIn("\033", run.stdout)
        run = self.expect(1, "check", "race.erl", "-t", "race:lost_test", "--strategy", "preemption")
        self.assertIn("there is none without a preemption", run.stdout)

    def test_a_module_without_tests_is_tested_by_its_function_test(self):
        self.write("plain.erl", "-module(plain).\n-export([test/0, other/0]).\ntest() -> ok.\nother() -> exit(oops).\n")
        self.expect(0, "check", "plain.erl", "-t", "plain", "--json", "results.json")
        self.assertEqual(self.results()["test"], "plain:test")
        self.refused("check", "plain.erl", says="no test")  # nobody has asked for it
        self.write("none.erl", "-module(none).\n-export([test/1]).\ntest(_) -> ok.\n")
        self.refused("check", "none.erl", "-t", "none", says=["NAME_test/0", "test/0", "-t none:FUNCTION"])

    def test_libraries_are_found_by_erl_libs_and_again_by_the_ticket(self):
        library = self.write("libs/far-1.0/ebin/far.erl", "-module(far).\n-export([f/0]).\nf() -> exit(far).\n")
        subprocess.run(["erlc", library.name], cwd=library.parent, check=True)
        self.write("libs/far-1.0/include/far.hrl", "-define(FAR, far).\n")
        self.write("near.erl", "-module(near).\n-export([test/0]).\n-include_lib(\"far/include/far.hrl\").\ntest() -> ?FAR:f().\n")
        env = {"ERL_LIBS": f"/nowhere:{self.folder}/libs"}
        self.assertIn("exits with reason far", self.expect(1, "check", "near.erl", "-t", "near", env=env).stdout)
        (ticket,) = self.tickets()
        self.assertIn("The bug still happens", self.expect(1, "replay", ticket).stdout)

    def test_a_module_that_is_nowhere_is_named(self):
        self.write("caller.erl", """\
-module(caller).
-export([module_test/0, function_test/0, apply_test/0]).
module_test() -> helper:f(1).
function_test() -> lists:no_such_function(1).
apply_test() -> proc_lib:start(helper, f, []).
""")
        missing = "no module helper was found: its file, or the --pa folder that has it, is to be given"
        for name, says in [("module", True), ("function", False), ("apply", True)]:
            story = self.expect(1, "check", "caller.erl", "-t", f"caller:{name}_test").stdout
            self.assertEqual(missing in story, says, story)

    def test_what_a_crash_report_looks_at_is_one_line(self):
        self.write("crash.erl", """\
-module(crash).
-export([a_test/0, init/1, handle_call/3, handle_cast/2]).
a_test() -> {ok, P} = gen_server:start_link(?MODULE, [], []), gen_server:call(P, crash, infinity).
init(_) -> {ok, none}.
handle_call(crash, _, _) -> error(oops).
handle_cast(_, S) -> {noreply, S}.
""")
        run = self.expect(1, "check", "crash.erl")
        self.assertIn("=CRASH REPORT", run.stdout)
        story = run.stdout.split("The program printed")[0]
        self.assertNotIn("heap_size", story)
        self.assertRegex(story, r"\n +\.\.\. \d+ events of P\.1 inside libraries \.\.\.\n")
        (ticket,) = self.tickets()
        self.assertIn("heap_size", self.expect(0, "trace", ticket).stdout)

    def test_processes_of_behaviours_are_told_by_what_they_run(self):
        self.write("started.erl", """\
-module(started).
-export([all_test/0, init/1, handle_call/3, handle_cast/2]).
all_test() ->
    {ok, _} = gen_server:start_link(?MODULE, server, []),
    {ok, _} = gen_server:start_link({local, named}, ?MODULE, server, []),
    {ok, _} = supervisor:start_link(?MODULE, supervisor),
    {ok, _} = supervisor:start_link({local, boss}, ?MODULE, supervisor),
    {ok, _} = gen_event:start_link(),
    proc_lib:spawn(lists, seq, [1, 2]),
    proc_lib:spawn(fun() -> ok end),
    receive never -> ok end.
init(server) -> {ok, none};
init(supervisor) -> {ok, {#{}, []}}.
handle_call(_, _, State) -> {reply, ok, State}.
handle_cast(_, State) -> {noreply, State}.
""")
        story = self.expect(1, "check", "started.erl").stdout
        for what in ["P.1 to run started:init/1 (gen_server) ", "P.2 to run started:init/1 (gen_server) ",
                     "P.3 to run started:init/1 (supervisor) ", "P.4 to run started:init/1 (supervisor) ",
                     "P.5 to run gen_event:init_it/6 ", "P.6 to run lists:seq/2 ", "P.7 to run a fun of started:all_test/0 "]:
            self.assertIn("spawns " + what, story)

    def test_keep_going_finds_every_bug_once(self):
        run = self.expect(
            1, "check", "race.erl", "-t", "race:both_test", "-k", "--strategy", "dfs", "--json", "results.json"
        )
        self.assertEqual([bug["kind"] for bug in self.results()["bugs"]], ["deadlock", "abnormal_exit"])
        self.assertIn("which are all there are", run.stdout)
        self.assertEqual(len(self.tickets()), 2)
        self.assertIn("P waits at race.erl:19: 2 -> receive never -> ok end", run.stdout)

    def test_an_exit_reason_can_be_declared_normal(self):
        def bugs(*arguments):
            self.expect(1, "check", "race.erl", "-t", "race:both_test", "-k", "--json", "results.json", *arguments)
            return len(self.results()["bugs"])

        self.assertEqual(bugs("--normal", "other"), 2)
        self.assertEqual(bugs("--normal", "second"), 1)
        self.assertEqual(bugs("--normal", "other", "--normal", "second"), 1)

    def test_several_tests_end_in_a_table(self):
        run = self.expect(1, "check", "race.erl", "--json", "results.json")
        rows = [line.split() for line in run.stdout.splitlines() if line.startswith("race:")]
        self.assertEqual([row[:3] for row in rows if len(row) > 1], [
            ["race:lost_test", "1", "bug"],
            ["race:fine_test", "pass", "1"],
            ["race:both_test", "1", "bug"],
        ])
        self.assertIn("3 tests: 1 passes, 2 have bugs.", run.stdout)
        results = self.results()
        self.assertEqual(results["verdict"], "bug")
        self.assertEqual([t["test"] for t in results["tests"]], ["race:lost_test", "race:fine_test", "race:both_test"])
        self.assertEqual([t["verdict"] for t in results["tests"]], ["bug", "pass", "bug"])

    def test_a_test_that_is_named_twice_is_checked_once(self):
        self.expect(1, "check", "race.erl", "-t", "race:fine_test", "-t", "race", "--json", "results.json")
        self.assertEqual(
            [t["test"] for t in self.results()["tests"]], ["race:fine_test", "race:lost_test", "race:both_test"]
        )

    def test_results_for_machines(self):
        self.expect(1, "check", "race.erl", "-t", "race:lost_test", "--json", "results.json", "--out", "out")
        results = self.results()
        (bug,) = results["bugs"]
        self.assertEqual(results["verdict"], "bug")
        self.assertEqual(results["test"], "race:lost_test")
        self.assertEqual((results["bound_completed"], results["redundant"]), (None, 0))
        self.assertEqual((bug["kind"], bug["file"], bug["line"], bug["actor"]), ("abnormal_exit", "race.erl", 6, "P"))
        self.assertEqual((bug["preemptions"], bug["events"]), (1, 4))
        self.assertTrue((self.folder / bug["ticket"]).is_file())
        self.assertEqual(os.path.dirname(bug["ticket"]), "out")

    def test_quiet_is_one_line_for_each_bug(self):
        run = self.expect(1, "check", "race.erl", "-q")
        self.assertEqual(run.stdout.count("\n"), 2)
        self.assertTrue(run.stdout.startswith("race:lost_test: a process fails with the error badarg in erlang:register/2 at race.erl:6; "))
        self.assertEqual(self.expect(0, "check", "race.erl", "-q", "-t", "race:fine_test").stdout, "")

    def test_the_same_search_gives_the_same_results(self):
        def told(*arguments):
            run = self.expect(1, "check", "race.erl", *arguments)
            return re.sub(r"[0-9.]+ s\b", "TIME", run.stdout)

        self.assertEqual(told("-k"), told("-k"))
        random = ["-k", "--strategy", "random", "--budget", "200x"]
        self.assertEqual(told(*random, "--seed", "7"), told(*random, "--seed", "7"))
        self.assertIn("seed 7", told(*random, "--seed", "7"))

    def test_a_search_can_explore_blocked_steps_too(self):
        self.write(
            "listing.erl",
            "-module(listing).\n-export([foo/0]).\n"
            "foo() -> register(foo, self()), spawn(fun() -> foo ! bar, ok end), receive bar -> ok end.\n",
        )
        run = self.expect(0, "check", "listing.erl", "-t", "listing:foo", "--strategy", "dfs")
        self.assertIn("any of the 3 schedules", run.stdout)
        run = self.expect(0, "check", "listing.erl", "-t", "listing:foo", "--strategy", "dfs", "--blocking", "explore")
        self.assertIn("any of the 6 schedules", run.stdout)

    def test_the_end_of_a_process_is_one_step_or_several(self):
        test = [GOLDEN / "ends.erl", "-t", "ends:name_is_free"]
        self.expect(1, "check", *test, "--ends", "stepwise", "--strategy", "preemption")
        self.expect(0, "check", *test, "--strategy", "preemption")
        self.expect(0, "check", *test, "--ends", "atomic")
        run = self.expect(1, "check", *test, "--out", "default")
        self.assertIn("P.1 (p)  ends", run.stdout)
        (ticket,) = self.tickets("default")
        self.expect(1, "replay", ticket)
        self.assertTrue(json.loads(ticket.read_text())["program"]["ends_stepwise"])
        # Tickets from before there was a choice do not say it.
        self.write("linked.erl", """-module(linked).
-export([test/0]).
test() -> spawn_link(fun() -> exit(oops) end), receive after infinity -> ok end.
""")
        self.expect(1, "check", "linked.erl", "-t", "linked", "--ends", "atomic", "-k", "--out", "old")
        for ticket in self.tickets("old"):
            text = ticket.read_text()
            self.assertIn('"ends_stepwise": false,', text)
            ticket.write_text(re.sub(r'\s*"ends_stepwise": false,', "", text))
            self.expect(1, "replay", ticket)

    def test_warnings_of_the_compiler_are_shown_once(self):
        self.write("warned.erl", "-module(warned).\n-export([a_test/0, b_test/0]).\na_test() -> X = 1, ok.\nb_test() -> ok.\n")
        run = self.expect(0, "check", "warned.erl")
        self.assertEqual(run.stderr.count("Warning: variable 'X' is unused"), 1)
        self.assertNotIn("Warning", run.stdout)


class Bounds(CommandTest):
    def test_a_possible_livelock(self):
        self.write("loop.erl", "-module(loop).\n-export([f/0]).\nf() -> self() ! x, receive x -> f() end.\n")
        bound = ["--events", "500", "--long", "bug", "--json", "results.json"]
        run = self.expect(1, "check", "loop.erl", "-t", "loop:f", *bound)
        self.assertEqual(self.results()["bugs"][0]["kind"], "event_bound")
        self.assertIn("440 events not shown", run.stdout)
        self.assertLess(run.stdout.count("\n"), 80)

    def test_a_livelock_is_told_once_round(self):
        self.write("loop.erl", "-module(loop).\n-export([f/0]).\nf() -> self() ! x, receive x -> f() end.\n")
        run = self.expect(1, "check", "loop.erl", "-t", "loop:f", "--json", "results.json")
        (bug,) = self.results()["bugs"]
        self.assertEqual(bug["kind"], "livelock")
        self.assertLess(bug["events"], 6)
        self.assertIn("P goes round, in 2 events", run.stdout)
        self.assertIn("The bug still happens: livelock", self.expect(1, "replay", bug["ticket"]).stdout)
        self.write("loop.erl", "-module(loop).\n-export([f/0]).\nf() -> self() ! x, receive x -> ok end.\n")
        self.assertIn("The bug does not happen", self.expect(0, "replay", bug["ticket"]).stdout)

    def test_an_execution_that_is_cut_off_is_no_bug_and_no_pass(self):
        self.write("loop.erl", "-module(loop).\n-export([f/0]).\nf() -> f(0).\nf(N) -> self() ! N, receive N -> f(N + 1) end.\n")
        run = self.expect(3, "check", "loop.erl", "-t", "loop:f", "--events", "500", "--json", "results.json")
        self.assertEqual((self.results()["verdict"], self.results()["unfinished"]), ("incomplete", 1))
        self.assertIn("The search is not complete: no bug, but 1 of 1 trace was not seen to the end.", run.stdout)
        self.assertIn("did not come to the end within 500 events", run.stdout)

    def test_a_process_that_computes_for_ever(self):
        self.write("loop.erl", "-module(loop).\n-export([f/0]).\nf() -> self() ! x, g(0).\ng(N) -> g(N + 1).\n")
        self.expect(1, "check", "loop.erl", "-t", "loop:f", "--step-limit", "1000", "--json", "results.json")
        self.assertEqual(self.results()["bugs"][0]["kind"], "no_progress")

    def test_what_no_schedule_controls(self):
        self.write("net.erl", "-module(net).\n-export([f/0]).\nf() -> gen_tcp:connect(\"localhost\", 80, []).\n")
        run = self.expect(4, "check", "net.erl", "-t", "net:f", "--json", "results.json")
        self.assertTrue(run.stderr.startswith("ravel: "), run.stderr)
        self.assertEqual(self.results()["verdict"], "unsupported")

    def test_a_budget_of_executions(self):
        self.write("endless.erl", ENDLESS)
        run = self.expect(3, "check", "endless.erl", "-t", "endless:pass_test", "--budget", "50x", "--json", "results.json")
        self.assertIn("The budget of executions ended the search", run.stdout)
        self.assertEqual((self.results()["verdict"], self.results()["executions"]), ("incomplete", 50))

    def test_a_budget_of_time(self):
        self.write("endless.erl", ENDLESS)
        start = time.monotonic()
        run = self.expect(3, "check", "endless.erl", "-t", "endless:pass_test", "--budget", "0.5s", "--budget", "99999999x")
        self.assertIn("The budget of time ended the search", run.stdout)
        self.assertLess(time.monotonic() - start, 60)

    def test_a_random_search_is_complete_after_the_executions_asked_for(self):
        self.write("endless.erl", ENDLESS)
        run = self.expect(0, "check", "endless.erl", "-t", "endless:pass_test", "--strategy", "random", "--budget", "20x")
        self.assertIn("No bug in 20 executions of the random walk, seed 1; other schedules were not tried.", run.stdout)


class Interruption(CommandTest):
    def start(self, *arguments, **streams):
        self.write("endless.erl", ENDLESS)
        return subprocess.Popen([RAVEL, *arguments], cwd=self.folder, stdout=subprocess.PIPE, text=True, **streams)

    def interrupted(self, *arguments):
        """Interrupts a search once its progress line shows that it has begun, and returns what it printed."""
        master, slave = pty.openpty()
        process = self.start(*arguments, stderr=slave, env={**os.environ, "TERM": "xterm"})
        os.close(slave)
        self.addCleanup(os.close, master)
        seen = b""
        while b"execution" not in seen:
            self.assertTrue(select.select([master], [], [], 60)[0], "no progress line")
            seen += os.read(master, 4096)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3)
        return out

    def test_the_results_so_far_are_shown_and_written(self):
        out = self.interrupted("check", "endless.erl", "-t", "endless:pass_test", "--json", "results.json")
        self.assertIn("The search was interrupted: no bug in the", out)
        self.assertEqual((self.results()["verdict"], self.results()["stop"]), ("incomplete", "interrupted"))

    def test_the_tests_after_it_are_not_run(self):
        out = self.interrupted("check", "endless.erl", "--jobs", "1", "-t", "endless:pass_test", "-t", "endless:bug_test")
        self.assertIn("Interrupted: 1 more test not run.", out)

    def test_a_ticket_is_on_disk_as_soon_as_its_bug_is_found(self):
        process = self.start("check", "endless.erl", "-t", "endless:bug_test", "-k", "--strategy", "random", stderr=subprocess.PIPE)
        deadline = time.monotonic() + 60
        while not self.tickets() and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(0.5)
        process.kill()
        process.communicate()
        (ticket,) = self.tickets()
        self.expect(1, "replay", ticket)


class Terminal(CommandTest):
    def on_a_terminal(self, *arguments):
        """What the command writes when all its streams are one terminal."""
        master, slave = pty.openpty()
        process = subprocess.Popen(
            [RAVEL, *arguments],
            cwd=self.folder,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "xterm"},
        )
        os.close(slave)
        text = b""
        while True:
            try:
                part = os.read(master, 65536) if select.select([master], [], [], 60)[0] else b""
            except OSError:
                break
            if not part:
                break
            text += part
        os.close(master)
        return process.wait(timeout=60), text.decode()

    def test_a_search_shows_its_progress_in_one_line_that_it_erases(self):
        self.write("endless.erl", ENDLESS)
        command = ["check", "endless.erl", "-t", "endless:pass_test", "--jobs", "1", "--budget", "1.5s"]
        status, text = self.on_a_terminal(*command)
        self.assertEqual(status, 3)
        self.assertRegex(text, r"\r[0-9,]+ of about [0-9,]+ executions, [0-9,]+ events/s, [0-9.]+ s, about .* left\x1b\[K")
        status, text = self.on_a_terminal(*command, "--strategy", "preemption")
        self.assertRegex(text, r"\r[0-9,]+ executions, bound [0-9]+, [0-9,]+ events/s, [0-9.]+ s\x1b\[K")
        self.assertIn("\r\033[KThe budget of time ended the search", text)

    def test_colours_are_for_terminals_unless_asked_for(self):
        self.write("race.erl", RACE)
        arguments = ["check", "race.erl", "-t", "race:lost_test"]
        self.assertIn("\033[31mBug 1", self.on_a_terminal(*arguments)[1])
        self.assertNotIn("\033[31m", self.on_a_terminal(*arguments, "--color", "never")[1])
        self.assertIn("\033[31mBug 1", self.expect(1, *arguments, "--color", "always").stdout)


class Help(CommandTest):
    def test_the_version_and_the_help(self):
        self.assertRegex(self.expect(0, "--version").stdout, r"^ravel [0-9]+\.[0-9]+\.[0-9]+\n$")
        self.assertIn("ravel check bank.erl", self.expect(0, "--help").stdout)
        for command in ["check", "replay", "profile", "tests", "run"]:
            self.assertIn(f"ravel {command}", self.expect(0, command, "--help").stdout)

    def test_the_short_help_fits_a_screen_and_leaves_no_option_out(self):
        short = self.expect(0, "check", "--help").stdout
        explained = re.findall(r"^  (?:-., *)?--[a-z-]+", short.split("The other options")[0], re.MULTILINE)  # each in a line, or a few
        self.assertLess(len(explained), 13)
        self.assertIn("--keep-going  ", short)
        whole = self.expect(0, "check", "--help-all").stdout
        options = set(re.findall(r"^ +(?:-., *)?(--?[a-zA-Z-]+)", whole, re.MULTILINE))
        self.assertGreater(len(options), 45)
        self.assertEqual({option for option in options if not re.search(rf"(?<![\w-]){option}\b", short)}, set())

    def test_the_guide_names_every_option(self):
        guide = pathlib.Path(__file__).parents[2] / "docs" / "guide" / "options.md"
        named = set(re.findall(r"`(--?[a-zA-Z-]+)", guide.read_text()))
        offered = set()
        for command in [[], ["check"], ["replay"], ["show"], ["ui"], ["trace"], ["races"], ["profile"], ["tests"], ["run"],
                        ["split"], ["part"], ["merge"]]:
            offered |= set(re.findall(r"^ +(?:-., *)?(--?[a-zA-Z-]+)", self.expect(0, *command, "--help-all").stdout, re.M))
        self.assertLessEqual({"--strategy", "--budget", "-D"}, offered)
        self.assertEqual(offered - named, set())
        self.assertEqual({option for option in named if option.startswith("--")} - offered - {"--test", "--help", "--help-all"}, set())

    def test_the_list_of_tests(self):
        self.write("race.erl", RACE)
        run = self.expect(0, "tests", "race.erl")
        self.assertEqual(run.stdout, "race:lost_test\nrace:fine_test\nrace:both_test\n")


if __name__ == "__main__":
    unittest.main()
